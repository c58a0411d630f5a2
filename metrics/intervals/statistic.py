"""One metric with what its uncertainty follows from: its value, the influence of every cell, its scale."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from metrics.limits import FEWEST_OF_SIDE, TOO_FEW, few_by_weight
from metrics.outcomes import Scale
from metrics.shares import NO_BOUNDS, Bounds, critical_value, wilson

if TYPE_CHECKING:
    from metrics.intervals.joint_counts import Cells

ShareBounds = Callable[[float, float], Bounds]
"""(part, whole) → Wilson's bounds at the level and with the clusters in force."""

METHODS: dict[Scale, str] = {
    "share": "Wilson",
    "f1": "Wilson on the Jaccard index",
    "unit": "delta method, on the logit",
    "signed": "delta method, on Fisher's z",
    "positive": "delta method, on the logarithm",
    "to one": "delta method, on the logarithm of 1 less it",
    "open": "delta method",
}


EDGE_Z = 1.96
"""By how many standard errors Wilson's interval of a share of 0 or 1 is read as a variance."""


class Statistic(NamedTuple):
    """A metric of some cells.

    value : NaN = undefined.
    influence : float64 (m,), change of the metric by one more row of each cell.
    part, whole : of a share, its rows; of an F1 (scale "f1"), those of the Jaccard index, tp and tp + fp + fn.
    edge : gives the bounds where the delta method has nothing to go by: at an end of the scale, or where no row
        differs from the others.
    edge_variance, edge_value : of an average, float64 (L,): what classes whose rate is exactly 0 or 1 add to its
        variance (0 for the others), where the delta method sees none; and the rates.
    is_part, is_whole : of a share, bool (m,), the cells that it counts; of an F1, the whole alone, and of another
        number, the cells that it is over: those with a score, a cost or a place in the order.
    sides : of other numbers of one class, bool (m,) each: the cells of its true rows, and of all others.
    fewest_true : with fewer of its true rows such a number is grey.
    classes : of a number over two classes, the same of its classes: with few rows of one it is grey.
    by_influence : of sides or classes, whether it is grey, too, where few rows decide it by their influence.
    """

    value: float
    influence: np.ndarray
    scale: Scale
    part: float = math.nan
    whole: float = math.nan
    edge: Callable[[ShareBounds], Bounds] | None = None
    edge_variance: np.ndarray | None = None
    edge_value: np.ndarray | None = None
    is_part: np.ndarray | None = None
    is_whole: np.ndarray | None = None
    sides: tuple[np.ndarray, np.ndarray] | None = None
    fewest_true: int = FEWEST_OF_SIDE
    classes: tuple[np.ndarray, np.ndarray] | None = None
    by_influence: bool = False


def share_of_rows(cells: Cells, is_part: np.ndarray, is_whole: np.ndarray | None = None) -> Statistic:
    """Return the share of the rows of some cells (None = all) that lie in others; both bool (m,)."""
    inside = np.ones(len(cells.rows), dtype=bool) if is_whole is None else is_whole
    whole, part = float(cells.rows[inside].sum()), float(cells.rows[is_part & inside].sum())
    if not whole:
        return Statistic(math.nan, np.zeros(len(cells.rows)), "share", part, whole)
    influence = np.where(inside, (is_part - part / whole) / whole, 0.0)
    return Statistic(
        part / whole, influence, "share", part, whole, is_part=np.asarray(is_part & inside), is_whole=inside
    )


def mean_of_rows(cells: Cells, value: np.ndarray, scale: Scale = "unit") -> Statistic:
    """Return the mean of a value of every cell, float64 (m,), over the rows; NaN values take no part."""
    known = ~np.isnan(value)
    n = float(cells.rows[known].sum())
    if not n:
        return Statistic(math.nan, np.zeros(len(value)), scale, is_whole=known)
    mean = float((cells.rows[known] * value[known]).sum() / n)
    influence = np.where(known, (np.nan_to_num(value) - mean) / n, 0.0)
    few = cells.effective_rows(known)

    def edge(wilson: ShareBounds) -> Bounds:
        return wilson(mean * few, few) if scale == "unit" else NO_BOUNDS

    return Statistic(mean, influence, scale, is_whole=known, edge=edge)


def bounds_by_accuracy(
    right: float, n: float, chance: float, below: float, wilson: ShareBounds, shrinkage: float
) -> Bounds:
    """Return bounds of (n * right - chance) / below from Wilson's of the accuracy, the other two taken as they are."""
    of_accuracy = wilson(right * shrinkage, n * shrinkage)
    return Bounds(*(min(1.0, max(-1.0, (n * n * bound - chance) / below)) for bound in of_accuracy))


