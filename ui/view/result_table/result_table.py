"""Draw typed tables on the page: one component sorts, finds, draws intervals and reports clicks for all of them."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from charts.theme import ACCENT, MODEL, REFERENCE, RUNS
from export.interval_text import GREY
from export.result.kinds import (
    Cell,
    Column,
    Count,
    Difference,
    Label,
    Number,
    Result,
    Table,
    Unknown,
    Verdict,
    Written,
)
from export.result.written import plain_name, write_cell, write_head, write_words
from text.visible import HOVER_LIMIT, keep_together, show
from ui.text.component import TABLES, component, report_offered
from ui.view.data_table import draw_sentences, write_markdown

_component = component(__file__, "result_table", '<div class="result"></div>', style=TABLES)
_NAME = 120
_BADGES = "AB"
_LARGEST = 1e300  # JSON has no infinity, which a threshold above every score is


class Axis(NamedTuple):
    """The axis that the intervals of a column share, and the values that are marked on it."""

    low: float = 0.0
    high: float = 1.0
    marks: Sequence[float] = (0.0, 0.5, 1.0)

    def place(self, value: float) -> float | None:
        """Return the place of a value as a share of the axis; None = it is undefined.

        >>> Axis(1.0, 3.0).place(1.5), Axis().place(2.0), Axis().place(math.nan), Axis(1.0, 1.0).place(1.0)
        (0.25, 1.0, None, 0.5)
        """
        if math.isnan(value):
            return None
        if self.high <= self.low:
            return 0.5
        return round(min(1.0, max(0.0, (value - self.low) / (self.high - self.low))), 4)


def axis_of(values: Sequence[float], marks: Sequence[float], room: float = 0.0) -> Axis:
    """Return the axis that holds all values; room : what stays free at its ends, as a share of it."""
    known = [value for value in (*values, *marks) if not math.isnan(value)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    free = room * (high - low)
    return Axis(low - free, high + free, [mark for mark in marks if not math.isnan(mark)])


class Line(NamedTuple):
    """Hold what the page adds to a line of a table.

    chosen : what a click reports; empty = nothing. name : a short form of its name. below : softer words below that.
    badge : "A" or "B", "" = the room of none; None = no such room. colour : of its dots.
    heading : words above it across all columns, and softer ones.
    """

    chosen: str = ""
    name: str = ""
    below: str = ""
    badge: str | None = None
    colour: str = ""
    heading: tuple[str, str] | None = None


class Tile(NamedTuple):
    """A cell that is clicked by itself: what it reports, what hovering says, its colour and how strong that is."""

    chosen: str
    about: str
    colour: str = ""
    strength: float = 0.0


def draw_table(table: Table, *, key: str, **options: Any) -> None:
    """Draw a table below its title, its note below it; options : those of `result_table`."""
    st.header(write_markdown(table.words), anchor=False)
    result_table(table, key=key, **options)
    draw_sentences([table.note] if table.note else [], small=True)


def draw_tables(result: Result, **options: Any) -> None:
    """Draw every table of a result, then its notes; options : those of `draw_table`."""
    for table in result.tables:
        draw_table(table, key=f"{result.name}.{table.name}", **options)
    draw_sentences(result.notes, small=True)


def result_table(
    table: Table,
    *,
    key: str,
    opened: str = "",
    on_choose: Callable[[str], object] = lambda chosen: None,
    **options: Any,
) -> None:
    """Draw a table; `on_choose` is called with what a clicked line, or tile, reports.

    opened : what the open line reports. options : those of `write_table`.
    """
    draw_written(write_table(table, **options), key=key, opened=opened, on_choose=on_choose)


class WrittenTable(NamedTuple):
    """A table as the browser gets it, and what its clicks may report."""

    data: dict[str, Any]
    offered: frozenset[str]


def draw_written(
    written: WrittenTable, *, key: str, opened: str = "", on_choose: Callable[[str], object] = lambda chosen: None
) -> None:
    """Draw a table that was written before, as a page does that keeps a long one."""
    callback = report_offered(key, written.offered, on_choose)
    _component(data=written.data | {"open": opened}, key=key, on_chosen_change=callback)


def write_table(
    table: Table,
    *,
    lines: Sequence[Line] = (),
    tiles: Sequence[Sequence[Tile | None]] = (),
    axes: Mapping[int, Axis] | None = None,
    sorted_by: tuple[int, str] = (-1, ""),
    note: str = "",
    in_window: bool = False,
) -> WrittenTable:
    """Write a table for the browser.

    lines : what the page adds to each line. tiles : cells of each line that are clicked by themselves, None = empty.
    axes : of columns whose intervals are drawn; none = of those with ends, or a bar, from 0 to 1.
    sorted_by : the column of the order, and its words beside the arrow.
    note : what is said below where numbers are grey; "" = that their rows are too few.
    in_window : whether it ends with the window; then the page finds lines, and intervals are said by hovering.
    """
    if axes is None:
        axes = {place: Axis() for place, column in enumerate(table.columns) if column.ends or column.is_drawn}
    lines = lines or [Line()] * len(table.rows)
    with_ends = not (in_window or tiles)
    rows: list[dict[str, Any]] = []
    for row, line in zip(table.rows, lines, strict=True):
        rows.append({"cells": _cells(table.columns, row, line, axes, with_ends=with_ends)})
        rows[-1] |= {"chosen": line.chosen} if line.chosen else {}
        rows[-1] |= {"heading": line.heading} if line.heading else {}
    for made, row_tiles in zip(rows, tiles, strict=False):
        for cell, tile in zip(made["cells"][1:], row_tiles, strict=True):
            cell["tile"] = tile and tile._asdict()
    heads = shown_heads(table)
    data = {
        "label": write_words(table.words, plain_name),
        "noun": table.noun,
        "columns": [
            _column(column, place, heads[place], axes.get(place)) for place, column in enumerate(table.columns)
        ],
        "rows": rows,
        "tiled": bool(tiles),
        "sorts": not table.in_order,
        "by": sorted_by[0],
        "first": sorted_by[1],
        "picture": bool(tiles or axes) and not in_window,
        "note": note or _explain_grey(table),
        "window": in_window,
        "colours": {"other": REFERENCE},
    }
    data["id"] = hashlib.blake2b(json.dumps(data).encode(), digest_size=8).hexdigest()
    offered = {line.chosen for line in lines} | {tile.chosen for row in tiles for tile in row if tile is not None}
    return WrittenTable(data, frozenset(offered))


def _explain_grey(table: Table) -> str:
    """Say why numbers are grey; nothing where none is."""
    few = (cell.few for row in table.rows for cell in row if isinstance(cell, Number | Difference))
    return GREY if any(few) else ""


def shown_heads(table: Table) -> list[str]:
    """Return the titles of columns as a page writes them: our words begin with a capital."""
    return [write_head(column) for column in table.columns]


def _column(column: Column, place: int, head: str, axis: Axis | None) -> dict[str, Any]:
    kind = "text" if column.is_text else "number"
    drawn = ""
    marks = []
    if axis is not None and column.is_drawn:
        drawn = "bar"
    elif axis is not None:
        drawn = "interval"
        marks = [axis.place(mark) for mark in axis.marks]
    return {
        "title": head,
        "kind": "name" if place == 0 else kind,
        "drawn": drawn,
        "marks": marks,
        "ends": column.ends,
        "about": show(column.about, HOVER_LIMIT) if column.about else "",
        "down": column.kind is Count,
    }


def _cells(
    columns: Sequence[Column], row: Sequence[Cell], line: Line, axes: Mapping[int, Axis], *, with_ends: bool
) -> list[dict[str, Any]]:
    """Return the cells of a line; what is empty is left out."""
    cells = []
    for place, (column, cell) in enumerate(zip(columns, row, strict=True)):
        written = write_cell(cell, lambda name: show(name, _NAME))
        made = {"text": written.text, **_said(cell, written)}
        if with_ends and (column.ends or place not in axes):
            made["ends"] = keep_together(written.ends).replace(" to ", "\u00a0to ")  # two lines at most on a phone
        if place in axes:
            made["bar"] = _bar(cell, axes[place], line.colour)
        if place == 0:
            made |= _name(made["text"], line)
        if made.get("about") == made["text"]:
            del made["about"]
        cells.append({name: value for name, value in made.items() if value not in ("", None)})
    return cells


def _name(text: str, line: Line) -> dict[str, Any]:
    made: dict[str, Any] = {"text": show(line.name, _NAME) if line.name else text, "below": line.below}
    if line.badge is not None:
        made["badge"] = [line.badge, RUNS[_BADGES.index(line.badge)] if line.badge else ""]
    return made


def _said(cell: Cell, written: Written) -> dict[str, Any]:
    """Return what a cell is sorted by, what hovering says, and how it stands out."""
    hover: dict[str, Any] = {}
    if written.value is not None and not math.isnan(written.value):
        hover["value"] = max(-_LARGEST, min(_LARGEST, float(f"{written.value:.6g}")))
    match cell:
        case Label():
            hover["about"] = show(cell.name, HOVER_LIMIT)
        case Unknown():
            hover |= {"text": cell.word or cell.why, "mood": "undefined" if cell.word else "few"}
            hover["about"] = cell.why if cell.word else ""
        case Number():
            hover |= {"about": _with_reason(cell), "mood": "few" if cell.few or math.isnan(cell.value) else ""}
        case Difference():
            sure = ("worse" if cell.value < 0 else "sure") if cell.is_sure else ""
            hover |= {"about": _with_reason(cell), "mood": "few" if cell.few else sure}
        case Verdict() if cell.is_sure:
            hover["mood"] = "sure"
    return hover


def _with_reason(cell: Number | Difference) -> str:
    """Return how an interval was made, and why its number is grey."""
    if cell.few in cell.about:
        return cell.about
    return ": ".join(filter(None, (cell.about, cell.few)))


def _bar(cell: Cell, axis: Axis, colour: str) -> dict[str, Any] | None:
    """Return the interval on its axis; None where there is none."""
    if not isinstance(cell, Number | Difference):
        return None
    if isinstance(cell, Difference) and not colour:
        colour = ACCENT if cell.value < 0 else MODEL
    bar = {"low": axis.place(cell.low), "high": axis.place(cell.high), "value": axis.place(cell.value)}
    return bar | ({"colour": colour} if colour else {})
