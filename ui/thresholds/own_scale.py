"""Scores on a scale of their own: pages say that nothing is predicted yet, and offer a recommended threshold."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from data.evaluation import Evaluation
from export.file_reading import are_highest
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.rule_in_force import usable_threshold
from metrics.thresholds.rule_text import name_rule
from text.numbers import write_threshold
from ui.text.messages import remark
from ui.view import cache, state
from ui.view.choice_rules import best_in_view, rule_in_view

NOTHING_PREDICTED = "Nothing is predicted: the scores are on a scale of their own, and no threshold is given."


def say_recommended(evaluation: Evaluation, code: int, scores: ScoreCounts) -> None:
    """Say on the page Thresholds that its threshold is only recommended, by which rule, and offer to use it."""
    if not math.isnan(state.given_threshold(evaluation, code)) or evaluation.task == "multiclass":
        return
    with st.container(border=True):
        remark(
            f"The scores are on a scale of their own, and no threshold is given. {_say_predicted(evaluation)}.", "info"
        )
        best = best_in_view(evaluation, code)
        if math.isnan(best.threshold):
            st.markdown("No threshold is recommended: the rule below finds none on these rows. Give one yourself.")
            return
        value = usable_threshold(scores, best.threshold)
        rule = name_rule(rule_in_view())
        st.markdown(
            f"**Recommended threshold: {write_threshold(value)}** ({rule}, on these rows). The page opens there."
        )
        st.button(
            "Use the recommended threshold",
            key="own_scale.use",
            type="primary",
            icon=":material/check:",
            on_click=state.put_threshold,
            args=(evaluation, code, value),
            help="Sets the threshold of every page." if state.sets_all_pages(evaluation) else None,
        )


def _say_predicted(evaluation: Evaluation) -> str:
    if are_highest(evaluation):
        return "The class with the highest score is predicted"
    return "Predictions are those of the file" if evaluation.has_predictions else "Nothing is predicted"


def evaluation_for_thresholds(evaluation: Evaluation) -> Evaluation:
    """Return the evaluation whose scores every threshold is tried on: the file's own, whatever threshold is in view.

    Where the file leaves predictions empty, a threshold predicts rows that its own predictions leave out; then it is
    the one at the default threshold, so that the lab counts the same rows as every other page at a threshold; on a
    scale of their own, the scores alone.
    """
    if not state.takes_threshold(evaluation):
        return evaluation
    has_own_scale = evaluation.scale == "score"
    at_default = (
        cache.without_predictions(evaluation)
        if has_own_scale
        else cache.at_threshold(evaluation, evaluation.default_threshold)
    )
    return evaluation if np.array_equal(at_default.scored, evaluation.scored) else at_default
