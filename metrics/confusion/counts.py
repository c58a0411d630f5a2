"""Confusion counts: how many rows have which true class and which predicted class.

The small table behind every number on hard labels. The rows of the file are read once, to make it;
after that nothing depends on how many there were.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from text.numbers import write_amount

MISSING = -1
"""Code of a truth or prediction that the file leaves empty: the row is not scored."""
UNPARSEABLE = -2
"""Code of an answer from which no label could be read: scored, wrong, and in a column of its own."""

DENSE_CELLS = 4_000_000  # 32 MB of counters; beyond, sorting the keys is cheaper than clearing and scanning the table
_BLOCK = 1 << 16  # rows a turn: the block's keys stay in the processor's cache


class Cells(NamedTuple):
    """Cells of one row or column of the table, the fullest first: int32 `code` and int64 `rows`."""

    code: np.ndarray
    rows: np.ndarray


class ClassTotals(Protocol):
    """Rows of every class predicted right, true, and predicted, and how many rows there are."""

    @property
    def correct(self) -> np.ndarray: ...
    @property
    def support(self) -> np.ndarray: ...
    @property
    def predicted(self) -> np.ndarray: ...
    @property
    def n(self) -> float: ...


class ByTotals:
    """Give the four counts of every class by its totals; an answer without a label is predicted as no class."""

    @property
    def tp(self: ClassTotals) -> np.ndarray:
        """Return rows of each class predicted as it."""
        return self.correct

    @property
    def fp(self: ClassTotals) -> np.ndarray:
        """Return rows of other classes predicted as each class."""
        return np.asarray(self.predicted - self.correct)

    @property
    def fn(self: ClassTotals) -> np.ndarray:
        """Return rows of each class not predicted as it."""
        return np.asarray(self.support - self.correct)

    @property
    def tn(self: ClassTotals) -> np.ndarray:
        """Return rows of other classes not predicted as each class."""
        return np.asarray(self.n - self.support - self.predicted + self.correct)


@dataclass(frozen=True, eq=False)
class ConfusionCounts(ByTotals):
    """A K-class confusion matrix as the list of its non-empty cells, sorted by (true, pred).

    Attributes
    ----------
    labels : K label names; a code is a position in them.
    n_space : the first `n_space` labels are the label space, the others occurred outside it.
    true, pred : int32 (m,) codes; `pred` may be UNPARSEABLE.
    rows : int64 (m,) rows in the cell, at least 1.
    listed : codes of the labels that are known from elsewhere than the predictions (a label list, a score column, a
        row that is not scored); None = the whole label space is a list.
    ranks : place of every label of the label space in the order of the labels, from 0; () = they have none.
    paths : of every label a number for each of its groups from the top, itself the last; () = labels have no groups.
    counted : the same cells in rows, where `rows` are weights in units; None = no row has a weight. unit : of one unit.

    >>> c = confusion_counts(np.array([0, 0, 1]), np.array([0, 1, UNPARSEABLE]), labels=("a", "b"))
    >>> c.n, c.n_unparsed, c.support.tolist(), c.predicted.tolist()
    (3, 1, [2, 1], [1, 1])
    """

    labels: tuple[str, ...]
    n_space: int
    true: np.ndarray
    pred: np.ndarray
    rows: np.ndarray
    listed: tuple[int, ...] | None = None
    ranks: tuple[int, ...] = ()
    paths: tuple[tuple[int, ...], ...] = ()
    counted: ConfusionCounts | None = None
    unit: float = 1.0

    @property
    def by_row(self) -> ConfusionCounts:
        """Return the cells in which every row counts once."""
        return self.counted or self

    def count(self, true: int, pred: int) -> int:
        """Return the rows of one cell."""
        return int(self.rows[(self.true == true) & (self.pred == pred)].sum())

    def in_weights(self, unit: float) -> ConfusionCounts:
        """Return units of weight as weights, float64: numbers for a formula."""
        return replace(self, rows=self.rows * unit)

    def write(self, rows: int) -> str:
        """Write a number of rows, or the weight of so many units."""
        return f"{rows:,}" if self.counted is None else write_amount(rows * self.unit)

    @cached_property
    def n(self) -> int:
        """Count the scored rows, unparseable answers among them."""
        n: int = self.rows.sum().item()
        return n

    @cached_property
    def n_unparsed(self) -> int:
        """Count the scored rows whose answer holds no label."""
        n: int = self.rows[self.pred == UNPARSEABLE].sum().item()
        return n

    @cached_property
    def correct(self) -> np.ndarray:
        """Return rows answered correctly, int64 (K,)."""
        result = np.zeros(len(self.labels), dtype=self.rows.dtype)
        right = self.true == self.pred
        result[self.true[right]] = self.rows[right]
        return result

    @cached_property
    def support(self) -> np.ndarray:
        """Return rows whose truth is the class, int64 (K,)."""
        # By differences of running sums, since the cells are sorted by truth; whole numbers throughout.
        ends = np.searchsorted(self.true, np.arange(len(self.labels) + 1, dtype=self.true.dtype))
        return np.diff(np.concatenate([[0], np.cumsum(self.rows)])[ends])

    @cached_property
    def predicted(self) -> np.ndarray:
        """Return rows whose prediction is the class, int64 (K,); unparseable answers are nobody's."""
        parsed = self.pred >= 0
        if self.n <= 1 << 53:  # bincount weighs in float64
            return np.bincount(self.pred[parsed], self.rows[parsed], minlength=len(self.labels)).astype(self.rows.dtype)
        result = np.zeros(len(self.labels), dtype=np.int64)
        np.add.at(result, self.pred[parsed], self.rows[parsed])
        return result

    def matrix(self) -> np.ndarray:
        """Return the whole table, int64 (K, K + 1): rows truth, columns prediction, last column unparseable."""
        k = len(self.labels)
        table = np.zeros((k, k + 1), dtype=np.int64)
        table[self.true, np.where(self.pred == UNPARSEABLE, k, self.pred)] = self.rows
        return table

    def row(self, code: int) -> Cells:
        """Return how often rows of class `code` are predicted as each label, itself and UNPARSEABLE included."""
        first, last = np.searchsorted(self.true, [code, code + 1])
        return _fullest_first(self.pred[first:last], self.rows[first:last])

    def column(self, code: int) -> Cells:
        """Return how many rows of each class are predicted as class `code` (or are UNPARSEABLE), itself included."""
        here = self.pred == code
        return _fullest_first(self.true[here], self.rows[here])


