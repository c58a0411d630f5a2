"""The true rate of a category, from the ratings of a judge that errs and the rows that people rated, too."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.polynomial import Polynomial

from metrics.shares import NO_BOUNDS, Bounds, critical_value


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


METHOD = "Rogan–Gladen; all rates that fit the judge's own rate"


class _Judge(NamedTuple):
    """The judge on the rows that people rated: sensitivity, specificity, and their variances."""

    sensitivity: float
    specificity: float
    of_sensitivity: float
    of_specificity: float


def corrected_rate(truth: np.ndarray, judge: np.ndarray, category: int, *, level: float = 0.95) -> CorrectedRate:
    """Correct the share of a category among a judge's ratings for its errors on the rows with a truth.

    (rate + specificity - 1) / (sensitivity + specificity - 1), kept in 0..1. Undefined without rows of either kind;
    for a judge that finds the category no more often where it is true than where it is not; and where no rate
    explains the judge's own.

    truth, judge : int (n,) codes; those below 0 (missing, a tie) are left out.

    Source: Rogan & Gladen 1978, American Journal of Epidemiology 107. The interval holds every true rate under which
    the judge's own rate would lie within the critical value of what it expects (Fieller 1954); one right and one
    wrong row are added to sensitivity and specificity (Lang & Reiczigel 2014, Preventive Veterinary Medicine 113); or
    as much of a row as the share of rows without a truth: where every row has one, errors need no guess. Rows with a
    truth count for the rate and for the judge's errors, which the variance allows for.

    >>> truth = np.array([1] * 50 + [0] * 50 + [-1] * 100)
    >>> judge = np.array([1] * 40 + [0] * 10 + [1] * 5 + [0] * 45 + [1] * 60 + [0] * 40)
    >>> found = corrected_rate(truth, judge, 1)  # judged (45 + 60) / 200, sensitivity 0.8, specificity 0.9
    >>> round(found.judged, 3), round(found.value, 3)
    (0.525, 0.607)
    """
    chosen = judge >= 0
    is_judged, known, true = judge[chosen] == category, truth[chosen] >= 0, truth[chosen] == category
    positive, negative = known & true, known & ~true
    judged, sensitivity, specificity = _share(is_judged), _share(is_judged[positive]), _share(~is_judged[negative])
    rates = (judged, len(is_judged), sensitivity, specificity, int(positive.sum()), int(negative.sum()))
    above = sensitivity + specificity - 1
    if math.isnan(above):
        return _undefined_rate("people rated no row of the category, or none of the others", rates)
    if not above > 0:
        return _undefined_rate("the judge tells the category apart no better than chance", rates)
    value = min(1.0, max(0.0, (judged + specificity - 1) / above))
    unrated = 1 - (rates[4] + rates[5]) / len(is_judged)
    of_true = _add_rows(int(is_judged[positive].sum()), rates[4], unrated)
    of_others = _add_rows(int((~is_judged[negative]).sum()), rates[5], unrated)
    errors = _Judge(of_true[0], of_others[0], of_true[1], of_others[1])
    bounds = _bounds(judged, len(is_judged), rates[4] + rates[5], errors, critical_value(level))
    if math.isnan(bounds.low):
        return _undefined_rate("the rated rows do not fit the others", rates)
    return CorrectedRate(value, min(value, bounds.low), max(value, bounds.high), METHOD, *rates)


def _share(is_part: np.ndarray) -> float:
    return float(is_part.mean()) if len(is_part) else math.nan


def _undefined_rate(why: str, rates: tuple[float, int, float, float, int, int]) -> CorrectedRate:
    return CorrectedRate(math.nan, math.nan, math.nan, f"undefined: {why}", *rates)


def _add_rows(part: int, whole: int, more: float) -> tuple[float, float]:
    """Return a share with `more` rows of either kind added, and its variance."""
    share = (part + more) / (whole + 2 * more)
    return share, share * (1 - share) / (whole + 2 * more)


def _bounds(judged: float, n: int, n_rated: int, judge: _Judge, z: float) -> Bounds:
    """Return the ends of the true rates that explain the judge's own; NaN where none does.

    A judged rate that only a true rate beyond 0..1 would expect then counts as the nearest expected one. So the
    interval does not shrink to a point there.

    n_rated : of the n rows, those with a truth. On them the judge's errors are known, so that only the share of the
    category varies; on the others the errors are those of the rated rows. Each part of the variance is 0 or more.
    """
    sensitivity, specificity, share = judge.sensitivity, judge.specificity, n_rated / n
    rate, others = Polynomial([0.0, 1.0]), Polynomial([1.0, -1.0])
    expected = rate * sensitivity + others * (1 - specificity)
    of_errors = rate**2 * judge.of_sensitivity + others**2 * judge.of_specificity
    of_rated = rate * others * (sensitivity + specificity - 1) ** 2
    variance = (1 - share) ** 2 * of_errors + (1 - share) / n * expected * (1 - expected) + share / n * of_rated
    if math.isnan(_not_above_zero((judged - expected) ** 2 - z * z * variance).low):
        return NO_BOUNDS
    inside = min(max(judged, 1 - specificity), sensitivity)
    return _not_above_zero((inside - expected) ** 2 - z * z * variance)


def _not_above_zero(quadratic: Polynomial) -> Bounds:
    """Return the first and last of 0..1 at which a polynomial is 0 or less; NaN where it never is."""
    roots = quadratic.roots()
    ends = np.unique([0.0, *np.clip(roots[np.isreal(roots)].real, 0, 1), 1.0])
    kept = np.flatnonzero(quadratic((ends[1:] + ends[:-1]) / 2) <= 0)
    return Bounds(float(ends[kept[0]]), float(ends[kept[-1] + 1])) if len(kept) else NO_BOUNDS
