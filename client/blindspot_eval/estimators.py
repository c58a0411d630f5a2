"""Ask an estimator for its predictions and scores: scikit-learn, PyTorch, or one that only predicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .arrays import PROBABILITY, as_array, as_labels, as_scores
from .naming import name_classes, names_of_classes
from .outputs import SCORE, Outputs, outputs_of_scores, outputs_of_values


def outputs_of(estimator: Any, X: Any, y: Any, labels: Sequence[str] | None) -> Outputs:
    """Return predictions, scores and labels of an estimator for X; `y` names the labels where nothing else does."""
    if estimator is None:
        return outputs_of_values(X, y, labels, "arrays")
    name = type(estimator).__name__
    if hasattr(estimator, "predict"):
        return _of_estimator(estimator, X, y, labels, name)
    if hasattr(estimator, "parameters") and callable(estimator):
        return outputs_of_scores(_module_scores(estimator, X), None, y, labels, name)
    raise ValueError(f"A {name} neither predicts nor is a PyTorch module; give None and its scores.")


def _module_scores(module: Any, X: Any) -> np.ndarray:
    """Return the scores of a PyTorch module, asked without gradients; it is left in the mode that it was in."""
    import torch

    was_training = module.training
    module.eval()
    try:
        with torch.no_grad():
            made = module(X)
    finally:
        module.train(was_training)
    return as_scores(getattr(made, "logits", made))


def _of_estimator(estimator: Any, X: Any, y: Any, labels: Sequence[str] | None, name: str) -> Outputs:
    """Return the estimator's own predictions, and its probabilities or decision function."""
    made, classes, truth = estimator.predict(X), getattr(estimator, "classes_", None), as_labels(y)
    prediction = as_labels(made)
    if classes is None or prediction.ndim == 2:
        if hasattr(estimator, "__sklearn_tags__") and estimator.__sklearn_tags__().estimator_type == "regressor":
            raise ValueError(f"A {name} predicts numbers, not labels.")
        if prediction.ndim == 2 and truth.ndim == 1 and prediction.dtype.kind != "f":
            raise ValueError(f"A {name} predicts {prediction.shape[1]} columns, but the truth has one.")
        outputs = outputs_of_values(made, y, labels, name)
        return outputs if outputs.scores is not None else _with_scores(outputs, estimator, X, outputs.labels)
    if truth.ndim == 2:
        raise ValueError(f"A {name} is single-label, but the truth has {truth.shape[1]} columns.")
    names, known = name_classes(as_array(classes).tolist(), labels)
    truths, predictions = names_of_classes(truth, known, names), names_of_classes(prediction, known, names)
    outputs = Outputs(names, truths, predictions, False, None, (), SCORE, name)
    return _with_scores(outputs, estimator, X, known.names)


def _with_scores(outputs: Outputs, estimator: Any, X: Any, names: tuple[str, ...]) -> Outputs:
    """Return the outputs with the estimator's scores, where there is one a label or one for two classes."""
    for method, kind in (("predict_proba", PROBABILITY), ("decision_function", SCORE)):
        if not hasattr(estimator, method) or (method == "decision_function" and _scores_pairs(estimator, len(names))):
            continue
        made = getattr(estimator, method)(X)
        scores = _of_each_label(made, estimator) if isinstance(made, list) else as_scores(made)
        scored = names
        if not outputs.several and len(outputs.labels) == 2 and scores.shape[1] == 2:
            scores = scores[:, 1:]
        if not outputs.several and len(names) == 2 and scores.shape[1] == 1:
            scored = names[1:]
        if scores.shape[1] == len(scored):
            return outputs._replace(scores=scores, scored=scored, kind=kind)
    return outputs


def _scores_pairs(estimator: Any, n_classes: int) -> bool:
    """Return whether a decision function scores pairs of classes, as that of an SVC can; of 3 classes there are 3."""
    while steps := getattr(estimator, "steps", [("", getattr(estimator, "best_estimator_", None))]):
        if steps[-1][1] is None:
            break
        estimator = steps[-1][1]
    return n_classes > 2 and getattr(estimator, "decision_function_shape", "ovr") == "ovo"


def _of_each_label(made: list[Any], estimator: Any) -> np.ndarray:
    """Return the probability of 1 of every label, where an estimator gives a table a label."""
    columns = []
    for table, classes in zip(map(as_array, made), estimator.classes_, strict=True):
        place = [code for code, class_value in enumerate(as_array(classes).tolist()) if class_value == 1]
        columns.append(table[:, place[0]] if place else np.zeros(len(table)))
    return np.column_stack(columns)
