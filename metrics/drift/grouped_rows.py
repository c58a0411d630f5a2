"""Tell how far counts of two sets of rows move by chance, where rows of one cluster are alike, or have weights."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrics.intervals.joint_counts import Cells, Weighing


class ClusterRows(NamedTuple):
    """Rows of every value, side and cluster that meet; entries may repeat.

    value, cluster : int64 (m,), from 0. side : int64 (m,), 0 = before, 1 = after. rows : (m,).
    """

    value: np.ndarray
    side: np.ndarray
    cluster: np.ndarray
    rows: np.ndarray

    def weights(self) -> np.ndarray:
        """Return for every entry its rows as a share of its side, negative before, times the root of G / (G - 1).

        NaN on a side of fewer than two clusters.
        """
        weights = np.zeros(len(self.rows))
        for side, n_clusters in enumerate(self.n_clusters()):
            of_side, sign = self.side == side, 2 * side - 1
            scale = np.sqrt(n_clusters / (n_clusters - 1)) if n_clusters > 1 else np.nan
            weights[of_side] = sign * scale * self.rows[of_side] / self.rows[of_side].sum()
        return weights

    def n_clusters(self) -> tuple[int, int]:
        """Return the clusters that have rows before, and after; a cluster may lie in both."""
        met = self.rows > 0
        before, after = (len(np.unique(self.cluster[met & (self.side == side)])) for side in (0, 1))
        return before, after

    def least(self) -> float:
        """Return the clusters of the side that has fewer."""
        return min(self.n_clusters())

    def covariance(self, size: int) -> np.ndarray:
        """Return the covariance of the differences of shares, float64 (size, size): the sandwich over clusters.

        A cluster moves the difference of a value by its rows there, less those that its size makes expected.
        """
        from scipy.sparse import csr_array  # a tenth of a second to import

        weight, n_clusters = self.weights(), int(self.cluster.max(initial=-1)) + 1
        sizes = size + self.side  # two more columns: all rows of the cluster before, and after
        columns, rows = np.concatenate([self.value, sizes]), np.concatenate([self.cluster, self.cluster])
        table = csr_array((np.concatenate([weight, weight]), (rows, columns)), shape=(n_clusters, size + 2))
        products = np.asarray((table.T @ table).todense())
        shares = [
            np.bincount(self.value[of_side], self.rows[of_side], minlength=size) / self.rows[of_side].sum()
            for of_side in (self.side == 0, self.side == 1)
        ]
        less_expected = np.vstack([np.eye(size), -np.stack(shares)])
        return np.asarray(less_expected.T @ products @ less_expected)


class WeightedRows(NamedTuple):
    """Independent rows with weights; entries may repeat.

    value : int64 (m,), from 0. side : as in `ClusterRows`. rows : (m,), the weight of each entry in units.
    weighing : of the entries.
    """

    value: np.ndarray
    side: np.ndarray
    rows: np.ndarray
    weighing: Weighing

    def cells(self, side: int, size: int) -> Cells:
        """Return a cell for every value on a side."""
        here = self.side == side
        sums = (np.bincount(self.value[here], part[here], size) for part in (self.rows, *self.weighing))
        weight, squares, fourths, rows = sums
        weighing = Weighing(squares, fourths, rows.astype(np.int64))
        return Cells(weight.astype(np.int64), None, 0, 0, weighing=weighing)

    def effective(self) -> tuple[float, float]:
        """Return the effective rows before, and after."""
        before, after = (self.cells(side, int(self.value.max(initial=0)) + 1).effective_rows() for side in (0, 1))
        return before, after

    def least(self) -> float:
        """Return the effective rows of the side that has fewer."""
        return min(self.effective())

    def covariance(self, size: int) -> np.ndarray:
        """Return the covariance of the differences of shares, float64 (size, size).

        On each side it is the larger of two, as in `Cells.variance`: the sandwich, and Kish's design effect times the
        covariance that rows of equal weight have. NaN on a side of fewer than two effective rows.
        """
        whole = np.zeros((size, size))
        for side in (0, 1):
            cells = self.cells(side, size)
            assert cells.weighing is not None
            share, few = cells.rows / cells.n, cells.effective_rows()
            squares = cells.weighing.squares / float(cells.n) ** 2
            crossed = np.outer(share, squares)
            products = np.outer(share, share)
            sandwich = np.diag(squares) - crossed - crossed.T + squares.sum() * products
            kish = (np.diag(share) - products) / few
            larger = max(sandwich, kish, key=lambda covariance: float(np.trace(covariance)))
            whole += larger * (few / (few - 1) if few > 1 else np.nan)
        return whole


Grouped = ClusterRows | WeightedRows
"""Rows that are not counted one by one: by clusters, or by their weights."""


class Null(NamedTuple):
    """The distribution of a sum of squared differences of shares without a shift: mean times F; NaN where unknown.

    The sum is over bins, of (share after - share before)² / share of all.
    """

    mean: float
    degrees: float
    degrees_below: float


def null_of_shift(cells: Grouped, share: np.ndarray) -> Null:
    """Return the null of a shift by the covariance of the shares, over clusters or by weights.

    share : float64 (b,), of every value among all rows, above 0.

    Source: Rao & Scott 1987, Annals of Statistics 15 (second order, with Satterthwaite's degrees); the F distribution
    as in Thomas & Rao 1987, JASA 82, with a degree less than the side of fewer clusters, or effective rows, has.
    """
    covariance = cells.covariance(len(share))
    scaled = covariance / np.sqrt(np.outer(share, share))
    mean, squares = float(np.trace(scaled)), float((scaled**2).sum())
    if not mean > 1e-12:  # below that it is rounding: every cluster has the same shares
        return Null(np.nan, np.nan, np.nan)
    degrees = mean**2 / squares
    return Null(mean, degrees, degrees * (cells.least() - 1))
