"""Rates of groups, and the gaps between them: selection rate, TPR, FPR, PPV, with intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from metrics.intervals.joint_counts import JointCounts, cells_of
from metrics.intervals.statistic import Interval, Statistic, count_denominator, interval, share_of_rows
from metrics.limits import TOO_FEW
from metrics.shares import Bounds, square_and_add
from metrics.slices.two_samples import shared_covariance

if TYPE_CHECKING:
    from metrics.slices.slices import SliceCounts

GROUP_RATES = ("selection_rate", "base_rate", "tpr", "fpr", "ppv", "accuracy")
GAP_RATES = ("selection_rate", "tpr", "fpr", "ppv", "accuracy")
ERROR_RATES = ("tpr", "fpr", "ppv")
"""Rates that say how often the model is wrong about a class; the selection rate follows the truth, too."""
DIFFERS, MAY_BE_CHANCE, TOO_FEW_TO_TELL = "differs", "may be chance", "too few rows to tell"
FOUR_FIFTHS = 0.8
"""A group that is selected less than four fifths as often as another: the rule of thumb of US employment law."""


class Group(NamedTuple):
    """One group: its place, its rows, its rates with intervals."""

    place: int
    n: int
    rates: dict[str, Interval]


class Gap(NamedTuple):
    """The surest gap of a rate between groups with enough rows; NaN where there are no two such groups.

    lower, higher : places of the two groups, -1 without. difference : higher less lower. ratio : lower over higher.
    verdict : "differs" where the interval leaves 0 out, else "may be chance"; of fewer than two groups "too few rows to
    tell". left_out : groups with too few rows.
    lowest, highest : places of the groups with the lowest and the highest rate, which need not be the surest.
    """

    lower: int
    higher: int
    difference: float
    low: float
    high: float
    ratio: float
    ratio_low: float
    ratio_high: float
    verdict: str
    left_out: tuple[int, ...]
    lowest: int = -1
    highest: int = -1


class RateMark(NamedTuple):
    """A rate of one group as a picture marks it, in plain text: its name, the rows that the rate is over, all in words.

    few : whether these rows are too few to compare the group.
    """

    place: int
    name: str
    base: str
    about: str
    rate: Interval
    few: bool


def group_rates(counts: SliceCounts, *, level: float = 0.95) -> list[Group]:
    """Return rates of every group of a binary task.

    Raises
    ------
    ValueError
        there is no positive class.
    """
    intervals: dict[int, dict[str, Interval]] = {}
    for name, rates in _rates_of_groups(counts).items():
        for rate in rates:
            intervals.setdefault(rate.place, {})[name] = interval(rate.statistic, rate.cells, level=level)
    n = np.bincount(counts.slice_of, counts.cells.row_counts, minlength=counts.n_slices)
    return [Group(place, int(n[place]), rates) for place, rates in intervals.items()]


class _Rate(NamedTuple):
    """A rate of one group, and the cells that it is over."""

    place: int
    statistic: Statistic
    cells: JointCounts


def _rates_of_groups(counts: SliceCounts) -> dict[str, list[_Rate]]:
    """Return every rate of every group, in order."""
    if counts.positive is None or not isinstance(counts.cells, JointCounts):
        raise ValueError("rates of groups need a positive class")
    by_rate: dict[str, list[_Rate]] = {name: [] for name in GROUP_RATES}
    for place in range(counts.n_slices):
        group_cells = cells_of(counts.cells, counts.slice_of == place).one_vs_rest(counts.positive)
        for name, statistic in _statistics(group_cells).items():
            by_rate[name].append(_Rate(place, statistic, group_cells))
    return by_rate


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


def gaps(counts: SliceCounts, *, level: float = 0.95) -> dict[str, Gap]:
    """Return the surest gap of every rate: that of the two groups whose interval lies furthest from 0.

    Groups whose rate has fewer than ten rows (or one cluster), or that few rows decide, are left out. Intervals are
    Newcombe's of two samples; the level is split over all pairs of groups (Bonferroni), since all of them are looked
    at. The ratio takes the same bounds on the logarithm. Clusters that lie in two groups count for both at once.

    Raises
    ------
    ValueError
        there is no positive class.
    """
    by_rate = _rates_of_groups(counts)
    return {name: _gap(by_rate[name], level) for name in GAP_RATES}


def _gap(rates: list[_Rate], level: float) -> Gap:
    known = [_is_known(rate) for rate in rates]
    enough = [rate for rate, is_known in zip(rates, known, strict=True) if is_known]
    left_out = tuple(rate.place for rate, is_known in zip(rates, known, strict=True) if not is_known)
    nan = math.nan
    if len(enough) < 2:
        return Gap(-1, -1, nan, nan, nan, nan, nan, nan, TOO_FEW_TO_TELL, left_out)
    enough.sort(key=lambda rate: rate.statistic.value)
    wanted = 1 - (1 - level) * 2 / (len(enough) * (len(enough) - 1))
    ends = [interval(rate.statistic, rate.cells, level=wanted) for rate in enough]
    values = [rate.statistic.value for rate in enough]
    surest = _between(enough[0], ends[0], enough[-1], ends[-1])
    for a, b in sorted(combinations(range(len(enough)), 2), key=lambda pair: values[pair[0]] - values[pair[1]]):
        if values[b] - values[a] <= surest.low:  # the others are smaller than what is sure
            break
        gap = _between(enough[a], ends[a], enough[b], ends[b])
        surest = gap if gap.low > surest.low else surest
    return surest._replace(left_out=left_out, lowest=enough[0].place, highest=enough[-1].place)


def _is_known(rate: _Rate) -> bool:
    """Return whether a rate of a group is over enough rows and clusters, and more than a few rows decide it."""
    is_large = count_denominator(rate.statistic, rate.cells).rows >= TOO_FEW and rate.cells.n_clusters != 1
    return is_large and not interval(rate.statistic, rate.cells).few_decide


def surest_gap(gaps: Mapping[str, Gap]) -> tuple[str, Gap] | None:
    """Return the rate and the gap that differs most surely: of an error rate, else of the selection rate, else None.

    Accuracy is left out: its rates of the two classes say more.
    """
    for names in (ERROR_RATES, ("selection_rate",)):
        clear = [(name, gaps[name]) for name in names if gaps[name].verdict == DIFFERS]
        if clear:
            return max(clear, key=lambda named: named[1].low)
    return None


def _between(a: _Rate, of_a: Interval, b: _Rate, of_b: Interval) -> Gap:
    """Return the gap from a group to one with a higher rate."""
    shared, product = shared_covariance(a.statistic, a.cells, b.statistic, b.cells), of_a.se * of_b.se
    correlation = shared / product if product > 0 else 0.0
    ends = Bounds(of_a.low, of_a.high), Bounds(of_b.low, of_b.high)
    bounds = square_and_add(of_a.value, ends[0], of_b.value, ends[1], correlation)
    ratio, of_ratio = _ratio([of_a.value, of_b.value], list(ends), correlation)
    verdict = DIFFERS if bounds.low > 0 else MAY_BE_CHANCE
    return Gap(a.place, b.place, of_b.value - of_a.value, *bounds, ratio, *of_ratio, verdict, ())


def _ratio(values: list[float], ends: list[Bounds], correlation: float) -> tuple[float, Bounds]:
    """Return lowest over highest with bounds by squares added on the logarithm."""
    if not values[1]:
        return math.nan, Bounds(math.nan, math.nan)
    ratio = values[0] / values[1]
    if not values[0] or not ends[0].low or not ends[1].low:
        return ratio, Bounds(0.0, min(math.inf, ends[0].high / ends[1].low if ends[1].low else math.inf))
    logs = [math.log(value) for value in values]
    in_logs = [Bounds(math.log(end.low), math.log(end.high)) for end in ends]
    log_bounds = square_and_add(logs[1], in_logs[1], logs[0], in_logs[0], correlation)
    return ratio, Bounds(math.exp(log_bounds.low), math.exp(log_bounds.high))
