"""The menu of the pages: Streamlit's own, with what a file has nothing for in grey, and one history entry a click.

By itself a click makes two entries (docs/decisions/0001): the page without its view, and the page with the view that we
put back. The entry has the whole view, because the server that answers the click may not be the one that drew the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from data.columns.table_metadata import rows_left_out
from data.comparison.slice_columns import other_columns
from data.evaluation import Evaluation
from data.rows.row_scores import confidence_column
from data.runs.class_scores.counting import can_count_classes
from data.runs.source_rows import has_source
from ui.person import people
from ui.text.component import component
from ui.view import open_runs, url
from ui.view.address import names_on
from ui.view.cache import has_slices, raters_of
from ui.view.pages import FIRST, PAGES

_listener = component(__file__, "menu", "<div></div>")


class Reason(NamedTuple):
    """Say why a page has nothing about a file: in two words beside its name, and in a sentence on hover."""

    short: str
    sentence: str


def draw() -> st.Page:
    """Draw the menu; returns the page that was asked for."""
    evaluation = _about()
    reasons = {} if evaluation is None else empty_pages(evaluation)
    sections: dict[str, list[st.Page]] = {}
    for row in PAGES.values():
        why = reasons.get(row.name)
        drawn = st.Page(
            row.script, title=row.title, icon=row.icon, url_path=row.name, default=row.name == FIRST,
            help=why and why.sentence,
        )  # fmt: skip
        sections.setdefault(row.section, []).append(drawn)
    page = st.navigation(sections, expanded=True)
    st.html(f"<style>{_grey(reasons)}</style>")
    return page


def empty_pages(evaluation: Evaluation) -> dict[str, Reason]:
    """Return the pages that have nothing to say about a file, and why."""
    reasons = {}
    if evaluation.answers is None:
        reasons["parsing"] = Reason("labels only", "This file holds labels, no raw answers: there is nothing to parse.")
    if evaluation.y_score is None and confidence_column(evaluation) is None and not can_count_classes(evaluation):
        reasons["thresholds"] = Reason("no scores", "This file holds no scores: there is no threshold to choose.")
    if not has_source(evaluation) and not other_columns(evaluation):
        reasons["slices"] = Reason("no columns", "This file has no column to slice by.")
    elif not has_source(evaluation) and not has_slices(evaluation):
        reasons["slices"] = Reason("no groups", "Every other column has one value, or too many to slice by.")
    if raters_of(evaluation) is None:
        reasons["agreement"] = Reason(
            "one rater", "No second rater was found in this file: there is no agreement to measure."
        )
    if rows_left_out(evaluation):
        reasons["rows"] = Reason("left out", "Whoever shared this left the rows out.")
    return reasons


def one_entry_a_click() -> None:
    """Listen to the menu and the logo, on every page."""
    view = url.write_everything(st.session_state[url.VIEW])
    pages = {page: names_on(page) for page in PAGES}
    with st.sidebar.container(key="menu"):
        _listener(data={"view": view, "pages": pages}, key="menu.listener", height=1)


def _about() -> Evaluation | None:
    """Return the evaluation that the menu is about, where whoever looks may see it."""
    try:
        run = url.PARAMETERS["run"].parse(open_runs.run_asked())
    except ValueError:  # no link, or no such link
        return None
    return open_runs.evaluation_of(run) if people.may_open(run) else None


def _grey(reasons: Mapping[str, Reason]) -> str:
    """Write the style that greys pages and says why beside their names."""
    link = '[data-testid="stSidebarNavLink"][href$="/{page}"]'
    grey = ", ".join(link.format(page=page) + ":not([aria-current]) *" for page in reasons)
    rules = [f'{link.format(page=page)}::after {{ content: "{why.short}" / ""; }}' for page, why in reasons.items()]
    return "\n".join(([f"{grey} {{ color: light-dark(#626d7d, #8b95a4); }}"] if grey else []) + rules)
