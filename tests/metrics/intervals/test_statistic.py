"""Intervals agree with the bootstrap, allow for clusters, stay in range and are never of width 0."""

import math

import numpy as np
import pytest

from metrics.catalogue.registry import REGISTRY, over_joint_counts, with_influence
from metrics.intervals.class_rates import class_interval
from metrics.intervals.joint_counts import Cells, Weighing, joint_counts, label_joint_counts
from metrics.intervals.rates import of_class
from metrics.intervals.score_statistics import (
    auc_statistic,
    average_precision_statistic,
)
from metrics.intervals.statistic import interval, on_scale, standard_error
from metrics.outcomes import F1, PRECISION, RECALL
from metrics.scores.probabilities import Probabilities
from metrics.shares import critical_value, wilson
from tests.metrics.intervals.made import predictions, sets


def bootstrap_errors(cells, compute, draws: int, seed: int = 0):
    random = np.random.default_rng(seed)
    values = []
    for rows in random.multinomial(cells.n, cells.rows / cells.n, size=draws):
        again = joint_counts(cells.true, cells.preds, n_labels=cells.n_labels, weights=rows)
        values.append({name: one(again).value for name, one in compute.items()})
    return {name: np.std([value[name] for value in values]) for name in compute}


def test_standard_errors_are_those_of_the_bootstrap():
    truth, pred = predictions(2, 800, 4, unread=0.05)
    cells = joint_counts(truth, [pred], n_labels=4)
    wanted = bootstrap_errors(cells, {key: metric.statistic for key, metric in over_joint_counts(cells).items()}, 500)
    for name, metric in over_joint_counts(cells).items():
        assert standard_error(metric.statistic(cells), cells) == pytest.approx(wanted[name], rel=0.12), name


def test_label_set_errors_are_those_of_the_bootstrap():
    truth, pred = sets(2, 300, 4)
    cells, random = label_joint_counts(truth, [pred]), np.random.default_rng(0)
    values: dict[str, list[float]] = {name: [] for name in over_joint_counts(cells)}
    for _ in range(300):
        chosen = random.integers(0, 300, 300)
        again = label_joint_counts(truth[chosen], [pred[chosen]])
        for name, metric in over_joint_counts(again).items():
            values[name].append(metric.statistic(again).value)
    for name, metric in over_joint_counts(cells).items():
        assert standard_error(metric.statistic(cells), cells) == pytest.approx(np.std(values[name]), rel=0.16), name


def test_rows_as_their_own_clusters_change_no_error():
    truth, pred = predictions(5, 200, 3)
    plain = joint_counts(truth, [pred], n_labels=3)
    apart = joint_counts(truth, [pred], n_labels=3, cluster=np.arange(200))
    for metric in over_joint_counts(plain).values():
        error = standard_error(metric.statistic(plain), plain)
        assert standard_error(metric.statistic(apart), apart) == pytest.approx(error)


def test_rows_written_twice_tell_nothing_new():
    truth, pred = predictions(5, 200, 3)
    once = joint_counts(truth, [pred], n_labels=3, cluster=np.arange(200))
    twice = joint_counts(np.tile(truth, 2), [np.tile(pred, 2)], n_labels=3, cluster=np.tile(np.arange(200), 2))
    for name, metric in over_joint_counts(once).items():
        one, two = interval(metric.statistic(once), once), interval(metric.statistic(twice), twice)
        assert (two.low, two.high) == pytest.approx((one.low, one.high)), name
    assert two.clusters == 200
    naive = joint_counts(np.tile(truth, 2), [np.tile(pred, 2)], n_labels=3)
    assert standard_error(metric.statistic(naive), naive) == pytest.approx(one.se / math.sqrt(2), rel=0.01)


