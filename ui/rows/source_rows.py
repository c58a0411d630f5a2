"""Rows behind a number of a counted source: asked of its engine, 200 at a time; how many they are is known."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import numpy as np
import pyarrow as pa
import streamlit as st

from data.errors import DataError
from data.evaluation import Evaluation
from data.rows.selection import Which, find_rows
from data.runs.source_rows import ORDERS, ROWS_AT_ONCE, counts_one_source, read_source_rows
from text.numbers import count
from text.visible import show
from ui.limits import MAX_SOURCE_CELL_CHARS
from ui.person import people
from ui.rows import row_choice as view
from ui.rows.duplicate_search import PATIENCE_SECONDS, Search, progress_bar
from ui.rows.rows_view import NONE
from ui.text.messages import refuse_error
from ui.view import fragment


def title(evaluation: Evaluation, which: Which) -> str:
    """Write which rows they are and how many, as Markdown."""
    lines = find_rows(evaluation, which)
    return view.words(evaluation, which, count(evaluation.count_rows(lines))).replace("**", "")


@fragment.run_fragment
def draw(evaluation: Evaluation, which: Which, key: str, *, titled: bool = False) -> None:
    """Draw the rows behind a number: how many they are, their order, and one part of them.

    titled : whether the title of the page says already which rows they are.
    """
    lines = find_rows(evaluation, which)
    if not titled:
        st.markdown(view.words(evaluation, which, count(evaluation.count_rows(lines))))
    _draw(evaluation, lines, key)


@fragment.run_fragment
def draw_lines(evaluation: Evaluation, lines: np.ndarray, key: str) -> None:
    """Draw the rows that some lines stand for, given by their positions."""
    _draw(evaluation, lines, key)


def _draw(evaluation: Evaluation, lines: np.ndarray, key: str) -> None:
    n = evaluation.count_rows(lines)
    if not n:
        st.info("No rows match. Remove a condition.")
        return
    if not counts_one_source(evaluation):
        st.info(
            "The rows of joined sources are not shown here. Open one of the sources to see its rows. To see which rows "
            "changed, write the predictions of both models into one folder, a column each."
        )
        return
    _ask(evaluation, lines, key, *_controls(evaluation, n, key))


def _ask(evaluation: Evaluation, lines: np.ndarray, key: str, order: str, part: int) -> None:
    """Draw one part of the rows, or how far the query for them is."""
    name = sha256(repr((evaluation.fingerprint, order, part)).encode() + lines.tobytes()).hexdigest()
    work = _asked(name, evaluation, lines, order, part)
    try:
        if work.ask(PATIENCE_SECONDS):
            _table(work.found, key)
        else:
            progress_bar(
                lambda: st.session_state.get("source.rows", {}).get(name), "Asking the source for rows",
                lambda: _forget(name), key=f"{key}.source.cancel",
                cancelled="Cancelled. Choose an order to ask again.",
            )  # fmt: skip
    except DataError as error:
        _forget(name)
        refuse_error(error)


def _controls(evaluation: Evaluation, n: int, key: str) -> tuple[str, int]:
    orders = list(ORDERS) if evaluation.y_score is not None else ["file"]
    n_parts = -(-n // ROWS_AT_ONCE)
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"{key}-source"):
        order = st.selectbox(
            "Order", orders, key=f"{key}.source.order", format_func=lambda name: ORDERS[name].capitalize(), width=270,
            label_visibility="collapsed",
        )  # fmt: skip
        box = f"{key}.source.part"
        if st.session_state.get(box, 1) > n_parts:
            st.session_state[box] = 1
        part = 1
        if n_parts > 1:
            part = st.number_input(f"Part, 1 to {n_parts:,}", 1, n_parts, key=box, width=160)
        first = (int(part) - 1) * ROWS_AT_ONCE
        st.caption(f"Rows {first + 1:,} to {min(n, first + ROWS_AT_ONCE):,} of {n:,}, asked of the source.")
    return str(order), int(part)


def _asked(name: str, evaluation: Evaluation, lines: np.ndarray, order: str, part: int) -> Search[pa.Table]:
    """Return the query of a session, begun once; the last few are kept."""
    kept: dict[str, Search[pa.Table]] = st.session_state.setdefault("source.rows", {})
    if name not in kept:
        person, groups = people.person(), people.groups()

        def work(report: Any) -> pa.Table:
            offset = (part - 1) * ROWS_AT_ONCE
            return read_source_rows(evaluation, lines, report, order=order, offset=offset, person=person, groups=groups)

        kept[name] = Search(work)
        while len(kept) > 4:
            kept.pop(next(iter(kept))).forget()
    return kept[name]


def _forget(name: str) -> None:
    """Stop waiting for a query; it ends. For the button, too."""
    rows = st.session_state.get("source.rows", {}).pop(name, None)
    if rows is not None:
        rows.forget()


def _table(table: pa.Table, key: str) -> None:
    st.dataframe(
        {show(name, 80): [_cell(value) for value in table.column(name).to_pylist()] for name in table.column_names},
        hide_index=True,
        key=f"{key}.source.rows",
    )


def _cell(value: object) -> object:
    """Return numbers as they are, everything else as text that cannot deceive."""
    if isinstance(value, list):
        return show(" | ".join(map(str, value)), MAX_SOURCE_CELL_CHARS) if value else NONE
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    return show(str(value), MAX_SOURCE_CELL_CHARS)
