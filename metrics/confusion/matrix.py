"""Confusion counts arranged for the eye: order, shares, errors only, chosen classes, groups and an honest "other".

Rows are the truth, columns the prediction. Nothing is lost on the way: the cells of a block add up to
the rows that were counted, whatever was folded into "other" or into a collapsed group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from metrics.confusion.axis import GROUP, Group, Outline, axis
from metrics.confusion.class_order import Order, most_errors
from metrics.confusion.counts import UNPARSEABLE, ConfusionCounts

OTHER = -3
"""Code of the row and the column that hold every class without a place of its own."""
Normalise = Literal["none", "row", "column", "all"]


@dataclass(frozen=True, eq=False)
class Block:
    """A confusion matrix ready to be drawn, R rows by C columns.

    Attributes
    ----------
    row_codes, col_codes : int64 (R,) and (C,), codes into the labels; a collapsed group has the code
        `GROUP` - its index in `groups`; `OTHER` comes after the classes (as a row and as a column),
        `UNPARSEABLE` is the last column. The first min(R, C) of both agree.
    rows : int64 (R, C), rows of the file in every cell, or units of weight; adds up to `n`.
    right : int64 (R, C), how many of those were answered correctly: the diagonal, and within "other"
        and "other", or a group and itself, the correct rows of the classes in it.
    folded : int64 codes of the classes inside "other".
    groups : all groups, whether any of their classes is shown or not.
    outlines : frames around neighbours on the axis, in the axis' order; they do not overlap.
    ranks : place of every label of the label space in the order of the labels; () = they have none.
    counted : the same block in rows, where `rows` are weights in units; None = no row has a weight. unit : of one unit.
    """

    row_codes: np.ndarray
    col_codes: np.ndarray
    rows: np.ndarray
    right: np.ndarray
    folded: np.ndarray
    groups: tuple[Group, ...] = ()
    outlines: tuple[Outline, ...] = ()
    ranks: tuple[int, ...] = ()
    counted: Block | None = None
    unit: float = 1.0

    @property
    def n(self) -> int:
        """Return rows of the file in the block."""
        return int(self.rows.sum())

    @property
    def n_classes(self) -> int:
        """Return classes with a row of their own ("other" and collapsed groups are none)."""
        return int((self.row_codes >= 0).sum())

    def members(self, code: int) -> tuple[int, ...]:
        """Return the codes that a row or column stands for: a group's classes, those inside "other", else itself.

        >>> a, table = np.array([2, GROUP, OTHER]), np.zeros((3, 3), int)
        >>> block = Block(a, a, table, table, np.array([3, 4]), groups=(Group("card", (0, 1), True),))
        >>> [block.members(code) for code in (2, GROUP, OTHER, UNPARSEABLE)]
        [(2,), (0, 1), (3, 4), (-2,)]
        """
        if code <= GROUP:
            return self.groups[GROUP - code].codes
        return tuple(self.folded.tolist()) if code == OTHER else (int(code),)

    def fullest(self, errors_only: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Return the positions (i, j) of the cells that hold rows (with `errors_only`: wrong rows), most rows first.

        >>> block = Block(*2 * [np.arange(2)], np.array([[3, 1], [0, 4]]), np.diag([3, 4]), np.arange(0))
        >>> [axis.tolist() for axis in block.fullest()]
        [[1, 0, 0], [1, 0, 1]]
        """
        kept = self.choose_rows(errors_only)
        i, j = np.nonzero(kept)
        order = np.argsort(-kept[i, j], kind="stable")
        return i[order], j[order]

    def choose_rows(self, errors_only: bool) -> np.ndarray:
        """Return the rows of every cell, or its wrong ones alone, int64 (R, C)."""
        return np.asarray(self.rows - self.right) if errors_only else self.rows

    def weigh(self, rows: np.ndarray) -> np.ndarray:
        """Return rows as they are, or the weight of units."""
        return rows if self.counted is None else np.asarray(rows * self.unit)

    def shares(self, normalise: Normalise) -> np.ndarray:
        """Return every cell over its row's, its column's or the whole block's rows, float64 (R, C) in 0..1.

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


def arrange(
    counts: ConfusionCounts,
    *,
    order: Order = "label",
    worst: int | None = None,
    classes: Sequence[int] | None = None,
    groups: Sequence[Group] = (),
) -> Block:
    """Lay out the confusion counts of K classes as a block.

    Parameters
    ----------
    order : "label" keeps the order of the labels; "support" puts the most frequent true class first;
        "recall" the class of which the smallest share is found; "worst" the class with the most errors (its
        rows called something else, and other rows called it); "cluster" puts classes next to each other that
        are taken for each other, and frames those that are.
    classes : codes that keep a place of their own; the rest is folded into "other". None keeps all.
    worst : keep the k of those with the most errors and fold the rest into "other", too; None keeps all.
    groups : classes that stand together, no class in two of them; a collapsed group is one row and one column.
        Groups and the classes outside them are ordered as if a group were one class, then the classes within.

    Raises
    ------
    ValueError
        When an option is not one of those above; `worst` is below 1; or a code is none of the counts' or in two
        groups.

    >>> from metrics.confusion.counts import confusion_counts
    >>> c = confusion_counts(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 0]), labels=("a", "b", "c"))
    >>> block = arrange(c, worst=1)
    >>> block.row_codes.tolist(), block.rows.tolist()
    ([0, -3], [[1, 1], [1, 1]])
    >>> block = arrange(c, groups=[Group("a or c", (0, 2), collapsed=True)])
    >>> block.row_codes.tolist(), block.rows.tolist()
    ([-10, 1], [[2, 1], [0, 1]])
    """
    _check(counts, order, worst, classes, groups)
    listed = _own(counts, worst, classes)
    codes, shown, outlines = axis(counts, listed, order, groups)
    folded = np.setdiff1d(np.arange(len(counts.labels)), listed)
    other = [OTHER] if len(folded) else []
    unparsed = [UNPARSEABLE] if bool((counts.pred == UNPARSEABLE).any()) else []
    row_codes = np.array([*codes, *other], dtype=np.int64)
    col_codes = np.array([*codes, *other, *unparsed], dtype=np.int64)
    rows, right = _fill(counts, row_codes, col_codes, shown)
    block = Block(row_codes, col_codes, rows, right, folded, shown, outlines, counts.ranks)
    if counts.counted is None:
        return block
    rows, right = _fill(counts.counted, row_codes, col_codes, shown)
    return replace(block, counted=replace(block, rows=rows, right=right), unit=counts.unit)


def one_against_rest(tp: int, fp: int, fn: int, tn: int) -> Block:
    """Return the four outcomes of one label as a block: row and column 0 are the rest, 1 is the label.

    >>> one_against_rest(tp=3, fp=1, fn=2, tn=4).rows.tolist()
    [[4, 1], [2, 3]]
    """
    rows = np.array([[tn, fp], [fn, tp]], dtype=np.int64)
    return Block(np.arange(2), np.arange(2), rows, np.diag(np.diagonal(rows)), np.arange(0))


def _check(
    counts: ConfusionCounts,
    order: str,
    worst: int | None,
    classes: Sequence[int] | None,
    groups: Sequence[Group],
) -> None:
    if order not in get_args(Order):
        raise ValueError(f"order must be one of {', '.join(get_args(Order))}, not {order!r}")
    if worst is not None and worst < 1:
        raise ValueError(f"worst must be 1 class or more, not {worst}")
    if classes is not None and not len(classes):
        raise ValueError("classes must be 1 class or more; None keeps all")
    grouped = [code for group in groups for code in group.codes]
    if len(set(grouped)) < len(grouped):
        raise ValueError("a class can be in one of the groups only")
    wrong = [code for code in [*(() if classes is None else classes), *grouped] if not 0 <= code < len(counts.labels)]
    if wrong:
        raise ValueError(f"with {len(counts.labels)} labels there is no class {wrong[0]}")


def _own(counts: ConfusionCounts, worst: int | None, classes: Sequence[int] | None) -> np.ndarray:
    """Return codes of the classes with a place of their own, ascending."""
    codes = np.arange(len(counts.labels)) if classes is None else np.unique(np.asarray(classes, dtype=np.int64))
    if worst is None:
        return codes
    ranked = most_errors(counts)
    return np.sort(ranked[np.isin(ranked, codes)][:worst])


def _fill(
    counts: ConfusionCounts,
    row_codes: np.ndarray,
    col_codes: np.ndarray,
    groups: Sequence[Group],
) -> tuple[np.ndarray, np.ndarray]:
    """Return the two (R, C) tables of a block, straight from the non-empty cells."""
    n_labels = len(counts.labels)
    place = np.full(n_labels, len(row_codes) - 1, dtype=np.int64)  # whoever has no place of its own is in "other"
    place[row_codes[row_codes >= 0]] = np.flatnonzero(row_codes >= 0)
    for group_place in np.flatnonzero(row_codes <= GROUP):
        place[list(groups[GROUP - row_codes[group_place]].codes)] = group_place
    parsed = counts.pred != UNPARSEABLE
    cells = place[counts.true], np.where(parsed, place[np.where(parsed, counts.pred, 0)], len(col_codes) - 1)
    rows = np.zeros((len(row_codes), len(col_codes)), dtype=np.int64)
    right = np.zeros_like(rows)
    np.add.at(rows, cells, counts.rows)
    np.add.at(right, cells, np.where(counts.true == counts.pred, counts.rows, 0))
    return rows, right
