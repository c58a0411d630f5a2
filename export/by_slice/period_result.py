"""Add a metric over time to the result about drift: a picture, and the same as a table."""

from __future__ import annotations

from collections.abc import Iterator

from data.columns.weight_columns import count_rows_once
from data.comparison.row_groups import Clusters
from data.comparison.slice_columns import slices_by
from data.evaluation import Evaluation
from export.by_slice.slice_lines import Line, line_of, value_of
from export.by_slice.slice_results import metric_cell
from export.by_slice.slice_search import SearchedSlices, search_metrics, search_slices_of
from export.pictures.periods import periods_picture
from export.result.kinds import Column, Count, Name, Number, Result, Sentence, Share, Table
from metrics.drift.periods import PeriodMark, Periods
from metrics.slices.worst import Place
from text.numbers import count


def add_periods(result: Result, periods: Periods) -> Result:
    """Return the result with a metric over time before its tables; the same result without periods."""
    if not periods.marks:
        return result
    kind = Share if periods.is_share else Number
    columns = (Column("period", Name), Column("rows", Count), Column(Sentence(periods.metric), kind, "interval"))
    rows = [(Name(mark.name), Count(mark.n), kind(mark.value, mark.low, mark.high)) for mark in periods.marks]
    title = (Sentence(periods.metric), " of every period")
    table = Table("over-time-table", title, columns, rows, noun="period", folded=True)
    return result._replace(pictures={"over-time": periods_picture(periods)}, tables=[table, *result.tables])


def read_periods(found: SearchedSlices, column: str, metric: str, since: str, *, is_share: bool) -> Periods:
    """Return the metric of every period of a column of dates that was searched; rows without a date are in none.

    metric : its name. since : the period from which rows count as after; any other text = none.
    """
    table = found.table_of((column,))
    assert table is not None
    lines = {place: line for place, line in lines_of(found, table) if line.conditions[0][1]}
    names = [line.conditions[0][1] for line in lines.values()]
    cut = names.index(since) if since in names else 0
    parts = [[*lines][:cut], [*lines][cut:]] if cut else [[*lines]]
    levels = tuple(value_of(found, table, part) for part in parts)
    marks = tuple(_mark(line, is_share=is_share) for line in lines.values())
    return Periods(metric, marks, levels, cut, is_share)


def lines_of(found: SearchedSlices, table: int) -> Iterator[tuple[int, Line]]:
    """Yield the slices of a table that hold rows, in their order, with their places."""
    for place, n in enumerate(found.search.tables[table].n):
        if n:
            yield place, line_of(found, Place(table, place))


def _mark(line: Line, *, is_share: bool) -> PeriodMark:
    name = line.conditions[0][1]
    about = f"{name}: {metric_cell(line, is_share=is_share).written.whole}, {count(line.n)}"
    return PeriodMark(name, line.n, line.value, line.low, line.high, line.is_worse, about)


def find_periods(
    evaluation: Evaluation, column: str, since: str, *, level: float, clusters: Clusters | None
) -> Periods:
    """Return the first metric in every period of a column of dates, not weighted."""
    counted, (metric, name) = count_rows_once(evaluation), next(iter(search_metrics(evaluation).items()))
    way = slices_by(evaluation.rows, column, evaluation.weights)
    found = search_slices_of(counted, (way,), metric, 0, level=level, clusters=clusters)
    return read_periods(found, column, name, since, is_share=True)
