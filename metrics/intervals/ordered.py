"""Numbers of ordered labels: how many steps predictions are off, each with the influence of every cell.

A step leads from one label of the order to the next. A prediction without a place in the order, such as an answer
without a label, is no number of steps off.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from metrics.intervals.joint_counts import JointCounts
from metrics.intervals.statistic import ShareBounds, Statistic, mean_of_rows, share_of_rows
from metrics.shares import Bounds

STEPS, SQUARES = 1, 2
"""Powers of the steps that kappa weighs an error by."""


class Distances(NamedTuple):
    """The distances of predictions from the truth, a power of the steps, beside those by chance.

    distance : float64 (m,) of every cell, NaN without a place. to_predictions, to_truths : (steps,) of every place,
        summed over the predictions, or the true labels, of all rows. n : rows with a place on both sides.
    total : summed over the rows. by_chance : the same, were predictions independent of the truth.
    """

    distance: np.ndarray
    to_predictions: np.ndarray
    to_truths: np.ndarray
    n: float
    total: float
    by_chance: float


def steps_off(cells: JointCounts, model: int = 0) -> np.ndarray:
    """Return how many steps the predictions of every cell are off, float64 (m,); NaN without a place in the order.

    >>> true, pred = np.array([0, 0, 2]), np.array([0, 2, -2])
    >>> steps_off(JointCounts(np.ones(3, int), None, 3, 3, true, (pred,), (0, 1, 2))).tolist()
    [0.0, 2.0, nan]
    """
    true, pred = _places(cells, model)
    return np.asarray(np.abs(true - pred))


def mean_steps_off(cells: JointCounts, model: int = 0) -> Statistic:
    """Return how many steps predictions are off on average, over the rows with a place in the order."""
    mean, most = mean_of_rows(cells, steps_off(cells, model), "positive"), max(cells.ranks, default=0)
    n = measure_distances(cells, model, STEPS).n
    few = n * cells.shrinkage

    def edge(wilson: ShareBounds) -> Bounds:
        return Bounds(0.0, wilson(0.0, few).high * most)  # at worst, a row not seen is off by all steps

    return mean._replace(edge=edge if mean.value == 0 else None)


def within_one_step(cells: JointCounts, model: int = 0) -> Statistic:
    """Return the share of rows predicted right or one step off; a prediction without a place is wrong."""
    every = np.full(len(cells.rows), bool(cells.ranks))
    return share_of_rows(cells, steps_off(cells, model) <= 1, every)


def weighted_kappa(cells: JointCounts, model: int = 0, *, power: int) -> Statistic:
    """Return Cohen's kappa that weighs an error by its steps, or by their square, over rows with a place in the order.

    Undefined where there is no distance by chance: truth and prediction are one class in every row.

    Source: Cohen (1968), Weighted kappa, Psychological Bulletin 70(4).
    """
    distances = measure_distances(cells, model, power)
    known = ~np.isnan(distances.distance)
    if not distances.by_chance:
        return Statistic(math.nan, np.zeros(len(cells.rows)), "signed", is_whole=known)
    true, pred = _places(cells, model)
    ratio, influence = distances.total / distances.by_chance, np.zeros(len(cells.rows))
    chance = distances.to_predictions[true[known].astype(int)] + distances.to_truths[pred[known].astype(int)]
    moved = distances.distance[known] - ratio * (chance / distances.n - distances.by_chance / distances.n)
    influence[known] = -moved / distances.by_chance

    def edge(wilson: ShareBounds) -> Bounds:
        worst = wilson(0.0, distances.n * cells.shrinkage).high * distances.n * max(cells.ranks) ** power
        return Bounds(max(-1.0, 1 - worst / distances.by_chance), 1.0)

    return Statistic(1 - ratio, influence, "signed", is_whole=known, edge=None if distances.total else edge)


def measure_distances(cells: JointCounts, model: int, power: int) -> Distances:
    """Return the distances of the predictions of a model, by a power of the steps."""
    distance = steps_off(cells, model) ** power
    known, size = ~np.isnan(distance), 1 + max(cells.ranks, default=0)
    rows = cells.rows[known].astype(np.float64)
    by_true, by_pred = (np.bincount(side[known].astype(int), rows, size) for side in _places(cells, model))
    to_predictions, to_truths, n = _sum_distances(by_pred, power), _sum_distances(by_true, power), float(rows.sum())
    by_chance = float((by_true * to_predictions).sum()) / n if n else 0.0
    return Distances(distance, to_predictions, to_truths, n, float((rows * distance[known]).sum()), by_chance)


def _places(cells: JointCounts, model: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of truth and prediction in the order, float64 (m,) each; NaN without one."""
    places = np.full(cells.n_labels + 2, np.nan)  # the last are UNPARSEABLE and MISSING
    places[: len(cells.ranks)] = cells.ranks
    return places[cells.true], places[cells.preds[model]]


def _sum_distances(rows: np.ndarray, power: int) -> np.ndarray:
    """Return the distance of every place from all rows, whose places `rows` counts; without a table of all pairs.

    >>> [_sum_distances(np.array([2.0, 0.0, 1.0]), power).tolist() for power in (STEPS, SQUARES)]
    [[2.0, 3.0, 4.0], [4.0, 3.0, 8.0]]
    """
    place = np.arange(len(rows), dtype=np.float64)
    n, first = rows.sum(), (rows * place).sum()
    if power == SQUARES:
        return np.asarray(n * place**2 - 2 * first * place + (rows * place**2).sum())
    below, sum_below = np.cumsum(rows), np.cumsum(rows * place)
    return np.asarray(place * (2 * below - n) + first - 2 * sum_below)
