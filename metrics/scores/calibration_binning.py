"""Bound the error of calibration errors whose scores were grouped into bins; the exact value lies inside, always.

Two kinds of bins meet here: a *line* holds the rows whose scores an engine grouped, a *bin* is one of the calibration
error. A line is split when its rows may belong to several bins. Without the split lines, exact and grouped scores give
the same bins: each equal-mass cut lies in, or beside, the line that holds the wanted number of rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrics.scores.binning import Bins
from metrics.scores.calibration import maximum_calibration_error
from metrics.scores.curves import ScoreCounts
from metrics.scores.probabilities import in_unit, sigmoid
from metrics.scores.reliability import By, first_of_equal_mass, reliability

_ROUNDING = 1e-12


class CalibrationBounds(NamedTuple):
    """Bound how far each calibration error may lie from that of the exact scores; NaN where it is undefined."""

    expected: float
    maximum: float


def calibration_bounds(lines: Bins, *, bins: int = 10, by: By = "mass", from_logits: bool = False) -> CalibrationBounds:
    """Return how far the calibration errors of the lines' lowest scores may lie from those of the exact scores.

    lines : of `binning.bins_of`. Other parameters as in `reliability`.

    Expected error: a line that is not split moves its bin by its width; each row of a split line may count in another
    bin. Maximum error: per bin, the smallest and the largest gap that the rows of split lines beside it allow.

    >>> from metrics.scores.binning import bins_of
    >>> one = np.array([1, 1])
    >>> lines = bins_of(np.array([True, False]), np.array([0.2, 0.6]), np.array([0.2, 0.7]), one)
    >>> [round(bound, 6) for bound in calibration_bounds(lines, bins=2, by="width")]
    [0.05, 0.0]
    """
    low, high = (sigmoid(score) if from_logits else score for score in (lines.low, lines.high))
    binned = reliability(_lowest(lines), bins=bins, by=by, from_logits=from_logits)
    if not binned.n.any() or not in_unit(high):
        return CalibrationBounds(float("nan"), float("nan"))
    n_pos, n_neg = lines.n_pos.astype(np.float64), lines.n_neg.astype(np.float64)
    n = n_pos + n_neg
    first, last, alone = (_bins_by_mass if by == "mass" else _bins_by_width)(lines, low, high, bins)
    split = (first != last) | alone
    moved = np.where(split, n_pos * (1 - low) + n_neg * high + np.abs(n * low - n_pos), n * (high - low))
    rows = _Rows(low, high, n_pos, n_neg)
    least, most = _maximum_gap(rows, first, last, split, alone)
    value = maximum_calibration_error(binned)
    return CalibrationBounds(
        float(moved.sum() / n.sum()) + _ROUNDING, float(max(most - value, value - least, 0.0)) + _ROUNDING
    )


class _Rows(NamedTuple):
    """Probabilities of each line, and its rows, float64 (m,) ascending."""

    low: np.ndarray
    high: np.ndarray
    n_pos: np.ndarray
    n_neg: np.ndarray


def _lowest(lines: Bins) -> ScoreCounts:
    """Return the score counts of the lines, all rows at the lowest score of their line."""
    tp, fp = (np.cumsum(side[::-1]) for side in (lines.n_pos, lines.n_neg))
    return ScoreCounts(lines.low[::-1], tp, fp, int(lines.n_pos.sum()), int(lines.n_neg.sum()))


def _bins_by_width(
    lines: Bins, low: np.ndarray, high: np.ndarray, bins: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the first and the last bin that each line may reach, and whether its rows may be a bin by themselves."""
    edges = np.arange(1, bins) / bins
    first, last = (np.searchsorted(edges, score, side="right") for score in (low, high))
    whole = np.bincount(first[first == last], minlength=bins + 1) > 0
    empty = np.cumsum(~whole)
    alone = (first != last) & ((empty[last] - empty[first] + ~whole[first]) > 0)
    return first, last, alone


def _bins_by_mass(
    lines: Bins, low: np.ndarray, high: np.ndarray, bins: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the same as `_bins_by_width`; a line is split that holds the row after which a bin should end."""
    n = lines.n_pos + lines.n_neg
    starts = np.zeros(len(n), np.int64)
    starts[first_of_equal_mass(n, bins)] = 1
    place = np.cumsum(starts)
    holds = np.searchsorted(np.cumsum(n), n.sum() * np.arange(1, bins) / bins)
    n_ends = np.bincount(holds, minlength=len(n))[: len(n)]
    split = ~lines.exact & (n_ends > 0)
    ends = n_ends > 0  # in a line beside it, exact or not, a bin may end right where this line begins or ends
    beside = np.append(ends[1:], True) | np.insert(ends[:-1], 0, True)
    whole = np.flatnonzero(~split)
    if not len(whole):
        return place, place, split
    following = np.searchsorted(whole, np.arange(len(n)))
    before, after = (place[whole[np.clip(i, 0, len(whole) - 1)]] for i in (following - 1, following))
    first, last = np.where(split, before, place), np.where(split, after, place)
    return first, last, split & (beside | (n_ends > 1))


def _maximum_gap(
    rows: _Rows, first: np.ndarray, last: np.ndarray, split: np.ndarray, alone: np.ndarray
) -> tuple[float, float]:
    """Return the smallest and the largest that the maximum calibration error may be."""
    least, most = 0.0, 0.0
    if alone.any():
        most = float(np.maximum(rows.high[alone], 1 - rows.low[alone]).max())
    loose = np.flatnonzero(split)
    for place in np.unique(first[~split]):
        inside = ~split & (first == place)
        near = loose[(first[loose] <= place) & (last[loose] >= place)]
        n_rows = rows.n_pos + rows.n_neg
        n = float(n_rows[inside].sum())
        highest, lowest = (
            _extreme(float((n_rows[inside] * score[inside]).sum() - rows.n_pos[inside].sum()), n, score[near],
                     rows.n_pos[near], rows.n_neg[near], sign)
            for score, sign in ((rows.high, 1), (rows.low, -1))
        )  # fmt: skip
        most = max(most, abs(highest), abs(lowest))
        least = max(least, lowest, -highest)
    return least, most


def _extreme(gaps: float, n: float, score: np.ndarray, n_pos: np.ndarray, n_neg: np.ndarray, sign: int) -> float:
    """Return the largest (sign 1) or smallest (-1) mean gap of n rows whose gaps sum up so, with some rows beside."""
    values, rows = np.concatenate([score, score - 1]), np.concatenate([n_neg, n_pos])
    for i in np.argsort(-sign * values):
        if rows[i] and sign * values[i] > sign * gaps / n:
            gaps, n = gaps + values[i] * rows[i], n + rows[i]
    return gaps / n
