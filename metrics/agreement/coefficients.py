"""Percent agreement, kappas, AC1, alpha and a test of equal marginals, of weighted units; each is NaN where it is 0/0.

Weights are units of each row of ratings, float64 or int (m,), or (draws, m): each result is then (draws,).
Units with one rating tell how frequent categories are (Gwet), not how far raters agree.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.special import chdtrc

from metrics.agreement.ratings import MISSING, Ratings
from metrics.comparison.flips import mcnemar

Values = Any
"""A float, or float64 (draws,)."""


class Coefficients(NamedTuple):
    """Agreement of all raters; NaN where undefined, or where categories have no order or are no numbers."""

    percent_agreement: Values
    cohen_kappa: Values
    linear_kappa: Values
    quadratic_kappa: Values
    fleiss_kappa: Values
    scott_pi: Values
    brennan_prediger: Values
    gwet_ac1: Values
    alpha_nominal: Values
    alpha_ordinal: Values
    alpha_interval: Values


class PairAgreement(NamedTuple):
    """Two raters on the n units that both rated; weighted kappas are NaN where categories have no order."""

    n: Values
    percent_agreement: Values
    cohen_kappa: Values
    linear_kappa: Values
    quadratic_kappa: Values
    scott_pi: Values


def coefficients(ratings: Ratings, weights: np.ndarray) -> Coefficients:
    """Return every coefficient, with so many units of each row of ratings.

    Sources: Fleiss 1971; Gwet 2014, Handbook of inter-rater reliability, for missing ratings; Krippendorff 2011,
    Computing Krippendorff's alpha-reliability. Cohen's kappas and Scott's pi of more than two raters are means over
    their pairs (Light 1971).
    """
    counts, q = ratings.counts, len(ratings.categories)
    per_unit = counts.sum(axis=1)
    agreeing = (counts * (counts - 1)).sum(axis=1) / np.maximum(per_unit * (per_unit - 1), 1)
    agreement = _ratio(weights @ (agreeing * (per_unit >= 2)), weights @ (per_unit >= 2))
    shares = counts / np.maximum(per_unit, 1)[:, None]
    share = _ratio((weights @ shares).T, weights @ (per_unit >= 1))
    squares = (share**2).sum(axis=0)
    pairs = [pair_agreement(ratings, weights, a, b) for a, b in pairs_of(ratings)]
    gwet_ac1 = alpha_ordinal = alpha_interval = np.full(np.shape(agreement), math.nan)
    if q > 1:
        gwet_ac1 = _beyond(agreement, (1 - squares) / (q - 1))
    if ratings.has_order:
        alpha_ordinal = alpha(counts, weights, _midranks(counts, weights))
    if ratings.values is not None:
        alpha_interval = alpha(counts, weights, ratings.values)
    values = Coefficients(
        percent_agreement=agreement,
        cohen_kappa=_mean([pair.cohen_kappa for pair in pairs]),
        linear_kappa=_mean([pair.linear_kappa for pair in pairs]),
        quadratic_kappa=_mean([pair.quadratic_kappa for pair in pairs]),
        fleiss_kappa=_beyond(agreement, squares),
        scott_pi=_mean([pair.scott_pi for pair in pairs]),
        brennan_prediger=_beyond(agreement, np.full(np.shape(agreement), 1 / q)),
        gwet_ac1=gwet_ac1,
        alpha_nominal=alpha(counts, weights),
        alpha_ordinal=alpha_ordinal,
        alpha_interval=alpha_interval,
    )
    known = ~np.isnan(agreement)
    return Coefficients(*(_plain(np.where(known, value, math.nan)) for value in values))


def pairs_of(ratings: Ratings) -> list[tuple[int, int]]:
    """Return places of every two raters."""
    n = len(ratings.raters)
    return [(a, b) for a in range(n) for b in range(a + 1, n)]


def pair_agreement(ratings: Ratings, weights: np.ndarray, a: int, b: int) -> PairAgreement:
    """Return the agreement of two raters on the units that both rated.

    Weighted kappas count disagreements by their steps, or by the squares of these (Cohen 1968).
    """
    first, second = ratings.codes[:, a], ratings.codes[:, b]
    both = (first != MISSING) & (second != MISSING)
    n = weights @ both
    each = np.arange(len(ratings.categories))
    shares_a = _ratio((weights @ ((first[:, None] == each) & both[:, None])).T, n)
    shares_b = _ratio((weights @ ((second[:, None] == each) & both[:, None])).T, n)
    mean_shares = (shares_a + shares_b) / 2
    agreement = _ratio(weights @ (both & (first == second)), n)

    def weighted_kappa(cost: np.ndarray) -> np.ndarray:
        observed = _ratio(weights @ (both * cost[first, second]), n)
        by_chance = (shares_a * (cost @ shares_b)).sum(axis=0)
        return _beyond(1 - observed, 1 - by_chance)

    linear = quadratic = np.full(np.shape(agreement), math.nan)
    if ratings.has_order:
        steps = np.abs(each[:, None] - each)
        linear, quadratic = weighted_kappa(steps), weighted_kappa(steps**2)
    return PairAgreement(
        n=_plain(np.asarray(n, dtype=np.float64)),
        percent_agreement=_plain(agreement),
        cohen_kappa=_plain(_beyond(agreement, (shares_a * shares_b).sum(axis=0))),
        linear_kappa=_plain(linear),
        quadratic_kappa=_plain(quadratic),
        scott_pi=_plain(_beyond(agreement, (mean_shares * mean_shares).sum(axis=0))),
    )


def alpha(counts: np.ndarray, weights: np.ndarray, values: np.ndarray | None = None) -> Values:
    """Return Krippendorff's alpha: nominal, or of squared differences of the categories' values, (q,) or (draws, q)."""
    per_unit = counts.sum(axis=1)
    weight = np.where(per_unit >= 2, weights, 0)
    n_c = (weight @ counts).astype(np.float64)
    n = n_c.sum(axis=-1)
    below = np.maximum(per_unit - 1, 1)
    if values is None:
        observed = weight @ ((per_unit**2 - (counts**2).sum(axis=1)) / below)
        expected = n * n - (n_c**2).sum(axis=-1)
    else:
        # squared differences within a unit are a quadratic form of the values: one matrix for all draws
        middle = _ratio((n_c * values).sum(axis=-1), n)
        centred = np.atleast_2d(values - np.nan_to_num(np.expand_dims(middle, -1)))
        spread = per_unit[:, None] * (centred**2 @ counts.T).T - (centred @ counts.T).T ** 2
        within = 2 * spread / below[:, None]
        weighted = weight.T if weight.ndim == 2 else weight[:, None]
        observed = (weighted * within).sum(axis=0) if weight.ndim == 2 else (weighted * within).sum()
        of_all = (n_c * centred.reshape(np.shape(n_c))).sum(axis=-1)
        expected = 2 * (n * (n_c * centred.reshape(np.shape(n_c)) ** 2).sum(axis=-1) - of_all**2)
    possible = expected > 1e-12
    return _plain(np.where(possible, 1 - (n - 1) * observed / np.where(possible, expected, 1.0), math.nan))


def _midranks(counts: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the mean rank of the pairable ratings in each category; differences of these are Krippendorff's."""
    n_c = (np.where(counts.sum(axis=1) >= 2, weights, 0) @ counts).astype(np.float64)
    ranks: np.ndarray = np.cumsum(n_c, axis=-1) - n_c / 2
    return ranks


