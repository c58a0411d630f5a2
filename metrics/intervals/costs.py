"""Compute what predictions cost by a table of costs, true × predicted, and the predictions of least expected cost.

Source: Elkan 2001, The foundations of cost-sensitive learning, IJCAI.
"""

from __future__ import annotations

import math

import numpy as np

from metrics.intervals.joint_counts import JointCounts
from metrics.intervals.statistic import ShareBounds, Statistic, mean_of_rows
from metrics.shares import Bounds


def mean_cost(cells: JointCounts, model: int = 0, *, costs: np.ndarray) -> Statistic:
    """Return what a row costs on average, with its influence; rows whose prediction has no cost take no part.

    costs : float64 (K, K) of the K labels of the label space, true × predicted; below 0 is a gain.

    >>> from metrics.intervals.joint_counts import joint_counts
    >>> cells = joint_counts(np.array([0, 0, 1]), [np.array([0, 1, 0])], n_labels=2)
    >>> mean_cost(cells, costs=np.array([[0.0, 1.0], [5.0, 0.0]])).value
    2.0
    """
    cost = _cost_of_cells(cells, model, costs)
    known = ~np.isnan(cost)
    mean = mean_of_rows(cells, cost, "positive" if costs.min(initial=0.0) >= 0 else "open")
    n, most = float(cells.rows[known].sum()), float(costs.max(initial=0.0))

    def edge(wilson: ShareBounds) -> Bounds:
        return Bounds(0.0, wilson(0.0, n * cells.shrinkage).high * most)  # at worst, a row not seen costs the most

    return mean._replace(edge=edge if mean.scale == "positive" and mean.value == 0 else None)


def _cost_of_cells(cells: JointCounts, model: int, costs: np.ndarray) -> np.ndarray:
    size, pred = len(costs), cells.preds[model]
    known = (cells.true < size) & (pred >= 0) & (pred < size)
    return np.where(known, costs[np.where(known, cells.true, 0), np.where(known, pred, 0)], math.nan)


def choose_constant(support: np.ndarray, costs: np.ndarray) -> int:
    """Return the class that costs least where every row is predicted as it; of equals the first.

    support : rows of every class of the label space.

    >>> choose_constant(np.array([90, 10]), np.array([[0.0, 1.0], [20.0, 0.0]]))
    1
    """
    return int(np.argmin(support @ costs))


def choose_least_cost(probabilities: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """Return the class of least expected cost of every row, int (n,); of equals the first.

    probabilities : float64 (n, K), calibrated. It is the argmin over j of Σ_i p(i) · cost(i, j).

    >>> choose_least_cost(np.array([[0.9, 0.1], [0.99, 0.01]]), np.array([[0.0, 1.0], [20.0, 0.0]])).tolist()
    [1, 0]
    """
    return np.asarray(np.argmin(probabilities @ costs, axis=1))


def threshold_of_costs(costs: np.ndarray, positive: int) -> float:
    """Return the probability from which predicting the positive of two classes costs less; NaN where it never differs.

    >>> round(threshold_of_costs(np.array([[0.0, 1.0], [20.0, 0.0]]), 1), 4)
    0.0476
    """
    negative = 1 - positive
    false_alarm = costs[negative, positive] - costs[negative, negative]
    miss = costs[positive, negative] - costs[positive, positive]
    return float(false_alarm / (false_alarm + miss)) if false_alarm > 0 and miss > 0 else math.nan
