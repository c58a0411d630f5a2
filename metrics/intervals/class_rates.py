"""Intervals of the numbers of every class at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from metrics.intervals.joint_counts import joint_counts
from metrics.intervals.rates import of_class
from metrics.intervals.statistic import EDGE_Z, METHODS, Interval, add_edges, interval, on_scale
from metrics.limits import FEWEST_OF_SIDE, TOO_FEW
from metrics.outcomes import GEOMETRIC_MEAN, RECALL, SPECIFICITY, YOUDEN_J, CountedOutcomes, Formula, Ratio, divide
from metrics.shares import critical_value, wilson_bounds


class ClassBounds(NamedTuple):
    """Of every class, float64 (L,): value, bounds, rows of the denominator, standard error; NaN where 0/0.

    method : words for the screen. few_decide : bool (L,), whether few rows decide a number that is no share.
    at_edge : bool (L,), whether the delta method has nothing to go by. find_at_edge : returns the interval there.
    """

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n: np.ndarray
    se: np.ndarray
    method: str
    level: float
    few_decide: np.ndarray
    at_edge: np.ndarray
    find_at_edge: Callable[[int], Interval]

    def of(self, code: int) -> Interval:
        """Return the interval of one class."""
        if self.at_edge[code]:
            return self.find_at_edge(code)
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
    nowhere = np.zeros(len(value), dtype=bool)
    find_at_edge = partial(_find_at_edge, counts, formula, level)
    return ClassBounds(value, low, high, whole, se, METHODS[formula.scale], level, nowhere, nowhere, find_at_edge)


def _find_at_edge(counts: CountedOutcomes, formula: Formula, level: float, code: int) -> Interval:
    """Return the interval of one class by its own four counts."""
    rows = np.array([each[code] for each in (counts.tp, counts.fp, counts.fn, counts.tn)], dtype=np.int64)
    cells = joint_counts(np.array([1, 0, 1, 0]), [np.array([1, 1, 0, 0])], n_labels=2, weights=rows)
    return interval(of_class(cells, formula=formula), cells, level=level)


def _standard_errors(counts: CountedOutcomes, formula: Formula) -> np.ndarray:
    """Return the standard error of every class by the slopes of the formula; NaN where it is undefined."""
    slopes, rows_by_outcome = formula.slopes(counts), (counts.tp, counts.fp, counts.fn, counts.tn)
    variance = sum(rows * slope**2 for rows, slope in zip(rows_by_outcome, slopes, strict=True))
    undefined = np.isnan(formula.value(counts)) | (counts.n < 2)
    total = variance * counts.n / max(counts.n - 1, 1) + _variances_at_edges(counts, formula).sum(axis=0)
    return np.where(undefined, math.nan, np.sqrt(total))


def _variances_at_edges(counts: CountedOutcomes, formula: Formula) -> np.ndarray:
    """Return the variance that a recall or specificity of exactly 1, and of 0, adds, float64 (2, L).

    `rates.averaged` adds the same.
    """
    added = np.zeros((2, len(counts.tp)))
    if formula not in (YOUDEN_J, GEOMETRIC_MEAN):
        return added
    for rate in (RECALL, SPECIFICITY):
        part, whole = rate.share(counts)
        share = divide(part, whole)
        slope = 1.0 if formula == YOUDEN_J else divide(formula.value(counts), 2 * share)  # by the share
        low, high = wilson_bounds(part, whole, EDGE_Z)
        variance = (slope * (high - low) / (2 * EDGE_Z)) ** 2
        for edge, of_edge in zip((1, 0), added, strict=True):
            of_edge += np.where((share == edge) & ~np.isnan(slope), variance, 0.0)
    return added


def _delta_bounds(counts: CountedOutcomes, formula: Formula, level: float, se: np.ndarray) -> ClassBounds:
    """Return the intervals by the standard errors, where a class has one and is inside the range."""
    value = np.asarray(formula.value(counts))
    z = critical_value(level)
    reach = z * np.nan_to_num(se)
    inside = {"positive": value > 0, "open": np.isfinite(value)}.get(formula.scale, np.abs(value) < 1)
    moves = (reach > 1e-12) & inside & (counts.n > 1)
    low, high = np.full((2, len(value)), math.nan)
    down, up = _variances_at_edges(counts, formula)
    has_edge = down + up > 0
    for code in np.flatnonzero(moves & ~has_edge).tolist():
        low[code], high[code] = on_scale(float(value[code]), float(reach[code]), formula.scale)
    for code in np.flatnonzero(moves & has_edge).tolist():
        number, error, falls, rises = (float(each[code]) for each in (value, se, down, up))
        low[code], high[code] = add_edges(number, error, z, falls, rises, formula.scale)
    side = np.minimum(counts.tp + counts.fn, counts.fp + counts.tn)
    few_decide = (side < FEWEST_OF_SIDE) | (moves & (_deciding_rows(counts, formula) < TOO_FEW))
    few_decide &= ~np.isnan(value)
    n = np.full(len(value), counts.n)
    at_edge, find_at_edge = ~moves & ~np.isnan(value), partial(_find_at_edge, counts, formula, level)
    return ClassBounds(value, low, high, n, se, METHODS[formula.scale], level, few_decide, at_edge, find_at_edge)


def _deciding_rows(counts: CountedOutcomes, formula: Formula) -> np.ndarray:
    """Return how many rows decide the number of every class, as `Cells.deciding_rows`; NaN where none differs."""
    slopes = np.abs(np.array(formula.slopes(counts), dtype=np.float64))
    squares = divide(slopes, slopes.max(axis=0)) ** 2  # their unit cancels out: it could overflow
    rows = np.array((counts.tp, counts.fp, counts.fn, counts.tn))
    return np.asarray(divide((rows * squares).sum(axis=0) ** 2, (rows * squares**2).sum(axis=0)))
