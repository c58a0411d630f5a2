"""Leave out rows of an upload that cannot be read, or correct one, and take that back; neither needs a new upload."""

from __future__ import annotations

import dataclasses
from typing import Any

import streamlit as st

from data.bad_rows import BadRows
from data.reading.options import DETECT, ReadOptions
from data.runs.draft import Draft
from ui.open.again.split import draw_open_split, draw_split_button
from ui.open.again.uploads import take_in_again
from ui.open.repair import bad_rows
from ui.view import open_runs

_OPEN = "repair.open"


def draw(run: str) -> None:
    """Draw the rows of a run that cannot be read, what to do with them, and the other ways to go on."""
    draft = open_runs.draft(run)
    rows = draft.bad_rows
    if rows is None:
        return
    name, row = draft.uploads[rows.file][0], bad_rows.find_correctable(rows)
    bad_rows.draw_lines(name, rows)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="repair-ways"):
        leave_out = bad_rows.draw_leave_out(rows, name)
        if row is not None:
            which = "this line" if rows.n_bad == 1 else f"line {row.line:,}"
            st.button(f"Correct {which}", icon=":material/edit:", key="repair.correct", on_click=_toggle, args=(run,))
        draw_split_button(run)
    _read(run, _change(draft, rows, skip_bad_rows=True) if leave_out else None)
    st.caption("Every page, report and share link will say which lines were left out or corrected.")
    if row is not None and st.session_state.get(_OPEN) == run:
        text = bad_rows.draw_correction(row)
        corrections = dict(_list_options(draft)[rows.file].corrections)
        if text is not None:
            corrections[row.line] = text
        how = _change(draft, rows, corrections=tuple(sorted(corrections.items())))
        _read(run, None if text is None else how)
    draw_open_split(run)


def offer_undo(run: str) -> None:
    """Draw the buttons that read a run again without a repair; its rows are asked about again."""
    draft = open_runs.draft(run)
    if not draft.uploads:
        return
    if any(file.rows_left_out for file in draft.files):
        st.caption("Rows were left out of this file. Reading it again with them asks what to do with them.")
        pressed = st.button("Do not leave rows out", key="repair.undo", icon=":material/undo:")
        _read(run, _change(draft, skip_bad_rows=False) if pressed else None)
    if any(file.corrected_lines for file in draft.files):
        st.caption("Lines of this file were corrected. Reading it again as it is asks what to do with them.")
        pressed = st.button("Undo corrections", key="repair.undo_corrections", icon=":material/undo:")
        _read(run, _change(draft, corrections=()) if pressed else None)


def _toggle(run: str) -> None:
    st.session_state[_OPEN] = None if st.session_state.get(_OPEN) == run else run


def _list_options(draft: Draft) -> list[ReadOptions]:
    """Return the options of every upload of a draft."""
    n_files = len(draft.uploads)
    return list(draft.given.how_to_read(n_files) or (DETECT,) * n_files)


def _change(draft: Draft, rows: BadRows | None = None, **options: Any) -> tuple[ReadOptions, ...]:
    """Return the options of every upload, with some changed: of the one with bad rows, or of all."""
    every = _list_options(draft)
    for index in range(len(every)) if rows is None else [rows.file]:
        every[index] = dataclasses.replace(every[index], **options)
    return tuple(every)


def _read(run: str, how: tuple[ReadOptions, ...] | None) -> None:
    if how is not None:
        st.session_state.pop("repair.asked", None)
    take_in_again(run, how)
