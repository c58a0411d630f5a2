"""Find columns of weights of rows, warn where nobody said whether they count, and read those that do."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.column import Column, read_numbers
from data.columns.plain_names import remove_accents, split_side
from data.columns.role_names import WEIGHTS, fold
from data.errors import DataError
from data.evaluation import ColumnRole, Evaluation, Settings
from data.limits import MAX_COUNTED_ROWS
from text.quoting import quote

USED = "weights"
"""Role of the column of weights that count."""
NOT_USED = "unused weights"
"""Role of a column that is named like weights, where nobody said that they count."""
_UNUSED = "is named like weights. They are not used: every row counts once."
_NAMES = {remove_accents(name) for name in WEIGHTS}
_MOST = 1e100  # its square, a cost, and the sum over all rows are still numbers


class Units(NamedTuple):
    """Weights in whole units.

    units : int64 (n,). unit : the weight of one unit, a power of 2.
    """

    units: np.ndarray
    unit: float


def find_weights(columns: Iterable[Column]) -> list[Column]:
    """Return the columns of numbers from 0 that are named like weights.

    >>> table = pa.table({"sample_weight": [1.0, 2.5], "weight": ["heavy", "light"]})
    >>> [column.name for column in find_weights(Column(table, name) for name in table.column_names)]
    ['sample_weight']
    """
    named = [column for column in columns if remove_accents(fold(split_side(column.name)[0])) in _NAMES]
    numbers = [_distinct_numbers(column) for column in named]
    return [column for column, values in zip(named, numbers, strict=True) if len(values) and values[0] >= 0]


def _distinct_numbers(column: Column) -> np.ndarray:
    """Return the different numbers of a column, float64 in ascending order; none where a cell is no number."""
    try:
        numbers = column.numbers if column.holds_numbers else np.array([])
    except DataError:
        return np.array([])
    return np.asarray(np.unique(numbers[~np.isnan(numbers)]))


def warn_of_weights(table: pa.Table, settings: Settings, roles: Sequence[ColumnRole]) -> list[str]:
    """Return a warning for each column of weights that differ, unless a person said what counts."""
    if settings.weights is not None:
        return []
    unused = [role.column for role in roles if role.role == NOT_USED]
    columns = [Column(table, name) for name in unused if name in table.column_names]
    return [describe_unused(column) for column in columns if len(_distinct_numbers(column)) > 1]


def is_of_unused(sentence: str) -> bool:
    """Return whether a sentence is that of `describe_unused`."""
    return _UNUSED in sentence


def describe_unused(column: Column) -> str:
    """Say that a column of weights is not used, and what to do."""
    counts = " If it counts equal rows, choose it as rows per line (--counts)." if column.is_whole else ""
    return (
        f"{quote(column.name)} {_UNUSED}{counts} Choose it as weights to count each row by it (--weights COLUMN), or "
        "say that none are meant (--weights none)."
    )


def check_weights(settings: Settings, *, counted: bool = False) -> None:
    """Refuse a column of weights that has another role, too.

    counted : whether an engine counts the rows, which adds up no weights.
    """
    if not settings.weights:
        return
    if counted:
        raise weights_need_rows_error()
    pairs = (*settings.truth_columns, *settings.pred_columns, *settings.scores)
    others = (settings.truth, settings.pred, settings.raw, settings.counts, *(column for column, _ in pairs))
    if settings.weights in others:
        raise DataError(
            f"{quote(settings.weights)} is to be the weights of rows and has another role at once: choose two "
            "different columns."
        )


def weights_need_rows_error() -> DataError:
    """Return the error for weights where an engine counts the rows."""
    return DataError(
        "Rows that an engine counts cannot be weighted: open a sample of the rows or a smaller file, or use no weights "
        "(--weights none)."
    )


def read_weights(table: pa.Table, column: str, needed: np.ndarray) -> np.ndarray:
    """Return the weight of every row, float64 (n,); NaN where it is missing and not needed.

    needed : bool (n,), the rows that must have one.

    Raises
    ------
    DataError
        a cell that is empty where it is needed, no number, below 0 or beyond 1e100, named by its row.

    >>> read_weights(pa.table({"w": ["0.5", "2", "0"]}), "w", np.ones(3, bool))
    array([0.5, 2. , 0. ])
    """
    weights = read_numbers(table.column(column))
    wrong = (weights > _MOST) | (weights < 0) | (np.isnan(weights) & needed)
    if wrong.any():
        row = int(np.argmax(wrong))
        came = "an empty cell" if np.isnan(weights[row]) else quote(str(table.column(column)[row].as_py()))
        wanted = f"A number up to {_MOST:g}" if weights[row] > _MOST else "A number from 0"
        raise DataError(
            f"Column {quote(column)}, row {row + 1:,}: {came} is no weight. {wanted} was wanted: correct the cell, or "
            "use no weights (--weights none)."
        )
    if needed.any() and not (weights[needed] > 0).any():
        raise DataError(f"No row has a weight above 0 in {quote(column)}: choose another column, or no weights.")
    return weights


def count_units(weights: np.ndarray, rows: np.ndarray) -> Units:
    """Return the weights of lines in whole units, as fine as their sum allows.

    Weights such as 0.5 or 3 are exact. Others, such as 0.1, are rounded to a unit that is at most 2 ** -51 of the sum;
    none above 0 is rounded to 0.

    weights : float64 (n,), of a row of each line. rows : int64 (n,), rows of each line.

    >>> count_units(np.array([0.5, 0.25, 3.0]), np.array([1, 2, 1]))
    Units(units=array([ 2,  2, 12]), unit=0.25)
    """
    total = float((weights * rows).sum())
    finest = int(math.log2(MAX_COUNTED_ROWS)) - 1 - math.frexp(total)[1]
    scale = min(finest, _find_exact_scale(weights))
    units = np.rint(np.ldexp(weights, scale)).astype(np.int64)
    units[(units == 0) & (weights > 0)] = 1
    return Units(units * rows, math.ldexp(1.0, -scale))


def _find_exact_scale(weights: np.ndarray) -> int:
    """Return the smallest power of 2 by which all weights are whole numbers."""
    mantissa, exponent = np.frexp(weights[weights > 0])
    digits = np.ldexp(mantissa, 53).astype(np.int64)
    lowest = np.frexp((digits & -digits).astype(np.float64))[1] - 1
    return int((53 - exponent - lowest).max(initial=0))


def replace_rows_by_units(evaluation: Evaluation) -> Evaluation:
    """Return the evaluation with units of weight in place of rows, for numbers in which the unit cancels.

    Its numbers of rows are units, and its intervals would be far too narrow: take values of it alone.
    """
    if evaluation.units is None:
        return evaluation
    name = hashlib.sha256(f"{evaluation.fingerprint} by weight".encode()).hexdigest()
    return dataclasses.replace(evaluation, weights=evaluation.units, units=None, fingerprint=name)


def count_rows_once(evaluation: Evaluation) -> Evaluation:
    """Return the evaluation in which every row counts once, whatever its weight; rows of weight 0 still do not."""
    if evaluation.units is None:
        return evaluation
    name = hashlib.sha256(f"{evaluation.fingerprint} by row".encode()).hexdigest()
    return dataclasses.replace(
        evaluation, weights=evaluation.rows_per_line * evaluation.has_weight, units=None, fingerprint=name
    )


class TotalWeight(NamedTuple):
    """The weights of the scored rows: their sum, and how many rows of equal weight would tell as much.

    rows : scored rows. effective_n : Kish's (sum of weights) ** 2 / sum of squares. n_deciding : the same of squared
        weights.
    """

    column: str
    total: float
    rows: int
    effective_n: float
    n_deciding: float


def add_weights(evaluation: Evaluation, lines: np.ndarray | None = None) -> TotalWeight | None:
    """Return the total weight of an evaluation, or of some of its lines; None where every row counts once.

    Source: Kish 1965, Survey Sampling.
    """
    if evaluation.units is None:
        return None
    lines = evaluation.scored if lines is None else lines
    units = evaluation.units[lines].astype(np.float64)
    rows = evaluation.rows_per_line[lines]
    units_of_row = units / np.maximum(rows, 1)
    squares, fourths = (float((rows * units_of_row**power).sum()) for power in (2, 4))
    return TotalWeight(
        column=evaluation.settings.weights or "",
        total=float(units.sum()) * evaluation.unit,
        rows=int(rows.sum()),
        effective_n=float(units.sum() ** 2 / squares) if squares else math.nan,
        n_deciding=float(squares**2 / fourths) if squares else math.nan,
    )
