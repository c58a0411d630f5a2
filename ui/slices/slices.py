"""The part Slices of the page: the worst slices of all columns, or every slice of one column or of two crossed."""

from __future__ import annotations

import math
from collections.abc import Callable

import streamlit as st

from charts.theme import ACCENT, MODEL
from data.comparison.filter_conditions import write_filter
from data.evaluation import Evaluation
from export.by_slice import slice_lines
from export.by_slice.slice_lines import SliceNumber
from export.by_slice.slice_results import metric_cell, name_slice
from export.by_slice.slice_search import SearchedSlices
from export.interval_text import GREY
from export.result.kinds import Cell, Column, Name, Number, Sentence, Table
from metrics.slices.worst import Place
from text.intervals import write_two_values
from text.numbers import count
from text.visible import HOVER_LIMIT, show
from ui.limits import MAX_GRID_VALUES
from ui.slices import search_cache, slice_panel
from ui.slices.choices import Asked, metric_name
from ui.slices.slice_names import short_value, slice_markdown
from ui.slices.slice_table import slice_table
from ui.text.markdown import md
from ui.text.messages import remark
from ui.view import panel, url
from ui.view.result_table.result_table import Tile, result_table

_LOWEST = 10
"""Slices that are listed where none is worse than the rest."""
_FAINTEST = 0.005
_NOTE = f"Orange is worse than the rest after correction, blue better. Grey boxes: no rows. {GREY}"


def title(evaluation: Evaluation, searched: SearchedSlices, wanted: Asked) -> str:
    """Return the finding as Markdown: the worst slice, or that none is worse."""
    lines = _lines(searched, wanted)
    worst = next((line for line in lines if line.is_worse), None)
    name = metric_name(evaluation, wanted, md)
    if worst is not None:
        value, rest = write_two_values(worst.number.value, worst.rest, share=worst.number.is_share)
        return f"{name} is {value} where {slice_markdown(worst.conditions)}, {rest} elsewhere"
    if not searched.ways:
        return "Slices: every column follows from the scores or the predictions"
    if not wanted.columns and not searched.search.n_slices:
        return "The slices have too few rows to tell"
    if not wanted.columns:
        return f"No slice is worse than the rest in {_in_sentence(name)}"
    by = " and ".join(md(column, 40) for column in wanted.columns)
    if all(math.isnan(line.p_adjusted) for line in lines):
        return f"The slices by {by} have too few rows to tell"
    return f"No slice by {by} is worse than the rest in {_in_sentence(name)}"


def _in_sentence(name: str) -> str:
    """Write the name of a metric within a sentence.

    >>> _in_sentence("Recall of `a`"), _in_sentence("F1 of `a`")
    ('recall of `a`', 'F1 of `a`')
    """
    return name if name.startswith("F1") else name[0].lower() + name[1:]


def _lines(searched: SearchedSlices, wanted: Asked) -> list[SliceNumber]:
    table = searched.table_of(wanted.columns) if wanted.columns else None
    return slice_lines.worst_lines(searched) if table is None else slice_lines.column_lines(searched, table)


def explore(evaluation: Evaluation, searched: SearchedSlices, wanted: Asked) -> None:
    """Draw the slices and the panel beside them."""
    opened = _open_line(searched)
    main, beside = panel.split_panel("slices", is_open=opened is not None)

    def on_open(conditions: str) -> None:
        url.put(slice=conditions, row=0)

    table = searched.table_of(wanted.columns) if wanted.columns else None
    with main:
        lines = _lines(searched, wanted)
        if not lines and not wanted.columns:
            lowest = slice_lines.lowest_lines(searched)
            lines = lowest[:_LOWEST]
            if lines:
                st.caption(
                    f"The lowest {len(lines)} of {count(len(lowest), 'slice')} of one column with enough rows to tell:"
                )
        if wanted.columns and table is None:
            st.markdown(
                f"These two columns were not crossed: {count(searched.search.not_crossed, 'column')} were left out."
            )
        elif not lines:
            st.markdown("Choose a column to see all of its slices.")
        else:
            if len(wanted.columns) == 2 and table is not None:
                slice_grid(searched, table, opened=url.get("slice"), on_open=on_open)
            slice_table(
                lines, metric=metric_name(evaluation, wanted),
                whole=slice_lines.whole_value(searched), opened=url.get("slice"), key="slices.table",
                named_by=() if table is None else searched.columns_of(table), on_open=on_open,
            )  # fmt: skip
    with beside:
        if opened is None:
            slice_panel.draw_searched(evaluation, searched, search_cache.sliceable(evaluation))
        else:
            slice_panel.draw_slice(evaluation, opened, wanted)


