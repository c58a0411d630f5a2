"""The code that is handed out gives the number that is shown: it is run, on samples, made-up and hostile files."""

import contextlib
import csv
import io
import json
import math
import warnings
from collections.abc import Collection
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from data.building.rescoring import with_label_thresholds, with_threshold
from data.evaluation import Evaluation
from data.runs import load
from data.runs.draft import Given
from data.samples import FOLDER, SAMPLES
from export.code.python_code import class_of, needs_class, offered, python_code
from metrics.catalogue.registry import REGISTRY
from metrics.findings.tables import count_confusions, count_labels, count_scores
from tests.data.evaluations import LETTERS, MARKS, NUMBERS, PLAIN, WORDS, single

HOSTILE = ("'); raise SystemExit(9) #", '"""', "a\nimport os", "\\", "{x}", "%s", "\u202eabc", "=cmd()", "<img src=x>")


def shown(e: Evaluation, name: str, label: int) -> float:
    """The number as the pages compute it: the registry's own function on the small tables."""
    metric = REGISTRY[name]
    counts = count_labels(e) if e.task == "multilabel" else count_confusions(e)
    if metric.eats in ("confusion counts", "multi-label counts"):
        return float(metric.function(counts))
    if metric.eats == "confusion counts, one class":
        return float(metric.function(counts, label))
    if metric.eats == "score counts":
        return float(metric.function(count_scores(e, label)))
    assert e.y_score is not None
    if metric.eats == "scores per class":
        return float(metric.function(e.y_true[e.scored], e.y_score[e.scored], e.score_codes))
    if e.task == "binary":
        true = e.y_true[e.scored] == e.positive
        return float(metric.function(true, e.y_score[e.scored, 0], from_logits=e.scale == "logit"))
    return float(metric.function(e.y_true[e.scored], e.y_score[e.scored], score_codes=e.score_codes))


def ran(code: str, folder: Path) -> float:
    """What the code prints, run in the folder that holds the file."""
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(code, "handed out", "exec"), {"__name__": "handed out"})
    return float(out.getvalue().split()[-1])


FEW = (
    "accuracy", "macro_f1_space", "weighted_recall", "matthews_correlation", "precision", "roc_auc", "macro_roc_auc",
    "log_loss",
)  # fmt: skip
"""Metrics that between them use everything that is read: for files whose way of being written is the question."""


def check(
    e: Evaluation,
    folder: Path,
    *,
    without: Collection[str] = (),
    labels: tuple[int, ...] = (),
    only: Collection[str] = tuple(REGISTRY),
) -> int:
    """Every metric's code gives the shown number; returns how many. `without`: those that may have none."""
    n = 0
    for name in (name for name in offered(e) if name in only):
        for label in labels if labels and needs_class(name) else (class_of(e),):
            found = python_code(e, name, label)
            if not found.text:
                assert name in without, f"{name}: {found.why_not}"
                assert found.why_not.endswith((".", "cli.py.")) and len(found.why_not) < 600
                continue
            wanted, value = shown(e, name, label), ran(found.text, folder)
            if math.isnan(wanted):
                assert math.isnan(value), f"{name} is undefined, the code says {value}\n{found.text}"
            else:
                assert value == pytest.approx(wanted, abs=1e-12, rel=1e-12), f"{name}\n{found.text}"
            n += 1
    return n


def write(folder: Path, columns: dict[str, list], name: str = "preds.csv") -> Path:
    path = folder / name
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def opened(*paths: Path, **given) -> Evaluation:
    return load.read_evaluation(list(paths), Given(**given))


@pytest.mark.parametrize("key", ["screening", "support-intents", "movie-genres", "digits"])
def test_every_number_of_a_sample(key):
    sample = next(s for s in SAMPLES if s.key == key)
    e = opened(*(FOLDER / name for name in sample.files), label_set=sample.label_set)
    assert check(e, FOLDER) >= 25


def test_answers_that_a_parser_read_get_one_sentence_instead_of_wrong_code():
    sample = next(s for s in SAMPLES if s.key == "support-intents-llm")
    e = opened(FOLDER / sample.files[0], label_set=sample.label_set)
    found = python_code(e, "accuracy")
    assert found.text == "" and "parser 'standard'" in found.why_not


