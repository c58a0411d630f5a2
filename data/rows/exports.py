"""Write a table of rows as CSV that is safe to open in a spreadsheet, and as names and text that Parquet can hold."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# Full-width signs begin a formula, too, where a spreadsheet is set to Japanese or Chinese. A byte order mark before one
# is no text where it begins the file.
_FORMULA = re.compile(r"^\ufeff*[=+\-@＝＋－＠\t\r\n]")
# A program that splits lines at another sign begins a cell behind it. What looks like a number is none here: it would
# be one cell with whatever follows it in the line. A quotation mark is written twice, and read as none.
_INSIDE = re.compile(r'([;|\t\r\n])("*[=+\-@＝＋－＠])')
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


def escape_formulas(value: object) -> object:
    """Put an apostrophe in front of text that a spreadsheet would run as a formula; leave all else unchanged.

    Behind `;`, `|`, a tab or a line break inside the text too, where some programs begin another cell.

    >>> escape_formulas("=1+1"), escape_formulas("-2.5"), escape_formulas("refund"), escape_formulas("y;=1+1")
    ("'=1+1", '-2.5', 'refund', "y;'=1+1")
    """
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return value
    front = "'" if _FORMULA.match(value) else ""
    return front + _INSIDE.sub(r"\1'\2", value) if front or _INSIDE.search(value) else value


def safe_csv(frame: pd.DataFrame, *, header: bool = True) -> bytes:
    """Return a frame as UTF-8 CSV whose text cells and headers no spreadsheet runs as a formula.

    header : False for the batches after the first.

    >>> import pandas as pd
    >>> safe_csv(pd.DataFrame({"=a": ["@b", "c"]})).decode().splitlines()
    ["'=a", "'@b", 'c']
    """
    import pandas as pd  # it takes longer to import than a small file to measure

    safe = pd.DataFrame({place: _disarm(frame.iloc[:, place]) for place in range(frame.shape[1])})
    safe.columns = pd.Index([escape_formulas(str(name)) for name in frame.columns])
    buffer = io.StringIO()
    # as RFC 4180 ends lines; with "\n" alone, a cell's carriage return would stay unquoted and begin a row
    safe.to_csv(buffer, index=False, header=header, lineterminator="\r\n")
    return buffer.getvalue().encode("utf-8", "replace")


def _disarm(column: pd.Series) -> pd.Series:
    import pandas as pd

    if pd.api.types.is_numeric_dtype(column):
        return column
    known: dict[str, object] = {}  # a text that many rows repeat is looked at once

    def safe(value: object) -> object:
        if not isinstance(value, str):
            return value
        if value not in known:
            known[value] = escape_formulas(value)
        return known[value]

    # as objects, so that pandas guesses no type again: whole numbers beside an empty cell would become fractions
    return pd.Series([safe(value) for value in column], index=column.index, dtype=object)


def whole_characters(text: str) -> str:
    """Write "?" for half a character (a lone surrogate), which no UTF-8 file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def distinct_names(wanted: Sequence[str]) -> list[str]:
    """Return names that a Parquet file can hold: each once, in whole characters.

    >>> distinct_names(["a", "a"])
    ['a', 'a (2)']
    """
    names: list[str] = []
    for name in map(whole_characters, wanted):
        new, times = name, 1
        while new in names:
            times += 1
            new = f"{name} ({times})"
        names.append(new)
    return names
