"""Test the difference of two AUCs of the same rows by DeLong's worths."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from metrics.comparison.differences import Difference, two_sided_p, undefined_difference
from metrics.intervals.joint_counts import Cells
from metrics.intervals.score_statistics import Worths
from metrics.shares import critical_value


class DeLong(NamedTuple):
    """Two AUCs and the test of their difference b - a; NaN where undefined."""

    auc_a: float
    auc_b: float
    z: float
    p: float
    low: float
    high: float
    se: float

    def as_difference(self, clustered: bool) -> Difference:
        """Return the difference of the two AUCs."""
        if math.isnan(self.auc_a) or math.isnan(self.auc_b):
            return undefined_difference()
        method = "DeLong's worths, by clusters" if clustered else "DeLong"
        return Difference(self.auc_b - self.auc_a, self.low, self.high, self.se, self.p, method)


def delong(
    a: Worths, b: Worths, cells: Cells, weights: np.ndarray | None = None, *, level: float = 0.95, bound: float = 0.0,
) -> DeLong:  # fmt: skip
    """Test two AUCs of the same rows; the interval is on the plain scale, within -1..1.

    Both must have a score in every row. Undefined (NaN) with fewer than two rows of a class.

    weights : rows of each entry; None = one. bound : how far the difference may lie from that of the exact scores; what
        is left after it is tested.

    Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44; by clusters Obuchowski 1997, Biometrics 53.
    """
    value = b.auc - a.auc
    se = _standard_error(a, b, weights) if cells.cluster is None else _clustered_standard_error(a, b, cells)
    if math.isnan(se) or math.isnan(value):
        return DeLong(a.auc, b.auc, math.nan, math.nan, math.nan, math.nan, math.nan)
    beyond_bound = left_after(value, bound)
    p = two_sided_p(beyond_bound, se, cells.n_clusters)
    # where no row differs, equal areas are no difference, and others cannot be tested
    z_without_error = 0.0 if abs(beyond_bound) < 1e-12 else math.nan
    z = beyond_bound / se if se > 1e-15 else z_without_error
    reach = critical_value(level, cells.n_clusters) * se
    low, high = widen(value - reach, value + reach, bound, 1.0)
    return DeLong(a.auc, b.auc, z, p, low, high, se)


def left_after(value: float, bound: float) -> float:
    """Return what is left of a difference that may be smaller by a bound.

    >>> left_after(-0.5, 0.25), left_after(0.1, 0.25)
    (-0.25, 0.0)
    """
    if not bound or math.isnan(bound):
        return value + bound
    return math.copysign(max(0.0, abs(value) - bound), value) + 0.0


def widen(low: float, high: float, bound: float, most: float) -> tuple[float, float]:
    """Return the ends of an interval, each further out by a bound, within -most to most; NaN where the bound is."""
    return float(np.clip(low - bound, -most, most)), float(np.clip(high + bound, -most, most))


def _standard_error(a: Worths, b: Worths, weights: np.ndarray | None) -> float:
    """Return the standard error of the difference of two areas; NaN with fewer than two rows of a class."""
    variance = 0.0
    for side in (a.is_true, ~a.is_true):
        moved = (b.worth - a.worth)[side]
        n = len(moved) if weights is None else int(weights[side].sum())
        if n < 2:
            return math.nan
        if weights is None:
            variance += float(np.var(moved, ddof=1)) / n
        else:
            n_rows = weights[side]
            mean = (moved * n_rows).sum() / n
            variance += float(((moved - mean) ** 2 * n_rows).sum()) / (n - 1) / n
    return math.sqrt(variance)


def _clustered_standard_error(a: Worths, b: Worths, cells: Cells) -> float:
    """Return the standard error of the difference where rows of one cluster belong together; NaN where undefined."""
    n = np.where(a.is_true, a.n_pos, a.n_neg)
    influence = ((b.worth - b.auc) - (a.worth - a.auc)) / n
    variance = cells.variance(influence)
    return math.nan if math.isnan(variance) else math.sqrt(max(0.0, variance))
