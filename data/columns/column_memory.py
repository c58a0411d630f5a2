"""Measure the memory that columns take with repeated texts written out, and refuse tables that take too much."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from data.columns.column import holds_text
from data.environment import raise_it, value
from data.errors import DataError
from data.process.limits import format_size
from text.quoting import quote

MAX_WRITTEN_OUT = (1 << 31) - 1
"""The bytes that Arrow writes out in one array of text."""
# Bytes of a row:
_CODE = 4  # stands for a repeated text
_NUMBER = 8
_CODES = 2 * 4 + 2  # of truth and prediction, and which rows are scored
_SCORE = 2 * 8  # as read, and as used
_LABEL = 3  # bools of truth, of prediction, and of the distinct sets


def count_row_bytes(table: pa.Table, rows: np.ndarray | None = None, longest: int | None = None) -> np.ndarray:
    """Return the bytes of every row with every repeated text written out, int64 (n,); a number counts as 8.

    Parameters
    ----------
    rows : positions of the rows that count; None = all.
    longest : a text counts with so many bytes at most; None = with all.

    Examples
    --------
    >>> table = pa.table({"y": pa.array(["ab", "c", "ab", None]).dictionary_encode()})
    >>> count_row_bytes(table).tolist(), count_row_bytes(table, np.array([3, 0]), longest=1).tolist()
    ([2, 1, 2, 0], [0, 1])
    """
    n_bytes = np.zeros(len(table) if rows is None else len(rows), np.int64)
    for column in table.itercolumns():
        n_bytes += _NUMBER if not holds_text(column.type) else _count_cell_bytes(column, rows, longest)
    return n_bytes


def estimate_memory(table: pa.Table) -> int:
    """Return what a table takes in memory once every repeated text is written out beside its code.

    >>> estimate_memory(pa.table({"y": pa.array(["ab", "c", "ab"]).dictionary_encode()}))
    17
    """
    return sum(map(estimate_column_memory, table.itercolumns()))


def estimate_column_memory(column: pa.ChunkedArray) -> int:
    """Return what a column takes in memory once every repeated text is written out."""
    if pa.types.is_dictionary(column.type) and holds_text(column.type):
        return sum(map(_count_dictionary_bytes, column.chunks)) + _CODE * len(column)
    return int(column.nbytes)


def _count_dictionary_bytes(chunk: pa.DictionaryArray) -> int:
    """Return the bytes of all cells, each with its text written out."""
    import pyarrow.compute as pc  # importing it takes longer than a small file does

    codes = chunk.indices.drop_null().to_numpy(zero_copy_only=False)
    rows = np.bincount(codes, minlength=len(chunk.dictionary))
    lengths = pc.binary_length(chunk.dictionary).fill_null(0).to_numpy(zero_copy_only=False)
    return int(np.dot(rows, lengths))


def _count_cell_bytes(column: pa.ChunkedArray, rows: np.ndarray | None, longest: int | None) -> np.ndarray:
    if rows is not None and pa.types.is_dictionary(column.type):
        column, rows = column.take(pa.array(rows)), None
    lengths = np.concatenate([*(_measure_lengths(chunk, longest) for chunk in column.chunks), np.zeros(0, np.int64)])
    return np.asarray(lengths if rows is None else lengths[rows])


def _measure_lengths(chunk: pa.Array, longest: int | None) -> np.ndarray:
    """Return the bytes of every cell, int64 (n,); an empty cell has none."""
    import pyarrow.compute as pc  # importing it takes longer than a small file does

    coded = pa.types.is_dictionary(chunk.type)
    texts = chunk.dictionary if coded else chunk
    lengths: np.ndarray = pc.binary_length(texts).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    if longest is not None:
        lengths = np.minimum(lengths, longest)
    if not coded:
        return lengths
    codes = chunk.indices.fill_null(-1).to_numpy(zero_copy_only=False)  # -1, the last place: no text
    return np.asarray(np.append(lengths, 0)[codes])


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
    n_bytes = estimate_memory(table) + len(table) * (_CODES + _SCORE * n_scores + _LABEL * n_labels)
    most = value("BLINDSPOT_EVALUATION_MB") << 20
    if n_bytes > most:
        sizes = [estimate_column_memory(column) for column in table.itercolumns()]
        largest = max(range(len(sizes)), key=sizes.__getitem__)
        raise DataError(
            f"With repeated texts written out, this evaluation takes some {format_size(n_bytes)} of memory; the limit "
            f"is {format_size(most)}. The largest column is {quote(table.column_names[largest])} with "
            f"{format_size(sizes[largest])}. "
            f"Give fewer rows, labels or text columns, or {raise_it('BLINDSPOT_EVALUATION_MB')}."
        )
