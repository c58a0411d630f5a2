"""The menu of the pages is Streamlit's own; a click on it is made one entry of the browser's history.

By itself it is two (docs/decisions/0001): the page without its view, and the page with the view that we put back.
"""

from __future__ import annotations

import streamlit as st

from ui.component import component

_listener = component("menu", "<div></div>")


def one_entry_a_click() -> None:
    """Listen to the menu and the logo, on every page."""
    with st.sidebar.container(key="menu"):
        _listener(key="menu.listener", height=1)