def confusion_counts(
    y_true: np.ndarray,
    y_pred: np.ndarray,
    *,
    labels: Sequence[str],
    n_space: int | None = None,
    weights: np.ndarray | None = None,
    listed: tuple[int, ...] | None = None,
    ranks: tuple[int, ...] = (),
    paths: tuple[tuple[int, ...], ...] = (),
) -> ConfusionCounts:
    """Count pairs of integer codes.

    Parameters
    ----------
    y_true, y_pred : int (n,), codes into `labels`, or MISSING; `y_pred` also UNPARSEABLE. Rows with MISSING
        on either side are left out.
    labels : K label names, all different; they are carried along and never compared with the rows.
    n_space : how many of the labels, from the first, are the label space; None = all.
    weights : int (n,), how many rows each pair stands for, from 0; None = one. Their sum must be below 2 ** 63.
    listed : codes of labels known from elsewhere than the predictions; None = the label space is a list.
    ranks, paths : as in `ConfusionCounts`.

    Raises
    ------
    ValueError
        When the arrays differ in length, a code is none of the labels, or a weight is no whole number from 0.

    >>> y_true, y_pred = np.array([0, 0, 1, MISSING]), np.array([0, 1, 1, 0])
    >>> confusion_counts(y_true, y_pred, labels=("ham", "spam")).matrix().tolist()
    [[1, 1, 0], [0, 1, 0]]
    """
    y_true, y_pred, k = np.asarray(y_true), np.asarray(y_pred), len(labels)
    _check_codes(y_true, y_pred, k)
    n_cells = (k + 1) * (k + 2)  # truth from MISSING, prediction from UNPARSEABLE
    if weights is not None:
        keys, rows = _count_weighted(_keys(y_true, y_pred, k), np.asarray(weights))
    elif n_cells <= min(DENSE_CELLS, 16 * len(y_true) + _BLOCK):
        table = _count_dense(y_true, y_pred, k)
        keys = np.flatnonzero(table)
        rows = table[keys]
    else:
        keys, rows = np.unique(_keys(y_true, y_pred, k), return_counts=True)
    true, pred = np.divmod(keys, k + 2)
    scored = (true > 0) & (pred != MISSING - UNPARSEABLE)
    codes = true[scored] + MISSING, pred[scored] + UNPARSEABLE
    return _build(labels, n_space, *codes, rows[scored], listed, ranks, paths)


