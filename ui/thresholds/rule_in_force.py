"""The rule in force: what the thresholds of the view were chosen by, judged on the loaded rows."""

from __future__ import annotations

import math
from functools import partial

from data.errors import DataError
from data.evaluation import Evaluation
from export import rules_in_force
from metrics.finding import Finding
from metrics.findings.chosen_threshold import expectation
from metrics.findings.worst_parts import NO_PARTS, WorstParts
from metrics.scores.curves import ScoreCounts
from metrics.thresholds import rule_in_force
from metrics.thresholds.choose import NAMES, Rule
from metrics.thresholds.cross_validation import describe_folds
from metrics.thresholds.optimism import Optimism
from metrics.thresholds.rule_in_force import ChosenThreshold, judge_threshold
from metrics.thresholds.rule_text import Given
from text.numbers import number, write_threshold
from ui.thresholds import own_scale
from ui.thresholds.label_choices import (
    choices,
    counts_at,
    fallback_threshold,
    judge_on_other_rows,
    thresholds_in_use,
    wants_fitting,
)
from ui.thresholds.rule_sentences import UNKNOWN_ON_NEW_DATA
from ui.view import cache, state
from ui.view.cache import result_or_reason
from ui.view.choice_rules import every_threshold
from ui.view.measurement import find_ranked, measure


@cache.kept(64, "Estimating what new data will give …")
def estimate_on_new_data(evaluation: Evaluation, code: int, rule: Rule) -> Optimism | DataError:
    """Return what the threshold that a rule picks gives on new data, or why that is not known."""
    estimate = partial(rules_in_force.estimate_on_new_data, measure(evaluation), code, rule)
    return result_or_reason("Estimating what new data will give", lambda report: estimate(report=report))


def judge_rule(
    evaluation: Evaluation, code: int, given: Given, scores: ScoreCounts, threshold: float
) -> ChosenThreshold:
    """Judge one label's threshold by a rule; what new data will give is kept.

    evaluation : whose scores they are, as `own_scale.evaluation_for_thresholds` gives it.
    """

    def estimate(_: ScoreCounts, rule: Rule) -> Optimism | None:
        seen = estimate_on_new_data(evaluation, code, rule)
        return None if isinstance(seen, DataError) else seen

    return judge_threshold(scores, given, threshold, estimate=estimate, is_weighted=evaluation.units is not None)


def chosen_in_view() -> tuple[ChosenThreshold, ...]:
    """Return the thresholds of the view that a rule chose; none where nothing is loaded or nothing was chosen."""
    original = state.original()
    given = () if original is None else state.rules_in_view(original)
    if original is None or not given or not state.takes_threshold(original):
        return ()
    base = own_scale.evaluation_for_thresholds(original)
    chosen = map(partial(_one, base), given)
    return tuple(choice for choice in chosen if choice is not None)


def _one(evaluation: Evaluation, given: Given) -> ChosenThreshold | None:
    if evaluation.task == "multilabel" and given.code is None:
        return _judge_labels(evaluation, given)
    code = evaluation.positive if given.code is None else given.code
    scores = None if code is None else cache.weighted_scores(evaluation, code)
    if code is None or scores is None or not len(scores.score):
        return None
    return judge_rule(evaluation, code, given, scores, state.threshold_of(evaluation, code))


def _judge_labels(evaluation: Evaluation, given: Given) -> ChosenThreshold | None:
    """Judge the thresholds in view by a rule for all labels; None where it is none, or no label has a true row.

    evaluation : of several labels a row, as its scores predict it.
    """
    best_choices, now = choices(evaluation), thresholds_in_use(evaluation)
    if given.rule.by not in rule_in_force.RULES or isinstance(best_choices, DataError) or now is None:
        return None
    for_all = {"micro_f1": best_choices.micro.threshold, "macro_f1": best_choices.macro.threshold}.get(given.rule.by)
    if math.isnan(best_choices.micro.threshold):
        return None
    others = fallback_threshold(state.threshold_for_others(evaluation))
    best = (
        every_threshold(evaluation, best_choices.each, others)
        if for_all is None
        else every_threshold(evaluation, {}, for_all)
    )
    seen = judge_on_other_rows(evaluation) if wants_fitting(evaluation) else None
    return rule_in_force.judge_label_thresholds(
        given,
        counts_at(evaluation, now),
        counts_at(evaluation, best),
        threshold=None if for_all is None else float(now[0]),
        best_threshold=math.nan if for_all is None else for_all,
        fitted=None if isinstance(seen, DataError) else seen,
    )


def ranked_findings(evaluation: Evaluation, parts: WorstParts = NO_PARTS) -> list[Finding]:
    """Return the ranked findings of the evaluation in view, judged by the rule in force.

    parts : what was found in slices and groups.
    """
    return find_ranked(evaluation, chosen_in_view(), parts)


def say_new_data(chosen: ChosenThreshold, seen: Optimism) -> str:
    """Say what the threshold that a rule picks here will give on new data."""
    if math.isnan(seen.cross_fitted):
        return UNKNOWN_ON_NEW_DATA
    sentence = expectation(chosen)
    if chosen.rule.by == "at_least":
        wanted = NAMES[chosen.rule.then].capitalize()
        sentence += f" {wanted} is about {number(seen.cross_fitted)} there, here {number(seen.apparent)}."
    return sentence


def describe_estimate(seen: Optimism) -> str:
    """Say how the figure on new data was estimated, and which thresholds were chosen on the way."""
    if math.isnan(seen.cross_fitted):
        return "Cross-validation needs rows of both classes in every fold."
    low, high = write_threshold(seen.lowest), write_threshold(seen.highest)
    spread = f"were all {low}" if seen.lowest == seen.highest else f"went from {low} to {high}"
    method = describe_folds(seen.folds, seen.repeats, seen.seed)
    return f"The threshold was chosen on these same rows. Estimated by {method}: its thresholds {spread}."
