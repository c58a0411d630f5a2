"""Read scores, labels and ids of any library as numpy arrays, and find the scale of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

LOGIT, PROBABILITY, SCORE = "logit", "probability", "score"
NO_LABEL = -100
"""A truth that PyTorch leaves out of its loss, and the Trainer with it."""
CUTS = {LOGIT: 0.0, PROBABILITY: 0.5}
"""Default thresholds of scores: both are a probability of one half."""
_SUM_TOLERANCE = 0.01 + 1e-9  # rounded probabilities miss 1 by as much


def as_array(values: Any) -> np.ndarray:
    """Return an array of a PyTorch tensor, a data frame, a series, a sparse matrix, a list, or a list of batches.

    Frames of any library come through Arrow's C stream. Batches of tables are put below each other.

    >>> as_array([[1, 2], [3, 4]]).shape, as_array([np.zeros((2, 3)), np.zeros((1, 3))]).shape
    ((2, 2), (3, 3))
    """
    if hasattr(values, "detach"):  # a tensor of PyTorch; numpy lacks its bfloat16
        tensor = values.detach().cpu()
        return np.asarray((tensor.float() if tensor.is_floating_point() else tensor).numpy())
    if hasattr(values, "__arrow_c_stream__") and column_names(values) is not None:
        return _of_frame(values)
    if isinstance(values, list):
        return _of_list(values)
    is_sparse = hasattr(values, "toarray")
    return np.asarray(values.toarray() if is_sparse else values)


def column_names(values: Any) -> tuple[str, ...] | None:
    """Return the names of a frame's columns; None for what is no frame.

    Raises
    ------
    ValueError
        batches name their columns differently, or in another order.
    """
    if isinstance(values, list):
        first = column_names(values[0]) if values else None
        if first is not None and any(column_names(part) != first for part in values):
            raise ValueError("The batches differ in the names of their columns, or in their order.")
        return first
    names = getattr(values, "column_names", None)  # pyarrow has the columns themselves as `columns`
    names = getattr(values, "columns", None) if names is None else names
    return None if names is None else tuple(map(str, names))


def _of_frame(frame: Any) -> np.ndarray:
    """Return a data frame (n, columns); a missing number is NaN."""
    table = pa.table(frame)
    of_pandas = table.schema.pandas_metadata or {}
    # pandas names an index that is a column; a range of numbers is described, and no column
    index = [name for name in of_pandas.get("index_columns", ()) if isinstance(name, str)]
    columns = [_decode(table.column(name)) for name in table.column_names if name not in index]
    return np.column_stack([column.to_numpy() for column in columns]) if columns else np.empty((len(table), 0))


def _decode(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _of_list(values: list[Any]) -> np.ndarray:
    """Return a list of numbers, of rows, or of batches as one array."""
    if values and (hasattr(values[0], "shape") or hasattr(values[0], "__arrow_c_stream__")):
        return _join([as_array(part) for part in values])
    try:
        return np.asarray(values)
    except ValueError:  # rows of different length, or batches of different length
        parts = [np.asarray(part) for part in values]
    if parts[0].ndim < 2:
        raise ValueError("The rows differ in length; write label sets as 0 and 1, a column a label.")
    return _join(parts)


def _join(parts: list[np.ndarray]) -> np.ndarray:
    """Put batches below each other; single values and rows of one length stay a list of them."""
    if parts[0].ndim < 2 and len({part.shape for part in parts}) == 1:
        return np.stack(parts)
    if len({part.shape[1:] for part in parts}) > 1:
        raise ValueError(f"The batches differ in their columns: {parts[0].shape} and {parts[-1].shape}.")
    return np.concatenate(parts)


def pair_rows(scores: Any, truth: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return scores and truth with a row each; batches of them, as (batches, rows, labels), are flattened.

    Raises
    ------
    ValueError
        the truth is a list of arrays of different length, which may be batches of codes or sets of codes.

    >>> [part.shape for part in pair_rows(np.zeros((2, 4, 3)), np.zeros((2, 4)))]
    [(8, 3), (8,)]
    """
    table, labels = _flatten(as_array(scores)), _flatten(as_array(truth))
    is_batched = labels.size == len(table) and len(labels) != len(table)  # (batches, rows)
    if table.ndim == 2 and is_batched:
        labels = labels.ravel()
    if isinstance(truth, list) and len(truth) == len(table) and labels.ndim == 1 and _differ_in_length(truth):
        raise ValueError("The true labels differ in length; write label sets as 0 and 1, a column a label.")
    return table, labels


def _flatten(values: np.ndarray) -> np.ndarray:
    return values.reshape(-1, values.shape[-1]) if values.ndim > 2 else values


def _differ_in_length(parts: list[Any]) -> bool:
    return len({np.shape(part) for part in parts if hasattr(part, "shape")}) > 1


def as_labels(values: Any) -> np.ndarray:
    """Return labels (n,), or label sets (n, L) of 0 and 1; one column is a list.

    >>> as_labels([["a"], ["b"]]).tolist()
    ['a', 'b']
    """
    labels = as_array(values)
    if labels.ndim not in (1, 2):
        raise ValueError(f"Labels must be a list, or a table with a column a label, not {labels.shape}.")
    return labels[:, 0] if labels.ndim == 2 and labels.shape[1] == 1 else labels


def plain_values(values: np.ndarray) -> list[Any]:
    """Return labels as Python values: whole floats as whole numbers, None for NaN, NA and -100.

    >>> plain_values(np.array([1.0, np.nan, -100.0])), plain_values(np.array([0.5, 1.0]))
    ([1, None, None], [0.5, 1.0])
    """
    plain = [value.item() if isinstance(value, np.generic) else value for value in values.tolist()]
    plain = [None if _is_missing(value) else value for value in plain]
    if all(value is None or not isinstance(value, float) or value.is_integer() for value in plain):
        plain = [int(value) if isinstance(value, float) else value for value in plain]
    return [None if isinstance(value, int) and value == NO_LABEL else value for value in plain]


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
    scores = as_array(values[0] if isinstance(values, tuple) else values)
    scores = scores[:, None] if scores.ndim == 1 else scores
    if scores.ndim != 2 or scores.dtype.kind not in "biuf":
        raise ValueError(f"Scores must be numbers, a row each and a column a label, not {scores.dtype} {scores.shape}.")
    return scores.astype(np.float64)


def scale_of(scores: np.ndarray, *, many: bool) -> str:
    """Return LOGIT, PROBABILITY, or SCORE (in 0 to 1, but no shares of 1), judged by the values; NaN says nothing.

    many : several labels a row, so that a row's probabilities need not add up to 1.

    >>> [scale_of(np.array([row]), many=False) for row in ([0.2, 0.8], [0.2, 0.9], [-0.2, 0.9])]
    ['probability', 'score', 'logit']
    """
    known = scores[~np.isnan(scores).any(axis=1)]
    if not len(known) or known.min() < 0 or known.max() > 1:
        return LOGIT
    add_up_to_1 = np.abs(known.sum(axis=1) - 1).max() <= _SUM_TOLERANCE
    return PROBABILITY if many or scores.shape[1] == 1 or add_up_to_1 else SCORE


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
