"""Read the rows of delimited text with Arrow, and each of them again where that cannot be trusted."""

from __future__ import annotations

import re

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from data.limits import COUNT_ROWS_FIRST_BYTES, CSV_BLOCK_BYTES, LAYOUT_SAMPLE_BYTES
from data.process.limits import Limits
from data.reading.cells import LABELS, few_valued
from data.reading.csv import strict_csv
from data.reading.csv.empty_rows import find_empty_rows
from data.reading.csv.layout import DELIMITERS as DELIMITERS, Layout, read_records
from data.reading.csv.row_scan import Scan, scan_rows

_BLOCK_BYTES_PER_COLUMN = 8 << 10  # a chunk of a column costs memory of its own: fewer chunks in wide files
_LONG_TEXT = 200
_MANY_SCORES = 20
_DECIMAL = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?", re.ASCII)
_FRACTION = re.compile(r"\.\d*[1-9]|[eE]-", re.ASCII)
_NOT_A_NUMBER = frozenset(["nan", "NaN", "NAN", "inf", "-inf", "Inf", "-Inf"])


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


def read_fast(data: bytes, layout: Layout, limits: Limits) -> tuple[pa.Table, Scan | None]:
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
        table = _read_slow(body, layout, types)
    return table, scan


def read_sample(body: bytes, layout: Layout) -> list[list[str]]:
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


def _read_slow(body: bytes, layout: Layout, types: dict[str, pa.DataType]) -> pa.Table:
    table = strict_csv.read_slowly(body, layout.shape)
    for index, (name, kind) in enumerate(types.items()):
        if pa.types.is_dictionary(kind):
            table = table.set_column(index, name, table.column(name).dictionary_encode())
    return _with_scores(table, [name for name, kind in types.items() if pa.types.is_floating(kind)])