def test_a_clustered_share_is_a_mean_of_clusters():
    """With clusters of one size the error is that of the mean of the clusters' shares, as Miller 2024 has it."""
    random = np.random.default_rng(0)
    share = random.beta(3, 1, 80)
    right = random.random((80, 5)) < share[:, None]
    truth, pred = np.zeros(400, int), np.where(right.ravel(), 0, 1)
    cells = joint_counts(truth, [pred], n_labels=2, cluster=np.repeat(np.arange(80), 5))
    found = interval(over_joint_counts(cells)["accuracy"].statistic(cells), cells)
    assert found.se == pytest.approx(right.mean(axis=1).std(ddof=1) / math.sqrt(80))
    assert found.method == "Wilson with the design effect of the clusters"


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("right", [0.0, 0.5, 1.0])
def test_intervals_of_few_rows_hold_their_value(right, clustered):
    random = np.random.default_rng(0)
    for _ in range(100):
        n, k = random.integers(2, 9), random.integers(2, 5)
        truth = random.integers(0, k, n)
        pred = np.where(random.random(n) < right, truth, (truth + random.integers(1, k, n)) % k)
        groups = random.integers(0, 3, n) if clustered else None
        cells = joint_counts(truth, [pred], n_labels=int(k), cluster=groups, ranks=tuple(range(k)))
        for name, metric in over_joint_counts(cells).items():
            found = interval(metric.statistic(cells), cells)
            if not math.isnan(found.low):
                assert found.low - 1e-12 <= found.value <= found.high + 1e-12, (name, truth, pred)


