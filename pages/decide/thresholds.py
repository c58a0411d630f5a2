"""Thresholds: four steps, of which one is computed: explore, choose, calibration, all classes."""

import streamlit as st

from data.rows.selection import CONFIDENCE
from ui.frame import loaded
from ui.frame.heading import heading
from ui.thresholds import calibration, choices, lab, one_vs_rest, own_scale, score_checks, steps, threshold
from ui.view import state

predicted = loaded.need_evaluation("With scores in the file, this page shows every threshold and what it costs.")
evaluation = own_scale.judged(state.original() or predicted)
head = st.container()
step, scored = steps.step_in_view(evaluation), evaluation.y_score is not None
code = steps.class_in_view(evaluation) if scored else CONFIDENCE
scores = threshold.scores_of(evaluation, code) if scored else None
if scored:
    steps.toolbar(evaluation, step, code, scores)

with head:
    heading(steps.title(evaluation, step, code, scores))
    threshold.say_bins(evaluation)
if not step:
    threshold.why_no_scores(evaluation)
elif not scored:
    calibration.say_only_confidence(evaluation)
    calibration.section(evaluation, code, None)
elif step == "classes":
    one_vs_rest.section(evaluation)
elif scores is None:
    st.markdown("Choose another class: this one has no score beside any row.")
elif step == "calibration":
    calibration.section(evaluation, code, scores)
elif step == "choose":
    own_scale.say_recommended(evaluation, code, scores)
    choices.choose_threshold(evaluation, code, scores)
else:
    score_checks.show(evaluation, code, scores)
    own_scale.say_recommended(evaluation, code, scores)
    threshold.say_missing(scores)
    lab.lab(evaluation, code, scores, on_rows=threshold.look_at)
    threshold.draw_chosen_rows(evaluation, code, scores, predicted)
