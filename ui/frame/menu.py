"""The menu of the pages is Streamlit's own; a click on it is made one entry of the browser's history.

By itself it is two (docs/decisions/0001): the page without its view, and the page with the view that we put back. The
entry has the whole view, because the server that answers the click may not be the one that drew the page.
"""

from __future__ import annotations

import streamlit as st

from ui.text.component import component
from ui.view import url
from ui.view.pages import PAGES

_listener = component(__file__, "menu", "<div></div>")


def one_entry_a_click() -> None:
    """Listen to the menu and the logo, on every page."""
    view = url.write_everything(st.session_state[url.VIEW])
    pages = {page: url.names_on(page) for page in PAGES}
    with st.sidebar.container(key="menu"):
        _listener(data={"view": view, "pages": pages}, key="menu.listener", height=1)
