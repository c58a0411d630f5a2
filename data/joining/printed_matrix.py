"""Read a confusion matrix that R printed: blanks between its cells, the names of both axes above it.

The function `confusionMatrix` of caret prints statistics below it. A matrix that is too wide is printed in parts, one
below the other, each with some of the columns.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pyarrow as pa

from data.joining.matrix_axes import read_rows_side
from data.process.limits import Limits
from text.quoting import list_items, quote

_MOST_BYTES = 1 << 20
_DELIMITERS = frozenset(",;\t|\"'")
_HEAD = "Confusion Matrix and Statistics"
_WORD = re.compile(r"\S+")


class _Part(NamedTuple):
    """Some columns of the matrix, as they were printed: `cells` holds the text of each row, first its label."""

    corner: str
    above: str
    labels: list[str]
    cells: list[list[str]]
    lines: range


def read_printed_matrix(data: bytes, limits: Limits) -> tuple[pa.Table, str] | None:
    r"""Return the matrix and a warning of how it was read; None where the text can be anything else.

    >>> text = b"      Reference\nPrediction cat dog\n       cat  10   2\n       dog   1  12\n"
    >>> read_printed_matrix(text, Limits())[0].to_pydict()
    {'Prediction \\ Reference': ['cat', 'dog'], 'cat': ['10', '1'], 'dog': ['2', '12']}
    """
    has_head = _HEAD.encode() in data[:4096]
    if len(data) > _MOST_BYTES or not (data[:1] == b" " or has_head):
        return None
    try:
        lines = data.decode().rstrip().splitlines()
    except UnicodeDecodeError:
        return None
    parts = list(_read_parts(lines))
    filled = [number for number, line in enumerate(lines) if line.strip()]
    others = [number for number in filled if not any(number in part.lines for part in parts)]
    if not parts or (not has_head and (others or not _DELIMITERS.isdisjoint("".join(lines)))):
        return None
    first = parts[0]
    labels, names = [label for part in parts for label in part.labels], [cells[0] for cells in first.cells]
    if len(set(labels)) < len(labels) or sorted(names) != sorted(labels) or not all(_belong(first, p) for p in parts):
        return None
    limits.check_columns(1 + len(labels))
    rows = [[name, *(cell for part in parts for cell in part.cells[row][1:])] for row, name in enumerate(names)]
    columns = [pa.array(cells, pa.string()) for cells in zip(*rows, strict=True)]
    table = pa.table(columns, names=[f"{first.corner} \\ {first.above}", *labels])
    return table, (
        f"The file was read as a confusion matrix that R printed: its lines are {quote(first.corner, 40)}, its columns "
        f"{quote(first.above, 40)}.{_say_left_out(others, filled)} If that is wrong, write it as CSV."
    )


def _say_left_out(numbers: Sequence[int], filled: Sequence[int]) -> str:
    """Name the lines, counted from 0, that are no part of the matrix; blank ones between them count for nothing."""
    place = {number: place for place, number in enumerate(filled)}
    groups = itertools.groupby(enumerate(numbers), lambda pair: place[pair[1]] - pair[0])
    runs = [[number for _, number in run] for _, run in groups]
    texts = [f"{run[0] + 1}" if len(run) == 1 else f"{run[0] + 1} to {run[-1] + 1}" for run in runs]
    return f" Lines {list_items(texts, 8, quoted=False)} are no part of it and were left out." if texts else ""


def _belong(first: _Part, part: _Part) -> bool:
    """Return whether two parts are of one matrix: the same axes and the same lines."""
    lines = [[cells[0] for cells in of.cells] for of in (first, part)]
    return (first.corner, first.above) == (part.corner, part.above) and lines[0] == lines[1]


def _read_parts(lines: Sequence[str]) -> Iterator[_Part]:
    """Yield the parts of the matrix: each has a line with the name of its columns, one of their labels, and rows."""
    number = 0
    while number + 2 < len(lines):
        part = _read_part(lines, number)
        if part is not None:
            yield part
        number = number + 1 if part is None else part.lines.stop


def _read_part(lines: Sequence[str], start: int) -> _Part | None:
    """Return the part of a matrix that begins in a line; None where none does."""
    above, header = lines[start].strip(), lines[start + 1]
    corner = header.partition(" ")[0]
    if not (corner and above and lines[start][0] == " " and _name_both_axes(corner, above)):
        return None
    rows = list(itertools.takewhile(lambda line: line.strip() and line.strip() != above, lines[start + 2 :]))
    ends = _find_ends(header, len(corner), rows)
    if not ends:
        return None
    width = min(_WORD_AT_END.search(row[: ends[0]]).start() for row in rows)  # type: ignore[union-attr]
    cells = [[row[:width].strip(), *_cut(row, [width, *ends])] for row in rows]
    labels = _cut(header, [len(corner), *ends])
    is_whole = all(n.isascii() and n.isdigit() for of_row in cells for n in of_row[1:])
    if not is_whole or any(line[ends[-1] :].strip() for line in (header, *rows)):
        return None
    return _Part(corner, above, labels, cells, range(start, start + 2 + len(rows)))


_WORD_AT_END = re.compile(r"\S+$")


def _find_ends(header: str, width: int, rows: Sequence[str]) -> list[int]:
    """Return where the columns end: they are flush right, so a word of the header and a cell of every row end there.

    width : of the name in the corner.
    """
    ends = [{word.end() for word in _WORD.finditer(line)} for line in (header, *rows)]
    return sorted(end for end in set.intersection(*ends) if end > width) if rows else []


def _cut(line: str, ends: Sequence[int]) -> list[str]:
    """Return the texts between places of a line."""
    return [line[start:stop].strip() for start, stop in itertools.pairwise(ends)]


def _name_both_axes(rows: str, columns: str) -> bool:
    """Return whether one name is of true labels, and the other of predicted ones."""
    sides = {read_rows_side(rows), read_rows_side(columns)}
    return sides == {"truth", "prediction"} and read_rows_side(f"{rows} \\ {columns}") == read_rows_side(rows)
