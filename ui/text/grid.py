"""A grid of cells to click: a name a row and a column, a colour that says how strong a cell is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ui.text.component import component, report_offered

_grid = component(__file__, "grid", '<div class="grid"></div>')


class Head(NamedTuple):
    """The name of a row or a column, all of it as hovering says it, and a softer word below."""

    name: str
    whole: str
    kind: str = ""


class Cell(NamedTuple):
    """A cell: its text, what hovering says, its colour in per cent, and what a click reports; empty = no cell.

    told : whether it can be told; else its text is grey.
    """

    text: str = ""
    about: str = ""
    colour: str = ""
    strength: float = 0.0
    chosen: str = ""
    told: bool = True


def grid(
    label: str, down: Sequence[Head], across: Sequence[Head], cells: Sequence[Sequence[Cell]], *, key: str,
    opened: str, on_choose: Callable[[str], None], corner: str = "", note: str = "",
) -> None:  # fmt: skip
    """Draw a grid; `on_choose` is called with what a clicked cell reports.

    label : what it is, for those who listen, and the name of its picture. opened : what the open cell reports.
    """
    data = {
        "label": label, "down": [head._asdict() for head in down], "across": [head._asdict() for head in across],
        "cells": [[cell._asdict() for cell in row] for row in cells], "open": opened, "corner": corner, "note": note,
    }  # fmt: skip
    offered = {cell.chosen for row in cells for cell in row}
    _grid(data=data, key=key, on_chosen_change=report_offered(key, offered, on_choose))
