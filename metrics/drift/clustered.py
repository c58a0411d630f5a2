"""Tell by clusters how far counts of two sets of rows move by chance, where rows of one cluster are alike."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


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


class Null(NamedTuple):
    """The distribution of a sum of squared differences of shares without a shift: mean times F; NaN where unknown.

    The sum is over bins, of (share after - share before)² / share of all.
    """

    mean: float
    degrees: float
    degrees_below: float


def null_of_shift(cells: ClusterRows, share: np.ndarray) -> Null:
    """Return the null of a shift by the covariance of the shares over clusters.

    share : float64 (b,), of every value among all rows, above 0.

    Source: Rao & Scott 1987, Annals of Statistics 15 (second order, with Satterthwaite's degrees); the F distribution
    as in Thomas & Rao 1987, JASA 82, with a degree less than the side of fewer clusters has.
    """
    covariance = _covariance(cells, len(share))
    scaled = covariance / np.sqrt(np.outer(share, share))
    mean, squares = float(np.trace(scaled)), float((scaled**2).sum())
    if not mean > 1e-12:  # below that it is rounding: every cluster has the same shares
        return Null(np.nan, np.nan, np.nan)
    degrees = mean**2 / squares
    return Null(mean, degrees, degrees * (min(cells.n_clusters()) - 1))


def _covariance(cells: ClusterRows, size: int) -> np.ndarray:
    """Return the covariance of the differences of shares, float64 (b, b): the sandwich over clusters.

    A cluster moves the difference of a value by its rows there, less those that its size makes expected.
    """
    from scipy.sparse import csr_array  # a tenth of a second to import

    weight, n_clusters = cells.weights(), int(cells.cluster.max(initial=-1)) + 1
    sizes = size + cells.side  # two more columns: all rows of the cluster before, and after
    columns, rows = np.concatenate([cells.value, sizes]), np.concatenate([cells.cluster, cells.cluster])
    table = csr_array((np.concatenate([weight, weight]), (rows, columns)), shape=(n_clusters, size + 2))
    products = np.asarray((table.T @ table).todense())
    shares = [
        np.bincount(cells.value[of_side], cells.rows[of_side], minlength=size) / cells.rows[of_side].sum()
        for of_side in (cells.side == 0, cells.side == 1)
    ]
    less_expected = np.vstack([np.eye(size), -np.stack(shares)])
    return np.asarray(less_expected.T @ products @ less_expected)
