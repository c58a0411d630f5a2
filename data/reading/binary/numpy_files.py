"""NumPy files (.npy, .npz): arrays of numbers and text as columns; nothing that would run code is opened.

What an array is called says what it holds: y_true, y_pred, y_score, probs, logits, classes.
"""

from __future__ import annotations

import io
import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.lib import format as npy

from data.errors import DataError
from data.limits import COLUMN_NAME_CHARS
from data.process.limits import Limits, Progress, format_size
from data.reading.binary.parquet import nan_as_missing
from data.reading.cells import LABELS, check_names, encode_if_few, tidy
from data.reading.zip_archives import Zipped
from text.quoting import list_items, quote
from text.visible import make_visible

MAGIC = b"\x93NUMPY"
_KINDS = {"O": "Python objects", "V": "records", "c": "complex numbers", "M": "dates", "m": "durations"}
_ENOUGH = 1 << 60  # bytes; beyond it a size is only a number
FROM_PYTHON = "save the columns with pandas' to_csv or to_parquet"


@dataclass(frozen=True, eq=False)
class NamedArray:
    """An array and its name."""

    name: str
    values: np.ndarray


def read_array(data: bytes, name: str) -> NamedArray:
    """Read the array in a .npy file: its header, then exactly the bytes that the header announces.

    Raises
    ------
    DataError
        It is damaged, or holds other than numbers and text in one or two dimensions.
    """
    file = io.BytesIO(data)
    shape, by_column, kind = _read_header(file, name)
    if kind.kind not in "biufSU":
        what = _KINDS.get(kind.kind, "other values")
        raise DataError(
            f"its array {quote(name)} holds {what}, which are not opened: give numbers or text, or {FROM_PYTHON}."
        )
    if len(shape) not in (1, 2):
        raise DataError(
            f"its array {quote(name)} has {len(shape)} dimensions {format_shape(shape)}: (rows,) or (rows, classes) was"
            " wanted."
        )
    n_bytes, start = math.prod(shape, start=1) * kind.itemsize, file.tell()
    if len(data) - start != n_bytes:
        raise DataError(
            f"its array {quote(name)} of shape {format_shape(shape)} needs {format_size(min(n_bytes, _ENOUGH))}, but"
            f" {format_size(len(data) - start)} are there: it is damaged or cut off; write it again."
        )
    values = np.frombuffer(data, kind, offset=start) if n_bytes else np.zeros(0, kind)
    if kind.kind == "U" and n_bytes and values.view(kind.str[0] + "u4").max() > sys.maxunicode:
        raise DataError(f"its array {quote(name)} holds numbers that are no characters: it is damaged; write it again.")
    return NamedArray(name, values.reshape(shape, order="F" if by_column else "C"))


def _read_header(file: io.BytesIO, name: str) -> tuple[tuple[int, ...], bool, np.dtype]:
    damaged = DataError(f"its array {quote(name)} is damaged or not a NumPy array; write it again with numpy.save.")
    try:
        version = npy.read_magic(file)
        readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
        shape, by_column, kind = readers[version](file)
    except MemoryError:
        raise
    except Exception:  # a header is a piece of Python, and what can be wrong with it has many names
        raise damaged from None
    if any(isinstance(size, bool) or size < 0 for size in shape) or (kind.itemsize == 0 and math.prod(shape, start=1)):
        raise damaged
    return shape, by_column, kind


def format_shape(shape: tuple[int, ...]) -> str:
    """Return a shape, as NumPy writes it, cut after a few.

    >>> format_shape((3,)), format_shape((3, 2))
    ('(3,)', '(3, 2)')
    """
    text = ", ".join(f"{size:,}"[:20] for size in shape[:4]) + (", …" if len(shape) > 4 else "")
    return f"({text},)" if len(shape) == 1 else f"({text})"


