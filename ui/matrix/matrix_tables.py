"""The matrix as tables, in a window over the page: to read, to download, and to choose a cell without a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from charts.confusion import NO_LABEL, confusion_table
from data.evaluation import UNPARSEABLE, Evaluation
from data.rows.selection import Which
from metrics.confusion.matrix import GROUP, OTHER, Block
from text.numbers import count
from text.visible import show
from ui.matrix import standouts
from ui.view import cache
from ui.view.data_table import download, selection

WIDEST, LISTED = 150, 1000
_ASKED, _PICKED = "matrix.asked", "matrix.table.picked"
_SHARES = {
    f"share_of_{what}": st.column_config.NumberColumn(f"of {title}", format="percent")
    for what, title in {"true": "the true class", "predicted": "the predicted class", "all": "all"}.items()
}
Codes = tuple[int, ...]
Pick = Callable[[Codes, Codes], None]
Put = Callable[[Which], None]


class Listing(NamedTuple):
    """A table to choose a line of: its title, its lines, and the rows that each stands for."""

    title: str
    frame: pd.DataFrame
    steps: Sequence[Which]


def ask(kind: str) -> None:
    """Ask for a table: "confusions", "streaks", "pairs" or "matrix"."""
    st.session_state[_ASKED] = kind


def open_asked(evaluation: Evaluation, block: Block, *, pick: Pick, put: Put) -> None:
    """Open the table that was asked for, once; choosing a cell or a line of it closes it."""
    kind = st.session_state.pop(_ASKED, "")
    if not kind:
        return
    listed = None if kind == "matrix" else listing(evaluation, block, kind)

    def picked(true: Codes, pred: Codes) -> None:
        pick(true, pred)
        st.session_state[_PICKED] = True

    def chosen(which: Which) -> None:
        put(which)
        st.session_state[_PICKED] = True

    def draw() -> None:
        if st.session_state.pop(_PICKED, False):
            st.rerun()
        if listed is None:
            as_matrix(evaluation.labels, block, picked)
        else:
            as_list(kind, listed, chosen)

    title = "The matrix as a table" if listed is None else listed.title
    st.dialog(title, width="large")(draw)()


def listing(evaluation: Evaluation, block: Block, kind: str) -> Listing:
    """Return the confusions, the classes predicted too often, or the pairs confused both ways, most rows first."""
    names, standing_out = cache.class_names(evaluation), standouts.find(evaluation)
    of_rows = "rows" if block.counted is None else "weight"
    if kind == "streaks":
        lines = [(names[streak.code], streak.rows, streak.classes) for streak in standing_out.streaks]
        frame = pd.DataFrame(lines, columns=["predicted as", f"wrong {of_rows}", "of other classes"])
        frame[f"wrong {of_rows}"] = block.weigh(frame[f"wrong {of_rows}"].to_numpy())
        steps = [standouts.rows_of_streak(streak) for streak in standing_out.streaks]
        return Listing(f"All {count(len(lines), 'class')} predicted too often", frame, steps)
    if kind == "pairs":
        pairs = [(names[pair.first], names[pair.second], pair.there, pair.back) for pair in standing_out.both_ways]
        ways = [f"{of_rows} one way", f"{of_rows} the other way"]
        frame = pd.DataFrame(pairs, columns=["class", "other class", *ways])
        frame[ways] = block.weigh(frame[ways].to_numpy())
        steps = [standouts.rows_of_pair(pair) for pair in standing_out.both_ways]
        return Listing(f"All {count(len(pairs), 'pair')} confused both ways", frame, steps)
    i, j = block.fullest(errors_only=True)
    frame = confusion_table(block, names, errors_only=True)
    sides = zip(block.row_codes[i].tolist(), block.col_codes[j].tolist(), strict=True)
    steps = [_errors(block.members(true), block.members(pred)) for true, pred in sides]
    return Listing(f"All {count(len(frame), 'confusion')}", frame, steps)


def _errors(true: Codes, pred: Codes) -> Which:
    """Return the wrong rows of a cell, which may hold right ones where classes were added up."""
    return Which(true, pred, only="errors" if set(true) & set(pred) else "all")


def as_list(kind: str, listed: Listing, put: Put) -> None:
    """Draw a table to choose a line of."""
    shown = listed.frame.head(LISTED)
    labels = shown.select_dtypes(exclude="number").columns
    shown = shown.assign(**{name: [show(label) for label in shown[name]] for name in labels})
    key = f"matrix.{kind}.table"

    def picked() -> None:
        for row in selection(key).get("rows", []):
            put(listed.steps[row])

    st.caption("Choose a line to see its rows.")
    st.dataframe(shown, hide_index=True, key=key, on_select=picked, selection_mode="single-row", column_config=_SHARES)
    if len(listed.frame) > LISTED:
        st.caption(f"The first {LISTED:,} of {count(len(listed.frame), 'line')}; the download holds all.")
    download(listed.frame, kind)


def as_matrix(labels: Sequence[str], block: Block, pick: Pick) -> None:
    """Draw the matrix as a table of counts, or of weights, to choose cells of."""
    frame = matrix_frame(labels, block)
    if frame.shape[1] <= WIDEST:

        def picked() -> None:
            for i, name in selection("matrix.table").get("cells", []):
                true, pred = int(block.row_codes[i]), int(block.col_codes[frame.columns.get_loc(name)])
                pick(block.members(true), block.members(pred))

        cells = "" if block.counted is None else " Cells: weight."
        st.caption(f"Rows: true class. Columns: predicted class.{cells} Choose a cell to see its rows.")
        st.dataframe(frame, key="matrix.table", on_select=picked, selection_mode="single-cell")
    else:
        st.caption(f"{frame.shape[0]:,} rows and {frame.shape[1]:,} columns are too wide to show; download them.")
    download(frame.reset_index(names="true class"), "confusion_matrix")


def matrix_frame(labels: Sequence[str], block: Block) -> pd.DataFrame:
    """Return a block as a frame of counts or weights, with readable row and column names, each of them once."""
    columns, index = (pd.Index(_names(labels, block, codes)) for codes in (block.col_codes, block.row_codes))
    return pd.DataFrame(block.weigh(block.rows), columns=columns, index=index)


def _names(labels: Sequence[str], block: Block, codes: np.ndarray) -> list[str]:
    special = {OTHER: "(other)", UNPARSEABLE: f"({NO_LABEL})"}
    names = [
        special.get(code)
        or (f"{show(block.groups[GROUP - code].name)} (group)" if code <= GROUP else show(labels[code]))
        for code in codes.tolist()
    ]
    several, seen = Counter(names), Counter[str]()
    for place, name in enumerate(names):  # cut labels may look the same, and a group may have the name of a class
        seen[name] += 1
        names[place] = f"{name} ({seen[name]})" if several[name] > 1 else name
    return names
