"""The open row beside its list: the way to the next one, its mark, all of it, and the note on it."""

from __future__ import annotations

import numpy as np
import streamlit as st

from data.evaluation import Evaluation
from data.rows.row_table import row_numbers, rows_numbered
from ui.rows import marks, row_card, row_orders
from ui.view import fragment, url


def place_of(evaluation: Evaluation, found: np.ndarray) -> int:
    """The place of the view's row among some, or the first where it is none of them."""
    position = rows_numbered(evaluation, np.array([url.get("row")]))
    places = np.flatnonzero(found == position[0]) if len(position) else position
    return int(places[0]) if len(places) else 0


def open_at(evaluation: Evaluation, found: np.ndarray, place: int) -> None:
    """Open the row at a place of the list; for callbacks."""
    url.put(row=int(row_numbers(evaluation, found[place : place + 1])[0]))
    fragment.changed()


def mark(number: int, on: bool) -> None:
    """Mark a row by its number; for callbacks."""
    marks.mark(number, on)
    fragment.changed()


def open_row(evaluation: Evaluation, found: np.ndarray, at: int, by: str, *, key: str, shortcuts: bool) -> None:
    """Draw the row at a place of the list.

    by : the order of the list, which may have something to say about the row.
    shortcuts : whether the keys j, k and m work on the whole page, and not in the list alone.
    """
    number = int(row_numbers(evaluation, found[at : at + 1])[0])
    notes = marks.kept(evaluation)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for name, to, stroke in (("Previous", at - 1, "k"), ("Next", at + 1, "j")):
            st.button(name, key=f"{key}.{name}", type="tertiary", disabled=not 0 <= to < len(found), on_click=open_at,
                      args=(evaluation, found, to), shortcut=stroke if shortcuts else None)  # fmt: skip
        marked = number in notes
        st.button("★ Marked" if marked else "☆ Mark", key=f"{key}.mark", type="tertiary", on_click=mark,
                  args=(number, not marked), shortcut="m" if shortcuts else None)  # fmt: skip
    said = row_orders.of_row(evaluation, int(found[at]), by)
    place = f"{at + 1:,} of {len(found):,}"
    row_card.row_card(evaluation, int(found[at]), place=place, key=f"{key}.card", extra=said)
    box = f"{key}.note.{number}"
    st.text_area("Note", notes.get(number, ""), key=box, height=70, placeholder="A note marks the row",
                 on_change=_noted, args=(number, box))  # fmt: skip
    st.caption("Notes are lost when the page is reloaded (F5); *Download* keeps them.")


def _noted(number: int, box: str) -> None:
    marks.write_note(number, st.session_state[box])
    fragment.changed()
