"""Thresholds: four steps, of which one is computed: explore, choose, calibration, all classes."""

import streamlit as st

from data.rows.selection import CONFIDENCE
from ui.frame import loaded
from ui.frame.heading import heading
from ui.open import source_classes
from ui.thresholds import calibration, choices, lab, one_vs_rest, own_scale, score_checks, steps, threshold
from ui.view import state

predicted = loaded.need_evaluation("With scores in the file, this page shows every threshold and what it costs.")
evaluation = source_classes.with_codes(own_scale.evaluation_for_thresholds(state.original() or predicted))
if not source_classes.offer_count(evaluation):
    head = st.container()
    step, scored = steps.step_in_view(evaluation), bool(evaluation.score_codes)
    code = steps.class_in_view(evaluation) if scored else CONFIDENCE
    lens, lens_code = source_classes.against_rest(evaluation, code) if scored else (evaluation, code)
    scores = threshold.scores_of(lens, lens_code) if scored else None
    if step == "choose" and scores is not None:
        scores = lab.weigh(lens, lens_code, scores)
    if scored:
        steps.toolbar(evaluation, step, code, scores, lens, lens_code)

    with head:
        heading(steps.title(evaluation if step == "classes" else lens, step, lens_code, scores))
        if step != "classes":
            threshold.say_bins(lens)
    if not step:
        threshold.why_no_scores(evaluation)
    elif not scored:
        calibration.say_only_confidence(evaluation)
        calibration.section(evaluation, code, None)
    elif step == "classes":
        source_classes.offer_thresholds(evaluation)
        one_vs_rest.section(evaluation)
    elif scores is None:
        st.markdown("Choose another class: this one has no score beside any row.")
    elif step == "calibration":
        calibration.section(lens, lens_code, scores)
    elif step == "choose":
        own_scale.say_recommended(lens, lens_code, scores)
        choices.choose_threshold(lens, lens_code, scores)
    else:
        score_checks.show(lens, lens_code, scores)
        own_scale.say_recommended(lens, lens_code, scores)
        threshold.say_missing(scores)
        lab.lab(lens, lens_code, scores, on_rows=threshold.look_at)
        threshold.draw_chosen_rows(lens, lens_code, scores, predicted if lens is evaluation else lens)
