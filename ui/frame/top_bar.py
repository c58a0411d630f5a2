"""The bar at the top of every page: which file is open, what its link is, and the button that shares it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from data.columns.run_columns import ALL_ROWS
from data.evaluation import Evaluation
from text.numbers import count
from ui.frame import open_files
from ui.share import sharing
from ui.text.markdown import count_classes, md

_TASKS = {"binary": "binary", "multiclass": "single-label", "multilabel": "multi-label"}


def bar(page: str, evaluation: Evaluation | None, *, shares: bool, beside: Callable[[], None]) -> None:
    """Draw the bar.

    shares : whether there is something to share. beside : draws what stands in front of that button.
    """
    with st.container(key="bar", horizontal=True, vertical_alignment="center", wrap=False, gap="small"):
        with st.container(key="bar-file", horizontal=True, vertical_alignment="center", wrap=False, gap="small"):
            if evaluation is None:
                st.markdown("")  # keeps the room in front of the buttons
            else:
                _draw_file(evaluation)
        if shares:
            sharing.button(page, beside=beside)


def _draw_file(evaluation: Evaluation) -> None:
    """Draw the name and the facts of the file; with other files open, its name switches to them."""
    open_files.remember(evaluation)
    others, facts = open_files.other_files(), describe_file(evaluation)
    if others:
        open_files.switcher(others, evaluation.name)
    st.markdown(facts if others else f"**{md(evaluation.name, 40)}** {facts}")


def describe_file(evaluation: Evaluation) -> str:
    """Write the file's size and what is scored of it, as Markdown."""
    n = count(evaluation.n_rows)
    facts = [
        n if evaluation.weights is None else f"{n} in {count(evaluation.n_lines, 'line')}",
        count_classes(evaluation),
        _TASKS[evaluation.task],
    ]
    if evaluation.positive is not None:
        facts.append(f"positive class {md(evaluation.labels[evaluation.positive], 30)}")
    if evaluation.settings.only not in (None, ALL_ROWS):
        column, value = evaluation.settings.only
        facts.append(f"only {md(column, 40)} = {md(value, 40)}")
    left = evaluation.n_rows - evaluation.n_scored
    if left:
        facts.append(f":orange[{count(left)} without true or predicted label left out]")
    return " · ".join(facts)
