"""The list of rows: an own component, because a table that loads what is in sight sends no clicks back.

Python holds the rows, in order; the list asks for the window that comes into sight, and reports which row was opened
or marked. The window is one mount and what is open or marked is another, so that moving on sends no rows again.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st

from charts.theme import ACCENT, MODEL
from data.evaluation import UNPARSEABLE, Evaluation
from data.pictures import Pictures, find_pictures, read_pictures
from data.rows.cells import take_cells
from data.rows.near_duplicates import find_text_columns
from data.rows.row_scores import CONFIDENCE, probability_of
from data.rows.row_table import label_names, row_numbers
from data.rows.selection import confidence, is_right
from text.numbers import number
from text.visible import show
from ui.text.component import component, sent_by
from ui.view import cache

WINDOW = 120
"""Rows that are sent at once."""
HEIGHT = 480
"""Pixels of the list: 16 rows."""
CELL = 160
"""Characters of a cell in the list."""
BRIEFLY = 4
"""Columns that stand for a row where it has no text."""
GONE, NONE = "(missing)", "(none)"
"""A truth or prediction that the file leaves empty, and a row of a multi-label task without any label."""

_list = component(__file__, "rows", '<div class="rows"></div>')
Opened = Callable[[int], None]
Marked = Callable[[int, bool], None]


def rows_list(
    evaluation: Evaluation,
    rows: np.ndarray,
    *,
    selection: str,
    open_at: int,
    marked: Collection[int],
    address: Mapping[str, Any],
    fills: bool = False,
    key: str,
    on_open: Opened,
    on_mark: Marked,
) -> None:
    """Draw the list of rows and report what is done with it.

    Parameters
    ----------
    rows : row positions in the order in which they are listed, at least one.
    selection : a name of these rows in this order; when it changes the list begins again.
    open_at : place in `rows` of the open row.
    marked : numbers (from 1) of the marked rows of the file.
    address : as `fragment.address_parameters` gives it.
    fills : whether the list is as high as the window leaves room.
    on_open : called with a place in `rows` before the fragment runs again.
    on_mark : called with the number of a row, and whether it is marked.
    """
    numbers = f"{key}.sequence"

    def window() -> None:
        start = _place(_read_sent(key, "window", selection), "start", len(rows))
        if start is not None:
            st.session_state[f"{key}.window"] = (selection, start)

    def opened() -> None:
        sent = _read_sent(key, "opened", selection)
        place = _place(sent, "at", len(rows))
        if place is not None:
            st.session_state[numbers] = (selection, sent.get("sequence"))
            on_open(place)

    def marks() -> None:
        for row, on in read_marks(_read_sent(key, "marked", selection)):
            on_mark(row, on)

    start = _window(key, selection, open_at, len(rows))
    of, sequence = st.session_state.get(numbers, (selection, None))
    state = {"role": "state", "id": key, "selection": selection, "open": open_at, "marked": sorted(marked)}
    state["address"] = address
    with st.container(gap=None):
        _list(
            data=payload(evaluation, rows, start=start, key=key, selection=selection) | {"fills": fills},
            key=f"{key}.rows",
            on_window_change=window,
            on_opened_change=opened,
            on_marked_change=marks,
        )
        _list(data=state | {"sequence": sequence if of == selection else None}, key=f"{key}.state", height=1)


def _window(key: str, selection: str, open_at: int, n: int) -> int:
    """Return the first row of the window that was asked for last, or else of the one around the open row."""
    of, start = st.session_state.get(f"{key}.window", (None, 0))
    start = start if of == selection else open_at - WINDOW // 2
    return int(max(0, min(start, n - WINDOW)))


def _read_sent(key: str, name: str, selection: str) -> Mapping[str, Any]:
    """Read what the browser sent about these rows; nothing where it has another list, or another shape."""
    value = sent_by(f"{key}.rows", name)
    return value if isinstance(value, Mapping) and value.get("selection") == selection else {}


def _place(sent: Mapping[str, Any], name: str, n: int) -> int | None:
    place = sent.get(name)
    if isinstance(place, bool) or not isinstance(place, (int, float)) or not math.isfinite(place):
        return None
    return int(place) if 0 <= place < n else None


def read_marks(sent: Mapping[str, Any]) -> list[tuple[int, bool]]:
    """Return the rows that were marked and unmarked, as (number, on); what has another shape is passed over.

    >>> read_marks({"marks": [[3, True], [4, False], ["x", 1], 5]})
    [(3, True), (4, False)]
    """
    marks = sent.get("marks")
    pairs = [pair for pair in marks if isinstance(pair, list) and len(pair) == 2] if isinstance(marks, list) else []
    return [(int(n), on) for n, on in pairs if type(n) in (int, float) and n == n // 1 and isinstance(on, bool)]


def name_of(evaluation: Evaluation, *asked: object) -> str:
    """Return a short name of some rows in some order, the same whenever the same is asked."""
    return hashlib.sha256(repr((evaluation.fingerprint, asked)).encode()).hexdigest()[:16]


def payload(evaluation: Evaluation, every: np.ndarray, *, start: int, key: str, selection: str) -> dict[str, Any]:
    """Return what the list shows: the columns, one window of the rows, and how many rows there are."""
    columns = _columns(evaluation)
    texts = [column["of"] for column in columns if "of" in column]
    rows = every[start : start + WINDOW]
    return {
        "role": "rows",
        "id": key,
        "selection": selection,
        "label": f"{len(every):,} rows",
        "total": len(every),
        "window": WINDOW,
        "height": HEIGHT,
        "colours": {"right": MODEL, "wrong": ACCENT},
        "start": start,
        "columns": [{name: value for name, value in column.items() if name != "of"} for column in columns],
        "rows": _cells(evaluation, rows, texts),
    }


def _columns(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return the columns of the list: what stands above them, what a screen reader says before a cell, and how wide."""
    many = evaluation.task == "multilabel"
    last = evaluation.n_lines if evaluation.row_numbers is None else int(evaluation.row_numbers.max()) + 1
    unit = "row" if evaluation.weights is None else "line"
    columns: list[dict[str, Any]] = [
        {"kind": "number", "name": unit, "spoken": unit, "digits": len(f"{last:,}")},
        {"kind": "mark", "name": "", "spoken": "", "label": "mark"},
    ]
    if evaluation.weights is not None:
        most = int(evaluation.weights.max())
        about = "How many rows the line stands for"
        columns.append({"kind": "weight", "name": "rows", "spoken": "rows", "digits": len(f"{most:,}"), "help": about})
    for name, spoken in (("true", "true"), ("predicted", "predicted")):
        columns.append({"kind": "label", "name": name, "spoken": spoken})
    about = "✓ right, ✗ wrong, ? no label found, – not scored"
    columns.append({"kind": "sign", "name": "", "spoken": "", "label": "right or wrong", "help": about})
    if not many and confidence(evaluation, np.zeros(0, dtype=np.int64)) is not None:
        about = "The score of the predicted label"
        columns.append({"kind": "confidence", "name": "confidence", "spoken": "confidence", "help": about})
    if pictures_of(evaluation):
        columns.append({"kind": "picture", "name": "", "spoken": "", "label": "picture"})
    for kind, names in zip(("text", "more"), texts_of(evaluation), strict=False):
        shown = ", ".join(show(name, 40) for name in names)
        columns.append({"kind": kind, "name": shown, "spoken": "" if len(names) > 1 else shown, "of": names})
    return columns


