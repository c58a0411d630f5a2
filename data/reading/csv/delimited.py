"""Delimited text (CSV, TSV and relatives): Arrow's reader for speed, an exact second look for doubt.

Every cell stays the text that the file holds: "001", "1.0", "NA" and "null" are words, only an empty cell is
missing. Columns whose first rows are decimals with many values are scores and become float64.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from data.bad_rows import LeftOutRows, say_blank_cells, say_blank_end
from data.errors import DataError, FinalError
from data.process.limits import Limits
from data.reading.cells import tidy
from data.reading.csv import strict_csv
from data.reading.csv.closing_lines import count_closing_lines
from data.reading.csv.decimals import read_decimals, say_decimals
from data.reading.csv.extra_rows import counts_rows, say_index, without_extra_rows
from data.reading.csv.fast_rows import read_fast, read_sample
from data.reading.csv.layout import DELIMITERS as DELIMITERS, NO_DELIMITER, Layout, find_layout
from data.reading.csv.row_faults import FaultyText
from data.reading.csv.row_scan import Scan
from data.reading.csv.strict_csv import LINE_END
from data.reading.csv.total_rows import count_totals
from data.reading.encodings import check_not_utf16, name_row
from data.reading.options import DETECT, ReadOptions
from data.reading.surrounded_values import without_padding
from text.quoting import list_items, quote

_PANDAS_INDEX = re.compile(r"Unnamed: 0(?:\.\d+|_level_\d+)?")
_ROWS_OF_AN_INDEX = 10  # two columns without names: a shorter first one that counts may be labels


@dataclass(frozen=True)
class Delimited:
    """A delimited text file as read: its table, its delimiter, and what was noticed."""

    table: pa.Table
    delimiter: str | None  # None: every line is one cell
    format: str
    choice: str  # which delimiter and header were chosen, and what confirms it
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    above: str = ""  # what stands above the table
    left_out: LeftOutRows | None = None  # rows that cannot be read


def read_delimited(
    data: bytes, limits: Limits, prefer: str = ",", *, options: ReadOptions = DETECT, plain: bool = False
) -> Delimited:
    """Read UTF-8 text, with a header line or without.

    Parameters
    ----------
    data : the file's text, UTF-8 without a byte order mark.
    prefer : the delimiter that the file's name suggests, if it occurs in the first line.
    options : what a person said about delimiter and header.
    plain : the file is plain text by its name: it may hold one cell a line, and no header.

    Raises
    ------
    DataError
        One sentence that names the row and what is wrong with it.
    """
    check_not_utf16(data)
    rows_end = _end_of_rows(data)
    n_blank = _count_lines(data[rows_end:])
    data = data[:rows_end]
    layout = _find_layout(data, prefer, limits, options, plain=plain)
    if layout.start >= len(data):
        raise FinalError("it holds a header line but no rows: give one row for every prediction.")
    if n_blank:
        layout.notes.append(say_blank_end(n_blank, "line"))
    table, left_out = _read_rows(data, layout, limits, options)
    limits.check_rows(table.num_rows)
    table, notes, warnings = tidy(_without_empty_unnamed(table, layout), limits, blank_is_missing=True)
    table = _without_empty_unnamed(table, layout)  # cells of blanks are empty now, too
    table, more_notes, more_warnings = without_extra_rows(table)
    table, padding = without_padding(table)
    more_warnings += padding
    if layout.decimal is not None:
        table, columns, doubts = read_decimals(table, layout.decimal)
        more_notes += say_decimals(columns, layout.decimal)
        more_warnings += doubts
    if table.num_rows == 0:
        raise DataError("all its rows are empty: give one row for every prediction.")
    table = _with_index(table, layout)
    _say_unnamed(table, layout)
    blank_warnings = _warn_of_blank(table, layout)
    one_cell_a_line = layout.delimiter == NO_DELIMITER
    return Delimited(
        table=table,
        delimiter=None if one_cell_a_line else layout.delimiter,
        format="Text lines" if one_cell_a_line and plain else "CSV",
        choice=layout.choice,
        notes=(*layout.notes, *notes, *more_notes),
        warnings=(*layout.warnings, *blank_warnings, *warnings, *more_warnings),
        above=layout.above,
        left_out=left_out,
    )


def _find_layout(data: bytes, prefer: str, limits: Limits, options: ReadOptions, *, plain: bool) -> Layout:
    """Find the layout; a zero byte in the header, or where no layout can be found, is what is wrong."""
    nul = data.find(b"\0")
    try:
        layout = find_layout(data, prefer, limits, options, plain=plain)
    except DataError:
        if nul < 0:
            raise
    else:
        if not 0 <= nul < layout.start:
            return layout
    row = name_row(strict_csv.find_row(data[:nul]))
    raise DataError(f"{row} holds a zero byte (NUL): this is binary data, not text; export it as CSV.")


def _end_of_rows(data: bytes) -> int:
    r"""Find where the last line that holds anything ends, its line end included.

    >>> _end_of_rows(b"a\n1 \n \n\n"), _end_of_rows(b"a\r\n1 ")
    (5, 5)
    """
    end = len(data)
    while end and data[end - 1] in b" \r\n":
        end -= 1
    if end == 0:
        raise DataError("it is empty: give a header line, and one row for every prediction.")
    line_end = LINE_END.search(data, end)
    return line_end.end() if line_end else len(data)


def _count_lines(data: bytes) -> int:
    r"""Count lines; the last one need not have a line end.

    >>> _count_lines(b""), _count_lines(b"\r\n\n"), _count_lines(b"\n  ")
    (0, 2, 2)
    """
    ends = [ending.end() for ending in LINE_END.finditer(data)]
    return len(ends) + (len(data) > max(ends, default=0))


def _read_rows(
    data: bytes, layout: Layout, limits: Limits, options: ReadOptions
) -> tuple[pa.Table, LeftOutRows | None]:
    """Return Arrow's table where it can be trusted, else what the exact look at every row finds.

    Raises
    ------
    BadRowsFound
        rows cannot be read, and nobody said that they are left out.
    """
    table, scan = read_fast(data, layout, limits)
    scan = scan or Scan([(0, len(data) - layout.start)], table.num_rows, [], [], {}, [])
    text = FaultyText(data, layout, scan, limits, options)
    layout.warnings.extend(text.warnings())
    if not scan.is_clean:
        table = _read_kept(text)
    n_closing = count_closing_lines(table)
    if n_closing and not count_totals(table):  # which are left out with a warning
        text = text.with_closing_lines(n_closing)
        table = table if text.scan is scan else _read_kept(text)
    return table, text.describe_rows().account if text.scan.n_faults else None


def _read_kept(text: FaultyText) -> pa.Table:
    """Read the rows of a text that can be read, once the others may be left out."""
    if text.scan.n_faults and not text.may_skip:
        raise text.error()
    if not text.scan.kept:
        raise DataError("it holds a header line and comments but no rows: give one row for every prediction.")
    body = text.scan.join_kept(text.data[text.layout.start :])
    layout = dataclasses.replace(text.layout, start=0, sample=read_sample(body, text.layout))
    return read_fast(body, layout, text.limits)[0]


def _without_empty_unnamed(table: pa.Table, layout: Layout) -> pa.Table:
    """Leave out unnamed columns that hold nothing: lines that end in a delimiter make one."""
    unnamed = {layout.names[index] for index in layout.unnamed}
    columns = zip(table.column_names, table.columns, strict=True)
    empty = [name for name, column in columns if name in unnamed and column.null_count == table.num_rows]
    if empty and len(empty) < table.num_columns:
        layout.notes.append(f"Empty columns without a name were left out: {list_items(empty)}.")
        left_out = set(empty)
        return table.select([name for name in table.column_names if name not in left_out])
    return table


def _with_index(table: pa.Table, layout: Layout) -> pa.Table:
    """Name an unnamed first column that counts the rows."""
    name = table.column_names[0]
    unnamed = 0 in layout.unnamed and name == layout.names[0]
    sure = layout.header or table.num_columns > 2 or table.num_rows >= _ROWS_OF_AN_INDEX
    if table.num_columns < 2 or not (sure and (unnamed or _PANDAS_INDEX.fullmatch(name))):
        return table
    if "index" in table.column_names or not counts_rows(table.column(0)):
        return table
    layout.notes.append(say_index("index", "without a name" if unnamed else quote(name)))
    return table.rename_columns(["index", *table.column_names[1:]])


def _say_unnamed(table: pa.Table, layout: Layout) -> None:
    left = {layout.names[index] for index in layout.unnamed} & set(table.column_names)
    if left and layout.header:
        named = list_items(name for name in layout.names if name in left)
        layout.notes.append(f"Columns without a name were called {named}.")


def _warn_of_blank(table: pa.Table, layout: Layout) -> list[str]:
    """Warn that blank lines of a file without a delimiter are cells: without them the others would move up."""
    n_blank = table.column(0).null_count if layout.blank_is_cell else 0
    if not n_blank:
        return []
    first = pc.index(table.column(0).is_null(), True).as_py() + 1
    return [say_blank_cells(n_blank, first, "line")]
