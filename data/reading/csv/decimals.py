"""Read the numbers of a table by the decimal mark that a person chose, whatever its cells look like."""

from __future__ import annotations

import re
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from data.columns.column import distinct
from text.numbers import count
from text.quoting import quote

_EXPONENT = r"(?:[eE][+-]?\d{1,3})?"
_COMMA = re.compile(rf"[+-]?(?:(?:\d{{1,3}}(?:\.\d{{3}})+|\d+)(?:,\d*)?|,\d+){_EXPONENT}", re.ASCII)
_POINT = re.compile(rf"[+-]?(?:(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d*)?|\.\d+){_EXPONENT}", re.ASCII)
_ONLY_COMMA = re.compile(r"[+-]?\d*,\d+", re.ASCII)


class ReadColumn(NamedTuple):
    """A column whose cells became numbers: how many, the lowest and the highest."""

    name: str
    n_cells: int
    low: float
    high: float


def read_decimals(table: pa.Table, decimal: str) -> tuple[pa.Table, list[ReadColumn], list[str]]:
    """Make float64 of the text columns whose cells are all numbers, some with a comma; return which, and warnings.

    decimal : "," = 0,97 is less than one and 1.234,5 more than a thousand; "." = the other way round.
    """
    columns: list[ReadColumn] = []
    warnings: list[str] = []
    for index, name in enumerate(table.column_names):
        if pa.types.is_floating(table.schema.field(index).type):
            continue
        cells = distinct(table.column(name))
        numbers = read_cells(cells.values, decimal)
        if numbers is None:
            warnings += _name_contradiction(name, cells.values, decimal)
            continue
        values = pa.array([*numbers, None], pa.float64()).take(pa.array(cells.codes % (len(numbers) + 1)))
        table = table.set_column(index, name, values)
        columns.append(_describe(name, values))
    return table, columns, warnings


def read_cells(values: tuple[str, ...], decimal: str) -> list[float] | None:
    """Return the numbers that texts are under a decimal mark; None where one is none, or none has a comma.

    >>> read_cells(("0,97", "1.234,5"), ","), read_cells(("1,234.5",), "."), read_cells(("A",), ",")
    ([0.97, 1234.5], [1234.5], None)
    """
    texts = [value.strip() for value in values]
    pattern = _COMMA if decimal == "," else _POINT
    if not any("," in text for text in texts) or not all(map(pattern.fullmatch, texts)):
        return None
    thousands = "." if decimal == "," else ","
    return [float(text.replace(thousands, "").replace(",", ".")) for text in texts]


def _name_contradiction(name: str, values: tuple[str, ...], decimal: str) -> list[str]:
    """Warn of a column of numbers with a decimal comma where a person chose the point."""
    commas = [value for value in values if _ONLY_COMMA.fullmatch(value.strip())]
    if decimal == "," or not commas or len(commas) < len(values) / 2:
        return []
    return [f"Column {quote(name)} holds {quote(commas[0])}, which is no number with a decimal point, as you chose."]


def _describe(name: str, values: pa.Array) -> ReadColumn:
    ends = pc.min_max(values).as_py()
    return ReadColumn(name, len(values) - values.null_count, ends["min"], ends["max"])


def say_decimals(columns: list[ReadColumn], decimal: str) -> list[str]:
    """Return the notes about the columns that became numbers by the chosen mark."""
    mark = "commas" if decimal == "," else "points"
    return [
        f"With decimal {mark}, {count(column.n_cells, 'value')} of {quote(column.name)} are numbers, "
        f"{column.low:.6g} to {column.high:.6g}."
        for column in columns
    ]
