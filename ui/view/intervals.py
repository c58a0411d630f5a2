"""The intervals of an evaluation's metrics at the level in view, computed once and kept by fingerprint and level."""

from __future__ import annotations

import math
from collections.abc import Mapping

import streamlit as st

from data.comparison import row_groups
from data.evaluation import Evaluation
from export import intervals
from export.interval_text import NOT_COVERED, name_level
from metrics.catalogue.registry import class_formulas
from metrics.intervals.class_rates import ClassBounds, class_bounds, clustered_class_bounds
from metrics.intervals.joint_counts import Joint
from metrics.intervals.rates import of_class as of_class_cells
from metrics.intervals.statistic import Interval, Statistic, interval
from metrics.outcomes import Formula
from text.numbers import count
from ui.limits import MAX_INTERVAL_SCORES
from ui.text.markdown import md
from ui.view import cache, url

LEVELS = (0.8, 0.9, 0.95, 0.99)
UNKNOWN = Interval(math.nan, math.nan, math.nan, math.nan, "undefined", 0.95, 0, None)


def level() -> float:
    """Return the level in view."""
    return float(st.session_state.get(url.VIEW, {}).get("ci", url.PARAMETERS["ci"].default))


clusters_of = cache.kept(64)(row_groups.clusters_in_use)
"""Return the rows that belong together; None where every row stands for itself."""

cluster_warnings = cache.kept(64)(row_groups.cluster_warnings)
"""Return what a person should know about the rows that belong together, or why none do, as sentences."""


@cache.kept(16)
def _cells(evaluation: Evaluation) -> Joint:
    return intervals.joint_cells(evaluation, clusters_of(evaluation))


@cache.kept(64)
def _overall(evaluation: Evaluation, level: float) -> Mapping[str, Interval]:
    return intervals.overall_intervals(_cells(evaluation), level)


@cache.kept(64, "Computing the intervals of every class …")
def _classes(evaluation: Evaluation, level: float) -> Mapping[str, ClassBounds]:
    formulas = class_formulas(evaluation.task)
    if clusters_of(evaluation) is None:
        return intervals.class_bounds_at_once(cache.counts_of_classes(evaluation), formulas, level)
    return clustered_class_bounds(_cells(evaluation), formulas, level)


@cache.kept(256)
def _areas(evaluation: Evaluation, code: int, level: float) -> Mapping[str, Interval]:
    counts = cache.scores(evaluation, code)
    if counts is None:
        return {}
    cells = intervals.score_cells(evaluation, clusters_of(evaluation))
    return {
        name: intervals.area_interval(name, one, counts, cells, level)
        for name, one in intervals.area_statistics(evaluation, code, counts).items()
    }


@cache.kept(64)
def _losses(evaluation: Evaluation, level: float) -> Mapping[str, Interval]:
    return intervals.loss_intervals(evaluation, intervals.score_cells(evaluation, clusters_of(evaluation)), level)


@cache.kept(32)
def _macro_areas(evaluation: Evaluation, level: float) -> Mapping[str, Interval]:
    cells = intervals.score_cells(evaluation, clusters_of(evaluation))
    areas: dict[str, list[Statistic]] = {"roc_auc": [], "average_precision": []}
    support = []
    for code in evaluation.score_codes:
        counts = cache.scores(evaluation, code)
        if counts is not None:
            support.append(float(counts.n_pos))
            for name, one in intervals.area_statistics(evaluation, code, counts).items():
                areas[name].append(one)
    return intervals.macro_areas(areas, support, cells, level)


def of_macro_scores(evaluation: Evaluation, name: str) -> Interval:
    """Return the interval of a mean over classes, such as `roc_auc_macro`; without bounds where it would take long."""
    if evaluation.y_score is None or evaluation.n_lines * len(evaluation.score_codes) > MAX_INTERVAL_SCORES:
        return UNKNOWN
    return _macro_areas(evaluation, level()).get(name, UNKNOWN)


def of_metric(evaluation: Evaluation, name: str) -> Interval:
    """Return the interval of a metric over all classes, or of log loss and Brier score; without bounds if unknown."""
    if evaluation.has_predictions and name in (found := _overall(evaluation, level())):
        return found[name]
    if evaluation.y_score is not None and name in ("log_loss", "brier"):
        return _losses(evaluation, level()).get(name, UNKNOWN)
    return UNKNOWN


def of_rates(evaluation: Evaluation) -> Mapping[str, ClassBounds]:
    """Return the intervals of precision, recall and F1 of every class."""
    return _classes(evaluation, level())


def of_class(evaluation: Evaluation, code: int, rate: str) -> Interval:
    """Return the interval of precision, recall or F1 of one class."""
    return of_rates(evaluation)[rate].of(code)


def of_formula(evaluation: Evaluation, code: int, formula: Formula) -> Interval:
    """Return the interval of a number of one class."""
    if not evaluation.has_predictions:
        return UNKNOWN
    if clusters_of(evaluation) is None:
        return class_bounds(cache.counts_of_classes(evaluation), formula, level()).of(code)
    own = _cells(evaluation).one_vs_rest(code)
    return interval(of_class_cells(own, formula=formula), own, level=level())


def of_scores(evaluation: Evaluation, code: int, name: str) -> Interval:
    """Return the interval of `roc_auc` or `average_precision` of one class."""
    return _areas(evaluation, code, level()).get(name, UNKNOWN)


@cache.kept(256)
def _at_threshold(evaluation: Evaluation, code: int, threshold: float, level: float) -> Mapping[str, Interval]:
    return intervals.threshold_intervals(evaluation, code, threshold, level, clusters_of(evaluation))


def at_threshold(evaluation: Evaluation, code: int, threshold: float) -> Mapping[str, Interval]:
    """Return the intervals of the rates of one class at a threshold of its score; none where there is no threshold."""
    return {} if math.isnan(threshold) else _at_threshold(evaluation, code, threshold, level())


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
    found = clusters_of(evaluation)
    if found is not None:
        st.caption(
            f"{what} count every row by itself, although rows with the same {md(found.column, 40)} belong together: "
            "they are too narrow."
        )


def _rows_behind(evaluation: Evaluation) -> str:
    """Say as Markdown which rows belong together."""
    found = clusters_of(evaluation)
    if found is None:
        return "Every row counts as independent. Name a column of clusters on the page Open where rows belong together."
    return f"Rows with the same {md(found.column, 40)} belong together: {count(found.n, 'cluster')}."
