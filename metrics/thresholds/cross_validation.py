"""Split rows into folds at random, on the score counts: a row is its place among the rows of its class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from metrics.limits import MAX_CROSS_VALIDATIONS
from metrics.progress import Report, part
from metrics.scores.curves import ScoreCounts

FOLDS = 5


def repeats_for(n: int, most_rows: int) -> int:
    """Return how often n rows are split: 20 times, or fewer so that at most so many rows are split, at least once.

    >>> repeats_for(100, 1_000_000), repeats_for(300_000, 1_000_000), repeats_for(5_000_000, 1_000_000)
    (20, 3, 1)
    """
    return max(1, min(MAX_CROSS_VALIDATIONS, most_rows // max(1, n)))


def assign_folds(n: int, folds: int, random: np.random.Generator) -> np.ndarray:
    """Return the fold of each of n rows, as evenly as can be.

    >>> np.bincount(assign_folds(7, 3, np.random.default_rng(0))).tolist()
    [3, 2, 2]
    """
    fold: np.ndarray = random.permutation((np.arange(n) % folds).astype(np.min_scalar_type(folds)))
    return fold


def describe_folds(folds: int, repeats: int, seed: int) -> str:
    """Describe how a number on rows that took no part in a choice was found.

    >>> describe_folds(5, 1, 0)
    '5-fold cross-validation on the counts, done once at random within each class, seed 0'
    """
    often = "done once" if repeats == 1 else f"repeated {repeats} times"
    return f"{folds}-fold cross-validation on the counts, {often} at random within each class, seed {seed}"


Deal = Iterator[tuple[np.ndarray, np.ndarray]]
"""The folds of one repeat: of each, which positives and which negatives are held out."""


def split_folds(n_pos: int, n_neg: int, *, folds: int, repeats: int, seed: int, report: Report) -> Iterator[Deal]:
    """Yield each repeat: fold by fold, which positives and which negatives are held out, as bool arrays.

    report : told before every fold which share of all of them is done.
    """
    random = np.random.default_rng(seed)
    for repeat in range(repeats):
        positives, negatives = assign_folds(n_pos, folds, random), assign_folds(n_neg, folds, random)
        yield _held_out(positives, negatives, folds, part(report, repeat, repeats))


def _held_out(positives: np.ndarray, negatives: np.ndarray, folds: int, report: Report) -> Deal:
    for fold in range(folds):
        report(fold / folds)
        yield positives == fold, negatives == fold


class RowWeights(NamedTuple):
    """The weight of every row with a score in whole units, the highest scores first: int64 (n_pos,) and (n_neg,).

    unit : the weight of one unit.
    """

    positives: np.ndarray
    negatives: np.ndarray
    unit: float


def count_part(
    rows: ScoreCounts, positives: np.ndarray, negatives: np.ndarray, weights: RowWeights | None
) -> ScoreCounts:
    """Return the score counts of the marked rows, at every distinct score of all; by weight where rows have weights.

    rows : counts of rows. positives, negatives : bool (n_pos,) and (n_neg,), the highest scores first.

    >>> from metrics.scores.curves import score_counts
    >>> rows = score_counts(np.array([True, False, True]), np.array([0.9, 0.6, 0.4]))
    >>> weights = RowWeights(np.array([3, 1]), np.array([2]), 0.5)
    >>> count_part(rows, np.array([True, False]), np.array([True]), weights)[1:]
    (array([3, 3, 3]), array([0, 2, 2]), 3, 2, 0, 0.5)
    """
    unit = 1.0
    if weights is not None:
        positives, negatives, unit = positives * weights.positives, negatives * weights.negatives, weights.unit
    tp, fp = _add_first(positives, rows.tp), _add_first(negatives, rows.fp)
    return ScoreCounts(rows.score, tp, fp, int(positives.sum()), int(negatives.sum()), unit=unit)


def weigh_counts(rows: ScoreCounts, weights: RowWeights | None) -> ScoreCounts:
    """Return the score counts of all rows by their weights; as they are where rows have none."""
    if weights is None:
        return rows
    return count_part(rows, np.ones(rows.n_pos, bool), np.ones(rows.n_neg, bool), weights)


def _add_first(amounts: np.ndarray, cumulative: np.ndarray) -> np.ndarray:
    """Add up the amounts of the first `cumulative` rows."""
    so_far = np.zeros(len(amounts) + 1, dtype=np.int64)
    np.cumsum(amounts, out=so_far[1:])
    taken: np.ndarray = so_far[cumulative]
    return taken
