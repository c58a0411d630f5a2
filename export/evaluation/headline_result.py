"""List the numbers to read first, each with its interval: for terminal, Markdown and report."""

from __future__ import annotations

import math

from export.file_reading import BY_WEIGHT, describe_weights
from export.interval_text import NOT_COVERED, interval_cell, say_few
from export.measurement import Measurement
from export.numbers import clipping
from export.result.kinds import Cell, Column, Number, Result, Table, Unknown, Words
from metrics.intervals.statistic import Interval
from text.intervals import name_interval
from text.numbers import count


def headline_result(measured: Measurement) -> Result:
    """Return the headline numbers, and what their intervals do not cover."""
    keys = [key for key, _ in measured.headlines]
    notes: list[Words] = [(note,) for note in (*clipping(keys).values(), NOT_COVERED)]
    weights = describe_weights(measured.evaluation)
    if weights is not None:
        notes.append((f"{weights.term} ", *weights.parts, f". {BY_WEIGHT}"))
    return Result("numbers-top", ("Headline numbers",), (), [_table(measured)], notes, {})


def _table(measured: Measurement) -> Table:
    interval = name_interval(measured.level)
    columns = (Column("metric", str), Column("value", Number, interval), Column("method", str))
    rows = [(title, _value(measured, key), _method(measured.number(key))) for key, title in measured.headlines]
    return Table("headline", "Each number with its interval", columns, rows, "number", in_order=True)


def _value(measured: Measurement, key: str) -> Cell:
    """Return a number and how exact it is, or why it is undefined."""
    number = measured.number(key)
    reason = measured.why_undefined(key) if math.isnan(number.value) else ""
    if reason:
        return Unknown(f"undefined: {reason}")
    bound = (measured.score_error_bound or {}).get(key, 0.0)
    return interval_cell(number)._replace(about="", few="", bound=bound)


def _method(number: Interval) -> str:
    """Return how an interval was made, with the clusters behind it; nothing without one."""
    if math.isnan(number.low):
        return ""
    clusters = [] if number.clusters is None else [count(number.clusters, "cluster")]
    few = [say_few(number)] if number.too_few else []
    return ", ".join([number.method, *clusters, *few])