def drop_unknown(searched: SearchedSlices) -> None:
    """Take columns and a slice that this file does not have out of the view, with a sentence for each."""
    names = [way.columns[0] for way in searched.ways]
    for parameter in ("column", "cross"):
        name = url.get(parameter)
        if name and name not in names:
            url.put(**{parameter: ""})
            remark(f"Ignored {parameter}={name[:40]} in the link: this file has no such column to slice by.")
    if url.get("slice") and _open_line(searched) is None:
        slice_panel.ignore_slice()


def _open_line(searched: SearchedSlices) -> SliceNumber | None:
    """Return the slice that the view opens; None where it opens none, or this file has no such slice."""
    conditions = slice_panel.conditions_in_view()
    table = searched.table_of(tuple(column for column, _ in conditions)) if conditions else None
    if table is None:
        return None
    size = len(searched.search.tables[table].n)
    place = next(
        (place for place in range(size) if set(searched.conditions(Place(table, place))) == set(conditions)), None
    )
    if place is None or not searched.search.tables[table].n[place]:
        return None
    return slice_lines.line_of(searched, Place(table, place))


def slice_grid(searched: SearchedSlices, table: int, *, opened: str, on_open: Callable[[str], None]) -> None:
    """Draw every slice of two crossed columns; a click opens it. Nothing is drawn where there are too many values."""
    first, second = (searched.ways[cut] for cut in searched.search.tables[table].cuts)
    across = len(second.values)
    if max(len(first.values), across) > MAX_GRID_VALUES:
        return
    lines = [
        [slice_lines.line_of(searched, Place(table, row * across + column)) for column in range(across)]
        for row in range(len(first.values))
    ]
    most = max((_shade(line) for row in lines for line in row), default=0.0)
    heads = [[Name(short_value(value or "")) for (value,) in way.values] for way in (first, second)]
    names = show(first.columns[0], 60), show(second.columns[0], 60)
    columns = Column(Sentence(f"{names[0]} ↓ {names[1]} →"), Name), *(Column(head, Number) for head in heads[1])
    rows: list[tuple[Cell, ...]] = [(head, *map(metric_cell, row)) for head, row in zip(heads[0], lines, strict=True)]
    title = Sentence(names[0]), " and ", Sentence(names[1])
    crossed = Table("slice-grid", title, columns, rows, "slice", in_order=True)
    tiles = [[_tile(line, most) for line in row] for row in lines]
    result_table(crossed, key="slices.grid", tiles=tiles, opened=opened, note=_NOTE, on_choose=on_open)


def _shade(line: SliceNumber) -> float:
    """Return the end of a difference that is nearest to 0, where p is below 0.05; else 0."""
    nearest = min(abs(line.difference.low), abs(line.difference.high))
    return max(nearest, _FAINTEST) if line.is_worse or line.is_better else 0.0


def _tile(line: SliceNumber, most: float) -> Tile | None:
    if not line.n:
        return None
    about = show(f"{name_slice(line.conditions)}: {metric_cell(line).written.whole}, {line.n:,} rows", HOVER_LIMIT)
    shade, colour = _shade(line), ACCENT if line.is_worse else MODEL
    strength = 12 + 48 * math.sqrt(shade / most) if shade else 0.0
    return Tile(write_filter(line.conditions), about, colour, strength)
