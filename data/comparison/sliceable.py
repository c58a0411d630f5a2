"""The columns of an evaluation that can be cut into slices, and why the others cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from data.columns.column import Column
from data.columns.column_names import rank
from data.comparison.ordered_columns import read_ordered
from data.comparison.slice_columns import Slicing, slices_by
from data.errors import DataError
from data.evaluation import Evaluation
from data.joining.table_metadata import rows_left_out
from data.limits import MAX_SLICE_VALUES
from data.roles.candidates import find_score_columns
from text.numbers import count

_SAMPLE, _COUNTED = 100, 100_000
"""Rows that are looked at to see a date or a number, and to see too many texts."""
_OF_THE_NUMBERS = ("truth", "prediction", "score", "raw", "id", "rows per line")
"""Roles that numbers are made of; clusters, epochs, seeds and folds are slices."""


class Sliceable(NamedTuple):
    """Columns cut into slices, in the order of the file.

    left_out : (column, why) of those that cannot be cut.
    """

    ways: tuple[Slicing, ...]
    left_out: tuple[tuple[str, str], ...]


def other_columns(evaluation: Evaluation) -> tuple[str, ...]:
    """Return the columns without a role in the numbers; none where the rows were left out."""
    if rows_left_out(evaluation):
        return ()
    there = set(evaluation.rows.column_names)
    return tuple(
        role.column
        for role in evaluation.receipt.roles
        if role.column in there and not role.role.startswith(_OF_THE_NUMBERS)
    )


def cut_columns(evaluation: Evaluation, say: Callable[[float], None] = lambda _: None) -> Sliceable:
    """Return the slices of every other column; say : told the share of the work that is done."""
    ways, left_out = [], []
    names = other_columns(evaluation)
    for done, name in enumerate(names):
        say(done / len(names))
        column = Column(evaluation.rows, name)
        why = "predictions or scores" if _is_of_a_model(column) else _too_many(evaluation.rows.column(name))
        found = None if why else _cut(evaluation.rows, name)
        if found is not None and 2 <= len(found.values) <= MAX_SLICE_VALUES:
            ways.append(found)
            continue
        n = 0 if found is None else len(found.values)
        left_out.append((name, why or (f"{n:,} values" if n > 1 else "one value only")))
    return Sliceable(tuple(ways), tuple(left_out))


def _is_of_a_model(column: Column) -> bool:
    """Return whether a column is named like predictions or scores: those of another model say little of the rows."""
    return rank(column.name, "prediction") is not None or (column.is_continuous and bool(find_score_columns([column])))


def _cut(table: pa.Table, name: str) -> Slicing | None:
    try:
        return slices_by(table.select([name]), name)
    except DataError:  # more values than slices can have
        return None


def _too_many(column: pa.ChunkedArray) -> str:
    """Return how many values a column of plain text holds, where these are too many to be slices; else ""."""
    if not pa.types.is_string(column.type) or read_ordered(column.slice(0, _SAMPLE)) is not None:
        return ""
    part = column.slice(0, _COUNTED)
    n = pc.count_distinct(part).as_py()
    if n <= MAX_SLICE_VALUES and len(part) < len(column):
        part, n = column, pc.count_distinct(column).as_py()
    over = "over " if len(part) < len(column) else ""
    return f"{over}{count(n, 'different text')}" if n > MAX_SLICE_VALUES else ""
