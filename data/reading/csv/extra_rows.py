"""Rows of a table that stand for no prediction: empty ones and totals at its end, the header line once more.

They are left out and named. A row stays whenever it could be one: a class may be called "total".
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.limits import MAX_CLOSING_ROWS
from text.numbers import count
from text.quoting import list_items, quote

_WORDS = frozenset(
    ["total", "totals", "grand total", "subtotal", "sum", "overall", "average", "avg", "mean", "column total"]
)
_NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?", re.ASCII)


def without_extra_rows(table: pa.Table) -> tuple[pa.Table, list[str], list[str]]:
    """Leave out empty rows and totals at the end, and header lines inside.

    Returns
    -------
    table, notes, warnings

    >>> table = pa.table({"id": ["1", "2", "TOTAL"], "y": ["a", "b", None]})
    >>> without_extra_rows(table)[0].num_rows
    2
    """
    notes: list[str] = []
    warnings: list[str] = []
    n_rows = table.num_rows
    if table.num_columns < 2:
        return table, notes, warnings
    table = _without_empty_end(table, notes)
    table = _without_totals(table, warnings)
    table = _without_header_lines(table, warnings)
    return (table if table.num_rows == n_rows else _refresh_dictionaries(table)), notes, warnings


def _refresh_dictionaries(table: pa.Table) -> pa.Table:
    """Drop the words of dictionaries that no row uses any more."""
    columns = [
        column.cast(column.type.value_type).dictionary_encode() if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    return pa.Table.from_arrays(columns, schema=table.schema)


def _without_empty_end(table: pa.Table, notes: list[str]) -> pa.Table:
    if any(column[-1].is_valid for column in table.columns):
        return table
    filled = [_last_filled(column) for column in table.columns]
    n_kept = max(filled) + 1
    if not n_kept:
        return table
    notes.append(f"{count(table.num_rows - n_kept, 'empty row')} at the end left out.")
    return table.slice(0, n_kept)


def _last_filled(column: pa.ChunkedArray) -> int:
    filled = pc.indices_nonzero(column.is_valid())
    return filled[-1].as_py() if len(filled) else -1


def _without_totals(table: pa.Table, warnings: list[str]) -> pa.Table:
    for n_closing in range(min(MAX_CLOSING_ROWS, table.num_rows - 1), 0, -1):
        n_kept = table.num_rows - n_closing
        if all(_is_total(table, row, n_kept) for row in range(n_kept, table.num_rows)):
            rows = [[str(v) for v in _row(table, row) if v is not None] for row in range(n_kept, table.num_rows)]
            warnings += [
                f"The last row ({list_items(cells, 4)}) holds totals and no prediction: row {row:,} was left out."
                for row, cells in enumerate(rows, n_kept + 1)
            ]
            return table.slice(0, n_kept)
    return table


def _row(table: pa.Table, row: int) -> list[Any]:
    return [column[row].as_py() for column in table.columns]


def _is_total(table: pa.Table, row: int, n_kept: int) -> bool:
    """Return whether a row begins with a word for a total, found nowhere above, and holds but numbers beside it.

    The numbers have to sum up what is above them; where the row leaves two columns empty that every other row fills,
    such as truth and prediction, it is enough that they are larger than all above: a total of other rows, too.
    """
    cells = _row(table, row)
    place = next((i for i, value in enumerate(cells) if value is not None), None)
    if place is None or not isinstance(cells[place], str):
        return False
    word = cells[place].strip().rstrip(":").casefold()
    if word not in _WORDS or _occurs(table.column(place).slice(0, n_kept), word):
        return False
    others = [i for i, value in enumerate(cells) if value is not None and i != place]
    above = [column.slice(0, n_kept) for column in table.columns]
    if sum(value is None and not column.null_count for value, column in zip(cells, above, strict=True)) > 1:
        return all(_sums_up(above[i], cells[i]) or _exceeds(above[i], cells[i]) for i in others)
    return all(_sums_up(above[i], cells[i]) for i in others)


def _occurs(column: pa.ChunkedArray, word: str) -> bool:
    texts = column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
    return bool(pc.any(pc.match_substring_regex(texts, rf"(?i)^\s*{word}:?\s*$")).as_py())


def _sums_up(above: pa.ChunkedArray, value: object) -> bool:
    """Return whether a cell is the sum, mean or number of what is above it, or a number where all others are words."""
    text = str(value).strip().replace(",", "")
    number = _NUMBER.fullmatch(text.removesuffix("%"))
    if number is None:
        return False
    n_rows, above = len(above), above.drop_null()
    numbers = _read_numbers(above)
    if numbers is None:  # words, or nothing
        return not len(above) or n_rows == float(number[0]) or not _any_number(above)
    said, tolerance = float(number[0]), _rounding(number[0])
    wanted = (pc.sum(numbers).as_py(), pc.mean(numbers).as_py(), len(numbers), n_rows)
    return any(one is not None and math.isclose(said, one, rel_tol=1e-9, abs_tol=tolerance) for one in wanted)


def _exceeds(above: pa.ChunkedArray, value: object) -> bool:
    """Return whether a cell is a number larger than every number above it."""
    number = _NUMBER.fullmatch(str(value).strip().replace(",", ""))
    numbers = _read_numbers(above.drop_null())
    return number is not None and numbers is not None and float(number[0]) > pc.max(numbers).as_py()


def _read_numbers(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Return a column of numbers as float64; None if any cell is a word, or there is none."""
    if pa.types.is_floating(column.type):
        return column
    text = column.cast(pa.string())
    try:
        return text.cast(pa.float64()) if len(text) else None
    except pa.ArrowInvalid:
        return None


