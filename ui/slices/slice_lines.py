"""The lines of the table of slices: the worst of all columns, or every slice of one column or of two crossed."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from export.by_slice.slice_search import SearchedSlices
from metrics.limits import TOO_FEW
from metrics.slices.worst import SURE, Place
from text.intervals import bounds, round_two_values, rounded
from text.numbers import p_value, signed


class Line(NamedTuple):
    """One slice with its numbers; NaN = undefined, p NaN = too few rows to tell.

    folded : how many slices only repeat it. counts : False where it may be worse by chance, as one of many crossed.
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

    @property
    def is_worse(self) -> bool:
        """Return whether it is worse than the rest after correction."""
        return bool(self.counts and self.p < SURE and self.difference < 0)

    @property
    def is_better(self) -> bool:
        """Return whether it is better than the rest after correction."""
        return bool(self.p < SURE and self.difference > 0)


def worst_lines(found: SearchedSlices) -> list[Line]:
    """Return the worst slices over all columns and pairs."""
    return [line_of(found, one.place, len(one.folded)) for one in found.worst.lines]


def column_lines(found: SearchedSlices, table: int) -> list[Line]:
    """Return the slices of a column or pair that hold rows: worse than the rest first, then by difference."""
    lines = [line_of(found, Place(table, int(place))) for place in np.flatnonzero(found.search.tables[table].n)]
    return sorted(lines, key=_harm)


def lowest_lines(found: SearchedSlices) -> list[Line]:
    """Return the slices of single columns that can be told about, by their difference to the rest."""
    single = [table for table in range(len(found.search.tables)) if len(found.columns_of(table)) == 1]
    lines = [line for table in single for line in column_lines(found, table) if not math.isnan(line.p)]
    return sorted(lines, key=lambda line: line.difference)


def _harm(line: Line) -> tuple[int, float]:
    """Order: worse after correction by the surest loss, then the others by difference, what cannot be told last."""
    if line.is_worse:
        return 0, line.difference_high
    return (2, 0.0) if math.isnan(line.p) else (1, line.difference)


def line_of(found: SearchedSlices, place: Place, folded: int = 0) -> Line:
    """Return one slice of a search."""
    table, at = found.search.tables[place.table], place.slice
    value, difference = float(table.value[at]), float(table.difference[at])
    return Line(
        found.conditions(place), int(table.n[at]), value, float(table.bounds.low[at]), float(table.bounds.high[at]),
        difference, float(table.difference_bounds.low[at]), float(table.difference_bounds.high[at]),
        float(found.search.p_adjusted[place.table][at]), value - difference, folded,
        difference >= 0 or place in found.worst.places,
    )  # fmt: skip


def whole_value(found: SearchedSlices) -> float:
    """Return the metric over all rows; NaN where it is undefined or nothing was searched."""
    if not found.search.tables:
        return math.nan
    table = found.search.tables[0]
    part, whole = table.part.sum(), table.whole.sum()
    share = part / whole if whole else math.nan
    return float(2 * share / (1 + share) if found.is_f1 else share)


def value_text(line: Line, *, is_share: bool) -> str:
    """Write the metric of a slice with the digits that its interval supports."""
    return rounded(line.value, line.low, line.high, share=is_share)


def write_two_values(line: Line, *, is_share: bool) -> tuple[str, str]:
    """Write the metric of a slice and of the rest with as many digits, one more where they differ but read the same."""
    return round_two_values(line.value, line.rest, line.low, line.high, share=is_share)


def difference_ends(line: Line, *, is_share: bool) -> tuple[str, str]:
    """Write the ends of the interval of the difference, as the difference itself."""
    low, high = (
        difference_text(line._replace(difference=end), is_share=is_share)
        for end in (line.difference_low, line.difference_high)
    )
    return low, high


def interval_text(line: Line, *, is_share: bool) -> str:
    """Write the interval of a slice's metric."""
    return bounds(line.low, line.high, share=is_share)


def difference_text(line: Line, *, is_share: bool) -> str:
    """Write the difference to the rest: points of per cent for a share of rows.

    >>> line = Line((), 9, 0.5, 0.4, 0.6, -0.2512, -0.3, -0.2, 0.01, 0.7512)
    >>> difference_text(line, is_share=True), difference_text(line, is_share=False)
    ('−25.1', '−0.251')
    """
    return signed(100 * line.difference, 1) if is_share else signed(line.difference)


def p_text(line: Line) -> str:
    """Write p after correction.

    >>> p_text(Line((), 9, 0.5, 0.4, 0.6, -0.2, -0.3, -0.2, 0.0001, 0.7))
    '< 0.001'
    """
    return "too few to tell" if math.isnan(line.p) else p_value(line.p, "")


def why_untested(line: Line) -> str:
    """Say why a slice was not tested; "" where it was."""
    if not math.isnan(line.p):
        return ""
    return f"The metric has fewer than {TOO_FEW} rows in this slice, or in the rest."
