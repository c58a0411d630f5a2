"""Show a text whole, with a button that copies it and says so."""

from __future__ import annotations

import streamlit as st

from ui.text.component import component

_copy = component(__file__, "copy", '<div class="row"><button type="button"></button><span role="status"></span></div>')


def to_copy(text: str, what: str, *, primary: bool = False, key: str = "") -> None:
    """Show a text that is to be copied, and the button that does.

    what : what the text is, as in "Copy the link". key : names the button where a page has several of a kind.
    primary : whether that is what one is here for.
    """
    with st.container(gap="xsmall"):
        st.code(text, language=None, wrap_lines=True)
        _copy(data={"text": text, "what": what, "primary": primary}, key=f"copy.{key or what}")
