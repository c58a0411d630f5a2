"""Read scores, labels and ids of any library as numpy arrays, and find the scale of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

LOGIT, PROBABILITY = "logit", "probability"
NO_LABEL = -100
"""A truth that PyTorch leaves out of its loss, and the Trainer with it."""
CUTS = {LOGIT: 0.0, PROBABILITY: 0.5}
"""Default thresholds of scores: both are a probability of one half."""
_SUM_TOLERANCE = 1e-3


def as_array(values: Any) -> np.ndarray:
    """Return an array of a PyTorch tensor, a data frame, a series, a sparse matrix or a list.

    >>> as_array([[1, 2], [3, 4]]).shape
    (2, 2)
    """
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        values = (values.float() if values.is_floating_point() else values).numpy()  # numpy lacks bfloat16
    return np.asarray(values.toarray() if hasattr(values, "toarray") else values)


def as_labels(values: Any) -> np.ndarray:
    """Return labels (n,), or label sets (n, L) of 0 and 1; one column is a list.

    >>> as_labels([["a"], ["b"]]).tolist()
    ['a', 'b']
    """
    found = as_array(values)
    if found.ndim not in (1, 2):
        raise ValueError(f"Labels must be a list, or a table with a column a label, not {found.shape}.")
    return found[:, 0] if found.ndim == 2 and found.shape[1] == 1 else found


def plain_values(values: np.ndarray) -> list[Any]:
    """Return labels as Python values: whole floats as whole numbers, None for NaN, NA and -100.

    >>> plain_values(np.array([1.0, np.nan, -100.0])), plain_values(np.array([0.5, 1.0]))
    ([1, None, None], [0.5, 1.0])
    """
    plain = [one.item() if isinstance(one, np.generic) else one for one in values.tolist()]
    plain = [None if _is_missing(one) else one for one in plain]
    if all(one is None or not isinstance(one, float) or one.is_integer() for one in plain):
        plain = [int(one) if isinstance(one, float) else one for one in plain]
    return [None if isinstance(one, int) and one == NO_LABEL else one for one in plain]


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas' NA says neither
        return True


def as_scores(values: Any) -> np.ndarray:
    """Return scores as float64 (n, S).

    A model may return more than logits: of a tuple the first is taken. One column may come as (n,).

    Raises
    ------
    ValueError
        they are no table of numbers.
    """
    found = as_array(values[0] if isinstance(values, tuple) else values)
    found = found[:, None] if found.ndim == 1 else found
    if found.ndim != 2 or found.dtype.kind not in "biuf":
        raise ValueError(f"Scores must be numbers, a row each and a column a label, not {found.dtype} {found.shape}.")
    return found.astype(np.float64)


def scale_of(scores: np.ndarray, *, many: bool) -> str:
    """Return LOGIT or PROBABILITY, judged by the values; NaN says nothing.

    many : several labels a row, so that a row's probabilities need not add up to 1.

    >>> scale_of(np.array([[0.2, 0.8]]), many=False), scale_of(np.array([[0.2, 0.9]]), many=False)
    ('probability', 'logit')
    """
    known = scores[~np.isnan(scores).any(axis=1)]
    if not len(known) or known.min() < 0 or known.max() > 1:
        return LOGIT
    if many or scores.shape[1] == 1:
        return PROBABILITY
    return PROBABILITY if np.abs(known.sum(axis=1) - 1).max() <= _SUM_TOLERANCE else LOGIT


def softmax(logits: np.ndarray) -> np.ndarray:
    """Turn rows of logits into probabilities.

    >>> softmax(np.array([[0.0, 0.0]])).tolist()
    [[0.5, 0.5]]
    """
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: np.ndarray = weights / weights.sum(axis=1, keepdims=True)
    return shares


def check_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Return label names as text; ValueError unless there are two or more, all different and none empty."""
    names = tuple(str(label) for label in labels)
    if len(set(names)) < len(names) or "" in names or len(names) < 2:
        raise ValueError(f"Labels must be two names or more, all different and none empty, not {list(names)[:6]}.")
    return names
