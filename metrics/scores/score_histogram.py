"""Rows by score: bins of a histogram, and the ends of an axis of scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrics.scores.curves import ScoreCounts

_LEAST = 1e-6  # the nearest to 0 and 1 that bins of log-odds reach


class ScoreHistogram(NamedTuple):
    """Rows by score: bin i holds edges[i] <= score < edges[i + 1] (the last bin also its upper edge).

    edges : float64 (bins + 1,); positives, negatives : int64 (bins,); n_without_score : rows in no bin.
    """

    edges: np.ndarray
    positives: np.ndarray
    negatives: np.ndarray
    n_without_score: int


def score_histogram(counts: ScoreCounts, bins: int = 40, *, edges: np.ndarray | None = None) -> ScoreHistogram:
    """Return positives and negatives in equally wide score bins, read off the score counts in O(bins log m).

    The bins span 0..1 if all scores lie there; else lowest to highest finite score, half a unit to each side of a
    lone one. Scores beyond the first and last edge, infinite ones too, are counted in the outermost bins.
    edges : of other bins, ascending.

    >>> from metrics.scores.curves import score_counts
    >>> score_histogram(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4])), bins=2)
    ScoreHistogram(edges=array([0. , 0.5, 1. ]), positives=array([1, 1]), negatives=array([1, 0]), n_without_score=0)
    """
    if bins < 1:
        raise ValueError(f"A histogram needs at least one bin, not {bins}.")
    edges = np.linspace(*score_span(counts.score), bins + 1) if edges is None else edges
    above = np.array([counts.above(edge) for edge in edges])
    above[0], above[-1] = len(counts.score), 0
    tp, fp = (np.concatenate([[0], column])[above] for column in (counts.tp, counts.fp))
    return ScoreHistogram(edges, tp[:-1] - tp[1:], fp[:-1] - fp[1:], counts.n_without_score)


def log_odds_edges(score: np.ndarray, bins: int) -> np.ndarray | None:
    """Return the edges of bins that are equally wide in log-odds; None where a score lies outside of 0..1.

    They reach over the scores strictly between 0 and 1, but no nearer to 0 and 1 than a millionth. None where these
    are fewer than two.

    >>> log_odds_edges(np.array([0.9, 0.5, 0.1]), 2).round(3).tolist(), log_odds_edges(np.array([3.0]), 2)
    ([0.1, 0.5, 0.9], None)
    """
    inner = np.clip(score[(score > 0) & (score < 1)], _LEAST, 1 - _LEAST)
    if not len(score) or score[-1] < 0 or score[0] > 1 or len(inner) < 2 or inner[0] == inner[-1]:
        return None
    low, high = np.log(inner[[-1, 0]] / (1 - inner[[-1, 0]]))
    edges: np.ndarray = 1 / (1 + np.exp(-np.linspace(low, high, bins + 1)))
    edges[0], edges[-1] = inner[-1], inner[0]
    return edges


def score_span(score: np.ndarray) -> tuple[float, float]:
    """Return the ends of a score axis: 0 and 1 if all finite scores (descending) lie there, else lowest and highest
    of them.

    >>> score_span(np.array([0.9, 0.4])), score_span(np.array([3.0, -1.0])), score_span(np.array([7.0]))
    ((0.0, 1.0), (-1.0, 3.0), (6.5, 7.5))
    """
    finite = score[np.isfinite(score)]
    if not len(finite) or (finite[-1] >= 0 and finite[0] <= 1):
        return 0.0, 1.0
    low, high = float(finite[-1]), float(finite[0])
    return (low, high) if low < high else (low - 0.5, high + 0.5)
