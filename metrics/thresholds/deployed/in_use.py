"""Compute what a threshold does where the model will run, from its recall and false positive rate on these rows.

Only the share of positives differs there (label shift): recall and the false positive rate stay. The two are
independent, one of the positives and one of the negatives, so every interval is made of their two.

Sources: Zou & Donner 2008, Construction of confidence limits about effect measures, Statistics in Medicine 27 (sums);
Donner & Zou 2012, Closed-form confidence intervals for functions of the normal mean and standard deviation,
Statistical Methods in Medical Research 21 (ratios).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from metrics.shares import Bounds, square_and_add


class Estimate(NamedTuple):
    """A number and the ends of its interval; NaN where it is undefined."""

    value: float
    low: float
    high: float


UNDEFINED = Estimate(math.nan, math.nan, math.nan)


class Rates(NamedTuple):
    """Recall and false positive rate of a threshold."""

    recall: Estimate
    fpr: Estimate


class Place(NamedTuple):
    """Say where the model will run.

    prevalence : share of positives there, 0..1. rows : a day. cost_fp, cost_fn : of one mistake, not negative.
    """

    prevalence: float
    rows: float
    cost_fp: float = 1.0
    cost_fn: float = 1.0

    @property
    def odds(self) -> float:
        """Return the price of a false alarm in missed rows; NaN where a miss is free."""
        return self.cost_fp / self.cost_fn if self.cost_fn > 0 else math.nan


class InUse(NamedTuple):
    """Effects of a threshold in a day: rows predicted positive, found, missed and wrongly predicted, and their cost.

    benefit : net benefit, rows found less the false alarms at their price in missed rows; NaN where a miss is free.
    """

    predicted: Estimate
    found: Estimate
    missed: Estimate
    false_alarms: Estimate
    precision: Estimate
    npv: Estimate
    cost: Estimate
    benefit: Estimate


def compute_use(rates: Rates, place: Place) -> InUse:
    """Return what a threshold with these rates does in a day.

    Precision is s * p / (s * p + f * (1 - p)) for recall s, false positive rate f and prevalence p.

    >>> exact = Rates(Estimate(0.9, 0.9, 0.9), Estimate(0.1, 0.1, 0.1))
    >>> found = compute_use(exact, Place(prevalence=0.01, rows=1000, cost_fp=1, cost_fn=50))
    >>> [round(number.value, 4) for number in found]
    [108.0, 9.0, 1.0, 99.0, 0.0833, 0.9989, 149.0, 7.02]
    """
    positives, negatives = place.rows * place.prevalence, place.rows * (1 - place.prevalence)
    miss, specificity = _rest(rates.recall), _rest(rates.fpr)
    positives_found, missed = times(rates.recall, positives), times(miss, positives)
    false_alarms = times(rates.fpr, negatives)
    return InUse(
        predicted=_add(positives_found, false_alarms),
        found=positives_found,
        missed=missed,
        false_alarms=false_alarms,
        precision=_share_of_first(rates.recall, place.prevalence, rates.fpr, 1 - place.prevalence),
        npv=_share_of_first(specificity, 1 - place.prevalence, miss, place.prevalence),
        cost=_add(times(false_alarms, place.cost_fp), times(missed, place.cost_fn)),
        benefit=subtract(positives_found, times(false_alarms, place.odds)) if place.cost_fn > 0 else UNDEFINED,
    )


def times(estimate: Estimate, factor: float) -> Estimate:
    """Return an estimate times a number that is not negative."""
    return Estimate(estimate.value * factor, estimate.low * factor, estimate.high * factor)


def _rest(share: Estimate) -> Estimate:
    return Estimate(1 - share.value, 1 - share.high, 1 - share.low)


def _add(a: Estimate, b: Estimate) -> Estimate:
    """Return the sum of two independent estimates."""
    down = math.hypot(a.value - a.low, b.value - b.low)
    up = math.hypot(a.high - a.value, b.high - b.value)
    total = a.value + b.value
    return Estimate(total, total - down, total + up)


def subtract(a: Estimate, b: Estimate) -> Estimate:
    """Return the difference of two independent estimates."""
    return Estimate(a.value - b.value, *square_and_add(b.value, Bounds(*b[1:]), a.value, Bounds(*a[1:])))


def _share_of_first(a: Estimate, weight_a: float, b: Estimate, weight_b: float) -> Estimate:
    """Return a's share of the weighted sum of a and b; NaN where both count nothing."""
    first, second = a.value * weight_a, b.value * weight_b
    if not first + second > 0:
        return UNDEFINED
    ratio = divide(a, b)
    return Estimate(first / (first + second), *(_share_of_ratio(end, weight_a, weight_b) for end in ratio[1:]))


