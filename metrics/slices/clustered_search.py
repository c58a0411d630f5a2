"""Slices of rows that lie in clusters: standard errors of a slice, of the other rows, and what the two share."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from metrics.shares import ManyBounds, difference_bounds, wilson_bounds

_BLOCK = 1 << 15
"""Rows of one pass."""


class SliceRows(NamedTuple):
    """Hold the rows of every slice or cluster, float64 (m,): all, and those of the metric's part and whole."""

    n: np.ndarray
    part: np.ndarray
    whole: np.ndarray


class Meetings(NamedTuple):
    """Sums over the clusters that meet a slice, float64 (s,) each.

    squares : squared influence of the slice's rows of a cluster on its share. parts, both, wholes : rows of the part
    squared, rows of the part times those of the whole, rows of the whole squared. n_clusters : that meet the slice.
    n_inside : clusters with all their rows in the slice.
    """

    squares: np.ndarray
    parts: np.ndarray
    both: np.ndarray
    wholes: np.ndarray
    n_clusters: np.ndarray
    n_inside: np.ndarray


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
        variance: np.ndarray = self.squares * self.correction
        return variance

    @property
    def correction(self) -> np.ndarray:
        """Return G / (G - 1) for G clusters; NaN with fewer than two."""
        few = self.n_clusters < 2
        return np.where(few, np.nan, self.n_clusters / np.where(few, 1, self.n_clusters - 1))


def cluster_rows(cluster: np.ndarray, outcome: np.ndarray, weights: np.ndarray | None) -> SliceRows:
    """Count the rows of every cluster.

    outcome : int (n,), 0 = outside the whole, 1 = in it, 2 = in the part, too.
    """
    size = int(cluster.max(initial=-1)) + 1
    rows = np.bincount(cluster * 3 + outcome, weights, minlength=3 * size).reshape(-1, 3).astype(np.float64)
    return SliceRows(rows.sum(axis=1), rows[:, 2], rows[:, 1] + rows[:, 2])


def meet_clusters(
    codes: np.ndarray, rows: SliceRows, outcome: np.ndarray, cluster: np.ndarray, weights: np.ndarray | None,
    clusters: SliceRows,
) -> Meetings:  # fmt: skip
    """Sum over the clusters of every slice.

    Rows lie by their clusters, uint32 arrays (n,); a block after the other stays in the processor's cache.
    codes : the slice of every row. rows : of every slice. clusters : rows of every cluster, `cluster_rows`.
    """
    starts = np.unique(np.searchsorted(cluster, cluster[::_BLOCK]))
    blocks = [np.zeros((len(Meetings._fields), len(rows.n)))]
    for start, end in zip(starts, [*starts[1:], len(cluster)], strict=True):
        block_weights = None if weights is None else weights[start:end]
        blocks.append(
            _meet_block(codes[start:end], rows, outcome[start:end], cluster[start:end], block_weights, clusters)
        )
    return Meetings(*np.sum(blocks, axis=0))


def _meet_block(
    codes: np.ndarray, rows: SliceRows, outcome: np.ndarray, cluster: np.ndarray, weights: np.ndarray | None,
    clusters: SliceRows,
) -> np.ndarray:  # fmt: skip
    """Sum over some of the clusters: the fields of `Meetings`, float64 (6, s)."""
    first, n_slices = cluster[0], len(rows.n)
    n_clusters = int(cluster[-1] - first) + 1
    is_all_whole = bool(rows.whole.sum() == rows.n.sum())
    cell, met = _count_cells(
        _number_cells(codes, cluster - first, outcome, n_slices, n_clusters), weights, is_all_whole
    )
    ends = np.searchsorted(cell, (np.arange(1, n_slices + 1) * n_clusters).astype(np.uint64))
    n_met = np.diff(ends, prepend=0)

    def by_slice(values: np.ndarray) -> np.ndarray:
        sums, some = np.zeros(n_slices), n_met > 0
        sums[some] = np.add.reduceat(values, (ends - n_met)[some])
        return sums

    with np.errstate(divide="ignore", invalid="ignore"):
        share = rows.part / np.where(rows.whole > 0, rows.whole, np.nan)
        influence = by_slice((met.part - np.repeat(share, n_met) * met.whole) ** 2) / rows.whole**2
    there = met.n > 0
    cluster_of_cell = int(first) + cell % cell.dtype.type(n_clusters)
    inside = there & (met.n >= clusters.n[cluster_of_cell])
    products = met.part * met.part, met.part * met.whole, met.whole * met.whole
    return np.stack([influence, *map(by_slice, products), by_slice(there * 1.0), by_slice(inside * 1.0)])


def _number_cells(
    codes: np.ndarray, cluster: np.ndarray, outcome: np.ndarray, n_slices: int, n_clusters: int
) -> np.ndarray:
    """Number the cells of slice, cluster and outcome, in this order: uint32 (n,), or uint64 where these are too many.

    The last two bits are the outcome.
    """
    is_wide = 4 * n_slices * n_clusters >= 1 << 32
    key: Any = codes.astype(np.uint64 if is_wide else np.uint32)
    whole_number = key.dtype.type
    key *= whole_number(n_clusters)
    key += cluster.astype(key.dtype, copy=False)
    key <<= whole_number(2)
    key |= outcome.astype(key.dtype, copy=False)
    return np.asarray(key)


