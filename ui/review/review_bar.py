"""Review mode: the bar above a page while the steps of a review are walked; everything else makes way for the view.

`step` in the address says which step, from 1; 0 is no review. The arrow keys walk as the buttons do.
"""

from __future__ import annotations

from typing import NamedTuple, NoReturn

import streamlit as st

from data.errors import DataError
from data.samples import is_sample
from data.store import links
from text.visible import show
from ui.review import review_steps
from ui.text.component import component
from ui.text.markdown import md
from ui.text.messages import remark
from ui.view import people, url
from ui.view.address import address_query, values_of
from ui.view.pages import PAGES, page_title

_TOLD, _ARRIVED = "review.told", "review.arrived"
_keys = component(
    __file__,
    "review_keys",
    '<div class="hint"><kbd>←</kbd> <kbd>→</kbd> walk <button class="whole"><kbd>F</kbd> whole screen</button></div>',
)


class Walk(NamedTuple):
    """A review that is walked: its title, its steps, and which one is on screen, from 1."""

    run: str
    title: str
    views: tuple[links.View, ...]
    step: int

    @property
    def view(self) -> links.View:
        """The step on screen, as it was chosen."""
        return self.views[self.step - 1]


def show_bar(page: str) -> bool:
    """Draw the bar if the address asks for a step of a review; returns whether it does.

    A step that there is not becomes the nearest, and of a link without a review the page is shown as usual.
    """
    asked, run = url.get("step"), url.get("run")
    if not asked:
        return False
    if not _opens(run):  # the page says so, and that is all anybody learns of it
        url.put(step=0)
        return False
    title, views = review_steps.walked(run)
    if not views:
        _tell_no_review()
        return False
    walk = Walk(run, title, views, min(asked, len(views)))
    _arrive(walk, asked, page)
    with st.container(key="review-bar", gap=None):
        _heading(walk)
        _note(walk)
        st.progress(walk.step / len(walk.views))
    return True


def go(walk: Walk, step: int) -> NoReturn:
    """Open a step exactly as it was chosen, whatever was looked at in between."""
    view = walk.views[step - 1]
    url.put(**values_of(view, view.page), step=step)
    st.switch_page(PAGES[view.page].script, query_params=address_query(view, walk.run, step))


def link_to(walk: Walk, step: int, label: str, *, icon: str | None = None, disabled: bool = False) -> None:
    """A link to a step: unlike `st.switch_page`, one entry of the browser's history, so that Back is the step before.

    label : Markdown.
    """
    view = walk.views[step - 1]
    query = address_query(view, walk.run, step)
    st.page_link(PAGES[view.page].script, label=label, icon=icon, query_params=query, disabled=disabled)


def _opens(run: str) -> bool:
    """Whether a link opens something for whoever is looking."""
    if is_sample(run):
        return True
    try:
        links.open_link(run)
        people.check(run)
    except DataError:
        return False
    return True


def _tell_no_review() -> None:
    url.put(step=0)
    told = "The link asks for a step of a review, but it holds no review; the page is shown as usual."
    st.session_state[url.PROBLEMS] = [*st.session_state.get(url.PROBLEMS, []), told]


def _arrive(walk: Walk, asked: int, page: str) -> None:
    """Go where the address means a step but says no view of it: a step too far, or an address without a page."""
    first = st.session_state.get(_ARRIVED) != walk.run
    st.session_state[_ARRIVED] = walk.run
    if asked > len(walk.views):
        st.session_state[_TOLD] = (
            f"The link asks for step {asked:,}, but this review has {len(walk.views)} steps; this is the last one."
        )
        go(walk, walk.step)
    if first and page == "open" and walk.view.page != "open" and not set(st.query_params) - {"run", "step"}:
        go(walk, walk.step)


def _heading(walk: Walk) -> None:
    """What the review and this step are called, and the ways on."""
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        with st.container(key="review-titles", gap=None):
            st.text(show(walk.title) if walk.title else "Review")
            st.text(show(walk.view.title) if walk.view.title else page_title(walk.view.page))
        with st.container(key="review-ways", width="content", gap="xxsmall", horizontal_alignment="right"):
            _ways(walk)


def _ways(walk: Walk) -> None:
    n = len(walk.views)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        with st.container(key="review-previous", width="content"):
            link_to(walk, max(walk.step - 1, 1), "Previous", icon=":material/arrow_back:", disabled=walk.step == 1)
        with st.popover(f"{walk.step} of {n}", help="Go to any step"):
            _contents(walk)
        with st.container(key="review-next" if walk.step < n else "review-end", width="content"):
            link_to(walk, min(walk.step + 1, n), "Next", icon=":material/arrow_forward:", disabled=walk.step == n)
        if st.button("Leave", key="review.leave", icon=":material/close:", help="Leave the review"):
            _leave(walk)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        if st.button("Back to this step's view", key="review.again", type="tertiary", icon=":material/replay:",
                     help="Undo what was looked at since this step was opened"):  # fmt: skip
            go(walk, walk.step)
        _keys(data={"step": walk.step, "steps": n}, key="review.keys")


def _contents(walk: Walk) -> None:
    """Every step by its title."""
    for number, view in enumerate(walk.views, 1):
        title = md(view.title, 60) if view.title else page_title(view.page)
        link_to(walk, number, f"{number}. {title}", disabled=number == walk.step)


def _note(walk: Walk) -> None:
    told = st.session_state.pop(_TOLD, "")
    if told:
        remark(told)
    if walk.view.note:
        with st.container(key="review-note"):
            st.text("\n".join(show(line, None) if line.strip() else "" for line in walk.view.note.splitlines()))


def _leave(walk: Walk) -> None:
    """Out of review mode: the view stays; who only tried the review out is back where it is arranged."""
    url.put(step=0)
    if review_steps.is_rehearsed(walk.run):
        review_steps.end_rehearsal()
        st.switch_page(PAGES["review"].script, query_params={"run": walk.run})
    st.rerun()
