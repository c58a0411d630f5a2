"""Measure calibration: calibration errors, Brier score and its parts, log loss.

A score of 0.8 says "right 8 times of 10". Everything here is a function of the `ScoreCounts` of one class, or of
"the prediction is right" counted against its own score (top-1 confidence): the same table, the same functions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrics.scores.curves import ScoreCounts
from metrics.scores.probabilities import in_unit, row_log_losses
from metrics.scores.reliability import Reliability, as_probability, effective_shares, per_score
from metrics.shares import NO_BOUNDS, critical_value, wilson


def expected_calibration_error(bins: Reliability) -> float:
    """Return the sum over the bins of n_b / n * |mean score - share of positives|; 0 is perfect, at most 1. NaN without
    rows.

    It depends on the bins (say which), and is above 0 even for perfect scores: see `error_by_chance`.

    Source: Naeini, Cooper & Hauskrecht 2015, "Obtaining well calibrated probabilities using Bayesian binning", AAAI;
    with the mean score of a bin, not its middle, as Guo et al. 2017, "On calibration of modern neural networks", ICML.
    """
    return _mean_over_bins(bins, np.abs(bins.gap))


def maximum_calibration_error(bins: Reliability) -> float:
    """Return the largest |mean score - share of positives| of any bin with rows, however few; NaN without rows."""
    return float(np.nanmax(np.abs(bins.gap))) if bins.n.any() else float("nan")


def error_by_chance(bins: Reliability) -> float:
    """Return the expected calibration error that perfectly calibrated scores would show on so many rows, about.

    Each bin's count of positives is then a sum of independent draws with the scores as probabilities; the mean
    distance from its expectation is sqrt(2 / pi) of its standard deviation where it is about normal. Where rows have
    weights, a bin has as many draws as effective rows.

    Source: Bröcker & Smith 2007, "Increasing the reliability of reliability diagrams", Weather and Forecasting 22.
    """
    variance = bins.mean_score * (1 - bins.mean_score) - bins.variance
    with np.errstate(invalid="ignore"):
        return _mean_over_bins(bins, np.sqrt(2 / np.pi * np.maximum(variance, 0) / bins.effective_n))


def clearest_gap(bins: Reliability, level: float = 0.95) -> int | None:
    """Return the bin whose gap moves most rows, of those whose mean score lies outside the interval of their share.

    None: no bin's gap is larger than chance explains, at this level for each bin alone.
    """
    low, high = bins.interval(level)
    beyond = (bins.mean_score < low) | (bins.mean_score > high)
    weight = np.where(beyond, bins.n * np.abs(np.nan_to_num(bins.gap)), 0.0)
    return int(weight.argmax()) if weight.any() else None


class BrierDecomposition(NamedTuple):
    """Five parts of the Brier score, all >= 0 but the covariance: see `brier_decomposition`."""

    reliability: float
    resolution: float
    uncertainty: float
    within_variance: float
    within_covariance: float

    @property
    def within_bins(self) -> float:
        """Return what the bins hide: variance of the scores in a bin minus how well they rank its rows."""
        return self.within_variance - self.within_covariance

    @property
    def brier(self) -> float:
        """Return their sum: the Brier score of the scores themselves, whatever the bins."""
        return self.reliability - self.resolution + self.uncertainty + self.within_bins


def brier_decomposition(bins: Reliability) -> BrierDecomposition:
    """Split the Brier score: reliability - resolution + uncertainty + what lies within the bins, exactly.

    reliability: mean of (mean score - share of its bin)^2, 0 is best. resolution: mean of (share of its bin - share
    of all)^2, more is better. uncertainty: share * (1 - share) of all rows, which no score changes. Within the bins:
    the variance of the scores minus twice their covariance with the truth. NaN without rows.

    Source: Murphy 1973, "A new vector partition of the probability score", Journal of Applied Meteorology 12; the
    parts within bins: Stephenson, Coelho & Jolliffe 2008, "Two extra components in the Brier score decomposition",
    Weather and Forecasting 23.
    """
    share = bins.n_positive.sum() / bins.n.sum() if bins.n.any() else float("nan")
    return BrierDecomposition(
        reliability=_mean_over_bins(bins, bins.gap**2),
        resolution=_mean_over_bins(bins, (bins.positive_share - share) ** 2),
        uncertainty=float(share * (1 - share)),
        within_variance=_mean_over_bins(bins, bins.variance),
        within_covariance=2 * _mean_over_bins(bins, bins.covariance),
    )


def _mean_over_bins(bins: Reliability, values: np.ndarray) -> float:
    """Return the mean over the rows of a value of their bin."""
    filled = bins.n > 0
    return float((bins.n[filled] * values[filled]).sum() / bins.n.sum()) if filled.any() else float("nan")


def brier_score(counts: ScoreCounts, *, from_logits: bool = False) -> float:
    """Return the mean of (probability - truth)^2, as `Probabilities.squares` has it of the rows; NaN as there."""
    probability = as_probability(counts, from_logits=from_logits)
    if not counts.n or not in_unit(probability):
        return float("nan")
    n, positive = per_score(counts)
    return float((positive * (1 - probability) ** 2 + (n - positive) * probability**2).sum() / counts.n)


def log_loss(counts: ScoreCounts, *, from_logits: bool = False) -> float:
    """Return the mean of -ln(probability of the truth), in nats, as `Probabilities.log_losses` has it of rows."""
    if not counts.n or not (from_logits or in_unit(counts.score)):
        return float("nan")
    n, positive = per_score(counts)
    total = 0.0
    for truth, rows in ((True, positive), (False, n - positive)):
        seen = rows > 0  # a certain score costs infinity only on the side where it has rows
        sides = np.full(int(seen.sum()), truth)
        cost = row_log_losses(sides, counts.score[seen], from_logits=from_logits)
        total += float(np.dot(rows[seen], cost))
    return total / counts.n


def log_loss_of_share(counts: ScoreCounts) -> float:
    """Return the log loss when every row is given the share of positives, the best constant: the entropy, in nats.

    >>> from metrics.scores.curves import score_counts
    >>> round(log_loss_of_share(score_counts(np.array([True, False]), np.array([0.9, 0.9]))), 4)
    0.6931
    """
    if not counts.n:
        return float("nan")
    share = np.array([counts.n_pos, counts.n_neg]) / counts.n
    share = share[share > 0]
    return float(-np.dot(share, np.log(share))) + 0.0  # no minus zero


class MeanConfidence(NamedTuple):
    """Mean confidence beside the share of rows that are right, with the interval of that share."""

    mean: float
    right: float
    low: float
    high: float
    is_weighted: bool = False

    @property
    def verdict(self) -> str:
        """Return "too high" or "too low" where the mean lies outside the interval; else ""."""
        return "too high" if self.mean > self.high else "too low" if self.mean < self.low else ""


def mean_confidence(bins: Reliability) -> MeanConfidence:
    """Compare the mean confidence with the share of rows that are right; NaN without rows.

    bins : "the prediction is right" against the confidence in it, in any bins. The interval is Wilson's, 95 %, in
        effective rows.

    >>> from metrics.scores.curves import score_counts
    >>> from metrics.scores.reliability import reliability
    >>> confidence = mean_confidence(reliability(score_counts(np.arange(100) < 20, np.full(100, 0.8))))
    >>> round(confidence.mean, 3), confidence.right, confidence.verdict
    (0.8, 0.2, 'too high')
    """
    total = float(bins.n.sum())
    if not total:
        return MeanConfidence(float("nan"), float("nan"), *NO_BOUNDS)
    units = bins.units, bins.n_positive / bins.unit, bins.squares, bins.squares_positive
    sums = (each.sum(keepdims=True) for each in units)
    effective = float(effective_shares(*sums)[0]) if bins.is_weighted else total
    right = float(bins.n_positive.sum()) / total
    bounds = wilson(right * effective, effective, critical_value(0.95))
    return MeanConfidence(_mean_over_bins(bins, bins.mean_score), right, *bounds, bins.is_weighted)


class ConfidenceCurve(NamedTuple):
    """Accuracy among the rows with a confidence of at least `threshold`, which descends."""

    coverage: np.ndarray
    accuracy: np.ndarray
    threshold: np.ndarray


def confidence_curve(right: ScoreCounts) -> ConfidenceCurve:
    """Return the accuracy of the surest predictions against the share of rows answered, at every distinct confidence.

    right : "the prediction is right" counted against the confidence in it. Arrays (m,), coverage ascending to 1,
        where accuracy is that of all rows with a confidence.

    >>> from metrics.scores.curves import score_counts
    >>> confidence_curve(score_counts(np.array([True, False]), np.array([0.9, 0.6])))
    ConfidenceCurve(coverage=array([0.5, 1. ]), accuracy=array([1. , 0.5]), threshold=array([0.9, 0.6]))
    """
    kept = right.tp + right.fp
    return ConfidenceCurve(kept / max(right.n, 1), right.tp / kept, right.score)
