"""Count how often predictions are right at each confidence."""

from __future__ import annotations

import numpy as np

from data.evaluation import Evaluation
from data.rows.row_scores import confidence
from metrics.scores.curves import ScoreCounts, score_counts


def right_and_confidence(evaluation: Evaluation) -> tuple[np.ndarray, np.ndarray] | None:
    """Return whether the prediction of each scored row is right, and the confidence in it; None where rows have none.

    Confidence is a probability, NaN where a row has none.
    """
    if evaluation.task == "multilabel" or evaluation.scale != "probability" or evaluation.weights is not None:
        return None
    rows = np.flatnonzero(evaluation.scored)
    sure = confidence(evaluation, rows)
    if sure is None or np.isnan(sure).all():
        return None
    return (evaluation.y_true == evaluation.y_pred)[rows], sure


def count_confidence(evaluation: Evaluation) -> ScoreCounts | None:
    """Count whether predictions are right, by the confidence in them; None where rows have no probability of it."""
    lines = right_and_confidence(evaluation)
    return None if lines is None else score_counts(*lines)
