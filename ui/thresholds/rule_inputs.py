"""Draw the inputs of a rule: its beta, costs, minimum or capacity."""

from __future__ import annotations

import streamlit as st

from metrics.scores.curves import ScoreCounts
from metrics.thresholds.choose import COUNTERPART, NAMES
from text.numbers import count
from ui.view import url
from ui.view.choice_rules import rule_in_view

_A_DAY, _SHARE = "rows a day", "% of the rows"
"""Units of a capacity, beside rows of the file."""


def draw_number(
    name: str, title: str, low: float, high: float, step: float | None, help: str | None = None, *,
    empty: str = "", factor: float = 1.0,
) -> None:  # fmt: skip
    """Draw a number of the view, typed.

    empty : what stands in the field of a number that may be left open; "" = it may not. factor : of what is shown.
    """
    key = f"choices.{name}"
    value = url.get(name)
    st.session_state[key] = None if value is None else round(float(value) * factor, 12)

    def put() -> None:
        typed = st.session_state[key]
        url.put(**{name: None if typed is None else typed / factor})

    st.number_input(
        title, low * factor, high * factor, key=key, step=step, format="%g", help=help, on_change=put,
        value=None if empty else "min", placeholder=empty or None,
    )  # fmt: skip


def _beta(scores: ScoreCounts) -> None:
    draw_number("beta", "Beta", 0.01, 100.0, 0.5, "2: recall counts twice as much. 0.5: half as much.")


def _costs(scores: ScoreCounts) -> None:
    draw_number("cfp", "One false positive costs", 0.0, 1e9, 1.0)
    draw_number("cfn", "One false negative costs", 0.0, 1e9, 1.0)
    here = f"Share of positives where the model will be used. Empty: as here, {scores.n_pos / scores.n:.6g}."
    draw_number("prev", "Share of positives in use", 0.0, 1.0, 0.01, here, empty="as in this file")


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


_DRAWN = {"fbeta": _beta, "cost": _costs, "at_least": _floor, "capacity": _capacity}


def draw_inputs(by: str, scores: ScoreCounts) -> None:
    """Draw what a rule needs; nothing for one without inputs."""
    if by in _DRAWN:
        _DRAWN[by](scores)
