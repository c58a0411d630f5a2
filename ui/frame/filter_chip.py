"""The filter in force, as a chip on every page: which rows all numbers are of, and the way back to all rows."""

from __future__ import annotations

import streamlit as st

from data.comparison.filtered import write_filter
from data.evaluation import Evaluation
from text.numbers import count
from ui.text.markdown import md
from ui.view import url


def draw(evaluation: Evaluation) -> None:
    """Draw a chip a condition, which a click removes, and how many rows are left; nothing without a filter."""
    if evaluation.filtered is None:
        return
    conditions, n_rows = evaluation.filtered.conditions, evaluation.filtered.n_rows
    with st.container(key="filter", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(":material/filter_alt: Only rows with", width="content")
        for place, condition in enumerate(conditions):
            rest = write_filter((*conditions[:place], *conditions[place + 1 :]))
            st.button(
                condition_text(*condition), key=f"filter.{place}", icon=":material/close:", icon_position="right",
                help="Remove this filter", on_click=url.put, kwargs={"filter": rest},
            )  # fmt: skip
        st.markdown(f"{evaluation.n_rows:,} of {count(n_rows)}", width="content")


def condition_text(column: str, value: str) -> str:
    """Write one condition as Markdown.

    >>> condition_text("country", "DE"), condition_text("age", "")
    ('`country` = `DE`', '`age` is missing')
    """
    return f"{md(column, 30)} = {md(value, 40)}" if value else f"{md(column, 30)} is missing"
