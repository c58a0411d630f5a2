"""Joint counts: how many rows have which truth and which predictions of one model, or of several.

The small table behind every interval and every comparison. A row of it is a cell: rows of the file that agree in the
truth, in every prediction and in the cluster. Who counts is exchangeable; numpy counts here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from metrics.confusion.counts import DENSE_CELLS, MISSING, UNPARSEABLE, ByTotals, ConfusionCounts
from metrics.outcomes import Outcomes, Ratio

_BLOCK_CELLS = 1 << 20


@dataclass(frozen=True, eq=False)
class Totals(ByTotals):
    """Rows of every class: predicted right, true, predicted; float64 (L,) each. `n` rows; the label space is first."""

    correct: np.ndarray
    support: np.ndarray
    predicted: np.ndarray
    n: float
    n_space: int


class Slopes(NamedTuple):
    """Derivatives of a metric by the totals: float64 (L,) each, and one by the number of rows."""

    correct: np.ndarray
    support: np.ndarray
    predicted: np.ndarray
    n: float = 0.0

    @classmethod
    def of_ratio(cls, ratio: Ratio, counts: Outcomes, weight: np.ndarray) -> Slopes:
        """Return those of a weighted sum of a ratio over the classes."""
        parts, wholes = (
            (tp - fp - fn + tn, fn - tn, fp - tn, tn) for tp, fp, fn, tn in (ratio.part, ratio.whole)
        )  # factors of correct, support, predicted and n
        correct, support, predicted, n = (weight * slope for slope in ratio.slopes_by(parts, wholes, counts))
        return cls(correct, support, predicted, float(n.sum()))


class Weighing(NamedTuple):
    """Hold what weights of rows add to cells, or to the entries that are counted into them.

    squares, fourths : float64 (m,), the sums of the squared weights of the rows, and of their fourth powers.
    rows : int64 (m,), how many rows.
    """

    squares: np.ndarray
    fourths: np.ndarray
    rows: np.ndarray

    @classmethod
    def of_units(cls, units: np.ndarray, rows: np.ndarray) -> Weighing:
        """Return that of entries of so many rows, which weigh alike, each with a weight of so many units in all."""
        n, square = np.maximum(rows, 1), units.astype(np.float64) ** 2
        return cls(square / n, square / n * square / n / n, rows)

    def of(self, chosen: np.ndarray | slice) -> Weighing:
        """Return that of some of the cells."""
        return Weighing(self.squares[chosen], self.fourths[chosen], self.rows[chosen])


@dataclass(frozen=True, eq=False)
class Cells:
    """Hold what both kinds of joint counts share: the rows of every cell, and its cluster.

    rows : int64 (m,), rows of the file in each cell; where rows have weights, the sum of these, in units.
    cluster : int64 (m,), from 0, or None where every row stands for itself.
    n_space : the first `n_space` of the `n_labels` labels are the label space.
    """

    rows: np.ndarray
    cluster: np.ndarray | None
    n_labels: int
    n_space: int
    weighing: Weighing | None = field(default=None, kw_only=True)

    @cached_property
    def n(self) -> int:
        """Return rows of the file, or the sum of their weights in units."""
        return int(self.rows.sum())

    @property
    def row_counts(self) -> np.ndarray:
        """Return how many rows each cell has, int64 (m,), whatever their weights."""
        return self.rows if self.weighing is None else self.weighing.rows

    def count_rows(self, chosen: np.ndarray | slice = slice(None)) -> int:
        """Count the rows in some of the cells."""
        return int(self.row_counts[_places(chosen)].sum())

    def effective_rows(self, chosen: np.ndarray | slice = slice(None)) -> float:
        """Return how many rows of equal weight tell as much as those in some of the cells: all where none has a weight.

        It is (sum of weights) ** 2 / sum of squared weights. Source: Kish 1965, Survey Sampling.
        """
        places = _places(chosen)
        total = float(self.rows[places].sum())
        if self.weighing is None or not total:
            return total
        return total**2 / float(self.weighing.squares[places].sum())

    @cached_property
    def shrinkage(self) -> float:
        """Return the effective rows for each row, or unit of weight; 1 where no row has a weight."""
        return self.effective_rows() / self.n if self.n else 1.0

    def deciding_rows(self, influence: np.ndarray) -> float:
        """Return how many rows of equal influence vary as much: few where the estimate hangs on few rows.

        It is (sum of squares) ** 2 / sum of fourth powers of the influences.
        """
        of_rows = self.rows, self.rows
        squares, fourths = of_rows if self.weighing is None else (self.weighing.squares, self.weighing.fourths)
        largest = float(np.abs(influence).max(initial=0.0))
        square = (influence / (largest or 1.0)) ** 2  # their unit cancels out: it could overflow
        fourth = float((fourths * square * square).sum())
        return float((squares * square).sum()) ** 2 / fourth if fourth else 0.0

    @cached_property
    def _totals(self) -> dict[int, Totals]:
        return {}

    def totals(self, model: int = 0) -> Totals:
        """Return rows of every class, or label, under one model: counted once, as every metric asks for them."""
        if model not in self._totals:
            self._totals[model] = self._count_totals(model)
        return self._totals[model]

    def _count_totals(self, model: int) -> Totals:
        raise NotImplementedError

    @cached_property
    def n_clusters(self) -> int | None:
        """Count the clusters; None where every row stands for itself."""
        return None if self.cluster is None else len(np.unique(self.cluster[self.rows > 0]))

    @property
    def cluster_correction(self) -> float:
        """Return G / (G - 1) for G clusters; NaN with fewer than two."""
        n_clusters = self.n_clusters or 0
        return n_clusters / (n_clusters - 1) if n_clusters > 1 else float("nan")

    def variance(self, influence: np.ndarray) -> float:
        """Return the variance of an estimate whose influence is float64 (m,): by rows, or by clusters (sandwich).

        Undefined (NaN) with fewer than two rows or clusters. With weights it is the larger of two: the sandwich, and
        Kish's design effect times the variance that rows of equal weight have. The first alone is too small where few
        rows have much of the weight.

        Source: Liang & Zeger 1986, Biometrika 73, with G / (G - 1) for G clusters.
        """
        if self.cluster is not None:
            sums = np.bincount(self.cluster, self.rows * influence)
            return float((sums * sums).sum()) * self.cluster_correction
        if self.weighing is None:
            n = self.n
            return float((self.rows * influence * influence).sum()) * n / (n - 1) if n > 1 else float("nan")
        few, squares, moves = self.effective_rows(), self.weighing.squares, influence != 0
        sandwich = float((squares * influence * influence).sum())
        of_equal = float((self.rows * influence * influence).sum())
        kish = of_equal * float(squares[moves].sum()) / max(1.0, float(self.rows[moves].sum()))
        return max(sandwich, kish) * few / (few - 1) if few > 1 else float("nan")


def _places(chosen: np.ndarray | slice) -> np.ndarray | slice:
    """Return the places of the cells that a mask chooses: cells are read at places far faster than through a mask."""
    return chosen if isinstance(chosen, slice) else np.flatnonzero(chosen)


@dataclass(frozen=True, eq=False)
class JointCounts(Cells):
    """Cells of single-label predictions.

    true : int32 (m,) codes; preds : one int32 (m,) a model, UNPARSEABLE where no label was read.
    ranks : place of every label of the label space in the order of the labels, from 0; () = they have none.
    paths : of every label a number for each of its groups from the top, itself the last; () = labels have no groups.

    >>> found = joint_counts(np.array([0, 0, 1]), [np.array([0, 1, 1]), np.array([0, 1, 0])], n_labels=2)
    >>> found.true.tolist(), found.preds[1].tolist(), found.rows.tolist()
    ([0, 0, 1], [0, 1, 0], [1, 1, 1])
    """

    true: np.ndarray
    preds: tuple[np.ndarray, ...]
    ranks: tuple[int, ...] = ()
    paths: tuple[tuple[int, ...], ...] = ()

    @property
    def many(self) -> bool:
        """Return whether a row has several labels."""
        return False

    @property
    def two_classes(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the cells of either class, bool (m,); None where there are not two."""
        return (self.true == 0, self.true == 1) if self.n_labels == 2 else None

    def _count_totals(self, model: int) -> Totals:
        pred, right = self.preds[model], self.right(model)
        parsed = pred >= 0

        def rows_of(codes: np.ndarray, chosen: np.ndarray | slice) -> np.ndarray:
            return np.bincount(codes[chosen], self.rows[chosen], minlength=self.n_labels)

        every = slice(None)
        return Totals(
            rows_of(self.true, right), rows_of(self.true, every), rows_of(pred, parsed), float(self.n), self.n_space
        )

    def right(self, model: int = 0) -> np.ndarray:
        """Return cells whose prediction is right, bool (m,)."""
        same: np.ndarray = self.true == self.preds[model]
        return same

    def influence(self, slopes: Slopes, model: int = 0) -> np.ndarray:
        """Return the change of a metric by one more row of each cell, float64 (m,)."""
        predicted = np.append(slopes.predicted, [0.0, 0.0])  # UNPARSEABLE, -2, predicts no class
        values = slopes.support[self.true] + predicted[self.preds[model]] + slopes.n
        values[self.right(model)] += slopes.correct[self.true[self.right(model)]]
        return np.asarray(values)

    def one_vs_rest(self, code: int) -> JointCounts:
        """Return the same rows with two labels: 1 = the class, 0 = every other."""
        true, *preds = (np.where(codes == code, 1, 0) for codes in (self.true, *self.preds))
        return joint_counts(true, preds, n_labels=2, weights=self.rows, cluster=self.cluster,
                            weighing=self.weighing)  # fmt: skip


