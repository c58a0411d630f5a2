"""Percent agreement, kappas, AC1 and alpha of weighted units; each is NaN where it is 0/0.

Units with one rating tell how frequent categories are (Gwet), not how far raters agree.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from metrics.agreement.ratings import MISSING, Ratings


class Coefficients(NamedTuple):
    """Agreement of all raters; NaN where undefined, or where categories have no order or are no numbers."""

    percent_agreement: float
    cohen_kappa: float
    fleiss_kappa: float
    scott_pi: float
    brennan_prediger: float
    gwet_ac1: float
    alpha_nominal: float
    alpha_ordinal: float
    alpha_interval: float


class PairAgreement(NamedTuple):
    """Two raters on the n units that both rated."""

    n: float
    percent_agreement: float
    cohen_kappa: float
    scott_pi: float


def coefficients(ratings: Ratings, weights: np.ndarray) -> Coefficients:
    """Every coefficient, with so many units of each row of ratings.

    Sources: Fleiss 1971; Gwet 2014, Handbook of inter-rater reliability, for missing ratings; Krippendorff 2011,
    Computing Krippendorff's alpha-reliability. Cohen's kappa and Scott's pi of more than two raters are means over
    their pairs (Light 1971).
    """
    counts, q = ratings.counts, len(ratings.categories)
    per_unit = counts.sum(axis=1)
    pairable, rated = weights * (per_unit >= 2), weights * (per_unit >= 1)
    nan = math.nan
    if not pairable.sum():
        return Coefficients(*(nan,) * len(Coefficients._fields))
    agreeing = (counts * (counts - 1)).sum(axis=1) / np.maximum(per_unit * (per_unit - 1), 1)
    agreement = float((pairable * agreeing).sum() / pairable.sum())
    share = (rated[:, None] * counts / np.maximum(per_unit, 1)[:, None]).sum(axis=0) / rated.sum()
    squares = float((share**2).sum())
    pairs = [pair_agreement(ratings, weights, a, b) for a, b in pairs_of(ratings)]
    order = ratings.ordered or ratings.values is not None
    return Coefficients(
        agreement,
        _mean([pair.cohen_kappa for pair in pairs]),
        _beyond(agreement, squares),
        _mean([pair.scott_pi for pair in pairs]),
        _beyond(agreement, 1 / q),
        _beyond(agreement, (1 - squares) / (q - 1)) if q > 1 else nan,
        alpha(counts, weights),
        alpha(counts, weights, _midranks(counts, weights)) if order else nan,
        alpha(counts, weights, ratings.values) if ratings.values is not None else nan,
    )


def pairs_of(ratings: Ratings) -> list[tuple[int, int]]:
    """Places of every two raters."""
    n = len(ratings.raters)
    return [(a, b) for a in range(n) for b in range(a + 1, n)]


def pair_agreement(ratings: Ratings, weights: np.ndarray, a: int, b: int) -> PairAgreement:
    """Agreement of two raters on the units that both rated."""
    one, two = ratings.codes[:, a], ratings.codes[:, b]
    both = weights * ((one != MISSING) & (two != MISSING))
    n = float(both.sum())
    if not n:
        return PairAgreement(0.0, math.nan, math.nan, math.nan)
    q = len(ratings.categories)
    known = both > 0
    of_a, of_b = (np.bincount(codes[known], both[known], minlength=q) / n for codes in (one, two))
    agreement = float(both[one == two].sum() / n)
    mean = (of_a + of_b) / 2
    kappa, pi = _beyond(agreement, float((of_a * of_b).sum())), _beyond(agreement, float((mean * mean).sum()))
    return PairAgreement(n, agreement, kappa, pi)


def alpha(counts: np.ndarray, weights: np.ndarray, values: np.ndarray | None = None) -> float:
    """Krippendorff's alpha: nominal, or of the squared differences of the categories' values."""
    per_unit = counts.sum(axis=1)
    weight = np.where(per_unit >= 2, weights, 0)
    n_c = (weight[:, None] * counts).sum(axis=0).astype(np.float64)
    n = float(n_c.sum())
    if not n:
        return math.nan
    below = np.maximum(per_unit - 1, 1)
    if values is None:
        observed = (weight * (per_unit**2 - (counts**2).sum(axis=1)) / below).sum()
        expected = n * n - (n_c**2).sum()
    else:
        centred = values - (n_c * values).sum() / n
        sums, squares = counts @ centred, counts @ centred**2
        observed = (weight * 2 * (per_unit * squares - sums**2) / below).sum()
        expected = 2 * (n * (n_c * centred**2).sum() - (n_c * centred).sum() ** 2)
    return 1 - float((n - 1) * observed / expected) if expected > 1e-12 else math.nan


def _midranks(counts: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Mean rank of the pairable ratings in each category: their differences are Krippendorff's ordinal ones."""
    weight = np.where(counts.sum(axis=1) >= 2, weights, 0)
    n_c = (weight[:, None] * counts).sum(axis=0).astype(np.float64)
    ranks: np.ndarray = np.cumsum(n_c) - n_c / 2
    return ranks


def _beyond(agreement: float, chance: float) -> float:
    return (agreement - chance) / (1 - chance) if 1 - chance > 1e-12 else math.nan


def _mean(values: list[float]) -> float:
    """Mean of the defined values; NaN without."""
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan
