"""The slow, exact reading of delimited text: Python's csv module in strict mode, row by row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa

from data.errors import DataError
from data.process.limits import Limits
from text.quoting import name_delimiter

_BATCH = 50_000
ANY_LENGTH = 1 << 30
LINE_END = re.compile(rb"\r\n|\n|\r")


class Shape(NamedTuple):
    """The shape that every row must have.

    quoted : whether quotation marks quote; else they are text. blank_is_cell : a blank line is an empty cell.
    header : whether a header line names the columns.
    """

    names: list[str]
    delimiter: str
    quoted: bool = True
    blank_is_cell: bool = False
    header: bool = True


def find_row(before: bytes) -> int:
    r"""Return the data row that begins or goes on after these bytes of a file, header line included.

    >>> find_row(b"a,b\n1,2\n3,"), find_row(b"a,b\n"), find_row(b"a,")
    (2, 1, 0)
    """
    text = io.StringIO(before.decode(errors="replace") + "x", newline="")
    csv.field_size_limit(ANY_LENGTH)
    return sum(1 for _ in csv.reader(text)) - 1


def iterate_records(body: bytes, shape: Shape, limits: Limits) -> Iterator[list[str]]:
    """Yield every record below the header; blank lines come as empty lists, or as the empty cell that they are.

    Raises
    ------
    DataError
        Naming the row where a quotation mark is not closed, or text follows a closing one.
    """
    n_rows = 0
    csv.field_size_limit(limits.cell_chars)
    text = io.TextIOWrapper(io.BytesIO(body), encoding="utf-8", errors="replace", newline="")
    try:
        for record in csv.reader(
            text, delimiter=shape.delimiter, strict=True, quoting=csv.QUOTE_MINIMAL if shape.quoted else csv.QUOTE_NONE
        ):
            n_rows += 1
            yield record or ([""] if shape.blank_is_cell else [])
    except csv.Error as error:
        raise DataError(_quotes_text(n_rows + 1, str(error), shape.delimiter, limits)) from None
    finally:
        csv.field_size_limit(ANY_LENGTH)  # the limit is the module's, not the reader's


def _quotes_text(row: int, error: str, delimiter: str, limits: Limits) -> str:
    if "field larger" in error:
        why = f"a cell is longer than {limits.cell_chars:,} characters (or a quotation mark is never closed)"
    elif "unexpected end" in error:
        why = "a quotation mark is opened and never closed; close it, or double it inside a value"
    else:
        why = (
            f"text follows a closing quotation mark; a {name_delimiter(delimiter)} should, and a mark inside is doubled"
        )
    return f"row {row:,}: {why}."


def read_slowly(body: bytes, shape: Shape, limits: Limits) -> pa.Table:
    """Make a table of text of checked records: what the fast reader gives, only slower. "" is missing."""
    batches: list[pa.Table] = []
    batch: list[list[str]] = []
    for record in iterate_records(body, shape, limits):
        batch.append(record)
        if len(batch) == _BATCH:
            batches.append(_table(batch, shape.names))
            batch = []
    return pa.concat_tables([*batches, _table(batch, shape.names)])


def _table(batch: list[list[str]], names: list[str]) -> pa.Table:
    columns = zip(*batch, strict=True) if batch else [()] * len(names)
    return pa.table([pa.array([cell or None for cell in cells], pa.string()) for cells in columns], names=names)
