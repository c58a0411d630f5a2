"""Split rows into folds at random, on the score counts: a row is its place among the rows of its class."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metrics.limits import MAX_CROSS_VALIDATIONS
from metrics.progress import Report, part

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


def marked(cumulative: np.ndarray, is_marked: np.ndarray) -> np.ndarray:
    """Count the marked rows among the first `cumulative` ones, the highest scores first.

    >>> marked(np.array([1, 3]), np.array([True, False, True, True]))
    array([1, 2])
    """
    so_far = np.zeros(len(is_marked) + 1, dtype=np.int64)
    np.cumsum(is_marked, out=so_far[1:])
    taken: np.ndarray = so_far[cumulative]
    return taken
