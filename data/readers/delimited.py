"""Delimited text (CSV, TSV and relatives): Arrow's reader for speed, an exact second look for doubt.

Every cell stays the text that the file holds: "001", "1.0", "NA" and "null" are words, only an empty cell is
missing. Columns whose first rows are decimals with many values are scores and become float64.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from data.evaluation import DataError
from data.readers import exact
from data.readers.cells import LABELS, check_names, few_valued, filled_names, tidy
from data.readers.limits import NAME_CHARS, Limits
from data.readers.text import check_no_nul, check_utf8
from data.readers.wording import listed, quoted

DELIMITERS = ",;\t|"
_SAMPLE_BYTES = 1 << 20
_SAMPLE_ROWS = 1_000
_BLOCK_BYTES = 1 << 20
_BLOCK_BYTES_PER_COLUMN = 8 << 10  # a chunk of a column costs memory of its own: fewer chunks in wide files
_LONG_TEXT = 200
_MANY_SCORES = 20
_COUNT_FIRST_BYTES = 64 << 20
_LINE_END = re.compile(rb"\r\n|\n|\r")
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_FRACTION = re.compile(r"\.\d*[1-9]|[eE]-", re.ASCII)
_NOT_A_NUMBER = frozenset(["nan", "NaN", "NAN", "inf", "-inf", "Inf", "-Inf"])
_NO_HEADER = "is a row like those below it, not a header"
_EXCEL_HINT = re.compile(rb"sep=([,;\t|])\r?\n", re.IGNORECASE)


@dataclass(frozen=True)
class Delimited:
    """A delimited text file as read: its table, its delimiter, and what was noticed."""

    table: pa.Table
    delimiter: str
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class _Layout:
    names: list[str]
    unnamed: list[int]
    delimiter: str
    sample: list[list[str]]
    start: int  # where the first data row begins, in bytes
    quoted: bool  # whether there is any quotation mark
    notes: list[str]
    warnings: list[str]


def read_delimited(data: bytes, limits: Limits, prefer: str = ",") -> Delimited:
    """Read UTF-8 text with a header line.

    Parameters
    ----------
    data : the file's text, UTF-8 without a byte order mark.
    prefer : the delimiter that the file's name suggests, if it occurs in the header line.

    Raises
    ------
    DataError
        One sentence that names the row and what is wrong with it.
    """
    check_no_nul(data, exact.row_after)
    data = data[: _end_of_rows(data)]
    layout = _layout(data, prefer, limits)
    body = memoryview(data)[layout.start :]
    if not len(body):
        raise DataError("it holds a header line but no rows: give one row for every prediction.")
    table = _fast(body, data, layout, limits)
    if table.num_rows > limits.rows:
        raise DataError(f"it has {table.num_rows:,} rows; the limit is {limits.rows:,} rows: give fewer.")
    table, notes, warnings = tidy(_without_empty_unnamed(table, layout), limits, blank_is_missing=True)
    return Delimited(table, layout.delimiter, (*layout.notes, *notes), (*layout.warnings, *warnings))


def _end_of_rows(data: bytes) -> int:
    r"""Where the last line that holds anything ends, its line end included.

    >>> _end_of_rows(b"a\n1 \n \n\n"), _end_of_rows(b"a\r\n1 ")
    (5, 5)
    """
    end = len(data)
    while end and data[end - 1] in b" \r\n":
        end -= 1
    if end == 0:
        raise DataError("it is empty: there is no header line and there are no rows.")
    line_end = _LINE_END.search(data, end)
    return line_end.end() if line_end else len(data)


def _layout(data: bytes, prefer: str, limits: Limits) -> _Layout:
    first, notes, warnings = 0, [], []
    hint = _EXCEL_HINT.match(data)
    if hint:
        first, prefer = hint.end(), hint.group(1).decode()
        notes.append(f"The first line said that the delimiter is a {exact.delimiter_name(prefer)}.")
    comments = _comment_lines(data, first)
    if comments > first:
        warnings.append(f"The file begins with a comment, which was skipped: {quoted(_text(data[first:comments]))}.")
        first = comments
    sample = data[first : _sample_end(data, first)]
    check_utf8(sample, exact.row_after)
    delimiter = _choose_delimiter(sample.decode(), prefer)
    records, header_lines = _records(sample.decode(), delimiter)
    doubt = _no_header(records)
    if doubt == _NO_HEADER:
        raise DataError(f"the first line ({listed(records[0], 4)}) {doubt}: add a header line with the column names.")
    names, unnamed = _names(records[0], notes, limits)
    if doubt:
        warnings.append(f"The first line ({listed(records[0], 4)}) was taken as the header, but {doubt}: check it.")
    start = _after_lines(data, first, header_lines)
    complete = first + len(sample) >= len(data)
    return _Layout(
        names, unnamed, delimiter, records[1 : None if complete else -1], start, b'"' in data, notes, warnings
    )


def _no_header(records: list[list[str]]) -> str:
    """What speaks for a first line that is a row of data and no header, or nothing."""
    header, below = records[0], [record for record in records[1:] if len(record) == len(records[0])]
    if len(header) < 2 or len(below) < 2:
        return ""
    cells = [set(column) for column in zip(*below, strict=True)]
    again = [bool(name) and name in column for name, column in zip(header, cells, strict=True)]
    fraction = [bool(_DECIMAL.fullmatch(name)) and bool(_FRACTION.search(name)) for name in header]
    if sum(again) >= 2 and all(a or f for a, f in zip(again, fraction, strict=True)):
        return _NO_HEADER
    return "some of its cells look like values" if any(fraction) and any(again) else ""


def _text(data: bytes) -> str:
    return data.decode(errors="replace").strip()


def _comment_lines(data: bytes, first: int) -> int:
    """Past the lines that begin with "#" and hold no delimiter, if the line after them holds one."""
    at = first
    while data[at : at + 1] == b"#":
        line_end = _LINE_END.search(data, at)
        if line_end is None or any(mark in data[at : line_end.start()].decode("latin-1") for mark in DELIMITERS):
            return first
        at = line_end.end()
    line_end = _LINE_END.search(data, at)
    line = data[at : line_end.start() if line_end else len(data)].decode("latin-1")
    return at if any(mark in line for mark in DELIMITERS) else first


def _sample_end(data: bytes, first: int) -> int:
    """The end of a line about a megabyte down, or of the first line if that is longer."""
    if len(data) - first <= _SAMPLE_BYTES:
        return len(data)
    cut = max(data.rfind(b"\n", first, first + _SAMPLE_BYTES), data.rfind(b"\r", first, first + _SAMPLE_BYTES - 1))
    if cut > first:
        return cut + 1
    line_end = _LINE_END.search(data, first + _SAMPLE_BYTES)
    return line_end.end() if line_end else len(data)


def _records(text: str, delimiter: str, limit: int = _SAMPLE_ROWS) -> tuple[list[list[str]], int]:
    """The first records, header included, and how many lines the header takes. Lenient: a sample may end anywhere."""
    csv.field_size_limit(exact.ANY_LENGTH)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    header = next(reader, [])
    header_lines = reader.line_num
    return [header, *itertools.islice(reader, limit)], header_lines


def _choose_delimiter(text: str, prefer: str) -> str:
    """The delimiter that the header line holds and the rows confirm; the preferred, then the most columns, first."""
    candidates = []
    for order, delimiter in enumerate([prefer, *DELIMITERS]):
        (header, *below), _ = _records(text, delimiter, limit=100)
        if len(header) > 1:
            agreeing = sum(len(record) == len(header) for record in below[:-1] or below)
            candidates.append((-agreeing, order != 0, -len(header), order, delimiter))
    return min(candidates)[-1] if candidates else prefer


def _names(header: list[str], notes: list[str], limits: Limits) -> tuple[list[str], list[int]]:
    if not header:
        raise DataError("the first line is blank: it must be the header line with the column names.")
    if len(header) == 1 and len(header[0]) > NAME_CHARS:
        raise DataError(f"the first line is {len(header[0]):,} characters long and holds no delimiter: not a table.")
    stripped = [name.strip() for name in header]
    if stripped != [name for name in header]:
        notes.append("Blanks around column names were removed.")
    names, unnamed = filled_names(stripped)
    check_names(names, limits)
    if unnamed:
        notes.append(f"Columns without a name were called {listed(names[index] for index in unnamed)}.")
    return names, unnamed


def _after_lines(data: bytes, first: int, n_lines: int) -> int:
    ends = [found.end() for found in itertools.islice(_LINE_END.finditer(data, first), n_lines)]
    return ends[-1] if len(ends) == n_lines else len(data)


def _column_type(cells: list[str]) -> pa.DataType:
    """float64 for scores, codes for few distinct texts, plain text for the rest."""
    filled = [cell for cell in cells if cell]
    distinct = set(filled)
    if _score_like(distinct, sum(cell not in _NOT_A_NUMBER for cell in filled)):
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


def _fast(body: memoryview, data: bytes, layout: _Layout, limits: Limits) -> pa.Table:
    """Arrow's table where it can be trusted; the exact one, or its complaint, where it cannot."""
    _check_row_limit(data, layout, limits)
    types = dict(zip(layout.names, map(_column_type, map(list, _columns(layout))), strict=True))
    try:
        table = _parse(body, layout, types)
    except pa.ArrowInvalid:
        table = None
    if table is not None and not _doubtful(table, data, layout):
        return table
    n_rows = exact.check_shape(bytes(body), layout.names, layout.delimiter, limits)
    if table is not None and table.num_rows == n_rows:
        return table
    return _slow(bytes(body), layout, types, limits)


