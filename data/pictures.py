"""Small grey pictures in a table: the pixels of a row stand in one cell, or in a column for each pixel."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.column import holds_text

SMALLEST, LARGEST = 4, 48
"""Pixels of a side: a list of four numbers is no picture, and a page sends 120 pictures at once."""
_SMALLEST_OF_COLUMNS = 8
"""Pixels of a side where each has a column: a few numbered columns are no picture."""
_SAMPLE = 60
_CHARS = 24 * LARGEST**2
"""Characters of a cell that are read at most."""
_LIST = re.compile(r"[\[\]\s,;0-9.eE+-]+", re.ASCII)
_BETWEEN = re.compile(r"[\[\]\s,;]+", re.ASCII)
_PIXEL = re.compile(r"(?:pixels?|px|pix)?[ _.-]?(\d{1,4})(?:[_x](\d{1,2}))?", re.ASCII | re.IGNORECASE)
_BLACK = (1, 16, 255)
"""Values that may be the highest: shares, the digits of scikit-learn, bytes."""


class Pictures(NamedTuple):
    """Name the columns that hold the pixels of each row, line by line from the top left.

    columns : one column of lists, or one for each pixel. side : pixels of a side. black : the value drawn black; 0 is
    white.
    """

    columns: tuple[str, ...]
    side: int
    black: float


def find_pictures(table: pa.Table, taken: Collection[str] = ()) -> Pictures | None:
    """Return the first pictures of a table; None = it has none. What is found in a sample of rows is taken for all.

    Numbers are pixels if none is negative and all are shares, or all are whole and at most 255. So a vector that a
    model computed is no picture. taken : columns that are something else.
    """
    names = [name for name in table.column_names if name not in taken]
    rows = np.linspace(0, max(0, table.num_rows - 1), min(table.num_rows, _SAMPLE)).astype(np.int64).tolist()
    lists = [(name,) for name in names if _may_hold_lists(table.schema.field(name).type)]
    for columns in (*lists, *_pixel_columns(names)):
        cells = [_read(table, columns, row) for row in rows]
        pictures = _check(columns, [pixels for pixels in cells if pixels is not None])
        if pictures is not None:
            return pictures
    return None


def read_pictures(table: pa.Table, pictures: Pictures, rows: np.ndarray) -> list[str]:
    """Return the picture of each row as base64 of its bytes, 255 = black; "" where the row has none."""
    return [_encode(_read(table, pictures.columns, row), pictures) for row in rows.tolist()]


def _may_hold_lists(kind: pa.DataType) -> bool:
    return (
        holds_text(kind) or pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    )


def _pixel_columns(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the columns that are numbered like the pixels of a square, in order; nothing where there are none."""
    numbered = {name: match for name in names if (match := _PIXEL.fullmatch(name))}
    side = math.isqrt(len(numbered))
    if side**2 != len(numbered) or not _SMALLEST_OF_COLUMNS <= side <= LARGEST:
        return []
    order = sorted(numbered, key=lambda name: [int(part or 0) for part in numbered[name].groups()])
    return [tuple(order)]


def _read(table: pa.Table, columns: Sequence[str], row: int) -> np.ndarray | None:
    """Return the numbers of a row, float64 (n,); None where they are none, or too many."""
    cells = [table.column(name)[row].as_py() for name in columns]
    return parse_numbers(cells[0] if len(cells) == 1 else cells)


def parse_numbers(cell: Any) -> np.ndarray | None:
    """Return the numbers of a cell, which is a list or the text of one, also of lines of pixels.

    >>> parse_numbers("[[0, 16], [4, 2]]").tolist(), parse_numbers("0 255").tolist(), parse_numbers("[1, x]")
    ([0.0, 16.0, 4.0, 2.0], [0.0, 255.0], None)
    """
    if isinstance(cell, str):
        if len(cell) > _CHARS or not _LIST.fullmatch(cell):
            return None
        cell = _BETWEEN.sub(" ", cell).split()
    if not isinstance(cell, list) or len(cell) > LARGEST**2:
        return None
    try:
        numbers = np.array(cell, dtype=np.float64).ravel()
    except (TypeError, ValueError, OverflowError):  # texts among them, or lists of different lengths
        return None
    return numbers if len(numbers) <= LARGEST**2 else None


def _check(columns: tuple[str, ...], cells: Sequence[np.ndarray]) -> Pictures | None:
    """Return the pictures if all cells are squares of one size with the values of pixels."""
    sizes = {len(pixels) for pixels in cells}
    if len(sizes) != 1:
        return None
    (n,) = sizes
    side, values = math.isqrt(n), np.stack(cells)
    if side**2 != n or not SMALLEST <= side <= LARGEST or not (values >= 0).all() or not values.max() > 0:
        return None
    if values.max() > 1 and not (values == np.floor(values)).all():
        return None
    black = next((value for value in _BLACK if values.max() <= value), None)
    return None if black is None else Pictures(columns, side, black)


def _encode(pixels: np.ndarray | None, pictures: Pictures) -> str:
    if pixels is None or len(pixels) != pictures.side**2 or not np.isfinite(pixels).all():
        return ""
    ink = np.clip(np.rint(255 * pixels / pictures.black), 0, 255).astype(np.uint8)
    return base64.b64encode(ink.tobytes()).decode("ascii")
