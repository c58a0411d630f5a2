"""The rows behind a number: what they are in words, the list to go through, the open row, all of them as files.

`behind` puts them into a page; `listing` is the list of the page Rows.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import numpy as np
import streamlit as st

from data.columns.count_columns import describe_lines
from data.errors import DataError
from data.evaluation import Evaluation
from data.rows.order import MISTAKES, list_orders
from data.rows.row_table import find_rows_by_number, row_numbers
from data.rows.selection import Which, find_rows
from data.runs.source_rows import has_source
from text.numbers import count
from ui.person import browser_storage
from ui.rows import (
    duplicate_search,
    first_rows,
    left_out,
    marks,
    row_card,
    row_choice as view,
    row_export,
    row_filters,
    row_orders,
    rows_view,
    source_rows,
)
from ui.view import fragment, url
from ui.view.address import go_to

COUNTS = "This file holds counts, not rows. The column “rows” says how many rows each line stands for."


def draw_rows_behind(evaluation: Evaluation, which: Which, *, key: str) -> None:
    """Draw the rows behind one number, in place: what they are, the list, the open row, and a way to the page Rows.

    key : names the place on its page; it keeps its own order and search, while the open row and the marks are the
        view's.
    """
    if left_out.rows_left_out(evaluation):
        _say_count(evaluation, which)
    elif has_source(evaluation):
        source_rows.draw(evaluation, which, key)
    else:
        _browse(evaluation, which, key)


def _say_count(evaluation: Evaluation, which: Which) -> None:
    """Say how many rows there are behind a number, in place of the rows."""
    which = replace(which, text="")  # what stands in other columns was left out, too
    st.markdown(view.words(evaluation, which, _count(evaluation, find_rows(evaluation, which))))
    left_out.note(evaluation)


def _count(evaluation: Evaluation, rows: np.ndarray) -> str:
    return describe_lines(evaluation, rows) if evaluation.weights is not None else count(len(rows))


def title(evaluation: Evaluation, which: Which) -> str:
    """Write which rows the page Rows lists and how many they are, as Markdown."""
    if left_out.rows_left_out(evaluation):
        which = replace(which, text="")  # other columns were left out, too
    if which in (Which(), Which(only="errors")):
        wrong = first_rows.count_rows(evaluation, Which(only="errors"))
        rows = count(evaluation.n_scored, "row" if evaluation.n_scored == evaluation.n_rows else "scored row")
        return f"{wrong:,} of {rows} {'is' if 1 in (wrong, evaluation.n_scored) else 'are'} wrong"
    if has_source(evaluation):
        return source_rows.title(evaluation, which)
    rows_of_view = row_orders.ordered(evaluation, which)
    return view.words(evaluation, which, _count(evaluation, rows_of_view)).replace("**", "")


def listing(evaluation: Evaluation, which: Which) -> None:
    """Draw the list of the page Rows, in the order of the view, below one row of controls."""
    assert not left_out.rows_left_out(evaluation)
    if has_source(evaluation):
        row_filters.draw(evaluation, searches=False)
        row_filters.take_back(evaluation, which)
        source_rows.draw(evaluation, replace(which, text=""), "rows", titled=True)
        return
    with st.container(key="rows-page"):
        row_filters.draw(evaluation)
        _browse(evaluation, which, "rows", in_view=True)


def draw_listed_rows(evaluation: Evaluation, rows: np.ndarray, *, key: str) -> None:
    """Draw rows that no `Which` says, given by their positions: the list and the open row."""
    if has_source(evaluation):
        source_rows.draw_lines(evaluation, rows, key)
    elif not left_out.note(evaluation):
        _draw_list(evaluation, rows, key)


@fragment.run_fragment
def _draw_list(evaluation: Evaluation, rows: np.ndarray, key: str) -> None:
    row_export.download(evaluation, rows, key=key)
    name = rows_view.name_of(evaluation, sha256(rows.tobytes()).hexdigest())
    _rows(evaluation, rows, MISTAKES, name, key, shortcuts=False)
    fragment.write_address()


@fragment.run_fragment
def _browse(evaluation: Evaluation, which: Which, key: str, *, in_view: bool = False) -> None:
    """Draw the words, the order and the ways out, and below them the rows.

    in_view : order and search stand in the URL, and the search in a control of the page.
    """
    words = None if in_view else st.container()  # the title of the page Rows says it
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}-order"):
        by = _order(evaluation, which, key, in_view=in_view)
        if not in_view:
            text = st.text_input("Search", key=f"{key}.search", placeholder="text in any column",
                                 icon=":material/search:", label_visibility="collapsed", width=200)  # fmt: skip
            which = replace(which, text=text) if text else which
        chosen, by = by, _current_order(evaluation, by)
        listed = row_orders.ordered(evaluation, which, by)
        row_export.download(evaluation, listed, key=key)
        if not in_view:
            go_to("rows", "On the page Rows", icon=":material/open_in_full:",
                  **view.view_of(evaluation, which), sort=chosen, row=url.get("row"))  # fmt: skip
    marks.marks_in_view(evaluation)  # says what of a link's marks cannot be used
    if in_view:
        row_filters.take_back(evaluation, which)
        _about(evaluation, by)
    if words is not None:
        with words:
            _say(evaluation, which, listed, by)
    if by != chosen:
        box = _order_box(key, in_view=in_view)
        duplicate_search.progress(evaluation, lambda: st.session_state.get(box) == chosen)
    _rows(evaluation, listed, by, rows_view.name_of(evaluation, which, by), key, shortcuts=in_view)
    fragment.write_address()


def _order(evaluation: Evaluation, which: Which, key: str, *, in_view: bool) -> str:
    """Return the chosen order of the rows; that of the page Rows stands in the URL."""
    orders, box = list_orders(evaluation), _order_box(key, in_view=in_view)
    if in_view:
        st.session_state.setdefault(box, url.get("sort"))
    if st.session_state.get(box) not in orders:
        st.session_state[box] = orders[0]
    text = "" if in_view else st.session_state.get(f"{key}.search", "")
    rows = row_orders.ordered(evaluation, replace(which, text=text) if text else which)
    named = {name: row_orders.order_in_words(evaluation, name, rows).capitalize() for name in orders}
    by = st.selectbox(
        "Order", orders, key=box, format_func=named.__getitem__,
        label_visibility="collapsed", width=215 if in_view else 270, on_change=fragment.changed,
    )  # fmt: skip
    if in_view:
        st.session_state[url.VIEW]["sort"] = by
    return str(by)


def _order_box(key: str, *, in_view: bool) -> str:
    return url.widget_key("sort") if in_view else f"{key}.sort"


def _current_order(evaluation: Evaluation, by: str) -> str:
    """Return the order, or while it is being worked out the one in which the rows stand until then."""
    if by != "twin":
        return by
    try:
        return by if duplicate_search.search(evaluation).ask(duplicate_search.PATIENCE_SECONDS) else MISTAKES
    except DataError:  # it took too long, which `twin_search.progress` says
        return MISTAKES


def _say(evaluation: Evaluation, which: Which, rows: np.ndarray, by: str) -> None:
    """Say which rows they are: "312 rows: true class `refund`, predicted as `billing`"."""
    n = _count(evaluation, rows)
    st.markdown(view.words(evaluation, which, n))
    _about(evaluation, by)


def _about(evaluation: Evaluation, by: str) -> None:
    """Say how many rows a line stands for, and what the order assumes."""
    if evaluation.weights is not None:
        st.caption(COUNTS)
    about = row_orders.describe_order(evaluation, by)
    if about:
        st.caption(about)


def _rows(evaluation: Evaluation, rows: np.ndarray, by: str, name: str, key: str, *, shortcuts: bool) -> None:
    """Draw the list, and beside it the open row."""
    if len(rows):
        open_place = _place_of(evaluation, rows)
        left, right = st.columns([0.6, 0.4], gap="medium")
        with left:
            rows_view.rows_list(
                evaluation,
                rows,
                selection=name,
                open_at=open_place,
                marked=marks.marks_in_view(evaluation),
                address=fragment.address_parameters(),
                fills=shortcuts,
                key=f"{key}.list",
                on_open=lambda place: _open_at(evaluation, rows, place),
                on_mark=_mark,
            )
        with right:
            _open_row(evaluation, rows, open_place, by, key=key, shortcuts=shortcuts)
    else:
        st.info("No rows match. Remove a condition, or search for another text.")


def _place_of(evaluation: Evaluation, rows: np.ndarray) -> int:
    """Return the place of the view's row among some, or the first where it is none of them."""
    position = find_rows_by_number(evaluation, np.array([url.get("row")]))
    places = np.flatnonzero(rows == position[0]) if len(position) else position
    return int(places[0]) if len(places) else 0


