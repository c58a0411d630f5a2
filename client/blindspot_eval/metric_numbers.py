"""Turn counts into metrics, named as the app names them. What is undefined (0/0) is NaN, never 0."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .counts import LabelCounts, confusion_matrix, counts_of_matrix, counts_of_sets, roc_auc

UNDEFINED = float("nan")


def share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return part / whole, NaN where it is 0/0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient: np.ndarray = part / whole
    return quotient


def _mean(values: np.ndarray, weights: np.ndarray | None = None) -> float:
    if weights is not None:
        values, weights = values[weights > 0], weights[weights > 0]
    return float(np.average(values, weights=weights)) if len(values) else UNDEFINED


def f1_numbers(counts: LabelCounts, labels: Sequence[str], *, n: int) -> dict[str, float]:
    """Return micro, macro, weighted and per-label F1 of n rows.

    `macro_f1` is over the labels seen (true or predicted in some row), `macro_f1_supported` over those with true rows,
    `macro_f1_label_space` over all of them: a label neither true nor predicted counts as 0 there.
    """
    twice = 2 * counts.tp
    f1 = share(twice, twice + counts.fp + counts.fn)
    whole = int((twice + counts.fp + counts.fn).sum())
    numbers = {
        "micro_f1": int(twice.sum()) / whole if whole else UNDEFINED,
        "macro_f1": _mean(f1[counts.support + counts.predicted > 0]),
        "macro_f1_supported": _mean(f1[counts.support > 0]),
        "macro_f1_label_space": _mean(np.nan_to_num(f1)) if n else UNDEFINED,
        "weighted_f1": _mean(f1, counts.support),
    }
    return numbers | {f"f1_{label}": float(value) for label, value in zip(labels, f1, strict=True)}


def single_label_numbers(y_true: np.ndarray, y_pred: np.ndarray, labels: Sequence[str]) -> dict[str, float]:
    """Return the metrics of one label a row; `y_true` and `y_pred` are codes of `labels`, (n,)."""
    counts, n = counts_of_matrix(confusion_matrix(y_true, y_pred, len(labels))), len(y_true)
    numbers = {"accuracy": int(counts.tp.sum()) / n if n else UNDEFINED}
    recall = share(counts.tp, counts.support)
    numbers["balanced_accuracy"] = _mean(recall[counts.support > 0])
    if len(labels) == 2:
        numbers["recall"] = float(recall[1])
        numbers["precision"] = float(share(counts.tp, counts.predicted)[1])
    return numbers | f1_numbers(counts, labels, n=n)


def multilabel_numbers(y_true: np.ndarray, y_pred: np.ndarray, labels: Sequence[str]) -> dict[str, float]:
    """Return the metrics of several labels a row; `y_true` and `y_pred` are bool (n, L).

    `subset_accuracy` is the share of rows whose whole set is right (scikit-learn's `accuracy_score`).
    `per_label_accuracy` is the share of right single decisions (1 - Hamming loss).

    >>> truth, guess = np.array([[0, 1, 0], [1, 1, 0]], bool), np.array([[0, 1, 1], [1, 0, 0]], bool)
    >>> found = multilabel_numbers(truth, guess, ("a", "b", "c"))
    >>> found["subset_accuracy"], round(found["per_label_accuracy"], 4), found["accuracy_b"]
    (0.0, 0.6667, 0.5)
    """
    counts, n = counts_of_sets(y_true, y_pred), len(y_true)
    right = counts.tp + counts.tn
    numbers = {
        "subset_accuracy": int((y_true == y_pred).all(axis=1).sum()) / n if n else UNDEFINED,
        "per_label_accuracy": int(right.sum()) / y_true.size if n else UNDEFINED,
    }
    numbers |= f1_numbers(counts, labels, n=n)
    each = share(right, np.full(len(labels), n))
    return numbers | {f"accuracy_{label}": float(value) for label, value in zip(labels, each, strict=True)}


def auc_numbers(y_true: np.ndarray, scores: np.ndarray, labels: Sequence[str]) -> dict[str, float]:
    """Return ROC AUC: of the second label where there are two classes, else of every label and their mean.

    The mean is over the labels where it is defined.

    y_true : codes (n,) or bool (n, L). scores : (n, L), or (n, 1) for the second of two classes.
    """
    if scores.shape[1] == 1:
        return {"roc_auc": roc_auc(y_true == 1, scores[:, 0])}
    columns = [y_true == code for code in range(len(labels))] if y_true.ndim == 1 else y_true.T
    each = np.array([roc_auc(column, scores[:, code]) for code, column in enumerate(columns)])
    areas = {"roc_auc_macro": _mean(each[~np.isnan(each)])}
    return areas | {f"roc_auc_{label}": float(value) for label, value in zip(labels, each, strict=True)}
