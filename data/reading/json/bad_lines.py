"""Find the lines of JSON lines that are no rows; leave out blank ones, and others where a person says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from data.bad_rows import EXAMPLES, JSON, OTHER_KIND, BadRow, BadRows, say_blank_inside
from data.errors import DataError
from data.limits import CORRECTED_LINE_CHARS, SHOWN_LINE_CHARS
from data.reading.csv.row_scan import lines_after, lines_before
from data.reading.json.streams import decode_line
from text.quoting import quote

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

    def warnings(self) -> list[str]:
        """Say which blank lines were skipped."""
        return [say_blank_inside(self.blanks, len(self.blanks), "line")] if self.blanks else []


def split_lines(data: bytes, *, same_kinds: bool = False) -> Lines:
    r"""Sort out the lines of a text.

    same_kinds : an object where most lines have a plain value under the same key is a fault, and the reverse.

    >>> lines = split_lines(b'{"a": 1}\n\n{"a": \n{"a": 2}\n')
    >>> lines.kept, lines.n_rows, lines.blanks, lines.bad.n_bad
    (b'{"a": 1}\n{"a": 2}\n', 2, [2], 1)
    """
    kept, blanks, n_rows = bytearray(), [], 0
    examples: list[BadRow] = []
    n_faults: Counter[str] = Counter()
    kinds = _find_kinds(data) if same_kinds else {}
    for number, (start, stop) in enumerate(_iterate_lines(data), 1):
        line = data[start:stop]
        fault = _find_fault(line, kinds)
        if not line.strip():
            blanks.append(number)
        elif fault is None:
            kept += line
            n_rows += 1
        else:
            kind, problem = fault
            n_faults[kind] += 1
            if n_faults[kind] <= EXAMPLES:
                examples.append(_describe(data, start, stop, BadRow(kind, number, 1, problem), not examples))
    bad = BadRows(n_rows + n_faults.total(), tuple(n_faults.items()), tuple(examples)) if examples else None
    return Lines(bytes(kept), n_rows, blanks, bad)


def _iterate_lines(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where lines begin and end, up to the last that is not blank."""
    start, end = 0, len(data.rstrip())
    while start < end:
        stop = data.find(b"\n", start) + 1 or len(data)
        yield start, stop
        start = stop


def _find_fault(line: bytes, kinds: Mapping[str, bool]) -> tuple[str, str] | None:
    """Return the kind of a line's fault, and what is wrong, as it stands after "line 7"; None = it is a row."""
    try:
        value: Any = decode_line(line.rstrip(b"\r\n"), 1, last=False)
    except DataError as error:
        # what to do about it stands in the sentence of the file
        why = str(error).removeprefix("row 1").strip().removesuffix(".").partition("; ")[0]
        return JSON, f"has a fault{why}" if why.startswith(":") else why
    if not isinstance(value, dict):
        return JSON, f"is {name_kind(value)}, not an object"
    for key, inner in value.items():
        is_object = isinstance(inner, dict)
        if inner is None or kinds.get(key, is_object) == is_object:
            continue
        if is_object:
            return OTHER_KIND, f"has an object in {quote(key)}, most rows have a plain value"
        return OTHER_KIND, f"has a plain value in {quote(key)}, most rows have an object"
    return None


def _find_kinds(data: bytes) -> dict[str, bool]:
    """Return of every key whether most lines have an object there."""
    balance: Counter[str] = Counter()
    for start, stop in _iterate_lines(data):
        try:
            value = decode_line(data[start:stop], 1, last=False)
        except DataError:
            continue
        for key, inner in value.items() if isinstance(value, dict) else ():
            if inner is not None:
                balance[key] += 1 if isinstance(inner, dict) else -1
    return {key: n_more > 0 for key, n_more in balance.items()}


def name_kind(value: Any) -> str:
    """Name what a value of JSON is that is no object."""
    if isinstance(value, list):
        return "a list"
    return "null" if value is None else f"a single value ({quote(str(value), 20)})"


def _describe(data: bytes, start: int, stop: int, row: BadRow, first: bool) -> BadRow:
    """Return a row with its line and its neighbours; the first has more of its line."""
    n_chars = CORRECTED_LINE_CHARS if first else SHOWN_LINE_CHARS
    lines = lines_after(data[:stop], start, 1, n_chars)
    before = lines_before(data, start, min(_NEIGHBOURS, row.line - 1))
    after = lines_after(data, stop, _NEIGHBOURS)
    return row._replace(before=before, lines=lines, after=after, is_whole=len(lines[0]) < n_chars)
