"""Find the threshold that makes predictions today: one that somebody gave, that of the predictions, or the default."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np

from data.evaluation import Evaluation
from export.cells import true_and_score
from metrics.scores.curves import score_counts
from metrics.thresholds.label_thresholds import plainest_threshold

Source = Literal["given", "predictions", "default"]


class Now(NamedTuple):
    """The threshold in use, NaN = there is none, and where it is from.

    source : "predictions" = those of the file follow from it; "default" = they follow from no threshold.
    """

    threshold: float
    source: Source = "given"


def find_threshold_now(evaluation: Evaluation, code: int) -> Now:
    """Return the threshold in use for one class, as the file and its settings say."""
    if evaluation.threshold is not None or not evaluation.has_predictions:
        return Now(evaluation.effective_threshold)
    followed = _followed_threshold(evaluation, code)
    if math.isnan(followed):
        return Now(evaluation.effective_threshold, "default")
    return Now(followed, "predictions")


def _followed_threshold(evaluation: Evaluation, code: int) -> float:
    """Return the threshold of fewest digits from which all predictions of a class follow; NaN where none is known."""
    _, score = true_and_score(evaluation, code)
    upper = score if evaluation.score_upper is None else evaluation.score_upper[evaluation.scored]
    pred = evaluation.y_pred[evaluation.scored]
    many = evaluation.task == "multilabel"
    is_predicted = pred[:, code] if many else pred == code
    known = ~np.isnan(score) & (many or pred >= 0)
    predicted, others = score[known & is_predicted], upper[known & ~is_predicted]
    if not len(predicted) or not len(others) or predicted.min() <= others.max():
        return math.nan
    # any threshold between these two rows parts all rows
    ends = np.array([predicted.min(), others.max()])
    return plainest_threshold([score_counts(np.array([True, False]), ends)], float(ends[0]))