def _count_cells(key: np.ndarray, weights: np.ndarray | None, is_all_whole: bool) -> tuple[np.ndarray, SliceRows]:
    """Return the cells of slice and cluster that hold rows, ascending, and their rows; `key` is changed.

    is_all_whole : whether every row is in the whole of the metric, so that it need not be counted.
    """
    if weights is None:
        key.sort()
    else:
        order = np.argsort(key)
        key, weights = key[order], weights[order]
    bit, bits = key.dtype.type(1), key.dtype.type(2)
    cell, outcome = key >> bits, key & key.dtype.type(3)
    last = np.flatnonzero(np.append(cell[1:] != cell[:-1], True))
    n = _steps(last + 1) if weights is None else _sum_to(last, outcome >= 0, weights)
    part = _sum_to(last, outcome >> bit, weights)
    whole = n if is_all_whole else _sum_to(last, (outcome + bit) >> bit, weights)
    return cell[last], SliceRows(n, part, whole)


def _sum_to(last: np.ndarray, chosen: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Return the chosen rows (0 or 1) of every cell that ends at `last`, float64."""
    taken = chosen if weights is None else chosen * weights
    return _steps(np.cumsum(taken, dtype=taken.dtype)[last])


def _steps(so_far: np.ndarray) -> np.ndarray:
    steps = so_far.astype(np.float64)
    steps[1:] -= so_far[:-1]
    return steps


def compare_clustered(
    rows: SliceRows, met: Meetings, with_part: SliceRows, with_whole: SliceRows, clusters: SliceRows,
    *, scale: str, level: float,
) -> ClusteredSlices:  # fmt: skip
    """Compare every slice with the other rows by the delta method, and t with a degree less than the fewer clusters.

    with_part, with_whole : rows of every slice, each counted as often as its cluster has rows of the part (the whole).

    The covariance of a slice and the rest, of clusters that lie in both, is taken off (Liang & Zeger 1986). Shares take
    Wilson's interval of their effective rows, as in `metrics.intervals.statistic`.
    """
    inside, outside, shared = _sides(rows, met, with_part, with_whole, clusters)
    value, rest = (_on_scale(side.share, scale) for side in (inside, outside))
    slopes = [1.0 if scale == "share" else 2 / (1 + side.share) ** 2 for side in (inside, outside)]
    errors = [slope * np.sqrt(side.variance) for slope, side in zip(slopes, (inside, outside), strict=True)]
    shared = shared * slopes[0] * slopes[1] * np.sqrt(inside.correction * outside.correction)
    product = errors[0] * errors[1]
    correlation = np.divide(shared, product, out=np.zeros(len(shared)), where=product > 0)
    ends = [_bounds(side, scale, level) for side in (inside, outside)]
    between = difference_bounds(rest, ends[1], value, ends[0], correlation)
    se = np.sqrt(np.maximum(0.0, errors[0] ** 2 + errors[1] ** 2 - 2 * shared))
    degrees = np.maximum(1, np.minimum(inside.n_clusters, outside.n_clusters) - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(degrees, -np.abs((value - rest) / se))
    p = np.where(se <= 1e-15, np.where(np.abs(value - rest) < 1e-12, 1.0, np.nan), p)
    return ClusteredSlices(_effect(inside), ends[0], between, p)


def _sides(
    rows: SliceRows, met: Meetings, with_part: SliceRows, with_whole: SliceRows, clusters: SliceRows
) -> tuple[_Side, _Side, np.ndarray]:
    """Return every slice, the rows outside it, and the sum over clusters of the products of their influences.

    Let p, w be the rows of a slice in a cluster and P, W all of its rows. The influences are p - share w of the slice
    and (P - p) - rest (W - w) of the others: the sums of their squares and products are those of p, w, P and W.
    """
    rest_part, rest_whole = rows.part.sum() - rows.part, rows.whole.sum() - rows.whole
    share, rest = (
        a / np.where(b > 0, b, np.nan) for a, b in ((rows.part, rows.whole), (rest_part, rest_whole))
    )  # fmt: skip
    every = (clusters.part**2).sum() - 2 * rest * (clusters.part * clusters.whole).sum()
    every = every + rest**2 * (clusters.whole**2).sum()
    crossed = with_part.part - rest * with_part.whole - rest * with_whole.part + rest**2 * with_whole.whole
    squares = every - 2 * crossed + met.parts - 2 * rest * met.both + rest**2 * met.wholes
    shared = with_part.part - rest * with_whole.part - share * (with_part.whole - rest * with_whole.whole)
    shared = shared - (met.parts - (rest + share) * met.both + share * rest * met.wholes)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (
            _Side(share, rows.whole, met.squares, met.n_clusters),
            _Side(
                rest, rest_whole, np.maximum(0.0, squares / rest_whole**2),
                int((clusters.n > 0).sum()) - met.n_inside,
            ),
            shared / (rows.whole * rest_whole),
        )  # fmt: skip


def _effect(side: _Side) -> np.ndarray:
    """Return the design effect: the rows of a slice over those that would be as sure if each stood for itself."""
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = side.variance * side.whole / (side.share * (1 - side.share))
    edge = ~(side.variance > 1e-24) | (side.share <= 0) | (side.share >= 1)
    at_edge = side.whole / np.maximum(1, np.minimum(side.whole, side.n_clusters))
    return np.where(side.whole > 0, np.where(edge, at_edge, effect), 1.0)


def _bounds(side: _Side, scale: str, level: float) -> ManyBounds:
    rows = side.whole / _effect(side)
    z = np.where(side.n_clusters > 1, stdtrit(np.maximum(1, side.n_clusters - 1), (1 + level) / 2), np.nan)
    bounds = wilson_bounds(rows * side.share, rows, z)
    return ManyBounds(*(_on_scale(bound, scale) for bound in bounds))


def _on_scale(share: np.ndarray, scale: str) -> np.ndarray:
    """Return a share as it is, or the F1 of a Jaccard index."""
    return share if scale == "share" else 2 * share / (1 + share)
