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
_QUARTER = re.compile(r"((?:19|20)\d{2})-?Q([1-4])", re.ASCII)
_WEEK = re.compile(r"((?:19|20)\d{2})-?W(\d{2})", re.ASCII)
_UNITS = {"M": re.compile(r"(19|20)\d{2}-\d{2}", re.ASCII), "Q": _QUARTER, "W": _WEEK}
"""Cells of months, of quarters and of ISO weeks; four digits alone may be any number."""
_TO = " to "


class Ordered(NamedTuple):
    """A column whose values have an order.

    kind : what they are. values : float64 (m,) ascending; dates as days since 1970, a period as one of its days.
    codes : int64 (n,) index into them, MISSING where the cell holds nothing.
    unit : what a date is: D a day, W an ISO week, M a month, Q a quarter.
    """

    kind: Literal["number", "date"]
    values: np.ndarray
    codes: np.ndarray
    unit: str = "D"


class Bins(NamedTuple):
    """Bins of the values of an ordered column: their names, and the bin of every value."""

    names: tuple[str, ...]
    bin_of: np.ndarray


def read_ordered(column: pa.ChunkedArray, encoded: Column | None = None) -> Ordered | None:
    """Return a column as numbers or dates; None where some cell is neither.

    encoded : the same column, where its texts are asked for elsewhere, too: they are then encoded once.

    >>> read_ordered(pa.chunked_array([["3", "1", None]]))
    Ordered(kind='number', values=array([1., 3.]), codes=array([ 1,  0, -1]), unit='D')
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
    unit = _find_unit(distinct_cells.values) if numbers is None else ""
    days = _days_of(distinct_cells.values, unit) if unit else None
    read = numbers if days is None else days
    if read is None:
        return None
    values, places = np.unique(read, return_inverse=True)
    codes = np.append(places, MISSING)[distinct_cells.codes]
    return Ordered("number", values, codes) if days is None else Ordered("date", values, codes, unit)


def _find_unit(texts: tuple[str, ...]) -> str:
    """Return the unit of all texts: D dates, W weeks, M months, Q quarters; "" where they are none."""
    patterns = {"D": _ISO_DATE, **_UNITS}
    return next((unit for unit, each in patterns.items() if texts and all(map(each.fullmatch, texts))), "")


def _days_of(texts: tuple[str, ...], unit: str) -> np.ndarray | None:
    """Return the days that texts name, of a period its first, of a week its Thursday; None where one names none."""
    days = np.empty(len(texts))
    for place, text in enumerate(texts):
        day = _day_of(text) if unit == "D" else (_read_end("date", text) or (None,))[0]
        if day is None:
            return None
        days[place] = day
    return days + 3 if unit == "W" else days  # a week is of the year and month that hold its Thursday


def _day_of(text: str) -> float | None:
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        return None
    day = (read if read.tzinfo is None else read.astimezone(UTC)).date()
    return float((day - _EPOCH).days)


def cut_bins(ordered: Ordered, weights: np.ndarray | None = None) -> Bins:
    """Cut a column into bins: quantiles of many numbers, calendar periods of dates; few numbers each for itself.

    weights : rows of every line, None = one each.
    """
    if ordered.kind == "date":
        return _calendar_bins(ordered.values, ordered.unit)
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


def _calendar_bins(days: np.ndarray, unit: str) -> Bins:
    """Cut days into days, weeks, months or years: the finest of which there are few. Few periods stay as they are."""
    dates = days.astype(np.int64).astype("datetime64[D]")
    if len(days) <= (_MOST_DAYS if unit == "D" else _MOST_MONTHS):
        return Bins(tuple(_name_period(day, unit) for day in dates.tolist()), np.arange(len(days)))
    weeks, of_week = np.unique((days + 3) // 7, return_inverse=True)  # 1970 began on a Thursday
    if len(weeks) <= _MOST_WEEKS:
        mondays = [_EPOCH + timedelta(days=int(week) * 7 - 3) for week in weeks]
        return Bins(tuple(f"{day}{_TO}{day + timedelta(days=6)}" for day in mondays), of_week)
    for unit in ("M", "Y"):
        periods, places = np.unique(dates.astype(f"datetime64[{unit}]"), return_inverse=True)
        if unit == "Y" or len(periods) <= _MOST_MONTHS:
            break
    return Bins(tuple(map(str, periods)), places)


def _name_period(day: date, unit: str) -> str:
    """Return the name of the period that holds a day, such as `2026-05`, `2026-Q2`, `2026-W05` or the day itself."""
    if unit == "W":
        return f"{day.isocalendar().year}-W{day.isocalendar().week:02}"
    if unit == "Q":
        return f"{day.year}-Q{(day.month + 2) // 3}"
    return day.isoformat()[: 7 if unit == "M" else 10]


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
    """Return the first and the last value that one end may mean: a month has many days.

    >>> _read_end("date", "2026-Q1") == read_range("date", "2026-01 to 2026-03")
    True
    """
    if kind == "number":
        numbers = numbers_of((text,))
        return None if numbers is None else (float(numbers[0]), float(numbers[0]))
    quarter, week = _QUARTER.fullmatch(text), _WEEK.fullmatch(text)
    if not (quarter or week or _PERIOD.fullmatch(text)):
        return None
    try:
        if week:
            first, length = np.datetime64(date.fromisocalendar(int(week[1]), int(week[2]), 1)), 7
        elif quarter:
            first, length = np.datetime64(f"{quarter[1]}-{3 * int(quarter[2]) - 2:02}"), 3
        else:
            first, length = np.datetime64(text), 1  # a year, a month or a day, which is what 1 adds to it
    except ValueError:
        return None
    day, after = (instant.astype("datetime64[D]").astype(np.int64) for instant in (first, first + length))
    return float(day), float(after - 1)
