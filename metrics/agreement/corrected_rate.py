"""The true rate of a category, from the ratings of a judge that errs and the rows that people rated, too."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from metrics.intervals.shares import Bounds, critical_value, wilson
from metrics.intervals.statistic import on_scale


class CorrectedRate(NamedTuple):
    """A rate corrected for the judge's errors; NaN where it cannot be known.

    value, low, high : 0..1. judged : the judge's own rate over `n` rows.
    sensitivity, specificity : of the judge, over the `n_positive` and `n_negative` rows that people rated, too.
    """

    value: float
    low: float
    high: float
    method: str
    judged: float
    n: int
    sensitivity: float
    specificity: float
    n_positive: int
    n_negative: int


METHOD = "Rogan–Gladen, delta method on the logit"


def corrected_rate(truth: np.ndarray, judge: np.ndarray, category: int, *, level: float = 0.95) -> CorrectedRate:
    """Correct the share of a category among a judge's ratings for its errors on the rows with a truth.

    (rate + specificity - 1) / (sensitivity + specificity - 1), kept in 0..1. Undefined without rows of either kind, and
    for a judge that finds the category no more often where it is true than where it is not.

    truth, judge : int (n,) codes; those below 0 (missing, a tie) are left out.

    Source: Rogan & Gladen 1978, American Journal of Epidemiology 107. The interval takes the influence of every row,
    since rows with a truth count for the rate and for the judge's errors.

    >>> truth = np.array([1] * 50 + [0] * 50 + [-1] * 100)
    >>> judge = np.array([1] * 40 + [0] * 10 + [1] * 5 + [0] * 45 + [1] * 60 + [0] * 40)
    >>> found = corrected_rate(truth, judge, 1)  # judged (45 + 60) / 200, sensitivity 0.8, specificity 0.9
    >>> round(found.judged, 3), round(found.value, 3)
    (0.525, 0.607)
    """
    chosen = judge >= 0
    said, known, true = judge[chosen] == category, truth[chosen] >= 0, truth[chosen] == category
    positive, negative = known & true, known & ~true
    judged, sensitivity, specificity = _share(said), _share(said[positive]), _share(~said[negative])
    rates = (judged, len(said), sensitivity, specificity, int(positive.sum()), int(negative.sum()))
    above = sensitivity + specificity - 1
    if not above > 0:
        missing = "people rated no row of the category, or none of the others"
        chance = "the judge tells the category apart no better than chance"
        why = f"undefined: {missing if math.isnan(above) else chance}"
        return CorrectedRate(math.nan, math.nan, math.nan, why, *rates)
    value = (judged + specificity - 1) / above
    influence = (said - judged) / len(said)
    influence[positive] -= value * (said[positive] - sensitivity) / rates[4]
    influence[negative] += (1 - value) * (~said[negative] - specificity) / rates[5]
    z = critical_value(level)
    variance = float((influence**2).sum()) + _at_edges(rates, value, z)
    bounds = _bounds(value, z * math.sqrt(variance) / above)
    return CorrectedRate(min(1.0, max(0.0, value)), bounds.low, bounds.high, METHOD, *rates)


def _share(is_part: np.ndarray) -> float:
    return float(is_part.mean()) if len(is_part) else math.nan


def _at_edges(rates: tuple[float, int, float, float, int, int], value: float, z: float) -> float:
    """Variance that a sensitivity or specificity of exactly 0 or 1 adds: that of its Wilson interval."""
    added = 0.0
    for share, n, slope in ((rates[2], rates[4], value), (rates[3], rates[5], 1 - value)):
        if share in (0.0, 1.0):
            low, high = wilson(share * n, n, z)
            added += (slope * (high - low) / (2 * z)) ** 2
    return added


def _bounds(value: float, reach: float) -> Bounds:
    """Bounds on the logit; of a value at an end of the range the plain ones, cut there."""
    if 0 < value < 1:
        return on_scale(value, reach, "unit")
    return Bounds(min(1.0, max(0.0, value - reach)), min(1.0, max(0.0, value + reach)))
