"""Add a metric over time to the result about drift: a picture, and the same as a table."""

from __future__ import annotations

from collections.abc import Sequence

from data.comparison.ordered_columns import read_range
from data.comparison.row_groups import Clusters
from data.comparison.slice_columns import slices_by
from data.comparison.sliceable_columns import cut_columns
from data.evaluation import Evaluation
from export.by_slice.slice_lines import SliceNumber, lines_of, value_of
from export.by_slice.slice_results import metric_cell
from export.by_slice.slice_search import RATES, SearchedSlices, search_metrics, search_slices_of
from export.pictures.periods import periods_picture
from export.result.kinds import Column, Count, Name, Number, Result, Sentence, Share, Table
from metrics.drift.periods import PeriodMark, Periods
from text.intervals import name_interval
from text.numbers import count


def add_periods(result: Result, periods: Periods) -> Result:
    """Return the result with a metric over time before its tables; the same result without periods."""
    if not periods.marks:
        return result
    kind = Share if periods.is_share else Number
    columns = (
        Column("period", Name),
        Column("rows", Count),
        Column(Sentence(periods.metric), kind, name_interval(periods.level)),
    )
    rows = [(Name(mark.name), Count(mark.n), kind(mark.value, mark.low, mark.high)) for mark in periods.marks]
    title = (Sentence(periods.metric), " of every period")
    table = Table("over-time-table", title, columns, rows, noun="period", folded=True)
    return result._replace(pictures={"over-time": periods_picture(periods)}, tables=[table, *result.tables])


def read_periods(searched: SearchedSlices, column: str, metric: str, since: str) -> Periods:
    """Return the metric of every period of a column of dates that was searched; rows without a date are in none.

    metric : its name. since : the time from which rows count as after; inside a period = no cut.
    """
    table = searched.table_of((column,))
    assert table is not None
    lines = {place: line for place, line in lines_of(searched, table) if line.conditions[0][1]}
    names = [line.conditions[0][1] for line in lines.values()]
    cut = _find_cut(names, since)
    parts = [[*lines][:cut], [*lines][cut:]] if cut else [[*lines]]
    levels = tuple(value_of(searched, table, part) for part in parts)
    is_share = searched.metric not in RATES
    return Periods(metric, tuple(map(_mark, lines.values())), levels, cut, is_share, searched.search.level)


def _find_cut(names: Sequence[str], since: str) -> int:
    """Return the place of the first period from a time on; 0 where the time lies inside a period."""
    start, spans = read_range("date", since), [read_range("date", name) for name in names]
    ends = [span for span in spans if span is not None]
    if start is None or len(ends) < len(spans):
        return 0
    cut = sum(first < start[0] for first, _ in ends)
    return cut if 0 < cut < len(ends) and ends[cut - 1][1] < start[0] else 0


def _mark(line: SliceNumber) -> PeriodMark:
    name, number = line.conditions[0][1], line.number
    about = f"{name}: {metric_cell(line).written.whole}, {count(line.n)}"
    return PeriodMark(name, line.n, number.value, number.low, number.high, line.is_worse, about)


def find_periods(
    evaluation: Evaluation, column: str, since: str, *, level: float, clusters: Clusters | None
) -> Periods:
    """Return the first metric in every period of a column of dates.

    A period is worse than the others as on the page: corrected over all slices that are compared there.
    """
    metric, name = next(iter(search_metrics(evaluation).items()))
    ways = cut_columns(evaluation).ways
    if column not in {way.columns[0] for way in ways}:
        ways = (slices_by(evaluation.rows, column, evaluation.weights),)
    searched = search_slices_of(evaluation, ways, metric, 0, level=level, clusters=clusters)
    return read_periods(searched, column, name, since)
