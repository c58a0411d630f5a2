"""Thresholds: what moves when the score needed for a positive answer moves."""

from ui.frame import loaded
from ui.frame.heading import heading
from ui.thresholds import (
    calibration,
    choices,
    label_thresholds,
    one_vs_rest,
    own_scale,
    reject_option,
    score_checks,
    threshold,
)
from ui.view import state

predicted = loaded.need_evaluation("With scores in the file, this page shows every threshold and what it costs.")
heading("Thresholds")
evaluation = threshold.judged(state.original() or predicted)

code = threshold.choose_class(evaluation)
scores = None if code is None else threshold.scores_of(evaluation, code)
if code is not None and scores is not None:
    score_checks.show(evaluation, code, scores)
    own_scale.say_recommended(evaluation, code, scores)
    threshold.lab(evaluation, code, scores)
    threshold.behind(evaluation, code, scores, predicted)
    choices.choose_threshold(evaluation, code, scores)
    reject_option.abstain(evaluation, code, scores)
    calibration.section(evaluation, code, scores)
one_vs_rest.section(evaluation)
if evaluation.task == "multilabel":
    label_thresholds.section(evaluation)