NEEDS_SCORE = {name for name, metric in REGISTRY.items() if metric.eats == "score counts"}
ONE = {"y": list("aabbbbcc"), "y_pred": list("abbbbcac")}


def test_missing_cells_are_not_scored_and_unparseable_ones_are_wrong(tmp_path):
    path = write(tmp_path, {"y": ["a", "a", "", "b", "b", "c"], "y_pred": ["a", "b", "a", "", "[invalid]", "c"]})
    e = opened(path)
    assert (e.n_scored, e.n_unparsed) == (4, 1)
    check(e, tmp_path, labels=(0, 1, 2))


def test_a_label_set_a_merge_and_a_reconciled_spelling(tmp_path):
    truth, pred = ["1", "2", "3", "1", "Two"], ["1.0", "2.0", "2.0", "3.0", "2.0"]
    e = opened(write(tmp_path, {"y": truth, "y_pred": pred}), label_set=("1", "2", "3", "4"), merge=(("Two", "2"),))
    assert e.labels == ("1", "2", "3", "4")
    check(e, tmp_path, labels=(0, 1, 3))


@pytest.mark.parametrize("threshold", [0.25, 0.5])
def test_a_threshold_and_the_other_positive_class(tmp_path, threshold):
    rng = np.random.default_rng(7)
    truth = rng.choice(["no", "yes"], 60)
    score = np.round(rng.random(60) * 0.5 + 0.4 * (truth == "yes"), 3)
    cells = ["" if i == 5 else repr(float(x)) for i, x in enumerate(score)]
    path = write(tmp_path, {"y": truth.tolist(), "p_yes": cells})
    check(opened(path, threshold=threshold), tmp_path, labels=(0, 1), without=NEEDS_SCORE)
    assert check(opened(path, positive="no"), tmp_path) > 25
    assert check(with_threshold(opened(path), threshold), tmp_path) > 25


def test_scores_in_per_cent_and_logits(tmp_path):
    rng = np.random.default_rng(3)
    truth = rng.choice(["no", "yes"], 80)
    noise = rng.normal(size=80) + 1.5 * (truth == "yes")
    per_cent = [round(float(x), 2) for x in 100 / (1 + np.exp(-noise))]
    for scores in (per_cent, [round(float(x), 4) for x in noise]):
        e = opened(write(tmp_path, {"y": truth.tolist(), "p_yes": scores}))
        assert check(e, tmp_path) > 25


def test_softmax_over_logits_of_classes(tmp_path):
    rng = np.random.default_rng(5)
    truth = rng.integers(3, size=70)
    logits = rng.normal(size=(70, 3)) + 2 * (np.arange(3) == truth[:, None])
    columns = {f"logit_{c}": [round(float(x), 4) for x in logits[:, i]] for i, c in enumerate("abc")}
    e = opened(write(tmp_path, {"y": ["abc"[i] for i in truth], **columns}))
    assert e.y_score is not None and check(e, tmp_path, labels=(0, 2)) > 30


def test_a_file_of_counts_keeps_its_weights(tmp_path):
    columns = {"y": list("aabbc"), "y_pred": list("abbca"), "count": [5, 2, 7, 1, 3]}
    e = opened(write(tmp_path, columns))
    assert e.weights is not None and e.n_rows == 18
    check(e, tmp_path, labels=(0, 1))


def test_a_line_of_no_rows_is_no_row(tmp_path):
    columns = {"y": list("aabbcd"), "y_pred": list("abbcad"), "count": [5, 2, 7, 1, 3, 0]}
    e = opened(write(tmp_path, columns))
    assert e.n_rows == 18 and "d" in e.labels
    assert check(e, tmp_path, labels=(0, 1)) > 30


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path):
    path = write(tmp_path, ONE)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert check(opened(path), tmp_path, only=FEW) == 5


def test_where_nothing_could_be_parsed_the_accuracy_of_what_was_is_undefined(tmp_path):
    e = opened(write(tmp_path, {"y": list("abab"), "y_pred": ["[invalid]"] * 4}), label_set=("a", "b"))
    assert e.n_unparsed == 4
    assert check(e, tmp_path, only=("accuracy", "accuracy_parsed")) == 2


