"""Bins of scores that an engine made: brought to one range each, and how many pairs of rows they hide."""

from __future__ import annotations

import numpy as np


def merge_overlaps(low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return lines' scores as bins that do not overlap: lines that share a score become one bin.

    low, high : float64 (n,), smallest and largest score of each line; NaN = no score.

    >>> low, high = merge_overlaps(np.array([0.1, 0.3, 0.15, np.nan]), np.array([0.2, 0.3, 0.25, np.nan]))
    >>> low.tolist(), high.tolist()
    ([0.1, 0.3, 0.1, nan], [0.25, 0.3, 0.25, nan])
    """
    lows, highs = np.full(len(low), np.nan), np.full(len(low), np.nan)
    order = np.argsort(low)[: int((~np.isnan(low)).sum())]
    if not len(order):
        return lows, highs
    reach = np.maximum.accumulate(high[order])
    first = np.append(True, low[order][1:] > reach[:-1])
    group = np.cumsum(first) - 1
    starts = np.flatnonzero(first)
    lows[order] = low[order][starts][group]
    highs[order] = reach[np.append(starts[1:], len(order)) - 1][group]
    return lows, highs


def tied_pairs(low: np.ndarray, high: np.ndarray, side: np.ndarray, rows: np.ndarray) -> float:
    """Return the share of all pairs of rows of two sides that lie in one bin of several scores.

    low, high : bins as `merge_overlaps` gives them. side : int (n,), code of each line's true label; below 0 = none.
    Half of it is the most by which the area under a ROC curve of the two sides may be wrong.

    >>> tied_pairs(np.array([0.1, 0.1, 0.3]), np.array([0.2, 0.2, 0.3]), np.array([0, 1, 1]), np.array([2, 3, 1]))
    0.75
    """
    known = (side >= 0) & ~np.isnan(low)
    totals = np.bincount(side[known], rows[known].astype(np.float64))
    pairs = (totals.sum() ** 2 - (totals**2).sum()) / 2
    inside = np.flatnonzero(known & (low < high))
    bins = np.unique(low[inside], return_inverse=True)[1]
    n_sides = len(totals)
    n_bins = int(bins.max(initial=-1)) + 1
    counted = np.bincount(bins * n_sides + side[inside], rows[inside].astype(np.float64), n_bins * n_sides)
    cells = counted.reshape(n_bins, n_sides)
    tied = (cells.sum(axis=1) ** 2 - (cells**2).sum(axis=1)).sum() / 2
    return float(tied / pairs) if pairs else 0.0
