"""Several labels a row: counts per label and per row in, numbers out. Both accuracies, each by its own name."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from metrics.multilabel.set_counts import (
    MultilabelCounts,
    RowSums,
    multilabel_counts as multilabel_counts,  # the way in to everything here
)
from metrics.outcomes import FourCounts, Ratio
from metrics.shares import divide_part


def subset_accuracy(counts: MultilabelCounts) -> float:
    """Return the share of rows whose whole set of labels is right (exact match); 0..1, NaN without rows.

    A row without any label, and none predicted, is right. This is what scikit-learn's `accuracy_score` returns for
    label sets.

    >>> truth = np.array([[0, 1, 0], [1, 1, 0]], dtype=bool)
    >>> counts = multilabel_counts(truth, np.array([[0, 1, 1], [1, 0, 0]], dtype=bool), ("a", "b", "c"))
    >>> subset_accuracy(counts), round(per_label_accuracy(counts), 4)
    (0.0, 0.6667)
    """
    return divide_part(counts.n_exact, counts.n)


def per_label_accuracy(counts: MultilabelCounts) -> float:
    """Return the share of single label decisions that are right, 1 - Hamming loss; 0..1, NaN without rows or labels.

    Where labels are rare most decisions are easy noes: compare it with `subset_accuracy` and F1.

    >>> truth = np.array([[0, 1, 0], [1, 1, 0]], dtype=bool)
    >>> round(per_label_accuracy(multilabel_counts(truth, truth ^ np.array([True, False, False]), "abc")), 4)
    0.6667
    """
    return divide_part((counts.tp + counts.tn).sum().item(), counts.n * len(counts.labels))


def hamming_loss(counts: MultilabelCounts) -> float:
    """Return the share of single label decisions that are wrong; 0..1, lower is better, NaN without rows or labels.

    >>> truth = np.array([[0, 1, 0], [1, 1, 0]], dtype=bool)
    >>> round(hamming_loss(multilabel_counts(truth, truth ^ np.array([True, False, False]), "abc")), 4)
    0.3333
    """
    return divide_part((counts.fp + counts.fn).sum().item(), counts.n * len(counts.labels))


def mean_over_rows(counts: MultilabelCounts, rate: Ratio) -> float:
    """Return the mean over rows of a rate of each row's two sets, 0..1; a row of 0/0 counts as 0, as in scikit-learn.

    Source: of the Jaccard index Godbole & Sarawagi 2004, who call it accuracy.

    >>> from metrics.outcomes import JACCARD
    >>> truth = np.array([[0, 1, 0], [1, 1, 0]], dtype=bool)
    >>> counts = multilabel_counts(truth, np.array([[0, 1, 0], [1, 0, 0]], dtype=bool), ("a", "b", "c"))
    >>> mean_over_rows(counts, JACCARD)
    0.75
    """
    values, rows = np.nan_to_num(rate.value(counts_of_rows(counts.row_sums))), counts.row_sums.rows
    return float((values * rows).sum() / rows.sum()) if counts.n else math.nan


def counts_of_rows(sums: RowSums) -> FourCounts:
    """Return the four counts of every kind of row; true negatives of a row are unknown."""
    return FourCounts(sums.intersection, sums.n_pred - sums.intersection, sums.n_true - sums.intersection, math.nan)


class LabelsPerRow(NamedTuple):
    """Count the rows that have 0, 1, 2, … labels, in the truth and in the predictions.

    n_labels : int64, 0 to the most seen; true_rows, pred_rows : int64, rows with that many;
    mean_true, mean_pred : labels a row (NaN without rows).
    """

    n_labels: np.ndarray
    true_rows: np.ndarray
    pred_rows: np.ndarray
    mean_true: float
    mean_pred: float


def labels_per_row(counts: MultilabelCounts) -> LabelsPerRow:
    """Count how many labels the rows have, in the truth and in the predictions.

    >>> truth = np.array([[0, 1, 0], [1, 1, 0]], dtype=bool)
    >>> per_row = labels_per_row(multilabel_counts(truth, np.array([[0, 1, 1], [0, 0, 0]], dtype=bool), "abc"))
    >>> per_row.true_rows, per_row.pred_rows, per_row.mean_true, per_row.mean_pred
    (array([0, 1, 1]), array([1, 0, 1]), 1.5, 1.0)
    """
    sums = counts.row_sums
    most = int(max(sums.n_true.max(initial=0), sums.n_pred.max(initial=0)))
    true_rows, pred_rows = (_by_value(value, sums.rows, most) for value in (sums.n_true, sums.n_pred))
    return LabelsPerRow(
        np.arange(most + 1),
        true_rows,
        pred_rows,
        divide_part(counts.support.sum().item(), counts.n),
        divide_part(counts.predicted.sum().item(), counts.n),
    )


def _by_value(value: np.ndarray, rows: np.ndarray, most: int) -> np.ndarray:
    by_value = np.zeros(most + 1, dtype=np.int64)
    np.add.at(by_value, value, rows)
    return by_value
