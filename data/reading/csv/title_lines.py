"""Find the table below title lines: "Results of run 7", a date, a blank line, and only then the header."""

from __future__ import annotations

import csv
import io
import itertools
import re

from data.evaluation import DataError
from data.reading.csv import strict_csv
from data.reading.csv.header import find_header
from text.numbers import count
from text.quoting import list_items, quote

_DELIMITERS = ",;\t|"
_MOST_TITLE_LINES = 20
_TRIED_ROWS = 100
_FEWEST_ROWS = 2
_FEWEST_COLUMNS = 3  # a line of two cells of which one is empty may be a header
_LINE_END = re.compile(rb"\r\n|\n|\r")


def after_title(data: bytes, first: int, sample: bytes, prefer: str, delimiter: str | None, warnings: list[str]) -> int:
    """Return where the header begins, in bytes: `first`, or behind the lines of a title, which a warning names.

    Parameters
    ----------
    sample : the beginning of the file from `first` on. delimiter : the one a person chose; None = find it.

    Raises
    ------
    DataError
        lines without a cell of the table stand above it, and the line below them does not read as its header.
    """
    text = sample.decode(errors="replace")
    marks = [delimiter] if delimiter else dict.fromkeys([prefer, *_DELIMITERS])
    tried = [_records(text, mark, whole=first + len(sample) == len(data)) for mark in marks]
    places = [_table_begins(records) for records, _ in tried]
    if 0 in places:  # a table from the first line on
        return first
    for place, (records, lines) in zip(places, tried, strict=True):
        if place is None or _has_row_names(records, place):
            continue
        header, number = find_header(records[place:]), data.count(b"\n", 0, first) + lines[place - 1] + 1
        preview = list_items(records[place], 4)
        if header.found and header.sure:
            above = " ".join(" ".join(record).strip() for record in records[:place]).strip()
            warnings.append(
                f"{count(lines[place - 1], 'line')} above the table left out ({quote(above, 60)}): data starts at "
                f"line {number:,} with the header ({preview})."
            )
            return _after_lines(data, first, lines[place - 1])
        if all(len(record) < 2 for record in records[:place]):
            raise DataError(
                f"data starts at line {number:,} ({preview}), and the lines above it are no header: delete them, or "
                "write a header there."
            )
        return first
    return first


def _records(text: str, delimiter: str, *, whole: bool) -> tuple[list[list[str]], list[int]]:
    """The first records, and the number of lines up to the end of each."""
    csv.field_size_limit(strict_csv.ANY_LENGTH)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    found = [(record, reader.line_num) for record in itertools.islice(reader, _TRIED_ROWS)]
    if not whole and len(found) < _TRIED_ROWS:
        found = found[:-1]  # it may be cut off
    while found and not found[-1][0]:
        found.pop()
    return [record for record, _ in found], [line for _, line in found]


def _table_begins(records: list[list[str]]) -> int | None:
    """The first record of a table that goes on to the last one; None where no delimiter makes one."""
    width = len(records[-1]) if records else 0
    if width < 2:
        return None
    place = next((i for i, record in enumerate(records[: _MOST_TITLE_LINES + 1]) if not _is_title(record, width)), None)
    if place is None or len(records) - place <= _FEWEST_ROWS - 1:
        return None
    return place if all(len(record) == width for record in records[place:]) else None


def _has_row_names(records: list[list[str]], place: int) -> bool:
    """Whether the only line above is one cell shorter: a header without a name for the rows' own, as R writes it."""
    return place == 1 and 2 <= len(records[0]) == len(records[1]) - 1


def _is_title(record: list[str], width: int) -> bool:
    filled = sum(bool(cell.strip()) for cell in record)
    return len(record) != width or (width >= _FEWEST_COLUMNS and filled <= 1)


def _after_lines(data: bytes, first: int, n_lines: int) -> int:
    ends = [found.end() for found in itertools.islice(_LINE_END.finditer(data, first), n_lines)]
    return ends[-1] if len(ends) == n_lines else len(data)
