"""How much better a chosen band looks on the rows it was chosen on: cross-fitting on the score counts.

The rows are dealt into folds at random, the positives and the negatives each evenly. The band that decides a share of
the rows with the fewest errors is found on all folds but one and judged on that one, for every fold in turn, as
`metrics.thresholds.optimism` does for one threshold (Stone 1974, "Cross-validatory choice and assessment of statistical
predictions", JRSS B 36).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrics.progress import Report, nobody
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.cross_validation import FOLDS, Deal, deals, marked, repeats_for
from metrics.thresholds.reject_option import band_at, best_band

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
    counts: ScoreCounts,
    coverage: float,
    *,
    folds: int = FOLDS,
    repeats: int | None = None,
    seed: int = 0,
    report: Report = nobody,
) -> FittedBand:
    """What "decide at least this share with the fewest errors" gives on rows that did not choose the band.

    Parameters
    ----------
    coverage : 0..1.
    folds : at least 2; fewer where a class has fewer rows.
    repeats : None = 20, or fewer so that at most a million rows are dealt (at least one).
    report : told before every fold which share is done, from 0; what it raises ends the work.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False] * 20), np.arange(40) % 7 / 7)
    >>> found = fitted_band(counts, 0.5, repeats=2)
    >>> found.apparent > found.accuracy, found.folds, found.repeats
    (True, 5, 2)
    """
    folds = min(folds, counts.n_pos, counts.n_neg)
    repeats = repeats_for(counts.n, _ROWS) if repeats is None else repeats
    apparent = best_band(counts, coverage).accuracy if counts.n else float("nan")
    if folds < 2:
        return FittedBand(apparent, float("nan"), float("nan"), folds, repeats, seed)
    every = deals(counts.n_pos, counts.n_neg, folds=folds, repeats=repeats, seed=seed, report=report)
    right, decided = np.array([_judged(counts, coverage, deal) for deal in every], dtype=np.float64).T
    with np.errstate(invalid="ignore"):
        accuracy = float(np.mean(right / decided))
    return FittedBand(apparent, accuracy, float(np.mean(decided / counts.n)), folds, repeats, seed)


def _judged(counts: ScoreCounts, coverage: float, deal: Deal) -> tuple[int, int]:
    """One deal: rows decided rightly, and rows decided, over all folds."""
    right = decided = 0
    for positives, negatives in deal:
        held = _part(counts, positives, negatives)
        found = best_band(_part(counts, ~positives, ~negatives), coverage)
        band = band_at(held, found.low, found.high)
        right, decided = right + band.tp + band.tn, decided + band.decided
    return right, decided


def _part(counts: ScoreCounts, positives: np.ndarray, negatives: np.ndarray) -> ScoreCounts:
    """The counts of the rows that are marked; the rows of a class are in order of their score, the highest first."""
    tp, fp = marked(counts.tp, positives), marked(counts.fp, negatives)
    there = np.diff(tp + fp, prepend=0) > 0
    return ScoreCounts(counts.score[there], tp[there], fp[there], int(positives.sum()), int(negatives.sum()))
