"""DeLong's test of two AUCs on the same rows."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from metrics.comparison.differences import Difference, two_sided_p, undefined_difference
from metrics.intervals.joint_counts import Cells
from metrics.intervals.score_statistics import Worths
from metrics.intervals.shares import critical_value


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


def delong(a: Worths, b: Worths, cells: Cells, *, level: float = 0.95) -> DeLong:
    """Test two AUCs of the same rows; the interval is on the plain scale, within -1..1.

    Both must have a score in every row. Undefined (NaN) with fewer than two rows of a class.

    Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44; by clusters Obuchowski 1997, Biometrics 53.
    """
    value = b.auc - a.auc
    se = _standard_error(a, b) if cells.cluster is None else _by_clusters(a, b, cells)
    if math.isnan(se) or math.isnan(value):
        return DeLong(a.auc, b.auc, math.nan, math.nan, math.nan, math.nan, math.nan)
    p = two_sided_p(value, se, cells.n_clusters)
    z = value / se if se > 1e-15 else 0.0 if abs(value) < 1e-12 else math.nan
    reach = critical_value(level, cells.n_clusters) * se
    return DeLong(a.auc, b.auc, z, p, max(-1.0, value - reach), min(1.0, value + reach), se)


def _standard_error(a: Worths, b: Worths) -> float:
    variance = 0.0
    for side in (a.is_true, ~a.is_true):
        moved = (b.worth - a.worth)[side]
        if len(moved) < 2:
            return math.nan
        variance += float(np.var(moved, ddof=1)) / len(moved)
    return math.sqrt(variance)


def _by_clusters(a: Worths, b: Worths, cells: Cells) -> float:
    n = np.where(a.is_true, a.n_pos, a.n_neg)
    influence = ((b.worth - b.auc) - (a.worth - a.auc)) / n
    variance = cells.covariance(influence, influence)
    return math.nan if math.isnan(variance) else math.sqrt(max(0.0, variance))
