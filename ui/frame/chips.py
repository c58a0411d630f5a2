"""Chips on every page: the filter in force and the rater that is judged, each with the way back."""

from __future__ import annotations

import streamlit as st

from data.comparison.filter_conditions import write_filter
from data.comparison.judge_evaluation import read_judged
from data.evaluation import Evaluation
from text.numbers import count
from ui.text.markdown import md
from ui.view import url
from ui.view.address import go_to

_NAMED = 3
_TRUTHS = {"majority": "the majority of", "unanimous": "the unanimous rating of"}


def draw_filter(evaluation: Evaluation) -> None:
    """Draw a chip a condition, which a click removes, and how many rows are left; nothing without a filter."""
    if evaluation.filtered is None:
        return
    conditions, n_rows = evaluation.filtered.conditions, evaluation.filtered.n_rows
    with st.container(key="filter", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(":material/filter_alt: Only rows with", width="content")
        for place, condition in enumerate(conditions):
            others = write_filter((*conditions[:place], *conditions[place + 1 :]))
            st.button(
                condition_text(*condition), key=f"filter.{place}", icon=":material/close:", icon_position="right",
                help="Remove this filter", on_click=url.put, kwargs={"filter": others},
            )  # fmt: skip
        st.markdown(f"{evaluation.n_rows:,} of {count(n_rows)}", width="content")


def condition_text(column: str, value: str) -> str:
    """Write one condition as Markdown.

    >>> condition_text("country", "DE"), condition_text("age", "")
    ('`country` = `DE`', '`age` is missing')
    """
    return f"{md(column, 30)} = {md(value, 40)}" if value else f"{md(column, 30)} is missing"


def draw_judged() -> None:
    """Draw who is judged by whom, and the way back; nothing where the file's own truth counts."""
    text = url.get("judged")
    if not text:
        return
    judged = read_judged(text)
    raters = ", ".join(md(name, 30) for name in judged.raters[:_NAMED])
    n_more = len(judged.raters) - _NAMED
    raters += f" and {n_more} more" if n_more > 0 else ""
    truth = f"{_TRUTHS[judged.how]} {raters}" if len(judged.raters) > 1 else raters
    with st.container(key="judged", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            f":material/gavel: Predictions are those of {md(judged.judge, 30)}, the truth is {truth}", width="content"
        )
        go_to("agreement", "All raters")
        st.button("Back to the file's own labels", key="judged.back", type="tertiary", on_click=url.put,
                  kwargs={"judged": ""})  # fmt: skip
