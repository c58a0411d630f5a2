"""A fragment that changes the view writes the address bar itself: otherwise only a run of the whole page does so."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec
from urllib.parse import urlsplit

import streamlit as st

from ui.view import open_runs, url
from ui.view.address import end_page, write_query
from ui.view.pages import PAGES

_CHANGED = "fragment.changed"
_P = ParamSpec("_P")


def run_fragment(drawn: Callable[_P, None]) -> Callable[_P, None]:
    """Return a fragment about the evaluation in view: where its link was taken back, the whole page runs and says so.

    A fragment runs by itself, with the evaluation that the page had when it was drawn. A browser may ask for it long
    after the page went on to something else. So it belongs to the link that was in view then, and runs for no other.
    """

    @st.fragment
    @wraps(drawn)
    def checked(run: str, *args: _P.args, **kwargs: _P.kwargs) -> None:
        if run != open_runs.run_in_view() or not open_runs.is_open(run):
            st.rerun()
        drawn(*args, **kwargs)

    @wraps(drawn)
    def of_this_run(*args: _P.args, **kwargs: _P.kwargs) -> None:
        checked(open_runs.run_in_view(), *args, **kwargs)

    return of_this_run


def changed() -> None:
    """Write the address bar; call it where a control of a fragment changes the view."""
    st.session_state[_CHANGED] = True


def page() -> str:
    """Return the page in view; empty where it is none of ours."""
    name = urlsplit(st.context.url or "").path.rpartition("/")[2]
    return name if name in PAGES else ""


def address_parameters() -> dict[str, Any]:
    """Return what a component puts into the address in place.

    Returns
    -------
    dict
        `page`, on which alone that may be done; `steps`, what the address must say otherwise for it; and `values`, the
        text of each parameter that is replaced, empty where it is at its default.
    """
    query = write_query(st.session_state[url.VIEW], page())
    values = {name: query.pop(name, "") for name in url.IN_PLACE}
    return {"page": page(), "steps": query, "values": values}


def write_address() -> None:
    """Write the view into the address, last in a fragment; do nothing when the view has not changed."""
    if st.session_state.pop(_CHANGED, False) and page():
        end_page(page())
