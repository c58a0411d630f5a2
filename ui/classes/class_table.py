"""The table of classes: rates with their intervals, undefined with the reason, and rows; a click opens a class."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from data.evaluation import Evaluation
from export.class_result import class_rates
from export.interval_text import describe, interval_cell
from export.result.kinds import Cell, Column, Count, Label, Number, Table, Unknown
from metrics.catalogue.registry import metric_of
from metrics.intervals.statistic import Interval
from text.intervals import name_interval
from text.numbers import UNDEFINED, count
from ui.view import measurement
from ui.view.cache import class_names, counts_of_classes, kept, label_names
from ui.view.result_table.result_table import Axis, Line, WrittenTable, draw_written, write_table


def draw_classes(
    evaluation: Evaluation, codes: np.ndarray, *, opened: int | None, on_open: Callable[[int], None]
) -> None:
    """Draw the classes in the given order; `on_open` is called with the code of the one that was clicked."""
    draw_written(
        _written(evaluation, measurement.level(), codes.astype(np.int64).tobytes()),
        key="classes.table", opened="" if opened is None else str(opened), on_choose=lambda code: on_open(int(code)),
    )  # fmt: skip


@kept(8, "Computing the intervals of every class …")
def _written(evaluation: Evaluation, level: float, codes_as_bytes: bytes) -> WrittenTable:
    """Return the table as the browser gets it: writing 1,000 classes takes longer than drawing the page's rest.

    codes_as_bytes : Streamlit's cache looks at every number of a tuple by itself: 1,000 take milliseconds.
    """
    codes, labels = np.frombuffer(codes_as_bytes, np.int64), label_names(evaluation)
    return write_table(
        class_table(evaluation, codes), lines=[Line(str(code), labels[code]) for code in codes.tolist()],
        axes={1: Axis()}, sorted_by=(1, "worst first"), in_window=True,
        note=f"Grey numbers: too few rows to tell. Their {name_interval(level)} is wider than 0.2, "
        "or comes from fewer than 10 rows, or too few rows decide it.",
    )  # fmt: skip


def class_table(evaluation: Evaluation, codes: np.ndarray) -> Table:
    """Return the name of every class, its rates with their intervals, its true and its predicted rows."""
    counts, names, level = counts_of_classes(evaluation), class_names(evaluation), measurement.level()
    cells = _cells(evaluation, level)
    rows: list[tuple[Cell, ...]] = []
    for code in codes.tolist():
        rows_of_class = Count(int(counts.support[code])), Count(int(counts.predicted[code]))
        rows.append((Label(names[code]), *cells[code], *rows_of_class))
    noun = evaluation.class_noun
    about_bars = f"The thin line across a bar is the {name_interval(level)}."
    _, *rates = class_rates(evaluation.task)  # the first is F1
    columns = (
        Column(noun, Label),
        Column("F1", Number, is_drawn=True, about=about_bars),
        *(Column(metric_of(evaluation.task, key).name, Number) for key in rates),
        Column("true rows", Count),
        Column("predicted rows", Count),
    )
    return Table("classes", count(len(rows), noun), columns, rows, noun)


@kept(32, "Computing the intervals of every class …")
def _cells(evaluation: Evaluation, level: float) -> list[tuple[Cell, ...]]:
    """Return the rates of every class; a search or another order writes them anew."""
    measured = measurement.measure(evaluation)
    rates = class_rates(evaluation.task)
    return [tuple(_cell(measured.number(rate, code)) for rate in rates) for code in range(len(evaluation.labels))]


def _cell(rate: Interval) -> Cell:
    if rate.why_undefined:
        return Unknown(rate.why_undefined, UNDEFINED)
    return interval_cell(rate)._replace(about=describe(rate))
