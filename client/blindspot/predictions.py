"""Write predictions files in the columns that the app opens without a question."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from .arrays import as_array, scale_of
from .deciding import Decided, decide, task_of
from .outputs import Outputs, outputs_of

ENDINGS = (".parquet", ".csv")
_OWN = ("id", "truth", "prediction", "epoch", "step")
_METADATA = b"blindspot_run"


def save_predictions(
    estimator: Any,
    X: Any,
    y: Any,
    path: str | os.PathLike[str] = "predictions.parquet",
    *,
    ids: Any = None,
    labels: Sequence[str] | None = None,
    columns: Mapping[str, Any] | None = None,
    threshold: float | None = None,
) -> Path:
    """Write a predictions file of an estimator, a PyTorch model, or scores and labels that there are already.

    Parameters
    ----------
    estimator : a fitted scikit-learn estimator (its predict, and predict_proba or decision_function); a PyTorch module,
        which is called on X without gradients; or None where X holds the scores (n, S) or predicted labels (n,).
    X : what is predicted from. y : true labels: names or codes (n,), or 0 and 1 a label (n, L).
    path : .parquet or .csv.
    ids : a name for every row; None = its number. columns : more columns, such as the texts.
    labels : names of the labels, in the order of the scores; None = the estimator's classes, or those of `y`.
    threshold : of scores without an estimator's own prediction; None = 0 for logits, 0.5 for probabilities.

    Returns
    -------
    Path : the file that was written.
    """
    target = checked_path(path)
    truth, found = as_array(y), outputs_of(estimator, X, y, labels)
    prediction = found.prediction
    if prediction is None:
        found, prediction = _decided(found, truth, threshold)
    table = predictions_table(
        found.labels,
        named_labels(truth, found.labels),
        named_labels(prediction, found.labels),
        found.scores,
        found.kind,
        ids=np.arange(1, len(prediction) + 1) if ids is None else ids,
        columns=columns,
    )
    return write_table(table, target, found.labels, found.model)


def _decided(found: Outputs, truth: np.ndarray, threshold: float | None) -> tuple[Outputs, np.ndarray]:
    """Return scores with the predictions that they mean."""
    assert found.scores is not None
    task = task_of(truth, len(found.labels))
    scale = scale_of(found.scores, many=task == "multilabel")
    decided = decide(found.scores, scale, task, threshold, found.labels)
    scores = decided.score if task == "binary" else found.scores
    return found._replace(scores=scores, kind=scale), without_unknown(decided)


def without_unknown(decided: Decided) -> np.ndarray:
    """Return predictions, -1 where a row lacks a score; a set of labels cannot say that and stays empty."""
    if decided.y_pred.ndim == 2:
        known: np.ndarray = decided.y_pred & decided.known[:, None]
        return known
    return np.where(decided.known, decided.y_pred, -1)


def predictions_table(
    labels: Sequence[str],
    truth: Sequence[str | None],
    prediction: Sequence[str | None],
    scores: np.ndarray | None,
    kind: str,
    *,
    ids: Any,
    columns: Mapping[str, Any] | None = None,
) -> pa.Table:
    """Return the table: id, the columns that were given, truth, prediction, and a score a label.

    kind : "logit", "probability" or "score": their columns are named after it and the label.

    Raises
    ------
    ValueError
        columns differ in length, or two have one name.
    """
    given = {str(name): pa.array(as_array(values).tolist()) for name, values in (columns or {}).items()}
    own: dict[str, Any] = {"id": pa.array([str(one) for one in as_array(ids).tolist()])}
    own |= {"truth": pa.array(truth, pa.string()), "prediction": pa.array(prediction, pa.string())}
    if scores is not None:
        scored = labels if scores.shape[1] == len(labels) else labels[1:]
        own |= {f"{kind}_{label}": pa.array(scores[:, place]) for place, label in enumerate(scored)}
    if clash := set(given) & {*own, *_OWN}:
        raise ValueError(f"The file has columns of its own with these names: rename {', '.join(sorted(clash))}.")
    own |= given
    if len({len(column) for column in own.values()}) > 1:
        lengths = ", ".join(f"{name} {len(column):,}" for name, column in own.items())
        raise ValueError(f"Every column must have a value for every row; there are {lengths}.")
    return pa.table(own)


def write_table(table: pa.Table, path: Path, labels: Sequence[str], model: str) -> Path:
    """Write a table as its path ends; a Parquet file keeps the label list and the model's name."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    if path.suffix == ".csv":
        pa_csv.write_csv(table, beside)
    else:
        about = {
            "identity": {"model": model}, "labels": list(labels), "data": {"rows": len(table)},
            "sample": {"rows": len(table), "how": "all"},
        }  # fmt: skip
        pq.write_table(table.replace_schema_metadata({_METADATA: json.dumps(about)}), beside, compression="zstd")
    beside.replace(path)  # whoever reads the folder meanwhile finds whole files
    return path


def checked_path(path: str | os.PathLike[str]) -> Path:
    """Return where a file can be written; ValueError unless it ends in .parquet or .csv, in a folder that exists."""
    found = Path(path)
    if found.suffix not in ENDINGS:
        raise ValueError(f"{found.name}: predictions are written as .parquet or .csv; name such a file.")
    if not found.parent.is_dir():
        raise ValueError(f"{found}: there is no folder {found.parent}; make it first.")
    return found


def named_labels(values: np.ndarray, labels: Sequence[str]) -> list[str | None]:
    """Return labels by name: of codes, of names, or of sets of 0 and 1 as a JSON list; None where there is none.

    Whole numbers are names where all of them are labels, else places in `labels`; below 0 they are no label.

    >>> named_labels(np.array([1, -100]), ["ham", "spam"]), named_labels(np.array([[1, 1]]), ["a", "b"])
    (['spam', None], ['["a", "b"]'])
    """
    if values.ndim == 2:
        return [
            json.dumps([labels[code] for code in np.flatnonzero(row).tolist()], ensure_ascii=False) for row in values
        ]
    if values.dtype.kind == "b":
        values = values.astype(np.int64)
    if values.dtype.kind not in "iu":
        return [None if one is None or one != one else str(one) for one in values.tolist()]
    seen = set(np.unique(values[values >= 0]).astype(str).tolist())
    if seen <= set(labels):
        return [str(one) if one >= 0 or str(one) in labels else None for one in values.tolist()]
    if values.max(initial=-1) >= len(labels):
        raise ValueError(f"A label is {values.max()}, but there are {len(labels)} names: {', '.join(labels[:6])}.")
    return [labels[one] if one >= 0 else None for one in values.tolist()]
