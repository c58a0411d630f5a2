"""The card that chooses a threshold by a metric, costs, a minimum or a capacity, and its sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from data.errors import DataError
from data.evaluation import Evaluation
from metrics.findings.chosen_threshold import expectation
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.choose import COUNTERPART, NAMES, Rule, measure
from metrics.thresholds.cross_validation import describe_folds
from metrics.thresholds.optimism import Optimism
from metrics.thresholds.rule_in_force import ChosenThreshold, usable
from metrics.thresholds.rule_text import Given, name_cap, name_rule, read_rule, write_rule
from metrics.thresholds.threshold_metrics import Best, ThresholdRates, rates_at
from text.numbers import count, number
from ui.text.markdown import percent
from ui.text.messages import remark
from ui.thresholds import rule_in_force
from ui.view import controls, state, url
from ui.view.choice_rules import best_in_view, chosen, problems, rule_in_view
from ui.view.data_table import download

_BY = {
    "f1": "F1",
    "fbeta": "F-beta",
    "youden_j": "Youden's J",
    "mcc": "MCC",
    "balanced_accuracy": "Balanced accuracy",
    "at_least": "Constraint",
    "cost": "Cost",
    "capacity": "Capacity",
}
_WHY = {
    "f1": "F1 weighs precision and recall alike and does not look at the true negatives.",
    "fbeta": "In F-beta recall counts beta times as much as precision.",
    "youden_j": "Youden's J is recall + specificity − 1: how far the ROC curve is above the diagonal.",
    "mcc": "The Matthews correlation is high only if all four counts are good.",
    "balanced_accuracy": "Balanced accuracy is the mean of recall and specificity: its best threshold is Youden's.",
    "at_least": "Of the thresholds that reach the minimum, the one with the best second metric is recommended.",
    "cost": "The lowest mean cost of a row, by what one mistake of either kind costs.",
    "capacity": "The lowest threshold that flags no more rows than can be looked at.",
}
_COMPARED = ("f1", "mcc", "balanced_accuracy", "cost")
"""Measures that every choice is compared by."""
_LOOKS_AT_SCORES = (
    "A capacity looks at the scores and not at the truth, so choosing by it makes no metric look better than it is; "
    "on other rows the same threshold will flag somewhat more or fewer."
)
_TINY = 0.0005  # rounds to nothing on screen
_TABLE = ("f1", "fbeta", "youden_j", "mcc", "accuracy", "cost", "at_least", "capacity")


def choose_threshold(evaluation: Evaluation, code: int, scores: ScoreCounts) -> None:
    """The card "Choose the threshold by …": one choice in words, and all of them side by side.

    evaluation : as the file says, without the view's threshold.
    """
    st.subheader("Choose a threshold")
    for sentence in problems():
        remark(sentence)
    with st.container(border=True):
        by = controls.choose("by", "Choose it by", _BY)
        _INPUTS.get(by, lambda scores: None)(scores)
        st.caption(_WHY[by])
        rule = rule_in_view()
        best = best_in_view(evaluation, code, scores)
        if math.isnan(best.threshold):
            remark(say_none_found(rule, scores), "info")
        else:
            _result(evaluation, code, scores, rule, best)
            _on_new_data(evaluation, code, scores, rule, best)
        _side_by_side(evaluation, code, scores, rule)


def _number(name: str, title: str, low: float, high: float, step: float, help: str | None = None) -> None:
    """A number of the view, typed."""
    key = f"choices.{name}"
    st.session_state[key] = None if url.get(name) is None else float(url.get(name))
    st.number_input(
        title, low, high, key=key, step=step, format="%g", help=help, width=230,
        value=None if name == "prev" else "min", placeholder="as in this file",
        on_change=lambda: url.put(**{name: st.session_state[key]}),
    )  # fmt: skip


def _beta(scores: ScoreCounts) -> None:
    _number("beta", "Beta", 0.01, 100.0, 0.5, "2: recall counts twice as much. 0.5: half as much.")


def _costs(scores: ScoreCounts) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _number("cfp", "One false positive costs", 0.0, 1e9, 1.0)
        _number("cfn", "One false negative costs", 0.0, 1e9, 1.0)
        here = f"Share of positives where the model will be used. Empty: as here, {scores.n_pos / scores.n:.6g}."
        _number("prev", "Share of positives in use", 0.0, 1.0, 0.01, here)


def _floor(scores: ScoreCounts) -> None:
    rule = rule_in_view()
    metric, least = "choices.floor.metric", "choices.floor.least"
    st.session_state[metric], st.session_state[least] = rule.metric, rule.floor

    def put() -> None:
        url.put(floor=f"{st.session_state[metric]}:{st.session_state[least]!r}")

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Needed", list(COUNTERPART), key=metric, on_change=put, width=260,
            format_func=lambda name: NAMES[name][0].upper() + NAMES[name][1:],
        )  # fmt: skip
        st.number_input("at least", 0.0, 1.0, key=least, on_change=put, step=0.01, format="%g", width=230)
        st.markdown(f"then the best **{NAMES[rule.then]}**", width="content")


def _capacity(scores: ScoreCounts) -> None:
    rule = rule_in_view()
    size, unit = "choices.cap.size", "choices.cap.unit"
    shared = rule.most_rows is None
    st.session_state[unit] = "% of the rows" if shared else "rows"
    st.session_state[size] = round(100 * (rule.most_share or 0.0), 10) if shared else float(rule.most_rows or 0)

    def put() -> None:
        value, share = st.session_state[size], st.session_state[unit] != "rows"
        url.put(cap=f"{min(value, 100.0):.10g}%" if share else str(int(value)))

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input("Flag at most", 0.0, 1e12, key=size, on_change=put, step=1.0, format="%g", width=230)
        st.segmented_control(
            "of", ["rows", "% of the rows"], key=unit, on_change=put, label_visibility="collapsed", required=True
        )


_INPUTS = {"fbeta": _beta, "cost": _costs, "at_least": _floor, "capacity": _capacity}


def _on_new_data(evaluation: Evaluation, code: int, scores: ScoreCounts, rule: Rule, best: Best) -> None:
    if rule.by == "capacity":
        remark(_LOOKS_AT_SCORES, "info")
        return
    seen = rule_in_force.estimated(evaluation, code, rule, scores)
    judged = rule_in_force.judged(evaluation, code, Given(code, rule), scores, usable(scores, best.threshold))
    remark(str(seen) if isinstance(seen, DataError) else say_new_data(judged, seen))


def _result(evaluation: Evaluation, code: int, scores: ScoreCounts, rule: Rule, best: Best) -> None:
    """The threshold found, what it does, its trade-off, and the button that takes it."""
    at = rates_at(scores, best.threshold)
    lost = measure_losses(rule, at, _best_of_each(evaluation, code, scores))
    beside = st.container(horizontal=True, vertical_alignment="center")
    with beside.container():
        st.markdown(f"{say_best(rule, best)}, at **{write_threshold(best.threshold)}**.")
        st.markdown(
            f"It flags **{at.tp + at.fp:,}** of {count(scores.n)}: precision {number(at.precision)}, recall "
            f"{number(at.recall)}.{say_ties(rule, scores, best)} {say_losses(lost)}"
        )
    value = usable(scores, best.threshold)
    given = Given(None if evaluation.task == "binary" else code, read_rule(write_rule(rule)))
    taken = value == state.given_threshold(evaluation, code) and given in state.rules_in_view(evaluation)
    beside.button(
        "In use" if taken else "Use this threshold",
        key="choices.use",
        type="secondary" if taken else "primary",
        disabled=taken,
        icon=":material/check:",
        on_click=state.put_threshold,
        args=(evaluation, code, value, rule),
        help="All pages then show the results of this rule.",
    )


def _best_of_each(evaluation: Evaluation, code: int, scores: ScoreCounts) -> dict[str, Best]:
    rules = tuple(rule_in_view(name) for name in _COMPARED)
    return dict(zip(_COMPARED, chosen(evaluation, code, scores, rules), strict=True))


def _side_by_side(evaluation: Evaluation, code: int, scores: ScoreCounts, rule: Rule) -> None:
    """Every choice beside the threshold in force and the default one."""
    rules = tuple(rule_in_view(name) for name in _TABLE)
    best = chosen(evaluation, code, scores, rules)
    named = [("In force now", state.given_threshold(evaluation, code)), ("Default", evaluation.effective_threshold)]
    named = [(name, threshold) for name, threshold in named if not math.isnan(threshold)]
    named += [("→ " * (one == rule) + name_rule(one), found.threshold) for one, found in zip(rules, best, strict=True)]
    each = _best_of_each(evaluation, code, scores)
    frame = pd.DataFrame(
        {"Choice": name, **_list_numbers(scores, at, rule, each)} for name, at in named if not math.isnan(at)
    )
    st.markdown("**Every choice, and how far it is from the best of each metric**")
    shown = frame.assign(Threshold=[shorten_threshold(threshold) for threshold in frame["Threshold"]])
    st.dataframe(shown, hide_index=True, column_config=_columns(), key="choices.table", placeholder="0/0")
    nothing = [name.removeprefix("→ ") for name, threshold in named if math.isnan(threshold)]
    st.caption(
        (f"No threshold does this on these rows: {', '.join(nothing)}. " if nothing else "")
        + "→ the choice above. Lost and added: the difference to the best threshold for that metric alone. Cost is "
        "that of a row. The best Youden's J is the best balanced accuracy too. 0/0 is undefined."
    )
    download(frame, "threshold_choices")


def _columns() -> dict[str, Any]:
    """Widths in pixels that fit all columns beside the menu of a laptop."""
    widths = {"Precision": 74, "Recall": 54, "F1": 48, "MCC": 50, "Cost": 52, "F1 lost": 60, "MCC lost": 70}
    numbers = {**widths, "Cost added": 80}
    return {
        "Choice": st.column_config.TextColumn(width=152, pinned=True),
        "Threshold": st.column_config.TextColumn(width=84),
        "Flagged": st.column_config.NumberColumn(format="localized", help="Rows called positive", width=60),
        **{name: st.column_config.NumberColumn(format="%.3f", width=width) for name, width in numbers.items()},
    }


def write_threshold(threshold: float) -> str:
    """Write a threshold in words.

    >>> write_threshold(0.25), write_threshold(math.inf)
    ('score >= 0.25', 'a threshold above every score')
    """
    return f"score >= {threshold:.6g}" if math.isfinite(threshold) else "a threshold above every score"


def say_best(rule: Rule, best: Best) -> str:
    """Say what a rule finds, as the beginning of a sentence in Markdown.

    >>> say_best(Rule("f1"), Best(0.4, 0.8))
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


