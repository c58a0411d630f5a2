"""Other shares of classes: numbers in use are those of scikit-learn with rows weighted to these shares."""

import numpy as np
import pyarrow as pa
import pytest
from sklearn.metrics import accuracy_score, f1_score, log_loss

from data.building.build import build
from data.errors import DataError
from data.evaluation import Evaluation, Settings
from data.labels.costs_and_shares import read_priors
from export.deciding.priors_result import priors_result
from export.measurement import measure
from tests.metrics.thresholds.deployed.test_priors import drawn
from tests.opened_runs import open_run

NAMES = ("a", "b", "c")


def opened(truth: np.ndarray, probabilities: np.ndarray, weights: np.ndarray | None = None) -> Evaluation:
    columns = {f"p{name}": probabilities[:, place].tolist() for place, name in enumerate(NAMES)}
    labels = [None if code < 0 else NAMES[code] for code in truth]
    weighed = {} if weights is None else {"w": weights.tolist()}
    scores = tuple((f"p{name}", name) for name in NAMES)
    settings = Settings(truth="y", scores=scores, label_set=NAMES, weights=None if weights is None else "w")
    return build(pa.table({"y": labels, **columns, **weighed}), settings, name="d", content_sha256="0")


def shift(probabilities, ratio):
    raised = probabilities * ratio
    return raised / raised.sum(axis=1, keepdims=True)


def test_numbers_there_are_scikit_learns():
    truth, probabilities = drawn([0.5, 0.3, 0.2], n=600)
    there, before = np.array([0.1, 0.2, 0.7]), np.full(3, 1 / 3)
    numbers = priors_result(measure(opened(truth, probabilities)), there, before).numbers["priors"]
    here = np.bincount(truth) / len(truth)
    weights = (there / here)[truth]
    for way, table in (("as_scored", probabilities), ("corrected", shift(probabilities, there / before))):
        pred = table.argmax(axis=1)
        wanted = {
            "accuracy": accuracy_score(truth, pred, sample_weight=weights),
            "macro_f1": f1_score(truth, pred, average="macro", sample_weight=weights),
            "log_loss": log_loss(truth, table, sample_weight=weights),
        }
        assert {key: value["value"] for key, value in numbers[way].items()} == pytest.approx(wanted)
        assert all(value["low"] < value["value"] < value["high"] for value in numbers[way].values())
    assert numbers["corrected"]["accuracy"]["value"] > numbers["as_scored"]["accuracy"]["value"] + 0.03


def test_shares_are_estimated_from_rows_without_truth():
    """Rows of another place have no truth: the others are weighted to the shares that these are estimated to have."""
    truth, probabilities = drawn([1 / 3] * 3, n=3_000)
    there, scores = drawn([0.7, 0.2, 0.1], n=3_000, seed=1)
    both = np.concatenate([truth, np.full(3_000, -1)]), np.concatenate([probabilities, scores])
    found = priors_result(measure(opened(*both)), None)
    numbers = found.numbers["priors"]
    assert numbers["estimated_from"] == 3_000 and numbers["is_settled"] and numbers["is_calibrated"]
    assert list(numbers["in_use"].values()) == pytest.approx(np.bincount(there) / 3_000, abs=0.03)
    shifted = shift(
        scores, np.array(list(numbers["in_use"].values())) / np.array(list(numbers["in_training"].values()))
    )
    real = (shifted.argmax(axis=1) == there).mean()
    assert numbers["corrected"]["accuracy"]["value"] == pytest.approx(real, abs=0.03)
    assert "rows without a true label: 3,000" in str(found.sentences)


def test_rows_are_the_place_where_all_have_truth():
    """A model trained on equal shares: corrected by the estimated ones, it is right more often on these rows."""
    truth, probabilities = drawn([0.8, 0.15, 0.05])
    numbers = priors_result(measure(opened(truth, probabilities)), None, np.full(3, 1 / 3)).numbers["priors"]
    as_scored, corrected = (numbers[way]["accuracy"]["value"] for way in ("as_scored", "corrected"))
    assert as_scored == pytest.approx((probabilities.argmax(axis=1) == truth).mean()) and corrected > as_scored + 0.05


