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
import pyarrow.csv as pacsv

from data.bad_rows import LeftOutRows, say_blank_cells, say_blank_end
from data.errors import DataError, FinalError
from data.limits import COUNT_ROWS_FIRST_BYTES, CSV_BLOCK_BYTES, LAYOUT_SAMPLE_BYTES
from data.process.limits import Limits
from data.reading.cells import LABELS, few_valued, tidy
from data.reading.csv import strict_csv
from data.reading.csv.closing_lines import count_closing_lines
from data.reading.csv.decimals import read_decimals, say_decimals
from data.reading.csv.empty_rows import find_empty_rows
from data.reading.csv.extra_rows import counts_rows, say_index, without_extra_rows
from data.reading.csv.layout import DELIMITERS as DELIMITERS, NO_DELIMITER, Layout, find_layout, read_records
from data.reading.csv.row_faults import FaultyText
from data.reading.csv.row_scan import Scan, scan_rows
from data.reading.csv.strict_csv import LINE_END
from data.reading.csv.total_rows import count_totals
from data.reading.encodings import check_not_utf16, name_row
from data.reading.options import DETECT, ReadOptions
from data.reading.surrounded_values import without_padding
from text.quoting import list_items, quote

_BLOCK_BYTES_PER_COLUMN = 8 << 10  # a chunk of a column costs memory of its own: fewer chunks in wide files
_LONG_TEXT = 200
_MANY_SCORES = 20
_DECIMAL = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?", re.ASCII)
_FRACTION = re.compile(r"\.\d*[1-9]|[eE]-", re.ASCII)
_PANDAS_INDEX = re.compile(r"Unnamed: 0(?:\.\d+|_level_\d+)?")
_ROWS_OF_AN_INDEX = 10  # two columns without names: a shorter first one that counts may be labels
_NOT_A_NUMBER = frozenset(["nan", "NaN", "NAN", "inf", "-inf", "Inf", "-Inf"])


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
    more_warnings = [*more_warnings, *padding]
    if layout.decimal is not None:
        table, columns, doubts = read_decimals(table, layout.decimal)
        more_notes, more_warnings = [*more_notes, *say_decimals(columns, layout.decimal)], [*more_warnings, *doubts]
    if table.num_rows == 0:
        raise DataError("all its rows are empty: give one row for every prediction.")
    table = _with_index(table, layout)
    _say_unnamed(table, layout)
    blank_notes = _say_blank(table, layout)
    alone = layout.delimiter == NO_DELIMITER
    return Delimited(
        table,
        None if alone else layout.delimiter,
        "Text lines" if alone and plain else "CSV",
        layout.choice,
        (*layout.notes, *notes, *more_notes),
        (*layout.warnings, *blank_notes, *warnings, *more_warnings),
        layout.above,
        left_out,
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


def _choose_column_type(cells: list[str], decimal: str | None) -> pa.DataType:
    """Choose float64 for scores, codes for few distinct texts, plain text for the rest."""
    filled = [cell for cell in cells if cell]
    distinct = set(filled)
    if decimal != "," and _score_like(distinct, sum(cell not in _NOT_A_NUMBER for cell in filled)):
        return pa.float64()
    if sum(map(len, distinct)) > _LONG_TEXT * len(distinct):
        return pa.string()
    return LABELS if few_valued(len(distinct), len(filled)) else pa.string()


def _score_like(distinct: set[str], n_numbers: int) -> bool:
    numbers = distinct - _NOT_A_NUMBER
    return (
        len(numbers) >= min(_MANY_SCORES, (n_numbers + 1) // 2)
        and any(map(_FRACTION.search, numbers))
        and all(map(_DECIMAL.fullmatch, numbers))
    )


def _read_rows(
    data: bytes, layout: Layout, limits: Limits, options: ReadOptions
) -> tuple[pa.Table, LeftOutRows | None]:
    """Return Arrow's table where it can be trusted, else what the exact look at every row finds.

    Raises
    ------
    BadRowsFound
        rows cannot be read, and nobody said that they are left out.
    """
    table, scan = _read_fast(data, layout, limits)
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
    layout = dataclasses.replace(text.layout, start=0, sample=_read_sample(body, text.layout))
    return _read_fast(body, layout, text.limits)[0]


def _read_fast(data: bytes, layout: Layout, limits: Limits) -> tuple[pa.Table, Scan | None]:
    """Return Arrow's table where it can be trusted; else a scan of every row, and the exact table if that is clean."""
    _check_row_limit(data, layout, limits)
    kinds = [_choose_column_type(list(cells), layout.decimal) for cells in _columns(layout)]
    types = dict(zip(layout.names, kinds, strict=True))
    try:
        table = _parse(memoryview(data)[layout.start :], layout, types)
    except pa.ArrowInvalid:
        table = None
    if table is not None and not _is_doubtful(table, data, layout):
        return table, None
    body = data[layout.start :]
    scan = scan_rows(body, layout.shape, limits)
    limits.check_rows(scan.n_rows)
    if scan.is_clean and (table is None or table.num_rows != scan.n_rows):
        table = _read_slow(body, layout, types, limits)
    return table, scan


def _read_sample(body: bytes, layout: Layout) -> list[list[str]]:
    """Return the first records of rows that can all be read, to choose the columns' types by."""
    text = body[:LAYOUT_SAMPLE_BYTES].decode(errors="replace")
    first, *others = read_records(text, layout.delimiter, quoting=layout.quoted)[0]
    return [first, *(others[:-1] if len(body) > LAYOUT_SAMPLE_BYTES else others)]


def _columns(layout: Layout) -> list[tuple[str, ...]]:
    width = len(layout.names)
    return [*zip(*(record for record in layout.sample if len(record) == width), strict=True)] or [()] * width


def _check_row_limit(data: bytes, layout: Layout, limits: Limits) -> None:
    """Refuse a large file of too many lines before it is parsed: without quotation marks every line is a row."""
    if len(data) < COUNT_ROWS_FIRST_BYTES or layout.quoted:
        return
    n_lines = data.count(b"\n", layout.start)
    limits.check_rows(n_lines)


def _parse(body: memoryview, layout: Layout, types: dict[str, pa.DataType]) -> pa.Table:
    try:
        return _parse_as(body, layout, types)
    except pa.ArrowInvalid as error:
        if "conversion error to double" not in str(error):
            raise
    text = {name: pa.string() if pa.types.is_floating(kind) else kind for name, kind in types.items()}
    table = _parse_as(body, layout, text)
    return _with_scores(table, [name for name, kind in types.items() if pa.types.is_floating(kind)])


def _parse_as(body: memoryview, layout: Layout, types: dict[str, pa.DataType]) -> pa.Table:
    return pacsv.read_csv(
        pa.BufferReader(pa.py_buffer(body)),
        pacsv.ReadOptions(
            column_names=layout.names,
            block_size=max(CSV_BLOCK_BYTES, _BLOCK_BYTES_PER_COLUMN * len(layout.names)),
        ),
        pacsv.ParseOptions(
            delimiter=layout.delimiter,
            quote_char='"' if layout.quoted else False,
            newlines_in_values=layout.quoted,
            ignore_empty_lines=False,
        ),
        pacsv.ConvertOptions(
            column_types=types, null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=True
        ),
    )


def _with_scores(table: pa.Table, names: list[str]) -> pa.Table:
    """Make text columns float64 where every cell allows it; the others stay the text they are."""
    for name in names:
        column = table.column(name)
        try:
            blank = pc.utf8_is_space(column)
            numbers = pc.if_else(blank, pa.scalar(None, pa.string()), column).cast(pa.float64())
        except pa.ArrowInvalid:
            continue
        table = table.set_column(table.column_names.index(name), name, numbers)
    return table


def _is_doubtful(table: pa.Table, data: bytes, layout: Layout) -> bool:
    """Return whether Arrow may have accepted what the exact look would not."""
    if data.find(b"\0", layout.start) >= 0:
        return True
    if not layout.blank_is_cell and find_empty_rows(table):
        return True
    return layout.quoted and _has_odd_quotes(data, layout, table.num_rows)


def _has_odd_quotes(data: bytes, layout: Layout, n_rows: int) -> bool:
    """Return whether quoted line ends, or marks elsewhere than around a value, need all rows read again."""
    n_lines = sum(data.count(end, layout.start) for end in (b"\n", b"\r")) - data.count(b"\r\n", layout.start)
    if n_rows != n_lines + (data[-1] not in b"\r\n"):
        return True
    edges = re.escape(layout.delimiter.encode()) + rb'\r\n"'
    paired = re.compile(rb'(?:[^"]*+"(?<![^%s]")[^"]*+"(?=[%s]|\Z))*+[^"]*+\Z' % (edges, edges))
    return paired.match(data, layout.start) is None


def _read_slow(body: bytes, layout: Layout, types: dict[str, pa.DataType], limits: Limits) -> pa.Table:
    table = strict_csv.read_slowly(body, layout.shape, limits)
    for index, (name, kind) in enumerate(types.items()):
        if pa.types.is_dictionary(kind):
            table = table.set_column(index, name, table.column(name).dictionary_encode())
    return _with_scores(table, [name for name, kind in types.items() if pa.types.is_floating(kind)])


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


def _say_blank(table: pa.Table, layout: Layout) -> list[str]:
    """Warn that blank lines of a file without a delimiter are cells: without them the others would move up."""
    n_blank = table.column(0).null_count if layout.blank_is_cell else 0
    if not n_blank:
        return []
    first = pc.index(table.column(0).is_null(), True).as_py() + 1
    return [say_blank_cells(n_blank, first, "line")]
