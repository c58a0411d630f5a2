"""Scan delimited text row by row, by its bytes: rows that can be read, lines that are none, and faulty rows.

A quotation mark that is opened and not closed would swallow the rows below it. Where most of these lines are rows by
themselves, the faulty row ends with the line that opens the mark.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from data.bad_rows import BLANK, CLOSING, EXAMPLES, FEWER, LONG, MORE, NOT_UTF8, NUL, QUOTE, TEXT_AFTER
from data.errors import DataError
from data.limits import LINES_AFTER_OPEN_MARK, SHOWN_LINE_CHARS
from data.process.limits import Limits
from data.reading.csv.strict_csv import LINE_END, Shape, open_csv
from data.reading.encodings import is_utf8
from text.quoting import cut

_LINE_BYTES = 4 * (SHOWN_LINE_CHARS + 1)  # a character takes up to four, and one more shows whether a line is cut
_JSON_LINE_END = re.compile(rb"\n")
_MARK = ord('"')
_QUOTED = re.compile(rb'"[^"]*+(?:""[^"]*+)*+"')


class Fault(NamedTuple):
    """A row that cannot be read: the bytes from start to stop, the row's number, and its number of values."""

    kind: str
    start: int
    stop: int
    row: int
    n_values: int = 0


class Scan(NamedTuple):
    """The rows of a text.

    kept : (start, stop) of the bytes of rows that can be read. n_rows : so many are they.
    comments, blanks : where lines begin that are no rows. n_faults : rows that cannot be read, by kind, in the order
    of the file. faults : the first of each kind, in the order of the file.
    """

    kept: list[tuple[int, int]]
    n_rows: int
    comments: list[int]
    blanks: list[int]
    n_faults: dict[str, int]
    faults: list[Fault]

    @property
    def is_clean(self) -> bool:
        """Return whether every line belongs to a row that can be read."""
        return not (self.comments or self.blanks or self.n_faults)

    def join_kept(self, body: bytes) -> bytes:
        """Return the text without what is no row that can be read."""
        return b"".join(body[start:stop] for start, stop in self.kept)


def scan_rows(body: bytes, shape: Shape, limits: Limits) -> Scan:
    r"""Scan text below its header; a row that is not UTF-8 cannot be read.

    >>> scan_rows(b"1,2\n3\n\n# end\n", Shape(["a", "b"], ","), Limits())[:5]
    ([(0, 4)], 1, [7], [6], {'fewer values': 1})
    """
    rows = _Rows(body, shape, limits)
    scan = Scan([], 0, [], [], {}, [])
    n_rows, n_faults, place = 0, 0, 0
    for kind, start, stop, n_values in rows:
        if kind == "row":
            n_rows += 1
            continue
        if start > place:
            scan.kept.append((place, start))
        place = stop
        if kind == "rest":
            if scan.faults and scan.faults[-1].stop == start:
                scan.faults[-1] = scan.faults[-1]._replace(stop=stop)
        elif kind == "comment":
            scan.comments.append(start)
        elif kind == "blank":
            scan.blanks.append(start)
        else:
            n_faults += 1
            seen = scan.n_faults.get(kind, 0)
            scan.n_faults[kind] = seen + 1
            if seen < EXAMPLES:
                scan.faults.append(Fault(kind, start, stop, n_rows + n_faults, n_values))
    if place < len(body):
        scan.kept.append((place, len(body)))
    return scan._replace(n_rows=n_rows)


