"""Count a source again by other columns: any of its files' columns may be the truth, the prediction or the score."""

from __future__ import annotations

import streamlit as st

from data.columns.counted_metadata import read_counted
from data.evaluation import Evaluation
from data.runs.source_rows import counts_one_source
from text.visible import show
from ui.open import source_split
from ui.text.messages import refuse

_KEY = "source.column"
_ROLES = {"truth": "True label", "pred": "Predicted label", "score": "Score"}


def choose_columns(evaluation: Evaluation) -> None:
    """Offer to count a source by other columns, or show how far that is; nothing where there is no source.

    evaluation : of all rows.
    """
    if not counts_one_source(evaluation) or source_split.wait():
        return
    with st.expander("Count the source by other columns", icon=":material/table_chart:"):
        if source_split.wait_for_columns(evaluation, "source.column"):
            return
        columns = source_split.columns_to_split(evaluation)
        if columns.problem:
            refuse(columns.problem)
            return
        now = _columns_in_use(evaluation)
        for place, (role, title) in zip(st.columns(len(_ROLES)), _ROLES.items(), strict=True):
            options = ["", *columns.names]
            index = options.index(now[role]) if now[role] in options else 0
            place.selectbox(title, options, index, format_func=lambda name: show(name, 80) if name else "find it",
                            key=f"{_KEY}.{role}.{evaluation.fingerprint}")  # fmt: skip
        st.caption("All rows are counted again. Corrections and columns that split the counts start anew.")
        st.button("Count again", key="source.columns", icon=":material/functions:", on_click=_begin,
                  args=(evaluation.fingerprint,))  # fmt: skip


def _columns_in_use(evaluation: Evaluation) -> dict[str, str]:
    counted, settings = read_counted(evaluation.rows), evaluation.settings
    score = counted.score if counted is not None else None
    return {"truth": settings.truth or "", "pred": settings.pred or "", "score": score or ""}


def _begin(fingerprint: str) -> None:
    """Begin the count by the columns that were chosen; for the button."""
    chosen = [st.session_state.get(f"{_KEY}.{role}.{fingerprint}") or None for role in _ROLES]
    source_split.begin_by_columns(*chosen)
