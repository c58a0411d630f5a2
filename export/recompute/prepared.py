"""Write what the metrics are computed from as one Parquet file: truth, prediction and scores of every scored row."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from data.columns.table_metadata import rows_left_out
from data.evaluation import Evaluation
from data.rows.exports import distinct_names
from data.rows.row_files import SMALL
from data.rows.row_table import row_numbers
from export.evaluation.family_result import name_families
from metrics.catalogue.metric import Metric
from metrics.catalogue.registry import ROWS

NAME, SCRIPT = "prepared.parquet", "recompute.py"
_SCORED = ("score counts", "scores per class", "class scores", "calibration", "probabilities")
_NUMBERS = "# NUMBERS: `prepared.py` writes the expression of every metric of a file here"
_BYTES_OF_ID = 32


def is_small(evaluation: Evaluation) -> bool:
    """Return whether the file takes so little memory that no process of its own is needed."""
    width = 2 * len(evaluation.labels) if evaluation.task == "multilabel" else _BYTES_OF_ID
    return evaluation.n_lines * (width + _BYTES_OF_ID + 8 * len(evaluation.score_codes)) <= SMALL


def has_prepared(evaluation: Evaluation) -> bool:
    """Return whether there is such a file: not where rows were left out that only whole rows could stand for."""
    return not rows_left_out(evaluation) or evaluation.task != "multilabel"


def prepared_table(evaluation: Evaluation) -> pa.Table:
    """Return y_true, y_pred (null: unparseable), y_score, ids and weights of the scored rows.

    Where rows have weights, "weight" is that of the line, and "rows" says how many rows it stands for.

    Several labels a row are a 0/1 column for each label; several scores a column for each class. Of a share without
    rows, the counts that it shows: how many rows have a truth, a prediction and, where there is one score, a score.
    """
    labels = distinct_names(evaluation.labels)
    rows = np.flatnonzero(evaluation.scored)
    shown = not rows_left_out(evaluation)
    columns: dict[str, Any] = {"row": pa.array(row_numbers(evaluation, rows))} if shown else {}
    key = evaluation.settings.id
    if shown and key is not None and key in evaluation.rows.column_names:
        columns["id"] = evaluation.rows.column(key).take(pa.array(rows))
    sides = {"y_true": evaluation.y_true} | ({"y_pred": evaluation.y_pred} if evaluation.has_predictions else {})
    for name, codes in sides.items():
        columns |= _labels(name, codes[rows], labels)
    scores = _score_columns(evaluation, labels) if shown or len(evaluation.score_codes) == 1 else {}
    for place, name in enumerate(scores.values()):
        assert evaluation.y_score is not None
        columns[name] = pa.array(evaluation.y_score[rows, place])
    if evaluation.weights is not None:
        columns["weight"] = pa.array(evaluation.weights[rows])
    if evaluation.units is not None:
        columns["weight"] = pa.array(evaluation.units[rows] * evaluation.unit)
        columns["rows"] = pa.array(evaluation.rows_per_line[rows])
    table = pa.table(columns) if shown else _count_lines(pa.table(columns))
    about = json.dumps(_about(evaluation, labels, scores))
    return table.replace_schema_metadata({b"blindspot": about.encode("ascii")})


def _labels(name: str, codes: np.ndarray, labels: list[str]) -> dict[str, Any]:
    if codes.ndim == 2:
        return {f"{name}: {label}": pa.array(codes[:, code]) for code, label in enumerate(labels)}
    return {name: pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32(), mask=codes < 0), pa.array(labels))}


def _score_columns(evaluation: Evaluation, labels: list[str]) -> dict[int, str]:
    """Return the column of each score by the code of its label."""
    codes = evaluation.score_codes if evaluation.y_score is not None else ()
    return {code: "y_score" if len(codes) == 1 else f"y_score: {labels[code]}" for code in codes}


def _count_lines(table: pa.Table) -> pa.Table:
    """Return how often each line occurs, in an order that says nothing."""
    if "weight" not in table.column_names:
        table = table.append_column("weight", pa.array(np.ones(len(table), np.int64)))
    sums = [name for name in ("weight", "rows") if name in table.column_names]
    if "rows" in sums:  # rows of different weights stay apart
        table = table.append_column("each", pc.divide(table["weight"], table["rows"]))
    names = [name for name in table.column_names if name not in sums]
    plain = table.cast(pa.schema([(f.name, pa.string() if pa.types.is_dictionary(f.type) else f.type)
                                  for f in table.schema]))  # fmt: skip
    counted = plain.group_by(names).aggregate([(name, "sum") for name in sums])
    return (
        counted.sort_by([(name, "ascending") for name in names])
        .rename_columns([*names, *sums])
        .drop_columns([name for name in names if name == "each"])
    )


def _about(evaluation: Evaluation, labels: list[str], scores: Mapping[int, str]) -> dict[str, Any]:
    """Return what the columns do not say."""
    cut = evaluation.effective_threshold
    return {
        "task": evaluation.task,
        "many": evaluation.task == "multilabel",
        "labels": labels,
        "n_space": evaluation.n_space,
        "listed": evaluation.listed,
        "ranks": evaluation.ranks,
        "paths": evaluation.paths,
        "families": name_families(evaluation),
        "positive": evaluation.positive,
        "has_predictions": evaluation.has_predictions,
        "score_columns": scores,
        "scale": evaluation.scale,
        "threshold": evaluation.threshold,
        "cut": None if math.isnan(cut) else cut,
    }


def prepared_file(evaluation: Evaluation) -> bytes:
    """Return the file, the same bytes for the same rows."""
    buffer = io.BytesIO()
    pq.write_table(prepared_table(evaluation), buffer, compression="zstd")
    return buffer.getvalue()


def recomputed_metrics(evaluation: Evaluation) -> list[Metric]:
    """Return the metrics that the file holds everything for, in the order of the registry."""
    e = evaluation
    has_scores = e.y_score is not None and (len(e.score_codes) == 1 or not rows_left_out(e))
    fits = [row for row in ROWS if e.task in row.tasks and row.fits_labels(e.ranks, e.paths)]
    fits = [row for row in fits if len(e.score_codes) >= row.min_classes]
    return [row for row in fits if (has_scores if row.eats in _SCORED else e.has_predictions)]


def script(evaluation: Evaluation) -> bytes:
    """Return the script that computes every number from the file, with the expression of each metric of the file."""
    lines = []
    if evaluation.positive in evaluation.score_codes:
        lines.append("is_true, score, weight = scores_of(p, p.positive)")
    for row in recomputed_metrics(evaluation):
        if _is_overall(row, evaluation):
            lines.append(f"numbers[{row.key!a}] = {row.scikit_learn}")
    return template().replace(_NUMBERS, "\n    ".join(lines)).encode("ascii")


def _is_overall(row: Metric, evaluation: Evaluation) -> bool:
    """Return whether a metric is one number of the file: not of one class, unless of the positive class's score."""
    has_positive_score = evaluation.positive in evaluation.score_codes
    if row.eats == "score counts":
        return has_positive_score
    if row.eats in ("scores per class", "class scores"):
        return not has_positive_score
    return row.eats != "confusion counts, one class"


def template() -> str:
    """Return the script without the expressions of the metrics."""
    return Path(__file__).with_name(SCRIPT).read_text(encoding="ascii")
