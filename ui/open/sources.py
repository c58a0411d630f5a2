"""Sources on this server: a list with rows, columns and last change; one is opened by its button, and counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from data.environment import SettingError
from data.errors import DataError
from data.evaluation import Evaluation
from data.limits import SOURCE_SAMPLE_ROWS
from data.runs import load
from data.runs.draft import Draft
from data.runs.source_counts import read_source_draft, read_source_sample
from data.runs.sources import Source, find_source, list_sources
from text.numbers import count
from ui.person import people
from ui.rows.duplicate_search import PATIENCE_SECONDS, Search, progress_bar
from ui.text.local_time import moment
from ui.text.markdown import md
from ui.text.messages import refuse, refuse_error
from ui.view import open_runs
from ui.view.open_runs import show_run

_OPENING = "sources.opening"
_SAMPLE = (
    f"{SOURCE_SAMPLE_ROWS:,} rows, drawn at random. Near-duplicates, likely label errors, search and notes need every "
    "row at once: here they work on the sample."
)


def on_this_server() -> None:
    """Draw the list of sources, and how far the one is that is being counted; nothing where none is listed."""
    try:
        sources = list_sources(people.person(), people.groups())
    except SettingError as error:
        refuse(str(error), title="The list of sources cannot be read")
        return
    if not sources:
        return
    st.header("On this server")
    opening = st.session_state.get(_OPENING)
    with st.empty():  # the sources below keep their place
        if opening is not None:
            _wait(*opening)
    for place, source in enumerate(sources):
        _draw(place, source, busy=opening is not None)


def _draw(place: int, source: Source, *, busy: bool) -> None:
    summary, problem = "", ""
    try:
        summary = _summary(source.name, repr(source), source)
    except DataError as error:
        problem = str(error)
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"source-{place}"):
        with st.container(gap=None):
            st.markdown(f"**{md(source.name, 80)}**")
            if problem:
                st.text(problem)  # it may quote the name of a file
            else:
                st.caption(summary)
        st.button(
            "Open", key=f"source.{place}", disabled=busy, on_click=_begin, args=(source.name,),
            icon=":material/database:",
        )  # fmt: skip
        st.button(
            "Open a sample", key=f"source.sample.{place}", disabled=busy, on_click=_begin,
            args=(source.name, read_source_sample), type="tertiary", help=_SAMPLE,
        )  # fmt: skip


@st.cache_data(ttl=20, show_spinner=False, max_entries=100)
def _summary(name: str, about: str, _source: Source) -> str:
    """Return rows, columns and last change of a source; an error is not kept, so that a mended source opens."""
    if _source.folder is None:
        return "A table of Spark, which is asked once you open it"
    if _source.table is not None:
        return "A table of a DuckDB database, which is read once you open it"
    folder = _source.open_folder()
    parts = (count(folder.n_rows), count(len(folder.schema), "column"), count(len(folder.files), "file"))
    return f"{' · '.join(parts)} · last change {moment(int(folder.last_change))}"


def _begin(name: str, read: Callable[[Source, Any], tuple[Draft, Evaluation]] = read_source_draft) -> None:
    """Begin to count a source, or to draw its sample; for the buttons."""
    try:
        source = find_source(name, people.person(), people.groups())
    except DataError as error:
        st.session_state["open.failed"] = str(error)
        return
    work: Search[Any] = Search(lambda report: read(source, report))
    st.session_state[_OPENING] = (name, work)


def _is_open(work: Search[Any]) -> bool:
    """Return whether this work is still waited for: the browser may ask for the progress of an earlier one."""
    opening = st.session_state.get(_OPENING)
    return opening is not None and opening[1] is work


def _end(work: Search[Any]) -> None:
    """Stop waiting; a query that nobody waits for ends. For the button."""
    if _is_open(work):
        del st.session_state[_OPENING]
    work.forget()


def _wait(name: str, work: Search[tuple[Draft, Evaluation]]) -> None:
    """Open the source if it is counted, else say how far it is."""
    try:
        done = work.ask(PATIENCE_SECONDS)
    except DataError as error:
        del st.session_state[_OPENING]
        refuse_error(error)
        return
    if not done:
        with st.container(key="progress"):
            progress_bar(lambda: work if _is_open(work) else None, f"Counting {md(name, 60)}", lambda: _end(work),
                         key="sources.cancel")  # fmt: skip
        return
    del st.session_state[_OPENING]
    assert work.found is not None
    draft, evaluation = work.found
    open_runs.remember(draft, evaluation)
    show_run(load.keep(draft))
