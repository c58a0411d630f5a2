"""The difference of a metric between two models on the same rows, with its interval and its p value."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import ndtr, stdtr

from metrics.comparison.flips import mcnemar
from metrics.intervals.statistic import Interval, Statistic, has_few_rows, interval, standard_error
from metrics.limits import TOO_FEW
from metrics.shares import Bounds, critical_value, paired_difference, square_and_add

if TYPE_CHECKING:
    from metrics.intervals.joint_counts import Cells


class Difference(NamedTuple):
    """Model b's value less model a's; NaN where undefined.

    p : two-sided, of no difference. method : of the interval and of the test.
    few_decide : whether few rows decide it, as of an `Interval`: then nothing is found, and there is no p.
    """

    value: float
    low: float
    high: float
    se: float
    p: float
    method: str
    few_decide: bool = False

    @property
    def found(self) -> bool:
        """Return whether the interval leaves zero out, and more than a few rows decide it."""
        return not self.few_decide and (self.low > 0 or self.high < 0)

    def without_untold_p(self) -> Difference:
        """Return it without a p where few rows decide it."""
        return self._replace(p=math.nan) if self.few_decide else self


def undefined_difference(why: str = "undefined in one of the two") -> Difference:
    """Return a difference that cannot be known."""
    return Difference(math.nan, math.nan, math.nan, math.nan, math.nan, why)


def difference(a: Statistic, b: Statistic, cells: Cells, *, level: float = 0.95) -> Difference:
    """Return the difference b - a of two statistics of the same cells.

    Shares of the same rows take Newcombe's paired interval (method 10) and McNemar's mid-p. All others, and all of rows
    with weights, take the two intervals, squared and added with the correlation of the estimates (Zou & Donner 2008).
    Their test is the delta method's z test (t by clusters).
    """
    if math.isnan(a.value) or math.isnan(b.value):
        return undefined_difference()
    if cells.cluster is None and cells.weighing is None and _same_rows(a, b):
        return _of_shares(a, b, cells, level)
    moved = Statistic(b.value - a.value, b.influence - a.influence, "unit", edge_variance=_edges_apart(a, b))
    se = standard_error(moved, cells)
    ends = [interval(statistic, cells, level=level) for statistic in (a, b)]
    bounds = _squared_and_added(ends[0], ends[1], se)
    p = two_sided_p(moved.value, se, cells.n_clusters)
    by = "squares of the two intervals added, with their correlation; delta method"
    by += ", by clusters" if cells.cluster is not None else ""
    sides = (a, cells), (b, cells)
    few_decide = any(end.few_decide for end in ends) and is_decided_by_few(sides, cells.deciding_rows(moved.influence))
    return Difference(moved.value, *bounds, se, p, by, few_decide)


def is_decided_by_few(sides: Iterable[tuple[Statistic, Cells]], deciding: float) -> bool:
    """Return whether few rows decide a difference of two numbers, one of which few rows decide.

    One may have few errors and the other many: then many rows decide how far they are apart.

    deciding : so many rows decide the difference, by its influences.
    """
    return any(has_few_rows(statistic, cells) for statistic, cells in sides) or deciding < TOO_FEW


def _edges_apart(a: Statistic, b: Statistic) -> np.ndarray | None:
    """Return the variance of classes whose rate is exactly 0 or 1 in one model, and something else in the other."""
    if a.edge_variance is None or b.edge_variance is None:
        return None
    alike = (a.edge_variance > 0) & (b.edge_variance > 0) & (a.edge_value == b.edge_value)
    return np.where(alike, 0.0, a.edge_variance + b.edge_variance)


def _same_rows(a: Statistic, b: Statistic) -> bool:
    if a.is_part is None or b.is_part is None or a.is_whole is None or b.is_whole is None:
        return False
    return bool(np.array_equal(a.is_whole, b.is_whole))


def _of_shares(a: Statistic, b: Statistic, cells: Cells, level: float) -> Difference:
    assert a.is_part is not None and b.is_part is not None and a.is_whole is not None

    def total(chosen: np.ndarray) -> int:
        return int(cells.rows[chosen].sum())

    both, fixed, broken = total(a.is_part & b.is_part), total(~a.is_part & b.is_part), total(a.is_part & ~b.is_part)
    neither = int(a.whole) - both - fixed - broken
    bounds = paired_difference(both, broken, fixed, neither, critical_value(level))
    se = standard_error(Statistic(0.0, b.influence - a.influence, "unit"), cells)
    p = mcnemar(fixed, broken).mid_p
    return Difference(b.value - a.value, *bounds, se, p, "Newcombe's paired interval; McNemar's mid-p")


def _squared_and_added(a: Interval, b: Interval, se: float) -> Bounds:
    """Return bounds of b - a; the correlation of the two estimates is the one that makes `se` their difference's
    error.
    """
    product = a.se * b.se
    correlation = (a.se**2 + b.se**2 - se**2) / (2 * product) if product > 0 else 0.0
    ends = Bounds(a.low, a.high), Bounds(b.low, b.high)
    return square_and_add(a.value, ends[0], b.value, ends[1], correlation)


def two_sided_p(value: float, se: float, n: float | None = None) -> float:
    """Return the two-sided p of a value with a standard error; 1 if alike.

    n : so many clusters, or rows, the error is estimated from, for Student's t; None = many, for the normal test.
    """
    if math.isnan(value) or math.isnan(se):
        return math.nan
    if se <= 1e-15:
        return 1.0 if abs(value) < 1e-12 else math.nan
    away = -abs(value / se)
    return 2 * float(ndtr(away) if n is None else stdtr(n - 1, away))