@dataclass(frozen=True, eq=False)
class LabelJointCounts(Cells):
    """Cells of multi-label predictions: true : bool (m, L); preds : one bool (m, L) a model."""

    true: np.ndarray
    preds: tuple[np.ndarray, ...]

    @property
    def many(self) -> bool:
        """Return whether a row has several labels."""
        return True

    def _count_totals(self, model: int) -> Totals:
        sums = [np.zeros(self.n_labels) for _ in range(3)]
        for block in self._blocks():
            true, pred, weight = self.true[block], self.preds[model][block], self.rows[block].astype(np.float64)
            for total, part in zip(sums, (true & pred, true, pred), strict=True):
                total += weight @ part
        return Totals(sums[0], sums[1], sums[2], float(self.n), self.n_space)

    def _blocks(self) -> Iterator[slice]:
        """Yield parts of the rows, so that no copy of all label sets is made."""
        step = max(1, _BLOCK_CELLS // max(1, self.n_labels))
        return (slice(start, start + step) for start in range(0, len(self.rows), step))

    def right(self, model: int = 0) -> np.ndarray:
        """Return cells whose whole set is right, bool (m,)."""
        return np.asarray((self.true == self.preds[model]).all(axis=1))

    def influence(self, slopes: Slopes, model: int = 0) -> np.ndarray:
        """Return the change of a metric by one more row of each cell, float64 (m,)."""
        values = np.full(len(self.rows), slopes.n, dtype=np.float64)
        for block in self._blocks():
            true, pred = self.true[block], self.preds[model][block]
            values[block] += true @ slopes.support + pred @ slopes.predicted + (true & pred) @ slopes.correct
        return values

    def one_vs_rest(self, code: int) -> JointCounts:
        """Return the rows with two labels: 1 = the row has the label, 0 = it has not."""
        true, *preds = (sets[:, code].astype(np.int32) for sets in (self.true, *self.preds))
        return joint_counts(true, preds, n_labels=2, weights=self.rows, cluster=self.cluster,
                            weighing=self.weighing)  # fmt: skip


Joint = JointCounts | LabelJointCounts


def joint_counts(
    y_true: np.ndarray,
    preds: Sequence[np.ndarray],
    *,
    n_labels: int,
    n_space: int | None = None,
    weights: np.ndarray | None = None,
    cluster: np.ndarray | None = None,
    ranks: tuple[int, ...] = (),
    paths: tuple[tuple[int, ...], ...] = (),
    weighing: Weighing | None = None,
) -> JointCounts:
    """Count rows by truth, predictions and cluster.

    Parameters
    ----------
    y_true : int (n,) codes. preds : one int (n,) a model. Rows with MISSING anywhere are left out.
    weights : int (n,), rows that each entry stands for; None = one.
    cluster : int (n,), from 0; None = every row stands for itself.
    ranks, paths : as in `JointCounts`.
    weighing : of each entry, where rows have weights and `weights` are units of these.
    """
    codes = [np.asarray(y_true), *(np.asarray(pred) for pred in preds)]
    return _count_cells(codes, None, n_labels, n_space, weights, cluster, ranks, paths, weighing)[0]


def cells_of_counts(counts: ConfusionCounts, weighing: Weighing | None = None) -> JointCounts:
    """Return confusion counts as the cells of one model, each row by itself: `joint_counts` has the same order.

    weighing : of each cell, where counts are units of weight.
    """
    return JointCounts(
        counts.rows, None, len(counts.labels), counts.n_space, counts.true, (counts.pred,), counts.ranks, counts.paths,
        weighing=weighing,
    )  # fmt: skip


def label_joint_counts(
    y_true: np.ndarray,
    preds: Sequence[np.ndarray],
    *,
    n_space: int | None = None,
    weights: np.ndarray | None = None,
    cluster: np.ndarray | None = None,
    weighing: Weighing | None = None,
) -> LabelJointCounts:
    """Take label sets, bool (n, L) each, as they are: every row or line is a cell, since sets seldom repeat."""
    rows, n_labels = np.ones(len(y_true), dtype=np.int64) if weights is None else weights, y_true.shape[1]
    space = n_labels if n_space is None else n_space
    return LabelJointCounts(rows, cluster, n_labels, space, y_true, tuple(preds), weighing=weighing)


def sliced_joint_counts(
    y_true: np.ndarray,
    pred: np.ndarray,
    slices: np.ndarray,
    *,
    n_labels: int,
    n_space: int | None = None,
    weights: np.ndarray | None = None,
    cluster: np.ndarray | None = None,
    ranks: tuple[int, ...] = (),
    paths: tuple[tuple[int, ...], ...] = (),
    weighing: Weighing | None = None,
) -> tuple[JointCounts, np.ndarray]:
    """Count rows by slice, truth and prediction at once: the cells of one model, and the slice of every cell.

    Parameters as in `joint_counts`; slices : int (n,), from 0.
    """
    cells, slice_of = _count_cells([y_true, pred], slices, n_labels, n_space, weights, cluster, ranks, paths, weighing)
    assert slice_of is not None
    return cells, slice_of


def _count_cells(
    codes: Sequence[np.ndarray], slices: np.ndarray | None, n_labels: int, n_space: int | None,
    weights: np.ndarray | None, cluster: np.ndarray | None, ranks: tuple[int, ...],
    paths: tuple[tuple[int, ...], ...], weighing: Weighing | None,
) -> tuple[JointCounts, np.ndarray | None]:  # fmt: skip
    """Count rows by slice, codes and cluster, in that order.

    codes : of the truth, then of every model. Returns the cells, and the slice of each, int (m,); None without slices.
    """
    scored = np.logical_and.reduce([column != MISSING for column in codes])
    if not scored.all():
        codes = [column[scored] for column in codes]
        slices, weights, cluster = (None if part is None else part[scored] for part in (slices, weights, cluster))
        weighing = None if weighing is None else weighing.of(scored)
    before, after = ([] if part is None else [part] for part in (slices, cluster))
    parts = [*before, *(np.where(column == UNPARSEABLE, 0, column + 1) for column in codes), *after]
    n_before, n_after = ([int(part.max(initial=0)) + 1 for part in side] for side in (before, after))
    widths = [*n_before, *[n_labels + 1] * len(codes), *n_after]
    first, rows, sums = _count(parts, widths, weights, () if weighing is None else weighing)
    weighed = None if weighing is None else Weighing(sums[0], sums[1], sums[2].astype(np.int64))
    true, *preds = (column[first].astype(np.int32) for column in codes)
    space = n_labels if n_space is None else n_space
    together = None if cluster is None else cluster[first]
    cells = JointCounts(rows, together, n_labels, space, true, tuple(preds), ranks, paths, weighing=weighed)
    return cells, None if slices is None else slices[first]


def cells_of(cells: Joint, chosen: np.ndarray) -> Joint:
    """Return some of the cells, bool (m,)."""
    cluster = None if cells.cluster is None else cells.cluster[chosen]
    preds = tuple(pred[chosen] for pred in cells.preds)
    weighing = None if cells.weighing is None else cells.weighing.of(chosen)
    return replace(cells, rows=cells.rows[chosen], cluster=cluster, true=cells.true[chosen], preds=preds,
                   weighing=weighing)  # fmt: skip


def _count(
    parts: Sequence[np.ndarray], widths: Sequence[int], weights: np.ndarray | None, more: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Return first row, number of rows, and the sums of more quantities, of every different combination, ascending.

    parts : int (n,) each, below its width. weights : rows of each entry, None = one. more : float64 (n,) each.
    """
    keys, size = np.zeros(len(parts[0]), dtype=np.int64), 1
    for part, width in zip(parts, widths, strict=True):
        if size > (1 << 62) // width:  # many models: number what there is, so that the keys stay small
            seen, keys = np.unique(keys, return_inverse=True)
            size = len(seen)
        keys = keys * width + part
        size *= width
    if size > DENSE_CELLS:
        seen, keys = np.unique(keys, return_inverse=True)
        size = len(seen)
    first = np.zeros(size, dtype=np.int64)
    first[keys[::-1]] = np.arange(len(keys))[::-1]
    rows = np.bincount(keys, weights, minlength=size).astype(np.int64)
    there = np.flatnonzero(rows)
    return first[there], rows[there], [np.bincount(keys, each, minlength=size)[there] for each in more]
