"""The rows behind a number: which they are, in which order, and as a table to read or download."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from data.evaluation import MISSING, UNPARSEABLE, Evaluation

Only = Literal["all", "errors", "correct", "unparseable", "missing", "tp", "fp", "fn", "tn"]
CONFIDENCE = -1
"""In place of a label code: the score of what was predicted, not that of one label."""


class ScoreRange(NamedTuple):
    """Rows with low <= score < high; the score is that of label `code`, or the prediction's (`CONFIDENCE`)."""

    code: int
    low: float
    high: float


@dataclass(frozen=True)
class Which:
    """Which rows are behind a number; hashable, so that what was found can be kept.

    true, pred : label codes, any of them; empty = every row. `pred` may hold UNPARSEABLE.
        Multi-label: rows that carry one of the labels.
    others : the truth is none of `true` instead.
    only : as `select_rows`; "tp", "fp", "fn", "tn" need exactly one label in `true`.
    score : rows whose score lies in a range.
    text : rows where some text column contains it.
    """

    true: tuple[int, ...] = ()
    pred: tuple[int, ...] = ()
    others: bool = False
    only: Only = "all"
    score: ScoreRange | None = None
    text: str = ""


def select_rows(
    evaluation: Evaluation, *, true: int | None = None, pred: int | None = None, only: Only = "all"
) -> np.ndarray:
    """Row numbers (from 0, in file order) behind a cell, a class or an outcome.

    Parameters
    ----------
    true, pred : label codes, or None for any. In a multi-label task they select rows that carry the
        label in truth, or in the prediction.
    only : "errors" and "correct" among the scored rows, "unparseable" answers, or rows with a "missing"
        truth or prediction. "tp", "fp", "fn", "tn" need `true` and look at that label against the rest.
    """
    if only in ("tp", "fp", "fn", "tn"):
        if true is None:
            raise ValueError(f"'{only}' is about one label: give its code as true")
        return np.flatnonzero(_outcome(evaluation, true, only))
    chosen = _kind(evaluation, only)
    for code, codes in ((true, evaluation.y_true), (pred, evaluation.y_pred)):
        if code is not None:
            chosen = chosen & (codes[:, code] if evaluation.task == "multilabel" else codes == code)
    return np.flatnonzero(chosen)


def _outcome(evaluation: Evaluation, code: int, outcome: str) -> np.ndarray:
    """Rows with one outcome of one label against the rest."""
    many = evaluation.task == "multilabel"
    is_true = evaluation.y_true[:, code] if many else evaluation.y_true == code
    is_pred = evaluation.y_pred[:, code] if many else evaluation.y_pred == code
    wanted_true, wanted_pred = {"tp": (1, 1), "fp": (0, 1), "fn": (1, 0), "tn": (0, 0)}[outcome]
    hit: np.ndarray = evaluation.scored & (is_true == bool(wanted_true)) & (is_pred == bool(wanted_pred))
    return hit


def _kind(evaluation: Evaluation, only: Only) -> np.ndarray:
    if only == "all":
        return np.ones(evaluation.n_lines, dtype=bool)
    if only == "missing":
        return ~evaluation.scored
    if only == "unparseable":
        many = evaluation.task == "multilabel"
        return np.zeros(evaluation.n_lines, bool) if many else evaluation.scored & (evaluation.y_pred == UNPARSEABLE)
    equal = evaluation.y_true == evaluation.y_pred
    right = equal.all(axis=1) if evaluation.task == "multilabel" else equal
    chosen: np.ndarray = evaluation.scored & (right if only == "correct" else ~right)
    return chosen


def confidence(evaluation: Evaluation, rows: np.ndarray) -> np.ndarray | None:
    """The score of what was predicted, per row; None without scores, NaN where there is none.

    Binary with one score: the score of the predicted side (1 - score for the other class; a logit's
    sign turns; NaN for a label outside the two). One score a class: that of the predicted class.
    Multi-label: None.
    """
    if evaluation.y_score is None or evaluation.task == "multilabel":
        return None
    pred = evaluation.y_pred[rows]
    if evaluation.task == "binary" and len(evaluation.score_codes) == 1:
        score = evaluation.y_score[rows, 0]
        other = -score if evaluation.scale == "logit" else 1 - score
        sided = (pred >= 0) & (pred < evaluation.n_space)
        return np.where(sided, np.where(pred == evaluation.score_codes[0], score, other), np.nan)
    column = np.full(len(evaluation.labels) + 2, -1)  # the two spare places serve codes -1 and -2
    column[list(evaluation.score_codes)] = np.arange(len(evaluation.score_codes))
    at = column[pred]
    return np.where(at < 0, np.nan, evaluation.y_score[rows, at])


