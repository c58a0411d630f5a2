"""The steps of a review: those collected in this tab, and those that stand in a shared link."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from data.errors import DataError
from data.store import links
from ui.view import url
from ui.view.address import NOT_OF_A_VIEW
from ui.view.pages import PAGES

MOST_STEPS = 50
LONGEST_NOTE = 1000
_COLLECTED, _REHEARSED = "review.collected", "review.rehearsed"


@dataclass
class Step:
    """One collected view; title and note change while they are written.

    query : its parameters as they stand in the address, without the run.
    key : names its controls, wherever it is moved.
    """

    page: str
    query: Mapping[str, str]
    title: str
    note: str = ""
    key: str = field(default_factory=lambda: uuid.uuid4().hex)

    def view(self) -> links.View:
        """The step as a link keeps it."""
        return links.View(self.page, dict(self.query), self.title.strip(), self.note.strip())


def collected(run: str) -> list[Step]:
    """The steps collected of a run in this tab, in order; the list may be changed."""
    steps: list[Step] = st.session_state.setdefault(_COLLECTED, {}).setdefault(run, [])
    return steps


def of_another_run(run: str) -> list[Step]:
    """The steps collected last of any other run: a correction gives the same file another one."""
    others = [steps for other, steps in st.session_state.get(_COLLECTED, {}).items() if other != run and steps]
    return others[-1] if others else []


def from_view(view: links.View) -> Step:
    """A step to be written anew."""
    return Step(view.page, view.query, view.title, view.note)


def query_in_view(page: str) -> dict[str, str]:
    """The parameters of the view on screen, as they stand in the address, without the run."""
    values = {name: url.get(name) for name in url.PARAMETERS if name not in NOT_OF_A_VIEW}
    return url.write_query(values, page)


def in_link(run: str) -> tuple[str, tuple[links.View, ...]]:
    """Title and steps of the review that a shared link is; none where it is no review.

    A page that this version does not have is left out.
    """
    try:
        link = links.open_link(run)
    except DataError:  # a sample, or a link that opens nothing: the page says so
        return "", ()
    known = tuple(view for view in link.views if view.page in PAGES)
    return (link.title, known) if link.kind == "share" and len(link.views) > 1 else ("", ())


def rehearse(run: str, title: str) -> None:
    """Have the collected steps walked in this tab, without a link."""
    st.session_state[_REHEARSED] = (run, title)


def is_rehearsed(run: str) -> bool:
    """Whether the steps of this run that are walked are those collected in this tab."""
    return bool(st.session_state.get(_REHEARSED, ("",))[0] == run and collected(run))


def end_rehearsal() -> None:
    """Back to what the link says."""
    st.session_state.pop(_REHEARSED, None)


def walked(run: str) -> tuple[str, tuple[links.View, ...]]:
    """Title and steps of the review to walk of a run."""
    if is_rehearsed(run):
        return st.session_state[_REHEARSED][1], tuple(step.view() for step in collected(run))
    return in_link(run)
