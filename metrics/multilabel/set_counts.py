"""Sets of labels in, multi-label counts out: one two-by-two table a label, and rows counted by their sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

_BLOCK_CELLS = 1 << 17  # cells counted at a time, so that a block stays in the processor's cache


class RowSums(NamedTuple):
    """Rows counted by (labels in both, labels of the truth, labels of the prediction); int64 arrays of one length.

    rows : how many rows have these three sums.
    """

    intersection: np.ndarray
    n_true: np.ndarray
    n_pred: np.ndarray
    rows: np.ndarray

    @property
    def union(self) -> np.ndarray:
        """Return labels in truth or prediction."""
        either: np.ndarray = self.n_true + self.n_pred - self.intersection
        return either

    @property
    def exact(self) -> np.ndarray:
        """Mark where truth and prediction are the same set."""
        same: np.ndarray = (self.intersection == self.n_true) & (self.intersection == self.n_pred)
        return same


@dataclass(frozen=True, eq=False)
class MultilabelCounts:
    """Everything the multi-label metrics need of any number of rows.

    labels : L names; tp, fp, fn, tn : int64 (L,), one two-by-two table a label; row_sums : rows by their sums.
    n_space : the first so many labels are the label space; None = all.
    counted : the same in rows, where these counts are units of weight; None = no row has a weight.
    """

    labels: tuple[str, ...]
    tp: np.ndarray
    fp: np.ndarray
    fn: np.ndarray
    tn: np.ndarray
    row_sums: RowSums
    n_space: int | None = None
    counted: MultilabelCounts | None = None

    def in_weights(self, unit: float) -> MultilabelCounts:
        """Return units of weight as weights, float64: numbers for a formula."""
        tp, fp, fn, tn = (part * unit for part in (self.tp, self.fp, self.fn, self.tn))
        return replace(
            self, tp=tp, fp=fp, fn=fn, tn=tn, row_sums=self.row_sums._replace(rows=self.row_sums.rows * unit)
        )

    @property
    def by_row(self) -> MultilabelCounts:
        """Return the counts in which every row counts once."""
        return self.counted or self

    @property
    def n(self) -> int:
        """Return rows."""
        n: int = self.row_sums.rows.sum().item()
        return n

    @property
    def support(self) -> np.ndarray:
        """Return the true rows of every label, int64 (L,)."""
        total: np.ndarray = self.tp + self.fn
        return total

    @property
    def predicted(self) -> np.ndarray:
        """Return rows every label is predicted for, int64 (L,)."""
        total: np.ndarray = self.tp + self.fp
        return total

    @property
    def n_exact(self) -> int:
        """Return rows right in every label."""
        n: int = self.row_sums.rows[self.row_sums.exact].sum().item()
        return n

    @property
    def n_empty_true(self) -> int:
        """Return rows without any true label."""
        return int(self.row_sums.rows[self.row_sums.n_true == 0].sum())

    @property
    def n_empty_pred(self) -> int:
        """Return rows for which no label is predicted."""
        return int(self.row_sums.rows[self.row_sums.n_pred == 0].sum())


def multilabel_counts(
    y_true: np.ndarray,
    y_pred: np.ndarray,
    labels: Sequence[str],
    weights: np.ndarray | None = None,
    n_space: int | None = None,
) -> MultilabelCounts:
    """Count one two-by-two table a label, and rows by their label sums, in one pass over the cells.

    Parameters
    ----------
    y_true, y_pred : bool (n, L), True = the row has the label.
    labels : L names.
    weights : int64 (n,), how many rows each line stands for; None = one. Their sum is at most 2 ** 53.
    n_space : how many of the labels, from the first, are the label space; None = all.

    Raises
    ------
    TypeError : an array is not bool.
    ValueError : the shapes do not fit.

    >>> truth = np.array([[0, 1, 0], [1, 1, 0]], dtype=bool)
    >>> counts = multilabel_counts(truth, np.array([[0, 1, 1], [1, 0, 0]], dtype=bool), ("a", "b", "c"))
    >>> counts.tp, counts.fp, counts.fn, counts.tn
    (array([1, 1, 0]), array([0, 0, 1]), array([0, 1, 0]), array([1, 0, 1]))
    """
    if y_true.dtype != np.bool_ or y_pred.dtype != np.bool_:
        raise TypeError(f"Label sets must be bool arrays (rows, labels), not {y_true.dtype} and {y_pred.dtype}.")
    if y_true.ndim != 2 or y_true.shape != y_pred.shape or y_true.shape[1] != len(labels):
        raise ValueError(f"Label sets must be (rows, {len(labels)} labels), not {y_true.shape} and {y_pred.shape}.")
    n, n_labels = y_true.shape
    tp, support, predicted = (np.zeros(n_labels, np.int64) for _ in range(3))
    per_row = np.empty((3, n), dtype=np.int64)
    step = max(1, _BLOCK_CELLS // max(1, n_labels))
    for start in range(0, n, step):
        block = slice(start, start + step)
        truth, guess = (np.ascontiguousarray(part[block].T) for part in (y_true, y_pred))
        for i, (cells, column) in enumerate(((truth & guess, tp), (truth, support), (guess, predicted))):
            column += np.count_nonzero(cells, axis=1) if weights is None else _add_up(cells, weights[block])
            per_row[i, block] = np.add.reduce(cells, axis=0, dtype=_sum_type(n_labels))
    fp, fn = predicted - tp, support - tp
    n_rows = n if weights is None else int(weights.sum())
    tn, row_sums = n_rows - tp - fp - fn, _count_rows(per_row, n_labels, weights)
    return MultilabelCounts(tuple(labels), tp, fp, fn, tn, row_sums, n_space)


def _add_up(cells: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Add up the rows of every label, int64 (L,): float64 holds every whole number up to 2 ** 53."""
    return (cells @ weights.astype(np.float64)).astype(np.int64)


def _sum_type(largest: int) -> type[np.unsignedinteger]:
    """Return the smallest type that holds the sum: a quarter of the time of the default."""
    return np.uint8 if largest < 1 << 8 else np.uint16 if largest < 1 << 16 else np.uint32


def _count_rows(per_row: np.ndarray, n_labels: int, weights: np.ndarray | None) -> RowSums:
    """Return rows with the same three sums, counted: the sums are digits of one number to the base n_labels + 1."""
    base, n = n_labels + 1, per_row.shape[1]
    packed = (per_row[0] * base + per_row[1]) * base + per_row[2]
    if base**3 <= max(1 << 16, 4 * n):
        seen, rows = None, np.bincount(packed, weights, minlength=1).astype(np.int64)
    elif weights is None:
        seen, rows = np.unique(packed, return_counts=True)
    else:
        seen, place = np.unique(packed, return_inverse=True)
        rows = np.bincount(place, weights, minlength=1).astype(np.int64)
    there = np.flatnonzero(rows)
    value, rows = there if seen is None else seen[there], rows[there]
    return RowSums(value // base**2, value // base % base, value % base, rows)
