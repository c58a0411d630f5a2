"""The step Choose: the rule on the left, what its threshold does on the right, beside the threshold in use."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from data.errors import DataError
from data.evaluation import Evaluation
from export.interval_text import bounds_of, interval_cell
from export.result.frame import to_frame
from export.result.kinds import Amount, Column, Count, Number, Table, Threshold
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.choose import Rule, measure
from metrics.thresholds.rule_in_force import usable_threshold
from metrics.thresholds.rule_text import Given, name_rule, read_rule, write_rule
from metrics.thresholds.threshold_metrics import Best, rates_at
from text.intervals import name_interval
from text.numbers import write_amount, write_threshold, write_thresholds
from ui.text.messages import remark
from ui.thresholds import lab, prediction_sets, reject_option, rule_in_force
from ui.thresholds.deployment import costs, deployed, priors
from ui.thresholds.rule_inputs import draw_inputs
from ui.thresholds.rule_sentences import say_best, say_none_found, say_ties, say_total_cost
from ui.view import measurement, state, url
from ui.view.choice_rules import best_in_view, choose_thresholds, problems, rule_in_view
from ui.view.data_table import download
from ui.view.panel import md_label
from ui.view.result_table.result_table import result_table

_BY = {
    "at_least": "Reach a minimum",
    "f1": "Best F1",
    "fbeta": "Best F-beta",
    "youden_j": "Best Youden's J",
    "mcc": "Best Matthews correlation",
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
_RULE, _WAY = "choices.by", "choices.way"


def title(evaluation: Evaluation, code: int, scores: ScoreCounts) -> str:
    """Say in Markdown what the threshold of the chosen rule finds, and what it predicts wrongly."""
    if url.get("by") == "deployed":
        return deployed.title(evaluation, code, scores)
    if url.get("by") == "costs":
        return costs.title(evaluation)
    if url.get("by") == "priors":
        return priors.title(evaluation)
    if url.get("by") == "reject":
        return reject_option.title(evaluation, code, scores)
    rule, best = rule_in_view(), best_in_view(evaluation, code)
    if math.isnan(best.threshold):
        return say_none_found(rule, scores).rstrip(".")
    now, name = rates_at(scores, best.threshold), md_label(evaluation, code)
    if not now.tp + now.fp:
        return "A threshold above every score predicts no row as positive"
    rest = lab.other_class(evaluation, code)
    tp, n_pos, fp = (write_amount(n * scores.unit) for n in (now.tp, scores.n_pos, now.fp))
    other = f"{'other' if rest is None else md_label(evaluation, rest)} {'row' if fp == '1' else 'rows'}"
    by = "" if evaluation.units is None else ", by weight"
    effect = f"finds {tp} of {n_pos} {name} {'row' if n_pos == '1' else 'rows'}"
    return f"Score ≥ {write_threshold(best.threshold)} {effect} and predicts {fp} {other} as {name}{by}"


def choose_way(evaluation: Evaluation) -> None:
    """Draw the ways to choose: by one rule on these rows, as the model will run, by costs, or at other shares."""
    rule = url.PARAMETERS["by"].default
    ways = {rule: "By a rule", "deployed": "As deployed", "costs": "By a table of costs"}
    ways |= {"priors": "At other shares"} if priors.has_priors(evaluation) else {}
    st.session_state[_WAY] = url.get("by") if url.get("by") in ways else rule

    def take() -> None:
        url.put(by=st.session_state[_WAY])

    st.segmented_control(
        "How to choose", list(ways), key=_WAY, required=True, label_visibility="collapsed", on_change=take,
        format_func=ways.__getitem__,
    )  # fmt: skip


def choose_threshold(evaluation: Evaluation, code: int, scores: ScoreCounts) -> None:
    """Draw the rules and what the chosen one does.

    evaluation : as the file says, without the view's threshold.
    """
    for sentence in problems():
        remark(sentence)
    if url.get("by") == "deployed":
        deployed.draw(evaluation, code, scores)
        return
    if url.get("by") == "costs":
        costs.draw(evaluation)
        return
    if url.get("by") == "priors":
        priors.draw(evaluation)
        return
    with st.container(key="beside-choose"):
        left, right = st.columns([0.34, 0.66], gap="medium")
    with left.container(border=True):
        by = _choose_rule(evaluation, code, scores)
        if by == "reject":
            band = reject_option.choose_band(evaluation, code, scores)
        else:
            draw_inputs(by, scores)
            _recommend(evaluation, code, scores)
    with right:
        if by == "reject":
            reject_option.show_effect(evaluation, code, scores, band)
            reject_option.draw_predictions(evaluation)
            prediction_sets.draw(evaluation)
        else:
            _effect(evaluation, code, scores)


def _choose_rule(evaluation: Evaluation, code: int, scores: ScoreCounts) -> str:
    """Draw the rules, each with the threshold that it picks; return the chosen one."""
    names = [name for name in _BY if name != "reject"]
    best = choose_thresholds(evaluation, code, tuple(rule_in_view(name) for name in names))
    written = {name: _name_threshold(choice.threshold) for name, choice in zip(names, best, strict=True)}
    st.session_state[_RULE] = url.get("by")

    def take() -> None:
        by = st.session_state[_RULE]
        if by == "reject":
            reject_option.switch_on(scores, state.threshold_of(evaluation, code))
        url.put(by=by, **({} if by == "reject" else {"low": None}))

    with st.container(key="choose-rule"):
        by = st.radio(
            "**What must the threshold do?**", list(_BY), key=_RULE, on_change=take, width="stretch",
            format_func=lambda name: f"{_BY[name]} :gray[{written.get(name, '')}]" if name in written else _BY[name],
        )  # fmt: skip
    return str(by)


def _name_threshold(threshold: float) -> str:
    written = write_threshold(threshold)
    return f"score ≥ {written}" if math.isfinite(threshold) else written


def _recommend(evaluation: Evaluation, code: int, scores: ScoreCounts) -> None:
    """Say the recommended threshold, what new data will give and the trade-off; then the button that takes it."""
    rule, best = rule_in_view(), best_in_view(evaluation, code)
    if math.isnan(best.threshold):
        remark(say_none_found(rule, scores), "info")
        return
    within = measurement.measure(evaluation).at_threshold(code, usable_threshold(scores, best.threshold)).get(rule.by)
    ends = "" if within is None else f" {name_interval(within.level)}: {bounds_of(within)}."
    total = say_total_cost(rule, scores, best.threshold, state.threshold_now(evaluation, code).threshold)
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
    seen = rule_in_force.estimate_on_new_data(evaluation, code, rule)
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
    best = best_in_view(evaluation, code)
    if not math.isnan(best.threshold):
        lab.compare(evaluation, code, scores, usable_threshold(scores, best.threshold))
    rule = rule_in_view()
    rules = tuple(dict.fromkeys((rule, *(rule_in_view(name) for name in _TABLE))))
    chosen = choose_thresholds(evaluation, code, rules)
    listed = [(name_rule(rule_listed), choice.threshold) for rule_listed, choice in zip(rules, chosen, strict=True)]
    _table(evaluation, code, scores, rule, listed)


def _table(evaluation: Evaluation, code: int, scores: ScoreCounts, rule: Rule, listed: list[tuple[str, float]]) -> None:
    """Draw four columns of every rule, the chosen one first and then the threshold in use; the rest on demand."""
    now = state.threshold_now(evaluation, code).threshold
    in_use = [("In use", now), ("Default", evaluation.effective_threshold)]
    named = [listed[0], *in_use[: 1 if in_use[0][1] == in_use[1][1] else 2], *listed[1:]]
    nothing = [name for name, threshold in named if math.isnan(threshold) and name not in ("In use", "Default")]
    named = [(name, threshold) for name, threshold in named if not math.isnan(threshold)]
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.markdown("**Compare with other rules**", width="content")
        every = st.toggle("All columns", key="choices.all")
    first = _first_columns(evaluation, code, scores, named)
    best = dict(zip(_COMPARED, choose_thresholds(evaluation, code, tuple(map(rule_in_view, _COMPARED))), strict=True))
    more = [_list_numbers(scores, threshold, rule, best) for _, threshold in named] if every else []
    columns = [*first.columns, *(Column(title, Number) for title in (more[0] if more else ()))]
    rows = first.rows
    if more:
        rows = [(*row, *map(Number, numbers.values())) for row, numbers in zip(first.rows, more, strict=True)]
    table = first._replace(columns=columns, rows=rows)
    result_table(table, key="choices.table", axes={})
    if nothing:
        st.caption(f"No threshold does this on these rows: {', '.join(nothing)}.")
    if every:
        st.caption(
            "Below or above best: the difference to the best threshold for that metric. Cost: expected cost a row."
        )
        download(to_frame(table), "threshold_choices")


def _first_columns(evaluation: Evaluation, code: int, scores: ScoreCounts, named: Sequence[tuple[str, float]]) -> Table:
    """Return what each rule chooses, and what that threshold gives."""
    thresholds = [threshold for _, threshold in named]
    written = map(Threshold, thresholds, write_thresholds(thresholds))
    predicted = [float(measure(rates_at(scores, threshold), Rule("capacity"))) for threshold in thresholds]
    is_whole = max(predicted, default=0.0) >= 10 or all(map(float.is_integer, predicted))
    amounts: list[Count | Amount] = [Count(round(rows)) if is_whole else Amount(rows) for rows in predicted]
    measured = measurement.measure(evaluation)
    rows = []
    for (name, threshold), score, amount in zip(named, written, amounts, strict=True):
        rates = measured.at_threshold(code, threshold)
        rows.append((name, score, amount, *(interval_cell(rates[key]) for key in ("precision", "recall"))))
    ends = name_interval(measurement.level())
    columns = (
        Column("rule", str), Column("score ≥", Threshold), Column("predicted positive", Count),
        Column("precision", Number, ends), Column("recall", Number, ends),
    )  # fmt: skip
    return Table("choices", "What other rules choose", columns, rows, "rule", in_order=True)


def _list_numbers(scores: ScoreCounts, threshold: float, rule: Rule, best: Mapping[str, Best]) -> dict[str, float]:
    """Return further numbers at a threshold under the names of the table's columns; an undefined one is NaN.

    Lost and added : how far the threshold is from the best of a measure, 0 or more.
    """
    rates = rates_at(scores, threshold)
    lost = {by: abs(choice.value - float(measure(rates, replace(rule, by=by)))) for by, choice in best.items()}
    return {
        "F1": float(rates.f1),
        "Matthews correlation": float(rates.mcc),
        "cost": float(measure(rates, replace(rule, by="cost"))),
        "F1 below best": lost["f1"],
        "Matthews correlation below best": lost["mcc"],
        "balanced accuracy below best": lost["balanced_accuracy"],
        "cost above best": lost["cost"],
    }
