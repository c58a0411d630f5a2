"""Lines of a text file that are no rows: comments that begin with "#".

A line is only a comment if it does not split into the cells of a row: a row whose first cell begins with "#" stays.
"""

from __future__ import annotations

import csv
import io
import itertools

from data.limits import COMMENT_HEAD_ROWS
from data.reading.csv.header import SAVETXT, find_header
from data.reading.csv.strict_csv import ANY_LENGTH, LINE_END

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
