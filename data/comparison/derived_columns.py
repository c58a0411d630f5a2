"""Find columns that follow from the scores, the predictions, or from which of them are right: findings by construction.

Only what follows without an exception is such a column, and what may as well explain the model is none: a place whose
score is stuck, or a flag that marks all the wrong rows, is what a person looks for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from data.columns.plain_names import split_words
from data.evaluation import Evaluation

_FEWEST_ROWS = 10
"""Fewer may agree by chance."""
_FEWEST_SCORES = 3
"""With fewer different scores a value of a column may be what the score follows from."""
_FEWEST_LABELS = 2
"""With one predicted label alone a value may be what the model goes by, as a language that is always `other`."""
_WIDEST_GAP = 10
"""So many mean gaps between scores: wider ones part groups whose scores differ, and no cut was made there."""
_FEWEST_CHANGES, _CHANCES = 10, 5
"""Changes between neighbours by chance: so many at least, and so many times as many as a cut may have."""
_RIGHT = {"correct", "incorrect", "right", "wrong", "error", "hit", "miss", "match", "mismatch"}
"""Words of a column that says which predictions are right."""
_OUTCOMES = {"tp", "tn", "fp", "fn", "outcome"}
"""Words of a column that says how truth and prediction agree."""


class Origins(NamedTuple):
    """Hold all that the columns of an evaluation may follow from: of every scored line.

    n_rows : how many rows these are. lines : int64, their places.
    truth, predicted : int64 codes from 0; None = several labels a row, or no predictions.
    right : whether the prediction is right, 0 or 1.
    order : int64, the lines with a score, from the lowest to the highest; the highest of a line where it has several.
    scores : float64, their scores in this order.
    why : what is said of a column that is a cut of these scores.
    """

    n_rows: int
    lines: np.ndarray
    truth: np.ndarray | None
    predicted: np.ndarray | None
    right: np.ndarray | None
    order: np.ndarray
    scores: np.ndarray
    why: str

    def find(self, name: str, values: list[str | None], codes: np.ndarray) -> str:
        """Return what a column follows from, in words; "" where it says something of its own.

        values : of the column, None = missing. codes : the value of every row, int64 (n,).
        """
        codes = codes[self.lines]
        if (
            self.n_rows < _FEWEST_ROWS
            or len(np.unique(codes)) < 2
            or (self.truth is not None and _follows(codes, self.truth))
        ):
            return ""
        words = {*split_words(name), *(word for value in values for word in split_words(value or ""))}
        if words & _RIGHT and self.right is not None and _follows(codes, self.right):
            return "says where the prediction is right"
        if self.truth is not None and self.predicted is not None:
            if _follows(codes, self.predicted) and _fewest_within(codes, self.predicted) >= _FEWEST_LABELS:
                return "follows from the predicted label"
            both = self.truth * (self.predicted.max(initial=0) + 1) + self.predicted
            if words & _OUTCOMES and _follows(codes, both):
                return "follows from the true and the predicted label"
        return self.why if self._cuts_the_scores(codes[self.order]) else ""

    def _cuts_the_scores(self, codes: np.ndarray) -> bool:
        """Return whether lines in the order of their scores hold one value after the other.

        Each value may lie in two places, as *uncertain* does around a threshold.
        """
        values, sizes = np.unique(codes, return_counts=True)
        most, by_chance = 2 * (len(values) - 1), len(codes) - (sizes**2).sum() / max(1, len(codes))
        changes = np.flatnonzero(codes[1:] != codes[:-1])
        if not 0 < len(changes) <= most or by_chance < max(_FEWEST_CHANGES, _CHANCES * most):
            return False
        gaps = self.scores[changes + 1] - self.scores[changes]
        n_scores = len(np.unique(self.scores))
        mean_gap = (self.scores[-1] - self.scores[0]) / max(1, n_scores - 1)
        if not gaps.all() or gaps.max() > _WIDEST_GAP * mean_gap:
            return False
        return _fewest_within(codes, self.scores) >= _FEWEST_SCORES


def list_origins(evaluation: Evaluation) -> Origins:
    """Return what the columns of an evaluation may follow from."""
    lines = np.flatnonzero(evaluation.scored)
    y_true, y_pred, y_score = evaluation.y_true[lines], evaluation.y_pred[lines], evaluation.y_score
    many = evaluation.task == "multilabel"
    predicted = right = None
    if evaluation.has_predictions:
        same = y_true == y_pred
        right = (same.all(axis=1) if many else same).astype(np.int64)
        predicted = None if many else _number(y_pred)
    if many or y_score is None or not len(lines):
        order, scores, why = np.zeros(0, np.int64), np.zeros(0), ""
    else:
        highest = y_score[lines].max(axis=1)
        order = np.argsort(highest, kind="stable")
        order = order[~np.isnan(highest[order])]
        scores = highest[order]
        why = "follows from the score" if y_score.shape[1] == 1 else "follows from the highest score"
    return Origins(evaluation.n_scored, lines, None if many else _number(y_true), predicted, right, order, scores, why)


def _number(labels: np.ndarray) -> np.ndarray:
    """Number labels from 0; none has a code below 0."""
    return labels.astype(np.int64) - int(labels.min(initial=0))


def _follows(codes: np.ndarray, origin: np.ndarray) -> bool:
    """Return whether all lines of one origin hold the same value."""
    value_of = np.zeros(int(origin.max(initial=0)) + 1, dtype=codes.dtype)
    value_of[origin] = codes
    return bool((value_of[origin] == codes).all())


def _fewest_within(codes: np.ndarray, origin: np.ndarray) -> int:
    """Return how many different origins the value with the fewest has."""
    return min(len(np.unique(origin[codes == value])) for value in np.unique(codes))
