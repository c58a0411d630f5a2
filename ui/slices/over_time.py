"""The part Over time of the page: the metric a period, and the rows from a period on against those before."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from charts.over_time import over_time_figure
from data.comparison.alike.settings import THRESHOLDS, DifferentSettings
from data.comparison.filter_conditions import write_filter
from data.comparison.run_names import RUN, read_runs
from data.comparison.slice_columns import Slicing
from data.evaluation import Evaluation
from export.by_slice import slice_lines
from export.by_slice.drift import Drift, compare_files, compare_times
from export.by_slice.drift_result import files_result, sort_moved, times_result
from export.by_slice.period_result import read_periods
from export.by_slice.slice_search import SearchedSlices
from export.result.frame import to_frame
from export.result.kinds import Result
from metrics.drift.change import Part
from metrics.drift.periods import Periods
from metrics.slices.worst import SURE
from text.numbers import count
from ui.slices import search_cache
from ui.slices.choices import Asked, metric_name
from ui.slices.slice_names import short_value
from ui.slices.slice_table import slice_table
from ui.text.chart import draw_chart
from ui.text.markdown import md, percent
from ui.view import cache, data_table, measurement, open_runs, url
from ui.view.panel import md_label
from ui.view.result_table.result_table import Line as TableLine, draw_table


class Times(NamedTuple):
    """Hold what changed from rows before to rows after.

    way : the column of dates cut into periods; None = two files. evaluation : whose labels the drift names.
    after, before : the two in words, Markdown. result : what is said of it on the page and in the report.
    """

    way: Slicing | None
    drift: Drift
    evaluation: Evaluation
    after: str
    before: str
    result: Result


def compare(evaluation: Evaluation) -> Times:
    """Compare the rows from the period in view on with those before: by itself, the last third of the periods."""
    column = search_cache.chosen_column(evaluation)
    names = search_cache.periods(search_cache.slices_of(evaluation, column))
    return _times(evaluation, column, names.index(since_in_view(evaluation)), measurement.level())


def since_in_view(evaluation: Evaluation) -> str:
    """Return the period from which rows count as after: the one in view, or else the last third begins it."""
    names = search_cache.periods(search_cache.slices_of(evaluation, search_cache.chosen_column(evaluation)))
    return url.get("since") if url.get("since") in names[1:] else names[search_cache.default_period(len(names))]


@cache.kept(32, "Comparing the two times …")
def _times(evaluation: Evaluation, column: str, since: int, level: float) -> Times:
    way = search_cache.slices_of(evaluation, column)
    columns = search_cache.sliceable(evaluation)
    others = [other for other in columns.ways if other is not way]
    start = way.values[since][0] or ""
    drift = compare_times(evaluation, way, since, others, level=level, clusters=measurement.clusters_of(evaluation))
    drift = drift._replace(left_out=columns.why_derived)
    result = times_result(evaluation, drift, column, start)
    return Times(way, drift, evaluation, f"from {md(short_value(start), 40)} on", "before", result)


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
    before = open_runs.evaluate_other(run)
    if url.get("each") and before.y_score is not None:  # they are those of the later file alone
        raise DifferentSettings((THRESHOLDS,), (before.name, evaluation.name))
    return _files(before, evaluation, measurement.level())


@cache.kept(8, "Comparing the two files …")
def _files(before: Evaluation, after: Evaluation, level: float) -> Times:
    both, drift = compare_files(before, after, level=level, clusters=measurement.clusters_of(after))
    result = files_result(both, drift, before.name, after.name)
    return Times(None, drift, both, f"in {md(after.name, 40)}", f"in {md(before.name, 40)}", result)


def title(times: Times) -> str:
    """Return what changed as Markdown: the base rate first, then accuracy, then a column."""
    drift, after = times.drift, times.after[0].upper() + times.after[1:]
    base = drift.base_rate
    if next(move.p_adjusted for move in drift.moved if move.what == "truth") < SURE:
        label = md_label(times.evaluation, drift.code)
        by = "" if times.evaluation.units is None else ", by weight,"
        return f"{after}, {percent(base.after)} of the rows{by} are {label}, {percent(base.before)} {times.before}"
    if drift.change is not None and _is_sure(drift.change.rest):
        accuracy = percent(drift.change.after), percent(drift.change.before)
        return f"{after}, accuracy is {accuracy[0]}, {accuracy[1]} {times.before}"
    n = sum(move.p_adjusted < SURE for move in drift.moved)
    if n:
        return f"{after}, {count(n, 'column')} moved more than chance explains"
    return f"{after}, nothing moved more than chance explains"


def _is_sure(part: Part) -> bool:
    return part.low > 0 or part.high < 0


def draw(evaluation: Evaluation, times: Times, wanted: Asked) -> None:
    """Draw the base rate, the parts of the change, the metric over time, and what moved."""
    result = times.result
    data_table.draw_sentences(result.sentences)
    if times.way is not None:
        _over_time(evaluation, times.way, wanted)
    for table in result.tables:
        lines = [TableLine(str(place) if times.way else "") for place in range(len(table.rows))]
        draw_table(table, key="time.moved", lines=lines, on_choose=lambda place: _open_moved(times.drift, int(place)))
        if times.way is not None:
            st.caption("Choose a column to see the rows of what moved most.")
        data_table.download(to_frame(table), "drift", "CSV")
    data_table.draw_sentences(result.notes, small=True)


def _over_time(evaluation: Evaluation, way: Slicing, wanted: Asked) -> None:
    """Draw the metric of every period, in their order."""
    periods, searched = periods_in_view(evaluation, wanted), _search(evaluation, wanted)
    draw_chart(over_time_figure(periods), "time.chart", alt=periods.title)
    table = searched.table_of(way.columns)
    assert table is not None

    def on_open(conditions: str) -> None:
        url.put(mode="", column=way.columns[0], cross="", slice=conditions, row=0)

    slice_table(
        [line for _, line in slice_lines.lines_of(searched, table)], metric=periods.metric,
        whole=slice_lines.whole_value(searched), opened="", key="time.table", named_by=way.columns,
        on_open=on_open,
    )  # fmt: skip


def periods_in_view(evaluation: Evaluation, wanted: Asked) -> Periods:
    """Return the metric of every period of the column of dates in view."""
    column, name = search_cache.chosen_column(evaluation), metric_name(evaluation, wanted)
    since = since_in_view(evaluation)
    return read_periods(_search(evaluation, wanted), column, name, since)


def _search(evaluation: Evaluation, wanted: Asked) -> SearchedSlices:
    return search_cache.search(evaluation, wanted.metric, wanted.code)


def _open_moved(drift: Drift, place: int) -> None:
    """Open the value of a column that moved most as a slice, which shows its rows."""
    moved = sort_moved(drift)[place]
    if moved.what == "column":
        url.put(mode="", column=moved.column, cross="", slice=write_filter(((moved.column, moved.value or ""),)), row=0)