def _any_number(column: pa.ChunkedArray) -> bool:
    distinct = column.cast(pa.string()).unique()
    return bool(pc.any(pc.match_substring_regex(distinct, r"^\s*[+-]?[0-9.,]+%?\s*$")).as_py())


def _rounding(text: str) -> float:
    decimals = len(text.partition(".")[2]) if "e" not in text.lower() else 0
    return 0.5 * 10.0**-decimals + 1e-12 if decimals else 1e-9


def _without_header_lines(table: pa.Table, warnings: list[str]) -> pa.Table:
    """Leave out header lines inside: files put together keep the header of each."""
    repeats = _repeats_name(table, 0)
    if repeats is None:
        return table
    for index in range(1, table.num_columns):
        found = _repeats_name(table, index)
        if found is None:
            return table
        repeats = pc.and_(repeats, found)
    rows = pc.indices_nonzero(repeats).to_pylist()
    if not rows or len(rows) == table.num_rows:
        return table
    shown = list_items((f"{row + 1:,}" for row in rows), 4, quoted=False)
    warnings.append(
        f"The header line stands inside the file again ({count(len(rows), 'time')}: row {shown}), as if files had "
        "been put together: left out."
    )
    return table.filter(pc.invert(repeats))


def _repeats_name(table: pa.Table, index: int) -> pa.ChunkedArray | None:
    """Return where a column holds its own name; None where nowhere."""
    column, name = table.column(index), table.column_names[index]
    if pa.types.is_dictionary(column.type):
        if not any(pc.index(chunk.dictionary, name).as_py() >= 0 for chunk in column.chunks):
            return None
        column = column.cast(column.type.value_type)
    if not pa.types.is_string(column.type) or pc.index(column, name).as_py() < 0:
        return None
    return pc.fill_null(pc.equal(column, name), False)


def counts_rows(column: pa.ChunkedArray) -> bool:
    """Return whether a column counts its rows, from 0 or from 1.

    >>> counts_rows(pa.chunked_array([["1", "2", "3"]])), counts_rows(pa.chunked_array([["1", "3"]]))
    (True, False)
    """
    first = column[0].as_py() if len(column) else None
    if first not in ("0", "1", 0.0, 1.0) or column.null_count:
        return False
    wanted = pa.array(np.arange(int(first), int(first) + len(column)))
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return bool(pc.all(pc.equal(column, wanted.cast(column.type))).as_py())


def say_index(name: str, given: str) -> str:
    """Return the note about a column that counts the rows."""
    return f"The first column {given} counts the rows: it is called {quote(name)} and is neither truth nor prediction."
