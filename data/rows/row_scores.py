"""Derive confidence, margin, loss and the highest labels of single rows from their scores."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from data.evaluation import MISSING, Evaluation
from data.rows.cells import take_cells

CONFIDENCE = -1
"""In place of a label code: the score of what was predicted, not that of one label."""
_SMALLEST = np.finfo(np.float64).eps
"""Probabilities are kept this far from 0 and 1 in a logarithm, as in `metrics.scores.probabilities`."""


def confidence_column(evaluation: Evaluation) -> str | None:
    """Return the column of numbers that only says how sure each prediction of several classes is; None without one."""
    if evaluation.y_score is not None or evaluation.weights is not None or evaluation.task != "multiclass":
        return None
    held = {field.name: field.type for field in evaluation.rows.schema}
    named = (role.column for role in evaluation.receipt.roles if role.role == "confidence" and role.column in held)
    return next((name for name in named if pa.types.is_floating(held[name]) or pa.types.is_integer(held[name])), None)


def _given_confidence(evaluation: Evaluation, rows: np.ndarray) -> np.ndarray | None:
    """Return the confidence that the file gives beside its predictions; NaN where it has none, or no prediction."""
    column = confidence_column(evaluation)
    if column is None:
        return None
    given = take_cells(evaluation.rows.column(column), rows).cast(pa.float64()).to_numpy()
    return np.where(evaluation.y_pred[rows] >= 0, given, np.nan)


def score_of(evaluation: Evaluation, code: int, rows: np.ndarray | None = None) -> np.ndarray:
    """Return the score of one label, float64 (len(rows),), on the scale of the evaluation; NaN where there is none.

    code : a label code, or `CONFIDENCE`. In a binary task the class that is not positive has 1 - score (a logit's
        sign turns; on a scale of their own scores have no other side: NaN). A label without a score column has NaN.
    rows : row positions; None = all rows.
    """
    n = evaluation.n_lines if rows is None else len(rows)
    if code == CONFIDENCE:
        sure = confidence(evaluation, np.arange(n) if rows is None else rows)
        return np.full(n, np.nan) if sure is None else sure
    if evaluation.y_score is None:
        return np.full(n, np.nan)
    if code in evaluation.score_codes:
        return _column(evaluation, evaluation.score_codes.index(code), rows)
    if _one_score(evaluation) and 0 <= code < evaluation.n_space:
        return _turn_score(evaluation, _column(evaluation, 0, rows))
    return np.full(n, np.nan)


def _column(evaluation: Evaluation, place: int, rows: np.ndarray | None) -> np.ndarray:
    assert evaluation.y_score is not None
    column: np.ndarray = evaluation.y_score[:, place]
    return column if rows is None else column[rows]


def _one_score(evaluation: Evaluation) -> bool:
    """Return whether the rows have one score for two classes."""
    return evaluation.task == "binary" and len(evaluation.score_codes) == 1


def _turn_score(evaluation: Evaluation, score: np.ndarray) -> np.ndarray:
    """Return the score of the other of two classes; NaN on a scale of its own, which says nothing of it."""
    if evaluation.scale == "score":
        return np.full_like(score, np.nan)
    return -score if evaluation.scale == "logit" else 1 - score


def _probability(evaluation: Evaluation, score: np.ndarray) -> np.ndarray:
    if evaluation.scale == "score":
        return np.full_like(score, np.nan)
    if evaluation.scale != "logit":
        return score
    return np.asarray(np.exp(-np.logaddexp(0.0, -score)))


def probability_of(evaluation: Evaluation, code: int, rows: np.ndarray | None = None) -> np.ndarray:
    """Turn `score_of` into a probability: the sigmoid of a logit, NaN on a scale of its own, else as it is."""
    return _probability(evaluation, score_of(evaluation, code, rows))


def confidence(evaluation: Evaluation, rows: np.ndarray) -> np.ndarray | None:
    """Return the score of what was predicted, per row; None without scores, NaN where there is none.

    Without scores of the classes, the column of the file that holds it, as it is written there.

    Binary with one score: the score of the predicted side (1 - score for the other class; a logit's
    sign turns; NaN for a label outside the two). One score a class: that of the predicted class.
    Multi-label, and one score on a scale of its own: None.
    """
    if evaluation.y_score is None:
        return _given_confidence(evaluation, rows)
    if evaluation.task == "multilabel":
        return None
    if _one_score(evaluation) and evaluation.scale == "score":
        return None
    pred = evaluation.y_pred[rows]
    if _one_score(evaluation):
        score = evaluation.y_score[rows, 0]
        sided = (pred >= 0) & (pred < evaluation.n_space)
        side = np.where(pred == evaluation.score_codes[0], score, _turn_score(evaluation, score))
        return np.where(sided, side, np.nan)
    return _pick_given(evaluation, pred, rows)


def order_by_confidence(evaluation: Evaluation, rows: np.ndarray) -> np.ndarray:
    """Return the places of rows, the surest first and those without a score last; as they stand without scores."""
    sure = confidence(evaluation, rows)
    return np.arange(len(rows)) if sure is None else np.argsort(-np.nan_to_num(sure, nan=-np.inf), kind="stable")


def _pick_given(evaluation: Evaluation, codes: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the score that each row gives to its own code; NaN where that code has no column."""
    assert evaluation.y_score is not None
    column = np.full(len(evaluation.labels) + 2, -1)  # the two spare places serve codes -1 and -2
    column[list(evaluation.score_codes)] = np.arange(len(evaluation.score_codes))
    places = column[codes]
    return np.where(places < 0, np.nan, evaluation.y_score[rows, places])


