"""Intervals of shares: Wilson's of one, Newcombe's of the difference of two."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np


class Bounds(NamedTuple):
    """The ends of an interval; NaN where undefined."""

    low: float
    high: float


NO_BOUNDS = Bounds(math.nan, math.nan)
_NORMAL_QUANTILES = {0.9: 1.6448536269514722, 0.95: 1.959963984540054, 0.99: 2.5758293035489004}
"""SciPy's values for the usual levels: importing it takes longer than scoring a small file."""


def divide_part(part: float, whole: float) -> float:
    """Return a part of a whole as a share; NaN where the whole is 0."""
    return part / whole if whole else math.nan


def critical_value(level: float, n_clusters: int | None = None) -> float:
    """Return the two-sided normal quantile, or that of Student's t with n_clusters - 1 degrees of freedom.

    >>> round(critical_value(0.95), 3), round(critical_value(0.95, 11), 3)
    (1.96, 2.228)
    """
    if n_clusters is None and level in _NORMAL_QUANTILES:
        return _NORMAL_QUANTILES[level]
    from scipy.special import ndtri, stdtrit

    tail = (1 + level) / 2
    if n_clusters is None:
        return float(ndtri(tail))
    return float(stdtrit(n_clusters - 1, tail)) if n_clusters > 1 else math.nan


def wilson(part: float, whole: float, z: float) -> Bounds:
    """Return Wilson's score interval of a share, without continuity correction, 0..1; NaN for 0/0.

    Source: Wilson 1927, JASA 22; recommended by Brown, Cai & DasGupta 2001, Statistical Science 16.

    >>> [round(bound, 4) for bound in wilson(81, 263, critical_value(0.95))]  # Newcombe 1998, table I
    [0.2553, 0.3662]
    """
    if whole <= 0 or math.isnan(z):
        return NO_BOUNDS
    share, square = part / whole, z * z
    middle = part + square / 2
    reach = z * math.sqrt(max(0.0, whole * share * (1 - share)) + square / 4)
    low, high = (middle - reach) / (whole + square), (middle + reach) / (whole + square)
    return Bounds(0.0 if part <= 0 else max(0.0, low), 1.0 if part >= whole else min(1.0, high))


class ManyBounds(NamedTuple):
    """Ends of intervals, float64 (m,); NaN where undefined."""

    low: np.ndarray
    high: np.ndarray


def wilson_bounds(part: np.ndarray, whole: np.ndarray, z: float | np.ndarray) -> ManyBounds:
    """Return `wilson` of many shares; z : one for all, or one each."""
    safe, square = np.where(whole > 0, whole, np.nan), z * z
    share, middle = part / safe, part + square / 2
    reach = z * np.sqrt(np.maximum(0.0, safe * share * (1 - share)) + square / 4)
    low, high = (np.clip((middle + side) / (safe + square), 0.0, 1.0) for side in (-reach, reach))
    return ManyBounds(np.where((part <= 0) & (whole > 0), 0.0, low), np.where(part >= safe, 1.0, high))


def outnumbers(more: float, fewer: float) -> bool:
    """Return whether one count of rows is clearly larger than another: its share of both, by Wilson's 95 % interval.

    >>> outnumbers(30, 10), outnumbers(6, 4)
    (True, False)
    """
    return wilson(more, more + fewer, critical_value(0.95)).low > 0.5


def paired_difference(both: float, only_a: float, only_b: float, neither: float, z: float) -> Bounds:
    """Return Newcombe's interval (method 10) of b - a, two shares of the same rows.

    both, only_a, only_b, neither : rows right under both models, under one of them only, under none.

    Source: Newcombe 1998, Improved confidence intervals for the difference between binomial proportions based on
    paired data, Statistics in Medicine 17.

    >>> [round(bound, 4) for bound in paired_difference(36, 12, 2, 0, critical_value(0.95))]  # b - a: -10/50
    [-0.3404, -0.0569]
    """
    n = both + only_a + only_b + neither
    if not n:
        return NO_BOUNDS
    right_a, right_b = both + only_a, both + only_b
    margins = right_a * (n - right_a) * right_b * (n - right_b)
    cross = both * neither - only_a * only_b
    if cross > 0:
        cross = max(cross - n / 2, 0.0)
    correlation = cross / math.sqrt(margins) if margins else 0.0
    return square_and_add(
        right_a / n, wilson(right_a, n, z), right_b / n, wilson(right_b, n, z), correlation
    )  # fmt: skip


def square_and_add(a: float, of_a: Bounds, b: float, of_b: Bounds, correlation: float = 0.0) -> Bounds:
    """Return the interval of b - a from the intervals of a and of b and the correlation of the two estimates.

    Source: Zou & Donner 2008, Construction of confidence limits about effect measures, Statistics in Medicine 27; it
    is Newcombe's method 10 (paired) and Newcombe's interval of two samples where a and b are shares.
    """
    ends_a, ends_b = (ManyBounds(np.array(ends.low), np.array(ends.high)) for ends in (of_a, of_b))
    low, high = difference_bounds(np.array(a), ends_a, np.array(b), ends_b, correlation)
    return Bounds(float(low), float(high))


def difference_bounds(
    a: np.ndarray, of_a: ManyBounds, b: np.ndarray, of_b: ManyBounds, correlation: float | np.ndarray = 0.0
) -> ManyBounds:
    """Return `square_and_add` of many pairs; NaN stays NaN."""
    correlation = np.clip(correlation, -1, 1)  # rounding may take it beyond
    down_b, up_b, down_a, up_a = b - of_b.low, of_b.high - b, a - of_a.low, of_a.high - a
    apart = np.sqrt(1 - np.square(correlation))
    with np.errstate(invalid="ignore"):  # an end without limit times 0; `hypot` of it is without limit, too
        low = np.hypot(down_b - correlation * up_a, apart * up_a)  # x² + y² - 2 r x y, whose squares may overflow
        high = np.hypot(up_b - correlation * down_a, apart * down_a)
    return ManyBounds(b - a - low, b - a + high)
