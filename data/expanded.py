"""Measure a table with every repeated text written out: a few kB of codes may stand for gigabytes of text."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_CODE = 4
"""Bytes of the code that stands for a repeated text."""
_NUMBER = 8


def expanded_bytes(table: pa.Table, rows: np.ndarray | None = None, longest: int | None = None) -> int:
    """Return the bytes of the cells of a table with every repeated text written out; a number counts as 8.

    Parameters
    ----------
    rows : positions of the rows that count; None = all.
    longest : a text counts with so many bytes at most; None = with all.

    Examples
    --------
    >>> table = pa.table({"y": pa.array(["ab", "c", "ab", None]).dictionary_encode()})
    >>> expanded_bytes(table), expanded_bytes(table, np.array([0, 1])), expanded_bytes(table, longest=1)
    (5, 3, 3)
    """
    return sum(_column_bytes(column, rows, longest) for column in table.itercolumns())


def memory_bytes(table: pa.Table) -> int:
    """Return what a table takes in memory once every repeated text is written out beside its code.

    >>> memory_bytes(pa.table({"y": pa.array(["ab", "c", "ab"]).dictionary_encode()}))
    17
    """
    return sum(
        _column_bytes(column) + _CODE * len(column) if pa.types.is_dictionary(column.type) else column.nbytes
        for column in table.itercolumns()
    )


def _column_bytes(column: pa.ChunkedArray, rows: np.ndarray | None = None, longest: int | None = None) -> int:
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return _NUMBER * (len(column) if rows is None else len(rows))
    lengths = [_lengths(chunk, longest) for chunk in column.chunks]
    if rows is None:
        return sum(int(part.sum()) for part in lengths)
    return int(np.concatenate([*lengths, np.zeros(0, np.int64)])[rows].sum())


def _lengths(chunk: pa.Array, longest: int | None) -> np.ndarray:
    """Return the bytes of every cell, int64 (n,); an empty cell has none."""
    coded = pa.types.is_dictionary(chunk.type)
    texts = chunk.dictionary if coded else chunk
    found: np.ndarray = pc.binary_length(texts).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    if longest is not None:
        found = np.minimum(found, longest)
    if not coded:
        return found
    of_cells: np.ndarray = np.append(found, 0)[_codes(chunk)]
    return of_cells


def _codes(chunk: pa.DictionaryArray) -> np.ndarray:
    codes: np.ndarray = chunk.indices.fill_null(-1).to_numpy(zero_copy_only=False)  # -1, the last place: no text
    return codes
