"""The level of all intervals in view, the rows that belong together, and the numbers of an evaluation at that level."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from data.comparison import row_groups
from data.evaluation import Evaluation
from export.interval_text import NOT_COVERED
from export.measurement import Measurement
from metrics.finding import Finding
from metrics.findings.worst_parts import NO_PARTS, WorstParts
from metrics.thresholds.rule_in_force import ChosenThreshold
from text.intervals import name_level
from text.numbers import count
from ui.limits import MAX_INTERVAL_SCORES
from ui.text.markdown import md
from ui.view import cache, url

LEVELS = (0.8, 0.9, 0.95, 0.99)


def level() -> float:
    """Return the level in view."""
    return float(st.session_state.get(url.VIEW, {}).get("ci", url.PARAMETERS["ci"].default))


clusters_of = cache.kept(64)(row_groups.clusters_in_use)
"""Return the rows that belong together; None where every row stands for itself."""

cluster_warnings = cache.kept(64)(row_groups.cluster_warnings)
"""Return what a person should know about the rows that belong together, or why none do, as sentences."""


@cache.kept(16)
def _measure(evaluation: Evaluation, level: float) -> Measurement:
    return Measurement(evaluation, level, clusters_of, count=cache.KEPT, most_scores=MAX_INTERVAL_SCORES)


def measure(evaluation: Evaluation) -> Measurement:
    """Return the numbers of an evaluation, with intervals of the level in view."""
    return _measure(evaluation, level())


@cache.kept(64)
def _findings(
    evaluation: Evaluation, given: str, _chosen: tuple[ChosenThreshold, ...], _parts: WorstParts
) -> list[Finding]:
    return replace(measure(evaluation), rule=_chosen, known_parts=_parts).findings


def find_ranked(
    evaluation: Evaluation, chosen: tuple[ChosenThreshold, ...] = (), parts: WorstParts = NO_PARTS
) -> list[Finding]:
    """Return the ranked findings, judged by the rules that chose the thresholds in use.

    parts : what was found in slices and groups.
    """
    return _findings(evaluation, repr((chosen, parts)), chosen, parts)


def choose_level(evaluation: Evaluation | None, *, key: str) -> None:
    """Draw the level of all intervals as a small menu, with what they are from and what they do not cover."""
    now = level()
    with st.popover(f"{name_level(now)} intervals", type="tertiary"):
        levels = sorted({*LEVELS, now})
        st.session_state[key] = now
        st.selectbox(
            "Level of all intervals", levels, key=key, format_func=name_level,
            on_change=lambda: url.put(ci=float(st.session_state[key])),
        )  # fmt: skip
        if evaluation is not None:
            st.markdown(_rows_behind(evaluation))
            for text in cluster_warnings(evaluation):
                st.text(text)  # it holds names of columns
        st.caption(NOT_COVERED)


def say_rows_alone(evaluation: Evaluation, what: str) -> None:
    """Say under a chart whose intervals count every row by itself that rows belong together; nothing without clusters.

    what : the plural that begins the sentence, such as "The bands".
    """
    clusters = clusters_of(evaluation)
    if clusters is not None:
        st.caption(
            f"{what} count every row by itself, although rows with the same {md(clusters.column, 40)} belong together: "
            "they are too narrow."
        )


def _rows_behind(evaluation: Evaluation) -> str:
    """Say as Markdown which rows belong together."""
    clusters = clusters_of(evaluation)
    if clusters is None:
        return "Every row counts as independent. Name a column of clusters on the page Open where rows belong together."
    return f"Rows with the same {md(clusters.column, 40)} belong together: {count(clusters.n, 'cluster')}."
