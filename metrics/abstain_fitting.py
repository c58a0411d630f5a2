"""How much better a chosen band looks on the rows it was chosen on: cross-fitting on the score counts.

The rows are dealt into folds at random, the positives and the negatives each evenly. The band that decides a share of
the rows with the fewest errors is found on all folds but one and judged on that one, for every fold in turn, as
`metrics.optimism` does for one threshold (Stone 1974, "Cross-validatory choice and assessment of statistical
predictions", JRSS B 36).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrics.abstain import band_at, best_band
from metrics.curves import ScoreCounts

FOLDS = 5
MOST_REPEATS = 20
_ROWS = 1_000_000
"""Rows dealt in all repeats together: about half a second."""


class FittedBand(NamedTuple):
    """What a band found on some rows gives on others.

    apparent : accuracy on the decided rows, found and judged on the same rows.
    accuracy, coverage : of rows that took no part in finding it, the mean over the repeats. NaN where a class has fewer
        than two rows, or where nothing is decided.
    """

    apparent: float
    accuracy: float
    coverage: float
    folds: int
    repeats: int
    seed: int


def fitted_band(
    counts: ScoreCounts, coverage: float, *, folds: int = FOLDS, repeats: int | None = None, seed: int = 0
) -> FittedBand:
    """What "decide at least this share with the fewest errors" gives on rows that did not choose the band.

    Parameters
    ----------
    coverage : 0..1.
    folds : at least 2; fewer where a class has fewer rows.
    repeats : None = 20, or fewer so that at most a million rows are dealt (at least one).

    >>> from metrics.curves import score_counts
    >>> counts = score_counts(np.array([True, False] * 20), np.arange(40) % 7 / 7)
    >>> found = fitted_band(counts, 0.5, repeats=2)
    >>> found.apparent > found.accuracy, found.folds, found.repeats
    (True, 5, 2)
    """
    folds = min(folds, counts.n_pos, counts.n_neg)
    repeats = max(1, min(MOST_REPEATS, _ROWS // max(1, counts.n))) if repeats is None else repeats
    apparent = best_band(counts, coverage).accuracy if counts.n else float("nan")
    if folds < 2:
        return FittedBand(apparent, float("nan"), float("nan"), folds, repeats, seed)
    random = np.random.default_rng(seed)
    judged = np.array([_judged(counts, coverage, folds, random) for _ in range(repeats)], dtype=np.float64)
    right, decided = judged.T
    with np.errstate(invalid="ignore"):
        accuracy = float(np.mean(right / decided))
    return FittedBand(apparent, accuracy, float(np.mean(decided / counts.n)), folds, repeats, seed)


def _judged(counts: ScoreCounts, coverage: float, folds: int, random: np.random.Generator) -> tuple[int, int]:
    """One deal: rows decided rightly, and rows decided, over all folds."""
    positives, negatives = (_dealt(n, folds, random) for n in (counts.n_pos, counts.n_neg))
    right = decided = 0
    for fold in range(folds):
        held = _part(counts, positives == fold, negatives == fold)
        found = best_band(_part(counts, positives != fold, negatives != fold), coverage)
        band = band_at(held, found.low, found.high)
        right, decided = right + band.tp + band.tn, decided + band.decided
    return right, decided


def _dealt(n: int, folds: int, random: np.random.Generator) -> np.ndarray:
    """The fold of each of n rows, as evenly as can be."""
    dealt: np.ndarray = random.permutation((np.arange(n) % folds).astype(np.uint8))
    return dealt


def _part(counts: ScoreCounts, positives: np.ndarray, negatives: np.ndarray) -> ScoreCounts:
    """The counts of the rows that are marked; the rows of a class are in order of their score, the highest first."""
    tp, fp = _marked(counts.tp, positives), _marked(counts.fp, negatives)
    there = np.diff(tp + fp, prepend=0) > 0
    return ScoreCounts(counts.score[there], tp[there], fp[there], int(positives.sum()), int(negatives.sum()))


def _marked(cumulative: np.ndarray, is_marked: np.ndarray) -> np.ndarray:
    """How many marked rows are among the first `cumulative` ones."""
    so_far = np.zeros(len(is_marked) + 1, dtype=np.int64)
    np.cumsum(is_marked, out=so_far[1:])
    taken: np.ndarray = so_far[cumulative]
    return taken
