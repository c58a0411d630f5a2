"""Add a metric over time to the result about drift: a picture, and the same as a table."""

from __future__ import annotations

import math
from collections.abc import Sequence

from data.columns.weight_columns import count_rows_once
from data.comparison.row_groups import Clusters
from data.comparison.slice_columns import slices_by
from data.evaluation import Evaluation
from export.by_slice.slices import find_slices
from export.pictures.periods import Period, periods_picture
from export.result.kinds import Column, Count, Name, Number, Result, Sentence, Table
from text.numbers import number


def add_periods(result: Result, metric: str, periods: Sequence[Period]) -> Result:
    """Return the result with a metric over time before its tables; the same result without periods."""
    if not periods:
        return result
    known = [period for period in periods if not math.isnan(period.value)]
    ends = f": from {number(known[0].value)} to {number(known[-1].value)}" if known else " is undefined"
    picture = periods_picture(periods, f"{metric} over time{ends}")
    columns = (Column("period", Name), Column("rows", Count), Column(Sentence(metric), Number, "interval"))
    rows = [(Name(period.name), Count(period.n), Number(period.value, period.low, period.high)) for period in periods]
    title = (Sentence(metric), " of every period")
    table = Table("over-time-table", title, columns, rows, noun="period", folded=True)
    return result._replace(pictures={"over-time": picture}, tables=[table, *result.tables])


def find_periods(
    evaluation: Evaluation, column: str, *, level: float, clusters: Clusters | None
) -> tuple[str, list[Period]]:
    """Return the name of the first metric, and its value in every period of a column of dates, not weighted."""
    (slices,) = find_slices(count_rows_once(evaluation), [column], level=level, clusters=clusters).found.slices
    values = slices_by(evaluation.rows, column, evaluation.weights).values
    metric, periods = "", []
    for row in slices:
        (name,) = values[row.place]
        metric, measured = next(iter(row.metrics.items()))
        if name is not None:
            periods.append(Period(name, row.n, measured.value, measured.low, measured.high))
    return metric.replace("_", " ").capitalize(), periods
