"""Collect views for a review, order them, and make a link of them (`review_bar.py` walks through them)."""

from __future__ import annotations

import re
from dataclasses import replace
from textwrap import shorten

import streamlit as st

from data.comparison.filter_conditions import describe_filter, read_filter
from data.errors import DataError
from data.evaluation import Evaluation
from data.limits import MAX_TITLE_CHARS
from text.numbers import count
from text.visible import show
from ui.limits import MAX_REVIEW_STEPS, MAX_STEP_NOTE_CHARS
from ui.person import browser_storage, people
from ui.review import review_bar, review_steps
from ui.review.review_steps import Collected, Step
from ui.share.sharing import Wanted, choose_days, choose_left_out, make, other_runs
from ui.text.messages import Asked, remark
from ui.view import panel, state, url
from ui.view.address import go_to, values_of
from ui.view.pages import PAGES, page_title

_ASKED, _TITLE = Asked("review.open"), "review.title"
_HOW = (
    "Open a page, choose what to show, and press **Add to review** at the top right. Add more views in the same way. "
    "Then order the steps here, write a note for each, and make one link to all of them."
)
_LISTS = {
    "never": "classes that are never predicted",
    "absent": "classes that are not in the data",
    "never_true": "predicted labels that are never true",
    "outside": "labels that are not in the label list",
    "low": "classes with few true rows",
}
_ONLY = {
    "errors": "the wrong rows",
    "correct": "the correct rows",
    "unparseable": "answers without a label",
    "missing": "rows without a true or predicted label",
    "tp": "true positives",
    "fp": "false positives",
    "fn": "false negatives",
    "tn": "true negatives",
}


def add_button(page: str) -> None:
    """Draw the button that adds the view on screen to the review; none where there is nothing to show."""
    evaluation = _in_view() if PAGES[page].in_review and people.may_change() else None
    if evaluation is None:
        return
    n = len(review_steps.collected_steps(url.get("run")).steps)
    st.button(f"Add to review ({n})" if n else "Add to review", key="review.add", on_click=_ASKED.open, args=(page,),
                      icon=":material/add_to_queue:", help="Add this view as a step of a review")  # fmt: skip
    if _ASKED.is_open(page):
        _add(page)


def _in_view() -> Evaluation | None:
    """Return the evaluation of the link in view, where there are numbers to show."""
    try:
        evaluation = state.evaluation()
    except DataError:  # the page says why
        return None
    return evaluation if evaluation is not None and evaluation.n_scored else None


@st.dialog("Add this view to the review", icon=":material/add_to_queue:", on_dismiss=_ASKED.close)
def _add(page: str) -> None:
    """Ask for title and note of the new step; its view is the one on screen."""
    run = url.get("run")
    review = review_steps.collected_steps(run)
    if len(review.steps) >= MAX_REVIEW_STEPS:
        st.markdown(f"A review has at most {MAX_REVIEW_STEPS} steps. Remove one on the page Review first.")
        return
    with st.form("review.step", border=False):
        title = st.text_input("Title", propose_title(page, MAX_TITLE_CHARS), max_chars=MAX_TITLE_CHARS)
        note = st.text_area(
            "Note", max_chars=MAX_STEP_NOTE_CHARS, placeholder="What to look at, or what to say (optional)"
        )
        st.caption("Everybody who walks through the review reads both above this view.")
        if st.form_submit_button("Add", type="primary", icon=":material/add:", width="stretch"):
            added = Step(page, review_steps.query_in_view(page), title, note)
            review_steps.collect(run, review.title, (*review.steps, added))
            _ASKED.close()
            st.toast(f"Added as step {len(review.steps) + 1} of the review.", icon=":material/add_to_queue:")
            st.rerun()


def head(run: str) -> tuple[str, str]:
    """Return the title of the page and the line under it."""
    n, (_, views) = len(review_steps.collected_steps(run).steps), review_steps.review_of_link(run)
    if n > 1:
        return f"{count(n, 'step')} to walk through", "Order them, write what to say, then make one link of them."
    if n:
        return "One step so far: a review needs two", "Add another view with **Add to review** at the top right."
    if views:
        return f"This link is a review of {count(len(views), 'step')}", "Walk through it, or make a new one of it."
    return "No step yet: add the views you want to show", _HOW


