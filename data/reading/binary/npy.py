"""One NumPy array from the bytes of a .npy file.

Its header says how large it is: that is checked against the bytes that are there before any memory is taken for it,
and arrays of Python objects, which would run code, are refused.
"""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass

import numpy as np
from numpy.lib import format as npy

from data.errors import DataError
from data.process.limits import size_text
from text.quoting import quote

MAGIC = b"\x93NUMPY"
_KINDS = {"O": "Python objects", "V": "records", "c": "complex numbers", "M": "dates", "m": "durations"}
_ENOUGH = 1 << 60  # bytes; beyond it a size is only a number
FROM_PYTHON = "save the columns with pandas' to_csv or to_parquet"


@dataclass(frozen=True, eq=False)
class NamedArray:
    """An array and what it is called."""

    name: str
    values: np.ndarray


def array_of(data: bytes, name: str) -> NamedArray:
    """The array in the bytes of a .npy file: its header, then exactly the bytes that the header announces.

    Raises
    ------
    DataError
        It is damaged, or holds other than numbers and text in one or two dimensions.
    """
    file = io.BytesIO(data)
    shape, by_column, kind = _header(file, name)
    if kind.kind not in "biufSU":
        what = _KINDS.get(kind.kind, "other values")
        raise DataError(
            f"its array {quote(name)} holds {what}, which are not opened: give numbers or text, or {FROM_PYTHON}."
        )
    if len(shape) not in (1, 2):
        raise DataError(
            f"its array {quote(name)} has {len(shape)} dimensions {shape_text(shape)}: (rows,) or (rows, classes) was"
            " wanted."
        )
    n_bytes, at = _product(shape) * kind.itemsize, file.tell()
    if len(data) - at != n_bytes:
        raise DataError(
            f"its array {quote(name)} of shape {shape_text(shape)} needs {size_text(min(n_bytes, _ENOUGH))}, but"
            f" {size_text(len(data) - at)} are there: it is damaged or cut off; write it again."
        )
    values = np.frombuffer(data, kind, offset=at) if n_bytes else np.zeros(0, kind)
    if kind.kind == "U" and n_bytes and values.view(kind.str[0] + "u4").max() > sys.maxunicode:
        raise DataError(f"its array {quote(name)} holds numbers that are no characters: it is damaged; write it again.")
    return NamedArray(name, values.reshape(shape, order="F" if by_column else "C"))


def _header(file: io.BytesIO, name: str) -> tuple[tuple[int, ...], bool, np.dtype]:
    damaged = DataError(f"its array {quote(name)} is damaged or not a NumPy array; write it again with numpy.save.")
    try:
        version = npy.read_magic(file)
        readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
        shape, by_column, kind = readers[version](file)
    except MemoryError:
        raise
    except Exception:  # a header is a piece of Python, and what can be wrong with it has many names
        raise damaged from None
    if any(isinstance(size, bool) or size < 0 for size in shape) or (kind.itemsize == 0 and _product(shape)):
        raise damaged
    return shape, by_column, kind


def _product(shape: tuple[int, ...]) -> int:
    product = 1
    for size in shape:
        product *= size
    return product


def shape_text(shape: tuple[int, ...]) -> str:
    """A shape, as NumPy writes it, cut after a few.

    >>> shape_text((3,)), shape_text((3, 2))
    ('(3,)', '(3, 2)')
    """
    text = ", ".join(f"{size:,}"[:20] for size in shape[:4]) + (", …" if len(shape) > 4 else "")
    return f"({text},)" if len(shape) == 1 else f"({text})"