def confusion_counts_from_matrix(
    matrix: np.ndarray | Sequence[Sequence[int]], labels: Sequence[str], n_space: int | None = None
) -> ConfusionCounts:
    """Take over a ready matrix: (K, K) or, with unparseable answers in the last column, (K, K + 1).

    Raises
    ------
    ValueError
        When the shape does not fit the labels, or an entry is negative or not a whole number.

    >>> confusion_counts_from_matrix([[227, 31], [50, 192]], ("Class1", "Class2")).n
    500
    """
    given, k = np.asarray(matrix), len(labels)
    if given.shape not in {(k, k), (k, k + 1)}:
        shape = " × ".join(map(str, given.shape))
        raise ValueError(f"a matrix of {k} labels is {k} × {k} or {k} × {k + 1}, not {shape}")
    if not np.all((given >= 0) & (given == np.floor(given)) & np.isfinite(given)):
        raise ValueError("a confusion matrix holds whole numbers of rows, none below 0")
    # UNPARSEABLE sorts before every class, so its column goes first.
    columns = [k, *range(k)] if given.shape[1] > k else list(range(k))
    codes = np.array([UNPARSEABLE if column == k else column for column in columns], dtype=np.int64)
    ordered = given[:, columns]
    true, pred_place = np.nonzero(ordered)
    return _build(labels, n_space, true, codes[pred_place], ordered[true, pred_place])


def _check_codes(y_true: np.ndarray, y_pred: np.ndarray, k: int) -> None:
    if y_true.shape != y_pred.shape or y_true.ndim != 1:
        raise ValueError(f"y_true and y_pred hold one code a row each, not shapes {y_true.shape} and {y_pred.shape}")
    for name, codes, lowest in (("y_true", y_true, MISSING), ("y_pred", y_pred, UNPARSEABLE)):
        if codes.dtype.kind not in "iu":
            raise ValueError(f"{name} holds integer codes, not {codes.dtype}")
        if len(codes) and not (lowest <= codes.min() and codes.max() < k):
            span = f"{codes.min()} to {codes.max()}"
            raise ValueError(f"{name} holds codes from {span}; with {k} labels they go from {lowest} to {k - 1}")


def _keys(y_true: np.ndarray, y_pred: np.ndarray, k: int) -> np.ndarray:
    """Return one number per pair, from 0: a missing truth is row 0, an unparseable prediction column 0."""
    keys: np.ndarray = np.multiply(y_true, k + 2, dtype=np.int64)
    np.add(keys, y_pred, out=keys, casting="unsafe")  # unsigned codes too; their range is checked
    keys += (k + 2) * -MISSING - UNPARSEABLE
    return keys


def _count_dense(y_true: np.ndarray, y_pred: np.ndarray, k: int) -> np.ndarray:
    n_cells = (k + 1) * (k + 2)
    step = max(_BLOCK, n_cells)  # clearing the table must not cost more than counting into it
    table = np.zeros(n_cells, dtype=np.int64)
    for start in range(0, len(y_true), step):
        table += np.bincount(_keys(y_true[start : start + step], y_pred[start : start + step], k), minlength=n_cells)
    return table


def _count_weighted(keys: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return different keys, ascending, and the sum of their weights in whole numbers; keys without any row are left
    out.
    """
    if weights.shape != keys.shape or weights.dtype.kind not in "iu" or (len(weights) and weights.min() < 0):
        raise ValueError("weights are whole numbers of rows from 0, one for every pair")
    different, place = np.unique(keys, return_inverse=True)
    rows = np.zeros(len(different), dtype=np.int64)
    np.add.at(rows, place, weights)  # bincount would weigh in float64
    return different[rows > 0], rows[rows > 0]


def _build(
    labels: Sequence[str],
    n_space: int | None,
    true: np.ndarray,
    pred: np.ndarray,
    rows: np.ndarray,
    listed: tuple[int, ...] | None = None,
    ranks: tuple[int, ...] = (),
    paths: tuple[tuple[int, ...], ...] = (),
) -> ConfusionCounts:
    n_space = len(labels) if n_space is None else n_space
    if not 0 <= n_space <= len(labels):
        raise ValueError(f"n_space must be 0 to {len(labels)}, the number of labels, not {n_space}")
    arrays = true.astype(np.int32), pred.astype(np.int32), rows.astype(np.int64)
    for array in arrays:
        array.setflags(write=False)
    return ConfusionCounts(tuple(labels), n_space, *arrays, listed, ranks, paths)


def _fullest_first(codes: np.ndarray, rows: np.ndarray) -> Cells:
    order = np.argsort(-rows, kind="stable")
    return Cells(codes[order], rows[order])
