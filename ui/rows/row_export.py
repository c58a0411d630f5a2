"""Export rows as files: those of a list, and the marked ones of the file with their notes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from io import BytesIO

import numpy as np
import streamlit as st

from data.evaluation import Evaluation
from data.process.limits import ignore_progress
from data.rows.exports import safe_csv
from data.rows.limited_export import make_file
from data.rows.made_files import MadeFile
from data.rows.row_files import check_csv, frame_of, is_small, write_parquet
from data.rows.row_table import find_rows_by_number
from text.numbers import count
from ui.rows import marks
from ui.view import open_runs
from ui.view.data_table import hand_out, offer_file

_CSV = (
    "Safe to open in Excel: text that would run as a formula gets an apostrophe in front. So does text behind ; | a "
    "tab or a line break inside a cell."
)
_PARQUET = "For programs: text and numbers exactly as they are."
_KINDS = {"csv": ("CSV", _CSV), "parquet": ("Parquet", _PARQUET)}


def download(evaluation: Evaluation, rows: np.ndarray, *, key: str) -> None:
    """Draw a popover with the files; `rows` are the row positions of the list."""
    notes = marks.marks_in_view(evaluation)
    what = "row" if evaluation.weights is None else "line"
    with st.popover(f"Download · {len(notes):,} marked" if notes else "Download", icon=":material/download:"):
        if len(rows):
            st.markdown(f"**The {count(len(rows), what)} listed here**")
            _files(evaluation, rows, notes, "rows", f"{key}.these")
        marked = find_rows_by_number(evaluation, np.array(sorted(notes), dtype=np.int64))
        if not len(marked):
            st.caption("Mark rows with ☆ or the key m to export them with your notes.")
            return
        st.markdown(f"**{count(len(marked), f'marked {what}')} of the file, with notes**")
        _files(evaluation, marked, notes, "marked_rows", f"{key}.marked")
        held = marks.marks_for_link(notes)[1]
        cut = "" if held == len(notes) else f"; it has room for the first {held:,} of {len(notes):,}"
        st.caption(f"Notes stay in this browser; a link holds the marks only{cut}.")


def _files(evaluation: Evaluation, rows: np.ndarray, notes: Mapping[int, str], name: str, key: str) -> None:
    small = is_small(evaluation, rows)
    with st.container(horizontal=True, gap="small"):
        for kind, (title, about) in _KINDS.items():
            if small:
                made = partial(_write, kind, evaluation, rows, notes)
                hand_out(title, made, f"{name}.{kind}", key=f"{key}.{kind}", about=about)
            else:
                _draw_made(evaluation, rows, notes, f"{name}.{kind}", f"{key}.{kind}")


def _write(kind: str, evaluation: Evaluation, rows: np.ndarray, notes: Mapping[int, str]) -> bytes:
    """Return a small file of rows."""
    if kind == "csv":
        return safe_csv(frame_of(evaluation, rows, notes))
    buffer = BytesIO()
    write_parquet(evaluation, buffer, {"notes": notes}, rows, ignore_progress)
    return buffer.getvalue()


def _draw_made(evaluation: Evaluation, rows: np.ndarray, notes: Mapping[int, str], name: str, key: str) -> None:
    """Draw a file of many rows: written by a process of its own when it is asked for, then handed out from the disk."""
    kind = name.rpartition(".")[2]
    title, about = _KINDS[kind]

    def write() -> MadeFile:
        options = {"notes": sorted(notes.items())}
        if kind == "csv":
            check_csv(evaluation, rows)
        return make_file(
            evaluation,
            f"data.rows.row_files:write_{kind}",
            name,
            run=open_runs.run_in_view(),
            rows=rows,
            options=options,
        )

    choice = (evaluation.fingerprint, sha256(rows.tobytes()).hexdigest(), tuple(sorted(notes.items())))
    offer_file(title, write, choice, key=key, about=about)
