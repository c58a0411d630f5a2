"""Find the last rows of a table that hold totals of the rows above. A class may be called total: such a row stays."""

from __future__ import annotations

import math
import re
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from data.limits import MAX_CLOSING_ROWS
from data.reading.csv.decimals import read_cells

TOTALS = [
    "total", "totals", "grand total", "subtotal", "sum", "overall", "column total", "row total", "summe", "gesamt",
    "gesamtsumme", "gesamtergebnis", "insgesamt", "zwischensumme", "somme", "total général", "totale", "somma", "suma",
    "soma", "totaal",
]  # fmt: skip
_MEANS = ["average", "avg", "mean", "mittelwert", "durchschnitt", "moyenne", "media", "média", "promedio", "gemiddelde"]
_WORDS = frozenset([*TOTALS, *_MEANS])
_NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?", re.ASCII)


def count_totals(table: pa.Table) -> int:
    """Count the last rows of a table that hold totals."""
    for n_closing in range(min(MAX_CLOSING_ROWS, table.num_rows - 1), 0, -1):
        n_kept = table.num_rows - n_closing
        if all(_is_total(table, row, n_kept) for row in range(n_kept, table.num_rows)):
            return n_closing
    return 0


def read_row(table: pa.Table, row: int) -> list[Any]:
    """Return the cells of a row."""
    return [column[row].as_py() for column in table.columns]


def _is_total(table: pa.Table, row: int, n_kept: int) -> bool:
    """Return whether a row begins with a word for a total, found nowhere above, and holds but numbers beside it.

    The numbers have to sum up what is above them. Larger than all above is enough, as in a total of other rows, too:
    where the row leaves a column empty that every other row fills, or has a number where all others have words.
    """
    cells = read_row(table, row)
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
    text = plain_number(value, has_commas)
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
    text = plain_number(value, has_commas)
    return text is not None and numbers is not None and float(text) > pc.max(numbers).as_py()


def _stands_among_words(above: pa.ChunkedArray, value: str) -> bool:
    """Return whether a cell is a number, and no cell above it holds a digit."""
    return plain_number(value, False) is not None and len(above) > above.null_count and not _any_number(above)


def plain_number(text: str, has_commas: bool) -> str | None:
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
