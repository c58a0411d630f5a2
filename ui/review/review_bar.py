"""Review mode: while a review is walked through, the screen shows title, note, position and the view, nothing else.

`step` in the address says which step, from 1; 0 is no review. The controls fade until the mouse or the keyboard asks
for them; the keys of a keyboard or a clicker walk as the controls do.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, NoReturn

import streamlit as st

from data.errors import DataError
from data.samples import is_sample
from data.store import links
from text.visible import show
from ui.person import browser_storage, people
from ui.review import review_steps
from ui.rows import marks
from ui.share import known_links
from ui.text.component import component
from ui.text.markdown import md
from ui.text.messages import remark
from ui.view import url
from ui.view.address import address_query, values_of
from ui.view.pages import PAGES, page_title

_TOLD, _ARRIVED = "review.told", "review.arrived"
_STYLE = Path(__file__).with_name("review.css")
_keys = component(
    __file__,
    "review_keys",
    '<div class="more"><button class="notes" title="Notes in a window of their own (N)">Notes</button>'
    '<button class="whole" title="Whole screen (F)">Whole screen</button></div>',
)


class Walk(NamedTuple):
    """A review that is walked through: its title, its steps, and which one is on screen, from 1."""

    run: str
    title: str
    views: tuple[links.View, ...]
    step: int

    @property
    def view(self) -> links.View:
        """Return the step on screen, as it was chosen."""
        return self.views[self.step - 1]


def ask_browser(page: str) -> None:
    """Ask the browser for what it keeps of the run in view: review steps, marked rows, and on their page the links."""
    run = url.get("run")
    watched = [review_steps.entry_name(run), marks.entry_name(run)] if run else []
    watched += [known_links.entry_names(), browser_storage.KEPT] if page == "links" else []
    browser_storage.place(watched, ask=bool(url.get("step")) and not review_steps.review_of_link(run)[1])


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
    title, views = review_steps.review_to_walk(run)
    if not views:
        if browser_storage.has_answered():
            _tell_no_review()
        return False
    walk = Walk(run, title, views, min(asked, len(views)))
    _arrive(walk, asked, page)
    st.html(_STYLE)
    with st.container(key="review-bar", gap=None):
        _heading(walk)
        _note(walk)
        st.progress(walk.step / len(walk.views))
    with st.container(key="review-controls", horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False):
        _controls(walk)
    return True


def open_step(walk: Walk, step: int) -> NoReturn:
    """Open a step exactly as it was chosen, whatever was looked at in between."""
    view = walk.views[step - 1]
    url.put(**values_of(view, view.page), step=step)
    st.switch_page(PAGES[view.page].script, query_params=address_query(view, walk.run, step))


def link_to(walk: Walk, step: int, label: str, *, icon: str | None = None, disabled: bool = False) -> None:
    """Draw a link to a step: unlike `st.switch_page`, it is one entry of the history, so that Back is the step before.

    label : Markdown.
    """
    view = walk.views[step - 1]
    query = address_query(view, walk.run, step)
    st.page_link(PAGES[view.page].script, label=label, icon=icon, query_params=query, disabled=disabled)


def _opens(run: str) -> bool:
    """Return whether a link opens for the person who looks."""
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
    url.tell("Ignored the step in the link: the link holds no review.")


def _arrive(walk: Walk, asked: int, page: str) -> None:
    """Go to the step that an address means but shows no view of: a step too far, or an address without a page."""
    first = st.session_state.get(_ARRIVED) != walk.run
    st.session_state[_ARRIVED] = walk.run
    if asked > len(walk.views):
        st.session_state[_TOLD] = (
            f"The link asks for step {asked:,}, but this review has {len(walk.views)} steps; this is the last one."
        )
        open_step(walk, walk.step)
    if first and page == "open" and walk.view.page != "open" and not set(st.query_params) - {"run", "step"}:
        open_step(walk, walk.step)


def _heading(walk: Walk) -> None:
    """Draw what the review and this step are called, and which step of how many it is."""
    with st.container(horizontal=True, vertical_alignment="top", gap="medium", wrap=False):
        with st.container(key="review-titles", gap=None):
            st.text(show(walk.title) if walk.title else "Review")
            st.text(_title_of(walk.view))
        with st.container(key="review-position", width="content"):
            st.text(f"{walk.step} of {len(walk.views)}")


def _title_of(view: links.View) -> str:
    return show(view.title) if view.title else page_title(view.page)


def _controls(walk: Walk) -> None:
    """Draw the ways to other steps and out of the review."""
    n = len(walk.views)
    with st.container(key="review-previous", width="content"):
        link_to(walk, max(walk.step - 1, 1), "Previous", icon=":material/arrow_back:", disabled=walk.step == 1)
    with st.popover("Steps", help="Go to any step"):
        _contents(walk)
    with st.container(key="review-next", width="content"):
        link_to(walk, min(walk.step + 1, n), "Next", icon=":material/arrow_forward:", disabled=walk.step == n)
    if st.button("Reset view", key="review.again", type="tertiary", icon=":material/replay:",
                 help="Undo what was changed since this step was opened"):  # fmt: skip
        open_step(walk, walk.step)
    following = walk.views[walk.step] if walk.step < n else None
    _keys(
        data={
            "step": walk.step,
            "steps": n,
            "title": _title_of(walk.view),
            "note": walk.view.note,
            "next": _title_of(following) if following else "",
        },
        key="review.keys",
        width="content",
    )
    if st.button("Leave", key="review.leave", icon=":material/close:", help="Leave the review (Escape)"):
        _leave(walk)


def _contents(walk: Walk) -> None:
    """Draw a link to every step, by its title."""
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
    """Leave review mode: the view stays; who only tried the review out is back where it is arranged."""
    url.put(step=0)
    if review_steps.is_rehearsed(walk.run):
        review_steps.end_rehearsal()
        st.switch_page(PAGES["review"].script, query_params={"run": walk.run})
    st.rerun()
