"""Find lines below a table of two columns that are no predictions, such as "Rows,600": they split as its rows do.

In wider tables such lines have too few values. A row stays whenever its values could be those of a prediction.
"""

from __future__ import annotations

import re

import pyarrow as pa
import pyarrow.compute as pc

from data.limits import FEWEST_ROWS_ABOVE_CLOSING, MAX_CLOSING_ROWS
from data.reading.csv.header import NO_VALUE

_DIGIT = re.compile(r"[0-9]")
_LETTER = re.compile(r"[^\W\d_]")
_GLANCED_AT = 10_000
"""Rows that are asked first."""


def count_closing_lines(table: pa.Table) -> int:
    """Count the last rows of a table of two columns that are unlike all rows above them.

    >>> rows = pa.table({"y_true": ["cat", "dog"] * 10 + ["Rows"], "y_pred": ["cat"] * 20 + ["20"]})
    >>> count_closing_lines(rows), count_closing_lines(rows.slice(0, 20))
    (1, 0)
    """
    if table.num_columns != 2:
        return 0
    for n_closing in range(MAX_CLOSING_ROWS, 0, -1):
        n_above = table.num_rows - n_closing
        if n_above >= FEWEST_ROWS_ABOVE_CLOSING and _close(table.slice(0, n_above), table.slice(n_above)):
            return n_closing
    return 0


def _close(above: pa.Table, below: pa.Table) -> bool:
    """Return whether the rows below are closing lines: values that occur nowhere above, and another kind of values."""
    keys, values = (list_texts(column) for column in below.columns)
    pairs = [*zip(keys, values, strict=True)]
    if not all(_is_name_and_figure(key, value) for key, value in pairs):
        return False
    for rows in (above.slice(0, _GLANCED_AT), above):  # the values of most rows occur among the first
        first, second = (column.drop_null().unique().cast(pa.string()) for column in rows.columns)
        if _are_among(first, keys) or _are_among(second, values):
            return False
    repeats = 2 * len(first) <= above.num_rows  # a name of a row occurs nowhere else anyway
    of_first, of_second = _hold_digits(first), _hold_digits(second)
    return all(_is_unlike(of_first, key) or (repeats and _is_unlike(of_second, value)) for key, value in pairs)


def list_texts(column: pa.ChunkedArray) -> list[str]:
    """Return the cells as texts without space around them; an empty text where a cell is missing."""
    return ["" if value is None else str(value).strip() for value in column.to_pylist()]


def _is_name_and_figure(key: str, value: str) -> bool:
    """Return whether a row could be the name of a figure and that: two values of one line, none of them missing."""
    if not key or not value or key == value or len(f"{key} {value}".splitlines()) > 1:
        return False
    return _LETTER.search(key) is not None and not NO_VALUE & {key.lower(), value.lower()}


def _are_among(distinct: pa.Array, cells: list[str]) -> bool:
    """Return whether any of the cells is among distinct values."""
    return bool(pc.any(pc.is_in(pa.array(cells), value_set=distinct)).as_py())


def _hold_digits(distinct: pa.Array) -> bool | None:
    """Return whether every value holds a digit, or none does; None where only some do."""
    answers = pc.match_substring_regex(distinct, _DIGIT.pattern).unique().to_pylist()
    return bool(answers[0]) if len(answers) == 1 else None


def _is_unlike(holds_digits: bool | None, cell: str) -> bool:
    return holds_digits is not None and holds_digits != bool(_DIGIT.search(cell))
