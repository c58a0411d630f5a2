"""Numbers of labels in groups: how much of the way from the top to the true label predictions share with it.

A label has its groups as ancestors. Truth and prediction stand for themselves and all their ancestors, so that a
prediction in the right group is partly right.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from metrics.intervals.joint_counts import JointCounts
from metrics.intervals.statistic import Statistic, share_of_rows


class SharedLevels(NamedTuple):
    """Levels of every cell, float64 (m,): those that truth and prediction share, and those of each.

    same_family : bool (m,), whether the first level is one. An answer without a label has no level.
    """

    shared: np.ndarray
    true: np.ndarray
    pred: np.ndarray
    same_family: np.ndarray


def share_levels(cells: JointCounts, model: int = 0) -> SharedLevels:
    """Return how many levels truth and prediction of every cell share; none where labels have no groups.

    >>> true, pred = np.array([0, 0, 2]), np.array([1, 2, -2])
    >>> paths = ((0, 1), (0, 2), (3,))
    >>> share_levels(JointCounts(np.ones(3, int), None, 3, 3, true, (pred,), paths=paths)).shared.tolist()
    [1.0, 0.0, 0.0]
    """
    deepest = max(map(len, cells.paths), default=0)
    levels = np.full((cells.n_labels + 2, deepest + 1), -1)  # the last two are UNPARSEABLE and MISSING
    for code, path in enumerate(cells.paths):
        levels[code, : len(path)] = path
    true, pred = levels[cells.true], levels[cells.preds[model]]
    same = (true == pred) & (true >= 0)
    shared, of_true, of_pred = (of_cell.sum(axis=1, dtype=np.float64) for of_cell in (same, true >= 0, pred >= 0))
    return SharedLevels(shared, of_true, of_pred, same[:, 0])


def shared_share(cells: JointCounts, model: int = 0, *, of_true: int, of_pred: int) -> Statistic:
    """Return the share of levels that truth and prediction share, of those of each so many times, over all rows.

    Of the predictions it is the hierarchical precision, of the truth the recall, of both their F1. At an end it has
    Wilson's bounds with a row as the unit.
    """
    levels = share_levels(cells, model)
    part, whole = (of_true + of_pred) * levels.shared, of_true * levels.true + of_pred * levels.pred
    total = float((cells.rows * whole).sum())
    if not total:
        return Statistic(math.nan, np.zeros(len(cells.rows)), "unit")
    value, few = float((cells.rows * part).sum()) / total, cells.effective_rows(whole > 0)
    return Statistic(value, (part - value * whole) / total, "unit", edge=lambda wilson: wilson(value * few, few))


def errors_within_family(cells: JointCounts, model: int = 0) -> Statistic:
    """Return the share of the wrong rows whose prediction is in the family of the truth, its group at the top."""
    wrong = ~cells.right(model) & bool(cells.paths)
    return share_of_rows(cells, share_levels(cells, model).same_family, wrong)