def test_a_wrong_correlation_has_the_bounds_of_accuracy():
    """Of 2 true rows of one class and 1 of another, all wrong: (9 accuracy - 4) / 4, as both spreads are 4."""
    cells = joint_counts(np.array([0, 0, 1]), [np.array([1, 1, 0])], n_labels=2)
    found = interval(over_joint_counts(cells)["mcc"].statistic(cells), cells)
    assert (found.value, found.low) == (-1, -1)
    assert found.high == pytest.approx((9 * wilson(0, 3, critical_value(0.95)).high - 4) / 4)


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("kind", ["right", "wrong", "constant"])
def test_intervals_at_an_edge_have_a_width(kind, clustered):
    truth = np.arange(30) % 3
    pred = {"right": truth, "wrong": (truth + 1) % 3, "constant": np.zeros(30, int)}[kind]
    cells = joint_counts(truth, [pred], n_labels=3, cluster=np.arange(30) // 2 if clustered else None)
    for name, metric in over_joint_counts(cells).items():
        found = interval(metric.statistic(cells), cells)
        if not math.isnan(found.value):
            assert found.low < found.high, name
            assert found.low - 1e-9 <= found.value <= found.high + 1e-9, name
            assert found.low >= -1 and found.high <= 1


def test_f1_of_one_class_stays_in_range():
    truth, pred = predictions(1, 60, 3)
    own = joint_counts(truth, [pred], n_labels=3).one_vs_rest(0)
    for formula in (PRECISION, RECALL, F1):
        found = interval(of_class(own, formula=formula), own)
        assert 0 <= found.low < found.value < found.high <= 1
    f1 = of_class(own, formula=F1)
    low, high = wilson(f1.part, f1.whole, critical_value(0.95))
    assert (found.low, found.high) == pytest.approx((2 * low / (1 + low), 2 * high / (1 + high)))


def test_no_rows_have_no_interval():
    cells = joint_counts(np.array([], int), [np.array([], int)], n_labels=2)
    for metric in over_joint_counts(cells).values():
        assert math.isnan(interval(metric.statistic(cells), cells).low)


def test_one_cluster_has_no_interval():
    truth, pred = predictions(1, 60, 3)
    cells = joint_counts(truth, [pred], n_labels=3, cluster=np.zeros(60, int))
    found = interval(over_joint_counts(cells)["macro_f1"].statistic(cells), cells)
    assert math.isnan(found.low) and not math.isnan(found.value)


def test_scales_keep_bounds_in_range():
    for scale, value in (("unit", 0.999), ("unit", 0.001), ("signed", -0.99), ("positive", 0.01)):
        low, high = on_scale(value, 0.5, scale)
        assert low < value < high
        assert low >= (-1 if scale == "signed" else 0) and (high <= 1 or scale == "positive")
    assert on_scale(-3.0, 0.5, "open") == (-3.5, -2.5)
    low, high = on_scale(0.99, 0.05, "to one")
    assert low < 0 < 0.99 < high < 1


def test_reach_too_far_for_numbers_is_infinite():
    """Few rows with almost all of the weight make a skill of -1,635 with a standard error of 3.7 million."""
    assert on_scale(-1635.2, 7.3e6, "to one") == (-math.inf, 1.0)
    assert on_scale(0.5, 400.0, "positive") == (0.0, math.inf)


def test_baseline_is_the_share_of_the_largest_class():
    truth, pred = predictions(1, 60, 3)
    cells = joint_counts(truth, [pred], n_labels=3)
    assert over_joint_counts(cells)["baseline_accuracy"].statistic(cells).value == np.bincount(truth).max() / 60


def test_few_rows_are_too_few_to_tell():
    truth, pred = predictions(1, 8, 2)
    cells = joint_counts(truth, [pred], n_labels=2)
    assert interval(over_joint_counts(cells)["accuracy"].statistic(cells), cells).too_few


def test_few_wrong_rows_decide_a_kappa():
    """Of the shares themselves Wilson's interval knows: 4 wrong rows of 400 decide kappa, not the accuracy."""
    truth = np.tile([0, 1], 200)
    for wrong, few in ((4, True), (40, False)):
        cells = joint_counts(truth, [np.where(np.arange(400) < wrong, 1 - truth, truth)], n_labels=2)
        numbers = {key: interval(row.statistic(cells), cells) for key, row in over_joint_counts(cells).items()}
        assert numbers["cohen_kappa"].few_decide == few and not numbers["accuracy"].too_few


@pytest.mark.parametrize(("heaviest", "few"), [(2, False), (3, True)])
def test_equal_weights_grey_no_more_than_none(heaviest, few):
    """Of 45 rows of weight 2 one may weigh more."""
    truth = np.tile([0, 1, 1], 15)
    weights = np.where(np.arange(45) == 0, heaviest, 2)
    cells = joint_counts(truth, [truth], n_labels=2, weights=weights, weighing=Weighing.of_units(weights, np.ones(45)))
    assert interval(over_joint_counts(cells)["accuracy"].statistic(cells), cells).few_decide == few


@pytest.mark.parametrize(("n_true", "few"), [(29, True), (30, False)])
def test_few_rows_of_a_side_decide(n_true, few):
    truth = np.where(np.arange(400) < n_true, 1, 0)
    cells = joint_counts(truth, [np.where(np.arange(400) % 7 == 0, 1 - truth, truth)], n_labels=2)
    formula = REGISTRY["binary", "class_mcc"].of_outcomes
    assert interval(of_class(cells, formula=formula), cells).few_decide == few
    assert class_interval(cells.totals(), formula, 1).few_decide == few
    assert not interval(of_class(cells, formula=RECALL), cells).few_decide


@pytest.mark.parametrize(("n_true", "wrong", "few"), [(20, 60, True), (200, 4, True), (20, 0, True), (200, 60, False)])
@pytest.mark.parametrize(
    ("key", "of_class_key"),
    [("mcc", "class_mcc"), ("g_mean_of_recalls", "g_mean"), ("balanced_accuracy", "youden_j")],
)
def test_two_classes_are_judged_as_one(key, of_class_key, n_true, wrong, few):
    """Over all rows and of either class they are the same number, or twice it less 1."""
    truth = (np.arange(400) < n_true).astype(int)
    cells = joint_counts(truth, [np.where(np.arange(400) % 100 < wrong / 4, 1 - truth, truth)], n_labels=2)
    formula = REGISTRY["binary", of_class_key].of_outcomes
    either = [class_interval(cells.totals(), formula, code).few_decide for code in (0, 1)]
    numbers = [over_joint_counts(cells)[key].statistic(cells), of_class(cells, formula=formula)]
    judged = [interval(number, cells).few_decide for number in numbers]
    assert [*judged, *either] == [few] * 4


@pytest.mark.parametrize(("n_true", "few"), [(99, True), (100, False)])
def test_average_precision_needs_a_hundred_positives(n_true, few):
    is_true, score = np.arange(500) < n_true, np.random.default_rng(3).random(500)
    rows = Cells(np.ones(500, dtype=np.int64), None, 0, 0)
    assert interval(average_precision_statistic(is_true, score), rows).few_decide == few
    assert not interval(auc_statistic(is_true, score), rows).few_decide


@pytest.mark.parametrize("unit", [1e-120, 1e120])
def test_deciding_rows_have_no_unit(unit):
    """Influences of costs may be very large or small: their fourth powers are no floats."""
    cells = Cells(np.array([3, 5, 1]), None, 0, 0)
    influence = np.array([0.5, -2.0, 1.0])
    assert cells.deciding_rows(influence * unit) == pytest.approx(cells.deciding_rows(influence))
    assert cells.deciding_rows(np.zeros(3)) == 0


def test_weighted_mean_of_ones_lies_at_the_edge():
    """Its sum is a little below 1 by rounding: the logit had bounds of 0 and 1 there."""
    truth = np.repeat([0, 1, 2], [205, 198, 20])
    cells = joint_counts(truth, [truth], n_labels=3)
    rows = over_joint_counts(cells)
    for key in ("weighted_f1", "weighted_precision", "macro_f1", "balanced_accuracy"):
        statistic = rows[key].statistic(cells)
        assert statistic.value == pytest.approx(1)
        assert not interval(statistic, cells).too_few, key


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("loss", with_influence("probabilities").values(), ids=lambda loss: loss.key)
@pytest.mark.parametrize(("n_true", "few"), [(29, True), (30, False)])
def test_losses_of_two_classes_need_thirty_of_each(loss, columns, n_true, few):
    is_true, score = np.arange(400) < n_true, np.random.default_rng(3).uniform(0.1, 0.9, 400)
    of_classes = score if columns == 1 else np.column_stack([1 - score, score])
    column = is_true if columns == 1 else is_true.astype(np.int64)
    rows = Probabilities(column, of_classes, False, np.ones(400, dtype=bool), None)
    assert interval(loss.statistic(rows), Cells(np.ones(400, dtype=np.int64), None, 0, 0)).few_decide == few


def test_deciding_rows_count_weights_and_influences():
    """By their definition over rows, whatever cells they are counted into."""
    random = np.random.default_rng(2)
    truth, pred, units = random.integers(0, 3, 200), random.integers(0, 3, 200), random.integers(1, 90, 200)
    weighing = Weighing.of_units(units, np.ones(200, np.int64))
    cells = joint_counts(truth, [pred], n_labels=3, weights=units, weighing=weighing)
    influence = np.where(cells.true == cells.preds[0], 0.5, -2.0)
    terms = (units * np.where(truth == pred, 0.5, -2.0)) ** 2.0
    assert cells.deciding_rows(influence) == pytest.approx(terms.sum() ** 2 / (terms**2).sum())


def test_lines_of_no_rows_are_no_clusters():
    true, cluster, rows = np.array([0, 1, 0, 1, 1]), np.array([0, 0, 1, 2, 3]), np.array([3, 2, 4, 5, 0])
    with_empty = label_joint_counts((true == 1)[:, None], [np.ones((5, 1), bool)], weights=rows, cluster=cluster)
    assert with_empty.n_clusters == 3
