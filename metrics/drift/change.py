"""Explain why a share changed between two sets of rows: by the mix of their classes, or by the rest."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from metrics.intervals.shares import critical_value, wilson


class Part(NamedTuple):
    """A part of a change, with its interval."""

    value: float
    low: float
    high: float


class Change(NamedTuple):
    """Accuracy of two sets of rows and the two parts of its change, which add up to it."""

    before: float
    after: float
    mix: Part
    rest: Part


def split_change(
    right: tuple[np.ndarray, np.ndarray], rows: tuple[np.ndarray, np.ndarray], *, level: float = 0.95
) -> Change:
    """Split the change of accuracy into the mix of true classes and the rest.

    Mix : the change of every class's share times its mean accuracy; rest : the change of every class's accuracy times
    its mean share. A class that only one side has takes the accuracy that it has there. Intervals are by the delta
    method.

    right, rows : int64 (k,) of either side, rows of every true class that are right, and all of them.

    Source: Kitagawa 1955, Components of a difference between two rates, JASA 50.

    >>> found = split_change((np.array([90, 10]), np.array([45, 20])), (np.array([100, 20]), np.array([50, 40])))
    >>> round(found.after - found.before, 4) == round(found.mix.value + found.rest.value, 4)
    True
    """
    totals = [int(n.sum()) for n in rows]
    if not all(totals):
        undefined = Part(math.nan, math.nan, math.nan)
        return Change(math.nan, math.nan, undefined, undefined)
    shares = [n / total for n, total in zip(rows, totals, strict=True)]
    own = [np.where(n > 0, r / np.where(n > 0, n, 1), np.nan) for r, n in zip(right, rows, strict=True)]
    accuracy = [np.nan_to_num(np.where(np.isnan(a), b, a)) for a, b in (own, own[::-1])]
    moved_share, moved = shares[1] - shares[0], accuracy[1] - accuracy[0]
    middle, mean_share = (accuracy[0] + accuracy[1]) / 2, (shares[0] + shares[1]) / 2
    mix, rest = float((moved_share * middle).sum()), float((mean_share * moved).sum())
    alone = (rows[0] > 0) != (rows[1] > 0)  # its accuracy is that of one side: it counts whole for the mix
    half, own_share = np.where(alone, 1.0, 0.5), np.where(alone, 0.0, mean_share)
    variances, z = np.zeros(2), critical_value(level)
    for sign, r, n, share, a in zip((-1, 1), right, rows, shares, accuracy, strict=True):
        by_mix, by_rest = sign * (middle - share @ middle), (moved - share @ moved) / 2
        for outcome, counted in ((1, r), (0, n - r)):
            away = np.divide(outcome - a, share, out=np.zeros(len(a)), where=share > 0)
            influence = np.stack([by_mix + moved_share * half * away, by_rest + sign * own_share * away])
            variances += (counted * influence**2).sum(axis=1) / n.sum() ** 2
        variances += (_edge_variance(r, n, z) * np.stack([moved_share * half, own_share]) ** 2).sum(axis=1)
    reach = z * np.sqrt(variances)
    parts = [Part(value, value - by, value + by) for value, by in zip((mix, rest), reach.tolist(), strict=True)]
    return Change(float(right[0].sum() / totals[0]), float(right[1].sum() / totals[1]), *parts)


def _edge_variance(right: np.ndarray, rows: np.ndarray, z: float) -> np.ndarray:
    """Variance of Wilson's interval of accuracies of exactly 0 or 1, where the delta method sees none; 0 of others."""
    found = np.zeros(len(rows))
    for at in np.flatnonzero((rows > 0) & ((right == 0) | (right == rows))):
        low, high = wilson(float(right[at]), float(rows[at]), z)
        found[at] = ((high - low) / (2 * z)) ** 2
    return found
