"""Rows that one model has right and another wrong: McNemar's test of two models, Cochran's Q of several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import bdtr, chdtrc  # scipy.stats takes half a second to import


class Flips(NamedTuple):
    """Rows by who has them right, from model a to model b.

    fixed : wrong in a, right in b. broken : right in a, wrong in b. wrong_alike : of `both_wrong`, the same label.
    """

    fixed: int
    broken: int
    both_right: int
    both_wrong: int
    wrong_alike: int

    @property
    def n(self) -> int:
        """All rows."""
        return self.fixed + self.broken + self.both_right + self.both_wrong

    @property
    def disagreement(self) -> float:
        """Share of the rows that only one of the two has right; NaN without rows."""
        return (self.fixed + self.broken) / self.n if self.n else math.nan


class McNemar(NamedTuple):
    """Two-sided p values; 1 where the two never differ."""

    mid_p: float
    exact_p: float


class CochranQ(NamedTuple):
    """The test whether several models are right equally often; NaN where it is undefined."""

    q: float
    df: int
    p: float


def count_flips(rows: np.ndarray, right_a: np.ndarray, right_b: np.ndarray, same: np.ndarray) -> Flips:
    """Count rows by who is right; `rows` of every cell, bool arrays of the same length; `same`: equal predictions."""

    def total(chosen: np.ndarray) -> int:
        return int(rows[chosen].sum())

    neither = ~right_a & ~right_b
    return Flips(
        total(~right_a & right_b), total(right_a & ~right_b), total(right_a & right_b), total(neither),
        total(neither & same),
    )  # fmt: skip


def mcnemar(fixed: int, broken: int) -> McNemar:
    """McNemar's test of the rows that changed: mid-p, and the exact binomial p.

    Mid-p keeps closer to its level: the exact test is conservative with few changed rows.

    Source: Fagerland, Lydersen & Laake 2013, The McNemar test for binary matched-pairs data, BMC Medical Research
    Methodology 13, whose example of 1 and 7 changed rows has mid-p 0.039 and exact p 0.070.

    >>> [round(p, 3) for p in mcnemar(1, 7)], round(mcnemar(1, 1).mid_p, 3)
    ([0.039, 0.07], 0.75)
    """
    n, fewer = fixed + broken, min(fixed, broken)
    if not n:
        return McNemar(1.0, 1.0)
    below = float(bdtr(fewer, n, 0.5))
    here = math.exp(math.lgamma(n + 1) - math.lgamma(fewer + 1) - math.lgamma(n - fewer + 1) - n * math.log(2))
    if fixed == broken:  # every outcome is as far from equal as this one, or further
        return McNemar(1 - here / 2, 1.0)
    return McNemar(2 * below - here, min(1.0, 2 * below))


def cochran_q(right: Sequence[np.ndarray], rows: np.ndarray | None = None) -> CochranQ:
    """Cochran's Q: are k models right equally often on the same rows?

    right : k arrays, bool (n,). rows : rows that each entry stands for; None = one.

    Source: Cochran 1950, The comparison of percentages in matched samples, Biometrika 37.
    """
    table = np.array(right, dtype=np.float64)
    k, weight = len(table), np.ones(table.shape[1]) if rows is None else rows
    by_model, by_row = (table * weight).sum(axis=1), table.sum(axis=0)
    below = k * float((weight * by_row).sum()) - float((weight * by_row**2).sum())
    if k < 2:
        return CochranQ(math.nan, 0, math.nan)
    if below <= 0:
        return CochranQ(0.0, k - 1, 1.0)
    q = (k - 1) * (k * float((by_model**2).sum()) - float(by_model.sum()) ** 2) / below
    return CochranQ(q, k - 1, float(chdtrc(k - 1, q)))
