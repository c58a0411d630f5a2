"""Confusion counts arranged for the eye: order, shares, errors only, the worst classes and an honest "other".

Rows are the truth, columns the prediction. Nothing is lost on the way: the cells of a block add up to
the rows that were counted, whatever was folded into "other".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from metrics.counts import UNPARSEABLE, ConfusionCounts

OTHER = -3
"""Code of the row and the column that hold every class outside the worst k."""

Order = Literal["label", "support", "worst", "cluster"]
Normalise = Literal["none", "row", "column", "all"]

_OPTIMAL_ORDERING_LIMIT = 300  # the optimal order of the leaves takes cubic time; above, any order of the tree's leaves


@dataclass(frozen=True, eq=False)
class Block:
    """A confusion matrix ready to be drawn, R rows by C columns.

    Attributes
    ----------
    row_codes, col_codes : int64 (R,) and (C,), codes into the labels; `OTHER` comes after the classes
        (as a row and as a column), `UNPARSEABLE` is the last column. The first min(R, C) of both agree.
    rows : int64 (R, C), rows of the file in every cell; adds up to `n`.
    right : int64 (R, C), how many of those were answered correctly: the diagonal, and within "other"
        and "other" the correct rows of the classes folded into it.
    folded : int64 codes of the classes inside "other".
    normalise, errors_only : as asked of `arrange`.
    """

    row_codes: np.ndarray
    col_codes: np.ndarray
    rows: np.ndarray
    right: np.ndarray
    folded: np.ndarray
    normalise: Normalise = "none"
    errors_only: bool = False

    @property
    def n(self) -> int:
        """Rows of the file in the block."""
        return int(self.rows.sum())

    @property
    def n_classes(self) -> int:
        """Classes with a row of their own ("other" is not one)."""
        return int((self.row_codes >= 0).sum())

    def shares(self, normalise: Normalise) -> np.ndarray:
        """Every cell over its row's, its column's or the whole block's rows, float64 (R, C) in 0..1.

        0/0 (a class without true rows, or never predicted) is NaN. "none" gives the counts as floats.

        >>> block = Block(*2 * [np.arange(2)], np.array([[3, 1], [0, 0]]), np.diag([3, 0]), np.arange(0))
        >>> block.shares("row").tolist()
        [[0.75, 0.25], [nan, nan]]
        """
        total = {
            "none": np.int64(1),
            "row": self.rows.sum(axis=1, keepdims=True),
            "column": self.rows.sum(axis=0, keepdims=True),
            "all": self.rows.sum(),
        }[normalise]
        with np.errstate(invalid="ignore"):
            return np.asarray(self.rows / total)

    @property
    def values(self) -> np.ndarray:
        """What the colours show, float64 (R, C): `shares(normalise)`, with `errors_only` of the errors alone.

        Errors only makes the diagonal NaN and takes the correct rows out of "other" and "other"; the
        denominators stay those of all rows, so that a share reads the same either way.
        """
        shares = self.shares(self.normalise)
        if not self.errors_only:
            return shares
        with np.errstate(invalid="ignore"):
            wrong = shares * ((self.rows - self.right) / np.where(self.rows == 0, 1, self.rows))
        same = (self.row_codes[:, None] == self.col_codes[None, :]) & (self.row_codes[:, None] != OTHER)
        return np.where(same, np.nan, wrong)


def arrange(
    counts: ConfusionCounts,
    *,
    order: Order = "label",
    normalise: Normalise = "none",
    errors_only: bool = False,
    worst: int | None = None,
    with_unparseable: bool = True,
) -> Block:
    """Lay out the confusion counts of K classes as a block.

    Parameters
    ----------
    order : "label" keeps the order of the labels; "support" puts the most frequent true class first;
        "worst" the class with the most errors (its rows called something else, and other rows called it);
        "cluster" puts classes next to each other that are taken for each other.
    normalise : which denominator the shares of `Block.values` have.
    errors_only : leave correct rows out of `Block.values`; the counts stay.
    worst : keep the k classes with the most errors and fold the rest into "other"; None keeps all.
    with_unparseable : False leaves unparseable answers out of the block altogether, shares included;
        the block then adds up to the parsed rows. Without any such answer there is no column for them.

    Raises
    ------
    ValueError
        When an option is not one of those above, or `worst` is below 1.

    >>> from metrics.counts import confusion_counts
    >>> c = confusion_counts(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 0]), labels=("a", "b", "c"))
    >>> block = arrange(c, worst=1)
    >>> block.row_codes.tolist(), block.rows.tolist()
    ([0, -3], [[1, 1], [1, 1]])
    """
    _check(order, normalise, worst)
    codes = np.arange(len(counts.labels)) if worst is None else np.sort(most_errors(counts)[:worst])
    codes = codes[_order_of(counts, codes, order)]
    folded = np.setdiff1d(np.arange(len(counts.labels)), codes)
    other = [OTHER] if len(folded) else []
    unparsed = [UNPARSEABLE] if with_unparseable and bool((counts.pred == UNPARSEABLE).any()) else []
    row_codes = np.array([*codes, *other], dtype=np.int64)
    col_codes = np.array([*codes, *other, *unparsed], dtype=np.int64)
    rows, right = _fill(counts, row_codes, col_codes, with_unparseable)
    return Block(row_codes, col_codes, rows, right, folded, normalise, errors_only)


def most_errors(counts: ConfusionCounts) -> np.ndarray:
    """All class codes, int64 (K,), most errors first; ties keep the order of the labels.

    An error counts for the class it was and for the class it was taken for, so that a class which
    swallows others stands as high as a class that is never recognised.
    """
    errors = counts.support + counts.predicted - 2 * counts.correct
    return np.argsort(-errors, kind="stable")


def _check(order: str, normalise: str, worst: int | None) -> None:
    if order not in get_args(Order):
        raise ValueError(f"order must be one of {', '.join(get_args(Order))}, not {order!r}")
    if normalise not in get_args(Normalise):
        raise ValueError(f"normalise must be one of {', '.join(get_args(Normalise))}, not {normalise!r}")
    if worst is not None and worst < 1:
        raise ValueError(f"worst must be 1 class or more, not {worst}")


def _fill(
    counts: ConfusionCounts, row_codes: np.ndarray, col_codes: np.ndarray, with_unparseable: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The two (R, C) tables of a block, straight from the non-empty cells."""
    n_labels = len(counts.labels)
    place = np.full(n_labels, len(row_codes) - 1, dtype=np.int64)  # whoever has no place of its own is in "other"
    place[row_codes[row_codes >= 0]] = np.flatnonzero(row_codes >= 0)
    parsed = counts.pred != UNPARSEABLE
    keep = parsed | with_unparseable
    true, pred, n = counts.true[keep], counts.pred[keep], counts.rows[keep]
    at = place[true], np.where(parsed[keep], place[np.where(parsed[keep], pred, 0)], len(col_codes) - 1)
    rows = np.zeros((len(row_codes), len(col_codes)), dtype=np.int64)
    right = np.zeros_like(rows)
    np.add.at(rows, at, n)
    np.add.at(right, at, np.where(true == pred, n, 0))
    return rows, right