_CLASS_NAMES = re.compile(r"class(es)?(_?names?|_?labels?)?|label_?(names?|set)|labels|categories|target_?names?")
_NOT_ALNUM = re.compile(r"[^a-z]+")
_PREFIXES = {
    "y_true_": frozenset(["true", "truth", "target", "targets", "gold", "labels", "label", "actual", "expected"]),
    "y_pred_": frozenset(["pred", "preds", "predicted", "prediction", "predictions", "hat"]),
    "logit_": frozenset(["logit", "logits", "margin", "margins"]),
}


def read_arrays(path: Path, name: str, limits: Limits, progress: Progress) -> tuple[pa.Table, dict[str, Any]]:
    """Read a .npy or .npz file.

    A one-dimensional array is a column, named like the array (the file, for .npy). An array of shape (rows, K) is K
    columns: scores `p_0`, `p_1`, …, or, where an array of K class names lies beside it, `p_cat`, `p_dog`, ….

    Returns
    -------
    table, described : the rest of its `FileFacts`.

    Raises
    ------
    DataError
        It is damaged, holds other than numbers and text, or arrays that make no table.
    """
    with path.open("rb") as file:
        single = file.read(len(MAGIC)) == MAGIC
    arrays = [read_array(path.read_bytes(), _stem(name))] if single else _find_members(path, limits, progress)
    arrays, notes_of_names = _with_class_names(arrays)
    columns = _read_columns(arrays, single)
    check_names(list(columns), limits)
    n_rows = len(next(iter(columns.values()), ()))
    if n_rows == 0:
        raise DataError("it holds no rows: give one row for every prediction.")
    limits.check_rows(n_rows)
    table, missing = nan_as_missing(pa.table({name: _arrow(name, values) for name, values in columns.items()}))
    table, notes, warnings = tidy(table, limits)
    return table, {"format": "NumPy", "notes": (*notes_of_names, *missing, *notes), "warnings": tuple(warnings)}


def _stem(name: str) -> str:
    last = re.split(r"[/\\]", name)[-1]
    return make_visible(last.rsplit(".", 1)[0].strip())[:COLUMN_NAME_CHARS]


def _find_members(path: Path, limits: Limits, progress: Progress) -> list[NamedArray]:
    with Zipped(path, limits, "a file of NumPy arrays") as archive:
        names = [name for name in archive.names if name.endswith(".npy")]
        if not names:
            raise DataError("it is a zip archive, but holds no NumPy arrays (.npy).")
        limits.check_columns(len(names), f"it holds {len(names):,} arrays")
        arrays = []
        for done, name in enumerate(names):
            arrays.append(read_array(archive.read(name), name.removesuffix(".npy")[:COLUMN_NAME_CHARS]))
            progress("reading", done / len(names))
    return arrays


def _with_class_names(arrays: list[NamedArray]) -> tuple[list[NamedArray], list[str]]:
    """Name truth and predictions that are places in the list of class names; say so of the file."""
    notes = [f"Arrays read: {_list_shapes(arrays)}."]
    classes = _find_class_names(arrays, [array for array in arrays if array.values.ndim == 2])
    if classes is None or classes.values.dtype.kind not in "SU":
        return arrays, notes
    places = [array for array in arrays if _are_places(array, len(classes.values))]
    if places:
        names = list_items(array.name for array in places)
        notes.append(f"The whole numbers of {names} were taken as places (from 0) in {quote(classes.name)}.")
    named = [NamedArray(array.name, classes.values[array.values]) if array in places else array for array in arrays]
    return named, notes


def _are_places(array: NamedArray, n_classes: int) -> bool:
    """Return whether an array is truth or predictions as numbers from 0 to the number of classes less one."""
    values = array.values
    if _prefix_words(array) not in ("y_true_", "y_pred_") or values.ndim != 1 or values.dtype.kind not in "iu":
        return False
    return len(values) > 0 and values.min() >= 0 and values.max() < n_classes


