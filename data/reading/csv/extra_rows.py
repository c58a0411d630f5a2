"""Rows of a table that stand for no prediction: totals at its end, the header line once more, units below it.

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
from data.reading.csv.decimals import read_cells
from data.reading.csv.empty_rows import without_empty_rows
from data.reading.csv.header import NO_VALUE
from text.numbers import count
from text.quoting import list_items, quote

TOTALS = [
    "total", "totals", "grand total", "subtotal", "sum", "overall", "column total", "row total", "summe", "gesamt",
    "gesamtsumme", "gesamtergebnis", "insgesamt", "zwischensumme", "somme", "total général", "totale", "somma", "suma",
    "soma", "totaal",
]  # fmt: skip
_MEANS = ["average", "avg", "mean", "mittelwert", "durchschnitt", "moyenne", "media", "média", "promedio", "gemiddelde"]
_WORDS = frozenset([*TOTALS, *_MEANS])
_FEWEST_BELOW_UNITS = 4
"""So many rows show that a column holds numbers."""
_FEWEST_BELOW_WORDS = 20
"""In fewer rows, a label may stand in the first one alone."""
_TYPES = frozenset(
    [
        "text", "string", "str", "object", "label", "labels", "class", "category", "categorical", "nominal", "ordinal",
        "factor", "enum", "bool", "boolean", "char", "varchar", "nvarchar", "chr", "fct", "type", "unit", "name",
    ]
)  # fmt: skip
"""Words above labels in a line of units or types."""
_NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?", re.ASCII)


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
        cells = [str(value) for value in _row(table, number) if value is not None]
        row = f"row {n_before + number + 1:,}"
        warnings.append(f"The last row ({list_items(cells, 4)}) holds totals and no prediction: {row} was left out.")
    return table.slice(0, n_kept)


def count_totals(table: pa.Table) -> int:
    """Count the last rows of a table that hold totals."""
    for n_closing in range(min(MAX_CLOSING_ROWS, table.num_rows - 1), 0, -1):
        n_kept = table.num_rows - n_closing
        if all(_is_total(table, row, n_kept) for row in range(n_kept, table.num_rows)):
            return n_closing
    return 0


def _row(table: pa.Table, row: int) -> list[Any]:
    return [column[row].as_py() for column in table.columns]


def _is_total(table: pa.Table, row: int, n_kept: int) -> bool:
    """Return whether a row begins with a word for a total, found nowhere above, and holds but numbers beside it.

    The numbers have to sum up what is above them. Larger than all above is enough, as in a total of other rows, too:
    where the row leaves a column empty that every other row fills, or has a number where all others have words.
    """
    cells = _row(table, row)
    place = next((i for i, value in enumerate(cells) if value is not None), None)
    if place is None or not isinstance(cells[place], str):
        return False
    word = cells[place].strip().rstrip(":").casefold()
    if word not in _WORDS or _occurs(table.column(place).slice(0, n_kept), word):
        return False
    above = [column.slice(0, n_kept) for column in table.columns]
    others = [(above[i], str(value)) for i, value in enumerate(cells) if value is not None and i != place]
    lacks = any(value is None and not column.null_count for value, column in zip(cells, above, strict=True))
    if lacks or any(_stands_among_words(column, value) for column, value in others):
        return all(_sums_up(column, value) or _exceeds(column, value) for column, value in others)
    return all(_sums_up(column, value) for column, value in others)


def _occurs(column: pa.ChunkedArray, word: str) -> bool:
    texts = column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
    return bool(pc.any(pc.match_substring_regex(texts, rf"(?i)^\s*{word}:?\s*$")).as_py())


def _sums_up(above: pa.ChunkedArray, value: str) -> bool:
    """Return whether a cell is the sum, mean or count of the cells above it, or a number among words."""
    n_rows, above = len(above), above.drop_null()
    numbers, has_commas = _read_numbers(above)
    text = _plain_number(value, has_commas)
    if text is None:
        return False
    if numbers is None:  # words, or nothing
        return not len(above) or n_rows == float(text) or not _any_number(above)
    stated, tolerance = float(text), _rounding(text)
    wanted = (pc.sum(numbers).as_py(), pc.mean(numbers).as_py(), len(numbers), n_rows)
    return any(total is not None and math.isclose(stated, total, rel_tol=1e-9, abs_tol=tolerance) for total in wanted)


def _exceeds(above: pa.ChunkedArray, value: str) -> bool:
    """Return whether a cell is a number larger than every number above it."""
    numbers, has_commas = _read_numbers(above.drop_null())
    text = _plain_number(value, has_commas)
    return text is not None and numbers is not None and float(text) > pc.max(numbers).as_py()


def _stands_among_words(above: pa.ChunkedArray, value: str) -> bool:
    """Return whether a cell is a number, and no cell above it holds a digit."""
    return _plain_number(value, False) is not None and len(above) > above.null_count and not _any_number(above)


def _plain_number(text: str, has_commas: bool) -> str | None:
    """Return a number as Python writes it, without its per cent sign; None for anything else."""
    digits = text.strip().removesuffix("%")
    digits = digits.replace(".", "").replace(",", ".") if has_commas else digits.replace(",", "")
    return digits if _NUMBER.fullmatch(digits) else None


def _read_numbers(column: pa.ChunkedArray) -> tuple[pa.ChunkedArray | None, bool]:
    """Return a column of numbers as float64, and whether these have decimal commas; None where a cell is a word."""
    if pa.types.is_floating(column.type):
        return column, False
    text = column.cast(pa.string())
    if not len(text):
        return None, False
    try:
        return text.cast(pa.float64()), False
    except pa.ArrowInvalid:
        written = read_cells(tuple(text.to_pylist()), ",")
    return (pa.chunked_array([written], pa.float64()), True) if written else (None, False)


def _any_number(column: pa.ChunkedArray) -> bool:
    distinct = column.cast(pa.string()).unique()
    return bool(pc.any(pc.match_substring_regex(distinct, r"^\s*[+-]?[0-9.,]+%?\s*$")).as_py())


def _rounding(text: str) -> float:
    decimals = len(text.partition(".")[2]) if "e" not in text.lower() else 0
    return 0.5 * 10.0**-decimals + 1e-12 if decimals else 1e-9


def _without_second_header(table: pa.Table, warnings: list[str]) -> pa.Table:
    """Leave out a first row of units, types or further names: a word above nothing but numbers, and values of no row.

    >>> warnings: list[str] = []
    >>> table = pa.table({"y": ["text", *"abab"], "p": ["float", "0.1", "0.2", "0.3", "0.4"]})
    >>> _without_second_header(table, warnings).num_rows, warnings
    (4, ["Row 1 ('text', 'float') names units or types and is no prediction: left out."])
    """
    cells, below = _row(table, 0), table.slice(1)
    pairs = [*zip(cells, below.columns, strict=True)]
    if below.num_rows < _FEWEST_BELOW_UNITS:
        return table
    numbers = [column for cell, column in pairs if _stands_above_numbers(cell, column)]
    if len(numbers) < 2 and not any(map(_has_fractions, numbers)):  # a single whole number may be an id
        return table
    if any(_recurs(cell, column) for cell, column in pairs):
        return table
    if below.num_rows < _FEWEST_BELOW_WORDS and any(_may_be_label(cell, column) for cell, column in pairs):
        return table
    named = list_items([str(value) for value in cells if value is not None], 4)
    warnings.append(f"Row 1 ({named}) names units or types and is no prediction: left out.")
    return below


def _stands_above_numbers(cell: object, below: pa.ChunkedArray) -> bool:
    """Return whether a cell is a word, not one for a missing value, and every filled cell below it is a number."""
    if not isinstance(cell, str) or cell.strip().lower() in NO_VALUE:
        return False
    holds_digits_alone = any(map(str.isdigit, cell)) and not any(map(str.isalpha, cell))  # 1+2 may be two labels
    if holds_digits_alone or _plain_number(cell, False) is not None:
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
    return len(distinct) > 1 and all(_plain_number(value, "," in value) is not None for value in distinct)


def _has_fractions(column: pa.ChunkedArray) -> bool:
    return bool(pc.any(pc.match_substring_regex(column.unique().cast(pa.string()), r"\d[.,]\d")).as_py())


def _recurs(cell: object, below: pa.ChunkedArray) -> bool:
    """Return whether a cell is a number, or occurs again below it."""
    if cell is None:
        return False
    if not isinstance(cell, str) or _plain_number(cell, False) is not None:
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
