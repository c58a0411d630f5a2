"""Read a confusion matrix that R printed: blanks between its cells, the names of both axes above it."""

from __future__ import annotations

import pyarrow as pa

from data.joining.matrix_axes import read_axes
from data.process.limits import Limits
from text.quoting import quote

_MOST_BYTES = 1 << 20
_DELIMITERS = frozenset(b",;\t|\"'")


def read_printed_matrix(data: bytes, limits: Limits) -> tuple[pa.Table, str] | None:
    r"""Return the matrix and a warning of how it was read; None where the text can be anything else.

    >>> text = b"      Reference\nPrediction cat dog\n       cat  10   2\n       dog   1  12\n"
    >>> read_printed_matrix(text, Limits())[0].to_pydict()
    {'Prediction \\ Reference': ['cat', 'dog'], 'cat': ['10', '1'], 'dog': ['2', '12']}
    """
    if data[:1] != b" " or len(data) > _MOST_BYTES or not _DELIMITERS.isdisjoint(data):
        return None
    try:
        lines = data.decode().rstrip().splitlines()
    except UnicodeDecodeError:
        return None
    if len(lines) < 2 or len(lines[1].split()) < 3:
        return None
    (corner, *labels), *rows = (line.split() for line in lines[1:])
    above = lines[0].strip()
    if not (_name_both_axes(corner, above) and _is_square(labels, rows)):
        return None
    limits.check_columns(1 + len(labels))
    names = [f"{corner} \\ {above}", *labels]
    table = pa.table([pa.array(cells, pa.string()) for cells in zip(*rows, strict=True)], names=names)
    return table, (
        f"The file was read as a confusion matrix that R printed: its lines are {quote(corner, 40)}, its columns "
        f"{quote(above, 40)}. If that is wrong, write it as CSV."
    )


def _name_both_axes(rows: str, columns: str) -> bool:
    """Return whether one name is of true labels, and the other of predicted ones."""
    sides = {read_axes(rows).rows, read_axes(columns).rows}
    return sides == {"truth", "prediction"} and read_axes(f"{rows} \\ {columns}").rows == read_axes(rows).rows


def _is_square(labels: list[str], rows: list[list[str]]) -> bool:
    """Return whether every label has one line, of whole numbers."""
    if len(set(labels)) < len(labels) or sorted(row[0] for row in rows if row) != sorted(labels):
        return False
    widths = {len(row) for row in rows}
    return widths == {len(labels) + 1} and all(n.isascii() and n.isdigit() for row in rows for n in row[1:])
