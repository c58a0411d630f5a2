"""Say an interval in words: its level, its method, the rows and clusters behind it, and where they are too few."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from export.result.kinds import Amount, Difference as DifferenceCell, Number, Share
from metrics.intervals.statistic import Interval
from text.intervals import bounds, name_interval
from text.numbers import count, number, percent

if TYPE_CHECKING:
    from metrics.comparison.differences import Difference

TOO_FEW = "too few rows to tell"
FEW_DECIDE = "too few rows decide it"
GREY = f"Grey: {TOO_FEW}, or {FEW_DECIDE}."
NOT_COVERED = (
    "An interval covers chance in the choice of rows. It does not cover wrong labels, a threshold chosen on the same "
    "rows, or rows that are no random sample."
)


def value_of(interval: Interval) -> str:
    """Write a metric, or a share as per cent."""
    return percent(interval.value) if interval.is_share else number(interval.value)


def bounds_of(interval: Interval) -> str:
    """Write the ends of an interval; empty where it has none."""
    return bounds(interval.low, interval.high, share=interval.is_share)


def interval_cell(interval: Interval) -> Number:
    """Return a number with its interval as a cell of a table."""
    kind = Share if interval.is_share else Number
    return kind(interval.value, interval.low, interval.high, about=interval.method, few=say_few(interval))


def value_cell(interval: Interval) -> Number:
    """Return a number without its interval as a cell of a table; it is grey all the same."""
    return interval_cell(interval)._replace(low=math.nan, high=math.nan, about="")


def difference_cell(moved: Difference, *, is_share: bool = False) -> DifferenceCell:
    """Return a difference with its interval as a cell of a table."""
    few = FEW_DECIDE if moved.few_decide else ""
    return DifferenceCell(moved.value, moved.low, moved.high, is_share=is_share, few=few)


def compare_with_now(less: float, low: float = math.nan, high: float = math.nan, per: str = "") -> str:
    """Say how much less something costs than now, or how much more.

    low, high : the ends of what it costs less; NaN = they are not written.

    >>> compare_with_now(5, 3, 7, " a day"), compare_with_now(-5, -7, -3), compare_with_now(0)
    ('5 (3 to 7) a day less than now', '5 (3 to 7) more than now', 'as much as now')
    """
    if not less:
        return "as much as now"
    is_less = less > 0
    amount = Amount(less, low, high) if is_less else Amount(-less, -high, -low)
    return f"{amount.written.whole}{per} {'less' if is_less else 'more'} than now"


def why_untested(moved: Difference) -> str:
    """Say why a difference has no p."""
    return FEW_DECIDE if moved.few_decide else moved.method


def say_few(interval: Interval) -> str:
    """Say that an interval is too wide, or from too little, to tell; empty where it is not.

    >>> say_few(Interval(0.5, 0.24, 0.76, 0.15, "Wilson", 0.95, 900, 12))
    'too few clusters to tell'
    """
    if not interval.too_few:
        return ""
    if interval.few_decide:
        return FEW_DECIDE
    return TOO_FEW if interval.clusters is None else TOO_FEW.replace("rows", "clusters")


def describe(interval: Interval) -> str:
    """Say an interval with its level, its method and what it is from.

    >>> describe(Interval(0.5, 0.24, 0.76, 0.15, "Wilson", 0.95, 10, None))
    '95 % interval 0.240 to 0.760 (Wilson, 10 rows): too few rows to tell'
    """
    if math.isnan(interval.value):
        return ""
    of = count(interval.n) + ("" if interval.clusters is None else f" in {count(interval.clusters, 'cluster')}")
    of += "" if interval.effective_n is None else f", as much as {interval.effective_n:,.1f} of equal weight"
    if math.isnan(interval.low):
        return f"no interval: {interval.method} ({of})"
    few = f": {say_few(interval)}" if interval.too_few else ""
    return f"{name_interval(interval.level)} {bounds_of(interval)} ({interval.method}, {of}){few}"
