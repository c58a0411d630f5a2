"""The step Choose: the rule on the left, what its threshold does on the right, beside the threshold in use."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import pandas as pd
import streamlit as st

from data.errors import DataError
from data.evaluation import Evaluation
from export.interval_text import bounds_of, name_level, value_of
from metrics.intervals.statistic import Interval
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.choose import COUNTERPART, NAMES, Rule, measure
from metrics.thresholds.rule_in_force import usable_threshold
from metrics.thresholds.rule_text import Given, name_cap, name_rule, read_rule, write_rule
from metrics.thresholds.threshold_metrics import Best, rates_at
from text.numbers import count, number
from ui.text.markdown import percent
from ui.text.messages import remark
from ui.thresholds import lab, reject_option, rule_in_force
from ui.view import measurement, state, url
from ui.view.choice_rules import best_in_view, choose_thresholds, problems, rule_in_view
from ui.view.data_table import download
from ui.view.panel import md_label

_BY = {
    "at_least": "Reach a minimum",
    "f1": "Best F1",
    "fbeta": "Best F-beta",
    "youden_j": "Best Youden's J",
    "mcc": "Best MCC",
    "balanced_accuracy": "Best balanced accuracy",
    "cost": "Lowest cost",
    "capacity": "Limit the rows predicted positive",
    "reject": "Leave uncertain rows undecided",
}
_WHY = {
    "f1": "F1 weighs precision and recall alike and does not look at the true negatives.",
    "fbeta": "In F-beta recall counts beta times as much as precision.",
    "youden_j": "Youden's J is recall + specificity − 1: how far the ROC curve is above the diagonal.",
    "mcc": "The Matthews correlation is high only if all four counts are good.",
    "balanced_accuracy": "Balanced accuracy is the mean of recall and specificity: its best threshold is Youden's.",
}
_COMPARED = ("f1", "mcc", "balanced_accuracy", "cost")
"""Measures that every choice is compared by."""
_LOOKS_AT_SCORES = (
    "This rule uses the scores and not the truth, so its metrics are not optimistic. "
    "On new data somewhat more or fewer rows are predicted positive."
)
_TABLE = ("f1", "fbeta", "youden_j", "mcc", "accuracy", "cost", "at_least", "capacity")
_BOUNDED = ("Precision", "Recall")
"""Columns that are written with their intervals while the others are left out."""
_A_DAY, _SHARE = "rows a day", "% of the rows"
"""Units of a capacity, beside rows of the file."""
_FIRST = ("Rule", "Score ≥", "Predicted positive", "Precision", "Recall")
_RULE = "choices.by"


def title(evaluation: Evaluation, code: int, scores: ScoreCounts) -> str:
    """Say in Markdown what the threshold of the chosen rule finds, and what it predicts wrongly."""
    if url.get("by") == "reject":
        return reject_option.title(evaluation, code, scores)
    rule, best = rule_in_view(), best_in_view(evaluation, code, scores)
    if math.isnan(best.threshold):
        return say_none_found(rule, scores).rstrip(".")
    now, name = rates_at(scores, best.threshold), md_label(evaluation, code)
    if not now.tp + now.fp:
        return "A threshold above every score predicts no row as positive"
    rest = lab.other_class(evaluation, code)
    other = f"{'other' if rest is None else md_label(evaluation, rest)} {'row' if now.fp == 1 else 'rows'}"
    found = f"finds {now.tp:,} of {scores.n_pos:,} {name} {'row' if scores.n_pos == 1 else 'rows'}"
    return f"Score ≥ {best.threshold:.3g} {found} and predicts {now.fp:,} {other} as {name}"


def choose_threshold(evaluation: Evaluation, code: int, scores: ScoreCounts) -> None:
    """Draw the rules and what the chosen one does.

    evaluation : as the file says, without the view's threshold.
    """
    for sentence in problems():
        remark(sentence)
    with st.container(key="beside-choose"):
        left, right = st.columns([0.34, 0.66], gap="medium")
    with left.container(border=True):
        by = _choose_rule(evaluation, code, scores)
        if by == "reject":
            band = reject_option.choose_band(evaluation, code, scores)
        else:
            _INPUTS.get(by, lambda scores: None)(scores)
            _recommend(evaluation, code, scores)
    with right:
        if by == "reject":
            reject_option.show_effect(evaluation, code, scores, band)
        else:
            _effect(evaluation, code, scores)


def _choose_rule(evaluation: Evaluation, code: int, scores: ScoreCounts) -> str:
    """Draw the rules, each with the threshold that it picks; return the chosen one."""
    names = [name for name in _BY if name != "reject"]
    best = choose_thresholds(evaluation, code, scores, tuple(rule_in_view(name) for name in names))
    found = {name: _name_threshold(one.threshold) for name, one in zip(names, best, strict=True)}
    st.session_state[_RULE] = url.get("by")

    def take() -> None:
        by = st.session_state[_RULE]
        if by == "reject":
            reject_option.switch_on(scores, state.threshold_of(evaluation, code))
        url.put(by=by, **({} if by == "reject" else {"low": None}))

    with st.container(key="choose-rule"):
        by = st.radio(
            "**What must the threshold do?**", list(_BY), key=_RULE, on_change=take, width="stretch",
            format_func=lambda name: f"{_BY[name]} :gray[{found.get(name, '')}]" if name in found else _BY[name],
        )  # fmt: skip
    return str(by)


def _name_threshold(threshold: float) -> str:
    short = rule_in_force.shorten_threshold(threshold, 3)
    return f"score ≥ {short}" if math.isfinite(threshold) else short


def _number(name: str, title: str, low: float, high: float, step: float, help: str | None = None) -> None:
    """Draw a number of the view, typed."""
    key = f"choices.{name}"
    st.session_state[key] = None if url.get(name) is None else float(url.get(name))
    st.number_input(
        title, low, high, key=key, step=step, format="%g", help=help,
        value=None if name == "prev" else "min", placeholder="as in this file",
        on_change=lambda: url.put(**{name: st.session_state[key]}),
    )  # fmt: skip


def _beta(scores: ScoreCounts) -> None:
    _number("beta", "Beta", 0.01, 100.0, 0.5, "2: recall counts twice as much. 0.5: half as much.")


def _costs(scores: ScoreCounts) -> None:
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

    left, right = st.columns([0.58, 0.42], gap="small")
    left.selectbox("Metric", list(COUNTERPART), key=metric, on_change=put,
                   format_func=lambda name: NAMES[name][0].upper() + NAMES[name][1:])  # fmt: skip
    right.number_input("at least", 0.0, 1.0, key=least, on_change=put, step=None, format="%g")


def _capacity(scores: ScoreCounts) -> None:
    rule = rule_in_view()
    size, unit, span = "choices.cap.size", "choices.cap.unit", "choices.days"
    days = url.get("days")
    if rule.most_rows is None:
        shown, of = round(100 * (rule.most_share or 0.0), 10), _SHARE
    else:
        shown, of = rule.most_rows / (days or 1), _A_DAY if days else "rows"
    st.session_state[unit], st.session_state[size], st.session_state[span] = of, shown, float(days or 1)

    def put() -> None:
        value, wanted = st.session_state[size], st.session_state[unit]
        given = st.session_state.get(span, 1.0) if wanted == _A_DAY else 0.0
        rows = int(min(value * (given or 1), 1e12))
        url.put(cap=f"{min(value, 100.0):.10g}%" if wanted == _SHARE else str(rows), days=given)

    st.number_input("Predict at most", 0.0, 1e12, key=size, on_change=put, step=1.0, format="%g")
    st.segmented_control(
        "of", ["rows", _A_DAY, _SHARE], key=unit, on_change=put, label_visibility="collapsed", required=True
    )
    if of == _A_DAY:
        st.number_input("Days that the rows of this file cover", 0.01, 1e5, key=span, on_change=put, step=1.0,
                        format="%g")  # fmt: skip
        st.caption(f"{shown:,.6g} rows a day are {count(rule.most_rows or 0)} in {days:,.6g} days.")


_INPUTS = {"fbeta": _beta, "cost": _costs, "at_least": _floor, "capacity": _capacity}


def _recommend(evaluation: Evaluation, code: int, scores: ScoreCounts) -> None:
    """Say the recommended threshold, what new data will give and the trade-off; then the button that takes it."""
    rule, best = rule_in_view(), best_in_view(evaluation, code, scores)
    if math.isnan(best.threshold):
        remark(say_none_found(rule, scores), "info")
        return
    within = measurement.measure(evaluation).at_threshold(code, usable_threshold(scores, best.threshold)).get(rule.by)
    ends = "" if within is None else f" {name_level(within.level)} interval: {bounds_of(within)}."
    total = say_total_cost(rule, scores, best.threshold, state.given_threshold(evaluation, code))
    st.markdown(say_best(rule, best) + ends + total + say_ties(rule, scores, best), help=_WHY.get(rule.by))
    _say_new_data(evaluation, code, scores, rule, best)
    value = usable_threshold(scores, best.threshold)
    given = Given(None if evaluation.task == "binary" else code, read_rule(write_rule(rule)))
    taken = value == state.given_threshold(evaluation, code) and given in state.rules_in_view(evaluation)
    st.button(
        "In use" if taken else "Use this threshold", key="choices.use", type="secondary" if taken else "primary",
        disabled=taken, icon=":material/check:", on_click=state.put_threshold, args=(evaluation, code, value, rule),
        width="stretch",
    )  # fmt: skip
    where = "All pages then show" if state.sets_all_pages(evaluation) else "This page then shows"
    st.caption(f"{where} the results of this rule.")


def _say_new_data(evaluation: Evaluation, code: int, scores: ScoreCounts, rule: Rule, best: Best) -> None:
    if rule.by == "capacity":
        st.caption(_LOOKS_AT_SCORES)
        return
    seen = rule_in_force.estimate_on_new_data(evaluation, code, rule, scores)
    if isinstance(seen, DataError):
        remark(str(seen))
        return
    judged = rule_in_force.judge_rule(
        evaluation, code, Given(code, rule), scores, usable_threshold(scores, best.threshold)
    )
    st.markdown(
        f":blue[:material/info:] {rule_in_force.say_new_data(judged, seen)}", help=rule_in_force.describe_estimate(seen)
    )


def _effect(evaluation: Evaluation, code: int, scores: ScoreCounts) -> None:
    """Set the counts and both curves at the rule's threshold beside those in use; below them, every rule."""
    best = best_in_view(evaluation, code, scores)
    if not math.isnan(best.threshold):
        lab.compare(evaluation, code, scores, usable_threshold(scores, best.threshold))
    rule = rule_in_view()
    rules = tuple(dict.fromkeys((rule, *(rule_in_view(name) for name in _TABLE))))
    chosen = choose_thresholds(evaluation, code, scores, rules)
    listed = [(name_rule(one), found.threshold) for one, found in zip(rules, chosen, strict=True)]
    _table(evaluation, code, scores, rule, listed)


