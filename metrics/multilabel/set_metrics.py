"""Several labels a row: counts per label and per row in, numbers out. Both accuracies, each by its own name."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np

from metrics.multilabel.set_counts import MultilabelCounts, RowSums
from metrics.multilabel.set_counts import multilabel_counts as multilabel_counts  # the way in to everything here

Average = Literal["micro", "macro", "weighted", "samples"]
Over = Literal["all", "seen", "supported"]


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return part / whole, NaN where it is 0/0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share: np.ndarray = part / whole
    return share


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def subset_accuracy(counts: MultilabelCounts) -> float:
    """Return the share of rows whose whole set of labels is right (exact match); 0..1, NaN without rows.

    A row without any label, and none predicted, is right. This is what scikit-learn's `accuracy_score` returns for
    label sets.

    >>> truth = np.array([[0, 1, 0], [1, 1, 0]], dtype=bool)
    >>> counts = multilabel_counts(truth, np.array([[0, 1, 1], [1, 0, 0]], dtype=bool), ("a", "b", "c"))
    >>> subset_accuracy(counts), round(per_label_accuracy(counts), 4)
    (0.0, 0.6667)
    """
    return _ratio(counts.n_exact, counts.n)


def per_label_accuracy(counts: MultilabelCounts) -> float:
    """Return the share of single label decisions that are right, 1 - Hamming loss; 0..1, NaN without rows or labels.

    Where labels are rare most decisions are easy noes: compare it with `subset_accuracy` and F1.

    >>> truth = np.array([[0, 1, 0], [1, 1, 0]], dtype=bool)
    >>> round(per_label_accuracy(multilabel_counts(truth, truth ^ np.array([True, False, False]), "abc")), 4)
    0.6667
    """
    return _ratio(int((counts.tp + counts.tn).sum()), counts.n * len(counts.labels))


def hamming_loss(counts: MultilabelCounts) -> float:
    """Return the share of single label decisions that are wrong; 0..1, lower is better, NaN without rows or labels.

    >>> truth = np.array([[0, 1, 0], [1, 1, 0]], dtype=bool)
    >>> round(hamming_loss(multilabel_counts(truth, truth ^ np.array([True, False, False]), "abc")), 4)
    0.3333
    """
    return _ratio(int((counts.fp + counts.fn).sum()), counts.n * len(counts.labels))


class PerLabel(NamedTuple):
    """Arrays (L,), one entry a label; shares are NaN where they are 0/0.

    precision: the label is never predicted. recall: it has no true row. specificity: every row has it.
    f1, jaccard: neither true nor predicted anywhere.
    """

    support: np.ndarray
    predicted: np.ndarray
    tp: np.ndarray
    fp: np.ndarray
    fn: np.ndarray
    tn: np.ndarray
    accuracy: np.ndarray
    precision: np.ndarray
    recall: np.ndarray
    f1: np.ndarray
    jaccard: np.ndarray
    specificity: np.ndarray


def per_label(counts: MultilabelCounts) -> PerLabel:
    """Return every label judged on its own.

    >>> truth = np.array([[0, 1, 0], [1, 1, 0]], dtype=bool)
    >>> table = per_label(multilabel_counts(truth, np.array([[0, 1, 1], [1, 0, 0]], dtype=bool), ("a", "b", "c")))
    >>> table.accuracy, table.recall
    (array([1. , 0.5, 0.5]), array([1. , 0.5, nan]))
    """
    tp, fp, fn, tn = counts.tp, counts.fp, counts.fn, counts.tn
    return PerLabel(
        counts.support,
        counts.predicted,
        tp,
        fp,
        fn,
        tn,
        accuracy=_share(tp + tn, tp + fp + fn + tn),
        precision=_share(tp, tp + fp),
        recall=_share(tp, tp + fn),
        f1=_share(2 * tp, 2 * tp + fp + fn),
        jaccard=_share(tp, tp + fp + fn),
        specificity=_share(tn, tn + fp),
    )


def f1(
    counts: MultilabelCounts,
    average: Average,
    *,
    over: Over = "all",
    zero_division: float = math.nan,
) -> float:
    """Return F1, averaged; 0..1.

    Parameters
    ----------
    average : "micro" = all decisions as one table. "macro" = plain mean over labels; "weighted" = mean over labels
        by true rows. "samples" = every row's own F1, mean over rows; a row of 0/0 counts as 0, as in scikit-learn.
    over : the labels of a macro average: "all", "seen" = true or predicted in some row, or "supported" = true in some.
    zero_division : what the undefined value of a label counts as in a macro or weighted average; NaN makes the average
        undefined, 0 gives scikit-learn's figure.

    Undefined (NaN) without rows, and if a value inside a macro average is undefined: one label never true nor
    predicted is enough (scikit-learn counts it as 0 and warns). Labels of weight 0 take no part in "weighted".

    >>> truth = np.array([[0, 1, 0], [1, 1, 0]], dtype=bool)
    >>> counts = multilabel_counts(truth, np.array([[0, 1, 0], [1, 0, 0]], dtype=bool), ("a", "b", "c"))
    >>> round(f1(counts, "micro"), 4), f1(counts, "macro"), round(f1(counts, "macro", over="seen"), 4)
    (0.8, nan, 0.8333)
    """
    return _average(counts, "f1", average, over, zero_division)


def precision(
    counts: MultilabelCounts,
    average: Average,
    *,
    over: Over = "all",
    zero_division: float = math.nan,
) -> float:
    """Return precision, averaged; parameters as in `f1`; 0..1.

    Undefined (NaN) if a label inside a macro or weighted average is never predicted. In a samples average a row with
    true labels for which nothing is predicted counts as 0.

    >>> truth = np.array([[0, 1, 0], [1, 1, 0]], dtype=bool)
    >>> counts = multilabel_counts(truth, np.array([[0, 1, 1], [1, 0, 0]], dtype=bool), ("a", "b", "c"))
    >>> round(precision(counts, "micro"), 4), precision(counts, "samples")
    (0.6667, 0.75)
    """
    return _average(counts, "precision", average, over, zero_division)


def recall(
    counts: MultilabelCounts,
    average: Average,
    *,
    over: Over = "all",
    zero_division: float = math.nan,
) -> float:
    """Return recall, averaged; parameters as in `f1`; 0..1.

    Undefined (NaN) if a label inside a macro average has no true row. In a samples average a row without true labels
    for which something is predicted counts as 0.

    >>> truth = np.array([[0, 1, 0], [1, 1, 0]], dtype=bool)
    >>> counts = multilabel_counts(truth, np.array([[0, 1, 1], [1, 0, 0]], dtype=bool), ("a", "b", "c"))
    >>> round(recall(counts, "micro"), 4), recall(counts, "samples")
    (0.6667, 0.75)
    """
    return _average(counts, "recall", average, over, zero_division)


def jaccard(
    counts: MultilabelCounts,
    average: Average = "samples",
    *,
    over: Over = "all",
    zero_division: float = math.nan,
) -> float:
    """Return the overlap of truth and prediction: labels in both, by labels in either; parameters as in `f1`; 0..1.

    Source: Jaccard 1901; as a multi-label measure Godbole & Sarawagi 2004, who call it accuracy.

    >>> truth = np.array([[0, 1, 0], [1, 1, 0]], dtype=bool)
    >>> counts = multilabel_counts(truth, np.array([[0, 1, 1], [1, 0, 0]], dtype=bool), ("a", "b", "c"))
    >>> jaccard(counts, "samples"), jaccard(counts, "micro")
    (0.5, 0.5)
    """
    return _average(counts, "jaccard", average, over, zero_division)


def label_parts(counts: MultilabelCounts, which: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the numerator and denominator of a rate of every label, int64 (L,) each."""
    either = counts.tp + counts.fp + counts.fn
    return {
        "f1": (2 * counts.tp, counts.tp + either),
        "precision": (counts.tp, counts.predicted),
        "recall": (counts.tp, counts.support),
        "jaccard": (counts.tp, either),
    }[which]