@pytest.mark.parametrize("is_open", [False, True])
def test_rows_of_weight_zero_estimate_no_shares(is_open):
    """Nor do open rows that all weigh nothing stand for another place."""
    truth, probabilities = drawn([0.6, 0.3, 0.1], n=300)
    weights = np.where(np.arange(300) % 3 == 0, 0.0, 1.5)
    truth = np.where(weights == 0, -1, truth) if is_open else truth
    found = priors_result(measure(opened(truth, probabilities, weights)), None)
    kept = weights > 0
    alone = priors_result(measure(opened(truth[kept], probabilities[kept])), None).numbers["priors"]
    assert found.numbers["priors"]["estimated_from"] == alone["estimated_from"] == 200
    assert found.numbers["priors"]["in_use"] == pytest.approx(alone["in_use"])
    assert "all rows here: 200" in str(found.sentences)


@pytest.mark.parametrize("is_open", [False, True])
def test_whole_weights_equal_repeated_rows(is_open):
    """Of some rows without a true label, too, from which the shares are then estimated."""
    truth, probabilities = drawn([0.6, 0.3, 0.1], n=400)
    weights = np.random.default_rng(1).integers(1, 5, 400) * (1 + 5 * (truth == 2))
    truth = np.where(np.arange(400) % 3 == 0, -1, truth) if is_open else truth
    weighted, repeated = (
        priors_result(measure(opened(*given)), None).numbers["priors"]
        for given in ((truth, probabilities, weights), (truth.repeat(weights), probabilities.repeat(weights, axis=0)))
    )
    for key in ("in_training", "in_use"):
        assert weighted[key] == pytest.approx(repeated[key], abs=1e-6), key
    for way in ("as_scored", "corrected"):
        for name, interval in weighted[way].items():
            assert interval["value"] == pytest.approx(repeated[way][name]["value"], abs=1e-6), (way, name)


@pytest.mark.parametrize(
    ("sample", "says"),
    [("screening", "two classes have a prevalence instead"), ("movie-genres", "a row has several labels")],
)
def test_files_without_several_classes_say_why(sample, says):
    assert says in str(priors_result(measure(open_run(sample)), None).sentences)


def test_bad_calibration_and_unknown_classes_are_said():
    e = open_run("digits")
    result = priors_result(measure(e), None)
    assert any("Do not trust the correction." in str(words) for words in result.sentences)
    assert [line[0].name for line in result.tables[-1].rows] == [f"class {digit}" for digit in range(10)]
    truth, probabilities = drawn([0.5, 0.5, 0.0], n=60)
    result = priors_result(measure(opened(truth, probabilities)), np.array([0.2, 0.3, 0.5]))
    assert "Some classes have a share in use, but none in training" in str(result.sentences) and not result.numbers


@pytest.mark.parametrize("text", ['"b, c"=0.25,a=0.75', 'a=0.75, "b, c=0.25"'])
def test_shares_of_names_with_commas_are_read(text):
    assert read_priors(text, ["a", "b, c"]).tolist() == [0.75, 0.25]


@pytest.mark.parametrize(
    ("text", "names", "says"),
    [
        *(
            (text, ["a", "b, c"], "Write a name with a comma in quotation marks")
            for text in ("a=0.75,b, c=0.25", '"b, c=0.25,a=0.75', '"a"=0.75,"b, c"=0.2,"b, c"=0.05')
        ),
        ("a=0.5,b=0.5", NAMES, "every class once"),
        ("a=0.5,b=x,c=0", NAMES, "sum to 1"),
        ("a=0.5,b=0.7,c=-0.2", NAMES, "numbers from 0"),
    ],
)
def test_wrong_shares_are_refused(text, names, says):
    with pytest.raises(DataError, match=says):
        read_priors(text, names)
