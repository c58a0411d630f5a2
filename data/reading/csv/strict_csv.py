"""The slow, exact look at delimited text: Python's csv module in strict mode, row by row.

The fast reader is quick to accept: an empty line becomes an empty row, a quotation mark that is never closed
swallows the lines after it. Whatever looks odd there is read again here, and named by row.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import pyarrow as pa

from data.errors import DataError
from data.limits import STRICT_HEAD_ROWS
from data.process.limits import Limits
from data.reading.encodings import check_utf8
from text.numbers import count
from text.quoting import list_items, name_delimiter

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


def find_row(before: bytes, delimiter: str = ",") -> int:
    r"""Return the data row that begins or goes on after these bytes of a file, header line included.

    >>> find_row(b"a,b\n1,2\n3,"), find_row(b"a,b\n"), find_row(b"a,")
    (2, 1, 0)
    """
    text = io.StringIO(before.decode(errors="replace") + "x", newline="")
    csv.field_size_limit(ANY_LENGTH)
    return sum(1 for _ in csv.reader(text, delimiter=delimiter)) - 1


def iterate_records(body: bytes, shape: Shape, limits: Limits) -> Iterator[list[str]]:
    """Yield every record below the header; blank lines come as empty lists, or as the empty cell that they are.

    Raises
    ------
    DataError
        Naming the row where a quotation mark is not closed, or text follows a closing one.
    """
    n_rows = 0
    csv.field_size_limit(limits.cell_chars)
    text = io.TextIOWrapper(io.BytesIO(body), encoding="utf-8", newline="")
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


def check_shape(body: bytes, shape: Shape, limits: Limits) -> int:
    """Count the rows, refusing blank lines and rows of another length than the header.

    Raises
    ------
    DataError
        Naming the first row that is wrong, what came and what was wanted.
    """
    n_rows = 0
    check_utf8(body, lambda before: find_row(b"\n" + before, shape.delimiter))
    for n_rows, record in enumerate(iterate_records(body, shape, limits), 1):
        if len(record) != len(shape.names):
            raise DataError(_ragged_text(body, n_rows, record, shape, limits))
        if n_rows > limits.rows:
            limits.check_rows(n_rows, f"it has {n_rows:,} rows or more")
    return n_rows


def _ragged_text(body: bytes, row: int, record: list[str], shape: Shape, limits: Limits) -> str:
    if len(record) <= 1 and not "".join(record).strip():
        return f"row {row:,} is a blank line inside the file; fill it or delete it."
    n_columns = len(shape.names)
    wanted = f"the header names {count(n_columns, 'column')}" if shape.header else f"the first has {n_columns:,}"
    text = f"row {row:,} has {count(len(record), 'value')}, but {wanted} ({list_items(shape.names)})"
    if row == 1 and _every_row_has(n_columns + 1, body, shape, limits):
        return text + "; every row has one more, so the header lacks a name: add it, or leave the extra values out."
    if len(record) > n_columns:
        return text + f"; a {name_delimiter(shape.delimiter)} inside a value needs quotation marks around the value."
    return text + "."


def _every_row_has(n_values: int, body: bytes, shape: Shape, limits: Limits) -> bool:
    try:
        return all(len(record) == n_values for record in islice(iterate_records(body, shape, limits), STRICT_HEAD_ROWS))
    except DataError:
        return False


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
