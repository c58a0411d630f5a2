"""Choose thresholds at which two models find equally many positives, or raise equally many alerts."""

from __future__ import annotations

import math

import numpy as np

from metrics.scores.curves import ScoreCounts

_TOLERANCE = 1e-12


def threshold_of_recall(counts: ScoreCounts, recall: float) -> float:
    """Return the highest threshold whose recall is at least `recall`; NaN without positives.

    >>> from metrics.scores.curves import score_counts
    >>> threshold_of_recall(score_counts(np.array([1, 0, 1, 1], bool), np.array([0.9, 0.8, 0.7, 0.2])), 2 / 3)
    0.7
    """
    if not counts.n_pos or math.isnan(recall):
        return math.nan
    enough = np.flatnonzero(counts.tp >= (recall - _TOLERANCE) * counts.n_pos)
    return math.inf if recall <= 0 else float(counts.score[enough[0]])


def threshold_of_alerts(counts: ScoreCounts, alerts: int) -> float:
    """Return the threshold whose number of rows with score >= threshold is nearest to `alerts`.

    >>> from metrics.scores.curves import score_counts
    >>> threshold_of_alerts(score_counts(np.array([1, 0, 1, 1], bool), np.array([0.9, 0.8, 0.8, 0.2])), 2)
    0.9
    """
    if not counts.n:
        return math.nan
    raised = np.concatenate([[0], counts.tp + counts.fp])
    nearest = int(np.argmin(np.abs(raised - alerts)))
    return math.inf if nearest == 0 else float(counts.score[nearest - 1])