def _ratio(part: Values, whole: Values) -> np.ndarray:
    """Return the part of a whole, NaN where that is 0; the last axis of `part` are the draws."""
    whole = np.asarray(whole, dtype=np.float64)
    return np.asarray(np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), math.nan))


def _beyond(agreement: np.ndarray, chance: np.ndarray) -> np.ndarray:
    possible = 1 - chance > 1e-12
    return np.where(possible, (agreement - chance) / np.where(possible, 1 - chance, 1.0), math.nan)


def _mean(values: list[Values]) -> np.ndarray:
    """Return the mean of the defined values; NaN without."""
    every = np.array(values, dtype=np.float64)
    known = ~np.isnan(every)
    return _ratio(np.where(known, every, 0.0).sum(axis=0), known.sum(axis=0))


def _plain(value: Any) -> Values:
    """Return a float where there is one draw only."""
    return float(value) if np.ndim(value) == 0 else value


class Homogeneity(NamedTuple):
    """Test of equal marginals; NaN where undefined. statistic : NaN for the exact test of two categories."""

    test: str
    statistic: float
    df: int
    p: float


def marginal_homogeneity(first: np.ndarray, second: np.ndarray, weights: np.ndarray, q: int) -> Homogeneity:
    """Return mid-p McNemar of two categories, Stuart–Maxwell of more; categories that both use equally often drop out.

    Sources: Stuart 1955, Biometrika 42; Maxwell 1970, British Journal of Psychiatry 116.
    """
    table = np.zeros((q, q))
    np.add.at(table, (first, second), weights)
    used = np.flatnonzero(table.sum(axis=0) + table.sum(axis=1))
    table = table[np.ix_(used, used)]
    if len(used) < 2:
        return Homogeneity("undefined: one category", math.nan, 0, math.nan)
    if len(used) == 2:
        return Homogeneity("McNemar, mid-p", math.nan, 1, mcnemar(int(table[0, 1]), int(table[1, 0])).mid_p)
    moved = table.sum(axis=1) - table.sum(axis=0)
    spread = -(table + table.T)
    np.fill_diagonal(spread, table.sum(axis=1) + table.sum(axis=0) - 2 * np.diag(table))
    inverse, rank = np.linalg.pinv(spread, hermitian=True), int(np.linalg.matrix_rank(spread, hermitian=True))
    if not rank:
        return Homogeneity("Stuart–Maxwell", 0.0, 0, 1.0)
    statistic = float(moved @ inverse @ moved)
    return Homogeneity("Stuart–Maxwell", statistic, rank, float(chdtrc(rank, statistic)))