def _columns(layout: _Layout) -> list[tuple[str, ...]]:
    width = len(layout.names)
    return [*zip(*(record for record in layout.sample if len(record) == width), strict=True)] or [()] * width


def _check_row_limit(data: bytes, layout: _Layout, limits: Limits) -> None:
    """Before a large file is parsed: without quotation marks every line is a row."""
    if len(data) < _COUNT_FIRST_BYTES or layout.quoted:
        return
    n_lines = data.count(b"\n", layout.start)
    if n_lines > limits.rows:
        raise DataError(f"it has {n_lines:,} rows; the limit is {limits.rows:,} rows: give fewer.")


def _parse(body: memoryview, layout: _Layout, types: dict[str, pa.DataType]) -> pa.Table:
    try:
        return _parse_as(body, layout, types)
    except pa.ArrowInvalid as error:
        if "conversion error to double" not in str(error):
            raise
    text = {name: pa.string() if pa.types.is_floating(kind) else kind for name, kind in types.items()}
    table = _parse_as(body, layout, text)
    return _with_scores(table, [name for name, kind in types.items() if pa.types.is_floating(kind)])


def _parse_as(body: memoryview, layout: _Layout, types: dict[str, pa.DataType]) -> pa.Table:
    return pacsv.read_csv(
        pa.BufferReader(pa.py_buffer(body)),
        pacsv.ReadOptions(
            column_names=layout.names,
            block_size=max(_BLOCK_BYTES, _BLOCK_BYTES_PER_COLUMN * len(layout.names)),
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


def _doubtful(table: pa.Table, data: bytes, layout: _Layout) -> bool:
    """Whether Arrow may have accepted what the csv module would not."""
    if all(column.null_count for column in table.columns) and _has_empty_row(table):
        return True
    return layout.quoted and _odd_quotes(data, layout, table.num_rows)


def _has_empty_row(table: pa.Table) -> bool:
    empty = pc.is_null(table.column(0))
    for column in table.columns[1:]:
        empty = pc.and_(empty, pc.is_null(column))
    return bool(pc.any(empty).as_py())


def _odd_quotes(data: bytes, layout: _Layout, n_rows: int) -> bool:
    """Quoted line ends, marks inside a value, or a last line left open: all rows are read again."""
    n_lines = sum(data.count(end, layout.start) for end in (b"\n", b"\r")) - data.count(b"\r\n", layout.start)
    last = max(data.rfind(b"\n", 0, len(data) - 1), data.rfind(b"\r", 0, len(data) - 2)) + 1
    if n_rows != n_lines + (data[-1] not in b"\r\n"):
        return True
    edges = re.escape(layout.delimiter.encode()) + rb"\r\n"
    inside = re.compile(rb'"(?<=[^' + edges + rb']")[^' + edges + rb"]")
    return exact.left_open(data[last:], layout.delimiter) or inside.search(data, layout.start) is not None


def _slow(body: bytes, layout: _Layout, types: dict[str, pa.DataType], limits: Limits) -> pa.Table:
    table = exact.read_slowly(body, layout.names, layout.delimiter, limits)
    for index, (name, kind) in enumerate(types.items()):
        if pa.types.is_dictionary(kind):
            table = table.set_column(index, name, table.column(name).dictionary_encode())
    return _with_scores(table, [name for name, kind in types.items() if pa.types.is_floating(kind)])


def _without_empty_unnamed(table: pa.Table, layout: _Layout) -> pa.Table:
    """Leave out unnamed columns that hold nothing: lines that end in a delimiter make one."""
    empty = [layout.names[i] for i in layout.unnamed if table.column(i).null_count == table.num_rows]
    if empty and len(empty) < table.num_columns:
        layout.notes.append(f"Empty columns without a name were left out: {listed(empty)}.")
        return table.drop_columns(empty)
    return table
