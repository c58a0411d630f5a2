"""A table of a comparison: names with the badges of runs, intervals as thin bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import streamlit as st

from charts.theme import REFERENCE, RUNS
from export.result import kinds as result
from export.result.kinds import Cell, Label, Number, Table, Unknown
from export.result.written import plain_name, write_cell, write_words
from text.visible import show
from ui.text.component import component, report_offered
from ui.view.data_table import draw_sentences, shown_heads, write_markdown

_board = component(__file__, "board", '<div class="table board"></div>', tables=True)
LETTERS = "AB"


class Column(NamedTuple):
    """A column: its title, one of "name", "number" and "interval", and what hovering says."""

    title: str
    kind: str = "number"
    about: str = ""


class Line(NamedTuple):
    """A line: one cell for each column, what a click reports, and whether it is open.

    A number is a text, or {"text": the number, "below": its interval}.
    """

    cells: Sequence[str | dict[str, Any]]
    chosen: str = ""
    open: bool = False


class Heading(NamedTuple):
    """A heading across all columns, and a softer addition to it."""

    head: str
    about: str = ""


def name_cell(name: str, *, badge: str | None = None, whole: str = "") -> dict[str, Any]:
    """Return the cell of an uploaded name.

    badge : "A" or "B", "" for the room of none; None = no such room. whole : what hovering says of a shortened name.
    """
    cell: dict[str, Any] = {"text": show(name, 60), "whole": show(whole or name, 400)}
    if badge is not None:
        cell |= {"badge": badge, "colour": RUNS[LETTERS.index(badge)] if badge else ""}
    return cell


def undefined_cell(why: str) -> dict[str, Any]:
    """Return the cell of a number that is undefined, which says why."""
    return {"text": "undefined", "why": why}


def board(
    label: str,
    columns: Sequence[Column],
    lines: Sequence[Line | Heading],
    *,
    key: str,
    on_choose: Callable[[str], None] = lambda chosen: None,
) -> None:
    """Draw the table; `on_choose` is called with what a clicked line reports. One that draws intervals is kept as PNG.

    label : what the table is, for those who listen.
    """
    offered = {line.chosen for line in lines if isinstance(line, Line) and line.chosen}
    data = {
        "label": label,
        "picture": any(column.kind == "interval" for column in columns),
        "columns": [column._asdict() for column in columns],
        "rows": [line._asdict() for line in lines],
        "other": REFERENCE,
    }
    _board(data=data, key=key, on_chosen_change=report_offered(key, offered, on_choose))


def draw_board(table: Table, *, key: str) -> None:
    """Draw a typed table below its title; an interval is a thin bar from 0 to 1 with its ends beside it."""
    st.subheader(write_markdown(table.words), anchor=False)
    heads = zip(shown_heads(table), table.columns, strict=True)
    columns = [shown for place, (head, column) in enumerate(heads) for shown in _board_columns(head, column, place)]
    lines = [Line(list(_board_cells(table.columns, row))) for row in table.rows]
    board(write_words(table.words, plain_name), columns, lines, key=key)
    draw_sentences([table.note] if table.note else [], small=True)


def _board_columns(head: str, column: result.Column, place: int) -> list[Column]:
    """Return the column, and those of the interval: its bar and its ends."""
    first = Column(head, "name" if place == 0 or issubclass(column.kind, Label) else "number")
    return [first, Column(column.ends, "interval"), Column("")] if column.ends else [first]


def _board_cells(columns: Sequence[result.Column], row: Sequence[Cell]) -> Iterator[str | dict[str, Any]]:
    for place, (column, cell) in enumerate(zip(columns, row, strict=True)):
        written = write_cell(cell, show)
        match cell:
            case Label():
                yield name_cell(cell.name)
            case str() if place == 0:
                yield name_cell(cell)
            case Unknown() if column.ends:
                yield from (undefined_cell(cell.why), "", "")
            case Number() if column.ends:
                yield from (written.text, _bar(cell), written.ends)
            case _:
                yield written.whole


def _bar(cell: Number) -> dict[str, Any]:
    """Return the interval as a thin bar from 0 to 1."""
    low, high = (None if math.isnan(end) else max(0.0, min(1.0, end)) for end in (cell.low, cell.high))
    value = max(0.0, min(1.0, cell.value)) if low is None else cell.value
    return {"low": low, "high": high, "value": value, "colour": "", "about": cell.method, "marks": [0.0, 0.5, 1.0]}