@cache.kept(64)
def texts_of(evaluation: Evaluation) -> list[tuple[str, ...]]:
    """Return what tells a row apart for a person: a text, or else the first of the other columns together."""
    texts = find_text_columns(evaluation)
    if evaluation.answers is not None:
        answers = evaluation.answers.column
        return [(answers,), *((name,) for name in texts if name != answers)]
    if texts:
        return [(name,) for name in texts]
    pictures = pictures_of(evaluation)
    taken = _columns_with_roles(evaluation) | set(pictures.columns if pictures else ())
    left = [name for name in evaluation.rows.column_names if name not in taken]
    return [tuple(left[:BRIEFLY])] if left else []


def _columns_with_roles(evaluation: Evaluation) -> set[str | None]:
    settings = evaluation.settings
    taken = {settings.truth, settings.pred, settings.counts, *(name for name, _ in settings.scores)}
    return taken | {name for name, _ in (*settings.truth_columns, *settings.pred_columns)}


@cache.kept(64)
def pictures_of(evaluation: Evaluation) -> Pictures | None:
    """Return where the rows have small pictures; None = they have none."""
    taken = {name for name in _columns_with_roles(evaluation) if name is not None}
    return find_pictures(evaluation.rows, {*taken, evaluation.settings.id or "", evaluation.settings.raw or ""})


