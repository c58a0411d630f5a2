"""Rates of groups, and the gaps between them: selection rate, TPR, FPR, PPV, with intervals."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from metrics.intervals.joint_counts import JointCounts, cells_of
from metrics.intervals.shares import Bounds, critical_value, square_and_add
from metrics.intervals.statistic import Interval, Statistic, interval, share_of_rows
from metrics.limits import TOO_FEW

if TYPE_CHECKING:
    from metrics.slices.slices import SliceCounts

GROUP_RATES = ("selection_rate", "base_rate", "tpr", "fpr", "ppv", "accuracy")
GAP_RATES = ("selection_rate", "tpr", "fpr", "ppv", "accuracy")
DIFFERS, CANNOT_BE_TOLD = "differs", "cannot be told"


class Group(NamedTuple):
    """One group: its place, its rows, its rates with intervals."""

    place: int
    n: int
    rates: dict[str, Interval]


class Gap(NamedTuple):
    """The surest gap of a rate between groups with enough rows; NaN where there are no two such groups.

    lowest, highest : places of the groups, -1 without. difference : highest less lowest. ratio : lowest over highest.
    verdict : "differs" where the interval leaves 0 out, else "cannot be told". left_out : groups with too few rows.
    """

    lowest: int
    highest: int
    difference: float
    low: float
    high: float
    ratio: float
    ratio_low: float
    ratio_high: float
    verdict: str
    left_out: tuple[int, ...]


def group_rates(counts: SliceCounts, *, level: float = 0.95) -> list[Group]:
    """Rates of every group of a binary task.

    Raises
    ------
    ValueError
        there is no positive class.
    """
    if counts.positive is None or not isinstance(counts.cells, JointCounts):
        raise ValueError("rates of groups need a positive class")
    found = []
    for place in range(counts.n_slices):
        own = cells_of(counts.cells, counts.slice_of == place).one_vs_rest(counts.positive)
        rates = {name: interval(one, own, level=level) for name, one in _statistics(own).items()}
        found.append(Group(place, own.n, rates))
    return found


def _statistics(cells: JointCounts) -> dict[str, Statistic]:
    is_true, is_pred = cells.true == 1, cells.preds[0] == 1
    return {
        "selection_rate": share_of_rows(cells, is_pred),
        "base_rate": share_of_rows(cells, is_true),
        "tpr": share_of_rows(cells, is_pred, is_true),
        "fpr": share_of_rows(cells, is_pred, ~is_true),
        "ppv": share_of_rows(cells, is_true, is_pred),
        "accuracy": share_of_rows(cells, is_true == is_pred),
    }


def gaps(groups: list[Group], *, level: float = 0.95) -> dict[str, Gap]:
    """The surest gap of every rate: that of the two groups whose interval lies furthest from 0.

    Groups whose rate has fewer than ten rows are left out, and tiny ones do not decide. Intervals are Newcombe's of
    two samples; the level is split over all pairs of groups (Bonferroni), since all of them are looked at. The ratio
    takes the same bounds on the logarithm.
    """
    return {name: _gap(groups, name, level) for name in GAP_RATES}


def _gap(groups: list[Group], name: str, level: float) -> Gap:
    enough = [one for one in groups if one.rates[name].n >= TOO_FEW]
    left_out = tuple(one.place for one in groups if one.rates[name].n < TOO_FEW)
    nan = math.nan
    if len(enough) < 2:
        return Gap(-1, -1, nan, nan, nan, nan, nan, nan, CANNOT_BE_TOLD, left_out)
    n_pairs = len(enough) * (len(enough) - 1) / 2
    ends = _widened([one.rates[name] for one in enough], level, 1 - (1 - level) / n_pairs)
    ordered = sorted(zip(enough, ends, strict=True), key=lambda each: each[0].rates[name].value)
    found = [
        (square_and_add(one.rates[name].value, of_one, two.rates[name].value, of_two), one, of_one, two, of_two)
        for (one, of_one), (two, of_two) in combinations(ordered, 2)
    ]
    bounds, one, of_one, two, of_two = max(found, key=lambda each: each[0].low)
    values = [one.rates[name].value, two.rates[name].value]
    ratio, of_ratio = _ratio(values, [of_one, of_two])
    verdict = DIFFERS if bounds.low > 0 else CANNOT_BE_TOLD
    return Gap(one.place, two.place, values[1] - values[0], *bounds, ratio, *of_ratio, verdict, left_out)


def _widened(rates: list[Interval], level: float, wanted: float) -> list[Bounds]:
    """Bounds of shares at another level, by how much further its quantile lies."""
    found = []
    for one in rates:
        by = critical_value(wanted, one.clusters) / critical_value(level, one.clusters)
        low, high = one.value - by * (one.value - one.low), one.value + by * (one.high - one.value)
        found.append(Bounds(max(0.0, low), min(1.0, high)))
    return found


def _ratio(values: list[float], ends: list[Bounds]) -> tuple[float, Bounds]:
    """Lowest over highest with bounds by squares added on the logarithm."""
    if not values[1]:
        return math.nan, Bounds(math.nan, math.nan)
    ratio = values[0] / values[1]
    if not values[0] or not ends[0].low or not ends[1].low:
        return ratio, Bounds(0.0, min(math.inf, ends[0].high / ends[1].low if ends[1].low else math.inf))
    logs = [math.log(value) for value in values]
    in_logs = [Bounds(math.log(one.low), math.log(one.high)) for one in ends]
    found = square_and_add(logs[1], in_logs[1], logs[0], in_logs[0])
    return ratio, Bounds(math.exp(found.low), math.exp(found.high))