def row_parts(counts: MultilabelCounts, which: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the numerator and denominator of a rate of every kind of row."""
    sums = counts.row_sums
    return {
        "f1": (2 * sums.intersection, sums.n_true + sums.n_pred),
        "precision": (sums.intersection, sums.n_pred),
        "recall": (sums.intersection, sums.n_true),
        "jaccard": (sums.intersection, sums.union),
    }[which]


def _average(counts: MultilabelCounts, which: str, average: str, over: str, zero_division: float) -> float:
    part, whole = label_parts(counts, which)
    if average == "micro":
        return _ratio(int(part.sum()), int(whole.sum()))
    if average == "samples":
        return _mean_over_rows(counts.row_sums, *row_parts(counts, which))
    if average not in ("macro", "weighted"):
        raise ValueError(f"The average is 'micro', 'macro', 'weighted' or 'samples', not {average!r}.")
    value = np.nan_to_num(_share(part, whole), nan=zero_division if counts.n else math.nan)
    if average == "weighted":
        return _weighted_mean(value, counts.support)
    rows = {"all": np.ones(len(value)), "seen": counts.support + counts.predicted, "supported": counts.support}[over]
    return _weighted_mean(value, np.where(rows > 0, 1, 0))


def _mean_over_rows(sums: RowSums, part: np.ndarray, whole: np.ndarray) -> float:
    return _weighted_mean(np.where(whole > 0, part / np.maximum(whole, 1), 0.0), sums.rows)


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
        _ratio(int(counts.support.sum()), counts.n),
        _ratio(int(counts.predicted.sum()), counts.n),
    )


def _by_value(value: np.ndarray, rows: np.ndarray, most: int) -> np.ndarray:
    found = np.zeros(most + 1, dtype=np.int64)
    np.add.at(found, value, rows)
    return found
