"""Bound the error of numbers whose scores were grouped into bins: the number of the exact scores lies inside, always.

A bin is known by its smallest and its largest score and by how many positives and negatives lie in it. All its rows
are taken to have the smallest score; a bin whose two scores are equal is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from metrics.scores.curves import ScoreCounts, average_precision, roc_auc, score_counts
from metrics.scores.partial_area import MAX_FPR

_ROUNDING = 1e-12
"""Sums of millions of terms are this exact at least."""


class Bins(NamedTuple):
    """Scores in bins, float64 (m,) ascending: smallest and largest score of each; int64: positives and negatives."""

    low: np.ndarray
    high: np.ndarray
    n_pos: np.ndarray
    n_neg: np.ndarray

    @property
    def exact(self) -> np.ndarray:
        """Return which bins hold one distinct score only."""
        same: np.ndarray = self.low == self.high
        return same


BOUNDED = ("roc_auc", "partial_auc", "average_precision", "recall", "fpr")
"""Numbers of a score that `error_bounds` bounds beside the losses; recall and fpr at the worst threshold."""
Loss = Callable[..., float]


def bins_of(is_true: np.ndarray, low: np.ndarray, high: np.ndarray, weights: np.ndarray) -> Bins:
    """Return the bins of lines that do not overlap; NaN = no score.

    >>> bins_of(np.array([True, False]), np.array([0.1, 0.1]), np.array([0.2, 0.2]), np.array([3, 4]))
    Bins(low=array([0.1]), high=array([0.2]), n_pos=array([3]), n_neg=array([4]))
    """
    known = np.flatnonzero(~np.isnan(low) & (weights > 0))
    values, first, place = np.unique(low[known], return_index=True, return_inverse=True)
    pos, neg = (
        np.bincount(place, np.where(is_true[known] == side, weights[known], 0), len(values)).astype(np.int64)
        for side in (True, False)
    )
    return Bins(values, high[known][first], pos, neg)


def error_bounds(
    is_true: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    weights: np.ndarray,
    *,
    from_logits: bool = False,
    losses: Mapping[str, Loss] = MappingProxyType({}),
) -> dict[str, float]:
    """Return how far each number of binned scores may lie from that of the exact scores; NaN where it is undefined.

    Parameters
    ----------
    is_true : bool (n,), True for lines of the positive class.
    low, high : float64 (n,), smallest and largest score of each line's bin; bins do not overlap.
    weights : int64 (n,), rows of every line.
    losses : by key; each called as `log_loss`, it moves one way with the score of every row.

    AUC: in a bin, each pair of a positive and a negative counts half, and may count nothing or one. Average precision:
    within a bin the positives may come first, tied, or last, one by one. Rates: a threshold inside a bin may take all
    of it; at thresholds between bins they are exact. Losses: each row may have the smallest or the largest score.

    >>> y, one = np.array([True, False]), np.array([1, 1])
    >>> round(error_bounds(y, np.array([0.1, 0.1]), np.array([0.2, 0.2]), one)["roc_auc"], 6)
    0.5
    """
    bins = bins_of(is_true, low, high, weights)
    counts = score_counts(is_true, low, weights)
    pos, neg = (np.where(bins.exact, 0, side) for side in (bins.n_pos, bins.n_neg))
    with np.errstate(invalid="ignore", divide="ignore"):
        pairs = float(np.dot(pos.astype(np.float64), neg)) / (2.0 * np.float64(counts.n_pos) * counts.n_neg)
        recall, fallout = pos.max(initial=0) / np.float64(counts.n_pos), neg.max(initial=0) / np.float64(counts.n_neg)
    area = float(pairs) + _ROUNDING if not np.isnan(roc_auc(counts)) else float("nan")
    of_ranks = (
        area,
        area / (2 * MAX_FPR - MAX_FPR**2),  # the curves of the best and the worst order bound every part of the area
        _average_precision_error(bins, counts),
        float(recall) if counts.n_pos else float("nan"),
        float(fallout) if counts.n_neg else float("nan"),
    )
    of_losses = {key: _loss_error(loss, is_true, low, high, weights, from_logits) for key, loss in losses.items()}
    return dict(zip(BOUNDED, of_ranks, strict=True)) | of_losses


def _average_precision_error(bins: Bins, counts: ScoreCounts) -> float:
    """Compare the binned value with the best and the worst order of the rows within their bins."""
    value = average_precision(counts)
    if np.isnan(value):
        return value
    pos, neg = bins.n_pos[::-1].astype(np.float64), bins.n_neg[::-1].astype(np.float64)
    tp, fp = np.cumsum(pos) - pos, np.cumsum(neg) - neg  # above each bin
    with np.errstate(invalid="ignore", divide="ignore"):
        at_end = (tp + pos) / (tp + pos + fp + neg)
        best = (tp + pos) / (tp + pos + fp)
        before = tp + fp + neg
        summed = np.where(before > 0, (fp + neg) * np.log1p(pos / before), 0)  # above the sum of c / (before + i)
    exact = bins.exact[::-1]
    some = pos > 0
    high = np.where(some, pos * np.where(exact, at_end, best), 0).sum() / counts.n_pos
    low = np.where(some, np.where(exact, pos * at_end, pos - summed), 0).sum() / counts.n_pos
    return float(max(high - value, value - low, 0.0)) + _ROUNDING


def _loss_error(
    loss: Loss, is_true: np.ndarray, low: np.ndarray, high: np.ndarray, weights: np.ndarray, from_logits: bool
) -> float:
    kept = ~np.isnan(low)
    ends = [(np.where(is_true[kept] == side, high[kept], low[kept])) for side in (True, False)]
    losses = [
        loss(is_true[kept], score, from_logits=from_logits, weights=weights[kept]) for score in (low[kept], *ends)
    ]
    if np.isnan(losses).any():
        return float("nan")
    return float(max(abs(losses[1] - losses[0]), abs(losses[2] - losses[0]))) + _ROUNDING
