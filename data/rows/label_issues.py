"""Likely label errors: rows whose label the model's own scores speak against, by confident learning.

Source: Northcutt, Jiang & Chuang 2021, "Confident Learning: Estimating Uncertainty in Dataset Labels", Journal of
Artificial Intelligence Research 70. The threshold of a class is the mean of its score over the rows that carry its
label (mean self-confidence). A row is counted in the confident joint under its label and the class with the highest
score among those that reach their threshold. Off the diagonal of that table stand the likely errors, ranked by
self-confidence, the score of the label that is written. It supposes scores from a model that has not been trained
on these rows.

As in the authors' own library (cleanlab), 1e-6 of a threshold is forgiven to rounding. A row whose label has the
highest score of all is not listed: there is nothing that the model would rather have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from data.evaluation import MISSING, Evaluation
from data.rows.row_scores import has_truth, probability_of

ABOUT = (
    "Rows whose label the model doubts most (confident learning, Northcutt, Jiang & Chuang 2021): something to check, "
    "not proof. It supposes a model that was not trained on these rows."
)
ROUNDING = 1e-6
_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class LabelIssues:
    """Likely label errors, the likeliest first: m of them.

    Attributes
    ----------
    rows : int64 (m,), row positions. Single label: every row once; multi-label: once for each doubted label.
    given : int32 (m,), code of the label that is written. Multi-label: of the label that is perhaps one too many, or
        MISSING where the doubt is that one is missing.
    suggested : int32 (m,), code of the label that the scores speak for. Multi-label: of the label that is perhaps
        missing, or MISSING.
    self_confidence : float64 (m,), ascending: the score of what is written, as a probability.
    margin : float64 (m,), the same minus the highest score of anything else (normalised margin): -1 to 0.
    n_looked : rows with a truth and the scores that it takes; n_left_out : all others.
    """

    rows: np.ndarray
    given: np.ndarray
    suggested: np.ndarray
    self_confidence: np.ndarray
    margin: np.ndarray
    n_looked: int
    n_left_out: int


class Confident(NamedTuple):
    """The result of confident learning on n labels and scores of S classes.

    places : int64 (m,), rows off the diagonal, ascending, whose label has not the highest score.
    suggested : int64 (m,), the class that they are counted under.
    self_confidence, margin : float64 (m,).
    """

    places: np.ndarray
    suggested: np.ndarray
    self_confidence: np.ndarray
    margin: np.ndarray


def confident_learning(given: np.ndarray, scores: np.ndarray) -> Confident:
    """Find likely label errors: rows off the diagonal of the confident joint.

    Parameters
    ----------
    given : ints (n,), column of the label that is written.
    scores : float64 (n, S), any layout, without NaN; Fortran order is fastest.

    >>> found = confident_learning(np.array([0, 0, 1, 1]), np.array([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6], [0.3, 0.7]]))
    >>> found.places, found.suggested
    (array([1]), array([1]))
    """
    n, n_classes = scores.shape
    self_confidence = np.empty(n)
    for rows in _blocks(n):
        self_confidence[rows] = scores[rows][np.arange(rows.stop - rows.start), given[rows]]
    support = np.bincount(given, minlength=n_classes)
    total = np.bincount(given, self_confidence, minlength=n_classes)
    thresholds = np.divide(total, support, out=np.full(n_classes, np.nan), where=support > 0)
    guess = _confident_class(scores, thresholds - ROUNDING)
    off = np.flatnonzero((guess >= 0) & (guess != given))
    others = scores[off]
    others[np.arange(len(off)), given[off]] = -np.inf
    margin = self_confidence[off] - others.max(axis=1, initial=-np.inf)
    listed = margin < 0
    places = off[listed]
    return Confident(places, guess[places], self_confidence[places], margin[listed])


def _blocks(n: int) -> Iterator[slice]:
    """Yield runs of rows small enough that what is worked out of them stays in the processor's cache."""
    for start in range(0, n, _BLOCK):
        yield slice(start, min(start + _BLOCK, n))