def _order_of(counts: ConfusionCounts, codes: np.ndarray, order: Order) -> np.ndarray:
    """Positions in `codes`, in the order wanted; ties keep the order of the labels."""
    if order == "support":
        return np.lexsort((-counts.predicted[codes], -counts.support[codes]))
    if order == "worst":
        rank = np.empty(len(counts.labels), dtype=np.int64)
        rank[most_errors(counts)] = np.arange(len(counts.labels))
        return np.argsort(rank[codes])
    return _clustered(counts, codes) if order == "cluster" else np.arange(len(codes))


def _clustered(counts: ConfusionCounts, codes: np.ndarray) -> np.ndarray:
    """Positions in `codes` by average linkage; classes without a confusion among themselves last.

    Two classes are as close as the mean of the two shares "this one is taken for that one": shares
    and not counts, so that a rare class finds the class it is taken for.
    """
    near = _likeness(counts, codes)
    confused = np.flatnonzero(near.any(axis=1))
    rest = np.setdiff1d(np.arange(len(codes)), confused)
    if len(confused) < 3:
        return np.concatenate([confused, rest])
    from scipy.cluster.hierarchy import leaves_list, linkage  # half a second to import: only who clusters pays

    upper = np.triu_indices(len(confused), 1)
    apart = 1.0 - near[np.ix_(confused, confused)][upper]
    tree = linkage(apart, "average", optimal_ordering=len(confused) <= _OPTIMAL_ORDERING_LIMIT)
    return np.concatenate([confused[leaves_list(tree)], rest])


def _likeness(counts: ConfusionCounts, codes: np.ndarray) -> np.ndarray:
    """Symmetric float64 (k, k) in 0..1: how far two classes are taken for each other; diagonal 0."""
    place = np.full(len(counts.labels), -1, dtype=np.int64)
    place[codes] = np.arange(len(codes))
    wrong = (counts.pred != UNPARSEABLE) & (counts.true != counts.pred)
    true, pred = counts.true[wrong], counts.pred[wrong]
    both = (place[true] >= 0) & (place[pred] >= 0)
    true, pred = true[both], pred[both]
    taken_for = np.zeros((len(codes), len(codes)))
    taken_for[place[true], place[pred]] = counts.rows[wrong][both] / counts.support[true]
    return (taken_for + taken_for.T) / 2
