"""Costs of predictions against loops over rows, and standard errors against those of a mean."""

import itertools
import math

import numpy as np
import pytest

from metrics.confusion.counts import UNPARSEABLE
from metrics.intervals.costs import choose_constant, choose_least_cost, mean_cost, threshold_of_costs
from metrics.intervals.joint_counts import joint_counts
from metrics.intervals.statistic import interval

COSTS = np.array([[0.0, 1.0, 3.0], [2.0, 0.0, 1.0], [20.0, 10.0, 0.0]])


@pytest.fixture
def rows():
    random = np.random.default_rng(29)
    probabilities = random.dirichlet((0.5, 0.5, 0.5), 400)
    true = np.array([random.choice(3, p=row) for row in probabilities])
    return true, probabilities.argmax(axis=1), probabilities


@pytest.mark.parametrize("costs", [COSTS, COSTS - 1.5], ids=["costs", "gains"])
def test_mean_cost_is_that_of_the_rows(rows, costs):
    true, pred, _ = rows
    pred[:7] = UNPARSEABLE
    each = np.array([costs[t, p] for t, p in zip(true[7:], pred[7:], strict=True)])
    cells = joint_counts(true, [pred], n_labels=3)
    found = interval(mean_cost(cells, costs=costs), cells)
    assert found.value == pytest.approx(each.mean()) and found.n == 393
    assert found.se == pytest.approx(each.std(ddof=1) / math.sqrt(393), rel=2e-3)
    assert found.low < found.value < found.high and (found.low > 0 or costs.min() < 0)


def test_rows_without_a_mistake_bound_the_cost():
    """Wilson's upper end of 0 of 40 rows, each of which might cost 20."""
    cells = joint_counts(np.zeros(40, int), [np.zeros(40, int)], n_labels=3)
    found = interval(mean_cost(cells, costs=COSTS), cells)
    z = 1.959963984540054
    assert (found.value, found.low) == (0, 0) and found.high == pytest.approx(20 * z * z / (40 + z * z))
    empty = joint_counts(np.zeros(0, int), [np.zeros(0, int)], n_labels=3)
    assert math.isnan(mean_cost(empty, costs=COSTS).value)


def test_choices_cost_least_of_all(rows):
    true, _, probabilities = rows
    constant = choose_constant(np.bincount(true, minlength=3), COSTS)
    assert constant == min(range(3), key=lambda code: sum(COSTS[t, code] for t in true))
    chosen = choose_least_cost(probabilities, COSTS)
    for row, code in zip(probabilities, chosen, strict=True):
        expected = [sum(row[i] * COSTS[i, j] for i in range(3)) for j in range(3)]
        assert expected[code] == min(expected)


@pytest.mark.parametrize("positive", [0, 1])
def test_two_classes_are_decided_by_a_threshold(positive):
    """At 0.5 apart from the threshold, both ways to decide agree."""
    costs = np.array([[-1.0, 4.0], [30.0, 2.0]])
    threshold = threshold_of_costs(costs, positive)
    for probability in threshold + np.array([-0.01, 0.01]):
        both = np.array([[1 - probability, probability]])[:, :: 1 if positive else -1]
        assert (choose_least_cost(both, costs)[0] == positive) == (probability >= threshold)
    assert math.isnan(threshold_of_costs(np.zeros((2, 2)), 1))


def test_intervals_of_costs_cover_the_truth():
    """95 % intervals of 800 files of 300 rows: the share that covers lies within 93 to 97 %."""
    random, share = np.random.default_rng(4), np.array([[0.5, 0.06, 0.02], [0.03, 0.2, 0.02], [0.01, 0.02, 0.14]])
    truth, pairs = float((share * COSTS).sum()), np.array(list(itertools.product(range(3), repeat=2)))
    covered = 0
    for _ in range(800):
        drawn = pairs[random.choice(9, 300, p=share.ravel())]
        cells = joint_counts(drawn[:, 0], [drawn[:, 1]], n_labels=3)
        found = interval(mean_cost(cells, costs=COSTS), cells)
        covered += found.low <= truth <= found.high
    assert 0.93 <= covered / 800 <= 0.97
