"""The ways on from a page that has nothing to show of the loaded file."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from data.samples import SAMPLES
from ui.view import state
from ui.view.url import go_to


def ways_on(samples: Sequence[str], what: str) -> None:
    """Buttons that open this page on samples that have `what`, and a link to open another file."""
    named = {sample.key: sample.title for sample in SAMPLES}
    st.markdown(f"{'A sample' if len(samples) == 1 else 'Samples'} with {what}, or a file of yours:")
    with st.container(horizontal=True, vertical_alignment="center"):
        for key in samples:
            st.button(named[key], key=f"way.{key}", on_click=state.open_run, args=(key,))
        go_to("open", "Open another file", icon=":material/upload_file:")