def test_a_single_class_has_no_balance(tmp_path):
    e = opened(write(tmp_path, {"y": ["a"] * 6, "y_pred": ["a"] * 5 + ["b"]}))
    assert check(e, tmp_path, only=("normalised_entropy", "accuracy")) == 2


@pytest.mark.parametrize("how", ["jsonl", "parquet"])
@pytest.mark.parametrize("typed", [str, int])
def test_lists_that_are_lists_in_the_file(tmp_path, how, typed):
    rng = np.random.default_rng(12)
    names = ["art", "bees", "cats"] if typed is str else [1, 2, 3]
    sides = [[[c for c in names if rng.random() < 0.5] for _ in range(40)] for _ in range(2)]
    table = pd.DataFrame(dict(zip(("labels", "predictions"), sides, strict=True)))
    path = tmp_path / f"p.{how}"
    if how == "parquet":
        table.to_parquet(path)
    else:
        table.to_json(path, orient="records", lines=True)
    e = opened(path)
    assert e.task == "multilabel"
    n = check(e, tmp_path, labels=(0, 1, 2), without=() if typed is str else tuple(REGISTRY))
    assert n > 20 or typed is int


def test_columns_that_pandas_keeps_as_an_index(tmp_path):
    table = pd.DataFrame({"id": [f"r{i}" for i in range(len(ONE["y"]))], **ONE})
    table.set_index("y").to_parquet(tmp_path / "one.parquet")
    table[["id", "y_pred"]].set_index("id").to_parquet(tmp_path / "p.parquet")
    table[["id", "y"]].sample(frac=1, random_state=0).set_index("id").to_parquet(tmp_path / "labels.parquet")
    assert check(opened(tmp_path / "one.parquet"), tmp_path, only=FEW) == 5
    assert check(opened(tmp_path / "p.parquet", tmp_path / "labels.parquet"), tmp_path, only=FEW) == 5


@pytest.mark.parametrize("how", ["delimited", "json", "multi_hot"])
def test_several_labels_a_row_however_they_are_written(tmp_path, how):
    rng = np.random.default_rng(11)
    names = ["art", "bees", "cats"]
    truth, pred = rng.random((40, 3)) < 0.5, rng.random((40, 3)) < 0.5
    if how == "multi_hot":
        columns = {f"true_{c}": truth[:, i].astype(int).tolist() for i, c in enumerate(names)}
        columns |= {f"pred_{c}": pred[:, i].astype(int).tolist() for i, c in enumerate(names)}
    else:
        sets = [[[c for c, has in zip(names, row, strict=True) if has] for row in side] for side in (truth, pred)]
        written = [[";".join(s) if how == "delimited" else json.dumps(s) for s in side] for side in sets]
        columns = {"labels": written[0], "predicted_labels": written[1]}
    e = opened(write(tmp_path, columns))
    assert e.task == "multilabel" and e.settings.encoding == how
    assert check(e, tmp_path, labels=(0, 1, 2)) > 20


def test_a_threshold_of_its_own_for_every_label_is_said_not_guessed():
    sample = next(s for s in SAMPLES if s.key == "movie-genres")
    e = opened(FOLDER / sample.files[0])
    own = with_label_thresholds(e, np.linspace(-1, 1, len(e.score_codes)))
    assert "threshold of its own" in python_code(own, "subset_accuracy").why_not


@pytest.mark.parametrize("key", ["key", "row order"])
def test_two_files_joined(tmp_path, key):
    rng = np.random.default_rng(2)
    truth, n = rng.choice(list("abc"), 30), np.arange(30)
    pred = np.where(rng.random(30) < 0.7, truth, "a")
    order = rng.permutation(30) if key == "key" else n
    one = {"id": [f"r{i}" for i in n], "y_pred": pred.tolist()}
    two = {"id": [f"r{i}" for i in order], "y": truth[order].tolist()}
    if key == "row order":
        one.pop("id"), two.pop("id")
    else:  # rows of only one file are not scored
        two = {name: values[2:] for name, values in two.items()}
        two["id"].append("r99"), two["y"].append("c")
    e = opened(write(tmp_path, one), write(tmp_path, two, "labels.csv"))
    assert e.receipt.join is not None and e.receipt.join.how == key
    assert check(e, tmp_path, only=FEW, labels=(0, 1, 2)) == 7


