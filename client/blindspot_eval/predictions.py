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

from .arrays import as_array
from .estimators import outputs_of
from .outputs import SCORE, Outputs, decide_outputs

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
    target, outputs = checked_path(path), outputs_of(estimator, X, y, labels)
    if outputs.prediction is None:
        outputs = decide_outputs(outputs, threshold)
    table = predictions_table(outputs, ids=ids, columns=columns)
    return write_table(table, target, outputs)


def predictions_table(outputs: Outputs, *, ids: Any = None, columns: Mapping[str, Any] | None = None) -> pa.Table:
    """Return the table: id, truth, prediction, a score a label, and the columns that were given.

    Score columns are named after their kind and label.

    Raises
    ------
    ValueError
        columns differ in length, or two have one name.
    """
    given = {str(name): pa.array(as_array(values), from_pandas=True) for name, values in (columns or {}).items()}
    ids = np.arange(1, len(outputs.truth) + 1) if ids is None else as_array(ids)
    arrays: dict[str, Any] = {"id": pa.array([str(row_id) for row_id in ids.tolist()])}
    arrays |= {"truth": pa.array(outputs.truth, pa.string()), "prediction": pa.array(outputs.prediction, pa.string())}
    if outputs.scores is not None:
        arrays |= {f"{outputs.kind}_{label}": pa.array(outputs.scores[:, n]) for n, label in enumerate(outputs.scored)}
    if clash := set(given) & {*arrays, *_OWN}:
        raise ValueError(f"The file has columns of its own with these names: rename {', '.join(sorted(clash))}.")
    arrays |= given
    if len({len(column) for column in arrays.values()}) > 1:
        lengths = ", ".join(f"{name} {len(column):,}" for name, column in arrays.items())
        raise ValueError(f"Every column must have a value for every row; there are {lengths}.")
    return pa.table(arrays)


def write_table(table: pa.Table, path: Path, outputs: Outputs) -> Path:
    """Write a table as its path ends; a Parquet file keeps label list, scale and the model's name."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    if path.suffix == ".csv":
        pa_csv.write_csv(table, beside)
    else:
        about: dict[str, Any] = {
            "identity": {"model": outputs.model}, "labels": list(outputs.labels), "data": {"rows": len(table)},
            "sample": {"rows": len(table), "how": "all"},
        }  # fmt: skip
        if outputs.scores is not None and outputs.kind == SCORE:  # by its values alone it would be taken as logits
            about["scale"] = SCORE
        pq.write_table(table.replace_schema_metadata({_METADATA: json.dumps(about)}), beside, compression="zstd")
    beside.replace(path)  # whoever reads the folder meanwhile finds whole files
    return path


def checked_path(path: str | os.PathLike[str]) -> Path:
    """Return where a file can be written; ValueError unless it ends in .parquet or .csv, in a folder that exists."""
    target = Path(path)
    if target.suffix not in ENDINGS:
        raise ValueError(f"{target.name}: predictions are written as .parquet or .csv; name such a file.")
    if not target.parent.is_dir():
        raise ValueError(f"{target}: there is no folder {target.parent}; make it first.")
    return target
