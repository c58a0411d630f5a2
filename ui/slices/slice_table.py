"""The table of slices: rows, metric with its interval, difference to the rest, p; a click opens a slice."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from charts.theme import ACCENT, MODEL
from data.comparison.filter_conditions import write_filter
from export.by_slice.slice_lines import SliceNumber
from export.by_slice.slice_results import (
    cells_of_rows,
    columns_of_rows,
    difference_column,
    metric_cell,
    name_slice,
    why_untested,
)
from export.interval_text import TOO_FEW, difference_cell
from export.result.kinds import Cell, Column, Name, Number, P, Sentence, Table, Unknown
from text.numbers import count
from ui.slices.slice_names import short_value
from ui.view.result_table import result_table as page_table


def slice_table(
    lines: Sequence[SliceNumber], *, metric: str, whole: float, opened: str, key: str,
    named_by: Sequence[str] = (), on_open: Callable[[str], None],
) -> None:  # fmt: skip
    """Draw slices in the given order; `on_open` is called with the filter of the one that was clicked.

    whole : the metric of all rows. opened : the filter of the open one. named_by : columns that need not be named.
    """
    columns = (
        Column(Name(", ".join(named_by)) if named_by else "slice", Name), *columns_of_rows(lines),
        Column(Sentence(metric), Number), difference_column(), Column("p", P),
    )  # fmt: skip
    table = Table("slices", (Sentence(metric), " by slice"), columns, list(map(_row, lines)), "slice")
    axis = page_table.axis_of([end for line in lines for end in (line.number.low, line.number.high)], [whole])
    page_table.result_table(
        table, key=key, lines=[_added(line, named_by) for line in lines], axes={len(columns) - 3: axis},
        opened=opened, on_choose=on_open,
    )  # fmt: skip


def _row(line: SliceNumber) -> tuple[Cell, ...]:
    is_sure = line.is_worse or line.is_better
    whole = difference_cell(line.difference, is_share=line.number.is_share)
    difference = whole._replace(low=math.nan, high=math.nan, is_sure=is_sure)
    p = Unknown(why_untested(line), TOO_FEW) if math.isnan(line.p_adjusted) else P(line.p_adjusted)
    return Name(name_slice(line.conditions)), *cells_of_rows(line), metric_cell(line), difference, p


def _added(line: SliceNumber, named_by: Sequence[str]) -> page_table.Line:
    short = ", ".join(short_value(value) for _, value in line.conditions) if named_by else ""
    below = f"and {count(line.folded, 'slice')} within it" if line.folded else ""
    return page_table.Line(write_filter(line.conditions), short, below, colour=ACCENT if line.is_worse else MODEL)
