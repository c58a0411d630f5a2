"""The slow, exact reading of delimited text: Python's csv module in strict mode, row by row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

if TYPE_CHECKING:
    from _csv import Reader

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


def open_csv(text: str, delimiter: str, *, quoted: bool = True, strict: bool = False) -> Reader:
    """Return a reader of a text's records, which may have any length; quoted : whether quotation marks quote."""
    csv.field_size_limit(ANY_LENGTH)  # the limit is the module's, not the reader's
    lines = io.StringIO(text, newline="")
    return csv.reader(
        lines, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE, strict=strict
    )


def find_row(before: bytes) -> int:
    r"""Return the data row that begins or goes on after these bytes of a file, header line included.

    >>> find_row(b"a,b\n1,2\n3,"), find_row(b"a,b\n"), find_row(b"a,")
    (2, 1, 0)
    """
    return sum(1 for _ in open_csv(before.decode(errors="replace") + "x", ",")) - 1


def iterate_records(body: bytes, shape: Shape) -> Iterator[list[str]]:
    """Yield every record below the header; blank lines come as empty lists, or as the empty cell that they are.

    Raises
    ------
    csv.Error
        A quotation mark is not closed, or text follows a closing one: `data.reading.csv.row_scan` finds both before.
    """
    csv.field_size_limit(ANY_LENGTH)
    text = io.TextIOWrapper(io.BytesIO(body), encoding="utf-8", errors="replace", newline="")
    for record in csv.reader(
        text, delimiter=shape.delimiter, strict=True, quoting=csv.QUOTE_MINIMAL if shape.quoted else csv.QUOTE_NONE
    ):
        yield record or ([""] if shape.blank_is_cell else [])


def read_slowly(body: bytes, shape: Shape) -> pa.Table:
    """Make a table of text of checked records: what the fast reader gives, only slower. "" is missing."""
    batches: list[pa.Table] = []
    batch: list[list[str]] = []
    for record in iterate_records(body, shape):
        batch.append(record)
        if len(batch) == _BATCH:
            batches.append(_table(batch, shape.names))
            batch = []
    return pa.concat_tables([*batches, _table(batch, shape.names)])


def _table(batch: list[list[str]], names: list[str]) -> pa.Table:
    columns = zip(*batch, strict=True) if batch else [()] * len(names)
    return pa.table([pa.array([cell or None for cell in cells], pa.string()) for cells in columns], names=names)
