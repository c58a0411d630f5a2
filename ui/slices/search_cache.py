"""Compute once per evaluation, and keep, what the page Slices needs: columns cut into slices, and searches."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from data.comparison.slice_columns import Slicing
from data.comparison.sliceable_columns import Sliceable, cut_columns
from data.evaluation import Evaluation
from export.by_slice.groups import Groups, columns_of_groups, compare_rates
from export.by_slice.slice_search import SearchedSlices, search_slices_of
from export.evaluation.repeats_result import repeats_result
from export.result.kinds import Result
from metrics.slices.fairness import ERROR_RATES, surest_gap
from ui.limits import PROGRESS_AFTER_SECONDS
from ui.view import cache, measurement, url

_KEPT = 8
"""Searches of one evaluation that are kept."""


@cache.kept(16)
def _results(evaluation: Evaluation) -> dict[Any, Any]:
    """Return what was computed of an evaluation: written once, read by every session."""
    return {}


def _compute_once(
    evaluation: Evaluation, key: object, words: str, compute: Callable[[Callable[[float], None]], Any]
) -> Any:
    """Return what is kept under a key, or compute it behind a bar of progress."""
    kept = _results(evaluation)
    if key not in kept:
        place, began, drawn = st.empty(), time.monotonic(), set()

        def say(share: float) -> None:
            percent = min(100, int(100 * share))
            if percent not in drawn and time.monotonic() - began > PROGRESS_AFTER_SECONDS:
                drawn.add(percent)  # each is a message to the browser: thousands of columns are not as many messages
                place.progress(percent, words)

        computed = compute(say)
        place.empty()
        while len(kept) >= _KEPT:
            kept.pop(next(iter(kept)), None)
        kept[key] = computed
        return computed
    return kept[key]


def sliceable(evaluation: Evaluation) -> Sliceable:
    """Return the columns that can be cut into slices."""
    columns: Sliceable = _compute_once(
        evaluation, "columns", "Reading the columns …", lambda say: cut_columns(evaluation, say)
    )
    return columns


def search(evaluation: Evaluation, metric: str, code: int, asked: Sequence[str] = ()) -> SearchedSlices:
    """Return every slice of every column and pair, compared with the rest by a metric at the level in view.

    asked : columns that a person chose, which are searched even where they follow from what is measured.
    """
    columns, level, clusters = sliceable(evaluation), measurement.level(), measurement.clusters_of(evaluation)
    more = tuple(way for way in columns.derived if way.columns[0] in asked)
    ways = (*more, *columns.ways)
    key = (metric, code, level, *(way.columns[0] for way in more))
    searched: SearchedSlices = _compute_once(
        evaluation, key, "Comparing the slices of all columns and pairs …",
        lambda say: search_slices_of(
            evaluation, ways, metric, code, level=level, clusters=clusters, say=say
        ),
    )  # fmt: skip
    return searched


def group_rates(evaluation: Evaluation, column: str, code: int) -> Groups:
    """Return the rates of the groups of a column, and the gaps between them, at the level in view."""
    level = measurement.level()
    rates = _group_rates(evaluation, code, level)
    if column not in rates:
        clusters = measurement.clusters_of(evaluation)
        rates[column] = compare_rates(evaluation, slices_of(evaluation, column), code, level=level, clusters=clusters)
    return rates[column]


@cache.kept(16)
def _group_rates(evaluation: Evaluation, code: int, level: float) -> dict[str, Groups]:
    """Return the rates of each column that was asked for: written once, read by every session."""
    return {}


def group_columns(evaluation: Evaluation, code: int) -> list[str]:
    """Return the columns whose values can be groups: the largest clear gap of an error rate first, dates last."""
    names = [way.columns[0] for way in sliceable(evaluation).every]
    compared = groups_in_view(evaluation)
    return sorted(names, key=lambda name: _rank(evaluation, name, code) if name in compared else (math.inf, 0.0))


def groups_in_view(evaluation: Evaluation) -> tuple[str, ...]:
    """Return the columns whose groups are compared unasked."""
    return columns_of_groups(sliceable(evaluation).ways, measurement.clusters_of(evaluation))


def _rank(evaluation: Evaluation, column: str, code: int) -> tuple[float, float]:
    """Return the place of a column: that of the surest gap of an error rate, then of another rate, then none."""
    surest = surest_gap(group_rates(evaluation, column, code).gaps)
    return (2, 0.0) if surest is None else (surest[0] not in ERROR_RATES, -surest[1].low)


def date_columns(evaluation: Evaluation) -> tuple[str, ...]:
    """Return the columns of dates with two periods or more."""
    return tuple(way.columns[0] for way in sliceable(evaluation).ways if way.has_dates and len(periods(way)) > 1)


def periods(way: Slicing) -> list[str]:
    """Return the periods of a column of dates, in order; rows without a date are in none."""
    return [value for (value,) in way.values if value is not None]


def chosen_column(evaluation: Evaluation) -> str:
    """Return the column of dates in view, or the first; "" where there is none."""
    names = date_columns(evaluation)
    return url.get("column") if url.get("column") in names else next(iter(names), "")


def slices_of(evaluation: Evaluation, column: str) -> Slicing:
    """Return a column cut into slices."""
    return next(way for way in sliceable(evaluation).every if way.columns == (column,))


def default_period(n: int) -> int:
    """Return the place of the period from which rows count as after.

    >>> default_period(2), default_period(6)
    (1, 4)
    """
    return max(1, min(n - 1, math.ceil(2 * n / 3)))


def find_repeats(evaluation: Evaluation) -> Result | None:
    """Return what the answers of repeated questions say; None without any."""
    repeats: Result | None = _compute_once(
        evaluation, ("repeats", measurement.level()), "", lambda _: repeats_result(measurement.measure(evaluation))
    )
    return repeats
