"""Columns of numbers and dates: their order, ranges of them, and the bins that slices take."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Literal, NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.column import Column, distinct
from data.comparison.ratings_table import numbers_of
from data.evaluation import MISSING
from data.limits import MAX_UNCUT_NUMBERS
from text.numbers import write_exact

BINS = 5
_MOST_DAYS, _MOST_WEEKS, _MOST_MONTHS = 20, 16, 36
_EPOCH = date(1970, 1, 1)
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ].*)?", re.ASCII)
_PERIOD = re.compile(r"(?!0000)\d{4}(-\d{2}(-\d{2})?)?", re.ASCII)
_TO = " to "


class Ordered(NamedTuple):
    """A column whose values have an order.

    kind : what they are. values : float64 (m,) ascending; dates as days since 1970.
    codes : int64 (n,) index into them, MISSING where the cell holds nothing.
    """

    kind: Literal["number", "date"]
    values: np.ndarray
    codes: np.ndarray


class Bins(NamedTuple):
    """Bins of the values of an ordered column: their names, and the bin of every value."""

    names: tuple[str, ...]
    bin_of: np.ndarray


def read_ordered(column: pa.ChunkedArray, encoded: Column | None = None) -> Ordered | None:
    """Return a column as numbers or dates; None where some cell is neither.

    encoded : the same column, where its texts are asked for elsewhere, too: they are then encoded once.

    >>> read_ordered(pa.chunked_array([["3", "1", None]]))
    Ordered(kind='number', values=array([1., 3.]), codes=array([ 1,  0, -1]))
    """
    if pa.types.is_floating(column.type) or pa.types.is_integer(column.type):
        cells = column.to_numpy().astype(np.float64)
        known = ~np.isnan(cells)
        values, places = np.unique(cells[known], return_inverse=True)
        codes = np.full(len(cells), MISSING, dtype=np.int64)
        codes[known] = places
        return Ordered("number", values, codes) if len(values) and np.isfinite(values).all() else None
    distinct_cells = distinct(column) if encoded is None else encoded.distinct
    numbers = numbers_of(distinct_cells.values)
    days = None if numbers is not None else _days_of(distinct_cells.values)
    read = numbers if days is None else days
    if read is None:
        return None
    values, places = np.unique(read, return_inverse=True)
    return Ordered("number" if days is None else "date", values, np.append(places, MISSING)[distinct_cells.codes])


def _days_of(texts: tuple[str, ...]) -> np.ndarray | None:
    """Return the days that texts name; None where one is no date as ISO 8601 writes it."""
    days = np.empty(len(texts))
    for place, text in enumerate(texts):
        if not _ISO_DATE.fullmatch(text):
            return None
        try:
            read = datetime.fromisoformat(text)
        except ValueError:
            return None
        day = (read if read.tzinfo is None else read.astimezone(UTC)).date()
        days[place] = (day - _EPOCH).days
    return days if len(texts) else None


def cut_bins(ordered: Ordered, weights: np.ndarray | None = None) -> Bins:
    """Cut a column into bins: quantiles of many numbers, calendar periods of dates; few numbers each for itself.

    weights : rows of every line, None = one each.
    """
    if ordered.kind == "date":
        return _calendar_bins(ordered.values)
    if len(ordered.values) <= MAX_UNCUT_NUMBERS:
        return Bins(tuple(map(write_exact, ordered.values)), np.arange(len(ordered.values)))
    return _quantile_bins(ordered, weights)


def _quantile_bins(ordered: Ordered, weights: np.ndarray | None) -> Bins:
    """Cut numbers into bins of about equally many rows; equal numbers stay together, ends are numbers of the file."""
    known = ordered.codes != MISSING
    each = None if weights is None else weights[known]
    counted_rows: np.ndarray = np.bincount(ordered.codes[known], each, minlength=len(ordered.values))
    rows = counted_rows if counted_rows.any() else np.ones(len(counted_rows))
    share = (np.cumsum(rows) - rows / 2) / rows.sum()
    used, bins = np.unique(np.minimum((share * BINS).astype(np.int64), BINS - 1), return_inverse=True)
    ends = [ordered.values[bins == place][[0, -1]] for place in range(len(used))]
    return Bins(tuple(_TO.join(map(write_exact, pair)) for pair in ends), bins)


def _calendar_bins(days: np.ndarray) -> Bins:
    """Cut days into days, weeks, months or years: the finest of which there are few."""
    dates = days.astype(np.int64).astype("datetime64[D]")
    if len(days) <= _MOST_DAYS:
        return Bins(tuple(map(str, dates)), np.arange(len(days)))
    weeks, of_week = np.unique((days + 3) // 7, return_inverse=True)  # 1970 began on a Thursday
    if len(weeks) <= _MOST_WEEKS:
        mondays = [_EPOCH + timedelta(days=int(week) * 7 - 3) for week in weeks]
        return Bins(tuple(f"{day}{_TO}{day + timedelta(days=6)}" for day in mondays), of_week)
    for unit in ("M", "Y"):
        periods, places = np.unique(dates.astype(f"datetime64[{unit}]"), return_inverse=True)
        if unit == "Y" or len(periods) <= _MOST_MONTHS:
            break
    return Bins(tuple(map(str, periods)), places)


def read_range(kind: str, text: str) -> tuple[float, float] | None:
    """Return the ends of a bin's name, both of them inside; None where the text is no range of this kind.

    >>> read_range("number", "18 to 29.5"), read_range("number", "18"), read_range("date", "2026-02")
    ((18.0, 29.5), (18.0, 18.0), (20485.0, 20512.0))
    """
    parts = text.split(_TO)
    if len(parts) > 2:
        return None
    read = [_read_end(kind, part) for part in parts]
    ends = [end for end in read if end is not None]
    return (ends[0][0], ends[-1][1]) if len(ends) == len(parts) else None


def _read_end(kind: str, text: str) -> tuple[float, float] | None:
    """Return the first and the last value that one end may mean: a month has many days."""
    if kind == "number":
        numbers = numbers_of((text,))
        return None if numbers is None else (float(numbers[0]), float(numbers[0]))
    if not _PERIOD.fullmatch(text):
        return None
    try:
        first = np.datetime64(text)  # a year, a month or a day, which is what 1 adds to it
    except ValueError:
        return None
    day, after = (instant.astype("datetime64[D]").astype(np.int64) for instant in (first, first + 1))
    return float(day), float(after - 1)
