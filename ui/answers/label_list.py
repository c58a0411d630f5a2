"""Change the list of the labels that an answer may name."""

from __future__ import annotations

from typing import Any

import streamlit as st

from data.errors import DataError
from data.evaluation import Evaluation, Settings
from data.runs.written_options import read_small_file
from ui.open import correction
from ui.text.messages import refuse


def choose_labels(run: str, evaluation: Evaluation) -> None:
    """Draw the form of the label list alone: from the truth, pasted, or from a file with one label on each line."""
    settings = evaluation.settings
    with st.expander("Use other labels", icon=":material/label:"), st.form("label_space", border=False):
        left, right = st.columns(2)
        given = correction.label_space_fields(settings, left, left)
        turn = st.session_state.setdefault("label_space.turn", 0)
        file = right.file_uploader(
            "… or a file of labels",
            key=f"label_space.file.{turn}",
            max_upload_size=1,
            help="One label a line, or a JSON list, in UTF-8; it is used instead of the choice on the left.",
        )
        if st.form_submit_button("Use these labels", type="primary", icon=":material/check:"):
            st.session_state["label_space.turn"] += 1  # a file counts once: it must not overrule the next choice
            _use_labels(run, settings, given, file)


def _use_labels(run: str, settings: Settings, given: dict[str, Any], file: Any) -> None:
    """Apply the chosen label space, or that of a file where there is one."""
    if file is not None:
        try:
            given = {"space": "set", "label_set": read_small_file(file.getvalue(), file.name)}
        except DataError as error:
            refuse(str(error), title="This file holds no label list")
            return
    correction.apply(run, settings, given)
