"""The card that chooses a threshold: by a metric, by what mistakes cost, under a floor, within a capacity."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import streamlit as st

from data.evaluation import DataError, Evaluation
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.choose import COUNTERPART, Rule
from metrics.thresholds.rule_in_force import ChosenThreshold, usable
from metrics.thresholds.rule_text import NAMES, Given, name_rule, read_rule, write_rule
from metrics.thresholds.threshold_metrics import Best, rates_at
from text.numbers import count, number
from ui.text.messages import remark
from ui.thresholds import choice_words as words
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
            remark(words.none_found(rule, scores), "info")
        else:
            _result(evaluation, code, scores, rule, best)
            _on_new_data(evaluation, code, scores, rule)
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


def _on_new_data(evaluation: Evaluation, code: int, scores: ScoreCounts, rule: Rule) -> None:
    if rule.by == "capacity":
        remark(words.LOOKS_AT_SCORES, "info")
    else:
        seen = rule_in_force.estimated(evaluation, code, rule, scores)
        remark(str(seen) if isinstance(seen, DataError) else words.on_new_data(_judged(evaluation, code, scores), seen))


def _judged(evaluation: Evaluation, code: int, scores: ScoreCounts) -> ChosenThreshold:
    """The rule of the view with the threshold that it picks."""
    picked = best_in_view(evaluation, code, scores).threshold
    return rule_in_force.judged(evaluation, code, Given(code, rule_in_view()), scores, usable(scores, picked))


def _result(evaluation: Evaluation, code: int, scores: ScoreCounts, rule: Rule, best: Best) -> None:
    """The threshold found, what it does, its trade-off, and the button that takes it."""
    at = rates_at(scores, best.threshold)
    lost = words.behind(rule, at, _best_of_each(evaluation, code, scores))
    beside = st.container(horizontal=True, vertical_alignment="center")
    with beside.container():
        st.markdown(f"{words.found(rule, best)}, at **{words.score(best.threshold)}**.")
        st.markdown(
            f"It flags **{at.tp + at.fp:,}** of {count(scores.n)}: precision {number(at.precision)}, recall "
            f"{number(at.recall)}.{words.tied(rule, scores, best)} {words.gives_up(lost)}"
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
    rules = tuple(rule_in_view(name) for name in words.COMPARED)
    return dict(zip(words.COMPARED, chosen(evaluation, code, scores, rules), strict=True))


def _side_by_side(evaluation: Evaluation, code: int, scores: ScoreCounts, rule: Rule) -> None:
    """Every choice beside the threshold in force and the default one."""
    rules = tuple(rule_in_view(name) for name in _TABLE)
    best = chosen(evaluation, code, scores, rules)
    named = [("In force now", state.given_threshold(evaluation, code)), ("Default", evaluation.effective_threshold)]
    named = [(name, threshold) for name, threshold in named if not math.isnan(threshold)]
    named += [("→ " * (one == rule) + name_rule(one), found.threshold) for one, found in zip(rules, best, strict=True)]
    each = _best_of_each(evaluation, code, scores)
    lines = [words.line(name, threshold, scores, rule, each) for name, threshold in named if not math.isnan(threshold)]
    frame = pd.DataFrame(lines)
    st.markdown("**Every choice, and how far it is from the best of each metric**")
    shown = frame.assign(Threshold=[words.cell(threshold) for threshold in frame["Threshold"]])
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
