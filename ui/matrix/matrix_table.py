"""The matrix as tables: to read, to download, and to choose a cell of it without a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from charts.confusion import confusion_table
from data.evaluation import UNPARSEABLE
from metrics.confusion.counts import ConfusionCounts
from metrics.confusion.matrix import GROUP, OTHER, Block
from text.numbers import count
from text.visible import show
from ui.view import url
from ui.view.data_table import download, selection

WIDEST, LISTED = 150, 1000
_SHARES = {
    f"share_of_{what}": st.column_config.NumberColumn(f"of {title}", format="percent")
    for what, title in {"true": "this truth", "predicted": "this prediction", "all": "all"}.items()
}
Pick = Callable[[tuple[int, ...], tuple[int, ...]], None]


def table_twin(counts: ConfusionCounts, block: Block, on_pick: Pick, chosen: str = "") -> None:
    """The same matrix as two tables, made when they are asked for; a cell or a line of them leads to its rows.

    chosen : Markdown that says what is chosen now and leads to its rows.
    """
    twin = st.expander("The same as a table", icon=":material/table:", key="matrix.twin", on_change="rerun")
    if not twin.open:
        return
    with twin:
        if chosen:
            st.caption(chosen)
        tables(counts, block, on_pick)


def tables(counts: ConfusionCounts, block: Block, on_pick: Pick) -> None:
    """Draw the matrix itself, and its cells one a line."""
    _as_matrix(counts, block, on_pick)
    _as_list(counts, block, url.get("errors"), on_pick)


def _as_matrix(counts: ConfusionCounts, block: Block, on_pick: Pick) -> None:
    st.caption(
        "Rows are the truth, columns the prediction; counts of rows. Choose a cell, or several by dragging or with "
        "Shift and the arrow keys, to see their rows."
    )
    frame = matrix_frame(counts, block)
    if frame.shape[1] <= WIDEST:

        def picked() -> None:
            chosen = [(i, frame.columns.get_loc(name)) for i, name in selection("matrix.table").get("cells", [])]
            _pick(block, chosen, on_pick)

        st.dataframe(frame, key="matrix.table", on_select=picked, selection_mode="multi-cell")
    else:
        st.caption(
            f"{frame.shape[0]:,} rows and {frame.shape[1]:,} columns are too wide to show; the download holds them "
            "all. The two lists above choose any cell, row or column."
        )
    download(frame.reset_index(names="truth"), "confusion_matrix")


def _as_list(counts: ConfusionCounts, block: Block, errors_only: bool, on_pick: Pick) -> None:
    cells = confusion_table(block, counts.labels, errors_only)
    shown = cells.head(LISTED)
    shown = shown.assign(**{side: [show(name) for name in shown[side]] for side in ("true", "predicted")})
    i, j = block.fullest(errors_only)

    def picked() -> None:
        _pick(block, [(int(i[at]), int(j[at])) for at in selection("matrix.cells").get("rows", [])], on_pick)

    st.caption(
        f"{count(len(cells), 'cell')} with {'errors' if errors_only else 'rows'}. Choose a line to see its rows."
    )
    st.dataframe(
        shown, hide_index=True, key="matrix.cells", on_select=picked, selection_mode="single-row", column_config=_SHARES
    )
    if len(cells) > LISTED:
        st.caption(f"The first {LISTED:,} of {len(cells):,} pairs; the download holds all.")
    download(cells, "confusions")


def _pick(block: Block, chosen: Sequence[tuple[int, int]], on_pick: Pick) -> None:
    """Hand over the codes of the chosen cells, a rectangle; none when the choice was taken back."""
    sides = ((block.row_codes, [i for i, _ in chosen]), (block.col_codes, [j for _, j in chosen]))
    true, pred = (
        tuple(code for at in sorted(set(places)) for code in block.members(int(axis[at]))) for axis, places in sides
    )
    on_pick(true, pred)


def matrix_frame(counts: ConfusionCounts, block: Block) -> pd.DataFrame:
    """A block as a frame of counts, with readable row and column names, each of them once."""
    columns = pd.Index(_names(counts.labels, block, block.col_codes))
    return pd.DataFrame(block.rows, columns=columns, index=pd.Index(_names(counts.labels, block, block.row_codes)))


def _names(labels: Sequence[str], block: Block, codes: np.ndarray) -> list[str]:
    special = {OTHER: "(other)", UNPARSEABLE: "(unparseable)"}
    names = [
        special.get(code)
        or (f"{show(block.groups[GROUP - code].name)} (group)" if code <= GROUP else show(labels[code]))
        for code in codes.tolist()
    ]
    several, seen = Counter(names), Counter[str]()
    for at, name in enumerate(
        names
    ):  # long labels may look alike once they are cut, and a group be named as a class is
        seen[name] += 1
        names[at] = f"{name} ({seen[name]})" if several[name] > 1 else name
    return names
