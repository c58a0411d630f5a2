"""Hold what a model gives beside the truth, from arrays that there are already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .arrays import LOGIT, SCORE, as_labels, as_scores, check_labels, column_names, pair_rows, scale_of
from .deciding import Decided, decide, task_of
from .naming import Names, names_in, names_of_given, names_of_places, names_of_sets, refuse_other_order

"""The scale of decision functions: one of their own."""


class Outputs(NamedTuple):
    """Hold what an estimator gives for n rows, beside their truth.

    labels : the label list. truth, prediction : label names (n,), label sets as JSON lists; None = it follows from the
        scores. several : whether rows have label sets.
    scores : (n, S), None = there are none. scored : the labels of its columns. kind : LOGIT, PROBABILITY or SCORE.
    model : its name.
    """

    labels: tuple[str, ...]
    truth: Names
    prediction: Names | None
    several: bool
    scores: np.ndarray | None
    scored: tuple[str, ...]
    kind: str
    model: str


def outputs_of_values(values: Any, y: Any, labels: Sequence[str] | None, model: str) -> Outputs:
    """Return scores, or predicted labels: those are names, whole numbers, or sets of 0 and 1."""
    array, y_rows = pair_rows(values, y)
    truth = as_labels(y_rows)
    wide = array.ndim == 2 and array.shape[1] > 1
    if array.dtype.kind == "f" and not (wide and truth.ndim == 2 and np.isin(array, (0, 1)).all()):
        return outputs_of_scores(as_scores(array), column_names(values), y, labels, model)
    if wide and truth.ndim == 1:
        return outputs_of_scores(as_scores(array), column_names(values), y, labels, model)
    predicted = as_labels(array)
    if truth.ndim == 2:
        return _of_sets(predicted, truth, _set_labels(y, truth, labels), model)
    if labels is None and predicted.dtype.kind in "iu" and truth.dtype.kind in "OUT":
        _refuse_codes_beside_names(truth, predicted)
    names = check_labels(names_in(truth, predicted) if labels is None else labels)
    return Outputs(
        names, names_of_given(truth, names, predicted), names_of_given(predicted, names, truth),
        False, None, (), SCORE, model,
    )  # fmt: skip


def _refuse_codes_beside_names(truth: np.ndarray, predicted: np.ndarray) -> None:
    """Raise ValueError where the predictions are whole numbers, and the truth holds none of them."""
    if not set(names_in(truth)) & set(names_in(predicted)):
        raise ValueError("The truth holds names and the predictions whole numbers: give labels, the names in order.")


def _of_sets(predicted: np.ndarray, truth: np.ndarray, labels: tuple[str, ...], model: str) -> Outputs:
    """Return predicted label sets."""
    if predicted.shape != truth.shape:
        raise ValueError(f"The truth is a table {truth.shape} of label sets, the predictions are {predicted.shape}.")
    sets = names_of_sets(truth, labels), names_of_sets(predicted, labels)
    return Outputs(labels, *sets, True, None, (), SCORE, model)


def outputs_of_scores(
    scores: np.ndarray, columns: tuple[str, ...] | None, y: Any, labels: Sequence[str] | None, model: str
) -> Outputs:
    """Return scores with the truth beside them; columns of a data frame name the labels."""
    scores, y_rows = pair_rows(scores, y)
    truth = as_labels(y_rows)
    named = columns or ()
    if labels is None and not (named and (truth.dtype.kind in "iub" or set(names_in(truth.ravel())) <= set(named))):
        named = ()
    if labels is not None:
        refuse_other_order(check_labels(labels), named, "columns of the scores")
    if truth.ndim == 2:
        names = _set_labels(y, truth, labels or named or None)
        return Outputs(names, names_of_sets(truth, names), None, True, scores, names, LOGIT, model)
    names = check_labels(labels or named or _score_labels(scores, truth))
    return Outputs(names, names_of_given(truth, names), None, False, scores, names, LOGIT, model)


def _score_labels(scores: np.ndarray, truth: np.ndarray) -> tuple[str, ...]:
    """Return the places of the score columns, where the truth is written so; else the labels of the truth."""
    if truth.dtype.kind in "iu" and scores.shape[1] > 1:
        return tuple(map(str, range(scores.shape[1])))
    return names_in(truth)


def _set_labels(y: Any, truth: np.ndarray, labels: Sequence[str] | None) -> tuple[str, ...]:
    """Return the labels of sets: those given, or the columns of the truth, whose order they must have."""
    named = column_names(y) or tuple(map(str, range(truth.shape[1])))
    names = check_labels(named if labels is None else labels)
    refuse_other_order(names, named, "columns of the truth")
    return names


def decide_outputs(outputs: Outputs, threshold: float | None) -> Outputs:
    """Return the outputs with the predictions that their scores mean."""
    assert outputs.scores is not None
    task, scale = task_of(outputs.several, len(outputs.labels)), scale_of(outputs.scores, many=outputs.several)
    return with_decision(outputs, task, scale, decide(outputs.scores, scale, task, threshold, outputs.labels))


def with_decision(outputs: Outputs, task: str, scale: str, decided: Decided) -> Outputs:
    """Return the outputs with predictions made of their scores; two classes keep one score where it says the other.

    Without every score a row has no prediction; a set of labels cannot say that and stays empty.
    """
    if outputs.several:
        return outputs._replace(
            prediction=names_of_places(decided.y_pred & decided.known[:, None], outputs.labels), kind=scale
        )
    prediction = names_of_places(np.where(decided.known, decided.y_pred, -1), outputs.labels)
    if task == "binary" and scale != SCORE:  # of scores that are no shares of 1, the second one does not say the first
        outputs = outputs._replace(scores=decided.score, scored=outputs.labels[1:])
    return outputs._replace(prediction=prediction, kind=scale)
