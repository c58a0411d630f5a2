"""Columns of numbers as doubles; of numbers and times as texts that are equal where these are."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types as kinds

_LARGE = 2.0**53
"""Doubles from it on may miss whole numbers, and are not written as such."""


def read_doubles(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return numbers as the nearest doubles; Arrow's own conversion of decimals misses some.

    >>> read_doubles(pa.array(["0.1"]).cast(pa.decimal128(10, 6))).to_pylist()
    [0.1]
    """
    if kinds.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    column = column.cast(pa.string()) if kinds.is_decimal(column.type) else column
    return column.cast(pa.float64(), safe=False)


def write_numbers(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return floats or decimals as texts without an exponent, in which 7.0 and 7 are alike.

    Floats with a fraction, or from 2**53 on, are written as Arrow writes them.

    >>> write_numbers(pa.chunked_array([[12345678900.0, 7.0, 0.5, None]])).to_pylist()
    ['12345678900', '7', '0.5', None]
    """
    text = column.cast(pa.string())
    if kinds.is_floating(column.type):
        whole = pc.and_(pc.less(pc.abs(column), _LARGE), pc.equal(column, pc.floor(column)))
        numbers = pc.if_else(whole, column, pa.scalar(None, column.type)).cast(pa.int64(), safe=False)
        return pc.if_else(whole, numbers.cast(pa.string()), text)
    if pc.any(pc.match_substring(text, "E")).as_py():  # small decimals, and 0 of many places
        text = pa.chunked_array([[None if value is None else f"{value:f}" for value in column.to_pylist()]], text.type)
    return _cut_zeros(text)


def write_times(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return dates and times of day as texts that are alike whatever their unit; times of a zone are written in UTC.

    >>> write_times(pa.chunked_array([pa.array([0, 120], pa.timestamp("ms"))])).to_pylist()
    ['1970-01-01 00:00:00', '1970-01-01 00:00:00.12']
    """
    if kinds.is_timestamp(column.type) and column.type.tz is not None:
        column = column.cast(pa.timestamp(column.type.unit, "UTC"))
    return _cut_zeros(column.cast(pa.string()))


def _cut_zeros(text: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return texts without zeros that end a fraction, before the Z of UTC, too."""
    text = pc.replace_substring_regex(text, r"(\.\d*?)0+(Z?)$", r"\1\2")
    return pc.replace_substring_regex(text, r"\.(Z?)$", r"\1")
