"""Write a slice's numbers for the page: the metric, its interval, the difference to the rest, p."""

from __future__ import annotations

import math

from export.by_slice.slice_lines import Line
from metrics import limits
from text import intervals
from text.numbers import number, percent, signed


def value_text(line: Line, *, is_share: bool) -> str:
    """Write the metric of a slice."""
    return percent(line.value) if is_share else number(line.value)


def write_two_values(line: Line, *, is_share: bool) -> tuple[str, str]:
    """Write the metric of a slice and of the rest, with one decimal more where they differ but read the same."""
    return intervals.write_two_values(line.value, line.rest, share=is_share)


def difference_ends(line: Line, *, is_share: bool) -> tuple[str, str]:
    """Write the ends of the interval of the difference, as the difference itself."""
    low, high = (
        difference_text(line._replace(difference=end), is_share=is_share)
        for end in (line.difference_low, line.difference_high)
    )
    return low, high


def interval_text(line: Line, *, is_share: bool) -> str:
    """Write the interval of a slice's metric."""
    return intervals.bounds(line.low, line.high, share=is_share)


def difference_text(line: Line, *, is_share: bool) -> str:
    """Write the difference to the rest: points of per cent for a share of rows.

    >>> line = Line((), 9, 0.5, 0.4, 0.6, -0.2512, -0.3, -0.2, 0.01, 0.7512)
    >>> difference_text(line, is_share=True), difference_text(line, is_share=False)
    ('−25.1', '−0.251')
    """
    return signed(100 * line.difference, 1) if is_share else signed(line.difference)


def why_untested(line: Line) -> str:
    """Say why a slice was not tested; "" where it was."""
    if not math.isnan(line.p):
        return ""
    return f"The metric has fewer than {limits.TOO_FEW} rows in this slice, or in the rest."
