"""The rule in force: what the thresholds of the view were chosen by, judged on the loaded rows."""

from __future__ import annotations

from functools import partial

import streamlit as st

from data.evaluation import DataError, Evaluation
from metrics.finding import Finding
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.choose import Rule
from metrics.thresholds.optimism import Optimism, optimism
from metrics.thresholds.rule_in_force import ChosenThreshold, judge_threshold
from metrics.thresholds.rule_text import Given
from ui.thresholds import label_rules, threshold
from ui.view import cache, state
from ui.view.time_limit import or_why_not


@st.cache_resource(show_spinner="Estimating what new data will give …", max_entries=64)
def _estimated(fingerprint: str, code: int, rule: Rule, _scores: ScoreCounts) -> Optimism | DataError:
    return or_why_not("Estimating what new data will give", lambda report: optimism(_scores, rule, report=report))


def estimated(evaluation: Evaluation, code: int, rule: Rule, scores: ScoreCounts) -> Optimism | DataError:
    """Return what the threshold that a rule picks gives on new data, or why that is not known."""
    return _estimated(evaluation.fingerprint, code, rule, scores)


def judged(evaluation: Evaluation, code: int, given: Given, scores: ScoreCounts, at: float) -> ChosenThreshold:
    """Judge one label's threshold by a rule; what new data will give is kept.

    evaluation : whose scores they are, as `threshold.judged` gives it.
    """

    def estimate(scores: ScoreCounts, rule: Rule) -> Optimism | None:
        seen = estimated(evaluation, code, rule, scores)
        return None if isinstance(seen, DataError) else seen

    return judge_threshold(scores, given, at, estimate=estimate)


def chosen_in_view() -> tuple[ChosenThreshold, ...]:
    """Return the thresholds of the view that a rule chose; none where nothing is loaded or nothing was chosen."""
    original = state.original()
    given = () if original is None else state.rules_in_view(original)
    if original is None or not given or not state.takes_threshold(original):
        return ()
    base = threshold.judged(original)
    found = map(partial(_one, base), given)
    return tuple(one for one in found if one is not None)


def _one(evaluation: Evaluation, given: Given) -> ChosenThreshold | None:
    if evaluation.task == "multilabel" and given.code is None:
        return label_rules.judged(evaluation, given)
    code = evaluation.positive if given.code is None else given.code
    scores = None if code is None else cache.scores(evaluation, code)
    if code is None or scores is None or not len(scores.score):
        return None
    return judged(evaluation, code, given, scores, state.threshold_of(evaluation, code))


def found(evaluation: Evaluation) -> list[Finding]:
    """Return the ranked findings of the evaluation in view, judged by the rule in force."""
    return cache.found(evaluation, chosen_in_view())