class _Rows:
    """Walks from row to row; yields (kind, start, stop, number of values); "rest" belongs to the faulty row before."""

    def __init__(self, body: bytes, shape: Shape, limits: Limits) -> None:
        self._body, self._shape, self._limits = body, shape, limits
        self._width = len(shape.names)
        mark = re.escape(shape.delimiter.encode())
        after = rb"(?=%s|[\r\n]|\Z)" % mark
        plain = rb"[^%s\r\n]*+" % mark
        cell = rb'(?:%s%s|(?!")%s)' % (_QUOTED.pattern, after, plain) if shape.quoted else plain
        # RFC 4180 allows a quotation mark only around a value; files have others, which are text
        strict = rb'(?:%s%s|[^%s\r\n"]*+%s)' % (_QUOTED.pattern, after, mark, after) if shape.quoted else plain
        self._row = self._compile(cell, mark)
        self._strict_row = self._compile(strict, mark)
        self._cells = re.compile(rb"(?:%s%s)*+" % (cell, mark))
        self._any_row = re.compile(rb"(?:%s%s)*+%s(?:\r\n|\n|\r|\Z)" % (cell, mark, cell))
        self._cell = re.compile(cell)

    def _compile(self, cell: bytes, mark: bytes) -> re.Pattern[bytes]:
        filled = b"" if self._shape.blank_is_cell or self._width > 1 else rb"(?![\r\n])"
        return re.compile(filled + rb"(?:%s%s){%d}+%s(?:\r\n|\n|\r|\Z)" % (cell, mark, self._width - 1, cell))

    def __iter__(self) -> Iterator[tuple[str, int, int, int]]:
        body, place, match_row = self._body, 0, self._row.match
        longest, nul, all_utf8 = self._limits.cell_chars, self._find_nul(0), is_utf8(body)
        n_rows, n_marked, after_fault = 0, 0, False  # marked : rows that begin with a quotation mark
        while place < len(body):
            row = match_row(body, place)
            if row is None:
                kind, stop, n_values = self._judge(place)
            else:
                kind, stop, n_values = "row", row.end(), self._width
                if stop - place > longest and self._has_long_cell(place, stop):
                    kind, n_values = LONG, 0
                elif after_fault and self._is_rest(place, all_quoted=0 < n_rows == n_marked):
                    kind = "rest"
                else:
                    n_rows, n_marked, after_fault = n_rows + 1, n_marked + (body[place] == _MARK), False
            if nul < stop:
                kind, n_values = ("comment" if kind == "comment" else NUL), 0
                nul = self._find_nul(stop)
            elif kind not in ("comment", QUOTE, TEXT_AFTER) and not (all_utf8 or is_utf8(body[place:stop])):
                kind, n_values = NOT_UTF8, 0
            after_fault = after_fault or kind in (QUOTE, TEXT_AFTER)
            yield kind, place, stop, n_values
            place = stop

    def _is_rest(self, place: int, *, all_quoted: bool) -> bool:
        """Return whether a row behind a fault of marks is the rest of that row: marked inside, or begun without one."""
        return self._strict_row.match(self._body, place) is None or (all_quoted and self._body[place] != _MARK)

    def _find_nul(self, place: int) -> int:
        index = self._body.find(b"\0", place)
        return len(self._body) + 1 if index < 0 else index

    def _has_long_cell(self, start: int, stop: int) -> bool:
        return any(len(cell) > self._limits.cell_chars for cell in self.split(start, stop))

    def split(self, start: int, stop: int) -> list[str]:
        """Return the values of one row."""
        return split_row(self._body[start:stop], self._shape)

    def _judge(self, place: int) -> tuple[str, int, int]:
        """Say what a line is that begins no row that can be read, where it ends, and how many values it has."""
        line_stop = self._end_of_line(place)
        line = self._body[place:line_stop]
        if not line.strip():
            return ("blank" if self._width > 1 else BLANK), line_stop, 0
        if line.startswith(b"#") and self._width > 1 and len(split_row(line, self._shape)) != self._width:
            return "comment", line_stop, 0
        row = self._any_row.match(self._body, place)
        if row is None:
            return self._judge_quotes(place)
        n_values, opening = len(self.split(place, row.end())), self._find_broken_value(place, row.end())
        if opening is not None:
            opened = self._end_of_line(opening)
            if self._count_values(place, opening, opened) >= self._width and self._are_rows(opened, row.end()):
                return QUOTE, opened, 0
        return (MORE if n_values > self._width else FEWER), row.end(), n_values

    def _judge_quotes(self, place: int) -> tuple[str, int, int]:
        """Judge a row with a quoted value that is never closed, or that text follows."""
        opening = self._cells.match(self._body, place).end()  # type: ignore[union-attr]
        value = _QUOTED.match(self._body, opening)
        opened = self._end_of_line(opening)
        stop = self._end_of_line(value.end()) if value else len(self._body)
        if value and stop <= opened:
            return TEXT_AFTER, stop, 0
        end = self._find_end(opened, stop, self._count_values(place, opening, opened))
        if self._are_rows(end, stop):
            return QUOTE, end, 0
        return (TEXT_AFTER, self._find_row_before(value.end(), opened, stop), 0) if value else (QUOTE, stop, 0)

    def _count_values(self, place: int, opening: int, opened: int) -> int:
        """Count the values of a line up to its end, where the mark that opens the last quoted one is text."""
        before = self.split(place, opening)[:-1] if opening > place else []
        return len(before) + len(self.split(opening + 1, opened))

    def _find_end(self, line: int, stop: int, n_values: int) -> int:
        """Return where a row ends whose value goes on in the next lines: with the line that has the last value."""
        while line < stop and n_values < self._width:
            row = self._strict_row.match(self._body, line)
            if row is not None and (n_values > 1 or self._body[line : line + 1] == b'"'):
                break  # a row by itself
            end = self._end_of_line(line)
            n_values += max(0, len(self.split(line, end)) - 1)
            line = end
        return line

    def _find_row_before(self, place: int, first: int, stop: int) -> int:
        """Return where the line of a place begins, if it begins a row in quotation marks; else `stop`."""
        line = max(self._body.rfind(b"\n", 0, place), self._body.rfind(b"\r", 0, place)) + 1
        begins = line >= first and self._body[line : line + 1] == b'"' and self._strict_row.match(self._body, line)
        return line if begins else stop

    def _find_broken_value(self, start: int, stop: int) -> int | None:
        """Return where the first value of a row begins that goes on in the next line."""
        place = start
        while place < stop:
            cell = self._cell.match(self._body, place)
            if cell is None or b"\n" in cell[0] or b"\r" in cell[0]:
                return place
            place = cell.end() + 1
        return None

    def _are_rows(self, start: int, stop: int) -> bool:
        """Return whether the lines inside a value look more like rows than like text.

        A row that has a fault of its own is neither: of marks, or of some values more or fewer.
        """
        n_rows, n_texts, n_lines = 0, 0, 0
        while start < stop and n_lines < LINES_AFTER_OPEN_MARK:
            n_lines += 1
            row = self._strict_row.match(self._body, start)
            if row is not None and self._body[start : row.end()].strip():
                n_rows += 1
                start = row.end()
                continue
            n_texts += self._is_text(start)
            start = self._end_of_line(start)
        return n_rows > n_texts or n_rows == n_texts == 0

    def _is_text(self, start: int) -> bool:
        """Return whether a line is one value, or splits into a row only as a mark inside a value is let through."""
        row = self._any_row.match(self._body, start)
        return row is not None and len(self.split(start, row.end())) in (1, self._width)

    def _end_of_line(self, place: int) -> int:
        end = LINE_END.search(self._body, place)
        return end.end() if end else len(self._body)


