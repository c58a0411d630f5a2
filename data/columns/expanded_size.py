"""Measure a table with every repeated text written out, and refuse one that takes too much memory to evaluate."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.environment import raise_it, value
from data.errors import DataError
from data.process.limits import size_text

_CODE = 4
"""Bytes of the code that stands for a repeated text."""
_NUMBER = 8


def row_bytes(table: pa.Table, rows: np.ndarray | None = None, longest: int | None = None) -> np.ndarray:
    """Return the bytes of every row with every repeated text written out, int64 (n,); a number counts as 8.

    Parameters
    ----------
    rows : positions of the rows that count; None = all.
    longest : a text counts with so many bytes at most; None = with all.

    Examples
    --------
    >>> table = pa.table({"y": pa.array(["ab", "c", "ab", None]).dictionary_encode()})
    >>> row_bytes(table).tolist(), row_bytes(table, np.array([3, 0]), longest=1).tolist()
    ([2, 1, 2, 0], [0, 1])
    """
    found = np.zeros(len(table) if rows is None else len(rows), np.int64)
    for column in table.itercolumns():
        found += _NUMBER if not _is_text(column.type) else _of_cells(column, rows, longest)
    return found


def memory_bytes(table: pa.Table) -> int:
    """Return what a table takes in memory once every repeated text is written out beside its code.

    >>> memory_bytes(pa.table({"y": pa.array(["ab", "c", "ab"]).dictionary_encode()}))
    17
    """
    return sum(
        int(_of_cells(column, None, None).sum()) + _CODE * len(column)
        if pa.types.is_dictionary(column.type) and _is_text(column.type)
        else column.nbytes
        for column in table.itercolumns()
    )


def _is_text(kind: pa.DataType) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _of_cells(column: pa.ChunkedArray, rows: np.ndarray | None, longest: int | None) -> np.ndarray:
    if rows is not None and pa.types.is_dictionary(column.type):
        column, rows = column.take(pa.array(rows)), None
    lengths = np.concatenate([*(_lengths(chunk, longest) for chunk in column.chunks), np.zeros(0, np.int64)])
    of_rows: np.ndarray = lengths if rows is None else lengths[rows]
    return of_rows


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


_CODES = 2 * 4 + 2  # of truth and prediction, and which rows are scored

_SCORE = 2 * 8  # as read, and as used

_LABEL = 3  # bools of truth, of prediction, and of the distinct sets


def check_memory(table: pa.Table, *, n_scores: int, n_labels: int = 0) -> None:
    """Refuse an evaluation before its arrays are made.

    Parameters
    ----------
    n_scores : score columns. n_labels : labels of a multi-label task; 0 where a row has one.

    Raises
    ------
    DataError
        it would take more than BLINDSPOT_EVALUATION_MB.

    Examples
    --------
    >>> check_memory(pa.table({"y": ["a", "b"]}), n_scores=1)
    """
    n_bytes = memory_bytes(table) + len(table) * (_CODES + _SCORE * n_scores + _LABEL * n_labels)
    most = value("BLINDSPOT_EVALUATION_MB") << 20
    if n_bytes > most:
        raise DataError(
            f"With repeated texts written out, this evaluation takes some {size_text(n_bytes)} of memory; the limit is "
            f"{size_text(most)}: give fewer rows, labels or text columns, or {raise_it('BLINDSPOT_EVALUATION_MB')}."
        )
