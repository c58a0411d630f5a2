"""One slice against the rest of the rows: its numbers, and where it stands among the others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from data.comparison.slice_columns import Slicing
from export.by_slice.slice_search import SearchedSlices
from export.interval_text import say_few
from metrics.slices.slices import Slice
from metrics.slices.worst import SURE, Place


class Line(NamedTuple):
    """One slice with its numbers; NaN = undefined, p NaN = too few rows to tell.

    conditions : column and value, "" = missing. folded : how many slices only repeat it. counts : False where it may
    be worse by chance, as one of many crossed. effective_n : how many rows of equal weight tell as much; None where no
    row has a weight. few : why the rows of the slice are too few to tell the value; "" = they are not.
    few_decide : whether few rows decide the difference.
    """

    conditions: tuple[tuple[str, str], ...]
    n: int
    value: float
    low: float
    high: float
    difference: float
    difference_low: float
    difference_high: float
    p: float
    rest: float
    folded: int = 0
    counts: bool = True
    effective_n: float | None = None
    few: str = ""
    few_decide: bool = False

    @property
    def is_worse(self) -> bool:
        """Return whether it is worse than the rest after correction."""
        return bool(self.counts and self.p < SURE and self.difference < 0)

    @property
    def is_better(self) -> bool:
        """Return whether it is better than the rest after correction."""
        return bool(self.p < SURE and self.difference > 0)


def line_of(searched: SearchedSlices, place: Place, folded: int = 0) -> Line:
    """Return one slice of a search."""
    table, row = searched.search.tables[place.table], place.slice
    value, difference = float(table.value[row]), float(table.difference[row])
    return Line(
        conditions=searched.conditions(place),
        n=int(table.n[row]),
        value=value,
        low=float(table.bounds.low[row]),
        high=float(table.bounds.high[row]),
        difference=difference,
        difference_low=float(table.difference_bounds.low[row]),
        difference_high=float(table.difference_bounds.high[row]),
        p=float(searched.search.p_adjusted[place.table][row]),
        rest=value - difference,
        folded=folded,
        counts=difference >= 0 or place in searched.worst.places,
        effective_n=table.effective_of(row),
        few=say_few(table.interval_of(row, searched.search.level)),
        few_decide=table.difference_of(row).few_decide,
    )


def line_of_slice(way: Slicing, part: Slice, metric: str) -> Line:
    """Return one slice that was asked for, by one of its metrics."""
    value, moved = part.metrics[metric], part.difference_to_rest[metric]
    return Line(
        conditions=way.conditions(part.place),
        n=part.n,
        value=value.value,
        low=value.low,
        high=value.high,
        difference=moved.value,
        difference_low=moved.low,
        difference_high=moved.high,
        p=part.p_adjusted[metric],
        rest=value.value - moved.value,
        effective_n=part.effective_n,
        few=say_few(value),
        few_decide=moved.few_decide,
    )


def worst_lines(searched: SearchedSlices) -> list[Line]:
    """Return the worst slices over all columns and pairs."""
    return [line_of(searched, worst.place, len(worst.folded)) for worst in searched.worst.lines]


def lines_of(searched: SearchedSlices, table: int) -> Iterator[tuple[int, Line]]:
    """Yield the slices of a table that hold rows, in their order, with their places."""
    for place, n in enumerate(searched.search.tables[table].n):
        if n:
            yield place, line_of(searched, Place(table, place))


def column_lines(searched: SearchedSlices, table: int) -> list[Line]:
    """Return the slices of a column or pair that hold rows: worse than the rest first, then by difference."""
    return sorted((line for _, line in lines_of(searched, table)), key=_harm)


def lowest_lines(searched: SearchedSlices) -> list[Line]:
    """Return the slices of single columns that can be told about, by their difference to the rest."""
    single = [table for table in range(len(searched.search.tables)) if len(searched.columns_of(table)) == 1]
    lines = [line for table in single for line in column_lines(searched, table) if not math.isnan(line.p)]
    return sorted(lines, key=lambda line: line.difference)


def _harm(line: Line) -> tuple[int, float]:
    """Order: worse after correction by the surest loss, then the others by difference, those of too few rows last."""
    if line.is_worse:
        return 0, line.difference_high
    return (2, 0.0) if math.isnan(line.p) else (1, line.difference)


def whole_value(searched: SearchedSlices) -> float:
    """Return the metric over all rows; NaN where it is undefined or nothing was searched."""
    return value_of(searched, 0, slice(None)) if searched.search.tables else math.nan


def value_of(searched: SearchedSlices, table: int, places: Sequence[int] | slice) -> float:
    """Return the metric over the rows of some slices of a table; NaN where it is undefined."""
    counts = searched.search.tables[table]
    part, whole = counts.part[places].sum(), counts.whole[places].sum()
    share = part / whole if whole else math.nan
    return float(2 * share / (1 + share) if searched.is_f1 else share)
