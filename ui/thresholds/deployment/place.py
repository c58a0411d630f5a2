"""Draw where the model will run and which limits hold there; read both from the view."""

from __future__ import annotations

import streamlit as st

from export.deciding.decision import Asked
from export.deciding.words import read_word
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.deployed.feasible import Limits
from text.numbers import percent, write_amount
from ui.thresholds.rule_inputs import draw_number
from ui.view import url

_NO_LIMIT = "no limit"


def place_in_view() -> Asked:
    """Return where the model will run, as the view says."""
    limits = Limits(url.get("minrecall"), url.get("minprecision"), url.get("mostcalled"), url.get("mostcost"))
    return Asked(
        prevalence=url.get("prev"),
        rows=url.get("perday"),
        cost_fp=url.get("cfp"),
        cost_fn=url.get("cfn"),
        limits=limits,
        noun=url.get("noun"),
        called=url.get("called"),
    )


def choose_place(scores: ScoreCounts) -> None:
    """Draw the place, the costs, the limits and the words."""
    asked = place_in_view()
    noun, called = asked.noun or "rows", asked.called or "predicted positive"
    here, rows = percent(scores.n_pos / scores.n, 2) if scores.n else "undefined", write_amount(scores.n * scores.unit)
    st.markdown("**Where will it run?**")
    draw_number("prev", f"Positives among all {noun}, in %", 0.0, 1.0, 0.1, empty=f"{here}, as here", factor=100)
    draw_number("perday", f"{noun.capitalize()} a day", 0.0, 1e12, None, empty=f"{rows}, as here")
    draw_number("cfn", "A missed positive costs", 0.0, 1e9, 1.0)
    draw_number("cfp", "A false positive costs", 0.0, 1e9, 1.0)
    st.markdown("**Which limits hold?**")
    draw_number("mostcalled", f"{called.capitalize()} a day, at most", 0.0, 1e12, None, empty=_NO_LIMIT)
    draw_number("minrecall", "Recall, at least", 0.0, 1.0, 0.05, empty=_NO_LIMIT)
    draw_number("minprecision", "Precision, at least", 0.0, 1.0, 0.05, empty=_NO_LIMIT)
    draw_number("mostcost", "Cost of a day, at most", 0.0, 1e15, None, empty=_NO_LIMIT)
    with st.popover("Words", icon=":material/edit:", width="stretch"):
        _draw_word("noun", "What rows are called there", "rows")
        _draw_word("called", "What “predicted positive” is called there", "predicted positive")


def _draw_word(name: str, title: str, empty: str) -> None:
    key = f"place.{name}"
    st.session_state[key] = url.get(name)

    def put() -> None:
        try:
            url.put(**{name: read_word(st.session_state[key].strip())})
        except ValueError as error:
            url.tell(f"Ignored what was typed: {error}.")

    st.text_input(title, key=key, placeholder=empty, on_change=put, max_chars=30)