def draw_pictures(evaluation: Evaluation, rows: np.ndarray) -> list[str]:
    """Return the picture of each row for the browser, as `read_pictures` does; "" where there is none."""
    pictures = pictures_of(evaluation)
    return read_pictures(evaluation.rows, pictures, rows) if pictures else [""] * len(rows)


def brief_texts(evaluation: Evaluation, rows: np.ndarray, *, answers: bool = True) -> list[str]:
    """Return what tells a person which row each is; empty where only labels and scores are left.

    Cells of several columns stand behind the names of their columns, because no header names them here.

    answers : whether the raw answers may be that.
    """
    texts = texts_of(evaluation)
    if evaluation.answers is not None and not answers:
        texts = texts[1:]
    return _briefly(evaluation, rows, texts[0], named=len(texts[0]) > 1) if texts else [""] * len(rows)


def _cells(evaluation: Evaluation, rows: np.ndarray, texts: Sequence[tuple[str, ...]]) -> list[list[Any]]:
    """Return the cells of some rows, in the order of `_columns` but for the mark."""
    parts: list[Sequence[Any]] = [row_numbers(evaluation, rows).tolist()]
    if evaluation.weights is not None:
        parts.append(evaluation.weights[rows].tolist())
    spoken = cache.spoken_names(evaluation)
    short = dict(zip(evaluation.labels, cache.label_names(evaluation), strict=True))
    for codes in (evaluation.y_true, evaluation.y_pred):
        parts.append([_label(evaluation, name, short, spoken) for name in label_names(evaluation, codes, rows)])
    parts.append(outcome_signs(evaluation, rows))
    sure = confidence(evaluation, rows)
    if sure is not None:
        share = np.clip(np.nan_to_num(probability_of(evaluation, CONFIDENCE, rows)), 0, 1)
        bars = zip(sure.tolist(), share.tolist(), strict=True)
        parts.append([[number(score), round(width, 4)] if score == score else None for score, width in bars])
    if pictures_of(evaluation):
        parts.append(draw_pictures(evaluation, rows))
    parts += [_briefly(evaluation, rows, names) for names in texts[:2]]
    return [list(cells) for cells in zip(*parts, strict=True)]


def _label(
    evaluation: Evaluation, name: str | None, short: Mapping[str, str], spoken: Mapping[str, str]
) -> str | list[str]:
    """Return a label as the list shows it, or [cut, whole] where it is cut so that no other label looks the same."""
    if evaluation.task == "multilabel" and not name:
        return NONE
    if name is None:
        return GONE
    shown = show(spoken.get(name, name), 80)
    return shown if short.get(name, shown) == shown else [short[name], show(name, 400)]


def outcome_signs(evaluation: Evaluation, rows: np.ndarray) -> list[str]:
    """Return the outcome of every row: "right", "wrong", "unparseable" or "missing" (not scored)."""
    kinds = np.where(is_right(evaluation, rows), "right", "wrong").astype(object)
    if evaluation.task != "multilabel":
        kinds[evaluation.y_pred[rows] == UNPARSEABLE] = "unparseable"
    kinds[~evaluation.scored[rows]] = "missing"
    return [str(kind) for kind in kinds]


def _briefly(evaluation: Evaluation, rows: np.ndarray, names: tuple[str, ...], *, named: bool = False) -> list[str]:
    columns = [take_cells(evaluation.rows.column(name), rows).to_pylist() for name in names]
    if len(columns) == 1:
        return ["" if cell is None else show(str(cell), CELL) for cell in columns[0]]
    texts = []
    for name, cells in zip(names, columns, strict=True):
        before = f"{name} " if named else ""
        texts.append(["" if cell is None else f"{before}{cell}" for cell in cells])
    return [show(" · ".join(cells), CELL) for cells in zip(*texts, strict=True)]
