"""One slice against the rest of the rows: its number, and where it stands among the others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from data.comparison.filter_conditions import Conditions
from data.comparison.slice_columns import Slicing
from export.by_slice.slice_search import RATES, SearchedSlices
from export.by_slice.slices import number_json
from export.interval_text import difference_cell, interval_cell, why_untested
from export.result.kinds import Difference as DifferenceCell, Number, P, Unknown
from metrics.comparison.differences import Difference
from metrics.intervals.statistic import Interval
from metrics.slices.slices import Slice
from metrics.slices.worst import SURE, Place
from text.numbers import UNDEFINED


class SliceNumber(NamedTuple):
    """Hold a number of one slice, and how far it is from that of all other rows.

    conditions : column and value, "" = missing. n : its scored rows.
    effective_n : how many rows of equal weight tell as much; None where no row has a weight.
    p_adjusted : of all slices together; NaN where nothing was tested. folded : how many slices only repeat it.
    counts : False where it may be worse by chance, as one of many crossed.
    bound : how far the number may lie from that of exact scores, where scores were grouped into bins.
    """

    conditions: Conditions
    n: int
    effective_n: float | None
    number: Interval
    difference: Difference
    p_adjusted: float
    folded: int = 0
    counts: bool = True
    bound: float = 0.0

    @property
    def is_undefined(self) -> bool:
        """Return whether the rows of the slice do not define the number."""
        return math.isnan(self.number.value)

    @property
    def rest(self) -> float:
        """Return the number of all other rows."""
        return self.number.value - self.difference.value

    @property
    def is_worse(self) -> bool:
        """Return whether it is worse than the rest after correction."""
        return bool(self.counts and self.p_adjusted < SURE and self.difference.value < 0)

    @property
    def is_better(self) -> bool:
        """Return whether it is better than the rest after correction."""
        return bool(self.p_adjusted < SURE and self.difference.value > 0)

    def to_json(self) -> dict[str, float | int | str | None]:
        """Return the number with its interval, and why it is undefined."""
        reason = {"why_undefined": self.number.why_undefined} if self.is_undefined else {}
        return {**number_json(self.number), **reason, **({"score_error_bound": self.bound} if self.bound else {})}

    @property
    def difference_cells(self) -> tuple[DifferenceCell | Unknown, P | Unknown]:
        """Return the difference to all other rows and its p, or why nothing was tested."""
        if math.isnan(self.p_adjusted):
            return Unknown(why_untested(self.difference)), Unknown("")
        return difference_cell(self.difference, is_share=self.number.is_share), P(self.p_adjusted)

    @property
    def cell(self) -> Number | Unknown:
        """Return the number with its interval, or why it is undefined."""
        if self.is_undefined:
            return Unknown(self.number.why_undefined or UNDEFINED, UNDEFINED)
        without = self.number.method.removeprefix("undefined: ") if math.isnan(self.number.low) else ""
        return interval_cell(self.number)._replace(without=without, bound=self.bound)


def line_of(searched: SearchedSlices, place: Place, folded: int = 0) -> SliceNumber:
    """Return one slice of a search."""
    table, row = searched.search.tables[place.table], place.slice
    unit = "" if searched.metric in RATES else "share"
    number, difference = table.interval_of(row, searched.search.level)._replace(unit=unit), table.difference_of(row)
    return SliceNumber(
        searched.conditions(place), int(table.n[row]), table.effective_of(row), number, difference,
        float(searched.search.p_adjusted[place.table][row]), folded,
        counts=difference.value >= 0 or place in searched.worst.places,
    )  # fmt: skip


def line_of_slice(way: Slicing, part: Slice, metric: str, unit: str) -> SliceNumber:
    """Return one slice that was asked for, by one of its metrics and its unit."""
    number, difference = part.metrics[metric]._replace(unit=unit), part.difference_to_rest[metric]
    return SliceNumber(
        way.conditions(part.place), part.n, part.effective_n, number, difference, part.p_adjusted[metric]
    )


def worst_lines(searched: SearchedSlices) -> list[SliceNumber]:
    """Return the worst slices over all columns and pairs."""
    return [line_of(searched, worst.place, len(worst.folded)) for worst in searched.worst.lines]


def lines_of(searched: SearchedSlices, table: int) -> Iterator[tuple[int, SliceNumber]]:
    """Yield the slices of a table that hold rows, in their order, with their places."""
    for place, n in enumerate(searched.search.tables[table].n):
        if n:
            yield place, line_of(searched, Place(table, place))


def column_lines(searched: SearchedSlices, table: int) -> list[SliceNumber]:
    """Return the slices of a column or pair that hold rows: worse than the rest first, then by difference."""
    return sorted((line for _, line in lines_of(searched, table)), key=_harm)


def lowest_lines(searched: SearchedSlices) -> list[SliceNumber]:
    """Return the slices of single columns that can be told about, by their difference to the rest."""
    single = [table for table in range(len(searched.search.tables)) if len(searched.columns_of(table)) == 1]
    lines = [line for table in single for line in column_lines(searched, table) if not math.isnan(line.p_adjusted)]
    return sorted(lines, key=lambda line: line.difference.value)


def _harm(line: SliceNumber) -> tuple[int, float]:
    """Order: worse after correction by the surest loss, then the others by difference, those of too few rows last."""
    if line.is_worse:
        return 0, line.difference.high
    return (2, 0.0) if math.isnan(line.p_adjusted) else (1, line.difference.value)


def whole_value(searched: SearchedSlices) -> float:
    """Return the metric over all rows; NaN where it is undefined or nothing was searched."""
    return value_of(searched, 0, slice(None)) if searched.search.tables else math.nan


def value_of(searched: SearchedSlices, table: int, places: Sequence[int] | slice) -> float:
    """Return the metric over the rows of some slices of a table; NaN where it is undefined."""
    counts = searched.search.tables[table]
    part, whole = counts.part[places].sum(), counts.whole[places].sum()
    share = part / whole if whole else math.nan
    return float(2 * share / (1 + share) if searched.metric == "f1" else share)
