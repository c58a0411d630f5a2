"""The rater that is judged, as a chip on every page: by whom, and the way back to the file's own evaluation."""

from __future__ import annotations

import streamlit as st

from data.comparison.judged import read_judged
from ui.text.markdown import md
from ui.view import url
from ui.view.address import go_to

_NAMED = 3
_TRUTHS = {"majority": "the majority of", "unanimous": "units where all agree of"}


def draw() -> None:
    """Draw who is judged by whom, and the way back; nothing where the file's own truth counts."""
    text = url.get("judged")
    if not text:
        return
    judged = read_judged(text)
    more = len(judged.raters) - _NAMED
    by = ", ".join(md(name, 30) for name in judged.raters[:_NAMED]) + (f" and {more} more" if more > 0 else "")
    how = f"{_TRUTHS[judged.how]} {by}" if len(judged.raters) > 1 else by
    with st.container(key="judged", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            f":material/gavel: The prediction is that of {md(judged.judge, 30)}, the truth {how}", width="content"
        )
        go_to("agreement", "All raters")
        st.button("Back to the file's own labels", key="judged.back", type="tertiary", on_click=url.put,
                  kwargs={"judged": ""})  # fmt: skip
