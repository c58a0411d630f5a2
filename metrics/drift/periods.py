"""A metric over periods, as a picture draws it: every period, and all rows before and from a time on."""

from __future__ import annotations

import math
from typing import NamedTuple

from text.intervals import write_two_values
from text.numbers import count, number, percent


class PeriodMark(NamedTuple):
    """A period: its name as uploaded, its rows, and the metric with its interval (NaN = undefined).

    is_worse : whether it is worse than the other periods after correction. about : all of it in words, plain text.
    """

    name: str
    n: int
    value: float
    low: float
    high: float
    is_worse: bool
    about: str


class Periods(NamedTuple):
    """Hold the metric of every period, in their order.

    metric : its name, plain text. levels : the metric of all rows, or of those before and from a period on.
    cut : the place of that period; 0 = none. is_share : whether the metric is written as per cent.
    level : of the intervals.
    """

    metric: str
    marks: tuple[PeriodMark, ...]
    levels: tuple[float, ...]
    cut: int
    is_share: bool
    level: float

    @property
    def spans(self) -> list[tuple[float, float, float]]:
        """Return where every level begins and ends, in places of periods, and its value."""
        ends = [0, self.cut, len(self.marks)] if self.cut else [0, len(self.marks)]
        return [(a - 0.5, b - 0.5, value) for a, b, value in zip(ends, ends[1:], self.levels, strict=False)]

    @property
    def title(self) -> str:
        """Return the takeaway: the levels, and which period is the first that is worse than the others."""
        worse = [mark.name for mark in self.marks if mark.is_worse]
        tail = f"{worse[0]} is clearly worse than the others" if worse else "no single period is clearly worse"
        if len(worse) > 1:
            tail = f"{worse[0]} is the first of {count(len(worse), 'period')} that are clearly worse"
        return f"{self.metric} is {self._levels()}: {tail}"

    def _levels(self) -> str:
        if not self.cut:
            return f"{self.write(self.levels[0])} over all periods"
        before, after = write_two_values(*self.levels, share=self.is_share)
        return f"{before} before {self.marks[self.cut].name}, {after} from then on"

    def write(self, value: float) -> str:
        """Write a value of the metric."""
        return percent(value) if self.is_share else number(value)

    @property
    def ends(self) -> tuple[float, float] | None:
        """Return the least and the largest number to be drawn; None where all are undefined."""
        drawn = [end for mark in self.marks for end in (mark.low, mark.high, mark.value)] + [*self.levels]
        known = [end for end in drawn if not math.isnan(end)]
        return (min(known), max(known)) if known else None