def _share_of_ratio(ratio: float, weight_a: float, weight_b: float) -> float:
    return 1.0 if math.isinf(ratio) else ratio * weight_a / (ratio * weight_a + weight_b)


def divide(a: Estimate, b: Estimate) -> Estimate:
    """Return the ratio of two independent estimates that are not negative; inf where only b is 0, NaN for 0/0.

    >>> [round(end, 3) for end in divide(Estimate(0.8, 0.7, 0.9), Estimate(0.2, 0.1, 0.3))]
    [4.0, 2.605, 8.062]
    """
    if not a.value + b.value > 0:
        return UNDEFINED
    product, square = a.value * b.value, (a.value * b.value) ** 2
    low_a, high_a = a.low * (2 * a.value - a.low), a.high * (2 * a.value - a.high)
    low_b, high_b = b.low * (2 * b.value - b.low), b.high * (2 * b.value - b.high)
    # ends that are NaN stay NaN: no comparison with them holds, and max keeps its first number then
    low = 0.0 if low_a <= 0 else low_a / (product + math.sqrt(max(square - low_a * high_b, 0.0)))
    high = math.inf if low_b <= 0 else (product + math.sqrt(max(square - high_a * low_b, 0.0))) / low_b
    return Estimate(a.value / b.value if b.value > 0 else math.inf, low, high)


class UsefulPrevalence(NamedTuple):
    """Between two prevalences a threshold costs less than predicting no row, and than predicting every row, positive.

    low, high : the two; NaN where the threshold itself predicts none, or every row.
    """

    low: Estimate
    high: Estimate


def useful_prevalence(rates: Rates, cost_fp: float, cost_fn: float) -> UsefulPrevalence:
    """Return the prevalences between which the threshold is worth its false positives.

    Below the first, (1 - p) * f * cost_fp outweighs p * s * cost_fn; above the second, p * (1 - s) * cost_fn outweighs
    (1 - p) * (1 - f) * cost_fp.

    >>> exact = Rates(Estimate(0.9, 0.9, 0.9), Estimate(0.1, 0.1, 0.1))
    >>> low, high = useful_prevalence(exact, cost_fp=1, cost_fn=50)
    >>> round(low.value, 5), round(high.value, 5)
    (0.00222, 0.15254)
    """
    if not cost_fp > 0 or not cost_fn > 0:
        return UsefulPrevalence(UNDEFINED, UNDEFINED)
    none, every = divide(rates.fpr, rates.recall), divide(_rest(rates.fpr), _rest(rates.recall))
    low, high = (Estimate(*(_share_of_ratio(end, cost_fp, cost_fn) for end in ratio)) for ratio in (none, every))
    return UsefulPrevalence(low, high)


def saving(between: Rates, place: Place, *, is_lower: bool) -> Estimate:
    """Return how much less a day costs at a threshold than at another one; below 0 it costs more.

    between : the shares of positives and of negatives between the two, in whose rows alone they differ.
    is_lower : whether the threshold is the lower one, at which these rows are predicted positive.

    >>> between = Rates(Estimate(0.5, 0.1, 0.9), Estimate(0.0, 0.0, 0.7))
    >>> saving(between, Place(0.5, 4, cost_fp=1, cost_fn=3), is_lower=True).value
    3.0
    """
    missed = times(between.recall, place.rows * place.prevalence * place.cost_fn)
    alarms = times(between.fpr, place.rows * (1 - place.prevalence) * place.cost_fp)
    return subtract(missed, alarms) if is_lower else subtract(alarms, missed)
