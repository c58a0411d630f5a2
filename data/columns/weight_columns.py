"""Find columns of weights of rows, and warn that they are not used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from data.columns.column import Column
from data.columns.column_names import remove_accents, split_side
from data.columns.role_names import WEIGHTS, fold
from data.errors import DataError
from data.evaluation import ColumnRole, Settings
from text.quoting import quote

NOT_USED = "weights, not used"
_UNUSED = "is named like weights. They are not used: every row counts once."
"""Role of a column of weights."""
_NAMES = {remove_accents(name) for name in WEIGHTS}


def find_weights(columns: Iterable[Column]) -> list[Column]:
    """Return the columns of numbers from 0 that are named like weights.

    >>> table = pa.table({"sample_weight": [1.0, 2.5], "weight": ["heavy", "light"]})
    >>> [column.name for column in find_weights(Column(table, name) for name in table.column_names)]
    ['sample_weight']
    """
    named = (column for column in columns if remove_accents(fold(split_side(column.name)[0])) in _NAMES)
    return [column for column in named if len(values := _values(column)) and values[0] >= 0]


def _values(column: Column) -> np.ndarray:
    """Return the different numbers of a column, float64 in ascending order; none where a cell is no number."""
    try:
        numbers = column.numbers if column.holds_numbers else np.array([])
    except DataError:
        return np.array([])
    known: np.ndarray = np.unique(numbers[~np.isnan(numbers)])
    return known


def warn_of_weights(table: pa.Table, settings: Settings, roles: Sequence[ColumnRole]) -> list[str]:
    """Return a warning for each column of weights that differ, unless a person said that none are used."""
    if settings.weights is not None:
        return []
    names = [role.column for role in roles if role.role == NOT_USED and role.column in table.column_names]
    return [describe_unused(column) for name in names if len(_values(column := Column(table, name))) > 1]


def is_of_unused(sentence: str) -> bool:
    """Return whether a sentence is that of `describe_unused`."""
    return _UNUSED in sentence


def describe_unused(column: Column) -> str:
    """Say that a column of weights is not used, and what to do."""
    counts = " If it counts equal rows, choose it as rows per line (--counts)." if column.is_whole else ""
    return f"{quote(column.name)} {_UNUSED}{counts} If no weights are meant, say so (--weights none)."