def _read_columns(arrays: list[NamedArray], single: bool) -> dict[str, np.ndarray]:
    """Return columns by name, all of one length."""
    wide = [array for array in arrays if array.values.ndim == 2]
    classes = _find_class_names(arrays, wide)
    rest = [array for array in arrays if array is not classes]
    _check_lengths(rest)
    columns: dict[str, np.ndarray] = {}
    for array in rest:
        for name, values in _find_named(array, classes, single, len(wide)).items():
            if name in columns:
                raise DataError(f"two arrays would give a column {quote(name)}; give each a name of its own.")
            columns[name] = values
    return columns


def _find_class_names(arrays: list[NamedArray], wide: list[NamedArray]) -> NamedArray | None:
    """Find the array that names the K columns of the (rows, K) ones: K texts or numbers, under a fitting name."""
    widths = {array.values.shape[1] for array in wide}
    lengths = {array.values.shape[0] for array in wide}
    for array in arrays:
        values = array.values
        fits = values.ndim == 1 and {len(values)} == widths and _CLASS_NAMES.fullmatch(array.name.casefold())
        alone = len(values) not in lengths or not array.name.casefold().startswith("labels")
        if fits and alone and values.dtype.kind in "biuSU" and len(np.unique(values)) == len(values):
            return array
    return None


def _check_lengths(arrays: list[NamedArray]) -> None:
    lengths = {len(array.values) for array in arrays}
    if len(lengths) > 1:
        raise DataError(f"its arrays differ in length: {_list_shapes(arrays)}; give one value for every row in each.")


def _list_shapes(arrays: list[NamedArray]) -> str:
    shapes = (f"{quote(array.name)} {format_shape(array.values.shape)}" for array in arrays)
    return list_items(shapes, quoted=False)


def _find_named(array: NamedArray, classes: NamedArray | None, single: bool, n_wide: int) -> Mapping[str, np.ndarray]:
    values = array.values
    if values.ndim == 1 or values.shape[1] == 1:
        return {array.name or "column 1": values.reshape(-1)}
    prefix = _prefix(array, single, n_wide)
    return {prefix + name: values[:, place] for place, name in enumerate(_stems(values.shape[1], classes))}


def _stems(width: int, classes: NamedArray | None) -> list[str]:
    if classes is None or len(classes.values) != width:
        return [str(place) for place in range(width)]
    return [str(text) for text in _arrow(classes.name, classes.values).cast(pa.string()).to_pylist()]


def _prefix(array: NamedArray, single: bool, n_wide: int) -> str:
    """Return the prefix of the classes in the names of an array's columns."""
    words, prefix = _words(array), _prefix_words(array)
    if prefix == "logit_" or (prefix and array.values.dtype.kind in "biu"):
        return prefix
    if array.values.dtype.kind in "biuSU":
        return "" if single else f"{array.name}_"
    return "p_" if n_wide == 1 or words & {"p", "prob", "probs", "proba", "score", "scores"} else f"{array.name}_"


def _prefix_words(array: NamedArray) -> str | None:
    return next((prefix for prefix, known in _PREFIXES.items() if _words(array) & known), None)


def _words(array: NamedArray) -> set[str]:
    return set(_NOT_ALNUM.split(array.name.casefold()))


def _arrow(name: str, values: np.ndarray) -> pa.Array:
    """Return numbers with a fraction as float64; whole numbers, truth values and text as text."""
    kind = values.dtype.kind
    if kind == "f":
        return pa.array(np.ascontiguousarray(values, np.float64))
    if kind in "biu":
        plain = np.ascontiguousarray(values, values.dtype.newbyteorder("="))
        return pa.array(plain).dictionary_encode().cast(LABELS)
    try:
        texts = [value.decode() for value in values.tolist()] if kind == "S" else values.tolist()
        return encode_if_few(pa.chunked_array([pa.array([text or None for text in texts], pa.string())]))
    except ValueError:
        raise DataError(f"its array {quote(name)} holds text that is not UTF-8; {FROM_PYTHON}.") from None
