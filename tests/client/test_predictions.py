"""Predictions files of the client open in the app without a question, with the estimator's own labels."""

import json

import numpy as np
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, LinearSVC

from blindspot import save_predictions
from data.runs import load

pytestmark = pytest.mark.usefixtures("module_reads_here")


def opened(path):
    return load.read_evaluation([path], load.Given())


def codes_of(evaluation) -> np.ndarray:
    return np.array([evaluation.labels[code] for code in evaluation.y_pred])


@pytest.mark.parametrize("names", [(3, 5), ("no", "yes"), ("ham", "spam", "scam")])
@pytest.mark.parametrize("estimator", [LogisticRegression(), LinearSVC(), SVC(), KNeighborsClassifier()])
def test_scikit_learn_estimators_open(tmp_path, names, estimator):
    X, codes = make_classification(80, n_informative=5, n_classes=len(names), random_state=0)
    y = np.array(names)[codes]
    estimator.fit(X, y)
    path = save_predictions(estimator, X, y, tmp_path / "p.parquet", ids=[f"r{n}" for n in range(80)])
    found = opened(path)
    assert set(found.labels) == {str(name) for name in names} and found.n_scored == 80
    assert (codes_of(found) == estimator.predict(X).astype(str)).all() and found.y_score is not None
    assert found.settings.id == "id"
    if hasattr(estimator, "predict_proba"):
        wanted = estimator.predict_proba(X)[:, list(estimator.classes_).index(type(y[0])(names[-1]))]
        code = found.labels.index(str(names[-1]))
        if code in found.score_codes:
            np.testing.assert_allclose(found.y_score[:, found.score_codes.index(code)], wanted)


def test_names_are_given_to_classes(tmp_path):
    X, y = make_classification(60, n_informative=4, n_classes=3, random_state=1)
    model = LogisticRegression().fit(X, y)
    found = opened(save_predictions(model, X, y, tmp_path / "p.parquet", labels=["red", "green", "blue"]))
    named = np.array(["red", "green", "blue"])
    assert (codes_of(found) == named[model.predict(X)]).all() and found.scale == "probability"
    assert (np.array(found.labels)[found.y_true] == named[y]).all()


@pytest.mark.parametrize(
    "estimator", [KNeighborsClassifier(), OneVsRestClassifier(LogisticRegression()), OneVsRestClassifier(LinearSVC())]
)
def test_several_labels_a_row_open(tmp_path, estimator):
    X, y = make_multilabel_classification(60, n_classes=4, random_state=0)
    estimator.fit(X, y)
    found = opened(save_predictions(estimator, X, y, tmp_path / "p.parquet", labels=list("abcd")))
    assert found.task == "multilabel" and found.labels == tuple("abcd") and found.y_score is not None
    np.testing.assert_array_equal(found.y_pred, estimator.predict(X).astype(bool))
    np.testing.assert_array_equal(found.y_true, y.astype(bool))


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
