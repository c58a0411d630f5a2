"""Score counts in, the distinct scores worth drawing and stepping through out: those that change a pixel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from metrics.scores.curves import ScoreCounts
from metrics.scores.score_histogram import score_span
from metrics.thresholds.roc_hull import upper_hull
from metrics.thresholds.threshold_metrics import rates

ALL = 4_000
"""Up to so many distinct scores nothing is left out."""
AT_LEAST = 2_000
AT_MOST = 9_000
"""Stops at most, whatever the data: 144 kB at 16 bytes each (a double, two 32-bit counts)."""

_LINES = ("precision", "f1", "mcc", "accuracy", "youden_j")
"""Drawn over the score axis and neither rising nor falling throughout, as recall and the false positive rate do."""
_TOLERANCE = 0.1
"""Pixels by which the highest and lowest point of a column must stick out of its two ends to be worth a stop."""


class Stops(NamedTuple):
    """Some of the distinct scores, descending, each with its exact counts.

    score : float64 (k,). tp, fp : int64 (k,), positives and negatives with score >= score[i].
    n_distinct : of how many distinct scores they are.
    """

    score: np.ndarray
    tp: np.ndarray
    fp: np.ndarray
    n_distinct: int


def stops(counts: ScoreCounts, *, must: Sequence[float] = (), width: int = 720) -> Stops:
    """Return the distinct scores that are drawn and stepped through: all of them, or those that change a picture.

    Of more than 4,000 distinct scores are kept: the ends; the corners of the convex hull of the ROC curve; the score
    that decides for each threshold in `must`; the first and the last in every pixel of the ROC curve; and in every
    column of pixels, over recall and over the score: the first, the last, and what sticks out between them in any
    drawn line. They are filled up evenly by rank to 2,000. So a line through the stops is within one pixel of the
    line through all, on a picture of `width` x `width` pixels.

    Never more than 9,000: should a picture need more, it is kept at fewer pixels. Should the hull have more
    than half as many corners (some million rows in a perfect arc), its corners are kept evenly by rank.

    Parameters
    ----------
    must : thresholds that need not be scores themselves; NaN is left out.

    >>> from metrics.scores.curves import score_counts
    >>> stops(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4])))
    Stops(score=array([0.9, 0.4]), tp=array([1, 2]), fp=array([0, 1]), n_distinct=2)
    """
    m = len(counts.score)
    if m <= ALL:
        return Stops(counts.score, counts.tp, counts.fp, m)
    deciding = [_deciding(counts, threshold) for threshold in must if not np.isnan(threshold)]
    fixed = np.unique(np.concatenate([[0, m - 1], np.array(deciding, np.int64), _hull(counts)]).astype(np.int64))
    kept = _fill_up(_find_drawn(counts, fixed, width), m)
    return Stops(counts.score[kept], counts.tp[kept], counts.fp[kept], m)


def near(counts: ScoreCounts, threshold: float, each_way: int = 100) -> Stops:
    """Return the distinct scores around a threshold, by rank: the one that decides there, and its neighbours.

    The lowest score >= threshold decides. Where nothing is that high, the neighbours of the highest score are given.

    Raises
    ------
    ValueError : the threshold is NaN.

    >>> from metrics.scores.curves import score_counts
    >>> near(score_counts(np.array([True, False, True]), np.array([0.9, 0.6, 0.4])), 0.5, each_way=1).score
    array([0.9, 0.6, 0.4])
    """
    m = len(counts.score)
    place = _deciding(counts, threshold) if m else 0
    window = slice(max(0, place - each_way), min(m, place + each_way + 1))
    return Stops(counts.score[window], counts.tp[window], counts.fp[window], m)


def _deciding(counts: ScoreCounts, threshold: float) -> int:
    return max(0, counts.above(threshold) - 1)


def _hull(counts: ScoreCounts) -> np.ndarray:
    """Return corners of the hull among the distinct scores; the corner (0, 0) is no score."""
    corners = upper_hull(np.concatenate([[0], counts.fp]), np.concatenate([[0], counts.tp]))
    scores = corners[corners > 0] - 1
    return scores if len(scores) <= AT_MOST // 2 else scores[_evenly(len(scores), AT_MOST // 2)]


def _find_drawn(counts: ScoreCounts, fixed: np.ndarray, width: int) -> np.ndarray:
    """Return the fixed places and those of every picture, at as many pixels as fit."""
    table = rates(counts)
    low, high = score_span(counts.score)
    over_score = (np.clip(counts.score, low, high) - low) / (high - low)
    over_recall = np.nan_to_num(table.recall)
    while True:
        roc = _ends(np.nan_to_num(table.fpr) * width, over_recall * width)
        # a little narrower than a pixel, so that the tolerance fits into it
        columns = width * 1.05
        lines = np.concatenate(
            [_columns(over_recall * columns, table.precision, width)]
            + [_columns(over_score * columns, np.nan_to_num(getattr(table, name)), width) for name in _LINES]
        )
        kept = np.unique(np.concatenate([fixed, roc, lines]))
        if len(kept) <= AT_MOST or width <= 1:
            return kept
        width = width * 3 // 4


def _ends(*places: np.ndarray) -> np.ndarray:
    """Return the first and the last point of every run of points in one cell."""
    change = np.zeros(len(places[0]) + 1, dtype=bool)
    change[[0, -1]] = True
    for place in places:
        cell = place.astype(np.int32)
        change[1:-1] |= cell[1:] != cell[:-1]
    return np.flatnonzero(change[1:] | change[:-1])


def _columns(place: np.ndarray, line: np.ndarray, height: int) -> np.ndarray:
    """Return the ends of every column, and its highest and lowest point where they stick out."""
    cell = place.astype(np.int32)
    start = np.flatnonzero(np.concatenate([[True], cell[1:] != cell[:-1]]))
    last = np.append(start[1:], len(cell)) - 1
    kept = [start, last]
    for side in (line, -line):
        extreme = np.fmax.reduceat(side, start)
        out = extreme > np.fmax(side[start], side[last]) + _TOLERANCE / height
        kept.append(_first_of(side, start[out], last[out], extreme[out]))
    return np.concatenate(kept)


def _first_of(values: np.ndarray, start: np.ndarray, last: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the first place of a wanted value in each of some stretches."""
    spans = zip(start.tolist(), last.tolist(), wanted.tolist(), strict=True)
    return np.array([a + int((values[a : b + 1] == value).argmax()) for a, b, value in spans], dtype=np.int64)


def _fill_up(kept: np.ndarray, m: int) -> np.ndarray:
    """Add places evenly by rank where there are too few."""
    return kept if len(kept) >= AT_LEAST else np.union1d(kept, _evenly(m, AT_LEAST))


def _evenly(m: int, n: int) -> np.ndarray:
    return np.linspace(0, m - 1, n).round().astype(np.int64)
