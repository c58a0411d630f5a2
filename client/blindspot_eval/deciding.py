"""Turn scores into predictions, as the app does: the largest score, or score >= threshold."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .arrays import CUTS, LOGIT, SCORE, softmax

TASKS = ("binary", "multiclass", "multilabel")


class Decided(NamedTuple):
    """Predictions made from scores.

    y_pred : codes (n,), or bool (n, L) with several labels a row. known : bool (n,), rows that have every score.
    score : what ROC AUC ranks by: (n, 1) of the second label of two, else (n, L); logits of one class a row become
        probabilities.
    said : the rule as a sentence.
    """

    y_pred: np.ndarray
    known: np.ndarray
    score: np.ndarray
    said: str


def task_of(several: bool, n_labels: int) -> str:
    """Return the task of labels, or of label sets.

    >>> task_of(True, 3), task_of(False, 3), task_of(False, 2)
    ('multilabel', 'multiclass', 'binary')
    """
    if several:
        return "multilabel"
    return "binary" if n_labels == 2 else "multiclass"


def decide(scores: np.ndarray, scale: str, task: str, threshold: float | None, labels: tuple[str, ...]) -> Decided:
    """Predict from scores (n, S).

    Two classes with a score each are one score: for logits their difference, else the second one. Where it is no share
    of 1, the larger of both is predicted.

    Raises
    ------
    ValueError
        columns and labels do not fit, or a threshold is given where the largest of several scores decides.
    """
    wanted = (1, 2) if task == "binary" else (len(labels),)
    if scores.shape[1] not in wanted:
        raise ValueError(f"{len(labels)} labels need {wanted[-1]} columns of scores, not {scores.shape[1]}.")
    known = ~np.isnan(scores).any(axis=1)
    if task == "multiclass" or (scale == SCORE and threshold is None):
        if threshold is not None:
            raise ValueError("Of three classes or more the largest score decides: leave the threshold out.")
        largest = np.where(np.isnan(scores), -np.inf, scores).argmax(axis=1)
        score = softmax(scores) if scale == LOGIT else scores  # of one class, rows compare by probabilities
        return Decided(
            largest,
            known,
            score if task == "multiclass" else scores[:, 1:],
            f"The class with the largest {scale} is predicted.",
        )
    if task == "binary" and scores.shape[1] == 2:
        scores = scores[:, 1:] - scores[:, :1] if scale == LOGIT else scores[:, 1:]
    cut = CUTS[scale] if threshold is None else threshold
    above = scores >= cut
    what = f"{labels[1]!r} is predicted" if task == "binary" else "A label is predicted"
    rule = f"{what} where its {scale} is at least {cut:g}."
    return Decided(above[:, 0].astype(np.int64) if task == "binary" else above, known, scores, rule)
