"""Count how often predictions are right at each confidence."""

from __future__ import annotations

import numpy as np

from data.evaluation import Evaluation
from data.rows.row_scores import confidence
from metrics.scores.curves import ScoreCounts, score_counts


def count_confidence(evaluation: Evaluation) -> ScoreCounts | None:
    """Count whether predictions are right, by the confidence in them; None where rows have no probability of it."""
    if evaluation.task == "multilabel" or evaluation.scale != "probability" or evaluation.weights is not None:
        return None
    rows = np.flatnonzero(evaluation.scored)
    sure = confidence(evaluation, rows)
    if sure is None or np.isnan(sure).all():
        return None
    return score_counts((evaluation.y_true == evaluation.y_pred)[rows], sure)
