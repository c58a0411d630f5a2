"""Count a source of this server again: split by more columns, or the scores of its classes; the page waits for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import streamlit as st

from data.comparison.other_columns import SourceColumns, find_source_columns
from data.errors import DataError
from data.evaluation import Evaluation
from data.runs import load
from data.runs.draft import Draft
from data.runs.source_counts import (
    count_again,
    count_by_columns,
    count_by_thresholds,
    count_draft_classes,
    read_few_rows,
)
from data.runs.source_rows import counts_one_source
from ui.person import browser_storage, people
from ui.rows.duplicate_search import PATIENCE_SECONDS, Search, progress_bar
from ui.text.messages import refuse_error
from ui.view import cache, open_runs, url

_STATE = "source.split"
_UNREAD = "source.unread"
"""The counts for whose source somebody ended the reading of the columns."""


class _Count(NamedTuple):
    """One count under way: the run it is of, its work, and what the address says once it is done.

    same_rows : whether the new counts are of the rows of that run.
    """

    run: str
    work: Search[tuple[Draft, Evaluation]]
    view: Callable[[Evaluation], dict[str, Any]]
    same_rows: bool = True


def columns_to_split(evaluation: Evaluation) -> SourceColumns:
    """Return the columns by which the counts in view could be split.

    No columns where there is no source, where it is gone, while it is read, and for people who may open no files here.
    """
    if not counts_one_source(evaluation) or not people.may_change():
        return SourceColumns()
    if st.session_state.get(_UNREAD) == evaluation.fingerprint:
        return SourceColumns(is_read=False)
    who = people.person(), people.groups()
    reading = _reading(evaluation, *who)
    try:
        done = reading.ask(0 if reading.has_begun else PATIENCE_SECONDS)
    except DataError as error:  # not kept, so that a mended source is read
        _reading.clear(evaluation, *who)
        return SourceColumns(problem=str(error))
    return reading.found or SourceColumns() if done else SourceColumns(is_read=False)


@st.cache_resource(show_spinner=False, max_entries=16, ttl=300, hash_funcs=cache.BY_FINGERPRINT)
def _reading(evaluation: Evaluation, person: str, groups: tuple[str, ...]) -> Search[SourceColumns]:
    """Return the reading of the columns of a source, in a thread of its own: a table of a database may be large."""
    return Search(lambda report: find_source_columns(evaluation, read_few_rows(evaluation, person, groups, report)))


def wait_for_columns(evaluation: Evaluation, key: str) -> bool:
    """Draw how far the columns of the source are read, with a button that ends it; return whether they are missing.

    key : tells this place of the page from others.
    """
    if columns_to_split(evaluation).is_read:
        return False
    if st.session_state.get(_UNREAD) == evaluation.fingerprint:
        st.button("Read the columns of the source", key=f"{key}.read", on_click=st.session_state.pop, args=(_UNREAD,))
        return True
    reading = _reading(evaluation, people.person(), people.groups())

    def find() -> Search[SourceColumns] | None:
        return None if st.session_state.get(_UNREAD) == evaluation.fingerprint else reading

    def cancel() -> None:
        st.session_state[_UNREAD] = evaluation.fingerprint
        reading.forget()

    progress_bar(find, "Reading the columns of the source", cancel, key=f"{key}.cancel")
    return True


def begin(columns: Sequence[str], *, scores: Sequence[str] = (), **view: Any) -> None:
    """Begin to count the source in view, split by columns, too; for the buttons.

    scores : columns of another model's scores. view : parameters of the address once it is counted.
    """
    _begin(
        lambda draft, report, **who: count_again(draft, columns, report, scores=scores, **who), lambda evaluation: view
    )


def begin_by_columns(truth: str | None, pred: str | None, score: str | None) -> None:
    """Begin to count the source in view by other columns; for the button."""
    _begin(lambda draft, report, **who: count_by_columns(draft, truth, pred, score, report, **who))


def begin_by_thresholds(thresholds: Sequence[tuple[str, float]]) -> None:
    """Begin to count the source in view by other thresholds of its labels; for the button."""
    _begin(lambda draft, report, **who: count_by_thresholds(draft, thresholds, report, **who))


def begin_classes() -> None:
    """Begin to count the scores of every class of the source in view; for the button."""
    _begin(count_draft_classes)


def begin_join(counting: Callable[..., tuple[Draft, Evaluation]], view: Callable[[Evaluation], dict[str, Any]]) -> None:
    """Begin to count the source in view, joined with another one; for the button.

    counting : what counts a draft, and reports. view : parameters of the address for the joined counts.
    """
    _begin(counting, view, same_rows=False)


def _begin(
    counting: Callable[..., tuple[Draft, Evaluation]],
    view: Callable[[Evaluation], dict[str, Any]] = lambda evaluation: {},
    *,
    same_rows: bool = True,
) -> None:
    run, who = url.get("run"), {"person": people.person(), "groups": people.groups()}
    try:
        draft = open_runs.draft(run)
    except DataError:  # the page says so
        return
    before: _Count | None = st.session_state.get(_STATE)
    if before is not None:
        _end(before)
    work = Search(lambda report: counting(draft, report, **who))
    st.session_state[_STATE] = _Count(run, work, view, same_rows)


def wait() -> bool:
    """Show the new counts if they are there, else how far they are; return whether a count is under way."""
    counting: _Count | None = st.session_state.get(_STATE)
    if counting is None:
        return False
    if counting.run != url.get("run"):
        _end(counting)
        return False
    try:
        done = counting.work.ask(PATIENCE_SECONDS)
    except DataError as error:
        del st.session_state[_STATE]
        what = "The source cannot be counted like this" if counting.same_rows else "These sources cannot be joined"
        refuse_error(error, title=what)
        return False
    if not done:
        work = counting.work  # the browser may ask for the progress of a count that another took the place of
        progress_bar(lambda: work if _is_open(counting) else None, "Counting the source", lambda: _end(counting),
                     key="source.split.cancel")  # fmt: skip
        return True
    del st.session_state[_STATE]
    assert counting.work.found is not None
    draft, evaluation = counting.work.found
    open_runs.remember(draft, evaluation)
    run = load.keep(draft)
    if counting.same_rows:
        browser_storage.copy("review", counting.run, run)  # its views are of the same rows
    url.put(run=run, **counting.view(evaluation))
    st.rerun()


def _is_open(counting: _Count) -> bool:
    """Return whether this count is still waited for."""
    return st.session_state.get(_STATE) is counting


def _end(counting: _Count) -> None:
    """Stop waiting; a query that nobody waits for ends. For the button."""
    if _is_open(counting):
        del st.session_state[_STATE]
    counting.work.forget()
