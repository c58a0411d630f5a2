"""The rule that chose the thresholds of all labels, judged on the loaded rows with what is kept of them."""

from __future__ import annotations

import math

from data.evaluation import DataError, Evaluation
from metrics.thresholds.label_rules_in_force import RULES, judge_label_thresholds
from metrics.thresholds.rule_in_force import ChosenThreshold
from metrics.thresholds.rule_text import Given
from ui.thresholds.label_choices import choices, counts_at, fitted, in_use, nothing_known, wants_fitting
from ui.view import state
from ui.view.label_choice import every_threshold


def judged(evaluation: Evaluation, given: Given) -> ChosenThreshold | None:
    """Judge the thresholds in view by a rule for all labels; None where it is none, or no label has a true row.

    evaluation : of several labels a row, as its scores predict it.
    """
    found, now = choices(evaluation), in_use(evaluation)
    if given.rule.by not in RULES or isinstance(found, DataError) or now is None:
        return None
    one = {"micro_f1": found.micro.threshold, "macro_f1": found.macro.threshold}.get(given.rule.by)
    if math.isnan(found.micro.threshold):
        return None
    others = nothing_known(state.threshold_for_others(evaluation))
    best = every_threshold(evaluation, found.each, others) if one is None else every_threshold(evaluation, {}, one)
    seen = fitted(evaluation) if wants_fitting(evaluation) else None
    return judge_label_thresholds(
        given,
        counts_at(evaluation, now),
        counts_at(evaluation, best),
        threshold=None if one is None else float(now[0]),
        best_threshold=math.nan if one is None else one,
        fitted=None if isinstance(seen, DataError) else seen,
    )
