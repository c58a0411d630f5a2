"""Draw what stands around every page: the title of the tab and the bar at the top."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from data.errors import DataError
from data.evaluation import Evaluation
from data.roles.run_columns import ALL_ROWS
from data.runs.source_rows import has_source
from data.samples import is_sample
from data.store import links
from export.file_reading import count_classes
from text.numbers import count
from text.visible import show
from ui.frame import open_files
from ui.person import people
from ui.share import sharing
from ui.text.markdown import md
from ui.view import fragment, open_runs, state, url
from ui.view.pages import FIRST, PAGES
from ui.view.panel import md_label

_TAB = "frame.tab"
_TASKS = {"binary": "binary", "multiclass": "single-label", "multilabel": "multi-label"}


def name_tab(page: str) -> None:
    """Call the browser's tab after the page and the loaded file. The browser shows the title as plain text."""
    evaluation = _evaluation_in_view()
    names = [page] if evaluation is None else [page, show(evaluation.name, 40)]
    title = " · ".join([*names, "Blindspot"])
    st.session_state[_TAB] = (url.get("run"), fragment.page(), title)
    st.set_page_config(page_title=title)


def tab_title() -> str:
    """Name the tab until the page says better: as before, so that it does not flicker.

    Not with the name of a link that was taken back, nor on another page, which may be for members only.
    """
    run, page, title = st.session_state.get(_TAB, ("", "", "Blindspot"))
    is_same_view = page and (run, page) == (st.query_params.get("run", ""), fragment.page())
    return str(title) if is_same_view and open_runs.is_open(run) else "Blindspot"


@contextmanager
def other_file() -> Iterator[None]:
    """Mark a run of the page that shows another file than before: page.css then hides the numbers of the old one."""
    place = st.empty()
    before = st.session_state.get(open_runs.DRAWN)
    run = open_runs.run_asked()
    st.session_state[open_runs.DRAWN] = run
    if before in (None, run):
        yield
        return
    place.html('<i class="another-file"></i>')
    try:
        yield
    finally:
        place.empty()


def draw_bar(page: str, *, beside: Callable[[str], None]) -> None:
    """Draw the bar at the top: the loaded file, what its link is, and the button that shares what is on screen.

    beside : draws what stands in front of the button.
    """
    _to_what_was_shared(page)
    evaluation = _evaluation_in_view()
    is_shareable = evaluation is not None or (not PAGES[page].needs_file and not url.get("run"))
    with st.container(key="bar", horizontal=True, vertical_alignment="center", wrap=False, gap="small"):
        with st.container(key="bar-file", horizontal=True, vertical_alignment="center", wrap=False, gap="small"):
            if evaluation is None:
                st.markdown("")  # keeps the room in front of the buttons
            else:
                _draw_file(evaluation)
        if is_shareable:
            sharing.button(page, beside=lambda: beside(page))


def _draw_file(evaluation: Evaluation) -> None:
    """Draw the name and the facts of the file; with other files open, its name switches to them."""
    open_files.remember(evaluation)
    others = open_files.other_files()
    facts = _describe_file(evaluation)
    if others:
        open_files.switcher(others, evaluation.name)
        st.markdown(facts)
    else:
        st.markdown(f"**{md(evaluation.name, 40)}** &nbsp; {facts}")


def _describe_file(evaluation: Evaluation) -> str:
    """Write the file's size and what is scored of it, as Markdown."""
    size = count(evaluation.n_rows)
    if evaluation.weights is not None and not has_source(evaluation):
        size += f" in {count(evaluation.n_lines, 'line')}"
    left_out = _describe_left_out(evaluation)
    if left_out:
        size += f" :orange[({left_out} left out)]"  # a narrow bar cuts the end; on a phone it is a line of its own
    facts = [size, count_classes(evaluation), _TASKS[evaluation.task]]
    if evaluation.positive is not None:
        facts.append(f"positive: {md_label(evaluation, evaluation.positive)}")
    if evaluation.settings.only not in (None, ALL_ROWS):
        column, value = evaluation.settings.only
        facts.append(f"only {md(column, 40)} = {md(value, 40)}")
    return " · ".join(facts)


def _describe_left_out(evaluation: Evaluation) -> str:
    """Name the rows that no number counts; "" where there are none."""
    accounts = [file.rows_left_out for file in evaluation.receipt.files]
    n_unread = sum(account.n_left_out for account in accounts if account is not None)
    left_out = [count(n_unread, "unreadable row")] if n_unread else []
    n_unscored = evaluation.n_rows - evaluation.n_scored
    if n_unscored:
        of_weight_0 = "" if evaluation.units is None else ", or of weight 0,"
        left_out.append(f"{count(n_unscored)} without true or predicted label{of_weight_0}")
    return " and ".join(left_out)


def _to_what_was_shared(page: str) -> None:
    """Open the view that was shared for a link without a page, or else the overview with how its file was read."""
    first = url.WRITTEN not in st.session_state
    if page != FIRST or not first or set(st.query_params) != {"run"}:
        return
    run = url.get("run")
    try:
        people.check(run)
        views = () if is_sample(run) else links.open_link(run).views
    except DataError:  # it opens nothing: the page says so
        return
    view = views[0] if views else None
    if view is not None and view.page in PAGES and (view.page != FIRST or view.query):
        query = {name: text for name, text in view.query.items() if name in url.PARAMETERS}
        if len(views) > 1:
            query["step"] = "1"  # a review begins at its beginning
        st.switch_page(PAGES[view.page].script, query_params={"run": run, **query})
    evaluation = open_runs.evaluation_of(run)
    if evaluation is not None and evaluation.n_scored and len(views) < 2:
        st.switch_page(PAGES["overview"].script, query_params={"run": run, "reading": "1"})


def _evaluation_in_view() -> Evaluation | None:
    """Return the evaluation of the link in view; None where it opens nothing, or nothing yet: the page says so."""
    try:
        return state.evaluation()
    except DataError:
        return None
