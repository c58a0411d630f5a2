"""One number in a box, and a row of such boxes."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def tile(
    label: str, value: str, note: str = "", help: str | None = None, *, step: Callable[[], object] = lambda: None
) -> None:
    """Draw one number with the sentence that belongs to it; `step` draws the link to its rows."""
    with st.container(border=True, height="stretch"):
        st.metric(label, value.replace("\u00a0", " "), help=help)
        if note:
            st.caption(note)
        step()


def tile_row(key: str) -> DeltaGenerator:
    """Place four tiles: side by side, in two lines or below each other, as there is room (assets/page.css)."""
    return st.container(horizontal=True, key=f"tiles-{key}")