def arrange(evaluation: Evaluation) -> None:
    """Draw the collected steps to order and write, and beside them what makes a link of them."""
    run = url.get("run")
    review, (title, views) = review_steps.collected_steps(run), review_steps.review_of_link(run)
    if views:
        _existing(review_bar.Walk(run, title, views, 1), has_own=bool(review.steps))
    if not review.steps:
        _begin(run)
        return
    main, side = panel.split_panel("review", is_open=False)
    with main:
        for place in range(len(review.steps)):
            _step(run, place)
    with side:
        _finish(run, evaluation, review)


def _existing(walk: review_bar.Walk, *, has_own: bool) -> None:
    """Draw the review that this link is: its steps, and the way in."""
    with st.container(border=True):
        if walk.title:
            st.text(show(walk.title))
        for number, view in enumerate(walk.views, 1):
            st.text(f"{number}. {show(view.title) if view.title else page_title(view.page)}")
        with st.container(horizontal=True):
            if st.button("Walk through", key="review.walk", type="primary", icon=":material/slideshow:"):
                review_steps.end_rehearsal()
                review_bar.open_step(walk, 1)
            st.button("Make a new one of these steps", key="review.anew", icon=":material/edit:", disabled=has_own,
                      on_click=_take, args=(walk.run, walk.title, list(map(review_steps.step_of, walk.views))),
                      help="This link stays as it is; the changed steps get a link of their own")  # fmt: skip


def _take(run: str, title: str, steps: list[Step]) -> None:
    review_steps.collect(run, title, steps)


def _begin(run: str) -> None:
    """Draw the ways to the first step."""
    with st.container(horizontal=True):
        for page in ("overview", "confusion", "classes", "rows"):
            go_to(page, page_title(page), icon=PAGES[page].icon)
    before = review_steps.steps_of_another_run(run)
    if before:
        st.button(f"Take over the {count(len(before), 'step')} collected before this correction or file",
                  key="review.over", icon=":material/move_down:", on_click=_take,
                  args=(run, "", [review_steps.step_of(step.view()) for step in before]))  # fmt: skip


def _step(run: str, place: int) -> None:
    """Draw one step: its title and note to write, its view, its place to change."""
    steps = review_steps.collected_steps(run).steps
    step = steps[place]
    with st.container(border=True, key=f"review-step-{place}", horizontal=True, gap="small"):
        st.markdown(f"**{place + 1}**", width="content")
        with st.container(gap="xsmall"):
            for what in ("title", "note"):
                st.session_state[f"{step.key}.{what}"] = getattr(step, what)
            st.text_input(f"Title of step {place + 1}", key=f"{step.key}.title", max_chars=MAX_TITLE_CHARS,
                          placeholder="Title", label_visibility="collapsed", on_change=_write,
                          args=(run, step.key, "title"))  # fmt: skip
            st.text_area(f"Note of step {place + 1}", key=f"{step.key}.note", max_chars=MAX_STEP_NOTE_CHARS, height=68,
                         placeholder="What to look at, or what to say (optional)", label_visibility="collapsed",
                         on_change=_write, args=(run, step.key, "note"))  # fmt: skip
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                go_to(step.page, f"Open this view of {page_title(step.page)}", icon=PAGES[step.page].icon,
                      **values_of(step.view(), step.page))  # fmt: skip
                st.space("stretch")
                _moves(run, place, len(steps))


def _write(run: str, key: str, what: str) -> None:
    """Keep what was just written in a step."""
    review = review_steps.collected_steps(run)
    text = st.session_state.get(f"{key}.{what}")
    if text is None:  # the step went in another tab before its field was left
        return
    steps = [replace(step, **{what: text}) if step.key == key else step for step in review.steps]
    review_steps.collect(run, review.title, steps)


def _moves(run: str, place: int, n: int) -> None:
    """Draw the buttons that move a step and remove it."""
    for what, icon, to in (("Earlier", "arrow_upward", place - 1), ("Later", "arrow_downward", place + 1)):
        name = f"{what}: step {place + 1}"
        st.button(name, key=f"icon.review.{what}.{place}", icon=f":material/{icon}:", help=name, type="tertiary",
                  disabled=not 0 <= to < n, on_click=_move, args=(run, place, to))  # fmt: skip
    name = f"Remove step {place + 1}"
    st.button(name, key=f"icon.review.Remove.{place}", icon=":material/delete:", help=name, type="tertiary",
              on_click=_move, args=(run, place, None))  # fmt: skip


