"""Find the lines of JSON lines that are no objects; leave out blank ones, and others where a person says so."""

from __future__ import annotations

from typing import Any, NamedTuple

from data.bad_rows import EXAMPLES, JSON, KINDS, BadRow, BadRows, say_blank_lines
from data.errors import DataError
from data.reading.csv.row_scan import lines_after, lines_before
from data.reading.json.streams import decode_line

_NEIGHBOURS = 2


class Lines(NamedTuple):
    """The lines of a text.

    kept : those that hold an object. n_rows : so many are they. blanks : numbers of blank lines, from 1.
    bad : the others; None = there are none.
    """

    kept: bytes
    n_rows: int
    blanks: list[int]
    bad: BadRows | None

    @property
    def may_skip(self) -> bool:
        """Return whether the others may be left out: where most lines are such, the file is something else."""
        return self.bad is None or 2 * self.n_rows >= self.bad.n_rows

    def warnings(self) -> list[str]:
        """Say which blank lines were skipped."""
        return [say_blank_lines(self.blanks, len(self.blanks))] if self.blanks else []


def split_lines(data: bytes) -> Lines:
    r"""Sort out the lines of a text.

    >>> lines = split_lines(b'{"a": 1}\n\n{"a": \n{"a": 2}\n')
    >>> lines.kept, lines.n_rows, lines.blanks, lines.bad.n_bad
    (b'{"a": 1}\n{"a": 2}\n', 2, [2], 1)
    """
    kept, blanks, n_rows, n_bad = bytearray(), [], 0, 0
    examples: list[BadRow] = []
    start, number, end = 0, 0, len(data.rstrip())
    while start < end:
        stop = data.find(b"\n", start) + 1 or len(data)
        line, number = data[start:stop], number + 1
        if not line.strip():
            blanks.append(number)
        elif _is_object(line):
            kept += line
            n_rows += 1
        else:
            n_bad += 1
            if len(examples) < EXAMPLES:
                examples.append(_describe(data, start, stop, number))
        start = stop
    bad = BadRows(n_rows + n_bad, ((JSON, n_bad),), tuple(examples)) if n_bad else None
    return Lines(bytes(kept), n_rows, blanks, bad)


def _is_object(line: bytes) -> bool:
    try:
        value: Any = decode_line(line, 1, last=False)
    except DataError:
        return False
    return isinstance(value, dict)


def _describe(data: bytes, start: int, stop: int, number: int) -> BadRow:
    return BadRow(
        JSON, number, 1, KINDS[JSON][0], lines_before(data, start, min(_NEIGHBOURS, number - 1)),
        lines_after(data[:stop], start, 1), lines_after(data, stop, _NEIGHBOURS),
    )  # fmt: skip
