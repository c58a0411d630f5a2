"""Go on once a file is read: to Overview where it can be shown, else to the question that is left."""

from __future__ import annotations

from typing import NoReturn

import streamlit as st

from ui.view import open_runs, url
from ui.view.pages import FIRST, PAGES


def show_run(run: str) -> NoReturn:
    """Open a run: on Overview if it was opened on Open, else on the page in view."""
    was_open = url.get("reading")
    open_runs.open_run(run)
    url.put(reading=was_open)
    if url.page() == FIRST and can_be_shown(run):
        st.switch_page(PAGES["overview"].script)
    st.rerun()


def can_be_shown(run: str) -> bool:
    """Return whether a run has scored rows."""
    found = open_runs.evaluation_of(run)
    return found is not None and bool(found.n_scored)
