"""A Plotly figure below its title, which is text of the page: Plotly breaks no lines to the width of a window."""

from __future__ import annotations

from typing import Any

import streamlit as st

from charts.theme import picture_button


def draw_chart(drawn: Any, key: str, **given: Any) -> None:
    """Draw a figure; its own title is left to the file of the picture. page.css takes its lines out of the page.

    given : further arguments of `st.plotly_chart`.
    """
    title = str(drawn.layout.title.text)  # escaped, as all text of a figure
    with st.container(key=f"chart{title.count('<br>') + 1}-{key}", gap=None):
        st.html(f'<p class="chart-title">{title.replace("<br>", " ")}</p>')
        st.plotly_chart(drawn, key=key, config=picture_button(title), **given)
