"""Collecting views for a review, putting them in a row, and making them a link (`review_bar.py` walks them)."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import shorten

import streamlit as st

from data.errors import DataError
from data.evaluation import Evaluation
from data.limits import MAX_TITLE_CHARS
from text.numbers import count
from text.visible import show
from ui.overview.finding_places import place_of
from ui.review import review_bar, review_steps
from ui.review.review_steps import LONGEST_NOTE, MOST_STEPS, Step
from ui.share.sharing import Wanted, choose_days, make
from ui.text.messages import remark
from ui.thresholds import rule_in_force
from ui.view import people, state, url
from ui.view.address import values_of
from ui.view.pages import PAGES, page_title
from ui.view.url import go_to

_OPEN, _TITLE = "review.open", "review.title"
_HOW = (
    "Open the page and the view you want to show, and press **Add to review** there; the next view follows the same "
    "way. Here you put them in order, write a title and a note for each, and get one link that walks through all of "
    "them."
)
_LISTS = {
    "never": "classes that are never predicted",
    "absent": "classes without true rows",
    "never_true": "predicted labels that are never true",
    "outside": "labels outside the label space",
    "low": "classes with few true rows",
}
_ONLY = {
    "errors": "the wrong rows",
    "correct": "the right rows",
    "unparseable": "unparseable answers",
    "missing": "rows without truth or prediction",
    "tp": "true and predicted",
    "fp": "predicted but not true",
    "fn": "true but not predicted",
    "tn": "neither true nor predicted",
}


def add_button(page: str) -> None:
    """The button that adds the view on screen to the review; nothing where nothing can be shown."""
    evaluation = _in_view() if PAGES[page].in_review and people.may_change() else None
    if evaluation is None:
        return
    n = len(review_steps.collected(url.get("run")))
    st.button(f"Add to review ({n})" if n else "Add to review", key="review.add", on_click=_open, args=(page,),
                      icon=":material/add_to_queue:",
                      help="Keep this view as a step of a walk through several")  # fmt: skip
    if st.session_state.get(_OPEN) == page:  # so that a run of the page that nobody asked for does not close it
        _add(page, evaluation)


def _in_view() -> Evaluation | None:
    """The evaluation of the link in view, where there are numbers to show."""
    try:
        found = state.evaluation()
    except DataError:  # the page says why
        return None
    return found if found is not None and found.n_scored else None


def _open(page: str) -> None:
    st.session_state[_OPEN] = page


def _close() -> None:
    st.session_state.pop(_OPEN, None)


@st.dialog("Add this view to the review", icon=":material/add_to_queue:", on_dismiss=_close)
def _add(page: str, evaluation: Evaluation) -> None:
    """Title and note of the new step; its view is the one on screen."""
    steps = review_steps.collected(url.get("run"))
    if len(steps) >= MOST_STEPS:
        st.markdown(f"A review has at most {MOST_STEPS} steps; remove one on the page Review first.")
        return
    with st.form("review.step", border=False):
        title = st.text_input("Title", propose_title(page, evaluation, MAX_TITLE_CHARS), max_chars=MAX_TITLE_CHARS)
        note = st.text_area("Note", max_chars=LONGEST_NOTE, placeholder="What to look at, or to say (optional)")
        st.caption(
            "Everybody who walks through the review reads both above this view. Until its link is made, reloading the "
            "page (F5) loses its steps."
        )
        if st.form_submit_button("Add", type="primary", icon=":material/add:", width="stretch"):
            steps.append(Step(page, review_steps.query_in_view(page), title, note))
            _close()
            st.toast(f"Added as step {len(steps)} of the review.", icon=":material/add_to_queue:")
            st.rerun()


def arrange(evaluation: Evaluation) -> None:
    """Order the collected views, write titles and notes, make the link, or walk through them at once."""
    run = url.get("run")
    steps = review_steps.collected(run)
    title, views = review_steps.in_link(run)
    if views:
        _existing(review_bar.Walk(run, title, views, 1), steps)
    if not steps:
        _how_to_begin(run, steps, has_review=bool(views))
        return
    st.subheader(f"Your review: {count(len(steps), 'step')}")
    st.caption(
        "Kept in this tab only until the link is made: reloading the page (F5) or closing the tab loses the steps."
    )
    st.text_input("Title of the review", key=_TITLE, max_chars=MAX_TITLE_CHARS, persist_state="session",
                  placeholder="What this review is about")  # fmt: skip
    for place, step in enumerate(steps):
        _step(run, steps, place, step)
    _finish(run, evaluation, steps)


def _existing(walk: review_bar.Walk, steps: list[Step]) -> None:
    """The review that this link is: its contents, and the way in."""
    with st.container(border=True):
        st.markdown(f"#### This link is a review of {count(len(walk.views), 'step')}")
        if walk.title:
            st.text(show(walk.title))
        for number, view in enumerate(walk.views, 1):
            st.text(f"{number}. {show(view.title) if view.title else page_title(view.page)}")
        with st.container(horizontal=True):
            if st.button("Walk through", key="review.walk", type="primary", icon=":material/slideshow:"):
                review_steps.end_rehearsal()
                review_bar.go(walk, 1)
            anew = [review_steps.from_view(view) for view in walk.views]
            st.button("Make a new one of these steps", key="review.anew", icon=":material/edit:", disabled=bool(steps),
                      on_click=_take, args=(walk.run, anew, walk.title),
                      help="This link stays as it is; the changed steps get a link of their own")  # fmt: skip


def _take(run: str, steps: list[Step], title: str) -> None:
    review_steps.collected(run).extend(steps)
    st.session_state[_TITLE] = title


def _how_to_begin(run: str, steps: list[Step], *, has_review: bool) -> None:
    if not has_review:
        st.markdown(f"#### No view is collected yet\n{_HOW}")
    with st.container(horizontal=True):
        for page in ("overview", "confusion", "classes", "rows"):
            go_to(page, page_title(page), icon=":material/arrow_forward:")
    before = review_steps.of_another_run(run)
    if before:
        st.button(f"Take over the {count(len(before), 'step')} collected before this correction or file",
                  key="review.over", icon=":material/move_down:", on_click=_take,
                  args=(run, [review_steps.from_view(step.view()) for step in before], ""))  # fmt: skip


def _step(run: str, steps: list[Step], place: int, step: Step) -> None:
    """One step: its title and note to write, its place to change."""

    def moved(by: int) -> Callable[[], None]:
        return lambda: steps.insert(place + by, steps.pop(place))

    with st.container(border=True, key=f"review-step-{place}"):
        number, words, ways = st.columns([0.06, 0.7, 0.24], vertical_alignment="top")
        number.subheader(str(place + 1), anchor=False)
        with words:
            st.session_state.setdefault(f"{step.key}.title", step.title)
            st.session_state.setdefault(f"{step.key}.note", step.note)
            step.title = st.text_input("Title", key=f"{step.key}.title", max_chars=MAX_TITLE_CHARS)
            step.note = st.text_area("Note", key=f"{step.key}.note", max_chars=LONGEST_NOTE, height=92,
                                     placeholder="What to look at, or to say (optional)")  # fmt: skip
        with ways:
            st.caption(f"A view of the page {page_title(step.page)}")
            with st.container(horizontal=True, gap="xsmall"):
                st.button("", key=f"{step.key}.up", icon=":material/arrow_upward:", help="Earlier",
                          disabled=place == 0, on_click=moved(-1))  # fmt: skip
                st.button("", key=f"{step.key}.down", icon=":material/arrow_downward:", help="Later",
                          disabled=place == len(steps) - 1, on_click=moved(1))  # fmt: skip
                st.button("", key=f"{step.key}.remove", icon=":material/delete:", help="Remove this step",
                          on_click=steps.remove, args=(step,))  # fmt: skip
            go_to(step.page, "Open this view", icon=":material/open_in_new:",
                  **values_of(step.view(), step.page))  # fmt: skip


def _finish(run: str, evaluation: Evaluation, steps: list[Step]) -> None:
    """Walk through what there is, or make it a link."""
    title = (st.session_state.get(_TITLE) or "").strip()
    enough = len(steps) > 1
    left, ready, walk = st.columns([0.4, 0.3, 0.3], vertical_alignment="bottom")
    with left:
        days = choose_days("The link ends after", key="review.days")
    if ready.button("Make the review link", key="review.make", type="primary", icon=":material/add_link:",
                   disabled=not enough, width="stretch"):  # fmt: skip
        _make(run, evaluation, steps, Wanted(title, days))
    if walk.button("Walk through now", key="review.rehearse", icon=":material/slideshow:", width="stretch"):
        review_steps.rehearse(run, title)
        review_bar.go(review_bar.Walk(run, title, tuple(step.view() for step in steps), 1), 1)
    if not enough:
        remark("The link cannot be made yet: a review has at least two steps. Add another view.", "info")
    st.caption(
        "The link opens all that is loaded here. To leave rows or columns out, share it without them first, "
        "open that link, and arrange the review there."
    )


def _make(run: str, evaluation: Evaluation, steps: list[Step], wanted: Wanted) -> None:
    views = [step.view() for step in steps]
    make(
        run, evaluation, wanted, views,
        about="It walks through the steps as they are now; what is changed later needs another link.",
    )  # fmt: skip


def propose_title(page: str, evaluation: Evaluation, limit: int) -> str:
    """Return a title for the view on screen, as plain text; labels in it are made visible."""
    chosen = {
        "confusion": _chosen_rows,
        "rows": _chosen_rows,
        "classes": _title_of_class,
        "thresholds": _title_of_threshold,
    }.get(page)
    said = (chosen() if chosen else "") or _finding(page, evaluation)
    return shorten(show(f"{page_title(page)}: {said}" if said else page_title(page), None), limit, placeholder=" …")


def _finding(page: str, evaluation: Evaluation) -> str:
    """The first sentence of what stands out most on a page; the overview shows all that stands out."""
    found = [one for one in rule_in_force.found(evaluation) if page in ("overview", place_of(evaluation, one).page)]
    return found[0].sentence(_quoted).partition(". ")[0].rstrip(".") if found else ""


def _chosen_rows() -> str:
    parts = [_ONLY.get(url.get("only"), "")]
    parts += [f"truth {_quoted(url.get('true'))}"] if url.get("true") else []
    parts += [f"predicted {_quoted(url.get('pred'))}"] if url.get("pred") else []
    parts += [f"row {url.get('row'):,}"] if url.get("row") else []
    return ", ".join(filter(None, parts))


def _title_of_class() -> str:
    return _quoted(url.get("class")) if url.get("class") else _LISTS.get(url.get("list"), "")


def _title_of_threshold() -> str:
    threshold = state.threshold_in_view()
    parts = [_quoted(url.get("class"))] if url.get("class") else []
    parts += [] if threshold is None else [f"score >= {threshold:.6g}"]
    return ", ".join(parts)


def _quoted(label: str) -> str:
    return f"'{show(label, 40)}'"
