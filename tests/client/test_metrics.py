"""The client's metrics are the app's, on the same arrays."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pandas import NA, DataFrame

from blindspot_eval import compute_metrics, save_predictions
from data.runs import load
from export.measurement import measure
from export.numbers import scored_numbers

pytestmark = pytest.mark.usefixtures("module_reads_here")


def drawn(kind: str) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return scores, truth and labels: some scores tie, one label is never true, one score is missing."""
    random, n = np.random.default_rng(7), 240
    k = {"binary": 2, "one column": 2, "multiclass": 5, "probabilities": 4, "multilabel": 4, "sigmoid": 4}[kind]
    scores = random.normal(size=(n, k)).round(1)
    if kind in ("multilabel", "sigmoid"):
        truth = (random.random((n, k)) < (0.4, 0.2, 0.5, 0.0)).astype(np.int64)
        scores += truth - 0.5
    else:
        truth = random.integers(0, k if k == 2 else k - 1, n)
        scores[np.arange(n), truth] += 1.5
    if kind == "one column":
        scores = scores[:, 1] - scores[:, 0]
    if kind == "probabilities":
        scores = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    if kind == "sigmoid":
        scores = 1 / (1 + np.exp(-scores))
    if kind == "multiclass":
        scores[3, 1] = np.nan
    return scores, truth, [f"class_{code}" for code in range(k)]


@pytest.mark.parametrize("kind", ["binary", "one column", "multiclass", "probabilities", "multilabel", "sigmoid"])
def test_metrics_equal_the_apps(tmp_path, kind):
    scores, truth, labels = drawn(kind)
    numbers = compute_metrics(labels)((scores, truth))
    path = save_predictions(None, scores, truth, tmp_path / "p.parquet", labels=labels)
    app = scored_numbers(measure(load.read_evaluation([path], load.Given())))
    per_class = {"f1_" + label: row["f1"] for label, row in app["per_class"].items()}
    per_class |= {"roc_auc_" + label: value for label, value in app.get("roc_auc_per_class", {}).items()}
    per_class |= {"accuracy_" + label: row["accuracy"] for label, row in app["per_class"].items() if "accuracy" in row}
    assert numbers["n_scored"] == app["n_scored"] == 240 - (kind == "multiclass")
    wanted = {name: (app | per_class)[name] for name in numbers}
    assert len(numbers) > 10 and numbers == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def test_batches_give_what_the_whole_gives():
    scores, truth, labels = drawn("multilabel")
    whole, metrics = compute_metrics(labels)((scores, truth)), compute_metrics(labels)
    for start in range(0, 240, 50):
        last = start == 200
        found = metrics((scores[start : start + 50], truth[start : start + 50]), compute_result=last)
    assert found == pytest.approx(whole, nan_ok=True)


@pytest.mark.parametrize("kind", ["multiclass", "multilabel"])
def test_batches_in_one_call_are_flattened(kind):
    scores, truth, labels = drawn(kind)
    whole = compute_metrics(labels)((scores, truth))
    cuts = [100, 190]
    batches = np.split(scores, cuts), np.split(truth, cuts)
    equal = scores.reshape(8, 30, -1), truth.reshape(8, 30, *truth.shape[1:])
    as_lists = [part.tolist() for part in batches[0]], truth.tolist()
    for pair in (batches, equal, tuple(map(list, equal)), as_lists):
        assert compute_metrics(labels)(pair) == pytest.approx(whole, nan_ok=True)


def test_tables_come_through_arrow(tmp_path):
    scores, truth, labels = drawn("probabilities")
    frame = DataFrame(scores, columns=labels)
    pandas_frame = frame.convert_dtypes()[frame.index >= 0].set_index(frame.index + 7)  # its index is no column
    names = pa.chunked_array([pa.array([labels[code] for code in truth]).dictionary_encode()])
    wanted = pq.read_table(save_predictions(None, frame, truth, tmp_path / "a.parquet"))
    for table, y in [(pandas_frame, truth), (pa.table(frame), names), (pa.table(frame), pa.table({"y": names}))]:
        found = pq.read_table(save_predictions(None, table, y, tmp_path / "b.parquet"))
        assert found.equals(wanted)