class Interval(NamedTuple):
    """A metric and its interval; NaN where undefined.

    n : rows that the metric is over; of a share, those of its denominator. clusters : None where rows are independent.
    effective_n : how many rows of equal weight tell as much; None where no row has a weight.
    few_decide : whether few rows decide it, by their weights or because few are right, or wrong.
    unit : as of a `Metric`. why_undefined : "" = it is defined, or there is no reason to tell.
    """

    value: float
    low: float
    high: float
    se: float
    method: str
    level: float
    n: int
    clusters: int | None
    unit: str = ""
    why_undefined: str = ""
    effective_n: float | None = None
    few_decide: bool = False

    @property
    def is_share(self) -> bool:
        """Return whether it is written as per cent."""
        return self.unit == "share"

    @property
    def too_few(self) -> bool:
        """Return whether there are too few rows to tell: under 10, an interval wider than 0.2, or few decide it."""
        return self.n < TOO_FEW or self.few_decide or not self.high - self.low <= 0.2

    def to_json(self) -> dict[str, float | int | str | None]:
        """Return bounds, standard error, method, level, rows and clusters; with weights, also the effective rows.

        `few_decide` is there where few rows decide it.
        """
        names = ["low", "high", "se", "method", "level", "n", "clusters"]
        names += [] if self.effective_n is None else ["effective_n"]
        return {name: getattr(self, name) for name in (*names, *self._few)}

    def with_value(self) -> dict[str, float | int | str | None]:
        """Return the value with its bounds and the method; `few_decide` as above."""
        return {name: getattr(self, name) for name in ("value", "low", "high", "method", *self._few)}

    @property
    def _few(self) -> tuple[str, ...]:
        """Return the name of `few_decide` where few rows decide the metric."""
        return ("few_decide",) if self.few_decide else ()


def standard_error(statistic: Statistic, cells: Cells) -> float:
    """Return the standard error by the delta method, by clusters where there are any; NaN where undefined."""
    if math.isnan(statistic.value):
        return math.nan
    variance = cells.variance(statistic.influence)
    variance += 0.0 if statistic.edge_variance is None else float(statistic.edge_variance.sum())
    return math.nan if math.isnan(variance) else math.sqrt(max(0.0, variance))


def interval(statistic: Statistic, cells: Cells, *, level: float = 0.95) -> Interval:
    """Return the interval of one metric.

    Shares take Wilson's; the F1 of a class takes Wilson's of its Jaccard index (F1 = 2 J / (1 + J)). Where there are
    clusters or weights, the design effect counts. The others take the delta method on a scale that keeps the bounds in
    range.
    """
    clusters = cells.n_clusters
    size = count_denominator(statistic, cells)
    se, value = standard_error(statistic, cells), statistic.value
    nothing = Interval(value, *NO_BOUNDS, math.nan, "undefined", level, size.rows, clusters, effective_n=size.effective)
    if math.isnan(value):
        return nothing
    z = critical_value(level, clusters)
    if math.isnan(z):
        return nothing._replace(method="undefined: one cluster")

    def share(part: float, whole: float) -> Bounds:
        """Return Wilson's bounds at an edge: with clusters, each counts as one row."""
        few = min(whole, clusters or whole)
        return wilson(few * part / whole if whole else 0.0, few, z)

    edge = not _moves(value, se, statistic.scale)
    if statistic.scale in ("share", "f1"):
        bounds, method = _of_share(statistic, se, edge, share, z, clusters, size), METHODS[statistic.scale]
        method += " with the design effect of the clusters" if clusters else ""
        method += " with the design effect of the weights" if cells.weighing and not clusters else ""
    elif not edge:
        bounds, method = _by_delta_method(statistic, se, z), METHODS[statistic.scale]
        method += ", by clusters" if clusters else ""
    elif statistic.edge is None:
        reason = "too few rows to tell" if math.isnan(se) else "no row differs from the others"
        bounds, method = NO_BOUNDS, f"undefined: {reason}"
    else:
        bounds, method = statistic.edge(share), "Wilson's bounds of the shares in it, at the edge of the range"
    few_decide = _is_decided_by_few(statistic, cells, edge)
    return nothing._replace(low=bounds.low, high=bounds.high, se=se, method=method, few_decide=few_decide)


def _by_delta_method(statistic: Statistic, se: float, z: float) -> Bounds:
    """Return bounds by the standard error, which holds the variance of rates of 1 (`down`) and of 0 (`up`).

    Such a rate can lie on one side only. Its distance there is squared and added to that of the others, which alone
    take the scale: near its end, a little variance would reach across all of it. Source: Zou & Donner 2008.
    """
    added, value, scale = statistic.edge_variance, statistic.value, statistic.scale
    if added is None or not added.any():
        return on_scale(value, z * se, scale)
    down, up = (float(added[statistic.edge_value == rate].sum()) for rate in (1, 0))
    low, high = on_scale(value, z * math.sqrt(max(0.0, se * se - down - up)), scale)
    reach = 2 * z * z / EDGE_Z  # the distance of Wilson's bounds grows by z squared there
    lowest = -1.0 if scale == "signed" else 0.0
    return Bounds(
        max(lowest, value - math.hypot(value - low, reach * math.sqrt(down))),
        min(1.0, value + math.hypot(high - value, reach * math.sqrt(up))),
    )


