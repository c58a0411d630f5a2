"""Find columns that follow from the scores, the predictions, or from which of them are right: findings by construction.

A column follows from others where neighbours hold the same: rows of one predicted label, or next to each other in the
order of the scores. Columns that follow from the true labels alone, such as groups of classes, are no such columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from data.columns.column_names import split_words
from data.evaluation import Evaluation
from data.labels.positive_class import choose_by_convention

_JUDGED = 100_000
"""Rows that are judged: of more, rows at equal distances."""
_MOST_BINS = 20_000
"""Neighbouring scores are counted together beyond so many."""
_MOST_PAIRS = 100_000
"""Beyond so many pairs only those that occur are counted."""
_SCORES_A_VALUE = 3
"""Fewer different scores for each value of a column may follow from the column, as those of one feature do."""
_MOST_OTHERS = 0.05
"""Of the changes between neighbours by chance: so many are corrections by hand, or ties of a rounded score."""
_FEWEST_CHANGES, _CHANCES = 10, 5
"""Changes by chance: so many at least, and so many times as many as a column may have that follows."""
_RIGHT = {"correct", "incorrect", "right", "wrong", "error", "hit", "miss", "match", "mismatch"}
"""Words of a column that says which predictions are right; two values such as 0 and 1 say it, too."""


class Origin(NamedTuple):
    """Hold labels or scores that a column may follow from.

    why : the same in words. codes : of every judged line, int64. size : how many there are.
    n_orders : into how many parts the codes are in the order of scores; 0 = they have no order.
    n_scores : different scores; 0 = codes are of labels.
    """

    why: str
    codes: np.ndarray
    size: int
    n_orders: int = 0
    n_scores: int = 0


class Origins(NamedTuple):
    """Hold all that the columns of an evaluation may follow from.

    truth : the true labels; what follows from them alone says something of the rows. right : whether the prediction is
    right. A column may be so by its nature, as a place is where labels were exchanged: its name or values decide.
    others : predicted labels and scores.
    lines : int64, scored lines that are judged. rows : how many rows each of these stands for.
    """

    truth: Origin | None
    right: Origin | None
    others: tuple[Origin, ...]
    lines: np.ndarray
    rows: np.ndarray

    def find(self, name: str, values: list[str | None], codes: np.ndarray) -> str:
        """Return what a column follows from, in words; "" where it says something of its own.

        values : of the column, None = missing. codes : the value of every row, int64 (n,).
        """
        kept, n = codes[self.lines], len(values)
        if n < 2 or (self.truth is not None and _follows(self.truth, kept, n, self.rows)):
            return ""
        if self.right is not None and _follows(self.right, kept, n, self.rows):
            return self.right.why if _says_right(name, values) else ""
        return next((other.why for other in self.others if _follows(other, kept, n, self.rows)), "")


def list_origins(evaluation: Evaluation) -> Origins:
    """Return what the columns of an evaluation may follow from."""
    lines = np.flatnonzero(evaluation.scored)
    lines = lines[:: 1 + len(lines) // _JUDGED]
    truth = None if evaluation.task == "multilabel" else _number("", evaluation.y_true[lines])
    rows = evaluation.rows_per_line[lines].astype(np.float64)
    right = None
    if evaluation.has_predictions:
        same = evaluation.y_true[lines] == evaluation.y_pred[lines]
        right = _number("says where the prediction is right", same if same.ndim == 1 else same.all(axis=1))
    others = () if truth is None else tuple(_list_others(evaluation, lines, truth))
    return Origins(truth, right, others, lines, rows)


def _list_others(evaluation: Evaluation, lines: np.ndarray, truth: Origin) -> Iterator[Origin]:
    if evaluation.has_predictions:
        predicted = _number("follows from the predicted label", evaluation.y_pred[lines])
        yield predicted
        yield _within(truth, "follows from the true and the predicted label", predicted)
    score = evaluation.y_score
    if score is None:
        return
    alone = score.shape[1] == 1
    order = _order("follows from the score" if alone else "follows from the highest score", score[lines].max(axis=1))
    yield order
    if alone:
        yield _within(truth, "follows from the score and the true label", order)


def _number(why: str, labels: np.ndarray) -> Origin:
    """Number labels from 0; none has a code below 0."""
    low, high = (int(labels.min()), int(labels.max())) if len(labels) else (0, 0)
    return Origin(why, labels.astype(np.int64) - low, high - low + 1)


def _within(first: Origin, why: str, second: Origin) -> Origin:
    """Number what occurs together, the second within the first."""
    codes, size = first.codes * second.size + second.codes, first.size * second.size
    if size > _MOST_PAIRS:
        seen, codes = np.unique(codes, return_inverse=True)
        size = len(seen)
    return Origin(why, codes, size, second.n_orders * first.size, second.n_scores)


def _order(why: str, scores: np.ndarray) -> Origin:
    """Number scores in their order, equal ones alike and neighbours together where they are many."""
    seen, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    size = min(len(seen), _MOST_BINS)
    codes = ((np.cumsum(counts) - counts) * size // max(1, len(scores)))[places] if size < len(seen) else places
    return Origin(why, codes, size, 1, int((~np.isnan(seen)).sum()))


def _says_right(name: str, values: list[str | None]) -> bool:
    """Return whether a column of two values may say which predictions are right, by its name or its values."""
    words = [value or "" for value in values]
    is_named = bool(_RIGHT & {*split_words(name), *(word.casefold() for word in words)})
    return is_named or choose_by_convention(words) is not None


def _follows(origin: Origin, codes: np.ndarray, n_values: int, rows: np.ndarray) -> bool:
    """Return whether neighbours hold the same value, but for few rows; each value may lie in two parts of an order."""
    allowed = 2 * (n_values - 1) * origin.n_orders + max(0, origin.n_orders - 1)
    of_values = np.bincount(codes, rows, minlength=n_values)
    n = float(of_values.sum())
    by_chance = float(n - (of_values**2).sum() / n) if n else 0.0
    has_scores = not origin.n_scores or origin.n_scores >= _SCORES_A_VALUE * n_values
    if not has_scores or by_chance < max(_FEWEST_CHANGES, _CHANCES * allowed):
        return False
    cells = np.bincount(origin.codes * n_values + codes, rows, minlength=origin.size * n_values)
    cells = cells.reshape(origin.size, n_values)
    cells = cells[cells.any(axis=1)]
    if not origin.n_orders:
        by_chance *= (n - len(cells)) / max(1.0, n - 1)
    changes = count_changes(cells, is_ordered=origin.n_orders > 0)
    return by_chance >= _FEWEST_CHANGES and changes - allowed <= _MOST_OTHERS * by_chance


def count_changes(cells: np.ndarray, *, is_ordered: bool) -> float:
    """Count the changes of value between neighbours, the mean over all orders of the rows of each code.

    cells : rows of each code and value. is_ordered : whether the last row of a code is a neighbour of the next one's
    first.

    >>> count_changes(np.array([[2.0, 0.0], [0.0, 3.0]]), is_ordered=True)
    1.0
    """
    sizes = cells.sum(axis=1)
    shares = cells / sizes[:, None]
    within = float((sizes * (1 - (shares**2).sum(axis=1))).sum())
    return within + float((1 - (shares[:-1] * shares[1:]).sum(axis=1)).sum() if is_ordered else 0)