def say_ties(rule: Rule, scores: ScoreCounts, best: Best) -> str:
    """Say that the next lower score would flag too many rows at once; nothing unless a capacity is the rule."""
    above = scores.above(best.threshold)
    if rule.by != "capacity" or above >= len(scores.score):
        return ""
    more = int(scores.tp[above] + scores.fp[above] - best.value)
    return f" The next score, {scores.score[above]:.6g}, would flag {count(more)} more at once, which is too many."


def say_none_found(rule: Rule, scores: ScoreCounts) -> str:
    """Say why a rule picks no threshold."""
    if not scores.n_pos or not scores.n_neg:
        there, missing = ("positive", "negative") if scores.n_pos else ("negative", "positive")
        return f"Every row is {there}: without {missing} rows this is undefined, and no threshold is best."
    if rule.by == "at_least":
        return f"No threshold reaches a {NAMES[rule.metric]} of {rule.floor:g} on these rows."
    if rule.by == "capacity":
        return "Even the highest threshold flags more rows: their score is infinite."
    return "This is undefined at every threshold."


def measure_losses(rule: Rule, at: ThresholdRates, best: Mapping[str, Best]) -> dict[str, float]:
    """Measure how far a threshold is from the best of each measure; 0 or more, NaN where undefined."""
    return {one: abs(found.value - float(measure(at, replace(rule, by=one)))) for one, found in best.items()}


