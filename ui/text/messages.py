"""Draw sentences that may quote the file or the link, with an icon: errors, warnings and remarks."""

from __future__ import annotations

import re
from typing import NamedTuple

import streamlit as st

from data.errors import DataError, NotUsableYet
from data.store.access import NotForYou
from data.store.links import LinkGone

_ICONS = {
    "serious": ":red[:material/error:]",
    "warning": ":orange[:material/warning:]",
    "info": ":blue[:material/info:]",
}
_OPTION = re.compile(r" \(--[a-z][^()]*\)")
_NOT_USABLE = "This file cannot be used yet"


class Asked(NamedTuple):
    """Keep a dialog open for a page or a link: runs of the page that nobody asked for do not close it.

    key : its session key.
    """

    key: str

    def open(self, what: object) -> None:
        """Have the dialog drawn for something, such as a page or a link; for callbacks."""
        st.session_state[self.key] = what

    def close(self) -> None:
        """Have it drawn no more."""
        st.session_state.pop(self.key, None)

    def is_open(self, what: object) -> bool:
        """Return whether it is open for this."""
        return bool(st.session_state.get(self.key) == what)


def without_options(sentence: str) -> str:
    """Return a sentence without the options of the command line, which stand in brackets behind words.

    >>> without_options("Choose others (--truth, --pred), or merge labels (--merge).")
    'Choose others, or merge labels.'
    """
    return _OPTION.sub("", sentence)


def refuse(message: str, *, title: str = _NOT_USABLE) -> None:
    """Draw one sentence about what is wrong; the sentence may quote the file, so it is plain text."""
    with st.container(border=True):
        st.markdown(f"{_ICONS['serious']} **{title}**")
        st.text(without_options(message))


def refuse_error(error: DataError, *, title: str = "This cannot be opened") -> None:
    """Say why the evaluation in view cannot be shown; title : of an error that has none of its own."""
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
        st.text(without_options(message), width="stretch")
