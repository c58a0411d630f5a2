"""Draw sentences that may quote the file or the link, with an icon: errors, warnings and remarks."""

from __future__ import annotations

import streamlit as st

from data.errors import DataError, NotUsableYet
from data.store.access import NotForYou
from data.store.links import LinkGone

_ICONS = {
    "serious": ":red[:material/error:]",
    "warning": ":orange[:material/warning:]",
    "info": ":blue[:material/info:]",
}
_NOT_USABLE = "This file cannot be used yet"


def refuse(message: str, *, title: str = _NOT_USABLE) -> None:
    """Draw one sentence about what is wrong; the sentence may quote the file, so it is plain text."""
    with st.container(border=True):
        st.markdown(f"{_ICONS['serious']} **{title}**")
        st.text(message)


def refuse_error(error: DataError) -> None:
    """Say why the evaluation in view cannot be shown."""
    title = "This cannot be opened"
    if isinstance(error, NotUsableYet):
        title = _NOT_USABLE
    elif isinstance(error, LinkGone):
        title = "This link leads nowhere"
    elif isinstance(error, NotForYou):
        title = "This link opens for others only"
    refuse(str(error), title=title)


def remark(message: str, kind: str = "warning") -> None:
    """Draw a sentence that may quote the file, with an icon."""
    with st.container(horizontal=True, gap="small", wrap=False):
        st.markdown(_ICONS[kind], width="content")
        st.text(message, width="stretch")
