"""Thresholds: what moves when the score needed for a positive answer moves."""

import streamlit as st

from ui import (
    abstaining,
    against_rest,
    calibration,
    choices,
    label_thresholds,
    loaded,
    own_scale,
    score_checks,
    state,
    threshold,
)

st.title("Thresholds")
predicted = loaded.need_evaluation("With scores in the file, this page shows every threshold and what it costs.")
loaded.headline(predicted)
evaluation = threshold.judged(state.original() or predicted)

code = threshold.choose_class(evaluation)
scores = None if code is None else threshold.scores_of(evaluation, code)
if code is not None and scores is not None:
    score_checks.show(evaluation, code, scores)
    own_scale.say_recommended(evaluation, code, scores)
    threshold.lab(evaluation, code, scores)
    threshold.behind(evaluation, code, scores, predicted)
    choices.choose_threshold(evaluation, code, scores)
    abstaining.abstain(evaluation, code, scores)
    calibration.section(evaluation, code, scores)
against_rest.section(evaluation)
if evaluation.task == "multilabel":
    label_thresholds.section(evaluation)
