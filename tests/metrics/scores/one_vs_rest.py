"""Rank rows and scores of several classes, as tests have them."""

from collections.abc import Sequence

import numpy as np

from metrics.scores.curves import score_counts
from metrics.scores.ranking import Ranking, ranking


def one_vs_rest(y_true: np.ndarray, y_score: np.ndarray, score_codes: Sequence[int]) -> Ranking:
    """Return the rank quality of every class against all others, without intervals.

    Parameters
    ----------
    y_true : label codes (n,), negative codes (no truth) are left out; or multi-label: bool (n, K).
    y_score : float64 (n, S), one column per scored class.
    score_codes : the label code of every column. A row of a class without a column is "the rest" in all of them.

    Equal to scikit-learn's `roc_auc_score(multi_class="ovr", average=...)` where every class has true rows.

    >>> scores = np.array([[0.8, 0.1, 0.1], [0.2, 0.6, 0.2], [0.5, 0.3, 0.2]])
    >>> result = one_vs_rest(np.array([0, 1, 1]), scores, (0, 1, 2))
    >>> result.auc, result.macro_auc
    (array([ 1.,  1., nan]), 1.0)
    """
    if y_score.ndim != 2 or y_score.shape != (len(y_true), len(score_codes)):
        raise ValueError(f"y_score must be {(len(y_true), len(score_codes))} (rows, score codes), not {y_score.shape}.")
    if y_true.ndim == 1 and (y_true < 0).any():
        y_true, y_score = y_true[y_true >= 0], y_score[y_true >= 0]
    return ranking(
        (
            score_counts(y_true[:, code] if y_true.ndim == 2 else y_true == code, y_score[:, i])
            for i, code in enumerate(score_codes)
        ),
        level=None,
    )
