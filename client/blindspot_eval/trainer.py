"""Metrics for the Trainer of transformers, from the scores of an evaluation."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .arrays import (
    LOGIT,
    NO_LABEL,
    as_labels,
    as_scores,
    check_labels,
    column_names,
    pair_rows,
    plain_values,
    scale_of,
)
from .deciding import TASKS, Decided, decide, task_of
from .metric_numbers import auc_numbers, multilabel_numbers, single_label_numbers
from .naming import refuse_other_order


class Evaluated(NamedTuple):
    """The arrays of one evaluation: what `SavePredictions` writes.

    y_true : codes (n,), below 0 where the truth is missing; or bool (n, L). scores : (n, S). scale : of the scores.
    """

    task: str
    labels: tuple[str, ...]
    y_true: np.ndarray
    scores: np.ndarray
    scale: str
    decided: Decided


def compute_metrics(
    labels: Sequence[str], *, task: str | None = None, threshold: float | None = None
) -> ComputeMetrics:
    """Return a function for `Trainer(compute_metrics=…)`: subset and per-label accuracy, F1s and ROC AUC by name.

    Parameters
    ----------
    labels : names of the labels, in the order of the model's outputs.
    task : "binary", "multiclass" or "multilabel"; None = found: a truth of 0 and 1 a label is multilabel.
    threshold : score from which a label is predicted; None = 0 for logits, 0.5 for probabilities. The function says
        which once, on stderr and as its `said`.

    >>> metrics = compute_metrics(["a", "b", "c"], task="multilabel")
    >>> found = metrics(([[-1.0, 2.0, 0.5], [1.0, -3.0, -2.0]], [[0, 1, 0], [1, 1, 0]]))
    >>> found["subset_accuracy"], round(found["per_label_accuracy"], 4), metrics.said
    (0.0, 0.6667, 'A label is predicted where its logit is at least 0.')
    """
    return ComputeMetrics(labels, task, threshold)


class ComputeMetrics:
    """Compute metrics of one evaluation, whole or batch by batch (`batch_eval_metrics`).

    Attributes
    ----------
    said : how the last predictions were made, as a sentence; "" before there were any.
    last : the arrays of the last evaluation; None before there was one.
    """

    def __init__(self, labels: Sequence[str], task: str | None, threshold: float | None) -> None:
        if task is not None and task not in TASKS:
            raise ValueError(f"The task is one of {', '.join(TASKS)}, not {task!r}.")
        self.labels, self.task, self.threshold = check_labels(labels), task, threshold
        if task == "binary" and len(self.labels) != 2:
            raise ValueError(f"A binary task has two labels, not {len(self.labels)}.")
        self.said = ""
        self.last: Evaluated | None = None
        self._saw_logits = False
        self._batches: list[tuple[np.ndarray, np.ndarray]] = []

    def __call__(self, predictions: Any, compute_result: bool = True) -> dict[str, float]:
        """Return the metrics of an `EvalPrediction`, or of a pair (scores, labels).

        compute_result : False = one batch of several: it is kept, and {} returned.
        """
        pair = _pair(predictions)
        for values, what in zip(pair, ("scores", "truth"), strict=True):
            refuse_other_order(self.labels, column_names(values) or (), f"columns of the {what}")
        scores, truth = pair_rows(*pair)
        self._batches.append((as_scores(scores), truth))
        if not compute_result:
            return {}
        whole = [np.concatenate(parts) for parts in zip(*self._batches, strict=True)]
        self._batches.clear()
        self.last = self._evaluate(*whole)
        return numbers_of(self.last)

    def _evaluate(self, scores: np.ndarray, truth: np.ndarray) -> Evaluated:
        task = self.task or task_of(as_labels(truth).ndim == 2, len(self.labels))
        y_true = _truth(truth, task, len(self.labels))
        if len(y_true) != len(scores):
            raise ValueError(f"There are {len(scores):,} rows of scores and {len(y_true):,} of labels.")
        scale = scale_of(scores, many=task == "multilabel")
        self._saw_logits |= scale == LOGIT  # an untrained model's logits may all lie between 0 and 1 once
        scale = LOGIT if self._saw_logits else scale
        decided = decide(scores, scale, task, self.threshold, self.labels)
        if decided.said != self.said:
            print(f"Blindspot: {decided.said}", file=sys.stderr)
        self.said = decided.said
        return Evaluated(task, self.labels, y_true, scores, scale, decided)


def numbers_of(evaluated: Evaluated) -> dict[str, float]:
    """Return every metric of an evaluation; rows without a truth or without a score are left out and counted."""
    decided, labels = evaluated.decided, evaluated.labels
    scored = decided.known
    if evaluated.y_true.ndim == 1:
        scored = scored & (evaluated.y_true >= 0)
    y_true, y_pred = evaluated.y_true[scored], decided.y_pred[scored]
    compute = multilabel_numbers if evaluated.task == "multilabel" else single_label_numbers
    numbers = compute(y_true, y_pred, labels) | auc_numbers(y_true, decided.score[scored], labels)
    return numbers | {"n_rows": len(scored), "n_scored": int(scored.sum())}


def _pair(predictions: Any) -> tuple[Any, Any]:
    """Return scores and truth; of a tuple, which a model may give, the first."""
    if hasattr(predictions, "label_ids"):
        predictions = predictions.predictions, predictions.label_ids
    scores, truth = (part[0] if isinstance(part, tuple) else part for part in predictions)
    return scores, truth


def _truth(truth: np.ndarray, task: str, n_labels: int) -> np.ndarray:
    """Return the truth as codes or as bool sets; ValueError where it is neither."""
    if task == "multilabel":
        if truth.ndim != 2 or truth.shape[1] != n_labels or not np.isin(truth, (0, 1)).all():
            raise ValueError(f"Label sets must be 0 or 1 in {n_labels} columns, a label each, not {truth.shape}.")
        return truth.astype(bool)
    if truth.ndim == 2 and truth.shape[1] == 1:
        truth = truth[:, 0]
    if truth.dtype.kind not in "iub":
        truth = np.array([NO_LABEL if value is None else value for value in plain_values(truth)])
    if truth.ndim != 1 or truth.dtype.kind not in "iub" or truth.max(initial=0) >= n_labels:
        raise ValueError(
            f"True labels must be whole numbers from 0 to {n_labels - 1}, the places of {n_labels} labels."
        )
    return truth.astype(np.int64)