def _confident_class(scores: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Return the class with the highest score among those that reach their threshold, the first on a tie; -1 = none."""
    guess = np.full(len(scores), -1, dtype=np.int64)
    for rows in _blocks(len(scores)):
        best = np.full(rows.stop - rows.start, -np.inf)
        for column in np.flatnonzero(~np.isnan(least)):
            score = scores[rows, column]
            better = (score >= least[column]) & (score > best)
            np.copyto(best, score, where=better)
            guess[rows][better] = column
    return guess


def find_label_issues(evaluation: Evaluation) -> LabelIssues | None:
    """Find rows whose label the scores speak against, the likeliest errors first; None without probabilities.

    Binary with one score: the classes have p and 1 - p (the sigmoid of a logit). Multi-label: every label is a binary
    question of its own, written or not.
    """
    if evaluation.y_score is None or evaluation.scale == "score":
        return None
    return _of_labels(evaluation) if evaluation.task == "multilabel" else _of_classes(evaluation)


def _of_classes(evaluation: Evaluation) -> LabelIssues:
    codes = (0, 1) if evaluation.task == "binary" else evaluation.score_codes
    column = np.full(len(evaluation.labels) + 2, -1)  # the two spare places serve codes -1 and -2
    column[list(codes)] = np.arange(len(codes))
    given, scores = column[evaluation.y_true], _scores(evaluation, codes)
    looked = given >= 0
    for class_score in scores.T:
        looked &= ~np.isnan(class_score)
    rows = np.flatnonzero(looked)
    if len(rows) < len(looked):
        given, scores = given[rows], np.asfortranarray(scores[rows])
    issues = confident_learning(given, scores)
    as_codes = np.array(codes, dtype=np.int32)
    order = np.argsort(issues.self_confidence, kind="stable")
    places = issues.places[order]
    return LabelIssues(
        rows[places], as_codes[given[places]], as_codes[issues.suggested[order]], issues.self_confidence[order],
        issues.margin[order], len(rows), evaluation.n_lines - len(rows),
    )  # fmt: skip


def _scores(evaluation: Evaluation, codes: tuple[int, ...]) -> np.ndarray:
    """Return probabilities of the classes, (n, S); the evaluation's own array where it holds just these."""
    if codes == evaluation.score_codes and evaluation.y_score is not None:
        return evaluation.y_score
    return np.asfortranarray(np.column_stack([probability_of(evaluation, code) for code in codes]))


def _of_labels(evaluation: Evaluation) -> LabelIssues:
    codes, known = evaluation.score_codes, has_truth(evaluation)
    looked = np.zeros_like(known)
    pieces = [_no_pieces()]
    for code in codes:
        score = probability_of(evaluation, code)
        rows = np.flatnonzero(known & ~np.isnan(score))
        looked[rows] = True
        written = evaluation.y_true[rows, code].astype(np.int64)
        issues = confident_learning(written, np.stack([1 - score[rows], score[rows]], axis=1))
        given, suggested = (np.where(side, code, MISSING) for side in (written[issues.places], issues.suggested))
        pieces.append((rows[issues.places], given, suggested, issues.self_confidence, issues.margin))
    every_row, given, suggested, self_confidence, margin = (
        np.concatenate(piece) for piece in zip(*pieces, strict=True)
    )
    order = np.argsort(self_confidence, kind="stable")
    return LabelIssues(
        every_row[order], given[order].astype(np.int32), suggested[order].astype(np.int32),
        self_confidence[order], margin[order], int(looked.sum()), int((~looked).sum()),
    )  # fmt: skip


def _no_pieces() -> tuple[np.ndarray, ...]:
    whole, number = np.zeros(0, dtype=np.int64), np.zeros(0)
    return whole, whole, whole, number, number
