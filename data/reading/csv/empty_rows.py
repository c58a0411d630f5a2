"""Rows without a value: those at the end and inside are left out, and named; of sets of labels they may count."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.bad_rows import EXAMPLES, say_blank_inside
from data.labels.cell_sets import find_likely_delimiter, find_set_encoding, split
from text.numbers import count, verb


def without_empty_rows(table: pa.Table, notes: list[str], warnings: list[str]) -> pa.Table:
    """Leave out the rows of several columns that hold no value; note those at the end, and warn of those inside.

    >>> warnings: list[str] = []
    >>> table = pa.table({"y": ["a", None, "b", None], "p": ["a", None, "b", None]})
    >>> without_empty_rows(table, [], warnings).num_rows, warnings
    (2, ['1 blank row inside the file skipped: row 2.'])
    """
    if table.num_columns < 2:
        return table
    return _without_empty_inside(_without_empty_end(table, notes, warnings), warnings)


def _without_empty_end(table: pa.Table, notes: list[str], warnings: list[str]) -> pa.Table:
    """Leave out empty rows at the end, but where sets of labels are all that a row has: empty sets are rows, too."""
    if any(column[-1].is_valid for column in table.columns):
        return table
    filled = [_last_filled(column) for column in table.columns]
    n_kept = max(filled) + 1
    if not n_kept:
        return table
    n_empty = table.num_rows - n_kept
    if holds_only_sets(table.slice(0, n_kept)):
        warnings.append(
            f"{count(n_empty, 'empty row')} at the end {verb(n_empty, 'counts')} as rows without any "
            "label. Delete them from the file if they are no rows."
        )
        return table
    notes.append(f"{count(n_empty, 'empty row')} at the end left out.")
    return table.slice(0, n_kept)


def _without_empty_inside(table: pa.Table, warnings: list[str]) -> pa.Table:
    """Leave out empty rows inside, as blank lines are, but where sets of labels are all that a row has."""
    empty = find_empty_rows(table)
    if not empty or len(empty) == table.num_rows or holds_only_sets(table):
        return table
    warnings.append(say_blank_inside([row + 1 for row in empty[:EXAMPLES]], len(empty), "row"))
    return table.take(pa.array(np.delete(np.arange(table.num_rows), empty)))


def find_empty_rows(table: pa.Table) -> list[int]:
    """Return the rows without any value, from 0.

    >>> find_empty_rows(pa.table({"x": ["a", None, None], "y": [None, None, "b"]}))
    [1]
    """
    if not all(column.null_count for column in table.columns):
        return []
    empty = pc.is_null(table.column(0))
    for column in table.columns[1:]:
        empty = pc.and_(empty, pc.is_null(column))
    return pc.indices_nonzero(empty).to_pylist()  # type: ignore[no-any-return]


def holds_only_sets(table: pa.Table) -> bool:
    """Return whether cells may hold sets of labels, and no other column is filled in every row, as an id would be."""
    if any(pa.types.is_floating(column.type) and not column.null_count for column in table.columns):
        return False
    texts = [column for column in table.columns if not pa.types.is_floating(column.type)]
    cells = [[str(value) for value in column.unique().drop_null().to_pylist()] for column in texts]
    marks = [_find_delimiter(values, cells) for values in cells]
    sets = [split(cell, mark) for values, mark in zip(cells, marks, strict=True) if mark for cell in values]
    labels = {label for members in sets for label in members}
    full = [v for v, mark, c in zip(cells, marks, texts, strict=True) if mark is None and not c.null_count]
    return bool(labels) and all(labels.issuperset(values) for values in full)


def _find_delimiter(values: list[str], others: list[list[str]]) -> str | None:
    """Return what may separate several labels in the cells of a column; None for lists, and for one label a cell."""
    sets = find_set_encoding(values)
    if sets is not None:
        return sets.delimiter
    return find_likely_delimiter(values, {cell for cells in others for cell in cells}, empty=True)


def _last_filled(column: pa.ChunkedArray) -> int:
    filled = pc.indices_nonzero(column.is_valid())
    return filled[-1].as_py() if len(filled) else -1
