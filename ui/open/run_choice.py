"""Ask which of several evaluations in a file is shown, and switch to another one later."""

from __future__ import annotations

from typing import Any

import streamlit as st

from data.errors import DataError
from data.evaluation import Settings
from data.roles.run_columns import ALL_ROWS
from data.runs import draft_changes, load
from text.visible import show
from ui.text.markdown import md
from ui.text.messages import refuse
from ui.view.open_runs import show_run

_BUTTONS = 6
_EVERY_ROW = "Every row by itself"


def question(run: str) -> bool:
    """Ask what the draft needs to know; False where nothing is open."""
    draft = load.draft_of(run)
    if draft.question is None:
        return False
    column, values = draft.question
    with st.container(border=True):
        st.markdown(f"## Which {md(column) if column else 'answers'} should be evaluated?")
        st.text(draft.problem)
        choice = _choice(column, values)
        later = " You can switch later: “Change” on Overview." if column else ""
        st.caption(f"The file is kept.{later}")
    if choice is not None:
        _answer(run, None if choice == _EVERY_ROW else choice)
    return True


def _choice(column: str, values: tuple[str, ...]) -> str | None:
    """Return the value that was clicked just now."""
    if len(values) > _BUTTONS:
        chosen = st.selectbox("One of", values, format_func=lambda value: show(value, 80), key="question.value")
        clicked = chosen if st.button("Evaluate this one", type="primary", key="question.take") else None
    else:
        with st.container(horizontal=True):
            pressed = [st.button(md(value), key=f"question.{place}") for place, value in enumerate(values)]
        clicked = values[pressed.index(True)] if True in pressed else None
    every = "Every row counts, also where its id repeats."
    if column and st.button(_EVERY_ROW, key="question.all", type="tertiary", help=every):
        return _EVERY_ROW
    return clicked


def _answer(run: str, choice: str | None) -> None:
    try:
        answered = draft_changes.answer(run, choice)
    except DataError as error:
        refuse(str(error))
        return
    show_run(answered)


def switch(run: str, settings: Settings) -> dict[str, Any]:
    """Draw a picker of the rows that count, for a file that holds several evaluations; return the choice."""
    asked = load.draft_of(run).question
    if asked is None or not asked[0]:
        return {}
    column, values = asked
    options = [*((column, value) for value in values), ALL_ROWS]
    names = [f"{show(column, 40)} = {show(value, 40)}" for value in values] + [_EVERY_ROW]
    chosen = st.selectbox(
        "Rows that are evaluated",
        range(len(options)),
        options.index(settings.only if settings.only in options else ALL_ROWS),
        format_func=names.__getitem__,
        help="The file holds several evaluations of the same ids.",
    )
    return {"only": options[chosen]}
