"""The rules in force of a report: read from text, applied to an evaluation, and written into its numbers."""

from __future__ import annotations

import html
import math

import numpy as np

from data.building.rescoring import with_label_thresholds, with_threshold
from data.columns.weight_columns import replace_rows_by_units
from data.errors import DataError
from data.evaluation import Evaluation
from export.cells import row_weights, weights_of
from export.measurement import Measurement, measure
from export.pictures.words import name, text
from metrics.findings.chosen_threshold import describe_estimate, expectation
from metrics.findings.tables import count_labels
from metrics.progress import Report, nobody
from metrics.scores.curves import ScoreCounts
from metrics.thresholds import rule_in_force
from metrics.thresholds.choose import Rule, choose
from metrics.thresholds.label_thresholds import LabelScores, cross_fitted, label_scores, plain_each, plain_for_all
from metrics.thresholds.optimism import Optimism, optimism
from metrics.thresholds.rule_in_force import ChosenThreshold, judge_threshold, usable_threshold
from metrics.thresholds.rule_text import Given, read_rules
from text.numbers import count, write_threshold


def choose_by_rule(
    evaluation: Evaluation, rules: str, *, keeps_threshold: bool = False
) -> tuple[Evaluation, tuple[ChosenThreshold, ...]]:
    """Predict by the threshold that a rule picks on the evaluation's scores, and judge it by the rule.

    rules : one rule as `read_rules` reads it; of several labels a row f1 (each label's best), micro_f1 or macro_f1.
    keeps_threshold : keep the threshold that the evaluation has, and only judge it.

    Raises
    ------
    DataError
        the text is no rule, does not fit the task, or no threshold can be found by it.
    """
    given = _one_rule(evaluation, rules)
    if evaluation.task == "multilabel":
        return _labels_chosen(evaluation, given, keeps_threshold=keeps_threshold)
    base = _predict(evaluation)
    measured, code = measure(base), base.positive or 0
    scores = measured.weighted_scores(code)
    best = math.nan if scores is None else choose(scores, given.rule).threshold
    if scores is None or math.isnan(best):
        raise DataError(f"No threshold of these rows follows the rule {rules}; give another rule, or --threshold.")
    threshold = base.effective_threshold if keeps_threshold else usable_threshold(scores, best)

    def estimate(_: ScoreCounts, rule: Rule) -> Optimism:
        return estimate_on_new_data(measured, code, rule)

    is_weighted = evaluation.units is not None
    judged = judge_threshold(scores, given, threshold, estimate=estimate, is_weighted=is_weighted)
    return with_threshold(evaluation, threshold), (judged,)


def estimate_on_new_data(measured: Measurement, code: int, rule: Rule, *, report: Report = nobody) -> Optimism:
    """Return what the threshold of a rule gives on rows that took no part in the choice, by weight where they have
    weights.
    """
    rows = measured.by_row.scores_of(code)
    assert rows is not None  # whoever asks has chosen a threshold of them
    return optimism(rows, rule, weights=row_weights(measured.evaluation, code), report=report)


def _predict(evaluation: Evaluation) -> Evaluation:
    """Predict by the threshold in use or the default; any does where scores on their own scale have none yet."""
    threshold = evaluation.effective_threshold
    return with_threshold(evaluation, 0.0 if math.isnan(threshold) else threshold)


def _one_rule(evaluation: Evaluation, rules: str) -> Given:
    try:
        (given,) = read_rules(rules)
    except ValueError as error:
        why = str(error) if "wanted" in str(error) else "one rule was wanted"
        raise DataError(f"--rule {rules[:40]!a} cannot be used: {why}.") from None
    if evaluation.y_score is None:
        raise DataError("--rule needs scores, and none were found; name the score column with --score.")
    if given.code is not None or not rule_in_force.rule_fits(given, evaluation.task, evaluation.score_codes):
        wanted = {"multilabel": f"one of {', '.join(rule_in_force.RULES)}", "binary": "a rule such as recall:0.9"}
        fits = wanted.get(evaluation.task, "a binary or a multi-label file")
        raise DataError(f"--rule {rules[:40]!a} fits no threshold of this file; {fits} was wanted.")
    return given


def _labels_chosen(
    evaluation: Evaluation, given: Given, *, keeps_threshold: bool
) -> tuple[Evaluation, tuple[ChosenThreshold, ...]]:
    base = _predict(evaluation)
    assert base.y_score is not None
    y_true, y_score = base.y_true[base.scored], base.y_score[base.scored]
    weights = weights_of(base)
    label_scores_of = label_scores(y_true, y_score, base.score_codes, weights)
    best, for_all = _label_thresholds(label_scores_of, given, base.effective_threshold)
    picked = with_label_thresholds(evaluation, best)
    predicted = base if keeps_threshold else picked
    otherwise = base.effective_threshold
    fitted = None
    if not keeps_threshold:
        fitted = cross_fitted(y_true, y_score, base.score_codes, otherwise=otherwise, weights=weights)
    threshold = None
    if not math.isnan(for_all):
        threshold = otherwise if keeps_threshold else for_all
    counts, best_counts = (count_labels(replace_rows_by_units(each)) for each in (predicted, picked))
    chosen = rule_in_force.judge_label_thresholds(
        given, counts, best_counts, threshold=threshold, best_threshold=for_all, fitted=fitted
    )
    return predicted, (chosen,)


def _label_thresholds(scores: LabelScores, given: Given, otherwise: float) -> tuple[np.ndarray, float]:
    """Return the thresholds that a rule for all labels picks, and the one for all; NaN where each label has its own."""
    if given.rule.by == "f1":
        thresholds = plain_each(scores)
        return np.where(np.isnan(thresholds), otherwise, thresholds), math.nan
    for_all = plain_for_all(scores, "micro" if given.rule.by == "micro_f1" else "macro").threshold
    if math.isnan(for_all):
        raise DataError("No row with a score has a true label, so no threshold follows a rule; leave out --rule.")
    return np.full(len(scores.counts), for_all), for_all


def _label(evaluation: Evaluation, chosen: ChosenThreshold) -> str | None:
    code = chosen.given.code
    return None if code is None else evaluation.labels[code]


def rules_html(evaluation: Evaluation, chosen: tuple[ChosenThreshold, ...]) -> str:
    """Say the rules in force and what new data will give, HTML; empty without a rule."""
    return "; ".join(_rule_html(evaluation, one_rule) for one_rule in chosen[:20]) + (
        f"; and {count(len(chosen) - 20, 'more rule')}" if len(chosen) > 20 else ""
    )


def _rule_html(evaluation: Evaluation, chosen: ChosenThreshold) -> str:
    label = _label(evaluation, chosen)
    of = "" if label is None else f" for {name(label)}"
    threshold = "" if chosen.threshold is None else f", so score ≥ {write_threshold(chosen.threshold)}"
    parts = [
        f"{text(chosen.described)}{of}{threshold}.",
        "It is met." if chosen.kept else "It is not met on these rows.",
    ]
    parts += (
        [html.escape(expectation(chosen)), html.escape(describe_estimate(chosen)).strip()] if chosen.estimate else []
    )
    return " ".join(parts)
