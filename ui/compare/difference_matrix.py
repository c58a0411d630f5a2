"""Draw which confusions changed from A to B: the difference of the matrices, and its largest cells in words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from charts.theme import ACCENT, MODEL
from data.evaluation import UNPARSEABLE
from text.numbers import signed
from text.short_names import short_names
from text.visible import show
from ui.compare.run_comparison import Compared
from ui.limits import MAX_PICTURED_CLASSES
from ui.text.component import component, report_offered
from ui.text.markdown import md
from ui.view import panel, url
from ui.view.panel import Item, Label, Section

_picture = component(__file__, "difference", '<div class="difference"></div>')
_LISTED = 3
_NAMED, _SHORT = 12, 14
Cell = tuple[int, int, int, int]
"""True class, predicted class (the last place stands for no label), rows in A, rows in B."""


def difference_matrix(compared: Compared) -> None:
    """Draw the difference of the two matrices and its largest changes."""
    cells = changed_cells(compared)
    st.header(_title(compared, cells), anchor=False)
    if not cells:
        return
    labels = compared.comparison.runs.labels

    def choose(cell: str) -> None:
        true, pred = (labels[int(code)] for code in cell.split("/"))
        url.put(true=true, pred=pred, row=0, **{"class": ""})

    _draw(compared, cells, pictured_classes(cells, len(labels)), choose)
    for place, (column, section) in enumerate(zip(st.columns(2), _lists(compared, cells), strict=False)):
        with column:
            panel.item_list([section], key=f"compare.confusions.{place}", on_choose=choose)


def changed_cells(compared: Compared) -> list[Cell]:
    """Return every cell that only one of the runs, or both otherwise, has rows in."""
    runs = compared.comparison.runs
    cells, n = compared.comparison.cells(compared.a, compared.b), len(runs.labels)
    per_run = np.zeros((2, n, n + 1), dtype=np.int64)
    for side in (0, 1):
        preds = np.where(cells.preds[side] == UNPARSEABLE, n, cells.preds[side])
        np.add.at(per_run[side], (cells.true, preds), cells.row_counts)
    changed = np.argwhere(per_run[0] != per_run[1])
    return [(int(t), int(p), int(per_run[0, t, p]), int(per_run[1, t, p])) for t, p in changed]


def _errors(cells: list[Cell], sign: int) -> list[Cell]:
    """Return the confusions with more rows in B (sign 1) or fewer (-1), the largest change first."""
    moved = [cell for cell in cells if cell[0] != cell[1] and sign * (cell[3] - cell[2]) > 0]
    return sorted(moved, key=lambda cell: -abs(cell[3] - cell[2]))


def _title(compared: Compared, cells: list[Cell]) -> str:
    new, gone = _errors(cells, 1), _errors(cells, -1)
    if not cells:
        return "Both runs confuse the same classes in the same number of rows"
    if not new or (gone and abs(gone[0][3] - gone[0][2]) > new[0][3] - new[0][2]):
        return f"Largest change: {_in_words(compared, gone[0])}" if gone else "No confusion changed"
    return f"Largest change: {_in_words(compared, new[0])}"


def _in_words(compared: Compared, cell: Cell) -> str:
    labels = compared.comparison.runs.labels
    true, n = md(compared.short[labels[cell[0]]], 40), cell[3] - cell[2]
    rows = f"{abs(n):,} {'more' if n > 0 else 'fewer'} {'row' if abs(n) == 1 else 'rows'}"
    if cell[1] == len(labels):
        return f"B leaves {rows} of {true} without a label"
    return f"B predicts {true} as {md(compared.short[labels[cell[1]]], 40)} in {rows}"


def pictured_classes(cells: list[Cell], n: int) -> list[int]:
    """Return the classes that the picture has room for, in their order: all, or those with most changed rows.

    >>> pictured_classes([(0, 1, 0, 5), (2, 2, 1, 2)], 3)
    [0, 1, 2]
    """
    if n <= MAX_PICTURED_CLASSES:
        return list(range(n))
    moved = np.zeros(n + 1, dtype=np.int64)
    for true, pred, was, now in cells:
        moved[[true, pred]] += abs(now - was)
    return sorted(np.argsort(-moved[:n], kind="stable")[:MAX_PICTURED_CLASSES].tolist())


def _draw(compared: Compared, cells: list[Cell], classes: list[int], choose: Callable[[str], None]) -> None:
    of, n = compared.comparison.runs.labels, len(classes)
    labels = [show(of[code], 400) for code in classes]
    place = {code: place_in_matrix for place_in_matrix, code in enumerate(classes)}
    names = short_names(labels, _SHORT) if n <= _NAMED else labels
    drawn = [
        (place[true], place[pred], was, now, f"{true}/{pred}")
        for true, pred, was, now in cells
        if true in place and pred in place
    ]
    true, pred = (place.get(of.index(name)) if name in of else None for name in (url.get("true"), url.get("pred")))
    few = f"Of {len(of):,} classes, the {n:,} with the most changed rows are drawn. " if n < len(of) else ""
    data = {
        "names": names, "cells": drawn, "colours": {"right": MODEL, "wrong": ACCENT},
        "open": None if true is None or pred is None else [true, pred],
        "label": "Difference of the two confusion matrices; the list below names the largest changes.",
        "hint": few + "Blue: better in B. Orange: worse in B.",
    }  # fmt: skip
    offered = {chosen for *_, chosen in drawn}
    _picture(data=data, key="compare.matrix", on_chosen_change=report_offered("compare.matrix", offered, choose))


def _label(compared: Compared, code: int) -> Label:
    name = compared.comparison.runs.labels[code]
    return Label(compared.short[name], name)


def _lists(compared: Compared, cells: list[Cell]) -> list[Section]:
    labels, sections = compared.comparison.runs.labels, []
    for title, sign in (("More in B", 1), ("Fewer in B", -1)):
        items = []
        for true, pred, was, now in _errors(cells, sign)[:_LISTED]:
            has_label = pred < len(labels)
            words = (_label(compared, true), " as ", _label(compared, pred) if has_label else "no label")
            items.append(Item(words, signed(now - was, 0), share=f"{was:,} → {now:,}",
                              chosen=f"{true}/{pred}" if has_label else ""))  # fmt: skip
        if items:
            sections.append(Section(title, items, "rows"))
    return sections
