"""A fragment that changes the view writes the address bar itself: otherwise only a run of the whole page does so."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from ui import blocks, url

_CHANGED = "fragment.changed"


def changed() -> None:
    """To be called where a control of a fragment changes the view."""
    st.session_state[_CHANGED] = True


def write_address() -> None:
    """The last thing that a fragment does; does nothing when the view has not changed."""
    page = urlsplit(st.context.url or "").path.rpartition("/")[2]
    if st.session_state.pop(_CHANGED, False) and page in blocks.SCRIPTS:
        url.end(page)
