"""Sentences on the choice of a threshold: how it was found, its trade-off, and what new data will give."""

from __future__ import annotations

import math
from collections.abc import Mapping

from metrics.findings.chosen_threshold import expectation
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.choose import Rule, measure
from metrics.thresholds.optimism import Optimism
from metrics.thresholds.reject_option_validation import FittedBand
from metrics.thresholds.rule_in_force import ChosenThreshold
from metrics.thresholds.rule_text import NAMES, name_cap
from metrics.thresholds.threshold_metrics import Best, ThresholdRates, rates_at
from text.numbers import count, number
from ui.text.markdown import percent

COMPARED = ("f1", "mcc", "balanced_accuracy", "cost")
"""What every choice is compared by."""

LOOKS_AT_SCORES = (
    "A capacity looks at the scores and not at the truth, so choosing by it makes no metric look better than it is; "
    "on other rows the same threshold will flag somewhat more or fewer."
)

_TINY = 0.0005  # rounds to nothing on screen


def score(threshold: float) -> str:
    """A threshold in words.

    >>> score(0.25), score(math.inf)
    ('score >= 0.25', 'a threshold above every score')
    """
    return f"score >= {threshold:.6g}" if math.isfinite(threshold) else "a threshold above every score"


def found(rule: Rule, best: Best) -> str:
    """What was found, as the beginning of a sentence in Markdown.

    >>> found(Rule("f1"), Best(0.4, 0.8))
    'The best **F1** is **0.800**'
    """
    if rule.by == "cost":
        in_use = "" if rule.prevalence is None else f" with {percent(rule.prevalence)} positives"
        return f"The lowest **{NAMES['cost']}**{in_use} is **{best.value:.4g}**"
    if rule.by == "at_least":
        floor = f"With **{NAMES[rule.metric]} at least {rule.floor:g}** the best **{NAMES[rule.then]}**"
        return f"{floor} is **{number(best.value)}**"
    if rule.by == "capacity":
        share = "" if rule.most_rows is not None else " of the rows"
        return f"With **at most {name_cap(rule)}{share}** flagged the lowest threshold flags **{int(best.value):,}**"
    beta = f" with beta {rule.beta:g}" if rule.by == "fbeta" else ""
    return f"The best **{NAMES[rule.by]}**{beta} is **{number(best.value)}**"


def tied(rule: Rule, scores: ScoreCounts, best: Best) -> str:
    """That the next lower score would flag too many rows at once; nothing unless a capacity is the rule."""
    above = scores.above(best.threshold)
    if rule.by != "capacity" or above >= len(scores.score):
        return ""
    more = int(scores.tp[above] + scores.fp[above] - best.value)
    return f" The next score, {scores.score[above]:.6g}, would flag {count(more)} more at once, which is too many."


def none_found(rule: Rule, scores: ScoreCounts) -> str:
    """Why a rule picks no threshold."""
    if not scores.n_pos or not scores.n_neg:
        there, missing = ("positive", "negative") if scores.n_pos else ("negative", "positive")
        return f"Every row is {there}: without {missing} rows this is undefined, and no threshold is best."
    if rule.by == "at_least":
        return f"No threshold reaches a {NAMES[rule.metric]} of {rule.floor:g} on these rows."
    if rule.by == "capacity":
        return "Even the highest threshold flags more rows: their score is infinite."
    return "This is undefined at every threshold."


def behind(rule: Rule, at: ThresholdRates, best: Mapping[str, Best]) -> dict[str, float]:
    """How far a threshold is from the best of each measure; 0 or more, NaN where undefined."""
    rules = {one: _as(rule, one) for one in best}
    return {one: abs(found.value - float(measure(at, rules[one]))) for one, found in best.items()}


def _as(rule: Rule, by: str) -> Rule:
    return Rule(by, rule.beta, rule.cost_fp, rule.cost_fn, rule.prevalence)


def gives_up(lost: Mapping[str, float]) -> str:
    """What a threshold costs against the best of each measure, as a sentence.

    >>> gives_up({"f1": 0.0, "mcc": 0.0123, "cost": 0.25})
    'Against the best of each it gives up: Matthews correlation 0.012 lower, expected cost a row 0.25 higher.'
    """
    parts = [
        f"{NAMES[one]} {value:.3g} higher" if one == "cost" else f"{NAMES[one]} {value:.3f} lower"
        for one, value in lost.items()
        if value >= (1e-9 if one == "cost" else _TINY)
    ]
    if not parts:
        return "It is also the best, or as good, by the other metrics compared below."
    return f"Against the best of each it gives up: {', '.join(parts)}."


def on_new_data(chosen: ChosenThreshold, seen: Optimism) -> str:
    """Say what the threshold that a rule picks here will give on new data."""
    if math.isnan(seen.cross_fitted):
        return (
            "Expect worse on new data than on the rows a threshold was chosen on. How much worse cannot be estimated: "
            "a class has too few rows."
        )
    said = expectation(chosen)
    if chosen.rule.by == "at_least":
        wanted = NAMES[chosen.rule.then].capitalize()
        said += f" {wanted} is about {seen.cross_fitted:.3f} there, here {seen.apparent:.3f}."
    return f"{said} {_method(seen)}"


def _method(seen: Optimism) -> str:
    chosen = (
        f"The thresholds chosen were all {cell(seen.lowest)}"
        if seen.lowest == seen.highest
        else f"The thresholds chosen went from {cell(seen.lowest)} to {cell(seen.highest)}"
    )
    return f"{chosen} ({how_fitted(seen)})."


def how_fitted(seen: Optimism | FittedBand) -> str:
    """The method of a number on rows that took no part in a choice.

    >>> how_fitted(FittedBand(0.99, 0.98, 0.901, 5, 1, 0))
    '5-fold cross-validation on the counts, done once at random within each class, seed 0'
    """
    often = "done once" if seen.repeats == 1 else f"repeated {seen.repeats} times"
    return f"{seen.folds}-fold cross-validation on the counts, {often} at random within each class, seed {seen.seed}"


def cell(threshold: float) -> str:
    """A threshold in few characters.

    >>> cell(0.00786118), cell(math.inf)
    ('0.0078612', 'above all')
    """
    return f"{threshold:.5g}" if math.isfinite(threshold) else "above all"


def line(name: str, threshold: float, scores: ScoreCounts, rule: Rule, best: Mapping[str, Best]) -> dict[str, object]:
    """One choice as a line of the table; an undefined number is NaN."""
    at = rates_at(scores, threshold)
    lost = behind(rule, at, best)
    return {
        "Choice": name,
        "Threshold": threshold,
        "Flagged": at.tp + at.fp,
        "Precision": at.precision,
        "Recall": at.recall,
        "F1": at.f1,
        "MCC": at.mcc,
        "Cost": float(measure(at, _as(rule, "cost"))),
        "F1 lost": lost["f1"],
        "MCC lost": lost["mcc"],
        "Cost added": lost["cost"],
    }
