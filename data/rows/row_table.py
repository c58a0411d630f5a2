"""Rows as a table to read or download, and one row in full."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.answers.outcomes import text_of
from data.answers.parsing import OUTCOMES
from data.columns.plain_names import free_name
from data.evaluation import MISSING, UNPARSEABLE, Evaluation
from data.rows.exports import whole_characters
from data.rows.row_scores import confidence, loss, margin

if TYPE_CHECKING:
    import pandas as pd

UNPARSED = "(no label found)"
"""A prediction where no label was found in the answer, in a list of rows and in a file; read as such again."""


def row_numbers(evaluation: Evaluation, rows: np.ndarray) -> np.ndarray:
    """Return the row of the file, counted from 1, of every row here: int64 (len(rows),)."""
    return np.asarray((rows if evaluation.row_numbers is None else evaluation.row_numbers[rows]) + 1)


def find_rows_by_number(evaluation: Evaluation, numbers: np.ndarray) -> np.ndarray:
    """Return the positions of rows by their number in the file (from 1), ascending; skip those not here."""
    wanted = np.unique(np.asarray(numbers, dtype=np.int64)) - 1
    if evaluation.row_numbers is None:
        return wanted[(wanted >= 0) & (wanted < evaluation.n_lines)]
    return np.flatnonzero(np.isin(evaluation.row_numbers, wanted))


def build_rows_table(evaluation: Evaluation, rows: np.ndarray, notes: Mapping[int, str] | None = None) -> pa.Table:
    """Return the rows as a table: row number (from 1, as in the file), truth, prediction, confidence, every column.

    In a file of counts a row of the table is a line of the file; "rows" says how many rows it stands for. Truth and
    prediction are what the metrics used; a column of the file with the same name follows unchanged. Repeated texts are
    codes.

    notes : marked row positions with their notes; given, the columns "marked" and "note" follow the row number.
    """
    columns: dict[str, Any] = {"row": pa.array(row_numbers(evaluation, rows))}
    if notes is not None:
        columns["marked"] = pa.array([row in notes for row in rows.tolist()], pa.bool_())
        noted = (notes.get(row) for row in rows.tolist())
        columns["note"] = pa.array([note and whole_characters(note) for note in noted], pa.string())
    columns["true label"] = _labels(evaluation, evaluation.y_true, rows)
    columns["predicted label"] = _labels(evaluation, evaluation.y_pred, rows)
    if evaluation.weights is not None:
        columns["rows"] = pa.array(evaluation.weights[rows])
    sure = confidence(evaluation, rows) if evaluation.y_score is not None else None  # else it is a column of the file
    if sure is not None:
        columns["confidence"] = pa.array(sure, from_pandas=True)
    taken = evaluation.rows.take(pa.array(rows))
    for name, column in zip(evaluation.rows.column_names, taken.columns, strict=True):
        nan = pc.is_nan(column) if pa.types.is_floating(column.type) else None
        columns[free_name(name, columns, " (file)")] = column if nan is None else pc.if_else(nan, None, column)
    return pa.table(columns)


def _labels(evaluation: Evaluation, codes: np.ndarray, rows: np.ndarray) -> pa.Array:
    if evaluation.task == "multilabel":
        return pa.array([whole_characters(names or "") for names in label_names(evaluation, codes, rows)], pa.string())
    k = len(evaluation.labels)
    chosen = codes[rows].astype(np.int32)
    places = np.where(chosen == UNPARSEABLE, k, chosen).astype(np.int32)
    return pa.DictionaryArray.from_arrays(
        pa.array(places, mask=chosen == MISSING),
        pa.array([*map(whole_characters, evaluation.labels), UNPARSED], pa.string()),
    )


def build_rows_frame(evaluation: Evaluation, rows: np.ndarray, notes: Mapping[int, str] | None = None) -> pd.DataFrame:
    """Return `build_rows_table` as a frame, texts written out."""
    table = build_rows_table(evaluation, rows, notes)
    plain = [c.cast(c.type.value_type) if pa.types.is_dictionary(c.type) else c for c in table.columns]
    # whole numbers beside an empty cell stay whole: as floats, long ids would lose digits
    return pa.table(plain, table.column_names).to_pandas(integer_object_nulls=True)


def label_names(evaluation: Evaluation, codes: np.ndarray, rows: np.ndarray) -> list[str | None]:
    """Write truths (`y_true`) or predictions (`y_pred`) of rows in words; None = missing, " | " between several."""
    if evaluation.task == "multilabel":
        return [" | ".join(evaluation.labels[i] for i in np.flatnonzero(row)) for row in codes[rows]]
    special = {MISSING: None, UNPARSEABLE: UNPARSED}
    return [special[c] if c < 0 else evaluation.labels[c] for c in codes[rows].tolist()]


class RowDetails(TypedDict):
    """Everything about one row.

    row : its number in the file, from 1. rows : how many rows the line stands for (None = it is one row).
    true, pred : label codes; single label: one, or none where it is missing or unparseable.
    truth, predicted : the same in words; None = missing.
    scored : whether the metrics count it. right : None where it is not scored.
    confidence, margin, loss : see `data.rows.row_scores`; None without scores, NaN where undefined.
    answer, outcome : the raw answer and what became of it; None where predictions were not read from answers.
    columns : every column of the file with its cell, in file order.
    """

    row: int
    rows: int | None
    true: tuple[int, ...]
    pred: tuple[int, ...]
    truth: str | None
    predicted: str | None
    scored: bool
    right: bool | None
    confidence: float | None
    margin: float | None
    loss: float | None
    answer: str | None
    outcome: str | None
    columns: dict[str, Any]


def read_row_details(evaluation: Evaluation, row: int) -> RowDetails:
    """Return one row in full, by its position.

    >>> from data.building.build import build
    >>> from data.evaluation import Settings
    >>> table = pa.table({"y": ["ham", "spam"], "y_pred": ["ham", "ham"], "text": ["hello", "BUY"]})
    >>> found = read_row_details(build(table, Settings(truth="y", pred="y_pred"), name="d", content_sha256="0"), 1)
    >>> found["row"], found["truth"], found["predicted"], found["right"], found["columns"]["text"]
    (2, 'spam', 'ham', False, 'BUY')
    """
    here = np.array([row])
    scored = bool(evaluation.scored[row])
    true, pred = evaluation.y_true[row], evaluation.y_pred[row]
    answer, outcome = _answer(evaluation, row)
    return {
        "row": int(row_numbers(evaluation, here)[0]),
        "rows": None if evaluation.weights is None else int(evaluation.weights[row]),
        "true": _codes(true),
        "pred": _codes(pred),
        "truth": label_names(evaluation, evaluation.y_true, here)[0],
        "predicted": label_names(evaluation, evaluation.y_pred, here)[0],
        "scored": scored,
        "right": bool(np.array_equal(true, pred)) if scored else None,
        "confidence": _one(None if evaluation.y_score is None else confidence(evaluation, here)),
        "margin": _one(margin(evaluation, here)),
        "loss": _one(loss(evaluation, here)),
        "answer": answer,
        "outcome": outcome,
        "columns": {name: evaluation.rows.column(name)[row].as_py() for name in evaluation.rows.column_names},
    }


def _codes(labels: np.ndarray) -> tuple[int, ...]:
    codes = np.flatnonzero(labels) if labels.dtype == np.bool_ else labels.reshape(1)
    return tuple(code for code in codes.tolist() if code >= 0)


def _one(values: np.ndarray | None) -> float | None:
    return None if values is None else float(values[0])


def _answer(evaluation: Evaluation, row: int) -> tuple[str | None, str | None]:
    answers = evaluation.answers
    if answers is None:
        return None, None
    code = int(answers.codes[row])
    return ("", "empty") if code == MISSING else (text_of(evaluation, code), OUTCOMES[int(answers.outcomes[code])])
