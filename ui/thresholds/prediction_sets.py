"""Sets of labels that hold the true one with a promised chance, for rows that are left to people with a short list."""

from __future__ import annotations

import streamlit as st

from data.evaluation import Evaluation
from export.deciding.sets_result import sets_result
from export.result.kinds import Result
from ui.thresholds.rule_inputs import draw_number
from ui.view import cache, controls, measurement, url
from ui.view.data_table import draw_sentences
from ui.view.result_table.result_table import draw_tables

_sets_result = cache.kept(64)(sets_result)


def sets_in_view(evaluation: Evaluation) -> Result:
    """Return the prediction sets of the promise in view."""
    return _sets_result(measurement.measure(evaluation), url.get("sets"), by_class=url.get("setsby"))


def draw(evaluation: Evaluation) -> None:
    """Draw how large the sets are, and how often they hold the true label; nothing where rows have several."""
    if evaluation.task == "multilabel":
        return
    st.markdown("**A set of labels for each row, which holds the true one**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        draw_number("sets", "Sets hold the true label in … % of new rows", 0.0, 1.0, 1.0, factor=100)
        controls.tick("setsby", "Promised for each class")
    result = sets_in_view(evaluation)
    draw_sentences(result.sentences)
    draw_tables(result)
