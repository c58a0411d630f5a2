"""Several labels a row: counts per label and per row in, numbers out. Both accuracies, each by its own name."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np

from metrics.multilabel.set_counts import (
    MultilabelCounts,
    RowSums,
    multilabel_counts as multilabel_counts,  # the way in to everything here
)
from metrics.outcomes import F1, FourCounts, Ratio, divide
from metrics.shares import divide_part

Average = Literal["micro", "macro", "weighted", "samples"]
Over = Literal["all", "seen", "supported", "space"]


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


def averaged(
    counts: MultilabelCounts,
    rate: Ratio,
    average: Average,
    *,
    over: Over = "all",
    zero_division: float = math.nan,
) -> float:
    """Return precision, recall, F1 or the Jaccard index, averaged; 0..1.

    Parameters
    ----------
    average : "micro" = all decisions as one table. "macro" = plain mean over labels; "weighted" = mean over labels
        by true rows. "samples" = every row's own rate, mean over rows; a row of 0/0 counts as 0, as in scikit-learn.
    over : the labels of a macro average: "all", "seen" = true or predicted in some row, "supported" = true in some,
        or "space", the label space: there, by convention, the F1 of a label neither true nor predicted counts as 0.
    zero_division : what the undefined value of a label counts as in a macro or weighted average; NaN makes the average
        undefined, 0 gives scikit-learn's figure.

    Undefined (NaN) without rows, and if a value inside a macro average is undefined: one label never true nor
    predicted is enough (scikit-learn counts it as 0 and warns). Labels of weight 0 take no part in "weighted".

    Source: of the Jaccard index Godbole & Sarawagi 2004, who call it accuracy.

    >>> from metrics.outcomes import JACCARD
    >>> truth = np.array([[0, 1, 0], [1, 1, 0]], dtype=bool)
    >>> counts = multilabel_counts(truth, np.array([[0, 1, 0], [1, 0, 0]], dtype=bool), ("a", "b", "c"))
    >>> round(averaged(counts, F1, "micro"), 4), averaged(counts, F1, "macro")
    (0.8, nan)
    >>> round(averaged(counts, F1, "macro", over="seen"), 4), averaged(counts, JACCARD, "samples")
    (0.8333, 0.75)
    """
    if average == "micro":
        part, whole = rate.parts(counts)
        return float(divide(part.sum().item(), whole.sum().item()))
    if average == "samples":
        return _weighted_mean(np.nan_to_num(rate.value(counts_of_rows(counts.row_sums))), counts.row_sums.rows)
    if average == "weighted":
        value = np.nan_to_num(rate.value(counts), nan=zero_division if counts.n else math.nan)
        return _weighted_mean(value, counts.support)
    values = rates_over(counts, rate, over, zero_division)
    return float(values.mean()) if len(values) else math.nan


def rates_over(counts: MultilabelCounts, rate: Ratio, over: Over, zero_division: float = math.nan) -> np.ndarray:
    """Return the rates of the labels that a macro average takes the mean of, float64; may hold NaN."""
    counts_as = 0.0 if rate == F1 and over == "space" else zero_division
    values = np.nan_to_num(rate.value(counts), nan=counts_as if counts.n else math.nan)
    if over == "space":
        return np.asarray(values[: counts.n_space])
    seen = counts.support + counts.predicted
    chosen = {"all": seen >= 0, "seen": seen > 0, "supported": counts.support > 0}[over]
    return np.asarray(values[chosen])


def counts_of_rows(sums: RowSums) -> FourCounts:
    """Return the four counts of every kind of row; true negatives of a row are unknown."""
    return FourCounts(sums.intersection, sums.n_pred - sums.intersection, sums.n_true - sums.intersection, math.nan)


def _weighted_mean(value: np.ndarray, weight: np.ndarray) -> float:
    """Return the mean by weight; values of weight 0 take no part, even undefined ones."""
    counted = weight > 0
    if not counted.any():
        return float("nan")
    return float((value[counted] * weight[counted]).sum() / weight[counted].sum())


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