def test_json_lines_parquet_another_delimiter_and_encoding(tmp_path):
    rows = [{"y": a, "y_pred": b} for a, b in zip(ONE["y"], ONE["y_pred"], strict=True)]
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, rows)))
    pd.DataFrame(ONE).to_parquet(tmp_path / "p.parquet")
    text = "y;y_pred\n" + "\n".join(f"{a};{b}é" if a == b else f"{a}é;{b}é" for a, b in zip(*ONE.values(), strict=True))
    (tmp_path / "p.csv").write_bytes(text.encode("cp1252"))
    numbers = pd.DataFrame({"y": [0, 1, 1, 0, 2], "y_pred": [0, 1, 2, 0, 2]})
    numbers.to_parquet(tmp_path / "n.parquet")
    numbers.to_json(tmp_path / "n.jsonl", orient="records", lines=True)
    for name in ("p.jsonl", "p.parquet", "p.csv", "n.parquet", "n.jsonl"):
        assert check(opened(tmp_path / name), tmp_path, only=FEW) == 5, name


def test_the_rows_that_were_chosen(tmp_path):
    columns = {"filter": ["x", "y"] * 6, "y": list("aabbab") * 2, "y_pred": list("abbbaa") * 2}
    e = opened(write(tmp_path, columns), only=("filter", "y"))
    assert e.n_rows == 6 and check(e, tmp_path) > 25


def test_a_format_that_is_taken_apart_gets_a_sentence(tmp_path):
    pd.DataFrame(ONE).to_excel(tmp_path / "p.xlsx", index=False)
    found = python_code(opened(tmp_path / "p.xlsx"), "accuracy")
    assert found.text == "" and "made while it is read" in found.why_not


def test_code_of_another_file_stops_before_it_prints_a_number(tmp_path):
    code = python_code(opened(write(tmp_path, ONE)), "accuracy").text
    write(tmp_path, {name: values[:-1] for name, values in ONE.items()})
    with pytest.raises(AssertionError, match="another file"):
        ran(code, tmp_path)


def test_a_file_name_that_is_an_address_becomes_a_name(tmp_path):
    import dataclasses

    e = opened(write(tmp_path, ONE))
    file = dataclasses.replace(e.receipt.files[0], name="https://evil.example/x.csv")
    e = dataclasses.replace(e, receipt=dataclasses.replace(e.receipt, files=(file,)))
    code = python_code(e, "accuracy").text
    assert "read_csv('x.csv'" in code


@pytest.mark.parametrize("quote", HOSTILE)
def test_names_and_labels_are_inert(tmp_path, quote):
    truth, pred = [quote, "b", "b", quote, "c"], [quote, quote, "b", "b", "c"]
    column = quote.replace("\n", " ")
    e = opened(write(tmp_path, {f"{column} y": truth, f"{column} z": pred}), truth=f"{column} y", pred=f"{column} z")
    assert quote in e.labels
    assert check(e, tmp_path, only=FEW, labels=(0, 1)) == 6
    for name in ("accuracy", "precision"):
        python_code(e, name).text.encode("ascii")


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # each try runs pandas some times: shrinking takes minutes
)
@given(
    seed=st.integers(0, 10**6),
    pool=st.sampled_from([PLAIN, WORDS, NUMBERS, MARKS, LETTERS]),
    k=st.integers(2, 5),
    with_scores=st.booleans(),
)
def test_whatever_the_labels_are(tmp_path, seed, pool, k, with_scores):
    made = single(np.random.default_rng(seed), pool, k)
    columns = {"id": made.ids, "truth": list(made.truth), "prediction": list(made.pred)}
    with_scores = with_scores and all(name == name.strip() for name in made.labels)  # blanks in a header are removed
    if with_scores:
        columns |= {f"p_{name}": made.scores[:, i].tolist() for i, name in enumerate(made.labels)}
    e = opened(write(tmp_path, columns), truth="truth", pred="prediction")
    assert check(e, tmp_path, only=FEW) == 5 + (e.y_score is not None) * (2 if k == 2 else 3)
