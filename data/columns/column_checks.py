"""Refuse columns that cannot be what they are chosen for, and tables that take too much memory; compare columns."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from data.columns.column import FEWEST_JUDGED, Column, holds_text
from data.columns.near_names import list_columns
from data.columns.plain_labels import share_labels
from data.environment import raise_it, value
from data.errors import DataError
from data.evaluation import MISSING, Settings
from data.process.limits import format_size
from text.numbers import count
from text.quoting import quote


def check_column(table: pa.Table, name: str) -> None:
    """Raise DataError with the columns there are, and the one probably meant, if `name` is none of them."""
    if table.schema.get_all_field_indices(name):  # looked up: the list of names is made anew each time
        return
    raise DataError(f"There is no column {quote(name)}; the file has {list_columns(table.column_names, name)}")


def check_truth(table: pa.Table, settings: Settings) -> None:
    """Raise DataError if the truth of single-label settings is (nearly) a different text in every row."""
    if settings.truth is None or settings.encoding != "single":
        return
    column = Column(table, settings.truth)
    if column.is_free and not (settings.label_set and set(column.distinct.values) <= set(settings.label_set)):
        raise free_text_error(column)


def free_text_error(column: Column) -> DataError:
    """Return the error for a truth that is no label."""
    return DataError(
        f"Column {quote(column.name)} holds {count(len(column.distinct.values), 'different label')} in "
        f"{count(column.n_rows, 'row')}. More than 5,000, or more than one for two rows, is taken for free text, "
        "numbers or ids. Choose the column of the true labels."
    )


def same_column_error(name: str) -> DataError:
    """Return the error for a truth that is its own prediction."""
    return DataError(f"Truth and prediction are the same column {quote(name)}: choose two different columns.")


def no_rows_error() -> DataError:
    """Return the error for a table without rows."""
    return DataError("The file has a header but no rows: give one row for every prediction.")


_CODE = 4
"""Bytes of the code that stands for a repeated text."""
_NUMBER = 8


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


MAX_WRITTEN_OUT = (1 << 31) - 1
"""The bytes that Arrow writes out in one array of text."""
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


def are_copies(column: Column, two: Column) -> bool:
    """Return whether two columns hold the same text in every row, also where a cell is empty."""
    if set(column.distinct.values) != set(two.distinct.values):
        return False
    codes = column.distinct.spread((two.distinct.place[value] for value in column.distinct.values), MISSING)
    return np.array_equal(codes, two.distinct.codes)


def are_recoded(column: Column, two: Column) -> bool:
    """Return whether two columns are copies, or each label of one stands for a label of the other: ham for 0."""
    if are_copies(column, two):
        return True
    codes = column.distinct.codes, two.distinct.codes
    n_pairs = len(np.unique(np.stack(codes), axis=1).T)
    is_one_to_one = n_pairs == len(np.unique(codes[0])) == len(np.unique(codes[1]))
    return is_one_to_one and set(column.distinct.values).isdisjoint(two.distinct.values)


def measure_kappa(column: Column, two: Column) -> float:
    """Return Cohen's kappa of two columns over the rows of the sample that fill both; NaN where these are too few."""
    filled = (column.sample_codes >= 0) & (two.sample_codes >= 0)
    n = int(filled.sum())
    if n < FEWEST_JUDGED:
        return np.nan
    values, place = share_labels(column.sample.values, two.sample.values)
    lookup = np.array([place.get(value, len(place)) for value in values])
    a, b = lookup[column.sample_codes[filled]], two.sample_codes[filled]
    rows = [np.bincount(codes, minlength=len(place) + 1)[: len(place)] for codes in (a, b)]
    by_chance = float(rows[0] @ rows[1]) / n**2
    return (float((a == b).mean()) - by_chance) / (1 - by_chance) if by_chance < 1 else 0.0
