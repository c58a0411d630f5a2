"""Lines of a text file that are no rows: comments that begin with "#", and title lines above the table.

A line is only a comment if it does not split into the cells of a row: a row whose first cell begins with "#" stays.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from data.errors import DataError
from data.limits import COMMENT_HEAD_ROWS, MAX_TITLE_LINES, TRIED_TABLE_ROWS
from data.reading.csv.header import SAVETXT, find_header
from data.reading.csv.strict_csv import ANY_LENGTH, LINE_END
from text.numbers import count
from text.quoting import list_items, quote

_INSIDE = re.compile(rb"(?:\A|[\r\n])#")
_SHOWN = 6
_HEAD = 1 << 16
_TRIED = 6


def skip_comments(data: bytes, first: int, delimiters: str) -> int:
    r"""Return the place past lines that begin with "#" and split otherwise than the next; `first` without such.

    >>> skip_comments(b"# made by tool 3\na,b\n", 0, ","), skip_comments(b"#id,b\n1,2\n", 0, ",")
    (17, 0)
    """
    at, lines = first, []
    while data[at : at + 1] == b"#":
        line, stop = _read_line(data, at)
        lines.append((at, line))
        at = stop
    if not lines:
        return first
    delimiter = _choose_delimiter(data, at, delimiters)
    if delimiter is None:
        return first
    width = _count_cells(_read_line(data, at)[0], delimiter)
    if _is_header(data, at, delimiter):
        return at
    for start, line in reversed(lines):  # a row may begin with #, and only the last of several may be a header
        if _count_cells(line, delimiter) != width or (SAVETXT.match(line) and start != lines[-1][0]):
            return at
        at = start
    return at


def _choose_delimiter(data: bytes, at: int, delimiters: str) -> str | None:
    """Choose the delimiter of a line: prefer the one that splits the lines below alike over the most frequent one."""
    below: list[str] = []
    while at < len(data) and len(below) < _TRIED:
        line, at = _read_line(data, at)
        below.append(line)
    first = below[0] if below else ""
    held = [mark for mark in delimiters if mark in first]
    alike = [mark for mark in held if len({_count_cells(line, mark) for line in below if line}) == 1]
    return max(alike or held, key=first.count, default=None)


def _read_line(data: bytes, at: int) -> tuple[str, int]:
    found = LINE_END.search(data, at)
    stop = found.start() if found else len(data)
    return data[at:stop].decode(errors="replace"), found.end() if found else len(data)


def _is_header(data: bytes, at: int, delimiter: str) -> bool:
    """Return whether a line is a header by its content, not only because there is no other."""
    text = data[at : at + _HEAD].decode(errors="replace")
    records = [*itertools.islice(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), COMMENT_HEAD_ROWS)]
    return bool(records) and find_header(records).sure


def _count_cells(line: str, delimiter: str) -> int:
    csv.field_size_limit(ANY_LENGTH)
    return len(next(csv.reader([line], delimiter=delimiter), []))


@dataclass(frozen=True)
class Comments:
    """Comment lines that stand among rows: where (lines of the body, from 1), and the first of them."""

    lines: tuple[int, ...]
    example: str

    def said(self, lines_before: int) -> str:
        """Return the warning; `lines_before` the body are counted, too."""
        shown = ", ".join(f"{line + lines_before:,}" for line in self.lines[:_SHOWN])
        more = f" and {len(self.lines) - _SHOWN:,} more" if len(self.lines) > _SHOWN else ""
        one = len(self.lines) == 1
        return (
            f"{count(len(self.lines), 'line')} ({shown}{more}) {'begins' if one else 'begin'} with # and"
            f" {'does' if one else 'do'} not split into the cells of a row: skipped as"
            f" {'a comment' if one else 'comments'}, such as {quote(self.example)}."
        )


def without_comments(body: bytes, n_columns: int, delimiter: str) -> tuple[bytes, Comments | None]:
    r"""Leave out the comment lines among rows; a line inside a quoted cell is none.

    >>> without_comments(b"a,b\n# note\nc,d\n", 2, ",")[0]
    b'a,b\nc,d\n'
    """
    if n_columns < 2 or not _INSIDE.search(body):
        return body, None
    sieve = _Sieve(body, n_columns, delimiter)
    if not sieve.lines:
        return body, None
    return bytes(sieve.kept), Comments(tuple(sieve.lines), sieve.example)


class _Sieve:
    """Feeds the csv module line by line, holding back comments where a record would begin."""

    def __init__(self, body: bytes, n_columns: int, delimiter: str) -> None:
        self.kept, self.lines, self.example = bytearray(), [], ""  # type: bytearray, list[int], str
        self._between = True  # records
        self._width, self._delimiter = n_columns, delimiter
        for _ in csv.reader(self._through(body), delimiter=delimiter):
            self._between = True

    def _through(self, body: bytes) -> Iterator[str]:
        text = io.TextIOWrapper(io.BytesIO(body), encoding="utf-8", newline="")
        for number, line in enumerate(text, 1):
            if self._between and line.startswith("#") and _count_cells(line, self._delimiter) != self._width:
                self.lines.append(number)
                self.example = self.example or line.strip()
                continue
            self._between = False
            self.kept += line.encode()
            yield line


_DELIMITERS = ",;\t|"
_FEWEST_ROWS = 2
_FEWEST_COLUMNS = 3  # a line of two cells of which one is empty may be a header


def skip_title(data: bytes, first: int, sample: bytes, prefer: str, delimiter: str | None, warnings: list[str]) -> int:
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
    tried = [_read_records(text, mark, whole=first + len(sample) == len(data)) for mark in marks]
    places = [_find_table_start(records) for records, _ in tried]
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
            return skip_lines(data, first, lines[place - 1])
        if all(len(record) < 2 for record in records[:place]):
            raise DataError(
                f"data starts at line {number:,} ({preview}), and the lines above it are no header. Delete them, or "
                "write a header there."
            )
        return first
    return first


def _read_records(text: str, delimiter: str, *, whole: bool) -> tuple[list[list[str]], list[int]]:
    """Return the first records, and the number of lines up to the end of each."""
    csv.field_size_limit(ANY_LENGTH)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    found = [(record, reader.line_num) for record in itertools.islice(reader, TRIED_TABLE_ROWS)]
    if not whole and len(found) < TRIED_TABLE_ROWS:
        found = found[:-1]  # it may be cut off
    while found and not found[-1][0]:
        found.pop()
    return [record for record, _ in found], [line for _, line in found]


def _find_table_start(records: list[list[str]]) -> int | None:
    """Return the first record of a table that goes on to the last one; None where no delimiter makes one."""
    width = len(records[-1]) if records else 0
    if width < 2:
        return None
    place = next((i for i, record in enumerate(records[: MAX_TITLE_LINES + 1]) if not _is_title(record, width)), None)
    if place is None or len(records) - place <= _FEWEST_ROWS - 1:
        return None
    return place if all(len(record) == width for record in records[place:]) else None


def _has_row_names(records: list[list[str]], place: int) -> bool:
    """Return whether the only line above is one cell shorter: R leaves the rows' own names without a header."""
    return place == 1 and 2 <= len(records[0]) == len(records[1]) - 1


def _is_title(record: list[str], width: int) -> bool:
    filled = sum(bool(cell.strip()) for cell in record)
    return len(record) != width or (width >= _FEWEST_COLUMNS and filled <= 1)


def skip_lines(data: bytes, first: int, n_lines: int) -> int:
    """Return the place past so many lines."""
    ends = [found.end() for found in itertools.islice(LINE_END.finditer(data, first), n_lines)]
    return ends[-1] if len(ends) == n_lines else len(data)
