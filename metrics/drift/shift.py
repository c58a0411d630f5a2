"""Measure how far a column moved between two sets of different rows, beside what chance alone moves."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc, chdtri, fdtrc, fdtri

from metrics.drift.grouped_rows import Grouped, WeightedRows, null_of_shift
from metrics.shares import Bounds, critical_value, square_and_add, wilson

_EXPECTED = 5
_HALF = 0.5
"""A row added to every bin of both sides, so that an empty one does not make the index infinite."""


class Shift(NamedTuple):
    """The shift of a column's values between two sets of rows; NaN where it is undefined.

    psi : population stability index. by_chance : what it stays under in 95 of 100 files without a shift.
    p : of Pearson's chi-squared test, by clusters with the correction of Rao and Scott.
    largest : place of the value whose share moved most, -1 without; before, after : its shares.
    """

    psi: float
    by_chance: float
    p: float
    largest: int
    before: float
    after: float


class ShareShift(NamedTuple):
    """A share of two sets of rows: before, after, and their difference with its interval and p.

    chosen_of : how many shares it was chosen from because it moved most; interval and p are corrected for that.
    """

    before: float
    after: float
    difference: float
    low: float
    high: float
    p: float
    chosen_of: int = 1


_UNTOLD = Shift(math.nan, math.nan, math.nan, -1, math.nan, math.nan)


def shift(before: np.ndarray, after: np.ndarray, *, level: float = 0.95, cells: Grouped | None = None) -> Shift:
    """Return how far a column moved.

    Bins that expect fewer than 5 rows on a side are put together. Without a shift the index is about
    (1 / n + 1 / m) times a chi-squared variable with one degree less than there are bins.

    before, after : int64 (b,), rows of every value or bin, or their weight in units: then it counts effective rows.
    cells : the same rows by cluster, or with their weights; None = rows are independent.

    Source: Yurdakul & Naranjo 2020, Statistical properties of the population stability index, Journal of Risk Model
    Validation 14.

    >>> found = shift(np.array([50, 50]), np.array([80, 20]))
    >>> round(found.psi, 3), round(found.by_chance, 3), found.largest
    (0.406, 0.077, 0)
    """
    n, m = float(before.sum()), float(after.sum())
    if not n or not m:
        return _UNTOLD
    moved = np.abs(after / m - before / n)
    largest = int(moved.argmax())
    shares = float(before[largest] / n), float(after[largest] / m)
    if isinstance(cells, WeightedRows):
        few = cells.effective()
        before, after, n, m = before * (few[0] / n), after * (few[1] / m), *few
    place = _pooled_bins(before, after)
    first, second = (np.bincount(place, side).astype(np.float64) for side in (before, after))
    degrees = len(first) - 1
    if degrees < 1:
        return _UNTOLD._replace(largest=largest, before=shares[0], after=shares[1])
    ours, theirs = ((part + _HALF) / (part + _HALF).sum() for part in (first, second))
    psi = float(((theirs - ours) * np.log(theirs / ours)).sum())
    if cells is None:
        chance = (1 / n + 1 / m) * float(chdtri(degrees, 1 - level))
        p = float(chdtrc(degrees, _chi_squared(first, second)))
    else:
        null = null_of_shift(cells._replace(value=place[cells.value]), (first + second) / (n + m))
        chance = null.mean * float(fdtri(null.degrees, null.degrees_below, level))
        squares = (1 / n + 1 / m) * _chi_squared(first, second)
        p = float(fdtrc(null.degrees, null.degrees_below, squares / null.mean))
    return Shift(psi, chance, p, largest, *shares)


def _pooled_bins(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return for every bin its place among those that are compared, int64 (b,).

    Bins that expect too few rows become one, the last, and the next rarest joins them where that is too few still. Bins
    without rows are put there, too.
    """
    total = before + after
    smaller = min(before.sum(), after.sum()) / total.sum()
    order = np.argsort(total, kind="stable")
    order = order[total[order] > 0]
    expected = total[order] * smaller
    n_rare = int((expected < _EXPECTED).sum())
    while 0 < n_rare < len(order) and expected[:n_rare].sum() < _EXPECTED:
        n_rare += 1
    kept = order[n_rare:]
    place = np.full(len(total), len(kept), dtype=np.int64)
    place[kept] = np.arange(len(kept))
    return place if n_rare or len(kept) == len(total) else np.minimum(place, len(kept) - 1)


def _chi_squared(first: np.ndarray, second: np.ndarray) -> float:
    """Return Pearson's statistic of a table of two rows."""
    table = np.stack([first, second])
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return float(((table - expected) ** 2 / expected).sum())


def share_shift(
    part: tuple[float, float], whole: tuple[float, float], *, level: float = 0.95, chosen_of: int = 1
) -> ShareShift:
    """Return how far a share moved: Newcombe's interval of two samples, Pearson's chi-squared test.

    chosen_of : shares among which it was chosen because it moved most; the interval then is at the level split over all
        of them, and p times their number (Bonferroni).

    >>> found = share_shift((56, 48), (70, 80))  # Newcombe 1998, page 873, the other way round
    >>> round(found.low, 4), round(found.high, 4)
    (-0.3339, -0.0524)
    """
    z = critical_value(1 - (1 - level) / chosen_of)
    shares = [count_of_part / n if n else math.nan for count_of_part, n in zip(part, whole, strict=True)]
    ends = [wilson(count_of_part, n, z) for count_of_part, n in zip(part, whole, strict=True)]
    if math.isnan(shares[0]) or math.isnan(shares[1]):
        return ShareShift(shares[0], shares[1], math.nan, math.nan, math.nan, math.nan, chosen_of)
    bounds: Bounds = square_and_add(shares[0], ends[0], shares[1], ends[1])
    table = [
        np.array([count_of_part, n - count_of_part], dtype=np.float64)
        for count_of_part, n in zip(part, whole, strict=True)
    ]
    constant = not (table[0] + table[1]).all()
    p = 1.0 if constant else min(1.0, chosen_of * float(chdtrc(1, _chi_squared(*table))))
    return ShareShift(shares[0], shares[1], shares[1] - shares[0], bounds.low, bounds.high, p, chosen_of)
