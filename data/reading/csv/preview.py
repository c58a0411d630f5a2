"""Preview how the first lines of a file split: what a person sees before it is read again in another way."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import pyarrow as pa

from data.columns.written_numbers import read_written_numbers
from data.errors import DataError
from data.limits import COLUMN_NAME_CHARS, PREVIEWED_LINES, PREVIEWED_RECORDS, PREVIEWED_ROWS
from data.reading.cells import fill_names, number_names
from data.reading.csv.decimals import read_decimals, say_decimals
from data.reading.csv.header import find_header
from data.reading.csv.layout import skip_above, skip_hint, split_by_options
from data.reading.csv.split import NO_DELIMITER, Split, has_row_names
from data.reading.csv.strict_csv import open_csv
from data.reading.options import Preview, PreviewLine, ReadOptions

_SAMPLE_CHARS = 1 << 20
_CELL_CHARS = 200
_MOST_CELLS = 30


@dataclass(frozen=True)
class Previewed:
    """A preview, and its first rows as a table, by which roles are found."""

    preview: Preview
    table: pa.Table


Numbered = tuple[int, list[str]]
"""(number of its first line, cells) of a record."""


def preview_text(data: bytes, encoding: str, prefer: str, options: ReadOptions, *, plain: bool) -> Previewed:
    """Preview delimited text; prefer, plain : as `data.reading.csv.layout.find_layout` has them.

    Raises
    ------
    DataError
        the chosen header line is beyond the end.
    """
    first, prefer = skip_hint(data, prefer, [])
    first = skip_above(data, first, options, [])
    text = data[first:].decode(errors="replace")
    before = data.count(b"\n", 0, first)
    is_whole = len(text) <= _SAMPLE_CHARS
    split = split_by_options(text[:_SAMPLE_CHARS], prefer, options, plain=plain, whole=is_whole)
    n_above, header = _find_header(split, options, plain=plain)
    above = [(number, [line]) for number, line in enumerate(_head_lines(data, before + n_above), 1)]
    records = _iterate_records(text, split.delimiter, before, n_above)
    n_lines = data.count(b"\n") + (not data.endswith(b"\n"))
    marked = "" if split.delimiter == NO_DELIMITER else split.delimiter
    return _preview(above, records, header, options, n_lines, delimiter=marked, encoding=encoding)


def preview_rows(rows: Iterable[Sequence[str]], n_above: int, n_lines: int, options: ReadOptions) -> Previewed:
    """Preview the rows of a sheet, of which the first `n_above` stand above the table."""
    numbered = ((number, list(row)) for number, row in enumerate(rows, 1))
    above = [*islice(numbered, n_above)]
    header = options.header is not False
    return _preview(above, (pair for pair in numbered if any(pair[1])), header, options, n_lines, delimiter=None)


def _find_header(split: Split, options: ReadOptions, *, plain: bool) -> tuple[int, bool]:
    """Return how many lines of the text stand above the table, and whether it begins with a header."""
    if options.header is not None or not split.records:
        return 0, options.header is not False
    if split.place and not plain and not has_row_names(split) and split.header is not None and split.header.exists:
        return split.lines_above, True
    return 0, find_header(split.records, plain=plain).exists


def _head_lines(data: bytes, n: int) -> list[str]:
    head = data.split(b"\n", n)[:n] if n else []
    return [line.decode(errors="replace").rstrip("\r") for line in head]


def _iterate_records(text: str, delimiter: str, before: int, n_above: int) -> Iterator[Numbered]:
    """Yield the records below the first `n_above` lines; blank ones as no cells."""
    reader = open_csv("".join(islice(io.StringIO(text, newline=""), n_above, None)), delimiter)
    number = before + n_above + 1
    for record in reader:
        yield number, record
        number = before + n_above + 1 + reader.line_num


def _preview(
    above: list[Numbered],
    records: Iterator[Numbered],
    has_header: bool,
    options: ReadOptions,
    n_lines: int,
    *,
    delimiter: str | None,
    encoding: str = "",
) -> Previewed:
    head = [*islice(records, PREVIEWED_ROWS)]
    if not any(cell.strip() for _, cells in head for cell in cells):
        raise DataError("there is no line of a table.")
    top = head[0] if has_header else None
    rows = head[1:] if has_header else head
    width = _find_width(top, rows)
    names = _name_columns(top[1] if top else [], width)
    n_rows, n_misfits, last = _count_rows(chain(rows, records), width)
    table, decimal, notes = _make_table(rows, names, options)
    preview = Preview(
        delimiter, top[0] if top else 0, decimal, encoding, "", (), _mark_lines(above, top, rows, width), tuple(names),
        n_lines, max(last, head[-1][0]), len(above), n_rows, n_misfits, tuple(notes),
    )  # fmt: skip
    return Previewed(preview, table)


def _find_width(top: Numbered | None, rows: Sequence[Numbered]) -> int:
    """Return the cells that a row should have: as the header, or most rows where there is none or all have one more."""
    widths = Counter(len(cells) for _, cells in rows if cells)
    most = widths.most_common(1)[0][0] if widths else 1
    if top is None or (len(widths) == 1 and most == len(top[1]) + 1):
        return most
    return max(1, len(top[1]))


def _name_columns(header: Sequence[str], width: int) -> list[str]:
    names = ["" for _ in range(width - len(header))] + [name.strip()[:COLUMN_NAME_CHARS] for name in header]
    return number_names(fill_names(names)[0])[0]


def _count_rows(rows: Iterator[Numbered], width: int) -> tuple[int, int, int]:
    """Count rows and those that do not fit, as far as they are counted; also return the last line."""
    n_rows = n_misfits = last = 0
    for number, cells in islice(rows, PREVIEWED_RECORDS):
        last = number
        if cells:
            n_rows += 1
            n_misfits += len(cells) != width
    return n_rows, n_misfits, last


def _make_table(
    rows: Sequence[Numbered], names: Sequence[str], options: ReadOptions
) -> tuple[pa.Table, str, list[str]]:
    """Return the first rows that fit as a table of text, the decimal mark, and what it says about columns."""
    fitting = [cells for _, cells in rows if len(cells) == len(names)]
    columns = [*zip(*fitting, strict=True)] if fitting else [()] * len(names)
    cells = [pa.array([cell or None for cell in column], pa.string()) for column in columns]
    table = pa.table(cells, names=list(names))
    filled = ([cell for cell in column if cell] for column in columns)
    decimal = options.decimal
    if not decimal:
        decimal = "," if any(map(_has_commas, filled)) else "."
    read, numbers, _ = read_decimals(table, decimal)
    return (read if options.decimal or decimal == "," else table), decimal, say_decimals(numbers, decimal)


def _has_commas(cells: list[str]) -> bool:
    written = read_written_numbers(cells)
    return written is not None and "decimal commas" in written[1]


def _mark_lines(
    above: list[Numbered], top: Numbered | None, rows: Sequence[Numbered], width: int
) -> tuple[PreviewLine, ...]:
    """Return the first lines; of a table that begins far below, the lines around its header."""
    kinds = [(number, cells, "above") for number, cells in above]
    kinds += [(top[0], top[1], "header")] if top else []
    kinds += [(number, cells, _name_kind(cells, width)) for number, cells in rows]
    start = max(0, len(above) - PREVIEWED_LINES // 2) if len(above) >= PREVIEWED_LINES - 2 else 0
    return tuple(
        PreviewLine(number, tuple(cell[:_CELL_CHARS] for cell in cells[:_MOST_CELLS]), kind)
        for number, cells, kind in kinds[start : start + PREVIEWED_LINES]
    )


def _name_kind(cells: Sequence[str], width: int) -> str:
    if not cells:
        return "blank"
    return "row" if len(cells) == width else "misfit"