def margin(evaluation: Evaluation, rows: np.ndarray) -> np.ndarray | None:
    """Return the difference of the two highest scores of every row; None without scores.

    Binary with one score: the difference of the two classes' probabilities, |2p - 1| (of a logit x: tanh(|x| / 2));
    on a scale of its own, the distance to the threshold, and None where none was given.
    Multi-label: the smallest distance of a label's score to the threshold, because every label is a decision of its
    own. That threshold is 0.5, or 0 for logits, where the file's own predictions are used. NaN where a
    score is missing; multi-label: where all are.
    """
    if evaluation.y_score is None:
        return None
    no_cut = bool(np.isnan(evaluation.effective_threshold))
    if no_cut and (_one_score(evaluation) or evaluation.task == "multilabel"):
        return None
    if _one_score(evaluation):
        score = evaluation.y_score[rows, 0]
        if evaluation.scale == "score":
            return np.asarray(np.abs(score - evaluation.effective_threshold))
        return np.asarray(np.tanh(np.abs(score) / 2) if evaluation.scale == "logit" else np.abs(2 * score - 1))
    if evaluation.task == "multilabel":
        cut = evaluation.effective_threshold
        nearest = np.full(len(rows), np.nan)
        for place in range(len(evaluation.score_codes)):
            np.fmin(nearest, np.abs(_column(evaluation, place, rows) - cut), out=nearest)
        return nearest
    best, second = np.full(len(rows), -np.inf), np.full(len(rows), -np.inf)
    for place in range(len(evaluation.score_codes)):
        score = _column(evaluation, place, rows)
        np.maximum(second, np.minimum(best, score), out=second)  # a NaN stays
        np.maximum(best, score, out=best)
    return np.asarray(best - second)


def loss(evaluation: Evaluation, rows: np.ndarray) -> np.ndarray | None:
    """Compute -ln(probability given to the true label) per row, in nats; NaN where undefined.

    None without scores, and where they are on a scale of their own.

    Probabilities are kept away from 0 and 1 by 2.2e-16; a logit's logarithm is taken exactly. Undefined without a
    truth, without a score, and where the true label has no score column. Multi-label: the mean over the labels that
    have a score, each as one binary question.
    """
    if evaluation.y_score is None or evaluation.scale == "score":
        return None
    if evaluation.task == "multilabel":
        return _mean_loss(evaluation, rows)
    truth = evaluation.y_true[rows]
    if not _one_score(evaluation):
        return _surprise(_pick_given(evaluation, truth, rows))
    score = evaluation.y_score[rows, 0]
    known = (truth >= 0) & (truth < evaluation.n_space)
    return np.where(known, _binary_loss(evaluation, truth == evaluation.score_codes[0], score), np.nan)


def _mean_loss(evaluation: Evaluation, rows: np.ndarray) -> np.ndarray:
    total, n = np.zeros(len(rows)), np.zeros(len(rows))
    for place, code in enumerate(evaluation.score_codes):
        loss = _binary_loss(evaluation, evaluation.y_true[rows, code], _column(evaluation, place, rows))
        has = ~np.isnan(loss)
        total[has] += loss[has]
        n += has
    n[~has_truth(evaluation, rows)] = 0
    return np.asarray(np.divide(total, n, out=np.full(len(rows), np.nan), where=n > 0))


def has_truth(evaluation: Evaluation, rows: np.ndarray | None = None) -> np.ndarray:
    """Return whether the truth of rows is known, bool; None = all rows.

    A multi-label task cannot tell a missing truth from no label: of rows that are not scored, those with a label.
    """
    if evaluation.task != "multilabel":
        truth = evaluation.y_true if rows is None else evaluation.y_true[rows]
        return np.asarray(truth != MISSING)
    known: np.ndarray = evaluation.scored.copy() if rows is None else evaluation.scored[rows]
    unsure = np.flatnonzero(~known)
    known[unsure] = evaluation.y_true[unsure if rows is None else rows[unsure]].any(axis=1)
    return known


def _binary_loss(evaluation: Evaluation, is_true: np.ndarray, score: np.ndarray) -> np.ndarray:
    if evaluation.scale == "logit":
        return np.asarray(np.logaddexp(0.0, np.where(is_true, -score, score)))
    return _surprise(np.where(is_true, score, 1 - score))


def _surprise(probability: np.ndarray) -> np.ndarray:
    return np.asarray(-np.log(np.clip(probability, _SMALLEST, 1 - _SMALLEST)))


def top_scores(evaluation: Evaluation, row: int, k: int = 5) -> list[tuple[int, float]]:
    """Return the k highest scores of one row as (label code, score), highest first; a tie in label order.

    Binary with one score: both classes. Labels without a score (NaN, or no column) are left out; [] without scores.
    """
    if evaluation.y_score is None:
        return []
    codes = (0, 1) if _one_score(evaluation) else evaluation.score_codes
    here = np.array([row])
    scores = [(code, float(score_of(evaluation, code, here)[0])) for code in sorted(codes)]
    return sorted(((code, score) for code, score in scores if score == score), key=lambda pair: -pair[1])[:k]
