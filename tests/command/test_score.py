"""`score` prints the numbers that scikit-learn gives of one label a row, as strict JSON."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics as sk

from cli import main
from export.numbers import plain
from tests.command.scored import (
    EVERY_TASK,
    ONE_LABEL,
    ONE_SCORE,
    POSITIVE,
    SCORES,
    agree,
    check_hard,
    has_keys,
    made,
    scored_text,
)
from tests.csv_files import write_csv

pytestmark = pytest.mark.usefixtures("module_reads_here")


def test_binary_with_one_score(tmp_path, run):
    truth, _, proba = made(names=("ham", "spam"))
    score = proba[:, 1].round(2)  # ties
    found = run(write_csv(tmp_path / "p.csv", {"y_true": truth, "p_spam": score.tolist()}))
    has_keys(found, EVERY_TASK | ONE_LABEL | ONE_SCORE | POSITIVE)
    assert (found["task"], found["positive"], found["threshold"]) == ("binary", "spam", 0.5)
    pred = ["spam" if s >= 0.5 else "ham" for s in score]
    check_hard(found, truth, pred)
    is_spam = np.array(truth) == "spam"
    agree(found["roc_auc"], sk.roc_auc_score(is_spam, score))
    agree(found["average_precision"], sk.average_precision_score(is_spam, score))
    agree(found["log_loss"], sk.log_loss(is_spam, score))
    agree(found["brier"], sk.brier_score_loss(is_spam, score))
    at = found["at_threshold"]
    tn, fp, fn, tp = sk.confusion_matrix(truth, pred, labels=["ham", "spam"]).ravel()
    assert (at["tn"], at["fp"], at["fn"], at["tp"]) == (tn, fp, fn, tp)
    best = max(sk.f1_score(is_spam, score >= t) for t in {*score})
    assert found["best_thresholds"]["f1"]["value"] == pytest.approx(best, abs=1e-12)
    t = found["best_thresholds"]["f1"]["threshold"]
    assert sk.f1_score(is_spam, score >= t) == pytest.approx(best, abs=1e-12)


def test_the_other_class_can_be_positive(tmp_path, run):
    truth, _, proba = made(names=("ham", "spam"))
    file = write_csv(tmp_path / "p.csv", {"y_true": truth, "p_spam": proba[:, 1].tolist()})
    found = run(file, "--positive", "ham")
    assert found["positive"] == "ham"
    agree(found["roc_auc"], sk.roc_auc_score(np.array(truth) == "ham", proba[:, 0]))
    agree(found["average_precision"], sk.average_precision_score(np.array(truth) == "ham", proba[:, 0]))


def test_threshold_predicts_scores_equal_to_it(tmp_path, run):
    columns = {"y_true": ["1", "1", "0", "0"], "y_pred": ["0", "0", "0", "0"], "score": [0.9, 0.7, 0.7, 0.2]}
    file = write_csv(tmp_path / "p.csv", columns)
    own = run(file)
    assert own["accuracy"] == 0.5 and own["per_class"]["1"]["predicted"] == 0
    assert own["per_class"]["1"]["precision"] is None and own["macro_precision"] is None
    assert own["never_predicted"] == ["1"]
    found = run(file, "--threshold", "0.7")
    assert found["threshold"] == 0.7 and found["accuracy"] == 0.75
    assert {k: found["at_threshold"][k] for k in ("tp", "fp", "fn", "tn")} == {"tp": 2, "fp": 1, "fn": 0, "tn": 1}


def test_logits_of_one_score_are_cut_at_zero(tmp_path, run):
    truth, logits = ["1", "0", "1", "0", "1"], [2.5, -3.0, -0.5, 0.25, 0.0]
    found = run(write_csv(tmp_path / "p.csv", {"y_true": truth, "logit": logits}))
    assert found["threshold"] == 0
    check_hard(found, truth, ["1" if x >= 0 else "0" for x in logits])
    proba = 1 / (1 + np.exp(-np.array(logits)))
    is_true = np.array(truth) == "1"
    agree(found["log_loss"], sk.log_loss(is_true, proba))
    agree(found["brier"], sk.brier_score_loss(is_true, proba))
    assert any("logits" in note for note in found["receipt"]["notes"])


def test_several_classes_with_hard_labels(tmp_path, run):
    truth, pred, _ = made()
    pred[0], truth[1] = "dog", "eel"  # one never true, one never predicted
    found = run(write_csv(tmp_path / "p.tsv", {"label": truth, "prediction": pred}, delimiter="\t"))
    has_keys(found, EVERY_TASK | ONE_LABEL)
    assert found["task"] == "multiclass" and found["classes"] == ["ant", "bee", "cow", "dog", "eel"]
    check_hard(found, truth, pred)
    assert found["per_class"]["dog"]["recall"] is None and found["per_class"]["eel"]["precision"] is None
    assert found["macro_recall"] is None and found["macro_recall_supported"] is not None
    assert found["never_predicted"] == ["eel"] and found["never_true"] == ["dog"] and found["outside_label_space"] == []
    assert found["absent"] == []  # a label is in one list


@pytest.mark.parametrize("own", [True, False])
def test_several_classes_with_a_score_each(tmp_path, run, own):
    truth, pred, proba = made()
    columns = {"y_true": truth, **{f"p_{name}": proba[:, i].tolist() for i, name in enumerate(("ant", "bee", "cow"))}}
    columns |= {"y_pred": pred} if own else {}
    found = run(write_csv(tmp_path / "p.csv", columns))
    has_keys(found, EVERY_TASK | ONE_LABEL | SCORES | {"log_loss", "log_loss_clipping", "brier"})
    check_hard(found, truth, pred)
    agree(found["roc_auc_macro"], sk.roc_auc_score(truth, proba, multi_class="ovr", average="macro"))
    agree(found["roc_auc_weighted"], sk.roc_auc_score(truth, proba, multi_class="ovr", average="weighted"))
    agree(found["log_loss"], sk.log_loss(truth, proba))
    hot = np.array([[t == name for name in ("ant", "bee", "cow")] for t in truth], dtype=float)
    agree(found["brier"], float(((proba - hot) ** 2).sum(axis=1).mean()))
    for i, name in enumerate(("ant", "bee", "cow")):
        agree(found["roc_auc_per_class"][name], sk.roc_auc_score(hot[:, i], proba[:, i]))
        agree(found["average_precision_per_class"][name], sk.average_precision_score(hot[:, i], proba[:, i]))


def test_the_columns_can_be_named(tmp_path, run):
    truth, pred, proba = made()
    other = ["ant"] * len(truth)
    columns = {"y_true": other, "y_pred": other, "a": truth, "b": pred}
    columns |= {f"{name}_score": proba[:, i].tolist() for i, name in enumerate(("ant", "bee", "cow"))}
    file = write_csv(tmp_path / "p.csv", columns)
    found = run(file, "--truth", "a", "--pred", "b", "--scores", "ant_score,bee_score,cow_score")
    check_hard(found, truth, pred)
    agree(found["roc_auc_macro"], sk.roc_auc_score(truth, proba, multi_class="ovr"))
    roles = {role["column"]: role["role"] for role in found["receipt"]["roles"]}
    assert (roles["a"], roles["b"], roles["bee_score"], roles["y_true"]) == (
        "truth",
        "prediction",
        "score of bee",
        "other",
    )


def test_one_score_can_be_named(tmp_path, run):
    columns = {"y": ["1", "0", "1", "0"], "score": [0.1, 0.2, 0.3, 0.4], "good": [0.9, 0.2, 0.8, 0.1]}
    file = write_csv(tmp_path / "p.csv", columns)
    assert run(file, "--score", "good", "--positive", "1")["roc_auc"] == 1.0
    assert run(file, "--score", "score", "--positive", "1")["roc_auc"] == 0.25


def test_missing_labels_are_counted_and_not_scored(tmp_path, run):
    columns = {"y_true": ["a", "", "b", "b", "a"], "y_pred": ["a", "a", "", "a", "a"]}
    found = run(write_csv(tmp_path / "p.csv", columns))
    assert (found["n_rows"], found["n_scored"], found["n_missing_truth"], found["n_missing_pred"]) == (5, 3, 1, 1)
    assert found["accuracy"] == pytest.approx(2 / 3)
    assert {f["code"] for f in found["findings"]} >= {"missing_truth", "missing_prediction"}
    assert sum("1 row (row " in text for text in found["warnings"]) == 2


def test_undefined_is_null_and_infinite_is_null(tmp_path, run):
    found = run(write_csv(tmp_path / "p.csv", {"y_true": ["1", "1"], "y_pred": ["1", "0"], "score": [0.5, 0.1]}))
    assert (
        found["roc_auc"] is None and found["at_threshold"]["fpr"] is None and found["per_class"]["0"]["recall"] is None
    )
    assert found["best_thresholds"]["youden_j"] == {"threshold": None, "value": None}
    assert plain({"a": [math.nan, -math.inf, np.float64("nan"), 1]}) == {"a": [None, None, None, 1]}


def look_alike_file(folder: Path) -> Path:
    return write_csv(folder / "p.csv", {"y_true": ["cat", "cat", "dog", "Dog"], "y_pred": ["Cat", "cat", "Dog", "Dog"]})


def test_merged_labels_count_as_one(run, tmp_path):
    path = look_alike_file(tmp_path)
    before = run(path)
    assert before["accuracy"] == 0.5 and any("until you merge them" in text for text in before["warnings"])
    one = run(path, "--merge", "Cat=cat")
    assert one["accuracy"] == 0.75 and one["classes"] == ["Dog", "cat", "dog"]
    both = run(path, "--merge", "Cat=cat", "--merge", "Dog=dog")
    assert both["accuracy"] == 1 and both["classes"] == ["cat", "dog"] and both["warnings"] == []
    assert "Labels merged: 'Cat' into 'cat', 'Dog' into 'dog'." in both["receipt"]["notes"]
    check_hard(both, ["cat", "cat", "dog", "dog"], ["cat", "cat", "dog", "dog"])


@pytest.mark.parametrize("pairs", [{"Cat": "cat", "Dog": "dog"}, [["Cat", "cat"], ["Dog", "dog"]]])
def test_merges_may_come_from_a_json_file(run, tmp_path, pairs):
    merges = tmp_path / "merges.json"
    merges.write_text(json.dumps(pairs), encoding="utf-8")
    assert run(look_alike_file(tmp_path), "--merge", merges)["accuracy"] == 1


@pytest.mark.parametrize(
    ("merge", "said"),
    [
        ("Cat", "'Cat' is no pair of labels; write 'Cat=cat'"),
        ("=cat", "'=cat' is no pair of labels"),
        ("Kat=cat", "There is no label 'Kat' to merge; the file has 'Cat', 'Dog', 'cat', 'dog'"),
    ],
)
def test_impossible_merge_is_refused_in_one_sentence(capsys, tmp_path, merge, said):
    assert main(["score", str(look_alike_file(tmp_path)), "--merge", merge]) == 2
    output = capsys.readouterr()
    assert output.out == "" and said in output.err and output.err.count("\n") == 1


@pytest.mark.parametrize("text", ["{", "[1]", '[["a", 1]]', '"Cat"'])
def test_wrong_file_of_merges_is_named(capsys, tmp_path, text):
    merges = tmp_path / "merges.json"
    merges.write_text(text, encoding="utf-8")
    assert main(["score", str(look_alike_file(tmp_path)), "--merge", str(merges)]) == 2
    assert capsys.readouterr().err.startswith("merges.json: pairs of labels in JSON were wanted")


@pytest.mark.parametrize("as_matrix", [True, False])
def test_counts_give_the_numbers_of_their_rows(run, capsys, tmp_path, as_matrix):
    truth, pred, _ = made()
    names = sorted(set(truth))
    pairs = [(t, p, sum(pair == (t, p) for pair in zip(truth, pred, strict=True))) for t in names for p in names]
    if as_matrix:
        columns = {"": names} | {name: [n for _, p, n in pairs if p == name] for name in names}
    else:
        columns = dict(zip(("Actual", "Predicted", "nPredictions"), map(list, zip(*pairs, strict=True)), strict=True))
    path = write_csv(tmp_path / "counts.csv", columns)
    found = run(path)
    assert found["n_rows"] == found["n_scored"] == len(truth)
    has_keys(found, EVERY_TASK | ONE_LABEL)
    check_hard(found, truth, pred)
    assert any("This file holds counts, not rows" in text for text in found["warnings"])
    assert main(["score", str(path)]) == 0
    assert "counts.csv: 60 rows in 9 lines, 60 scored" in capsys.readouterr().out


def test_labels_of_4500_characters_are_scored(run, tmp_path):
    long = "x" * 4_500
    found = run(write_csv(tmp_path / "p.csv", {"y_true": [long, "b", long], "y_pred": [long, "b", "b"]}))
    assert found["accuracy"] == pytest.approx(2 / 3) and long in found["classes"]
    assert any("more than 256 characters" in text for text in found["warnings"])


def test_padded_numbers_meet_plain_ones(run, tmp_path):
    found = run(write_csv(tmp_path / "p.csv", {"y_true": ["01", "02", "10"] * 3, "y_pred": ["1", "2", "2"] * 3}))
    assert found["classes"] == ["01", "02", "10"] and found["accuracy"] == pytest.approx(2 / 3)
    assert any("reconciled" in text for text in found["warnings"])


@pytest.mark.parametrize(
    ("label", "score", "classes", "positive", "options"),
    [
        ("0", "score", ["0", "1"], "1", []),
        ("0", "y_score", ["0", "1"], "1", ["--score", "y_score"]),
        ("1", "score", ["0", "1"], "1", []),
        ("negative", "score", ["negative", "positive"], "positive", []),
        ("ham", "p_spam", ["ham", "spam"], "spam", []),
        ("cat", "p_dog", ["cat", "dog"], "dog", []),
        ("cat", "score", ["cat", "not cat"], "cat", []),
        ("cat", "score", ["bird", "cat"], "bird", ["--positive", "bird"]),
    ],
)
@pytest.mark.parametrize("n", [1, 4])
def test_a_truth_with_one_class_is_scored(tmp_path, run, capsys, label, score, classes, positive, options, n):
    values = [0.1, 0.7, 0.3, 0.2][:n]
    file = write_csv(tmp_path / "p.csv", {"y_true": [label] * n, score: values})
    found = run(file, *options)
    predicted = [positive if v >= 0.5 else next(c for c in classes if c != positive) for v in values]
    assert (found["classes"], found["positive"], found["n_scored"]) == (classes, positive, n)
    agree(found["accuracy"], sum(p == label for p in predicted) / n)
    assert {c: row["predicted"] for c, row in found["per_class"].items()} == {c: predicted.count(c) for c in classes}
    reason = "every row is positive" if label == positive else "no row is positive"
    reasons = found["undefined_because"]
    undefined = [key for key in ("roc_auc", "best_youden_j", "average_precision", "best_f1") if found[key] is None]
    assert undefined[:2] == ["roc_auc", "best_youden_j"] and {reasons[key] for key in undefined} == {reason}
    agree(found["log_loss"], float(-np.mean([np.log(v if label == positive else 1 - v) for v in values])))
    assert f"Every true label is '{label}'" in found["warnings"][0]
    assert re.search(f"^ +ROC AUC +undefined: {reason}$", scored_text(capsys, file, *options), re.M)


def test_one_row_with_labels_is_scored(tmp_path, run):
    found = run(write_csv(tmp_path / "p.csv", {"y_true": ["a"], "y_pred": ["a"]}))
    assert (found["accuracy"], found["n_scored"], found["classes"]) == (1.0, 1, ["a"])


def test_own_scale_names_what_is_undefined(tmp_path, run, capsys):
    truth, scores = ["1", "0", "1", "0", "1"], [9, 2, 7, 3, 8]
    file = write_csv(tmp_path / "p.csv", {"y_true": truth, "decile_score": scores})
    found = run(file)
    agree(found["roc_auc"], sk.roc_auc_score([int(x) for x in truth], scores))
    assert found["accuracy"] is None and "no threshold" in found["undefined_because"]["accuracy"]
    assert found["log_loss"] is None and "no probabilities" in found["undefined_because"]["log_loss"]
    assert main(["score", str(file)]) == 0
    said = capsys.readouterr().out
    assert "give a threshold with --threshold, such as --threshold 7 (recommended" in said
    check_hard(run(file, "--threshold", "7"), truth, ["1" if x >= 7 else "0" for x in scores])
    assert run(file, "--scale", "logit")["threshold"] == 0