def _table(evaluation: Evaluation, code: int, scores: ScoreCounts, rule: Rule, listed: list[tuple[str, float]]) -> None:
    """Draw four columns of every rule, the chosen one first and then the threshold in use; the rest on demand."""
    in_use = [("In use", state.given_threshold(evaluation, code)), ("Default", evaluation.effective_threshold)]
    named = [listed[0], *in_use[: 1 if in_use[0][1] == in_use[1][1] else 2], *listed[1:]]
    each = dict(
        zip(_COMPARED, choose_thresholds(evaluation, code, scores, tuple(map(rule_in_view, _COMPARED))), strict=True)
    )
    frame = pd.DataFrame(
        {"Rule": name, **_list_numbers(scores, at, rule, each)} for name, at in named if not math.isnan(at)
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.markdown("**Compare with other rules**", width="content")
        every = st.toggle("All columns", key="choices.all")
    shown = frame.assign(**{"Score ≥": [rule_in_force.shorten_threshold(at, 5) for at in frame["Score ≥"]]})
    if not every:
        found = [measurement.measure(evaluation).at_threshold(code, at) for at in frame["Score ≥"]]
        shown = shown.assign(**{name: [_with_ends(one[name.lower()]) for one in found] for name in _BOUNDED})
    st.dataframe(
        shown if every else shown[list(_FIRST)], hide_index=True, key="choices.table", placeholder="undefined",
        column_config={
            "Rule": st.column_config.TextColumn(width=170, pinned=True),
            "Predicted positive": st.column_config.NumberColumn(format="localized", help="Rows with score ≥ threshold"),
            **{name: st.column_config.NumberColumn(format="%.3f") for name in frame.columns[3:] if every},
        },
    )  # fmt: skip
    nothing = [name for name, at in named if math.isnan(at) and name not in ("In use", "Default")]
    if nothing:
        st.caption(f"No threshold does this on these rows: {', '.join(nothing)}.")
    if every:
        st.caption("Below or above best: the difference to the best threshold for that metric. Cost is per row.")
        download(frame, "threshold_choices")


def _with_ends(one: Interval) -> str:
    """Write a rate with its interval in brackets."""
    return value_of(one) + (f" ({bounds_of(one)})" if bounds_of(one) else "")


def write_threshold(threshold: float) -> str:
    """Write a threshold in words.

    >>> write_threshold(0.25), write_threshold(math.inf)
    ('score ≥ 0.25', 'a threshold above every score')
    """
    return f"score ≥ {threshold:.6g}" if math.isfinite(threshold) else "a threshold above every score"


def say_best(rule: Rule, best: Best) -> str:
    """Say what a rule recommends, in Markdown.

    >>> say_best(Rule("f1"), Best(0.4, 0.8))
    'The best F1 on these rows is **0.800**, at **score ≥ 0.4**.'
    >>> say_best(Rule("at_least", floor=0.9), Best(0.4, 0.8))
    'Of the thresholds with recall of at least 0.9, the most precise is recommended: **score ≥ 0.4**.'
    """
    at = f"**{write_threshold(best.threshold)}**"
    if rule.by == "at_least":
        most = "the most precise" if rule.then == "precision" else f"the one with the best {NAMES[rule.then]}"
        return f"Of the thresholds with {NAMES[rule.metric]} of at least {rule.floor:g}, {most} is recommended: {at}."
    if rule.by == "cost":
        in_use = "" if rule.prevalence is None else f" with {percent(rule.prevalence)} positives"
        return f"The lowest {NAMES['cost']}{in_use} is **{best.value:.4g}**, at {at}."
    if rule.by == "capacity":
        share = "" if rule.most_rows is not None else " of the rows"
        least = f"The lowest threshold that predicts at most {name_cap(rule)}{share}"
        return f"{least} as positive is {at}: it predicts **{int(best.value):,}**."
    beta = f" with beta {rule.beta:g}" if rule.by == "fbeta" else ""
    return f"The best {NAMES[rule.by]}{beta} on these rows is **{number(best.value)}**, at {at}."


def say_total_cost(rule: Rule, scores: ScoreCounts, threshold: float, in_use: float) -> str:
    r"""Say what a rule's threshold costs over all rows, and how much less than now; nothing unless cost is the rule.

    >>> import numpy as np
    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.6, 0.4, 0.1]))
    >>> say_total_cost(Rule("cost", cost_fn=3), counts, 0.4, 0.5)
    ' All 4 rows cost **1**; at score ≥ 0.5, in use now, they cost 4: 3 less.'
    """
    if rule.by != "cost":
        return ""
    then, now = (scores.n * float(measure(rates_at(scores, at), rule)) for at in (threshold, in_use))
    rows = f" All {count(scores.n)} cost **{then:,.6g}**"
    if math.isnan(now) or in_use == threshold:
        return f"{rows}."
    change = f"{now - then:,.6g} less" if now > then else "as much"
    return f"{rows}; at {write_threshold(in_use)}, in use now, they cost {now:,.6g}: {change}."


def say_ties(rule: Rule, scores: ScoreCounts, best: Best) -> str:
    """Say that the next lower score would flag too many rows at once; nothing unless a capacity is the rule."""
    above = scores.above(best.threshold)
    if rule.by != "capacity" or above >= len(scores.score):
        return ""
    more = int(scores.tp[above] + scores.fp[above] - best.value)
    return f" The next score, {scores.score[above]:.6g}, would add {count(more)} at once, which is too many."


def say_none_found(rule: Rule, scores: ScoreCounts) -> str:
    """Say why a rule picks no threshold."""
    if not scores.n_pos or not scores.n_neg:
        there, missing = ("positive", "negative") if scores.n_pos else ("negative", "positive")
        return f"Every row is {there}: without {missing} rows this is undefined, and no threshold is best."
    if rule.by == "at_least":
        return f"No threshold reaches a {NAMES[rule.metric]} of {rule.floor:g} on these rows."
    if rule.by == "capacity":
        return "Even the highest threshold predicts more rows as positive: their score is infinite."
    return "This is undefined at every threshold."


def _list_numbers(scores: ScoreCounts, threshold: float, rule: Rule, best: Mapping[str, Best]) -> dict[str, object]:
    """Return the numbers at a threshold under the names of the table's columns; an undefined one is NaN.

    Lost and added : how far the threshold is from the best of a measure, 0 or more.
    """
    at = rates_at(scores, threshold)
    lost = {one: abs(found.value - float(measure(at, replace(rule, by=one)))) for one, found in best.items()}
    return {
        "Score ≥": threshold,
        "Predicted positive": at.tp + at.fp,
        "Precision": at.precision,
        "Recall": at.recall,
        "F1": at.f1,
        "MCC": at.mcc,
        "Cost": float(measure(at, replace(rule, by="cost"))),
        "F1 below best": lost["f1"],
        "MCC below best": lost["mcc"],
        "Balanced accuracy below best": lost["balanced_accuracy"],
        "Cost above best": lost["cost"],
    }
