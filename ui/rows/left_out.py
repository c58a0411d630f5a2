"""Say that the rows or the answers were left out of a share."""

from __future__ import annotations

import streamlit as st

from data.columns.table_metadata import answers_left_out as answers_left_out, rows_left_out as rows_left_out
from data.evaluation import Evaluation

ROWS = "Whoever shared this left the rows out: the numbers are all here, the rows behind them are not."
ANSWERS = (
    "Whoever shared this left the answers out. Their labels are all here, but no answer can be shown or read by "
    "another parser."
)


def note(evaluation: Evaluation) -> bool:
    """Say that the rows were left out, where they were; whether they were."""
    gone = rows_left_out(evaluation)
    if gone:
        st.markdown(f":material/visibility_off: {ROWS}")
    return gone


def note_on_answers() -> None:
    """Say that the answers were left out."""
    st.markdown(f":material/visibility_off: {ANSWERS}")