def say_losses(lost: Mapping[str, float]) -> str:
    """Say what a threshold costs against the best of each measure.

    >>> say_losses({"f1": 0.0, "mcc": 0.0123, "cost": 0.25})
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


def say_new_data(chosen: ChosenThreshold, seen: Optimism) -> str:
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
    low, high = shorten_threshold(seen.lowest), shorten_threshold(seen.highest)
    spread = f"were all {low}" if seen.lowest == seen.highest else f"went from {low} to {high}"
    method = describe_folds(seen.folds, seen.repeats, seen.seed)
    return f"{said} The thresholds chosen {spread} ({method})."


def shorten_threshold(threshold: float) -> str:
    """Write a threshold in few characters.

    >>> shorten_threshold(0.00786118), shorten_threshold(math.inf)
    ('0.0078612', 'above all')
    """
    return f"{threshold:.5g}" if math.isfinite(threshold) else "above all"


def _list_numbers(scores: ScoreCounts, threshold: float, rule: Rule, best: Mapping[str, Best]) -> dict[str, object]:
    """List the numbers at a threshold under the names of the table's columns; an undefined one is NaN."""
    at = rates_at(scores, threshold)
    lost = measure_losses(rule, at, best)
    return {
        "Threshold": threshold,
        "Flagged": at.tp + at.fp,
        "Precision": at.precision,
        "Recall": at.recall,
        "F1": at.f1,
        "MCC": at.mcc,
        "Cost": float(measure(at, replace(rule, by="cost"))),
        "F1 lost": lost["f1"],
        "MCC lost": lost["mcc"],
        "Cost added": lost["cost"],
    }
