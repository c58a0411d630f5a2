"""A fragment that changes the view writes the address bar itself: otherwise only a run of the whole page does so."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from ui import blocks, url

_CHANGED = "fragment.changed"


def changed() -> None:
    """To be called where a control of a fragment changes the view."""
    st.session_state[_CHANGED] = True


def page() -> str:
    """The page in view; empty where it is none of ours."""
    name = urlsplit(st.context.url or "").path.rpartition("/")[2]
    return name if name in blocks.SCRIPTS else ""


def in_address() -> dict[str, Any]:
    """What a component puts into the address in place.

    Returns
    -------
    dict
        `page`, on which alone that may be done; `steps`, what the address must say otherwise for it; and `values`, the
        text of each parameter that is replaced, empty where it is at its default.
    """
    query = url.write_query(st.session_state[url.VIEW], page())
    values = {name: query.pop(name, "") for name in url.IN_PLACE}
    return {"page": page(), "steps": query, "values": values}


def write_address() -> None:
    """The last thing that a fragment does; does nothing when the view has not changed."""
    if st.session_state.pop(_CHANGED, False) and page():
        url.end(page())
