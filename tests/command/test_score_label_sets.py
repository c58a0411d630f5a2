"""`score` prints the numbers that scikit-learn gives of label sets."""

import json

import numpy as np
import pytest
from sklearn import metrics as sk

from tests.command.scored import EVERY_TASK, MANY_LABELS, SCORES, agree, has_keys, sure
from tests.csv_files import write_csv

pytestmark = pytest.mark.usefixtures("module_reads_here")


GENRES = ("crime", "drama", "war")


def check_sets(found: dict, truth: np.ndarray, pred: np.ndarray) -> None:
    """Everything that scikit-learn knows about label sets."""
    agree(found["subset_accuracy"], sk.accuracy_score(truth, pred))
    agree(found["hamming_loss"], sk.hamming_loss(truth, pred))
    agree(found["per_label_accuracy"], 1 - sk.hamming_loss(truth, pred))
    agree(found["samples_f1"], sk.f1_score(truth, pred, average="samples", zero_division=0))
    for average in ("samples", "micro", "macro"):
        agree(found[f"jaccard_{average}"], sk.jaccard_score(truth, pred, average=average, zero_division=0), average)
    for which, function in {"f1": sk.f1_score, "precision": sk.precision_score, "recall": sk.recall_score}.items():
        for average in ("micro", "macro", "weighted"):
            agree(found[f"{average}_{which}"], sure(function, truth, pred, average=average), f"{average} {which}")
        for i, name in enumerate(GENRES):
            agree(found["per_class"][name][which], sure(function, truth[:, i], pred[:, i]), name)


def label_sets(n: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(4)
    truth = random.random((n, 3)) < [0.5, 0.6, 0.3]
    logits = random.normal(size=(n, 3)) + 1.5 * truth - 0.7
    return truth, logits >= 0, logits.round(3)


def joined(sets: np.ndarray, how) -> list[str]:
    return [how([name for name, has in zip(GENRES, row, strict=True) if has]) for row in sets]


@pytest.mark.parametrize("how", ["|", ";", "json", "python"])
def test_label_sets_in_a_cell(tmp_path, run, how):
    truth, pred, _ = label_sets()
    write_cell = {"json": json.dumps, "python": str}.get(how, how.join)
    columns = {"y_true": joined(truth, write_cell), "y_pred": joined(pred, write_cell)}
    found = run(write_csv(tmp_path / "p.csv", columns))
    has_keys(found, EVERY_TASK | MANY_LABELS)
    assert found["task"] == "multilabel" and found["classes"] == list(GENRES)
    check_sets(found, truth, pred)


def test_multi_hot_columns(tmp_path, run):
    truth, pred, _ = label_sets()
    columns = {f"true_{name}": truth[:, i].astype(int).tolist() for i, name in enumerate(GENRES)}
    columns |= {f"pred_{name}": pred[:, i].astype(int).tolist() for i, name in enumerate(GENRES)}
    found = run(write_csv(tmp_path / "p.csv", columns))
    has_keys(found, EVERY_TASK | MANY_LABELS)
    check_sets(found, truth, pred)


def test_multi_label_logits(tmp_path, run):
    truth, pred, logits = label_sets()
    columns = {"genres": joined(truth, "|".join)}
    columns |= {f"logit_{name}": logits[:, i].tolist() for i, name in enumerate(GENRES)}
    file = write_csv(tmp_path / "p.csv", columns)
    found = run(file, "--truth", "genres")
    has_keys(found, EVERY_TASK | MANY_LABELS | SCORES | {"threshold"})
    check_sets(found, truth, pred)
    assert found["threshold"] == 0
    agree(found["roc_auc_macro"], sk.roc_auc_score(truth, logits, average="macro"))
    agree(found["roc_auc_weighted"], sk.roc_auc_score(truth, logits, average="weighted"))
    for i, name in enumerate(GENRES):
        agree(found["average_precision_per_class"][name], sk.average_precision_score(truth[:, i], logits[:, i]))
    check_sets(run(file, "--truth", "genres", "--threshold", "0.8"), truth, logits >= 0.8)


def test_multi_label_averages_name_their_labels(tmp_path, run):
    columns = {"y_true": ["a|b", "a", "b|a", "b"], "y_pred": ["a|b", "a|x", "b", "b|a"]}
    found = run(write_csv(tmp_path / "p.csv", columns), "--label-set", "a,b,c")
    per = {name: row["f1"] for name, row in found["per_class"].items()}
    assert per["c"] is None and per["x"] == 0
    assert found["macro_f1"] == pytest.approx((per["a"] + per["b"] + 0) / 3)
    assert found["macro_f1_supported"] == pytest.approx((per["a"] + per["b"]) / 2)
    assert found["macro_f1_label_space"] == pytest.approx((per["a"] + per["b"] + 0) / 3)
    assert found["absent"] == ["c"] and found["outside_label_space"] == ["x"] and found["classes"] == ["a", "b", "c"]
