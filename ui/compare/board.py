"""A table of a comparison: names with the badges of runs, intervals as thin bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from charts.theme import REFERENCE, RUNS
from text.visible import show
from ui.text.component import component, report_offered

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
