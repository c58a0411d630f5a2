"""Confusion counts in, classes and pairs worth looking at out.

Kinds of silence that are easily taken for one another: a class that is never predicted; a listed class that is not in
the data; a predicted label that is never true; a label that is not in the label list.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrics.confusion.counts import ConfusionCounts


class Confusion(NamedTuple):
    """`rows` rows of class `true` were predicted as `pred` (or UNPARSEABLE): `share` of its true rows, 0..1."""

    true: int
    pred: int
    rows: int
    share: float


class Favourite(NamedTuple):
    """A class predicted far more often than it is true, and the (true class, rows) that feed it."""

    code: int
    predicted: int
    support: int
    feeders: tuple[tuple[int, int], ...]


def never_predicted(counts: ConfusionCounts) -> np.ndarray:
    """Return codes of the classes with true rows and not one prediction, in or outside the label space.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> never_predicted(confusion_counts_from_matrix([[8, 0, 0], [2, 0, 0], [0, 0, 0]], ("a", "b", "c"))).tolist()
    [1]
    """
    return np.flatnonzero((counts.support > 0) & (counts.predicted == 0))


def absent(counts: ConfusionCounts) -> np.ndarray:
    """Return codes of the listed classes without true rows: no examples, so they cannot be scored.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> absent(confusion_counts_from_matrix([[8, 0, 0], [2, 0, 0], [0, 0, 0]], ("a", "b", "c"))).tolist()
    [2]
    """
    unknown = mark_never_true(counts.support, counts.predicted, counts.listed, counts.n_space)
    return np.flatnonzero(((counts.support == 0) & ~unknown)[: counts.n_space])


def never_true(counts: ConfusionCounts) -> np.ndarray:
    """Return codes of the labels that only predictions hold: misspelt, invented, or of classes this file does not list.

    >>> from metrics.confusion.counts import confusion_counts
    >>> counts = confusion_counts(np.array([0, 0, 0]), np.array([0, 1, 2]), labels=("a", "b", "c"), listed=(0, 1))
    >>> never_true(counts).tolist()
    [2]
    """
    return np.flatnonzero(mark_never_true(counts.support, counts.predicted, counts.listed, counts.n_space))


def mark_never_true(
    support: np.ndarray, predicted: np.ndarray, listed: tuple[int, ...] | None, n_space: int
) -> np.ndarray:
    """Mark labels that are predicted, true in no row, and in no list, bool (K,); arguments as in the counts."""
    known = np.arange(len(support)) < n_space if listed is None else np.isin(np.arange(len(support)), listed)
    marked: np.ndarray = (predicted > 0) & (support == 0) & ~known
    return marked


def class_lists(
    support: np.ndarray, predicted: np.ndarray, listed: tuple[int, ...] | None, n_space: int
) -> dict[str, np.ndarray]:
    """Return the codes of each kind of silence, in ascending order, by its name in the JSON; a label may be of two.

    >>> found = class_lists(np.array([8, 2, 0]), np.array([10, 0, 0]), None, 3)
    >>> {name: codes.tolist() for name, codes in found.items()}
    {'never_predicted': [1], 'absent': [2], 'never_true': [], 'outside_label_space': []}
    """
    outside = np.arange(len(support)) >= n_space
    unknown = mark_never_true(support, predicted, listed, n_space)
    chosen = {
        "never_predicted": (support > 0) & (predicted == 0),
        "absent": (support == 0) & ~outside & ~unknown,
        "never_true": unknown,
        "outside_label_space": outside,
    }
    return {name: np.flatnonzero(those) for name, those in chosen.items()}


def outside_label_space(counts: ConfusionCounts) -> np.ndarray:
    """Return codes of the labels in truth or prediction that the label space lacks.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> outside_label_space(confusion_counts_from_matrix([[8, 1], [0, 0]], ("a", "made up"), n_space=1)).tolist()
    [1]
    """
    return np.arange(counts.n_space, len(counts.labels))


def confusions(
    counts: ConfusionCounts, limit: int | None = None, *, among: np.ndarray | None = None
) -> list[Confusion]:
    """Return the wrong cells, most rows first, then the larger share of the true class; ties in label order.

    Parameters
    ----------
    limit : how many at most; None = all. among : bool (m,), the cells to take them from; None = all.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> confusions(confusion_counts_from_matrix([[9, 1, 0], [3, 5, 2]], ("a", "b")), limit=2)
    [Confusion(true=1, pred=0, rows=3, share=0.3), Confusion(true=1, pred=-2, rows=2, share=0.2)]
    """
    wrong = np.flatnonzero((counts.true != counts.pred) & (True if among is None else among))
    if limit is not None and limit < len(wrong):
        # Only cells as full as the last one wanted can be among them: no need to order the rest.
        rows = counts.rows[wrong]
        least = np.partition(rows, len(rows) - limit)[len(rows) - limit] if limit > 0 else np.inf
        wrong = wrong[rows >= least]
    true, pred, rows = counts.true[wrong], counts.pred[wrong], counts.rows[wrong]
    share = rows / counts.support[true]
    first = np.lexsort((-share, -rows))[:limit]
    columns = (values[first].tolist() for values in (true, pred, rows, share))
    return [Confusion(*cell) for cell in zip(*columns, strict=True)]


def favourites(counts: ConfusionCounts, factor: float = 2.0, min_extra: int = 5) -> list[Favourite]:
    """Return classes predicted at least `factor` times as often as they are true, by at least `min_extra` rows.

    Largest excess first, ties in label order. A class without true rows can be one. `feeders` are the
    other true classes whose rows it was given, the most first; their rows add up to predicted - correct.

    >>> from metrics.confusion.counts import confusion_counts_from_matrix
    >>> favourites(confusion_counts_from_matrix([[4, 0, 0], [6, 1, 0], [3, 0, 2]], ("a", "b", "c")))
    [Favourite(code=0, predicted=13, support=4, feeders=((1, 6), (2, 3)))]
    """
    extra = counts.predicted - counts.support
    is_favourite = (counts.predicted >= factor * counts.support) & (extra >= max(1, min_extra))
    codes = np.flatnonzero(is_favourite)
    codes = codes[np.argsort(-extra[codes], kind="stable")]
    # of a prediction without a label the code is negative: its entry is at the end
    feeders = _feeders(counts, codes, np.append(is_favourite, [False, False])[counts.pred])
    return [
        Favourite(int(code), int(counts.predicted[code]), int(counts.support[code]), fed_by)
        for code, fed_by in zip(codes, feeders, strict=True)
    ]


def _feeders(counts: ConfusionCounts, codes: np.ndarray, fed: np.ndarray) -> list[tuple[tuple[int, int], ...]]:
    """Return for each predicted class the other true classes in its column with their rows, fullest first."""
    cells = np.flatnonzero(fed & (counts.true != counts.pred))
    cells = cells[np.lexsort((-counts.rows[cells], counts.pred[cells]))]
    first = np.searchsorted(counts.pred[cells], codes)
    last = np.searchsorted(counts.pred[cells], codes, side="right")
    true, rows = counts.true[cells].tolist(), counts.rows[cells].tolist()
    return [tuple(zip(true[a:b], rows[a:b], strict=True)) for a, b in zip(first, last, strict=True)]
