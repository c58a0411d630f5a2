"""Intervals of the numbers of every class at once."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from metrics.intervals.statistic import METHODS, Interval, on_scale
from metrics.limits import FEWEST_OF_SIDE, TOO_FEW
from metrics.outcomes import CountedOutcomes, Formula, Ratio, divide
from metrics.shares import critical_value, wilson_bounds


class ClassBounds(NamedTuple):
    """Of every class, float64 (L,): value, bounds, rows of the denominator, standard error; NaN where 0/0.

    method : words for the screen. few_decide : bool (L,), whether few rows decide a number that is no share.
    """

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n: np.ndarray
    se: np.ndarray
    method: str
    level: float
    few_decide: np.ndarray

    def of(self, code: int) -> Interval:
        """Return the interval of one class."""
        value, low, high, se = (float(each[code]) for each in (self.value, self.low, self.high, self.se))
        n, method = int(self.n[code]), self.method if value == value else "undefined"
        few_decide = bool(self.few_decide[code])
        return Interval(value, low, high, se, method, self.level, n, None, few_decide=few_decide)


def class_bounds(counts: CountedOutcomes, formula: Formula, level: float = 0.95) -> ClassBounds:
    """Return the intervals of a number of every class, rows being independent.

    Shares take Wilson's, F1 that of the Jaccard index J, since F1 = 2 J / (1 + J); others the delta method.

    >>> from metrics.intervals.joint_counts import Totals
    >>> from metrics.outcomes import RECALL
    >>> found = class_bounds(Totals(np.array([3.0]), np.array([4.0]), np.array([5.0]), 9.0, 1), RECALL)
    >>> round(float(found.low[0]), 3), round(float(found.high[0]), 3)
    (0.301, 0.954)
    """
    se = _standard_errors(counts, formula)
    if not isinstance(formula, Ratio) or formula.scale not in ("share", "f1"):
        return _delta_bounds(counts, formula, level, se)
    part, whole = formula.share(counts)
    share = part / np.where(whole > 0, whole, np.nan)
    bounds = wilson_bounds(part, whole, critical_value(level))
    value, low, high = (formula.from_share(each) for each in (share, *bounds))
    few_decide = np.zeros(len(value), dtype=bool)
    return ClassBounds(value, low, high, whole, se, METHODS[formula.scale], level, few_decide)


def _standard_errors(counts: CountedOutcomes, formula: Formula) -> np.ndarray:
    """Return the standard error of every class by the slopes of the formula; NaN where it is undefined."""
    slopes, rows_by_outcome = formula.slopes(counts), (counts.tp, counts.fp, counts.fn, counts.tn)
    variance = sum(rows * slope**2 for rows, slope in zip(rows_by_outcome, slopes, strict=True))
    undefined = np.isnan(formula.value(counts)) | (counts.n < 2)
    return np.where(undefined, math.nan, np.sqrt(variance * counts.n / max(counts.n - 1, 1)))


def _delta_bounds(counts: CountedOutcomes, formula: Formula, level: float, se: np.ndarray) -> ClassBounds:
    """Return the intervals by the standard errors; undefined where no row of a class differs from the others."""
    value = np.asarray(formula.value(counts))
    reach = critical_value(level) * np.nan_to_num(se)
    inside = {"positive": value > 0, "open": np.isfinite(value)}.get(formula.scale, np.abs(value) < 1)
    moves = (reach > 1e-12) & inside
    low, high = np.full((2, len(value)), math.nan)
    for code in np.flatnonzero(moves & (counts.n > 1)).tolist():
        low[code], high[code] = on_scale(float(value[code]), float(reach[code]), formula.scale)
    side = np.minimum(counts.tp + counts.fn, counts.fp + counts.tn)
    few_decide = (side < FEWEST_OF_SIDE) | (moves & (_deciding_rows(counts, formula) < TOO_FEW))
    few_decide &= ~np.isnan(value)
    n = np.full(len(value), counts.n)
    return ClassBounds(value, low, high, n, se, METHODS[formula.scale], level, few_decide)


def _deciding_rows(counts: CountedOutcomes, formula: Formula) -> np.ndarray:
    """Return how many rows decide the number of every class, as `Cells.deciding_rows`; NaN where none differs."""
    slopes = np.abs(np.array(formula.slopes(counts), dtype=np.float64))
    squares = divide(slopes, slopes.max(axis=0)) ** 2  # their unit cancels out: it could overflow
    rows = np.array((counts.tp, counts.fp, counts.fn, counts.tn))
    return np.asarray(divide((rows * squares).sum(axis=0) ** 2, (rows * squares**2).sum(axis=0)))
