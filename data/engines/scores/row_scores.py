"""Compare the scores of a row, as SQL and as arrays: which class has the highest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa


class Highest(NamedTuple):
    """A key: the place, from 1, of the column with the highest score of a row, the first one on a tie.

    A row that lacks one of the scores has no value. labels : the class of each column.
    """

    columns: tuple[str, ...]
    labels: tuple[str, ...]


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
