"""The table of slices: rows, metric with its interval, difference to the rest, p; a click opens a slice."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from charts.theme import ACCENT, MODEL
from data.comparison.filter_conditions import write_filter
from export.by_slice.slice_lines import Line
from export.by_slice.slice_results import (
    cells_of_rows,
    columns_of_rows,
    difference_column,
    metric_cell,
    name_slice,
    slice_difference,
    why_untested,
)
from export.interval_text import TOO_FEW
from export.result.kinds import Cell, Column, Name, Number, P, Sentence, Share, Table, Unknown
from text.numbers import count
from ui.slices.slice_names import short_value
from ui.view.result_table import result_table as page_table


def slice_table(
    lines: Sequence[Line], *, metric: str, is_share: bool, whole: float, opened: str, key: str,
    named_by: Sequence[str] = (), on_open: Callable[[str], None],
) -> None:  # fmt: skip
    """Draw slices in the given order; `on_open` is called with the filter of the one that was clicked.

    whole : the metric of all rows. opened : the filter of the open one. named_by : columns that need not be named.
    """
    columns = (
        Column(Name(", ".join(named_by)) if named_by else "slice", Name), *columns_of_rows(lines),
        Column(Sentence(metric), Share if is_share else Number),
        difference_column(), Column("p", P),
    )  # fmt: skip
    rows = [_row(line, is_share=is_share) for line in lines]
    table = Table("slices", (Sentence(metric), " by slice"), columns, rows, "slice")
    axis = page_table.axis_of([end for line in lines for end in (line.low, line.high)], [whole])
    page_table.result_table(
        table, key=key, lines=[_added(line, named_by) for line in lines], axes={len(columns) - 3: axis},
        opened=opened, on_choose=on_open,
    )  # fmt: skip


def _row(line: Line, *, is_share: bool) -> tuple[Cell, ...]:
    is_sure = line.is_worse or line.is_better
    whole = slice_difference(line, is_share=is_share)
    difference = whole._replace(low=math.nan, high=math.nan, is_sure=is_sure)
    p = Unknown(why_untested(line), TOO_FEW) if math.isnan(line.p) else P(line.p)
    metric = metric_cell(line, is_share=is_share)
    return Name(name_slice(line.conditions)), *cells_of_rows(line), metric, difference, p


def _added(line: Line, named_by: Sequence[str]) -> page_table.Line:
    short = ", ".join(short_value(value) for _, value in line.conditions) if named_by else ""
    below = f"and {count(line.folded, 'slice')} within it" if line.folded else ""
    return page_table.Line(write_filter(line.conditions), short, below, colour=ACCENT if line.is_worse else MODEL)
