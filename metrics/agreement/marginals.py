"""Do two raters use the categories equally often: is one stricter than the other?"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc

from metrics.comparison.flips import mcnemar


class Homogeneity(NamedTuple):
    """Test of equal marginals; NaN where undefined. statistic : NaN for the exact test of two categories."""

    test: str
    statistic: float
    df: int
    p: float


def marginal_homogeneity(one: np.ndarray, two: np.ndarray, weights: np.ndarray, q: int) -> Homogeneity:
    """Return mid-p McNemar of two categories, Stuart–Maxwell of more; categories that both use equally often drop out.

    Sources: Stuart 1955, Biometrika 42; Maxwell 1970, British Journal of Psychiatry 116.
    """
    table = np.zeros((q, q))
    np.add.at(table, (one, two), weights)
    used = np.flatnonzero(table.sum(axis=0) + table.sum(axis=1))
    table = table[np.ix_(used, used)]
    if len(used) < 2:
        return Homogeneity("undefined: one category", math.nan, 0, math.nan)
    if len(used) == 2:
        return Homogeneity("McNemar, mid-p", math.nan, 1, mcnemar(int(table[0, 1]), int(table[1, 0])).mid_p)
    moved = table.sum(axis=1) - table.sum(axis=0)
    spread = np.diag(table.sum(axis=1) + table.sum(axis=0)) - table - table.T
    np.fill_diagonal(spread, table.sum(axis=1) + table.sum(axis=0) - 2 * np.diag(table))
    inverse, rank = np.linalg.pinv(spread, hermitian=True), int(np.linalg.matrix_rank(spread, hermitian=True))
    if not rank:
        return Homogeneity("Stuart–Maxwell", 0.0, 0, 1.0)
    statistic = float(moved @ inverse @ moved)
    return Homogeneity("Stuart–Maxwell", statistic, rank, float(chdtrc(rank, statistic)))