def _is_decided_by_few(statistic: Statistic, cells: Cells, edge: bool) -> bool:
    """Return whether few rows decide a metric: on a side of a class, by their weights, or by their influence."""
    if has_few_rows(statistic, cells):
        return True
    of_sides_alone = (statistic.sides or statistic.classes) is not None and not statistic.by_influence
    if statistic.scale in ("share", "f1") or of_sides_alone or edge:
        return False
    return 0 < cells.deciding_rows(statistic.influence) < TOO_FEW  # 0: no row differs from the others


def has_few_rows(statistic: Statistic, cells: Cells) -> bool:
    """Return whether few rows lie on a side of a class, or decide by their weights, whatever is predicted in them."""
    sides = None if statistic.scale in ("share", "f1") else statistic.sides or statistic.classes
    if cells.weighing is not None:
        whole = np.ones(len(cells.rows), dtype=bool) if statistic.is_whole is None else statistic.is_whole
        if any(few_by_weight(cells.deciding_rows(side), cells.count_rows(side)) for side in sides or (whole,)):
            return True
    if sides is None:
        return False
    is_true, is_other = sides
    return cells.count_rows(is_true) < statistic.fewest_true or cells.count_rows(is_other) < FEWEST_OF_SIDE


class Denominator(NamedTuple):
    """Say how many rows a metric is over, and how many of equal weight tell as much; None where none has a weight."""

    rows: int
    effective: float | None


def count_denominator(statistic: Statistic, cells: Cells) -> Denominator:
    """Return the rows that a metric is over; of a share, those of its denominator."""
    if cells.weighing is None and statistic.is_whole is None and not math.isnan(statistic.whole):
        return Denominator(int(statistic.whole), None)
    inside = slice(None) if statistic.is_whole is None else statistic.is_whole
    return Denominator(cells.count_rows(inside), None if cells.weighing is None else cells.effective_rows(inside))


def _moves(value: float, se: float, scale: Scale) -> bool:
    """Return whether the delta method has something to go by.

    Sums of weighted rates end a little beside 0 and 1, by rounding: those lie at the end of the scale.
    """
    near = round(value, 12)
    inside = {"positive": value > 0, "signed": -1 < near < 1, "to one": near < 1, "open": True}.get(scale, 0 < near < 1)
    return inside and se > 1e-12


def _of_share(
    statistic: Statistic, se: float, edge: bool, share: ShareBounds, z: float, clusters: int | None, size: Denominator
) -> Bounds:
    part, whole = statistic.part, statistic.whole
    if clusters is None and size.effective is None:
        bounds = wilson(part, whole, z)
    elif edge:
        few = whole if size.effective is None else size.effective
        bounds = share(part / whole * few if few != whole else part, few)
    else:
        effective = _effective_whole(statistic, se)
        bounds = wilson(part / whole * effective, effective, z)
    return bounds if statistic.scale == "share" else Bounds(*(2 * bound / (1 + bound) for bound in bounds))


def _effective_whole(statistic: Statistic, se: float) -> float:
    """Return how many rows by themselves make a share, or an F1, as sure as its standard error says."""
    share = statistic.part / statistic.whole
    slope = 1.0 if statistic.scale == "share" else 2 / (1 + share) ** 2  # of F1 by the Jaccard index
    return share * (1 - share) / (se / slope) ** 2


def effective_share(statistic: Statistic, cells: Cells) -> tuple[float, float]:
    """Return part and whole of a share in effective rows; in rows where none has a weight.

    Source: Rao & Scott 1992, A simple method for the analysis of clustered binary data, Biometrics 48.
    """
    few = count_denominator(statistic, cells).effective
    if few is None or not statistic.whole:
        return float(statistic.part), float(statistic.whole)
    se = standard_error(statistic, cells)
    whole = _effective_whole(statistic, se) if _moves(statistic.value, se, statistic.scale) else few
    return statistic.part / statistic.whole * whole, whole


def on_scale(value: float, reach: float, scale: Scale) -> Bounds:
    """Return bounds of `value` ± `reach` that stay inside the scale.

    Where the reach is too far for a number, a positive value has the bounds 0 and inf: nothing is known of it.

    >>> [round(bound, 3) for bound in on_scale(0.9, 0.1, "unit")]
    [0.748, 0.965]
    """
    if scale == "signed":
        away = reach / (1 - value * value)
        return Bounds(math.tanh(math.atanh(value) - away), math.tanh(math.atanh(value) + away))
    if scale == "open":
        return Bounds(value - reach, value + reach)
    if scale == "to one":
        low, high = on_scale(1 - value, reach, "positive")
        return Bounds(1 - high, 1 - low)
    if scale == "positive":
        away = reach / value
        is_number = away < math.log(sys.float_info.max)
        return Bounds(value * math.exp(-away), value * math.exp(away)) if is_number else Bounds(0.0, math.inf)
    middle, away = math.log(value / (1 - value)), reach / (value * (1 - value))
    return Bounds(_expit(middle - away), _expit(middle + away))


def _expit(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0
