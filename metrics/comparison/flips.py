"""Rows that one model has right and another wrong: McNemar's test of two models, Cochran's Q of several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import bdtr, chdtrc, ndtr  # scipy.stats takes half a second to import

from metrics.limits import MAX_COUNTED_FLIPS

_BY_CLUSTERS = "models change places in whole clusters"
_BLOCKS = "clusters as blocks, Box's epsilon"


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
        """Return all rows."""
        return self.fixed + self.broken + self.both_right + self.both_wrong

    @property
    def disagreement(self) -> float:
        """Return the share of the rows that only one of the two has right; NaN without rows."""
        return (self.fixed + self.broken) / self.n if self.n else math.nan


class McNemar(NamedTuple):
    """Two-sided p values; 1 where the two never differ. method : of the test."""

    mid_p: float
    exact_p: float
    method: str = "binomial"


class CochranQ(NamedTuple):
    """The test whether several models are right equally often; NaN where it is undefined."""

    q: float
    df: int
    p: float
    method: str = "rows"


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
    """Return McNemar's test of the rows that changed: mid-p, and the exact binomial p.

    Mid-p keeps closer to its level: the exact test is conservative with few changed rows.

    Source: Fagerland, Lydersen & Laake 2013, The McNemar test for binary matched-pairs data, BMC Medical Research
    Methodology 13. Its example of 1 and 7 changed rows has mid-p 0.039 and exact p 0.070.

    >>> [round(p, 3) for p in mcnemar(1, 7)[:2]], round(mcnemar(1, 1).mid_p, 3)
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


def clustered_mcnemar(net: np.ndarray) -> McNemar:
    """Return McNemar's test by clusters: p of net fixes when the models of whole clusters change places at random.

    Each cluster keeps its rows and their likeness. With one row a cluster this is McNemar's exact test. The
    distribution of the sum is computed from its characteristic function; of more than 20,000 net rows it is normal.

    net : int64 (g,), rows fixed less rows broken of every cluster.

    Source: Fisher 1935, The Design of Experiments, section 21; the variance of the sum is that of Obuchowski 1998, On
    the comparison of correlated proportions for clustered data, Statistics in Medicine 17.

    >>> [round(p, 3) for p in clustered_mcnemar(np.array([1, 1, 1, 1, 1, 1, 1, -1]))[:2]]
    [0.039, 0.07]
    """
    size, n_clusters = np.unique(np.abs(net[net != 0]), return_counts=True)
    seen, most = abs(int(net.sum())), int(size @ n_clusters)
    if not most:
        return McNemar(1.0, 1.0, _BY_CLUSTERS)
    if most > MAX_COUNTED_FLIPS:
        p = 2 * float(ndtr(-seen / math.sqrt(float((size.astype(np.float64) ** 2) @ n_clusters))))
        return McNemar(p, p, f"{_BY_CLUSTERS}, normal")
    length = 2 * most + 1
    angle = 2 * np.pi * np.arange(most + 1) / length
    chance = np.fft.irfft(np.prod(np.cos(np.outer(size, angle)) ** n_clusters[:, None], axis=0), length)
    away = np.minimum(np.arange(length), length - np.arange(length))  # place length - s is the sum -s
    beyond, here = float(chance[away > seen].sum()), float(chance[away == seen].sum())
    beyond, here = max(0.0, beyond), max(0.0, here)
    return McNemar(min(1.0, beyond + here / 2), min(1.0, beyond + here), _BY_CLUSTERS)


def cochran_q(
    right: Sequence[np.ndarray], rows: np.ndarray | None = None, cluster: np.ndarray | None = None
) -> CochranQ:
    """Test by Cochran's Q if k models are right equally often on the same rows.

    By clusters, a cluster is one block of k sums. Where models are not equally alike, q and its degrees are lowered
    (Box's epsilon, as Greenhouse and Geisser estimate it).

    right : k arrays, bool (n,). rows : rows that each entry stands for; None = one. cluster : int64 (n,), from 0.

    Source: Cochran 1950, The comparison of percentages in matched samples, Biometrika 37; Box 1954, Annals of
    Mathematical Statistics 25.
    """
    table = np.array(right, dtype=np.float64)
    k, weight = len(table), np.ones(table.shape[1]) if rows is None else rows
    method = "rows" if cluster is None else _BLOCKS
    if k < 2:
        return CochranQ(math.nan, 0, math.nan, method)
    if cluster is not None:
        table = np.stack([np.bincount(cluster, is_right * weight) for is_right in table])
        weight = np.ones(table.shape[1])
    away = table - table.mean(axis=0)
    products = (away * weight) @ away.T
    spread = float(np.trace(products))
    if spread <= 1e-9:
        return CochranQ(0.0, k - 1, 1.0, method)
    q = (k - 1) * float(((away @ weight) ** 2).sum()) / spread
    alike = 1.0 if cluster is None else min(1.0, spread**2 / float((products**2).sum()) / (k - 1))
    return CochranQ(q, k - 1, float(chdtrc(alike * (k - 1), alike * q)), method)