@pytest.mark.parametrize(
    ("scores", "truth", "said"),
    [
        ([np.zeros((2, 3)), np.zeros((2, 2))], [0, 1, 2, 0], r"The batches differ in their columns: \(2, 3\)"),
        ([[0.0, 1, 2], [0.0, 1, 2]], [[0, 1], [1]], "write label sets as 0 and 1, a column a label"),
        (np.eye(3), [np.array([0, 1]), np.array([1]), np.array([], int)], "The true labels differ in length"),
        ([DataFrame(np.eye(3), columns=list(names)) for names in ("abc", "bca")], [0] * 6, "or in their order"),
        (DataFrame(np.eye(3), columns=list("bca")), [0, 1, 2], "their order is b, c, a"),
        (np.eye(3), DataFrame(np.eye(3, dtype=int), columns=list("cab")), "columns of the truth in another order"),
    ],
)
def test_batches_that_do_not_fit_are_refused(scores, truth, said):
    with pytest.raises(ValueError, match=said):
        compute_metrics(["a", "b", "c"])((scores, truth))


def test_threshold_is_said_and_taken(capsys):
    scores, truth, labels = drawn("sigmoid")
    metrics = compute_metrics(labels)
    metrics((scores, truth))
    assert metrics.said == "A label is predicted where its probability is at least 0.5." in capsys.readouterr().err
    at = compute_metrics(labels, threshold=0.3)((scores, truth))
    assert at["subset_accuracy"] == ((scores >= 0.3) == truth.astype(bool)).all(axis=1).mean()
    logits = compute_metrics(labels)
    logits((scores * 8 - 4, truth))
    logits((scores, truth))  # all between 0 and 1 this once
    assert logits.said == "A label is predicted where its logit is at least 0."


def test_two_scores_that_are_no_shares_are_compared():
    scores, truth = [[0.2, 0.4], [0.9, 0.6], [0.1, 0.3]], [1, 0, 0]
    metrics = compute_metrics(["a", "b"])
    numbers = metrics((scores, truth))
    assert metrics.said == "The class with the largest score is predicted."
    assert (numbers["accuracy"], numbers["roc_auc"]) == (pytest.approx(2 / 3), 0.5)  # ranked by the score of b


def test_text_on_multilabel_accuracy_is_reproduced():
    truth, guess = [[0, 1, 0], [1, 1, 0]], [[0.0, 1.0, 1.0], [1.0, 0.0, 0.0]]
    found = compute_metrics("abc", task="multilabel")((guess, truth))
    assert found["subset_accuracy"] == 0 and found["per_label_accuracy"] == pytest.approx(2 / 3)
    assert [found["accuracy_" + label] for label in "abc"] == [1.0, 0.5, 0.5]


@pytest.mark.parametrize(
    ("labels", "options", "given", "said"),
    [
        (["a"], {}, None, "two names or more"),
        (["a", "a"], {}, None, "all different"),
        (["a", "b"], {"task": "regression"}, None, "The task is one of binary, multiclass, multilabel"),
        (["a", "b", "c"], {"threshold": 0.5}, ([[1.0, 2.0, 3.0]], [0]), "leave the threshold out"),
        (["a", "b", "c"], {}, ([[1.0, 2.0]], [0]), "3 labels need 3 columns of scores, not 2"),
        (["a", "b"], {}, ([[1.0, 2.0]], [2]), "whole numbers from 0 to 1"),
        (["a", "b"], {}, ([[1.0, 2.0]], ["b"]), "whole numbers from 0 to 1"),
        (["a", "b"], {}, ([[1.0, 2.0]], [0.5]), "whole numbers from 0 to 1"),
        (["a", "b"], {}, ([[1.0, 2.0]], [[0, 3]]), "0 or 1 in 2 columns"),
        (["a", "b"], {}, ([[1.0, 2.0]], [0, 1]), "1 rows of scores and 2 of labels"),
        (["a", "b"], {}, (["x"], [0]), "Scores must be numbers"),
    ],
)
def test_wrong_arrays_get_one_sentence(labels, options, given, said):
    with pytest.raises(ValueError, match=said):
        compute_metrics(labels, **options)(given)


@pytest.mark.parametrize("missing", [-100, np.nan, None, NA])
def test_rows_without_truth_are_left_out(missing):
    found = compute_metrics(["a", "b", "c"])(([[2.0, 1, 0], [0, 1, 2.0]], [0, missing]))
    assert (found["n_rows"], found["n_scored"], found["accuracy"]) == (2, 1, 1.0)
