"""Compare the scores of a row, and round them: as SQL and as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.engines.numbers import read_doubles


class Highest(NamedTuple):
    """A key: the place, from 1, of the column with the highest score of a row, the first one on a tie.

    A row that lacks one of the scores has no value. labels : the class of each column.
    """

    columns: tuple[str, ...]
    labels: tuple[str, ...]


class Softmax(NamedTuple):
    """A score: the probability that softmax makes of one of several logits; none in a row that lacks one of them.

    columns : of the logits. place : of the one, from 0.
    """

    columns: tuple[str, ...]
    place: int


def write_highest(numbers: Sequence[str], place: str) -> str:
    """Return the expression of a `Highest`; numbers : those of its columns, which are null where no score is.

    place : the dialect's place of a value in a list.

    >>> write_highest(["a", "b"], "list_position([{0}], {1})")
    '(CASE WHEN a + b IS NULL THEN NULL ELSE list_position([a, b], greatest(a, b)) END)'
    """
    every = ", ".join(numbers)
    return f"(CASE WHEN {' + '.join(numbers)} IS NULL THEN NULL ELSE {place.format(every, f'greatest({every})')} END)"


def find_highest(scores: Sequence[pa.ChunkedArray]) -> pa.Array:
    """Return the values of a `Highest`, int32; scores : those of its columns, null where there is none.

    >>> find_highest([pa.chunked_array([[0.5, 0.1, None]]), pa.chunked_array([[0.5, 0.9, 1.0]])]).to_pylist()
    [1, 2, None]
    """
    matrix = np.column_stack([column.to_numpy().astype(np.float64) for column in scores])
    return pa.array(matrix.argmax(axis=1).astype(np.int32) + 1, mask=np.isnan(matrix).any(axis=1))


def write_softmax(numbers: Sequence[str], place: int) -> str:
    """Return the expression of a `Softmax`; numbers : those of its columns, which are null where no logit is.

    >>> write_softmax(["a", "b"], 1)
    '(1 / (1 + exp(a - b)))'
    """
    others = " + ".join(f"exp({other} - {numbers[place]})" for i, other in enumerate(numbers) if i != place)
    return f"(1 / (1 + {others}))"


def read_scores(table: pa.Table, score: str | Softmax) -> pa.ChunkedArray:
    """Return scores of rows, float64: NaN is no score, and -0.0 is 0.0.

    >>> read_scores(pa.table({"p": [1, None], "q": [-0.0, float("nan")]}), "q").to_pylist()
    [0.0, None]
    """
    if isinstance(score, Softmax):
        return compute_softmax([read_scores(table, column) for column in score.columns], score.place)
    column = read_doubles(table.column(score))
    return pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), pc.add(column, pa.scalar(0, column.type)))


def compute_softmax(logits: Sequence[pa.ChunkedArray], place: int) -> pa.ChunkedArray:
    """Return the values of a `Softmax`, float64; logits : those of its columns, null where there is none.

    >>> compute_softmax([pa.chunked_array([[0.0, 9.0]]), pa.chunked_array([[0.0, None]])], 0).to_pylist()
    [0.5, None]
    """
    columns = [column.to_numpy().astype(np.float64) for column in logits]
    with np.errstate(over="ignore"):  # exp is infinite where the probability is 0
        others = sum(np.exp(column - columns[place]) for i, column in enumerate(columns) if i != place)
    return pa.chunked_array([pa.array(1 / (1 + others), from_pandas=True)])


def splitter(bits: int) -> float:
    """Return the factor with which Veltkamp's splitting rounds a double to `bits` significant bits.

    `x * f - (x * f - x)` is `x` rounded to its `bits` leading bits (Dekker 1971, "A floating-point technique for
    extending the available precision"); plain arithmetic, so every engine has it. It never puts two scores in the
    wrong order.

    >>> f = splitter(4)
    >>> 0.7 * f - (0.7 * f - 0.7)
    0.6875
    """
    return float(2 ** (53 - bits) + 1)


LARGEST_SPLIT = 1e280
"""Beyond it the product overflows: such scores are grouped as they are."""


def write_rounding(score: str, bits: int) -> str:
    """Return the expression of a score rounded to its leading bits; score : the name of its column."""
    factor = f"CAST({splitter(bits)!r} AS DOUBLE)"
    return (
        f"CASE WHEN abs({score}) < {LARGEST_SPLIT!r} THEN {score} * {factor} - ({score} * {factor} - {score}) "
        f"ELSE {score} END"
    )
