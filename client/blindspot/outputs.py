"""Ask an estimator for its predictions and scores: scikit-learn, PyTorch, or arrays that there are already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .arrays import LOGIT, PROBABILITY, as_array, as_scores, check_labels

SCORE = "score"
"""The scale of decision functions: one of their own."""


class Outputs(NamedTuple):
    """Hold what an estimator gives for n rows.

    prediction : labels or codes (n,), or 0 and 1 a label (n, L); None = it follows from the scores.
    scores : (n, S), None = there are none. kind : LOGIT, PROBABILITY or SCORE. model : its name.
    """

    labels: tuple[str, ...]
    prediction: np.ndarray | None
    scores: np.ndarray | None
    kind: str
    model: str


def outputs_of(estimator: Any, X: Any, y: Any, labels: Sequence[str] | None) -> Outputs:
    """Return predictions, scores and labels of an estimator for X; `y` names the labels where nothing else does."""
    if estimator is None:
        return _of_arrays(as_array(X), y, labels)
    if hasattr(estimator, "predict"):
        return _of_scikit_learn(estimator, X, y, labels)
    if hasattr(estimator, "parameters") and callable(estimator):
        return _of_module(estimator, X, y, labels)
    raise ValueError(
        f"A {type(estimator).__name__} neither predicts nor is a PyTorch module; give None and its scores."
    )


def _of_arrays(found: np.ndarray, y: Any, labels: Sequence[str] | None) -> Outputs:
    """Return scores, or predicted labels: those are names, whole numbers, or sets of 0 and 1."""
    if found.dtype.kind == "f" or (found.ndim == 2 and as_array(y).ndim == 1):
        return Outputs(_labels(labels, y, found), None, as_scores(found), LOGIT, "arrays")
    both = y if found.ndim == 2 else np.concatenate([as_array(y), found])
    return Outputs(_labels(labels, both, None), found, None, SCORE, "arrays")


def _of_module(module: Any, X: Any, y: Any, labels: Sequence[str] | None) -> Outputs:
    """Return the scores of a PyTorch module, asked without gradients; it is left in the mode that it was in."""
    import torch

    was_training = module.training
    module.eval()
    try:
        with torch.no_grad():
            made = module(X)
    finally:
        module.train(was_training)
    scores = as_scores(getattr(made, "logits", made))
    return Outputs(_labels(labels, y, scores), None, scores, LOGIT, type(module).__name__)


def _of_scikit_learn(estimator: Any, X: Any, y: Any, labels: Sequence[str] | None) -> Outputs:
    prediction = as_array(estimator.predict(X))
    many, classes = prediction.ndim == 2, getattr(estimator, "classes_", None)
    own = None if many or classes is None else [str(one) for one in classes]
    names = _labels(labels or own, y, prediction if many else None)
    if not many and own is not None and labels is not None:
        prediction = np.searchsorted(np.asarray(classes), prediction)  # places: `labels` are names of the classes
    name = type(estimator).__name__
    for method, kind in (("predict_proba", PROBABILITY), ("decision_function", SCORE)):
        if hasattr(estimator, method):
            made = getattr(estimator, method)(X)
            scores = _of_each_label(made, estimator) if isinstance(made, list) else as_scores(made)
            if not many and len(names) == 2 and scores.shape[1] == 2:
                scores = scores[:, 1:]
            if scores.shape[1] in (len(names), 1 if len(names) == 2 and not many else len(names)):
                return Outputs(names, prediction, scores, kind, name)
    return Outputs(names, prediction, None, SCORE, name)


def _of_each_label(made: list[Any], estimator: Any) -> np.ndarray:
    """Return the probability of 1 of every label, where an estimator gives a table a label."""
    columns = []
    for place, table in enumerate(made):
        classes = [str(one) for one in estimator.classes_[place]]
        table = as_array(table)
        columns.append(table[:, classes.index("1")] if "1" in classes else np.zeros(len(table)))
    return np.column_stack(columns)


def _labels(labels: Sequence[str] | None, y: Any, columns: np.ndarray | None) -> tuple[str, ...]:
    """Return label names: those given, the columns of the truth, or the labels in it."""
    if labels is not None:
        return check_labels(labels)
    truth = as_array(y)
    if truth.ndim == 2:
        return check_labels([str(name) for name in getattr(y, "columns", range(truth.shape[1]))])
    if truth.dtype.kind in "iu" and columns is not None and columns.ndim == 2 and columns.shape[1] > 1:
        return check_labels([str(code) for code in range(columns.shape[1])])
    return check_labels([str(one) for one in np.unique(truth[truth != -100] if truth.dtype.kind in "iu" else truth)])
