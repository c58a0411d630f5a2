"""Score counts in, how sure one can be out: DeLong's interval of the AUC, bootstrap bands of the two curves."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from metrics.progress import Report, nobody, part
from metrics.scores.curves import ScoreCounts, roc_auc
from metrics.scores.probabilities import sigmoid

GROUPS = 1_000
"""At most so many groups of scores are drawn from in a bootstrap."""
_BLOCK = 50  # replicates that are drawn together
_GRID = 201  # values of the x axis at which a band is given


class AucInterval(NamedTuple):
    """An AUC with its interval; NaN where undefined.

    auc, low, high : 0..1. standard_error : of the AUC, on its own scale.
    level : such as 0.95. method : words for the screen.
    """

    auc: float
    low: float
    high: float
    standard_error: float
    level: float
    method: str


def auc_standard_error(counts: ScoreCounts) -> float:
    """Return the standard error of the AUC by DeLong's variance, ties counting half; 0..0.5.

    Every positive is worth the share of negatives it outscores, every negative the share of positives that outscore
    it; the variances of these worths, each divided by its rows, add up. Read off the score counts in O(m).
    Undefined (NaN) with fewer than two positives or two negatives. 0 where the two sides do not overlap at all: that
    is no certainty, the variance then has nothing to go by.

    Sources: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44; by ranks as Sun & Xu 2014, IEEE Signal Processing
    Letters 21.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.8, 0.4, 0.1]))
    >>> round(auc_standard_error(counts), 4)  # worths 1, 1/2 and 1/2, 1: a variance of 1/8 on each side
    0.3536
    """
    n_pos, n_neg = counts.n_pos, counts.n_neg
    if n_pos < 2 or n_neg < 2:
        return float("nan")
    pos, neg = (np.diff(side, prepend=0) for side in (counts.tp, counts.fp))
    variance = 0.0
    for rows, worth, n in (
        (pos, (n_neg - counts.fp + neg / 2) / n_neg, n_pos),
        (neg, (counts.tp - pos / 2) / n_pos, n_neg),
    ):
        # sums and not dot products: those of floats go through BLAS, whose threads wait on each other under load
        away = worth - (rows * worth).sum() / n
        variance += float((rows * away * away).sum()) / (n - 1) / n
    return float(np.sqrt(variance))


def auc_interval(counts: ScoreCounts, *, level: float = 0.95, shrinkage: float = 1.0) -> AucInterval:
    """Return the AUC and DeLong's interval, taken on the logit so that it stays inside 0..1.

    Undefined (NaN) are the bounds with fewer than two rows of a class, and at an AUC of exactly 0 or 1: where the two
    sides do not overlap DeLong's variance is 0 and says nothing.

    shrinkage : effective rows for each count; 1 = they count rows.

    Source for the logit: Pepe 2003, "The statistical evaluation of medical tests", section 5.2.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.8, 0.4, 0.1]))
    >>> found = auc_interval(counts)
    >>> found.auc, round(found.low, 3), round(found.high, 3)
    (0.75, 0.069, 0.992)
    """
    auc, spread = roc_auc(counts), NormalDist().inv_cdf((1 + level) / 2)
    error = auc_standard_error(counts) / math.sqrt(shrinkage)
    low = high = float("nan")
    if error > 0 and 0 < auc < 1:
        middle, reach = np.log(auc / (1 - auc)), spread * error / (auc * (1 - auc))
        low, high = (float(sigmoid(np.array(end))) for end in (middle - reach, middle + reach))
    return AucInterval(auc, low, high, error, level, "DeLong, on the logit")


class Band(NamedTuple):
    """A pointwise band around a curve: at every `x`, the middle `level` of the replicates' curves.

    x : float64 (201,), 0 to 1: false positive rate (ROC) or recall (precision and recall).
    low, high : float64 (201,), recall or precision; NaN where undefined.
    n_groups, n_distinct : scores were drawn in so many groups, of so many distinct scores.
    """

    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    method: str
    level: float
    replicates: int
    seed: int
    n_groups: int
    n_distinct: int


def roc_band(
    counts: ScoreCounts, *, seed: int = 0, replicates: int = 500, level: float = 0.95, report: Report = nobody
) -> Band:
    """Return a band around the ROC curve: positives and negatives drawn again, each side by itself.

    Every replicate draws as many positives and as many negatives as there are, with replacement: a multinomial over
    the counts at every distinct score; or over at most 1,000 groups of neighbouring scores, each of at most 1/500 of
    a side (beside ties). Its recall is read at every false positive rate, where the curve rises the highest.
    Undefined (NaN) if either class is missing.

    report : told before every block of replicates which share is done, from 0; what it raises ends the work.

    Source: Efron & Tibshirani 1993, "An introduction to the bootstrap", percentile intervals.

    >>> from metrics.scores.curves import score_counts
    >>> truth = np.arange(400) % 2 == 0
    >>> band = roc_band(score_counts(truth, np.arange(400) % 7 + 2.0 * truth), replicates=100)
    >>> len(band.x), bool((band.low <= band.high).all()), band.n_groups
    (201, True, 9)
    """
    defined = counts.n_pos > 0 and counts.n_neg > 0
    return _band(counts, _roc_at, seed, replicates, level, report, defined=defined)


def pr_band(
    counts: ScoreCounts, *, seed: int = 0, replicates: int = 500, level: float = 0.95, report: Report = nobody
) -> Band:
    """Return a band around precision and recall, drawn as in `roc_band`; the share of positives stays as it is.

    At every recall, the precision where a threshold first finds so many positives (the steps of average precision).
    Undefined (NaN) without positives.

    >>> from metrics.scores.curves import score_counts
    >>> truth = np.arange(400) % 4 == 0
    >>> band = pr_band(score_counts(truth, np.arange(400) % 7 + 2.0 * truth), replicates=100)
    >>> round(float(band.low[-1]), 2), round(float(band.high[-1]), 2)  # the lowest score of a positive
    (0.31, 0.34)
    """
    return _band(counts, _precision_at, seed, replicates, level, report, defined=counts.n_pos > 0)


_Read = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def _band(
    counts: ScoreCounts, read: _Read, seed: int, replicates: int, level: float, report: Report, *, defined: bool
) -> Band:
    x = np.linspace(0.0, 1.0, _GRID)
    ends = _group_ends(counts)
    method = "percentile bootstrap, positives and negatives apart, pointwise"
    about = (method, level, replicates, seed, len(ends), len(counts.score))
    if not defined:
        return Band(x, np.full(_GRID, np.nan), np.full(_GRID, np.nan), *about)
    rng = np.random.default_rng(seed)
    tp = _draw_replicates(counts.tp[ends], replicates, rng, part(report, 0, 2))
    fp = _draw_replicates(counts.fp[ends], replicates, rng, part(report, 1, 2))
    curves = np.stack([read(x, *pair) for pair in zip(tp, fp, strict=True)])
    tail = (1 - level) / 2
    low, high = np.quantile(curves, [tail, 1 - tail], axis=0)
    return Band(x, low, high, *about)


def _group_ends(counts: ScoreCounts) -> np.ndarray:
    """Return places of the last score of every group: each score by itself, or cuts at equal shares of either side."""
    m = len(counts.score)
    if m <= GROUPS:
        return np.arange(m)
    cuts = []
    for side in (counts.tp, counts.fp):
        share = np.linspace(0, side[-1], GROUPS // 2 + 1)[1:]
        cuts.append(np.searchsorted(side, share))
    return np.unique(np.concatenate([*cuts, [m - 1]]))[-GROUPS:]


def _draw_replicates(cumulative: np.ndarray, replicates: int, rng: np.random.Generator, report: Report) -> np.ndarray:
    """Return cumulative counts of every replicate, int64 (replicates, groups)."""
    rows = np.diff(cumulative, prepend=0)
    total = int(cumulative[-1]) if len(cumulative) else 0
    drawn = np.zeros((replicates, len(rows)), dtype=np.int64)
    for start in range(0, replicates if total else 0, _BLOCK):
        report(start / replicates)
        block = drawn[start : start + _BLOCK]
        np.cumsum(rng.multinomial(total, rows / total, size=len(block)), axis=1, out=block)
    return drawn


def _roc_at(x: np.ndarray, tp: np.ndarray, fp: np.ndarray) -> np.ndarray:
    """Return recall at every false positive rate; where several share one, the highest (`np.interp` takes the last)."""
    recall: np.ndarray = np.interp(x, np.concatenate([[0], fp / fp[-1]]), np.concatenate([[0], tp / tp[-1]]))
    return recall


def _precision_at(x: np.ndarray, tp: np.ndarray, fp: np.ndarray) -> np.ndarray:
    """Return precision at the highest threshold with recall >= x, and some positive."""
    places = np.searchsorted(tp, np.maximum(np.ceil(x * tp[-1] - 1e-9), 1))
    precision: np.ndarray = tp[places] / (tp[places] + fp[places])
    return precision
