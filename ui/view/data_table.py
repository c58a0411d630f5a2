"""Tables to read beside a picture, to choose a line of, and to download."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from data.rows.selection import safe_csv
from text.visible import show
from ui.view import state


def table_twin(frame: pd.DataFrame, name: str, title: str = "The same as a table", limit: int = 1000) -> None:
    """The numbers of a picture as a table to read, and a download of all of them.

    Uploaded text in `frame` is as in the file: it is made visible here, and formula-safe in the download.
    """
    with st.expander(title, icon=":material/table:"):
        shown = frame.head(limit)
        texts = {
            column: [show(text) for text in shown[column]] for column in shown if shown[column].dtype.kind in "OUT"
        }
        st.dataframe(shown.assign(**texts), hide_index=True, key=f"{name}.twin")
        if len(frame) > limit:
            st.caption(f"The first {limit:,} of {len(frame):,} rows; the download holds all.")
        download(frame, name)


def download(frame: pd.DataFrame, name: str) -> None:
    """A button that hands out a table as CSV, formula-safe."""
    st.download_button(
        "Download as CSV",
        state.while_open(lambda: safe_csv(frame)),
        f"{name}.csv",
        "text/csv",
        on_click="ignore",
        key=f"{name}.download",
        icon=":material/download:",
    )


def selection(key: str) -> Any:
    """What is selected in the table with this key; for its `on_select`."""
    return st.session_state[key]["selection"]