def _move(run: str, place: int, to: int | None) -> None:
    """Move a step to another place; None = remove it."""
    review = review_steps.collected_steps(run)
    steps = list(review.steps)
    if place >= len(steps):  # another tab removed it meanwhile
        return
    step = steps.pop(place)
    if to is not None:
        steps.insert(to, step)
    review_steps.collect(run, review.title, steps)


def _finish(run: str, evaluation: Evaluation, review: Collected) -> None:
    """Draw what makes a link of the steps, walks through them, and forgets them."""
    panel.heading("Make the link")
    st.session_state[_TITLE] = review.title
    st.text_input("Title of the review", key=_TITLE, max_chars=MAX_TITLE_CHARS, placeholder="What this review is about",
                  on_change=_name, args=(run,))  # fmt: skip
    days = choose_days("Days until the link expires", key="review.days")
    compared = [run for step in review.steps for run in other_runs(step.view().query.get("with", ""))]
    left_out = choose_left_out([evaluation, *compared], key="review")
    enough = len(review.steps) > 1
    if st.button("Make the review link", key="review.make", type="primary", icon=":material/add_link:",
                 disabled=not enough or left_out is None, width="stretch") and left_out is not None:  # fmt: skip
        _make(run, evaluation, review, left_out._replace(title=review.title.strip(), days=days))
    if st.button("Walk through now", key="review.rehearse", icon=":material/slideshow:", width="stretch"):
        review_steps.rehearse(run)
        review_bar.open_step(review_bar.Walk(run, review.title, tuple(step.view() for step in review.steps), 1), 1)
    if not enough:
        remark("A review needs at least two steps. Add another view.", "info")
    _offer_forgetting(run)


def _name(run: str) -> None:
    review_steps.collect(run, st.session_state.get(_TITLE, ""), review_steps.collected_steps(run).steps)


def _offer_forgetting(run: str) -> None:
    """Say where the steps are kept until then, and offer to forget them."""
    if browser_storage.problem():
        remark(browser_storage.problem())
    st.caption(f"**Where the steps are kept.** {browser_storage.WHERE}")
    st.button("Forget these steps", key="review.forget", icon=":material/delete:", on_click=_take, args=(run, "", []),
              type="tertiary")  # fmt: skip


def _make(run: str, evaluation: Evaluation, review: Collected, wanted: Wanted) -> None:
    views = [step.view() for step in review.steps]
    make(run, evaluation, wanted, views,
         about="It walks through the steps as they are now. A later change needs another link.")  # fmt: skip


def propose_title(page: str, limit: int) -> str:
    """Return a title for the view on screen as plain text: what was chosen there, else the page's own title."""
    chosen = {
        "confusion": _chosen_outcome,
        "rows": _chosen_rows,
        "classes": _title_of_class,
        "slices": _title_of_slice,
    }.get(page)
    finding = (chosen() if chosen else "") or _heading()
    title = f"{page_title(page)}: {finding}" if finding else page_title(page)
    return shorten(show(title.replace("\u00a0", " "), None), limit, placeholder=" …")


def _heading() -> str:
    """Return the title of the page as plain text: its labels, code spans in Markdown, in quotes."""
    title = str(st.session_state.get(url.TITLE, "")).replace("&#47;", "/")
    return re.sub(r"(?<!`)(`{1,99})(?!`) ?(.{1,200}?) ?(?<!`)\1(?!`)", r"'\2'", title)


def _chosen_outcome() -> str:
    """Name the rows of one outcome; else the title of the matrix says what was chosen."""
    return _chosen_rows() if url.get("only") in _ONLY else ""


def _chosen_rows() -> str:
    parts = [_ONLY.get(url.get("only"), "")]
    parts += [f"true class {_quote(url.get('true'))}"] if url.get("true") else []
    parts += [f"predicted as {_quote(url.get('pred'))}"] if url.get("pred") else []
    parts += [f"row {url.get('row'):,}"] if url.get("row") else []
    return ", ".join(filter(None, parts))


def _title_of_class() -> str:
    return _quote(url.get("class")) if url.get("class") else _LISTS.get(url.get("list"), "")


def _title_of_slice() -> str:
    chosen = read_filter(url.get("slice"))
    if chosen:
        return describe_filter(chosen)
    return " and ".join(_quote(name) for name in (url.get("column"), url.get("cross")) if name)


def _quote(label: str) -> str:
    return f"'{show(label, 40)}'"
