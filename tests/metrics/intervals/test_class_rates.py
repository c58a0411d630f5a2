"""Intervals of a class by its four counts, and of all classes at once, are those of its rows."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from metrics.intervals.class_rates import class_interval, share_intervals
from metrics.intervals.joint_counts import Totals, joint_counts
from metrics.intervals.rates import averaged, geometric_mean_of_recalls, matthews_correlation, of_class
from metrics.intervals.statistic import interval
from metrics.outcomes import RECALL, Ratio
from metrics.shares import wilson
from tests.metrics.intervals.made import FORMULAS, predictions

SHARES = {
    key: formula for key, formula in FORMULAS.items() if isinstance(formula, Ratio) and formula.scale in ("share", "f1")
}


def test_bounds_of_all_classes_equal_those_of_one():
    truth, pred = predictions(3, 300, 5, unread=0.1)
    truth[truth == 4] = 0
    cells = joint_counts(truth, [np.where(pred == 3, 0, pred)], n_labels=6)
    totals = cells.totals()
    every = {key: share_intervals(totals, ratio, 0.9) for key, ratio in SHARES.items()}
    for key, formula in FORMULAS.items():
        for code in range(6):
            own = cells.one_vs_rest(code)
            wanted = interval(of_class(own, formula=formula), own, level=0.9)
            for got in (class_interval(totals, formula, code, 0.9), every.get(key, {code: wanted})[code]):
                assert got[:4] == pytest.approx(wanted[:4], nan_ok=True), (key, code)
                assert (got.method, got.n, got.clusters) == (wanted.method, wanted.n, wanted.clusters), (key, code)


@pytest.mark.parametrize(("n_true", "n_other"), [(20, 30), (1, 400), (12, 12)])
def test_perfect_class_has_the_bounds_of_its_shares(n_true, n_other):
    cells = joint_counts(np.array([1, 0]), [np.array([1, 0])], n_labels=2, weights=np.array([n_true, n_other]))
    z, n = 1.959963984540054, n_true + n_other
    recall, specificity, accuracy = (rows / (rows + z * z) for rows in (n_true, n_other, n))  # Wilson's lower bounds
    missing = math.hypot(1 - recall, 1 - specificity)
    chance = n_true**2 + n_other**2
    wanted = {
        "Youden's J": 1 - missing,
        "G-mean": 1 - missing / 2,
        "MCC": max(-1, (n * n * accuracy - chance) / (n * n - chance)),
    }
    for key, low in wanted.items():
        within = class_interval(cells.totals(), FORMULAS[key], 1)
        assert within.value == 1 and (within.low, within.high) == pytest.approx((low, 1)), key


EDGES = [(20, 0, 0, 30), (0, 20, 30, 0), (0, 0, 20, 30), (0, 5, 20, 30), (20, 30, 0, 0), (20, 0, 4, 30), (9, 4, 0, 30)]
EDGES += [(1990, 0, 10, 50), (0, 0, 500, 500)]


@pytest.mark.parametrize("rows", EDGES)
@pytest.mark.parametrize("clustered", [False, True])
def test_class_number_ends_as_that_of_both(rows, clustered):
    cluster = np.arange(sum(rows)) // 3 if clustered else None
    truth, pred = (np.repeat(codes, rows) for codes in ([1, 0, 1, 0], [1, 1, 0, 0]))
    cells = joint_counts(truth, [pred], n_labels=2, cluster=cluster)
    balanced = interval(averaged(cells, rate=RECALL, average="macro_supported"), cells)
    twins = {
        "MCC": interval(matthews_correlation(cells), cells),
        "G-mean": interval(geometric_mean_of_recalls(cells), cells),
        "Youden's J": balanced._replace(**{end: 2 * getattr(balanced, end) - 1 for end in ("value", "low", "high")}),
    }
    for key, wanted in twins.items():
        got = interval(of_class(cells, formula=FORMULAS[key]), cells)
        assert got[:3] == pytest.approx(wanted[:3], abs=1e-12, nan_ok=True), key
        assert math.isnan(got.value) or got.low < got.high


@pytest.mark.parametrize("rows", EDGES)
def test_class_table_ends_as_one_class(rows):
    truth, pred = (np.repeat(codes, rows) for codes in ([1, 0, 1, 0], [1, 1, 0, 0]))
    cells = joint_counts(truth, [pred], n_labels=2)
    for key, ratio in SHARES.items():
        got, wanted = share_intervals(cells.totals(), ratio)[1], interval(of_class(cells, formula=ratio), cells)
        assert got[:4] == pytest.approx(wanted[:4], abs=1e-12, nan_ok=True), key
        assert (got.method, got.few_decide) == (wanted.method, wanted.few_decide), key


@pytest.mark.parametrize("rows", [(199, 0, 1, 50), (1990, 0, 10, 50), (1999, 0, 1, 500), (50, 1, 0, 199)])
def test_share_of_one_adds_its_distance_alone(rows):
    cells = joint_counts(np.array([1, 0, 1, 0]), [np.array([1, 1, 0, 0])], n_labels=2, weights=np.array(rows))
    tp, fp, fn, tn = rows
    recall, specificity = wilson(tp, tp + fn, 1.96), wilson(tn, tn + fp, 1.96)
    j = tp / (tp + fn) + tn / (tn + fp) - 1
    low = j - math.hypot(tp / (tp + fn) - recall.low, tn / (tn + fp) - specificity.low)
    high = j + math.hypot(recall.high - tp / (tp + fn), specificity.high - tn / (tn + fp))
    balanced = interval(averaged(cells, rate=RECALL, average="macro"), cells)
    youden = class_interval(cells.totals(), FORMULAS["Youden's J"], 1)
    for got in (youden[1:3], (2 * balanced.low - 1, 2 * balanced.high - 1)):
        assert got == pytest.approx((low, high), abs=0.02)


def test_no_row_that_differs_decides_nothing():
    cells = joint_counts(np.array([1, 0]), [np.array([0, 0])], n_labels=2, weights=np.array([500, 500]))
    balanced = averaged(cells, rate=RECALL, average="macro")
    for statistic in (balanced, of_class(cells, formula=FORMULAS["Youden's J"])):
        assert not interval(statistic, cells).few_decide


@pytest.mark.parametrize(("key", "truth"), [("Youden's J", 0.93), ("G-mean", math.sqrt(0.95 * 0.98))])
def test_interval_near_the_end_covers_the_truth(key, truth):
    # every file of 20 rows of the class and 200 others, by its probability at recall 0.95 and specificity 0.98
    tp, tn = (counts.ravel().astype(float) for counts in np.meshgrid(np.arange(21), np.arange(201)))
    probability = binom.pmf(tp, 20, 0.95) * binom.pmf(tn, 200, 0.98)
    likely = probability > 1e-7
    totals = Totals(tp[likely], np.full(likely.sum(), 20.0), (tp + 200 - tn)[likely], 220.0, 1)
    within = [class_interval(totals, FORMULAS[key], code) for code in range(len(totals.correct))]
    covers = np.array([interval.low <= truth <= interval.high for interval in within])
    assert 0.94 < probability[likely][covers].sum() < 0.99
