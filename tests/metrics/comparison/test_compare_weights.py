"""Runs on rows with weights differ as on rows that repeat as often; tests that count rows are left out."""

import dataclasses
import math

import numpy as np
import pytest
from sklearn import metrics as sk

from metrics.comparison.comparison import Comparison
from metrics.comparison.runs import Runs
from tests.metrics.intervals.made import sets, two_models

_ROWS = ("y_true", "preds", "scores", "cluster")


def binary(n=600):
    truth, *preds = two_models(0, n, 2)
    rng = np.random.default_rng(5)
    scores = tuple(np.clip(0.3 * truth + 0.7 * rng.random(n), 0, 1).round(2)[:, None] for _ in preds)
    given = {"scores": scores, "score_codes": (1,), "scales": ("probability",) * 2, "positive": 1}
    return Runs(("A", "B"), ("no", "yes"), 2, "binary", truth, tuple(preds), **given)


def multiclass(n=300):
    truth, *preds = two_models(1, n, 3)
    rng = np.random.default_rng(5)
    scores = tuple(rng.dirichlet(np.ones(3), n) for _ in preds)
    given = {"scores": scores, "score_codes": (0, 1, 2), "scales": ("probability",) * 2, "ranks": (0, 1, 2)}
    return Runs(("A", "B"), ("a", "b", "c"), 3, "multiclass", truth, tuple(preds), **given)


def label_sets(n=300):
    truth, pred = sets(0, n, 3)
    other = pred ^ (np.random.default_rng(5).random(pred.shape) < 0.05)
    return Runs(("A", "B"), ("a", "b", "c"), 3, "multilabel", truth, (pred, other))


def take(runs, rows):
    def cut(part):
        return tuple(each[rows] for each in part) if isinstance(part, tuple) else None if part is None else part[rows]

    return dataclasses.replace(runs, **{name: cut(getattr(runs, name)) for name in _ROWS})


@pytest.mark.parametrize(("heavy", "few"), [(50, True), (2, False)])
def test_difference_is_grey_as_its_numbers_are(heavy, few):
    """By the weights of all rows: of 600 rows 2 % weigh 50 times as much, or twice."""
    units = np.where(np.arange(600) % 50 == 0, heavy, 1)
    weighted = Comparison(dataclasses.replace(binary(), units=units))
    squares = (units**2.0).sum() ** 2 / (units**4.0).sum()
    assert (squares < 50) == few
    for name in ("accuracy", "macro_f1", "cohen_kappa", "roc_auc", "log_loss"):
        assert weighted.difference(name, 0, 1).few_decide == few, name
        assert weighted.interval(name, 0).few_decide == few, name


def test_area_of_few_positives_has_a_grey_difference():
    runs = binary()
    truth = np.where(np.cumsum(runs.y_true) <= 29, runs.y_true, 0)
    for y_true, few in ((truth, True), (runs.y_true, False)):
        compared = Comparison(dataclasses.replace(runs, y_true=y_true))
        assert compared.difference("roc_auc", 0, 1).few_decide == few
        assert not compared.difference("accuracy", 0, 1).few_decide


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("make", [binary, multiclass, label_sets])
def test_weighted_runs_are_those_of_repeated_rows(make, clustered):
    """Values always; by clusters, whose weights add up, intervals and p, too."""
    runs = make()
    n = len(runs.y_true)
    times = np.random.default_rng(2).integers(0, 4, n)
    runs = dataclasses.replace(runs, cluster=np.arange(n) % 30 if clustered else None)
    kept = times > 0
    weighted = Comparison(dataclasses.replace(take(runs, kept), units=4 * times[kept]))
    again = Comparison(take(runs, np.repeat(np.arange(n), times)))
    assert len(weighted.names) > 15
    for name in weighted.names:
        for model in (0, 1):
            expected = again.interval(name, model).value
            assert weighted.interval(name, model).value == pytest.approx(expected, nan_ok=True), name
        one, other = (found.difference(name, 0, 1) for found in (weighted, again))
        assert one.value == pytest.approx(other.value, nan_ok=True, abs=1e-12), name
        if clustered and not math.isnan(other.low) and "DeLong" not in other.method:
            assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-9), name
            is_told = not one.few_decide and not other.few_decide
            assert not is_told or one.p == pytest.approx(other.p, abs=1e-9), name
    assert weighted.agreement(0, 1).value == pytest.approx(again.agreement(0, 1).value)
    assert weighted.right_by_one().value == pytest.approx(again.right_by_one().value)
    assert weighted.runs.n == kept.sum() == weighted.flips(0, 1).n


def test_difference_has_its_error_by_hand():
    runs = binary()
    weight = np.random.default_rng(3).gamma(1.0, 1.0, len(runs.y_true))
    units = np.rint(weight * 2**40).astype(np.int64)
    found = Comparison(dataclasses.replace(runs, units=units))
    of_each = [{"y_true": runs.y_true, "y_pred": pred, "sample_weight": units} for pred in runs.preds]
    scores = [score[:, 0] for score in runs.scores]
    expected = {
        "accuracy": [sk.accuracy_score(**given) for given in of_each],
        "macro_f1": [sk.f1_score(**given, average="macro") for given in of_each],
        "mcc": [sk.matthews_corrcoef(**given) for given in of_each],
        "roc_auc": [sk.roc_auc_score(runs.y_true, score, sample_weight=units) for score in scores],
        "log_loss": [sk.log_loss(runs.y_true, score, sample_weight=units) for score in scores],
    }
    for name, (a, b) in expected.items():
        assert found.difference(name, 0, 1).value == pytest.approx(b - a), name
    moved = found.difference("accuracy", 0, 1)
    step = runs.right(1).astype(float) - runs.right(0)
    share, away = weight / weight.sum(), step - (weight * step).sum() / weight.sum()
    few = 1 / (share**2).sum()
    variance = max((share**2 * away**2).sum(), (share * away**2).sum() / few) * few / (few - 1)
    assert moved.se == pytest.approx(math.sqrt(variance), rel=1e-6)
    assert moved.p == pytest.approx(math.erfc(abs(moved.value) / moved.se / math.sqrt(2)))
    assert moved.low < moved.value < moved.high


def test_tests_of_counted_rows_are_left_out():
    plain, weighted = (Comparison(dataclasses.replace(binary(), units=units)) for units in (None, np.full(600, 3)))
    assert weighted.flips(0, 1) == plain.flips(0, 1) and weighted.class_flips(0, 1) == plain.class_flips(0, 1)
    for test in ("mcnemar", "delong"):
        assert getattr(plain, test)(0, 1) is not None and getattr(weighted, test)(0, 1) is None
    assert plain.cochran_q is not None and weighted.cochran_q is None
    moved, same = (found.difference("accuracy", 0, 1) for found in (weighted, plain))
    assert "McNemar" in same.method and "McNemar" not in moved.method
    assert (moved.low, moved.high) == pytest.approx((same.low, same.high), abs=0.005)
