"""Score counts in, the abstain band out: rows between two thresholds are left open, and the rest is decided better.

A score at or above the upper threshold is predicted positive, one below the lower threshold negative. A row between
them is undecided: the reject option (Chow 1970, "On optimum recognition error and reject tradeoff", IEEE Transactions
on Information Theory 16).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrics.limits import MAX_REJECT_VALIDATED_ROWS
from metrics.progress import Report, nobody
from metrics.scores.curves import ScoreCounts, round_down, separating_thresholds
from metrics.shares import divide_part
from metrics.thresholds.cross_validation import (
    FOLDS,
    Deal,
    RowWeights,
    count_part,
    repeats_for,
    split_folds,
    weigh_counts,
)
from metrics.thresholds.roc_hull import upper_hull


class Band(NamedTuple):
    """Two thresholds, and the rows decided and left open.

    low, high : negative when score < low, positive when score >= high. tp, fp, fn, tn : rows decided, or their weight
        in units. open_pos, open_neg : positives and negatives left open.
    """

    low: float
    high: float
    tp: int
    fp: int
    fn: int
    tn: int
    open_pos: int
    open_neg: int

    @property
    def n_open(self) -> int:
        """Return rows left open."""
        return self.open_pos + self.open_neg

    @property
    def decided(self) -> int:
        """Return rows decided."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def coverage(self) -> float:
        """Return the share of the rows that is decided; NaN without rows."""
        return divide_part(self.decided, self.decided + self.n_open)

    @property
    def accuracy(self) -> float:
        """Return the share of the decided rows that is right; NaN where none is decided."""
        return divide_part(self.tp + self.tn, self.decided)

    @property
    def precision(self) -> float:
        """Return the share of the rows called positive that is; NaN where none is called."""
        return divide_part(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """Return the share of the decided positives that are predicted positive; NaN where none is decided."""
        return divide_part(self.tp, self.tp + self.fn)


def band_at(counts: ScoreCounts, low: float, high: float) -> Band:
    """Count what two thresholds decide and what they leave undecided.

    Raises
    ------
    ValueError : low is above high, or one of them is NaN.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.6, 0.4, 0.1]))
    >>> band = band_at(counts, 0.2, 0.7)
    >>> band.coverage, band.accuracy, band.n_open
    (0.5, 1.0, 2)
    """
    if low > high:
        raise ValueError(f"The lower threshold {low} is above the upper one, {high}.")
    (tp, fp), (tp_low, fp_low) = counts.at(high), counts.at(low)
    fn, tn = counts.n_pos - tp_low, counts.n_neg - fp_low
    return Band(float(low), float(high), tp, fp, fn, tn, tp_low - tp, fp_low - fp)


class Frontier(NamedTuple):
    """The best bands, coverage ascending: float64 (k,) arrays; accuracy is NaN where nothing is decided."""

    coverage: np.ndarray
    accuracy: np.ndarray
    low: np.ndarray
    high: np.ndarray


def frontier(counts: ScoreCounts) -> Frontier:
    """Return the accuracy on the decided rows against the share decided, for the bands that nothing beats.

    A band is here if it has the fewest errors at some price of an open row: no other band decides as many rows with
    fewer errors. Exact: errors and rows decided are sums of a part above the upper threshold and one below the lower.
    So either can only be a corner of the ROC curve's convex hull. Its sides are taken in the order of the errors they
    bring per row. The last one leaves no row undecided.

    >>> from metrics.scores.curves import score_counts
    >>> best = frontier(score_counts(np.array([True, False, True, False]), np.array([0.9, 0.6, 0.4, 0.1])))
    >>> best.coverage.tolist(), best.accuracy.tolist()
    ([0.0, 0.25, 0.5, 1.0], [nan, 1.0, 1.0, 0.75])
    """
    threshold, tp, fp = separating_thresholds(counts)
    corner = upper_hull(fp, tp)
    side_fp, side_tp = np.diff(fp[corner]), np.diff(tp[corner])
    n_upper = int((side_fp < side_tp).sum())  # a side with more positives is better called positive
    rows = (side_fp + side_tp).astype(np.float64)
    errors = np.concatenate([side_fp[:n_upper] / rows[:n_upper], (side_tp[n_upper:] / rows[n_upper:])[::-1]])
    is_upper = np.argsort(errors, kind="stable") < n_upper
    upper = corner[np.concatenate([[0], np.cumsum(is_upper)])]
    lower = corner[len(corner) - 1 - np.concatenate([[0], np.cumsum(~is_upper)])]
    right = tp[upper] + counts.n_neg - fp[lower]
    decided = tp[upper] + fp[upper] + counts.n - tp[lower] - fp[lower]
    with np.errstate(invalid="ignore"):
        return Frontier(decided / np.float64(counts.n), right / decided, threshold[lower], threshold[upper])


def best_band(counts: ScoreCounts, coverage: float) -> Band:
    """Return the band with the fewest errors among all that decide at least this share of the rows.

    Every pair of distinct scores is a candidate, and "nothing is positive" where a threshold can do that. Of equals
    the one that decides more rows is taken, then the one with the higher thresholds.

    Parameters
    ----------
    coverage : 0..1.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.6, 0.4, 0.1]))
    >>> best_band(counts, 0.5)[:2], best_band(counts, 1.0)[:2]
    ((0.4, 0.9), (0.9, 0.9))
    """
    threshold, tp, fp = separating_thresholds(counts)
    called = tp + fp
    upper = np.arange(len(called))
    lower = np.searchsorted(called, called + _most_open(counts, coverage), side="right") - 1
    errors = fp + (counts.n_pos - tp[lower])
    upper = np.flatnonzero(errors == errors.min())
    # closed as far as that costs no error: a band that leaves open what it could decide rightly is no better
    lower = np.maximum(np.searchsorted(tp, tp[lower[upper]]), upper)
    upper = np.minimum(np.searchsorted(fp, fp[upper], side="right") - 1, lower)
    chosen = int((called[upper] - called[lower]).argmax())
    return band_at(counts, float(threshold[lower[chosen]]), float(threshold[upper[chosen]]))


def widest_below(counts: ScoreCounts, high: float, coverage: float) -> Band:
    """Return the widest band below an upper threshold that decides at least this share of the rows.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.6, 0.4, 0.1]))
    >>> widest_below(counts, 0.9, 0.5).low
    0.4
    """
    above = counts.above(high)
    called = counts.tp + counts.fp
    n_called = int(called[above - 1]) if above else 0
    allowed = int(np.searchsorted(called, n_called + _most_open(counts, coverage), side="right"))
    return band_at(counts, float(counts.score[allowed - 1]) if allowed > above else high, high)


def _most_open(counts: ScoreCounts, coverage: float) -> int:
    """Return counts that may be left open."""
    return round_down((1 - coverage) * counts.n, counts.unit)


class FittedBand(NamedTuple):
    """Accuracy and coverage of a band on rows that took no part in finding it.

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
    weights: RowWeights | None = None,
    folds: int = FOLDS,
    repeats: int | None = None,
    seed: int = 0,
    report: Report = nobody,
) -> FittedBand:
    """Estimate by cross-validation what "decide at least this share with the fewest errors" gives on new data.

    The band is found on all folds but one and judged on that one, for every fold in turn.
    `metrics.thresholds.optimism` does so for one threshold. Source: Stone 1974, "Cross-validatory choice and
    assessment of statistical predictions", JRSS B 36.

    Parameters
    ----------
    counts : of rows, each of which is in one fold. weights : by which the rows count; None = all alike.
    coverage : 0..1.
    folds : at least 2; fewer where a class has fewer rows.
    repeats : None = 20, or fewer so that at most a million rows are split (at least one).
    report : told before every fold which share is done, from 0; what it raises ends the work.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False] * 20), np.arange(40) % 7 / 7)
    >>> found = fitted_band(counts, 0.5, repeats=2)
    >>> found.apparent > found.accuracy, found.folds, found.repeats
    (True, 5, 2)
    """
    folds = min(folds, counts.n_pos, counts.n_neg)
    repeats = repeats_for(counts.n, MAX_REJECT_VALIDATED_ROWS) if repeats is None else repeats
    whole = weigh_counts(counts, weights)
    apparent = best_band(whole, coverage).accuracy if counts.n else float("nan")
    if folds < 2:
        return FittedBand(apparent, float("nan"), float("nan"), folds, repeats, seed)
    every = split_folds(counts.n_pos, counts.n_neg, folds=folds, repeats=repeats, seed=seed, report=report)
    right, decided = np.array([_judge_deal(counts, weights, coverage, deal) for deal in every], dtype=np.float64).T
    with np.errstate(invalid="ignore"):
        accuracy = float(np.mean(right / decided))
    return FittedBand(apparent, accuracy, float(np.mean(decided / whole.n)), folds, repeats, seed)


def _judge_deal(counts: ScoreCounts, weights: RowWeights | None, coverage: float, deal: Deal) -> tuple[int, int]:
    """Judge one repeat: rows decided rightly, and rows decided, over all folds."""
    right = decided = 0
    for positives, negatives in deal:
        held = count_part(counts, positives, negatives, weights)
        chosen = best_band(_select_rows(counts, ~positives, ~negatives, weights), coverage)
        band = band_at(held, chosen.low, chosen.high)
        right, decided = right + band.tp + band.tn, decided + band.decided
    return right, decided


def _select_rows(
    counts: ScoreCounts, positives: np.ndarray, negatives: np.ndarray, weights: RowWeights | None
) -> ScoreCounts:
    """Return the counts of the rows that are marked, at their own scores."""
    part = count_part(counts, positives, negatives, weights)
    there = np.diff(part.tp + part.fp, prepend=0) > 0
    return part._replace(score=part.score[there], tp=part.tp[there], fp=part.fp[there])
