"""Score counts in, the area under the first part of the ROC curve out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrics.scores.curves import ScoreCounts

MAX_FPR = 0.1
"""The highest false positive rate that the number of the registry looks at."""


class PartialArea(NamedTuple):
    """Hold the area under the ROC curve up to a false positive rate, and what its derivative takes.

    area : 0..max_fpr, NaN if either class is missing; pROC's. recall : the height of the curve at the end.
    inside : float64 (m,), the share of the negatives of each distinct score that lies within.
    """

    area: float
    max_fpr: float
    recall: float
    inside: np.ndarray

    @property
    def standardised(self) -> float:
        """Return the area so that guessing gives 0.5 and a perfect order 1, after McClish."""
        guessing = self.max_fpr**2 / 2
        return 0.5 * (1 + (self.area - guessing) / (self.max_fpr - guessing))


def partial_area(counts: ScoreCounts, max_fpr: float = MAX_FPR) -> PartialArea:
    """Return the area under the ROC curve where the false positive rate is at most `max_fpr`, above 0 to 1.

    Between two scores the curve is a straight line, so rows of one score are in no order.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.8, 0.4, 0.1]))
    >>> found = partial_area(counts, 0.5)
    >>> found.area, found.recall, round(found.standardised, 4)
    (0.25, 0.5, 0.6667)
    """
    if not (counts.n_pos and counts.n_neg):
        return PartialArea(np.nan, max_fpr, np.nan, np.zeros(len(counts.score)))
    negatives, before = np.diff(counts.fp, prepend=0), counts.fp - np.diff(counts.fp, prepend=0)
    inside = np.clip((max_fpr * counts.n_neg - before) / np.maximum(negatives, 1), 0.0, 1.0)
    gained = np.diff(counts.tp, prepend=0) / counts.n_pos
    heights = counts.tp / counts.n_pos - gained * (1 - inside / 2)
    area = float((inside * negatives * heights).sum()) / counts.n_neg
    return PartialArea(area, max_fpr, float((inside * gained).sum()), inside)


def partial_auc(counts: ScoreCounts, *, max_fpr: float = MAX_FPR) -> float:
    """Return the standardised area up to a false positive rate; guessing gives 0.5.

    Undefined (NaN) if either class is missing. With `max_fpr` 1 it is the ROC AUC.

    Source: McClish 1989, "Analyzing a portion of the ROC curve", Medical Decision Making 9.
    """
    return partial_area(counts, max_fpr).standardised