def mark_closing_lines(body: bytes, scan: Scan, n_closing: int) -> Scan:
    r"""Return a scan whose last rows, of one line each, are faulty.

    >>> scan = Scan([(0, 8), (9, 12)], 3, [], [8], {}, [])
    >>> mark_closing_lines(b"1,2\n3,4\n\na,b", scan, 1)[:2]
    ([(0, 8)], 2)
    """
    kept = [*scan.kept]
    places: list[tuple[int, int]] = []
    for _ in range(n_closing):
        start, stop = kept.pop()
        line = _find_last_line(body, start, stop)
        places.insert(0, (line, stop))
        if line > start:
            kept.append((start, line))
    n_rows = scan.n_rows - n_closing
    n_above = n_rows + sum(scan.n_faults.values())
    faults = [Fault(CLOSING, start, stop, n_above + number) for number, (start, stop) in enumerate(places, 1)]
    return scan._replace(
        kept=kept, n_rows=n_rows, n_faults=scan.n_faults | {CLOSING: n_closing}, faults=[*scan.faults, *faults]
    )


def _find_last_line(body: bytes, start: int, stop: int) -> int:
    """Return where the last line of a part of a text begins."""
    while body[stop - 1] in b"\r\n":
        stop -= 1
    return max(start, body.rfind(b"\n", start, stop) + 1, body.rfind(b"\r", start, stop) + 1)


def split_row(row: bytes, shape: Shape) -> list[str]:
    """Return the values of a row, or of what can be read of it."""
    return next(open_csv(row.decode(errors="replace"), shape.delimiter, quoted=shape.quoted), [])


def lines_before(data: bytes, place: int, n: int) -> tuple[str, ...]:
    """Return the `n` lines before a place where a line begins, each cut."""
    first = max(0, place - (n + 1) * _LINE_BYTES)
    lines = data[first:place].splitlines()
    if first and len(lines) <= n:  # the first is longer than what was looked at
        lines[0] = b"..." + lines[0]
    return tuple(_show_line(line[:_LINE_BYTES], SHOWN_LINE_CHARS) for line in lines[-n:]) if n else ()


def lines_after(data: bytes, place: int, n: int, n_chars: int = SHOWN_LINE_CHARS) -> tuple[str, ...]:
    """Return the `n` lines from a place where a line begins, each cut."""
    lines: list[str] = []
    while len(lines) < n and place < len(data):
        end = LINE_END.search(data, place)
        stop = end.start() if end else len(data)
        lines.append(_show_line(data[place : min(stop, place + 4 * (n_chars + 1))], n_chars))
        place = end.end() if end else len(data)
    return tuple(lines)


def _show_line(line: bytes, n_chars: int) -> str:
    return cut(line.decode(errors="replace"), n_chars)


def correct_lines(data: bytes, corrections: Sequence[tuple[int, str]], *, is_json: bool) -> bytes:
    r"""Return a text with other lines in place of some; their ends stay.

    is_json : a line ends with a line feed only; else with any line end.

    Raises
    ------
    DataError
        the text has no such line.

    >>> correct_lines(b"a,b\r\n1,2,3\r\n", [(2, "1,23")], is_json=False)
    b'a,b\r\n1,23\r\n'
    """
    if not corrections:
        return data
    texts, parts, place, start = dict(corrections), [], 0, 0
    ends = (_JSON_LINE_END if is_json else LINE_END).finditer(data)
    spans = itertools.chain((end.span() for end in ends), [(len(data), len(data))])
    for number, (stop, after) in enumerate(spans, 1):
        if number in texts:
            parts += [data[place:start], texts.pop(number).encode()]
            place = stop
        start = after
    if texts:
        raise DataError(f"line {min(texts):,} was corrected, but the file ends before it.")
    return b"".join([*parts, data[place:]])
