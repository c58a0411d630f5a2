"""The part Over time of the page: the metric a period, and the rows from a period on against those before."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from charts.over_time import PeriodMark, over_time_figure
from charts.theme import TO_PNG
from data.comparison.alike.settings import THRESHOLDS, DifferentSettings
from data.comparison.filter_conditions import write_filter
from data.comparison.run_names import RUN, read_runs
from data.comparison.slice_columns import Slicing
from data.evaluation import Evaluation
from data.samples import is_sample
from data.store.access import NotForYou
from export.by_slice.drift import Drift, Moved, compare_files, compare_times
from export.by_slice.drift_json import describe_clusters
from export.by_slice.slice_search import SearchedSlices
from export.pictures.periods import Period
from metrics.drift.change import Part
from metrics.intervals.statistic import Interval
from metrics.slices.worst import SURE, Place
from text.intervals import bounds, points
from text.numbers import count, number, p_value
from text.visible import show
from ui.person import people
from ui.slices import search_cache, slice_lines
from ui.slices.choices import Asked, metric_name
from ui.slices.slice_lines import Line
from ui.slices.slice_names import short_value
from ui.slices.slice_table import slice_table
from ui.text.markdown import md, percent
from ui.view import cache, intervals, open_runs, url
from ui.view.data_table import download, selection
from ui.view.panel import md_label, show_label

_ORDER = ("truth", "score", "prediction", "column")
"""The base rate first: what moves with it says little by itself."""


class Times(NamedTuple):
    """Hold what changed from rows before to rows after.

    way : the column of dates cut into periods; None = two files. evaluation : whose labels the drift names.
    after, before : the two in words, Markdown.
    """

    way: Slicing | None
    drift: Drift
    evaluation: Evaluation
    after: str
    before: str


def compare(evaluation: Evaluation) -> Times:
    """Compare the rows from the period in view on with those before: by itself, the last third of the periods."""
    column = search_cache.chosen_column(evaluation)
    names = search_cache.periods(search_cache.slices_of(evaluation, column))
    return _times(evaluation, column, names.index(since_in_view(evaluation)), intervals.level())


def since_in_view(evaluation: Evaluation) -> str:
    """Return the period from which rows count as after: the one in view, or else the last third begins it."""
    names = search_cache.periods(search_cache.slices_of(evaluation, search_cache.chosen_column(evaluation)))
    return url.get("since") if url.get("since") in names[1:] else names[search_cache.default_period(len(names))]


@cache.kept(32, "Comparing the two times …")
def _times(evaluation: Evaluation, column: str, since: int, level: float) -> Times:
    way = search_cache.slices_of(evaluation, column)
    others = [one for one in search_cache.sliceable(evaluation).ways if one is not way]
    period = md(short_value(way.values[since][0] or ""), 40)
    drift = compare_times(evaluation, way, since, others, level=level, clusters=intervals.clusters_of(evaluation))
    return Times(way, drift, evaluation, f"from {period} on", "before")


def other_files() -> list[str]:
    """Return the runs of other files that the page Compare has added."""
    return [run.name for run in read_runs(url.get("with")) if run.kind == RUN]


def compare_with_file(evaluation: Evaluation, run: str) -> Times:
    """Compare the rows with those of another file, which counts as before.

    Raises
    ------
    DataError
        it cannot be opened, or has other labels.
    """
    if not is_sample(run) and not people.may_open(run):
        raise NotForYou("This run opens for others only.")
    before = open_runs.evaluate_draft(open_runs.draft(run))
    if url.get("each") and before.y_score is not None:  # they are those of the later file alone
        raise DifferentSettings((THRESHOLDS,), (before.name, evaluation.name))
    return _files(before, evaluation, intervals.level())


@cache.kept(8, "Comparing the two files …")
def _files(before: Evaluation, after: Evaluation, level: float) -> Times:
    both, drift = compare_files(before, after, level=level, clusters=intervals.clusters_of(after))
    return Times(None, drift, both, f"in {md(after.name, 40)}", f"in {md(before.name, 40)}")


def title(found: Times) -> str:
    """Return what changed as Markdown: the base rate first, then accuracy, then a column."""
    drift, after = found.drift, found.after[0].upper() + found.after[1:]
    base = drift.base_rate
    if next(one.p_adjusted for one in drift.moved if one.what == "truth") < SURE:
        label = md_label(found.evaluation, drift.code)
        return f"{after}, {percent(base.after)} of the rows are {label}, {percent(base.before)} {found.before}"
    if drift.change is not None and _is_sure(drift.change.rest):
        accuracy = percent(drift.change.after), percent(drift.change.before)
        return f"{after}, accuracy is {accuracy[0]}, {accuracy[1]} {found.before}"
    n = sum(one.p_adjusted < SURE for one in drift.moved)
    if n:
        return f"{after}, {count(n, 'column')} moved more than chance explains"
    return f"{after}, nothing moved more than chance explains"


def _is_sure(part: Part) -> bool:
    return part.low > 0 or part.high < 0


def draw(evaluation: Evaluation, found: Times, wanted: Asked) -> None:
    """Draw the base rate, the parts of the change, the metric over time, and what moved."""
    _base_rate(found)
    _parts(found)
    if found.way is not None:
        _over_time(evaluation, found.way, wanted)
    st.subheader("What moved")
    frame = _moved_frame(found)
    opens: dict[str, Any] = {}
    if found.way is not None:
        opens = {"selection_mode": "single-row", "on_select": lambda: _open_moved(found)}
    st.dataframe(frame, hide_index=True, key="time.moved", height="content" if len(frame) <= 12 else 480, **opens)
    if opens:
        st.caption("Tick a column to see the rows of what moved most.")
    st.caption(
        "The index is the population stability index of values or bins. By chance it stays below the number beside it "
        "in 95 of 100 files. p is after Benjamini–Hochberg over this table."
    )
    if found.drift.column is not None:
        st.caption(describe_clusters(md(found.drift.column, 40), found.drift.clusters))
    download(frame, "drift", "CSV")


def _base_rate(found: Times) -> None:
    drift, base = found.drift, found.drift.base_rate
    label = md_label(found.evaluation, drift.code)
    most = f", whose share moved most of {base.chosen_of} (corrected for that choice)" if base.chosen_of > 1 else ""
    n = f"{count(drift.n[0])} {found.before}, {count(drift.n[1])} {found.after}"
    if math.isnan(base.difference):
        st.markdown(f"{n}: one of the two holds no rows, so nothing can be compared.")
        return
    st.markdown(
        f"**Base rate first.** True class {label}{most}: {' → '.join(map(_share, drift.base_rates))}, "
        f"{points(base.difference, base.low, base.high)}. {n}."
    )


def _parts(found: Times) -> None:
    """Say how much of the change of accuracy is the mix of classes, and how much the rest."""
    change = found.drift.change
    if change is None or math.isnan(change.before):
        return
    mix, rest = (points(part.value, part.low, part.high) for part in (change.mix, change.rest))
    st.markdown(
        f"Accuracy {' → '.join(map(_share, found.drift.accuracy or ()))}: {mix} by the mix of true classes, "
        f"{rest} by the rest."
    )


def _share(one: Interval) -> str:
    """Write a share with its interval."""
    within = bounds(one.low, one.high, share=True)
    return percent(one.value) + (f" ({within})" if within else "")


def _over_time(evaluation: Evaluation, way: Slicing, wanted: Asked) -> None:
    """Draw the metric of every period, in their order."""
    search = search_cache.search(evaluation, wanted.metric, wanted.code)
    lines, whole = _lines(search, way), slice_lines.whole_value(search)
    title = _title_of_periods(metric_name(evaluation, wanted), lines)
    drawn = over_time_figure([_mark(line, wanted) for line in lines], whole, title, is_share=wanted.is_share)
    st.plotly_chart(drawn, key="time.chart", config=TO_PNG, alt=title)

    def on_open(conditions: str) -> None:
        url.put(mode="", column=way.columns[0], cross="", slice=conditions, row=0)

    slice_table(
        lines, metric=metric_name(evaluation, wanted), is_share=wanted.is_share,
        whole=whole, opened="", key="time.table", named_by=way.columns,
        on_open=on_open,
    )  # fmt: skip


def _title_of_periods(metric: str, lines: Sequence[Line]) -> str:
    """Return what the periods say: which is worse than the others, or that none is."""
    worse = [line for line in lines if line.is_worse]
    if not worse:
        return f"{metric} over time: no period is worse than the others"
    worst = min(worse, key=lambda line: line.difference)
    more = f" and {len(worse) - 1:,} more" if len(worse) > 1 else ""
    return f"{metric} over time: worse in {short_value(worst.conditions[0][1])}{more} than in other periods"


def _mark(line: Line, wanted: Asked) -> PeriodMark:
    name, share = short_value(line.conditions[0][1]), wanted.is_share
    value, between = slice_lines.value_text(line, is_share=share), slice_lines.interval_text(line, is_share=share)
    about = f"{name}: {value}" + (f" ({between})" if between else "") + f", {count(line.n)}"
    return PeriodMark(name, line.value, line.low, line.high, line.is_worse, about)


def _lines(search: SearchedSlices, way: Slicing) -> list[Line]:
    """Return the slices of a column of dates, in their order."""
    table = search.table_of(way.columns)
    assert table is not None
    n = search.search.tables[table].n
    return [slice_lines.line_of(search, Place(table, place)) for place in range(len(way.values)) if n[place]]


def periods_of(evaluation: Evaluation, way: Slicing, wanted: Asked) -> list[Period]:
    """Return the metric of every period, in their order; rows without a date are in none."""
    found = _lines(search_cache.search(evaluation, wanted.metric, wanted.code), way)
    return [Period(one.conditions[0][1], one.n, one.value, one.low, one.high) for one in found if one.conditions[0][1]]


def _order_moved(found: Times) -> list[Moved]:
    return sorted(found.drift.moved, key=lambda one: (_ORDER.index(one.what), _order(one)))


def _open_moved(found: Times) -> None:
    """Open the value of the ticked column that moved most as a slice, which shows its rows."""
    rows = selection("time.moved")["rows"]
    ordered = _order_moved(found)
    if len(rows) == 1 and 0 <= rows[0] < len(ordered) and ordered[rows[0]].what == "column":
        one = ordered[rows[0]]
        url.put(mode="", column=one.column, cross="", slice=write_filter(((one.column, one.value or ""),)), row=0)


def _moved_frame(found: Times) -> pd.DataFrame:
    ordered = _order_moved(found)
    return pd.DataFrame(
        {
            "": [_name(found.evaluation, one) for one in ordered],
            "Index": [number(one.shift.psi) for one in ordered],
            "By chance below": [number(one.shift.by_chance) for one in ordered],
            "p": [p_value(one.p_adjusted, "") for one in ordered],
            "Moved most": [show(short_value(one.value or ""), 60) if one.shift.largest >= 0 else "" for one in ordered],
            "Before": [percent(one.shift.before) for one in ordered],
            "After": [percent(one.shift.after) for one in ordered],
        }
    )


def _order(one: Moved) -> float:
    return math.inf if math.isnan(one.p_adjusted) else one.p_adjusted


def _name(evaluation: Evaluation, one: Moved) -> str:
    if one.what == "column":
        return show(one.column, 60)
    if one.what == "score":
        if evaluation.positive is None:
            return "Highest score"
        return f"Score of {show_label(evaluation, evaluation.positive, 40)}"
    return "True label" if one.what == "truth" else "Predicted label"
