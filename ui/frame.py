"""What stands around every page: the loaded evaluation and the link to this very view."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from data.evaluation import DataError
from metrics.finding import rows
from ui import blocks, state, url


def sidebar(page: str) -> None:
    """The loaded evaluation, and the way back to what was understood of it."""
    with st.sidebar:
        if not url.get("run"):
            st.caption("Nothing is loaded.")
            return
        try:
            evaluation = state.evaluation()
        except DataError:
            return
        if evaluation is None:
            return
        st.markdown(f"**Loaded:** {blocks.md(evaluation.name, 40)}")
        st.caption(f"{rows(evaluation.n_rows)}, {blocks.classes(evaluation)}")
        if page != "open":
            blocks.go_to("open", "What was understood", icon=":material/receipt_long:")
        if state.takes_threshold(evaluation):
            _thresholds_in_view(state.own_thresholds(evaluation))


def _thresholds_in_view(own: Mapping[int, float]) -> None:
    """That every page uses a chosen threshold, and the way back."""
    threshold = url.get("t")
    if threshold is None and not own:
        return
    said = [] if threshold is None else [f"score >= {threshold:.6g}"]
    said += [f"a threshold of its own for {rows(len(own), 'label')}"] if own else []
    st.caption(f"Every page predicts by {' and '.join(said)}.")
    back = {"t": None, "each": "", "low": None}
    st.button("Back to the file's own predictions", on_click=url.put, kwargs=back, width="stretch")


def link_to_view(page: str) -> str:
    """The full address of the current view."""
    query = url.write_query({name: url.get(name) for name in url.PARAMETERS}, page)
    base = (st.context.url or "").split("?")[0]
    return f"{base}?{urlencode(query)}" if query else base


def share(page: str) -> None:
    """A button that shows the address of the current view, ready to copy."""
    with st.popover("Link to this view", icon=":material/link:"):
        st.caption("Opens the same file and the same view in another browser that reaches this server.")
        st.code(link_to_view(page), language=None, wrap_lines=True)
