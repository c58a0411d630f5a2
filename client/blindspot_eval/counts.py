"""Count predictions: one confusion matrix, one table a label, one pass over sorted scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class LabelCounts(NamedTuple):
    """Rows by label, int64 (K,) each: predicted rightly, predicted wrongly, missed, left alone rightly."""

    tp: np.ndarray
    fp: np.ndarray
    fn: np.ndarray
    tn: np.ndarray

    @property
    def support(self) -> np.ndarray:
        """Return the true rows of every label."""
        total: np.ndarray = self.tp + self.fn
        return total

    @property
    def predicted(self) -> np.ndarray:
        """Return the rows that every label is predicted for."""
        total: np.ndarray = self.tp + self.fp
        return total


def confusion_matrix(y_true: np.ndarray, y_pred: np.ndarray, k: int) -> np.ndarray:
    """Count pairs of codes from 0 to k - 1: int64 (k, k), rows truth, columns prediction.

    >>> confusion_matrix(np.array([0, 0, 1]), np.array([0, 1, 1]), 2).tolist()
    [[1, 1], [0, 1]]
    """
    return np.bincount(y_true * k + y_pred, minlength=k * k).reshape(k, k)


def counts_of_matrix(matrix: np.ndarray) -> LabelCounts:
    """Return every class of a confusion matrix against all others."""
    tp = np.diagonal(matrix).copy()
    fp, fn = matrix.sum(axis=0) - tp, matrix.sum(axis=1) - tp
    return LabelCounts(tp, fp, fn, matrix.sum() - tp - fp - fn)


def counts_of_sets(y_true: np.ndarray, y_pred: np.ndarray) -> LabelCounts:
    """Count every label of label sets: bool (n, L) both."""
    tp, support, predicted = ((cells).sum(axis=0) for cells in (y_true & y_pred, y_true, y_pred))
    fp, fn = predicted - tp, support - tp
    return LabelCounts(tp, fp, fn, len(y_true) - tp - fp - fn)


def roc_auc(is_true: np.ndarray, score: np.ndarray) -> float:
    """Return how often a true row outscores another one, ties counting half; NaN where one kind is missing.

    Counted in whole numbers, so that it is exact up to one division. Rows without a score (NaN) are left out.

    >>> roc_auc(np.array([True, False, True]), np.array([0.9, 0.4, 0.4]))
    0.75
    """
    known = ~np.isnan(score)
    is_true, score = is_true[known], score[known]
    n_pos = int(is_true.sum())
    n_neg = len(is_true) - n_pos
    if not n_pos or not n_neg:
        return float("nan")
    _, place = np.unique(score, return_inverse=True)
    pos = np.bincount(place, is_true).astype(np.int64)
    neg = np.bincount(place, ~is_true).astype(np.int64)
    below = np.cumsum(neg) - neg
    return int((pos * (2 * below + neg)).sum()) / (2 * n_pos * n_neg)