def most_confident_first(evaluation: Evaluation, rows: np.ndarray) -> np.ndarray:
    """The same rows, most confident first (mistakes made with confidence teach the most).

    Without scores the file's order stays. Multi-label: rows with the most wrong labels first.
    """
    if evaluation.task == "multilabel":
        wrong = (evaluation.y_true[rows] != evaluation.y_pred[rows]).sum(axis=1)
        return rows[np.argsort(-wrong, kind="stable")]
    sure = confidence(evaluation, rows)
    return rows if sure is None else rows[np.argsort(np.where(np.isnan(sure), np.inf, -sure), kind="stable")]


def mistakes_first(evaluation: Evaluation, rows: np.ndarray) -> np.ndarray:
    """The same rows, wrong ones before right ones before those that are not scored; the order within stays."""
    equal = evaluation.y_true[rows] == evaluation.y_pred[rows]
    right = equal.all(axis=1) if evaluation.task == "multilabel" else equal
    return rows[np.argsort(np.where(evaluation.scored[rows], right, 2), kind="stable")]


def search_rows(evaluation: Evaluation, rows: np.ndarray, text: str) -> np.ndarray:
    """The rows where some text column contains `text` (as written, whatever the case)."""
    if not text:
        return rows
    hit = np.zeros(len(rows), dtype=bool)
    for column in evaluation.rows.itercolumns():
        taken = column.take(pa.array(rows))
        if pa.types.is_dictionary(taken.type):
            taken = taken.cast(taken.type.value_type)
        if pa.types.is_string(taken.type) or pa.types.is_large_string(taken.type):
            found = pc.match_substring(taken, text, ignore_case=True)
            hit |= pc.fill_null(found, False).to_numpy(zero_copy_only=False)
    return rows[hit]


def rows_frame(evaluation: Evaluation, rows: np.ndarray) -> pd.DataFrame:
    """The rows as a table: row number (from 1, as in the file), truth, prediction, confidence, every column.

    In a file of counts a row of the table is a line of the file, and "rows" says how many rows it stands for.
    Truth and prediction are what the metrics used; a column of the file with the same name follows unchanged.
    """
    numbers = rows if evaluation.row_numbers is None else evaluation.row_numbers[rows]
    frame = pd.DataFrame({"row": numbers + 1})
    frame["true label"] = _names(evaluation, evaluation.y_true, rows)
    frame["predicted label"] = _names(evaluation, evaluation.y_pred, rows)
    if evaluation.weights is not None:
        frame["rows"] = evaluation.weights[rows]
    sure = confidence(evaluation, rows)
    if sure is not None:
        frame["confidence"] = sure
    taken = evaluation.rows.take(pa.array(rows))
    for name, column in zip(evaluation.rows.column_names, taken.columns, strict=True):
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        while name in frame.columns:
            name += " (file)"
        # whole numbers beside an empty cell stay whole: as floats, long ids would lose digits
        frame[name] = column.to_pandas(integer_object_nulls=True)
    return frame


def _names(evaluation: Evaluation, codes: np.ndarray, rows: np.ndarray) -> list[str | None]:
    if evaluation.task == "multilabel":
        return [" | ".join(evaluation.labels[i] for i in np.flatnonzero(row)) for row in codes[rows]]
    special = {MISSING: None, UNPARSEABLE: "(unparseable)"}
    return [special[c] if c < 0 else evaluation.labels[c] for c in codes[rows].tolist()]


_FORMULA = re.compile(r"^[=+\-@\t\r\n]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


def formula_safe(value: object) -> object:
    """Text that a spreadsheet would run as a formula gets an apostrophe in front; all else is unchanged.

    >>> formula_safe("=1+1"), formula_safe("-2.5"), formula_safe("refund")
    ("'=1+1", '-2.5', 'refund')
    """
    if isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value):
        return "'" + value
    return value


def safe_csv(frame: pd.DataFrame) -> bytes:
    """A frame as UTF-8 CSV whose text cells and headers no spreadsheet runs as a formula.

    >>> import pandas as pd
    >>> safe_csv(pd.DataFrame({"=a": ["@b", "c"]})).decode().splitlines()
    ["'=a", "'@b", 'c']
    """
    safe = pd.DataFrame({place: _disarmed(frame.iloc[:, place]) for place in range(frame.shape[1])})
    safe.columns = pd.Index([formula_safe(str(name)) for name in frame.columns])
    buffer = io.StringIO()
    # as RFC 4180 ends lines; with "\n" alone, a cell's carriage return would stay unquoted and begin a row
    safe.to_csv(buffer, index=False, lineterminator="\r\n")
    return buffer.getvalue().encode("utf-8", "replace")


def _disarmed(column: pd.Series) -> pd.Series:
    if pd.api.types.is_numeric_dtype(column):
        return column
    # as objects, so that pandas guesses no type again: whole numbers beside an empty cell would become fractions
    return pd.Series([formula_safe(value) for value in column], index=column.index, dtype=object)
