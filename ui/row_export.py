"""Rows as files to take along: those of a list, and the marked ones of the file with their notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from data.evaluation import Evaluation
from data.row_table import row_numbers, rows_frame, rows_numbered
from data.rows import safe_csv, safe_parquet
from metrics.finding import rows as count_of
from ui import marks, state

_CSV = (
    "Text that a spreadsheet would run as a formula gets an apostrophe in front, also behind ; | a tab or a line break "
    "inside a cell."
)
_PARQUET = "For programs: text and numbers exactly as they are."


def download(evaluation: Evaluation, found: np.ndarray, *, key: str) -> None:
    """A popover with the files; `found` are the row positions of the list."""
    notes = marks.kept(evaluation)
    what = "row" if evaluation.weights is None else "line"
    with st.popover(f"Download · {len(notes):,} marked" if notes else "Download", icon=":material/download:"):
        if len(found):
            st.markdown(f"**{count_of(len(found), what)}: those listed here**")
            _files(evaluation, found, notes, "rows", f"{key}.these")
        marked = rows_numbered(evaluation, np.array(sorted(notes), dtype=np.int64))
        if not len(marked):
            st.caption("Mark rows with ☆ or the key m to take them along with your notes.")
            return
        st.markdown(f"**{count_of(len(marked), f'marked {what}')} of the file, with notes**")
        _files(evaluation, marked, notes, "marked_rows", f"{key}.marked")
        held = marks.in_link(notes)[1]
        cut = "" if held == len(notes) else f", and of {len(notes):,} marks the first {held:,}, as long as it may be"
        st.caption(f"Notes live in this tab until they are downloaded; the link holds the marks only{cut}.")


def _files(evaluation: Evaluation, rows: np.ndarray, notes: Mapping[int, str], name: str, key: str) -> None:
    kinds = (
        ("CSV", "csv", "text/csv", safe_csv, _CSV),
        ("Parquet", "parquet", "application/vnd.apache.parquet", safe_parquet, _PARQUET),
    )
    with st.container(horizontal=True, gap="small"):
        for title, ending, mime, written, about in kinds:
            st.download_button(
                title,
                state.while_open(partial(_written, written, evaluation, rows, notes)),
                f"{name}.{ending}",
                mime,
                on_click="ignore",
                key=f"{key}.{ending}",
                help=about,
            )


def _written(
    write: Callable[[pd.DataFrame], bytes], evaluation: Evaluation, rows: np.ndarray, notes: Mapping[int, str]
) -> bytes:
    return write(frame_of(evaluation, rows, notes))


def frame_of(evaluation: Evaluation, rows: np.ndarray, notes: Mapping[int, str]) -> pd.DataFrame:
    """The rows at some positions as a table, with marks and notes where there are any; notes are by row number."""
    places = rows_numbered(evaluation, np.array(sorted(notes), dtype=np.int64))
    numbers = row_numbers(evaluation, places)
    marked = {place: notes[number] for place, number in zip(places.tolist(), numbers.tolist(), strict=True)}
    return rows_frame(evaluation, rows, marked or None)
