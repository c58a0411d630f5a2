"""Rows of a table that stand for no prediction: totals at its end, the header line once more, units below it.

They are left out and named. A row stays whenever it could be one: a class may be called "total".
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.reading.csv.empty_rows import without_empty_rows
from data.reading.csv.header import NO_VALUE
from data.reading.csv.total_rows import count_totals, plain_number, read_row
from text.numbers import count
from text.quoting import list_items, quote

_FEWEST_BELOW_UNITS = 4
"""So many rows show that a column holds numbers."""
_FEWEST_BELOW_WORDS = 20
"""In fewer rows, a label may stand in the first one alone."""
_TYPES = frozenset(
    [
        "text", "string", "str", "object", "label", "labels", "class", "category", "categorical", "nominal", "ordinal",
        "factor", "enum", "bool", "boolean", "char", "varchar", "nvarchar", "chr", "fct", "type", "unit", "name",
        "discrete", "continuous", "meta",
    ]
)  # fmt: skip
"""Words above labels in a line of units or types."""
_ROLES = frozenset(["class", "c", "meta", "m", "ignore", "i", "weight", "w"])
"""Roles of columns, which Orange writes below the types."""


def without_extra_rows(table: pa.Table) -> tuple[pa.Table, list[str], list[str]]:
    """Leave out empty rows, totals at the end, and header lines inside.

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
    table = without_empty_rows(table, notes, warnings)
    n_filled = table.num_rows
    table = _without_header_lines(table, warnings)
    table = _without_second_header(table, warnings)
    table = _without_totals(table, n_filled - table.num_rows, warnings)
    return (table if table.num_rows == n_rows else _refresh_dictionaries(table)), notes, warnings


def _refresh_dictionaries(table: pa.Table) -> pa.Table:
    """Drop the words of dictionaries that no row uses any more."""
    columns = [
        column.cast(column.type.value_type).dictionary_encode() if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    return pa.Table.from_arrays(columns, schema=table.schema)


def _without_totals(table: pa.Table, n_before: int, warnings: list[str]) -> pa.Table:
    """Leave out totals at the end; n_before : rows above them that were left out already."""
    n_kept = table.num_rows - count_totals(table)
    for number in range(n_kept, table.num_rows):
        cells = [str(value) for value in read_row(table, number) if value is not None]
        row = f"row {n_before + number + 1:,}"
        warnings.append(f"The last row ({list_items(cells, 4)}) holds totals and no prediction: {row} was left out.")
    return table.slice(0, n_kept)


def _without_second_header(table: pa.Table, warnings: list[str]) -> pa.Table:
    """Leave out a first row of units, types or further names, and one below it, as Orange writes types and roles.

    >>> warnings: list[str] = []
    >>> table = pa.table({"y": ["text", *"abab"], "p": ["float", "0.1", "0.2", "0.3", "0.4"]})
    >>> _without_second_header(table, warnings).num_rows, warnings
    (4, ["Row 1 ('text', 'float') names units or types and is no prediction: left out."])
    """
    for number in (1, 2):
        cells, below = read_row(table, 0), table.slice(1)
        if not _is_second_header(cells, below) and not (number == 2 and _names_roles(cells, below)):
            break
        named = list_items([str(value) for value in cells if value is not None], 4)
        warnings.append(f"Row {number} ({named}) names units or types and is no prediction: left out.")
        table = below
    return table


def _names_roles(cells: list[Any], below: pa.Table) -> bool:
    """Return whether a line below one of types names roles alone, and no row has its values."""
    roles = [str(cell).strip().casefold() for cell in cells if cell is not None]
    if not roles or not _ROLES.issuperset(roles):
        return False
    return not any(_recurs(cell, column) for cell, column in zip(cells, below.columns, strict=True))


def _is_second_header(cells: list[Any], below: pa.Table) -> bool:
    """Return whether a word of a first row stands above nothing but numbers, and its values are those of no row."""
    if below.num_rows < _FEWEST_BELOW_UNITS:
        return False
    pairs = [*zip(cells, below.columns, strict=True)]
    numbers = [column for cell, column in pairs if _stands_above_numbers(cell, column)]
    if len(numbers) < 2 and not any(map(_has_fractions, numbers)):  # a single whole number may be an id
        return False
    if any(_recurs(cell, column) for cell, column in pairs):
        return False
    return below.num_rows >= _FEWEST_BELOW_WORDS or not any(_may_be_label(cell, column) for cell, column in pairs)


def _stands_above_numbers(cell: object, below: pa.ChunkedArray) -> bool:
    """Return whether a cell is a word, not one for a missing value, and every filled cell below it is a number."""
    if not isinstance(cell, str) or cell.strip().lower() in NO_VALUE:
        return False
    holds_digits_alone = any(map(str.isdigit, cell)) and not any(map(str.isalpha, cell))  # 1+2 may be two labels
    if holds_digits_alone or plain_number(cell, False) is not None:
        return False
    return _are_numbers(below.slice(0, _FEWEST_BELOW_UNITS)) and _are_numbers(below)


def _may_be_label(cell: object, below: pa.ChunkedArray) -> bool:
    """Return whether a cell holds letters and is no type, and stands above words."""
    if not isinstance(cell, str) or not any(map(str.isalpha, cell)) or cell.strip().casefold() in _TYPES:
        return False
    return not _are_numbers(below)


def _are_numbers(column: pa.ChunkedArray) -> bool:
    """Return whether there are several distinct values, and each is a number."""
    distinct = column.drop_null().unique().cast(pa.string()).to_pylist()
    return len(distinct) > 1 and all(plain_number(value, "," in value) is not None for value in distinct)


def _has_fractions(column: pa.ChunkedArray) -> bool:
    return bool(pc.any(pc.match_substring_regex(column.unique().cast(pa.string()), r"\d[.,]\d")).as_py())


def _recurs(cell: object, below: pa.ChunkedArray) -> bool:
    """Return whether a cell is a number, or occurs again below it."""
    if cell is None:
        return False
    if not isinstance(cell, str) or plain_number(cell, False) is not None:
        return True
    return bool(pc.any(pc.equal(below.cast(pa.string()), cell)).as_py())


def _without_header_lines(table: pa.Table, warnings: list[str]) -> pa.Table:
    """Leave out header lines inside: files put together keep the header of each."""
    repeats = _repeats_name(table, 0)
    if repeats is None:
        return table
    for index in range(1, table.num_columns):
        repeated = _repeats_name(table, index)
        if repeated is None:
            return table
        repeats = pc.and_(repeats, repeated)
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
