"""Find what stands out in a confusion matrix: classes predicted for many others, empty rows and columns, pairs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrics.confusion import worst_confusions
from metrics.confusion.counts import UNPARSEABLE, ConfusionCounts
from metrics.finding import Label
from text.numbers import count, percent, rows_are

STREAK_TIMES, STREAK_ROWS, STREAK_CLASSES = 3.0, 5, 3
"""A streak takes in at least 3 times the wrong rows of an average class, at least 5, of at least 3 classes."""


class Streak(NamedTuple):
    """A class that many others are predicted as.

    `rows` rows (or units of weight) of `classes` others are predicted as `code`; `true` are those.
    """

    code: int
    rows: int
    classes: int
    true: tuple[int, ...]


class Empty(NamedTuple):
    """Classes whose row or column of the matrix is empty, or empty where it counts; int64 codes, label order.

    absent : listed, without true rows in the file: the row is empty, and they cannot be scored.
    never_predicted : true rows, and not one prediction: the column is empty.
    never_right : true rows and predictions, and none of them right: the cell on the diagonal is empty.
    never_true : predicted labels of the label space that no list names and no row has: the row is empty.
    """

    absent: np.ndarray
    never_predicted: np.ndarray
    never_right: np.ndarray
    never_true: np.ndarray


class BothWays(NamedTuple):
    """Two classes confused both ways.

    there : rows of `first` that were predicted as `second`. back : rows of `second` that were predicted as `first`.
    """

    first: int
    second: int
    there: int
    back: int


def matrix_title(counts: ConfusionCounts) -> tuple[str | Label, ...]:
    """Say in one sentence, without a full stop, what the matrix shows first.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> matrix_title(confusion_counts_from_matrix([[9, 1], [3, 5]], ("ham", "spam")))
    ('3 of 8 ', Label(name='spam'), ' rows were predicted as ', Label(name='ham'))
    """
    wrong, n = counts.n - int(counts.correct.sum()), counts.by_row.n
    if not wrong:
        return (f"All {count(n)} are predicted correctly" if n > 1 else "The only row is right",)
    is_weighted, columns = counts.counted is not None, streaks(counts)
    if columns:
        rows = sum(column.rows for column in columns)
        alone = Label(counts.labels[columns[0].code]) if len(columns) == 1 else f"one of {len(columns)} classes"
        if is_weighted:
            return f"{percent(rows / wrong)} of the errors, by weight, were predicted as ", alone
        return f"{rows:,} of {count(wrong, 'wrong row')} were predicted as ", alone
    worst = worst_confusions.confusions(counts, limit=1)[0]
    if is_weighted:
        true, share = Label(counts.labels[worst.true]), percent(worst.share)
        if worst.pred == UNPARSEABLE:
            return f"No label was found for {share} of ", true, ", by weight"
        return f"{share} of ", true, ", by weight, was predicted as ", Label(counts.labels[worst.pred])
    n_true = int(counts.support[worst.true])
    rows_of = f"{worst.rows:,} of {n_true:,} ", Label(counts.labels[worst.true])
    if worst.pred == UNPARSEABLE:
        return f"No label was found for {rows_of[0]}", rows_of[1], " rows"
    return *rows_of, f" {rows_are(worst.rows, n_true, now=False)} predicted as ", Label(counts.labels[worst.pred])


def streaks(counts: ConfusionCounts) -> list[Streak]:
    """Return classes that rows of many others are predicted as, most rows first; ties in label order.

    A column counts when its wrong rows are at least `STREAK_TIMES` those of an average class and `STREAK_ROWS`. They
    come from `STREAK_CLASSES` classes or more, and no more than half of them from one class: a class that takes in
    its one neighbour is a confused pair, not a streak.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> table = [[9, 0, 0, 0], [3, 6, 0, 0], [4, 0, 5, 0], [3, 0, 1, 5]]
    >>> streaks(confusion_counts_from_matrix(table, ("balance", "b", "c", "d")))
    [Streak(code=0, rows=10, classes=3, true=(2, 1, 3))]
    """
    wrong = (counts.true != counts.pred) & (counts.pred != UNPARSEABLE)
    absorbed = counts.predicted - counts.correct
    if not wrong.any():
        return []
    fed_by = np.bincount(counts.pred[wrong], minlength=len(counts.labels))
    most = np.zeros(len(counts.labels), dtype=np.int64)
    np.maximum.at(most, counts.pred[wrong], counts.rows[wrong])
    wrong_rows = counts.by_row.predicted - counts.by_row.correct
    bright = (wrong_rows >= STREAK_ROWS) & (absorbed >= STREAK_TIMES * float(absorbed.mean()))
    bright &= fed_by >= STREAK_CLASSES
    columns = np.flatnonzero(bright & (2 * most <= absorbed))
    columns = columns[np.argsort(-absorbed[columns], kind="stable")]
    return [Streak(int(code), int(absorbed[code]), int(fed_by[code]), _feeders(counts, int(code))) for code in columns]


def _feeders(counts: ConfusionCounts, code: int) -> tuple[int, ...]:
    return tuple(int(true) for true in counts.column(code).code if true != code)


def empty(counts: ConfusionCounts) -> Empty:
    """Return the classes with an empty row or column by kind; no class is of two kinds.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> [found.tolist() for found in empty(confusion_counts_from_matrix(
    ...     [[8, 0, 2, 1], [2, 0, 0, 0], [3, 0, 0, 0], [0, 0, 0, 0]], ("a", "b", "c", "d")))]
    [[3], [1], [2], []]
    """
    never_right = (counts.support > 0) & (counts.predicted > 0) & (counts.correct == 0)
    unknown = worst_confusions.never_true(counts)
    return Empty(
        worst_confusions.absent(counts),
        worst_confusions.never_predicted(counts),
        np.flatnonzero(never_right),
        unknown[unknown < counts.n_space],
    )


def mutual_confusions(counts: ConfusionCounts, *, at_least: int = 2) -> list[BothWays]:
    """Return pairs of classes confused both ways, at least `at_least` rows each way.

    The pair whose rarer direction has the most rows comes first, then the one with more rows altogether; ties
    in label order. `first` is the class that more often is taken for the other; of two alike, the earlier label.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> mutual_confusions(confusion_counts_from_matrix([[9, 3, 7], [5, 9, 0], [1, 0, 9]], ("a", "b", "c")))
    [BothWays(first=1, second=0, there=5, back=3)]
    """
    k = len(counts.labels)
    wrong = (counts.true != counts.pred) & (counts.pred != UNPARSEABLE) & (counts.by_row.rows >= at_least)
    true, pred, rows = counts.true[wrong].astype(np.int64), counts.pred[wrong].astype(np.int64), counts.rows[wrong]
    forth, back = true * k + pred, pred * k + true  # `forth` ascends, as the cells are sorted by truth
    back_place = np.minimum(np.searchsorted(forth, back), max(0, len(forth) - 1))
    paired = np.flatnonzero((true < pred) & (forth[back_place] == back)) if len(forth) else np.arange(0)
    there, back_rows = rows[paired], rows[back_place[paired]]
    order = np.lexsort((-(there + back_rows), -np.minimum(there, back_rows)))
    pairs = zip(true[paired][order].tolist(), pred[paired][order].tolist(), there[order].tolist(),
                back_rows[order].tolist(), strict=True)  # fmt: skip
    return [BothWays(a, b, x, y) if x >= y else BothWays(b, a, y, x) for a, b, x, y in pairs]
