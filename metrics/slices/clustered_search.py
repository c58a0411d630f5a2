"""Slices of rows that lie in clusters: standard errors of a slice, of the other rows, and what the two share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from metrics.confusion.counts import DENSE_CELLS
from metrics.slices.share_tests import ManyBounds, difference_bounds, wilson_bounds

_DENSE_A_ROW = 8
"""Counters a row that are cheaper to clear and scan than the rows are to sort."""


class ClusterCells(NamedTuple):
    """Rows of every slice and cluster that meet, float64 (m,): all, and those of the metric's part and whole.

    slice_of, cluster_of : int64 (m,). n_slices, n_clusters : how many there are.
    """

    slice_of: np.ndarray
    cluster_of: np.ndarray
    n: np.ndarray
    part: np.ndarray
    whole: np.ndarray
    n_slices: int
    n_clusters: int


class ClusteredSlices(NamedTuple):
    """Slices compared with the other rows by clusters, float64 (s,) each; NaN where undefined.

    effect : design effect, how many rows count as one. bounds : of the slice. between : of the difference.
    """

    effect: np.ndarray
    bounds: ManyBounds
    between: ManyBounds
    p: np.ndarray


class _Side(NamedTuple):
    """Hold a share of slices, or of the rows outside each: value, rows, squared influence by cluster, clusters."""

    share: np.ndarray
    whole: np.ndarray
    squares: np.ndarray
    n_clusters: np.ndarray

    @property
    def variance(self) -> np.ndarray:
        """Return the variance of the share (sandwich), NaN of fewer than two clusters."""
        few = self.n_clusters < 2
        return np.where(few, np.nan, self.squares * self.n_clusters / np.where(few, 1, self.n_clusters - 1))


def cluster_cells(
    codes: np.ndarray, n_slices: int, outcome: np.ndarray, cluster: np.ndarray, weights: np.ndarray | None
) -> ClusterCells:
    """Count rows by slice and cluster.

    outcome : int (n,), 0 = outside the whole, 1 = in it, 2 = in the part, too.
    """
    n_clusters = int(cluster.max(initial=-1)) + 1
    keys = (codes * n_clusters + cluster) * 3 + outcome
    rows: np.ndarray
    if 3 * n_slices * n_clusters <= max(DENSE_CELLS, _DENSE_A_ROW * len(keys)):
        rows = np.bincount(keys, weights, minlength=3 * n_slices * n_clusters).reshape(-1, 3)
        met = np.flatnonzero(rows[:, 0] + rows[:, 1] + rows[:, 2])
        rows = rows[met]
    else:
        seen, place = np.unique(keys, return_inverse=True)
        met, of_cell = np.unique(seen // 3, return_inverse=True)
        rows = np.zeros((len(met), 3))
        rows[of_cell, seen % 3] = np.bincount(place, weights)
    n = rows.sum(axis=1).astype(np.float64)
    part, whole = rows[:, 2].astype(np.float64), (rows[:, 1] + rows[:, 2]).astype(np.float64)
    return ClusterCells(met // n_clusters, met % n_clusters, n, part, whole, n_slices, n_clusters)


def compare_clustered(cells: ClusterCells, scale: str, level: float) -> ClusteredSlices:
    """Compare every slice with the other rows by the delta method, and t with a degree less than the fewer clusters.

    The covariance of a slice and the rest, of clusters that lie in both, is taken off (Liang & Zeger 1986). Shares take
    Wilson's interval of their effective rows, as in `metrics.intervals.statistic`.
    """
    inside, outside, shared = _sides(cells)
    value, rest = (_on_scale(side.share, scale) for side in (inside, outside))
    slopes = [1.0 if scale == "share" else 2 / (1 + side.share) ** 2 for side in (inside, outside)]
    errors = [slope * np.sqrt(side.variance) for slope, side in zip(slopes, (inside, outside), strict=True)]
    shared = shared * slopes[0] * slopes[1]
    product = errors[0] * errors[1]
    correlation = np.clip(np.divide(shared, product, out=np.zeros(len(shared)), where=product > 0), -1, 1)
    ends = [_bounds(side, scale, level) for side in (inside, outside)]
    between = difference_bounds(rest, ends[1], value, ends[0], correlation)
    se = np.sqrt(np.maximum(0.0, errors[0] ** 2 + errors[1] ** 2 - 2 * shared))
    degrees = np.maximum(1, np.minimum(inside.n_clusters, outside.n_clusters) - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(degrees, -np.abs((value - rest) / se))
    p = np.where(se <= 1e-15, np.where(np.abs(value - rest) < 1e-12, 1.0, np.nan), p)
    return ClusteredSlices(_effect(inside), ends[0], between, p)


def _sides(cells: ClusterCells) -> tuple[_Side, _Side, np.ndarray]:
    """Return every slice, the rows outside it, and the sum over clusters of the products of their influences."""
    s, g, size = cells.slice_of, cells.cluster_of, cells.n_slices

    def by_slice(values: np.ndarray) -> np.ndarray:
        return np.bincount(s, values, minlength=size)

    all_n, all_part, all_whole = (
        np.bincount(g, rows, minlength=cells.n_clusters) for rows in (cells.n, cells.part, cells.whole)
    )
    part, whole = by_slice(cells.part), by_slice(cells.whole)
    rest_part, rest_whole = cells.part.sum() - part, cells.whole.sum() - whole
    share, rest = (a / np.where(b > 0, b, np.nan) for a, b in ((part, whole), (rest_part, rest_whole)))
    own = (cells.part - share[s] * cells.whole) / whole[s]
    other = (all_part[g] - cells.part - rest[s] * (all_whole[g] - cells.whole)) / rest_whole[s]
    whole_cluster = (all_part[g] - rest[s] * all_whole[g]) / rest_whole[s]  # as if the slice had none of its rows
    every = all_part @ all_part - 2 * rest * (all_part @ all_whole) + rest**2 * (all_whole @ all_whole)
    squares = every / rest_whole**2 + by_slice(other**2 - whole_cluster**2)
    there = by_slice(np.ones(len(s)))
    outside = int((all_n > 0).sum()) - by_slice((cells.n >= all_n[g]).astype(np.float64))
    return (
        _Side(share, whole, by_slice(own**2), there),
        _Side(rest, rest_whole, np.maximum(0.0, squares), outside),
        by_slice(own * other),
    )


def _effect(side: _Side) -> np.ndarray:
    """Design effect: the rows of a slice over those that would be as sure if each stood for itself."""
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = side.variance * side.whole / (side.share * (1 - side.share))
    edge = ~(side.variance > 1e-24) | (side.share <= 0) | (side.share >= 1)
    at_edge = side.whole / np.maximum(1, np.minimum(side.whole, side.n_clusters))
    return np.where(side.whole > 0, np.where(edge, at_edge, effect), 1.0)


def _bounds(side: _Side, scale: str, level: float) -> ManyBounds:
    rows = side.whole / _effect(side)
    z = np.where(side.n_clusters > 1, stdtrit(np.maximum(1, side.n_clusters - 1), (1 + level) / 2), np.nan)
    found = wilson_bounds(rows * side.share, rows, z)
    return ManyBounds(*(_on_scale(bound, scale) for bound in found))


def _on_scale(share: np.ndarray, scale: str) -> np.ndarray:
    """Return a share as it is, or the F1 of a Jaccard index."""
    return share if scale == "share" else 2 * share / (1 + share)
