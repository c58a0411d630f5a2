"""Predictions files of the client open in the app without a question, with the estimator's own labels."""

import json

import numpy as np
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest
from pandas import DataFrame, Series
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from blindspot_eval import save_predictions
from data.runs import load

pytestmark = pytest.mark.usefixtures("module_reads_here")


def opened(path):
    return load.read_evaluation([path], load.Given())


def codes_of(evaluation) -> np.ndarray:
    return np.array([evaluation.labels[code] for code in evaluation.y_pred])


PAIRS_OF_CLASSES = make_pipeline(StandardScaler(), SVC(decision_function_shape="ovo"))


@pytest.mark.parametrize(
    ("values", "ending"),
    [
        ((3, 5), "parquet"), ((0.0, 1.0), "parquet"), (("10", "9", "a;b"), "parquet"),
        ((-1, 1), "csv"), ((False, True), "csv"), ((1, 2, 3), "csv"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "estimator", [LogisticRegression(), OneVsRestClassifier(LinearSVC()), PAIRS_OF_CLASSES, KNeighborsClassifier()]
)
def test_estimators_keep_their_accuracy_and_scores(tmp_path, values, ending, estimator):
    X, codes = make_classification(60, n_informative=5, n_classes=len(values), random_state=0, flip_y=0.2)
    y = np.array(values)[codes]
    estimator.fit(X[:40], y[:40])
    names = [f"name {place}" for place in range(len(values))] if ending == "csv" else None
    path = save_predictions(estimator, X, y, tmp_path / f"p.{ending}", labels=names, ids=[f"r{n}" for n in range(60)])
    found, wanted = opened(path), estimator.predict(X)
    known = dict(zip(estimator.classes_.tolist(), names or map(str, estimator.classes_), strict=True))
    assert found.labels == tuple(known.values()) and found.n_scored == 60 and found.settings.id == "id"
    assert (found.y_true == found.y_pred).mean() == accuracy_score(y, wanted) < 1
    assert codes_of(found).tolist() == [known[one] for one in wanted.tolist()]
    pairs = estimator is PAIRS_OF_CLASSES and len(values) == 3
    assert (found.y_score is None) == pairs
    if not pairs and ending == "parquet":
        scores = getattr(estimator, "predict_proba" if hasattr(estimator, "predict_proba") else "decision_function")(X)
        code = found.score_codes[-1]
        column = scores if scores.ndim == 1 else scores[:, code]
        np.testing.assert_allclose(found.y_score[:, -1], column if code else -column)


MODEL = LogisticRegression().fit([[0.0], [1.0], [2.0]], ["a", "b", "c"])
CODES = LogisticRegression().fit([[0.0], [1.0], [2.0]], [0, 1, 2])
X3, PREDICTED = np.array([[0.0], [1.0], [2.0], [0.0]]), ["a", "b", "c", "a"]


@pytest.mark.parametrize(
    ("model", "given", "truth", "labels", "n_right"),
    [
        (None, [[4.0, 0, 0, 0, 0], [0, 0, 0, 0, 4.0]], [0, 4], list("12345"), 2),
        (None, [0, 1, 1, 0], [0.0, 1.0, float("nan"), -100.0], ["a", "b"], 2),
        (None, [3, 2, 2, 1], [1, 2, 3, 3], ["3", "2", "1"], 1),
        (None, [True, False], [True, True], ["n", "y"], 1),
        (None, DataFrame({"b": [0.9, 0.2], "a": [0.1, 0.8]}), ["b", "a"], None, 2),
        (MODEL, X3, DataFrame({"y": ["a", "b", "a", "d"]}), None, 2),
        (MODEL, X3, ["a", "b", None, "a"], ["z", "c", "b", "a"], 3),
        (CODES, X3, ["a", "b", "a", "a"], ["a", "b", "c"], 3),
        (CODES, X3, ["0", "1", "0", "0"], ["a", "b", "c"], 3),
        (CODES, X3, Series([0, 1, None, 0], dtype="Int64"), ["2", "1", "0x"], 3),
    ],
)
def test_truth_and_predictions_are_named_alike(tmp_path, model, given, truth, labels, n_right):
    table = pq.read_table(save_predictions(model, given, truth, tmp_path / "p.parquet", labels=labels))
    right = [row["truth"] == row["prediction"] for row in table.to_pylist() if row["truth"] is not None]
    assert sum(right) == n_right


@pytest.mark.parametrize(
    ("model", "given", "truth", "labels", "said"),
    [
        (MODEL, X3, PREDICTED, ["c", "b", "a"], "classes of the estimator in another order; their order is a, b, c"),
        (MODEL, X3, PREDICTED, ["x", "y"], "2 labels for 3 classes"),
        (CODES, X3, PREDICTED, None, "A label is a, but the classes of the estimator are 0, 1, 2"),
        (CODES, X3, [0, 1, 2, 3], list("abc"), "A label is 3"),
        (MODEL, X3, np.eye(3, dtype=int)[[0, 1, 2, 0]], None, "is single-label, but the truth has 3 columns"),
        (LinearRegression().fit(X3, [0, 1, 2, 0]), X3, [0, 1, 2, 0], None, "predicts numbers, not labels"),
        (None, [1, 2], [2, 1], list("123"), "can be names or places"),
        (None, [1, 0], [-1, 1], ["neg", "pos"], "The label -1 is neither a name nor a place"),
        (None, [1, 0], ["b", "a"], None, "names and the predictions whole numbers"),
        (None, [[0.1, 0.9]], ["x"], ["a", "b"], "No label is in the label list"),
        (None, [[1, 0]], [[1, 2]], None, "0 or 1 in 2 columns"),
        (None, [[1, 0]], DataFrame({"b": [1], "a": [0]}), ["a", "b"], "columns of the truth in another order"),
    ],
)
def test_labels_that_do_not_fit_are_refused(tmp_path, model, given, truth, labels, said):
    with pytest.raises(ValueError, match=said):
        save_predictions(model, given, truth, tmp_path / "p.parquet", labels=labels)


@pytest.mark.parametrize(
    "estimator",
    [
        KNeighborsClassifier(), OneVsRestClassifier(LinearSVC()), DecisionTreeClassifier(random_state=0),
    ],
)  # fmt: skip
def test_several_labels_a_row_open(tmp_path, estimator):
    X, y = make_multilabel_classification(90, n_classes=4, random_state=0)
    estimator.fit(X[:60], y[:60].astype(float))
    wanted = estimator.predict(X).astype(bool)
    found = opened(save_predictions(estimator, X, y.astype(bool), tmp_path / "p.parquet", labels=list("abcd")))
    assert found.task == "multilabel" and found.labels == tuple("abcd")
    assert (found.y_score is None) == isinstance(estimator, DecisionTreeClassifier)  # its probabilities are 0 and 1
    np.testing.assert_array_equal(found.y_pred, wanted)
    np.testing.assert_array_equal(found.y_true, y.astype(bool))
    assert not (wanted == y).all()


def test_lists_of_labels_are_taken(tmp_path):
    path = save_predictions(None, ["a", "b", "b"], ["a", "b", "a"], tmp_path / "p.csv", columns={"text": list("xyz")})
    assert pa_csv.read_csv(path).to_pylist()[2] == {"id": 3, "truth": "a", "prediction": "b", "text": "z"}
    sets = save_predictions(None, [[1, 0], [1, 1]], [[1, 0], [0, 1]], tmp_path / "s.parquet", labels=["x", "y"])
    assert [json.loads(cell) for cell in pq.read_table(sets)["prediction"].to_pylist()] == [["x"], ["x", "y"]]


def test_label_list_is_kept_in_the_file(tmp_path):
    found = opened(save_predictions(None, ["a", "b"], ["a", "a"], tmp_path / "p.parquet", labels=["a", "b", "c"]))
    assert found.labels == ("a", "b", "c") and found.n_space == 3


def test_tensors_and_modules_are_taken(tmp_path):
    torch = pytest.importorskip("torch", reason="torch is not installed (requirements-models.txt)")
    scores, truth = torch.tensor([[2.0, 0.0], [0.5, 1.0]], dtype=torch.bfloat16), torch.tensor([0, 0])
    found = opened(save_predictions(None, scores, truth, tmp_path / "p.parquet", labels=["ham", "spam"]))
    assert found.y_score[:, 0].tolist() == [-2.0, 0.5] and codes_of(found).tolist() == ["ham", "spam"]
    module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Dropout(0.9)).train()
    X = torch.rand(20, 3)
    path = save_predictions(module, X, torch.arange(20) % 4, tmp_path / "m.parquet", labels=list("abcd"))
    assert module.training
    logits = np.array([pq.read_table(path)[f"logit_{label}"].to_pylist() for label in "abcd"]).T
    np.testing.assert_allclose(logits, module[0](X).detach().numpy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("path", "options", "said"),
    [
        ("p.txt", {}, "written as .parquet or .csv"),
        ("no/p.csv", {}, "there is no folder"),
        ("p.csv", {"ids": [1]}, "a value for every row"),
        ("p.csv", {"columns": {"truth": ["x", "y"]}}, "rename truth"),
        ("p.csv", {"labels": ["a"]}, "two names or more"),
    ],
)
def test_wrong_arguments_get_one_sentence(tmp_path, path, options, said):
    with pytest.raises(ValueError, match=said):
        save_predictions(None, ["a", "b"], ["a", "a"], tmp_path / path, **options)
    assert not list(tmp_path.iterdir())
