"""Errors on ordered labels are measured in steps: scikit-learn's numbers, slow sums, and the edges."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn import metrics as sk

from metrics.catalogue.registry import REGISTRY
from metrics.confusion.counts import confusion_counts, confusion_counts_from_matrix
from metrics.intervals.costs import mean_cost
from metrics.intervals.joint_counts import Weighing, joint_counts
from metrics.intervals.ordered import SQUARES, STEPS, mean_steps_off, steps_off, weighted_kappa, within_one_step
from metrics.intervals.statistic import interval
from tests.metrics.intervals.made import predictions
from tests.metrics.intervals.test_influences import check_influence

RANKS = (3, 0, 2, 1, 6)
"""Places of five labels: one step, 4 or 5, is of no label."""


def cells_of(seed=0, unread=0.0, n=300):
    truth, pred = predictions(seed, n, 5, unread=unread)
    return truth, pred, joint_counts(truth, [pred], n_labels=5, ranks=RANKS)


@pytest.mark.parametrize(("power", "weights"), [(STEPS, "linear"), (SQUARES, "quadratic")])
@pytest.mark.parametrize("unread", [0.0, 0.2])
def test_kappa_is_scikit_learns(power, weights, unread):
    truth, pred, cells = cells_of(unread=unread)
    read, rank = pred >= 0, np.array(RANKS)
    expected = sk.cohen_kappa_score(rank[truth[read]], rank[pred[read]], labels=range(7), weights=weights)
    assert weighted_kappa(cells, power=power).value == pytest.approx(expected, abs=1e-12)


def test_weighted_rows_without_a_place_do_not_count():
    truth, pred = predictions(0, 300, 5, unread=0.2)
    units, read = np.random.default_rng(1).integers(1, 9, 300), pred >= 0
    weighing = Weighing.of_units(units, np.ones(300, dtype=np.int64))
    cells = joint_counts(truth, [pred], n_labels=5, ranks=RANKS, weights=units, weighing=weighing)
    kish = units[read].sum() ** 2 / (units[read] ** 2).sum()
    for number in (mean_steps_off(cells), weighted_kappa(cells, power=STEPS), mean_cost(cells, costs=1 - np.eye(5))):
        within = interval(number, cells)
        assert (within.n, within.effective_n) == (read.sum(), pytest.approx(kish))


def test_mean_steps_are_scikit_learns_error():
    truth, pred, cells = cells_of(unread=0.1)
    read, rank = pred >= 0, np.array(RANKS)
    expected = sk.mean_absolute_error(rank[truth[read]], rank[pred[read]])
    assert mean_steps_off(cells).value == pytest.approx(expected, abs=1e-12)
    assert interval(mean_steps_off(cells), cells).n == read.sum()


def test_unread_answer_is_not_within_one_step():
    truth, pred, cells = cells_of(unread=0.1)
    near = [p >= 0 and abs(RANKS[t] - RANKS[p]) <= 1 for t, p in zip(truth, pred, strict=True)]
    assert within_one_step(cells).value == pytest.approx(np.mean(near))


@pytest.mark.parametrize(
    "statistic",
    [mean_steps_off, lambda cells: weighted_kappa(cells, power=STEPS), lambda cells: weighted_kappa(cells, power=2)],
)
def test_influences_of_steps_are_derivatives(statistic):
    _, _, cells = cells_of(unread=0.1, n=60)

    def with_ranks(made):
        return statistic(replace(made, ranks=RANKS))

    check_influence(cells, with_ranks)


def test_weights_may_be_fractions():
    _, _, cells = cells_of()
    shares = np.random.default_rng(1).random(len(cells.rows))
    fraction, rank = replace(cells, rows=shares), np.array(RANKS)
    sides, given = (rank[cells.true], rank[cells.preds[0]]), {"labels": range(7), "sample_weight": shares}
    expected = sk.cohen_kappa_score(*sides, weights="quadratic", **given)
    assert weighted_kappa(fraction, power=SQUARES).value == pytest.approx(expected, abs=1e-12)
    assert mean_steps_off(fraction).value == pytest.approx(sk.mean_absolute_error(*sides, sample_weight=shares))


def ordered(matrix):
    counts = confusion_counts_from_matrix(matrix, ("low", "medium", "high"))
    return replace(counts, ranks=(0, 1, 2))


def values(counts):
    keys = ("within_one_step", "mean_steps_off", "linear_kappa", "quadratic_kappa")
    return [REGISTRY["multiclass", key].function(counts) for key in keys]


def test_numbers_by_hand():
    # 10 rows: 6 right, 3 one step off, 1 two steps off; true rows 4, 3, 3, predicted 3, 4, 3
    counts = ordered([[2, 1, 1], [1, 2, 0], [0, 1, 2]])
    linear = 1 - (3 * 1 + 1 * 2) / ((4 * (4 + 2 * 3) + 3 * (3 + 3) + 3 * (2 * 3 + 4)) / 10)
    squares = 1 - (3 * 1 + 1 * 4) / ((4 * (4 + 4 * 3) + 3 * (3 + 3) + 3 * (4 * 3 + 4)) / 10)
    assert values(counts) == pytest.approx([0.9, 0.5, linear, squares])


@pytest.mark.parametrize(
    ("matrix", "expected"),
    [
        ([[0] * 3] * 3, [np.nan] * 4),
        ([[5, 0, 0], [0, 0, 0], [0, 0, 0]], [1, 0, np.nan, np.nan]),
        ([[0, 5, 0], [0, 0, 0], [0, 0, 0]], [1, 1, 0, 0]),
        ([[0, 0, 0, 5], [0] * 4, [0] * 4], [0, np.nan, np.nan, np.nan]),
        ([[3, 0, 0], [0, 0, 0], [0, 0, 3]], [1, 0, 1, 1]),
        ([[0, 0, 3], [0, 0, 0], [3, 0, 0]], [0, 2, -1, -1]),
    ],
    ids=["no rows", "one class", "one error", "nothing read", "all right", "all wrong"],
)
def test_edges_are_undefined_or_exact(matrix, expected):
    np.testing.assert_allclose(values(ordered(matrix)), expected, atol=1e-12)


def test_perfect_predictions_have_wide_bounds():
    cells = joint_counts(np.arange(30) % 3, [np.arange(30) % 3], n_labels=3, ranks=(0, 1, 2))
    steps, kappa = (interval(one(cells), cells) for one in (mean_steps_off, lambda c: weighted_kappa(c, power=2)))
    assert (steps.value, steps.low, kappa.value, kappa.high) == (0, 0, 1, 1)
    assert steps.high == pytest.approx(2 * 0.1135, abs=1e-3) and kappa.low < 0.7


def test_without_an_order_nothing_is_measured():
    counts = confusion_counts(np.array([0, 1]), np.array([0, 1]), labels=("low", "high"))
    assert np.isnan(values(counts)).all()


def test_thousand_labels_take_no_table_of_pairs():
    truth, pred = predictions(0, 2_000, 1_000)
    cells = joint_counts(truth, [pred], n_labels=1_000, ranks=tuple(range(1_000)))
    slow = np.abs(np.subtract.outer(truth, pred)).mean()
    expected = 1 - np.abs(truth - pred).mean() / slow
    assert weighted_kappa(cells, power=STEPS).value == pytest.approx(expected)
    assert steps_off(cells).max() == np.abs(truth - pred).max()
