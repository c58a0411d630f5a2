"""Select the rows behind a number, and those of them that contain a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.columns.column import holds_text
from data.evaluation import UNPARSEABLE, Evaluation
from data.rows.exports import safe_csv as safe_csv
from data.rows.row_scores import CONFIDENCE as CONFIDENCE, confidence as confidence, has_truth, score_of

Only = Literal["all", "scored", "errors", "correct", "unparseable", "missing", "tp", "fp", "fn", "tn", "swap"]
OUTCOMES = ("tp", "fp", "fn", "tn", "swap")


class ScoreRange(NamedTuple):
    """Rows with low <= score < high; the score is that of label `code`, or the prediction's (`CONFIDENCE`).

    A row without that score is in no range. To hold the highest score too, `high` must lie above it, such as
    `math.nextafter(highest, math.inf)`; inf is no bound at all and holds infinite scores as well.
    """

    code: int
    low: float
    high: float


@dataclass(frozen=True)
class Which:
    """A choice of the rows behind a number; hashable, so that what was found can be kept.

    true, pred : label codes, any of them; empty = every row. `pred` may hold UNPARSEABLE.
        Multi-label: rows that carry one of the labels.
    others : the truth is known and none of `true` instead (of no label: every row).
    only : "scored" = rows that the metrics count; "errors" and "correct" among those; "unparseable" answers; rows
        with a "missing" truth or prediction. "tp", "fp", "fn", "tn" need exactly one label in `true`, whose rows
        against the rest they are; `others` does not matter then. "swap": those that miss it and are wrongly predicted
        as the one label in `pred`.
    score : rows whose score lies in a range.
    text : rows where some text column contains it.
    """

    true: tuple[int, ...] = ()
    pred: tuple[int, ...] = ()
    others: bool = False
    only: Only = "all"
    score: ScoreRange | None = None
    text: str = ""


def find_rows(evaluation: Evaluation, which: Which) -> np.ndarray:
    """Return the rows behind a number, as positions in file order: int64 (m,), ascending.

    Codes of labels that do not exist select nothing.

    Raises
    ------
    ValueError
        an outcome ("tp", …) of none, or of several labels.

    >>> from data.building.build import build
    >>> from data.evaluation import Settings
    >>> table = pa.table({"y": ["a", "b", "c", "b"], "y_pred": ["a", "a", "c", "b"]})
    >>> found = build(table, Settings(truth="y", pred="y_pred"), name="demo", content_sha256="0")
    >>> find_rows(found, Which(true=(1, 2), only="correct")).tolist(), find_rows(found, Which(true=(1,), pred=(0,)))
    ([2, 3], array([1]))
    """
    masks = _masks(evaluation, which)
    rows = np.flatnonzero(np.logical_and.reduce(masks)) if masks else np.arange(evaluation.n_lines)
    if which.score is not None:
        # a range of all rows spares itself the copy
        score = score_of(evaluation, which.score.code, rows if masks else None)
        high = which.score.high
        rows = rows[(score >= which.score.low) & (score <= high if high == np.inf else score < high)]
    return search_rows(evaluation, rows, which.text)


def _masks(evaluation: Evaluation, which: Which) -> list[np.ndarray]:
    """Return bool (n,) for everything that is asked of truth, prediction and outcome; none if nothing is."""
    if which.only in OUTCOMES:
        if len(which.true) != 1:
            raise ValueError(f"'{which.only}' is about one label: give its code, and only that, as true")
        if which.only == "swap":
            if len(which.pred) != 1:
                raise ValueError("'swap' is about two labels: give the code of the predicted one as pred")
            return [_outcome(evaluation, *which.true, "fn"), _outcome(evaluation, *which.pred, "fp")]
        masks = [_outcome(evaluation, which.true[0], which.only)]
    else:
        masks = [] if which.only == "all" else [_kind(evaluation, which.only)]
        if which.true:
            carries = _carry_labels(evaluation, evaluation.y_true, which.true)
            masks += [~carries, has_truth(evaluation)] if which.others else [carries]
    return masks + ([_carry_labels(evaluation, evaluation.y_pred, which.pred)] if which.pred else [])


def _carry_labels(evaluation: Evaluation, labels: np.ndarray, codes: Sequence[int]) -> np.ndarray:
    """Return whether truth or prediction of a row is, or holds, one of the labels: bool (n,)."""
    k = len(evaluation.labels)
    if evaluation.task == "multilabel":
        held = np.zeros(evaluation.n_lines, dtype=bool)
        for code in {code for code in codes if 0 <= code < k}:
            held |= labels[:, code]
        return held
    known = [code for code in codes if UNPARSEABLE <= code < k]
    if len(known) == 1:  # a cell of the matrix: a twentieth of the time
        return np.asarray(labels == known[0])
    return np.isin(labels, known)


def _outcome(evaluation: Evaluation, code: int, outcome: str) -> np.ndarray:
    """Return the rows with one outcome of one label against the rest."""
    is_true = _carry_labels(evaluation, evaluation.y_true, (code,))
    is_pred = _carry_labels(evaluation, evaluation.y_pred, (code,))
    wanted_true, wanted_pred = outcome in ("tp", "fn"), outcome in ("tp", "fp")
    return np.asarray(evaluation.scored & (is_true == wanted_true) & (is_pred == wanted_pred))


def _kind(evaluation: Evaluation, only: Only) -> np.ndarray:
    if only == "scored":
        return evaluation.scored
    if only == "missing":
        return ~evaluation.scored
    if only == "unparseable":
        many = evaluation.task == "multilabel"
        return np.zeros(evaluation.n_lines, bool) if many else evaluation.scored & (evaluation.y_pred == UNPARSEABLE)
    if not evaluation.has_predictions:
        return np.zeros(evaluation.n_lines, dtype=bool)
    right = is_right(evaluation)
    return np.asarray(evaluation.scored & (right if only == "correct" else ~right))


def is_right(evaluation: Evaluation, rows: np.ndarray | None = None) -> np.ndarray:
    """Return whether prediction and truth are equal in every label, bool; scored or not. None = all rows."""
    true, pred = evaluation.y_true, evaluation.y_pred
    if rows is not None:
        true, pred = true[rows], pred[rows]
    if evaluation.task != "multilabel":
        return np.asarray(true == pred)
    right = np.ones(len(true), dtype=bool)
    for column in (true == pred).T:  # half the time of .all(axis=1), whose loops are as short as a row
        right &= column
    return right


def search_rows(evaluation: Evaluation, rows: np.ndarray, text: str) -> np.ndarray:
    """Find the rows where some text column contains `text` (as written, whatever the case)."""
    if not text:
        return rows
    hit = np.zeros(len(rows), dtype=bool)
    for column in evaluation.rows.itercolumns():
        if holds_text(column.type):
            taken = column.take(pa.array(rows))
            hit |= np.concatenate([_contains(chunk, text) for chunk in taken.chunks] or [hit])
    return rows[hit]


def _contains(chunk: pa.Array, text: str) -> np.ndarray:
    """Return whether each cell contains the text, bool (n,); a text that many rows repeat is looked at once."""
    coded = pa.types.is_dictionary(chunk.type)
    matched = pc.match_substring(chunk.dictionary if coded else chunk, text, ignore_case=True)
    held: np.ndarray = pc.fill_null(matched, False).to_numpy(zero_copy_only=False)
    if not coded:
        return held
    codes = chunk.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return np.asarray(np.append(held, False)[codes])  # the last place: no text