def _open_at(evaluation: Evaluation, rows: np.ndarray, place: int) -> None:
    """Open the row at a place of the list; for callbacks."""
    url.put(row=int(row_numbers(evaluation, rows[place : place + 1])[0]))
    fragment.changed()


def _mark(number: int, on: bool) -> None:
    """Mark a row by its number; for callbacks."""
    marks.mark(number, on)
    fragment.changed()


def _open_row(evaluation: Evaluation, rows: np.ndarray, position: int, by: str, *, key: str, shortcuts: bool) -> None:
    """Draw the row at a place of the list.

    by : the order of the list, which may have something to say about the row.
    shortcuts : whether the keys j, k and m work on the whole page, and not in the list alone.
    """
    number = int(row_numbers(evaluation, rows[position : position + 1])[0])
    notes = marks.marks_in_view(evaluation)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for name, to, stroke in (("Previous", position - 1, "k"), ("Next", position + 1, "j")):
            st.button(name, key=f"{key}.{name}", type="tertiary", disabled=not 0 <= to < len(rows), on_click=_open_at,
                      args=(evaluation, rows, to), shortcut=stroke if shortcuts else None)  # fmt: skip
        marked = number in notes
        st.button("★ Marked" if marked else "☆ Mark", key=f"{key}.mark", type="tertiary", on_click=_mark,
                  args=(number, not marked), shortcut="m" if shortcuts else None)  # fmt: skip
    facts = row_orders.describe_row(evaluation, int(rows[position]), by)
    place = f"{position + 1:,} of {len(rows):,}"
    row_card.row_card(evaluation, int(rows[position]), place=place, key=f"{key}.card", extra=facts, fills=shortcuts)
    box = f"{key}.note.{number}"
    _keep_box(box, notes.get(number, ""))
    st.text_area("Note", key=box, height=70, placeholder="A note marks the row",
                 on_change=_write_note, args=(number, box))  # fmt: skip
    st.caption(browser_storage.problem() or "This browser keeps notes when the page is reloaded (F5).")
    browser_storage.write(f"rows.{key}")


def _keep_box(box: str, note: str) -> None:
    """Put a note into its box where it changed elsewhere: after F5 the browser brings it once the box is drawn."""
    if st.session_state.get(f"{box}.kept") != note or box not in st.session_state:
        st.session_state[box] = st.session_state[f"{box}.kept"] = note


def _write_note(number: int, box: str) -> None:
    marks.write_note(number, st.session_state[box])
    fragment.changed()
