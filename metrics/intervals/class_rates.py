"""Intervals of precision, recall and F1 of every class at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from metrics.intervals.joint_counts import Joint, Totals
from metrics.intervals.rates import RATES, class_rate
from metrics.intervals.statistic import METHODS, Interval, interval
from metrics.shares import critical_value, wilson_bounds


class RateBounds(NamedTuple):
    """Of every class, float64 (L,): value, bounds and rows of the denominator; NaN where 0/0.

    method : words for the screen. clusters : None where rows are independent.
    """

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n: np.ndarray
    method: str
    level: float
    clusters: int | None = None

    def of(self, code: int) -> Interval:
        """Return the interval of one class."""
        value, low, high = (float(each[code]) for each in (self.value, self.low, self.high))
        n, method = int(self.n[code]), self.method if value == value else "undefined"
        return Interval(value, low, high, float("nan"), method, self.level, n, self.clusters)


def class_rate_bounds(totals: Totals, level: float = 0.95) -> Mapping[str, RateBounds]:
    """Return Wilson's intervals of precision, recall and F1 of every class, rows being independent.

    F1 takes Wilson's of the Jaccard index J, since F1 = 2 J / (1 + J).

    >>> found = class_rate_bounds(Totals(np.array([3.0]), np.array([4.0]), np.array([5.0]), 9.0, 1))
    >>> round(float(found["recall"].low[0]), 3), round(float(found["recall"].high[0]), 3)
    (0.301, 0.954)
    """
    wholes = {
        "precision": totals.predicted,
        "recall": totals.support,
        "f1": totals.support + totals.predicted - totals.correct,
    }
    found: dict[str, RateBounds] = {}
    for rate in RATES:
        share = totals.correct / np.where(wholes[rate] > 0, wholes[rate], np.nan)
        found_of = (share, *wilson_bounds(totals.correct, wholes[rate], critical_value(level)))
        value, low, high = (2 * each / (1 + each) if rate == "f1" else each for each in found_of)
        method = METHODS["f1" if rate == "f1" else "share"]
        found[rate] = RateBounds(value, low, high, wholes[rate], method, level)
    return found


def clustered_rate_bounds(cells: Joint, level: float = 0.95) -> Mapping[str, RateBounds]:
    """Return the intervals of precision, recall and F1 of every class, by the clusters of the cells."""
    every = [cells.one_vs_rest(code) for code in range(cells.n_labels)]
    found: dict[str, RateBounds] = {}
    for rate in RATES:
        ones = [interval(class_rate(own, rate), own, level=level) for own in every]
        value, low, high, n = (np.array([getattr(one, name) for one in ones]) for name in ("value", "low", "high", "n"))
        method = next((one.method for one in ones if one.value == one.value), "undefined")
        found[rate] = RateBounds(value, low, high, n, method, level, cells.n_clusters)
    return found
