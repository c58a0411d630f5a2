"""The search for near-duplicates: in a thread of its own, because a million texts take up to a minute.

The page says meanwhile how far it is, and the other orders of the rows stay within reach: once nobody waits for the
search any more, it ends.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, Thread
from time import monotonic
from typing import Any, Generic, TypeVar

import streamlit as st

from data.errors import DataError
from data.evaluation import Evaluation
from data.rows.near_duplicates import NearDuplicates, find_near_duplicates, find_text_columns
from data.rows.similar_texts import Report
from text.numbers import percent
from ui.view.cache import kept, limit_time

PATIENCE_SECONDS = 1.5
"""Seconds that a page waits for the search before it says how far it is."""
_AGAIN = 1.0
_FORGOTTEN = 8.0
"""Seconds after which nobody seems to wait for it: an open page asks every second."""

Found = TypeVar("Found")


class Search(Generic[Found]):
    """Work that is done once, as long as somebody waits for it.

    Attributes
    ----------
    share : how much of the work is done, 0 to 1. found : what it gave; None before that. done : whether it did.
    """

    def __init__(self, work: Callable[[Report], Found], *, patience: float = _FORGOTTEN) -> None:
        self.share, self.done = 0.0, False
        self.found: Found | None = None
        self._work, self._patience = work, patience
        self._error: BaseException | None = None
        self._thread: Thread | None = None
        self._lock, self._asked = Lock(), monotonic()

    @property
    def has_begun(self) -> bool:
        """Return whether somebody has asked for it."""
        return self._thread is not None

    def ask(self, seconds: float = 0.0) -> bool:
        """Return whether it is done, after waiting for some seconds at most; begins, or begins again after the end.

        What the work raised is raised here.
        """
        with self._lock:
            self._asked = monotonic()
            given_up = isinstance(self._error, DataError)  # it would take as long again
            if not self.done and not given_up and (self._thread is None or not self._thread.is_alive()):
                self.share, self._error = 0.0, None
                self._thread = Thread(target=self._run, daemon=True, name="near-duplicates")
                self._thread.start()
            thread = self._thread
        if thread is not None and not self.done:
            thread.join(seconds)
        if self._error is not None:
            raise self._error
        return self.done

    def forget(self) -> None:
        """Wait no longer: the work ends when it next reports."""
        with self._lock:
            self._asked = -float("inf")

    def _run(self) -> None:
        try:
            self.found = self._work(self._report)
            self.done = True
        except _Forgotten:
            pass
        except Exception as error:  # told to the page that waits, in its own thread
            self._error = error

    def _report(self, share: float) -> None:
        self.share = share
        if monotonic() - self._asked > self._patience:
            raise _Forgotten


class _Forgotten(Exception):
    pass


@kept(8)
def search(evaluation: Evaluation) -> Search[NearDuplicates | None]:
    """Return the search for the near-duplicates of a file; one for all who look at it."""

    def work(report: Report) -> NearDuplicates | None:
        columns = find_text_columns(evaluation)
        limited = limit_time("Looking for near-duplicates", report, instead="choose another order")
        return find_near_duplicates(evaluation, columns[0], report=limited) if columns else None

    return Search(work)


@st.fragment(run_every=0.5)
def progress_bar(
    find: Callable[[], Search[Any] | None], what: str, cancel: Callable[[], None], *, key: str, cancelled: str = ""
) -> None:
    """Draw how far some work is, and the button that ends it; the page is drawn again once it is done or failed.

    find : returns the work; None once it was cancelled. what : Markdown. cancelled : what is said then instead of
        drawing the page again.
    """
    work = find()
    if work is None and cancelled:
        st.caption(cancelled)
        return
    if work is None:
        st.rerun()
    try:
        done = work.ask()
    except DataError:
        done = True  # the page says it
    if done:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        amount = f"({percent(work.share, 0)})" if work.share > 0 else "…"
        st.progress(min(1.0, work.share), text=f"{what} {amount}")
        st.button("Cancel", key=key, icon=":material/close:", on_click=cancel)


@st.fragment(run_every=_AGAIN)
def progress(evaluation: Evaluation, wanted: Callable[[], bool]) -> None:
    """Draw the progress of the search; when it is done the page is drawn again, with its rows in that order.

    wanted : whether the order is still chosen; the browser may ask for this piece of a page that is gone.
    """
    if not wanted():
        return
    going_on = search(evaluation)
    try:
        if going_on.ask():
            st.rerun()
    except DataError as error:
        st.text(str(error))
        return
    st.progress(
        min(1.0, going_on.share),
        text=f"Looking for near-duplicates: {percent(going_on.share, 0)}. A million rows take up to a minute. "
        "Until they are found the rows stand in another order; choose one to stop the search.",
    )
