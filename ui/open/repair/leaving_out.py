"""Leave out rows of an upload that cannot be read, and take that back; neither needs a new upload."""

from __future__ import annotations

import streamlit as st

from data.errors import DataError
from data.reading.options import ReadOptions
from ui.open.again.split import offer_split
from ui.open.again.uploads import take_in_again
from ui.open.repair import bad_rows
from ui.text.messages import refuse
from ui.view import open_runs
from ui.view.open_runs import show_run


def draw(run: str) -> None:
    """Draw the rows of a run that cannot be read, what to do with them, and the other ways to go on."""
    draft = open_runs.draft(run)
    rows = draft.bad_rows
    if rows is None:
        return
    bad_rows.draw(
        draft.uploads[rows.file][0], rows, draft.given.how_to_read(len(draft.uploads)), lambda how: _read(run, how)
    )
    offer_split(run)


def offer_undo(run: str) -> None:
    """Draw the button that reads a run again with the rows that were left out; they are asked about again."""
    draft = open_runs.draft(run)
    left_out = [file.rows_left_out for file in draft.files if file.rows_left_out]
    if not left_out or not draft.uploads:
        return
    st.caption("Rows were left out of this file. Reading it again with them asks what to do with them.")
    if st.button("Do not leave rows out", key="repair.undo", icon=":material/undo:"):
        _read(run, bad_rows.without_skip(draft.given.how_to_read(len(draft.uploads))))


def _read(run: str, how: tuple[ReadOptions, ...]) -> None:
    try:
        read = take_in_again(run, how)
    except DataError as error:
        refuse(str(error))
        return
    st.session_state.pop("repair.asked", None)
    show_run(read)
