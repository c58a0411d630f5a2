"""Explain why a share changed between two sets of rows: by the mix of their classes, or by the rest."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from metrics.drift.grouped_rows import ClusterRows, Grouped, WeightedRows
from metrics.shares import critical_value, wilson


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
    right: tuple[np.ndarray, np.ndarray],
    rows: tuple[np.ndarray, np.ndarray],
    *,
    level: float = 0.95,
    cells: Grouped | None = None,
) -> Change:
    """Split the change of accuracy into the mix of true classes and the rest.

    Mix : the change of every class's share times its mean accuracy; rest : the change of every class's accuracy times
    its mean share. A class that only one side has takes the accuracy that it has there. Intervals are by the delta
    method.

    right, rows : int64 (k,) of either side, rows of every true class that are right, and all of them; or their weight.
    cells : the same rows by cluster, or with their weights; None = rows are independent. Their value is 2 c + 1 where
        class c is right, 2 c where it is wrong.

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
    accuracies = [np.where(n > 0, r / np.where(n > 0, n, 1), np.nan) for r, n in zip(right, rows, strict=True)]
    accuracy = [np.nan_to_num(np.where(np.isnan(a), b, a)) for a, b in (accuracies, accuracies[::-1])]
    moved_share, moved = shares[1] - shares[0], accuracy[1] - accuracy[0]
    middle, mean_share = (accuracy[0] + accuracy[1]) / 2, (shares[0] + shares[1]) / 2
    mix, rest = float((moved_share * middle).sum()), float((mean_share * moved).sum())
    alone = (rows[0] > 0) != (rows[1] > 0)  # its accuracy is that of one side: it counts whole for the mix
    half, own_share = np.where(alone, 1.0, 0.5), np.where(alone, 0.0, mean_share)
    influences = []
    for sign, share, a in zip((-1, 1), shares, accuracy, strict=True):
        by_mix, by_rest = sign * (middle - share @ middle), (moved - share @ moved) / 2
        away = [np.divide(outcome - a, share, out=np.zeros(len(a)), where=share > 0) for outcome in (0, 1)]
        influences.append(
            np.stack([(by_mix + moved_share * half * moved, by_rest + sign * own_share * moved) for moved in away])
        )
    z = critical_value(level, min(cells.n_clusters()) if isinstance(cells, ClusterRows) else None)
    variances = _variances(influences, right, rows, cells)
    for side, (r, n) in enumerate(zip(right, rows, strict=True)):
        few = n if cells is None else _effective_rows_of_classes(cells, side, n)
        at_edge = _edge_variance(r, n, few, z)
        variances += (at_edge * np.stack([moved_share * half, own_share]) ** 2).sum(axis=1)
    reach = z * np.sqrt(variances)
    parts = [Part(value, value - by, value + by) for value, by in zip((mix, rest), reach.tolist(), strict=True)]
    return Change(float(right[0].sum() / totals[0]), float(right[1].sum() / totals[1]), *parts)


def _variances(
    influences: list[np.ndarray],
    right: tuple[np.ndarray, np.ndarray],
    rows: tuple[np.ndarray, np.ndarray],
    cells: Grouped | None,
) -> np.ndarray:
    """Return the variance of both parts; influences : (wrong or right, part, class) a side."""
    if isinstance(cells, ClusterRows):
        return _clustered_variances(influences, cells)
    variances = np.zeros(2)
    if cells is not None:
        for side, (of_row, n) in enumerate(zip(influences, rows, strict=True)):
            of_side, total = cells.cells(side, 2 * len(n)), float(n.sum())
            variances += [of_side.variance(of_row[:, part].T.ravel() / total) for part in (0, 1)]
        return variances
    for of_row, r, n in zip(influences, right, rows, strict=True):
        counted = np.stack([n - r, r])[:, None, :]
        variances += (counted * of_row**2).sum(axis=(0, 2)) / n.sum() ** 2
    return variances


def _clustered_variances(influences: list[np.ndarray], cells: ClusterRows) -> np.ndarray:
    """Return the variance of both parts from clusters (sandwich), which may lie on both sides."""
    of_row = np.stack(influences)[cells.side, cells.value % 2, :, cells.value // 2]
    weight = np.abs(cells.weights())
    sums = [np.bincount(cells.cluster, weight * of_row[:, part]) for part in (0, 1)]
    return np.array([float((influence**2).sum()) for influence in sums])


def _effective_rows_of_classes(cells: Grouped, side: int, rows: np.ndarray) -> np.ndarray:
    """Return how many rows tell as much as those of every class on a side, (k,); of clusters each counts once."""
    if isinstance(cells, WeightedRows):
        of_side = cells._replace(value=cells.value // 2).cells(side, len(rows))
        return np.array([of_side.effective_rows(slice(code, code + 1)) for code in range(len(rows))])
    here = (cells.side == side) & (cells.rows > 0)
    met = np.unique(np.stack([cells.value[here] // 2, cells.cluster[here]]), axis=1)
    fewest: np.ndarray = np.minimum(rows, np.bincount(met[0], minlength=len(rows)))
    return fewest


def _edge_variance(right: np.ndarray, rows: np.ndarray, few: np.ndarray, z: float) -> np.ndarray:
    """Return the variance of Wilson's interval of accuracies of exactly 0 or 1, where the delta method sees none; 0 of
    others.

    few : rows that count, of clusters no more than there are clusters, of weights the effective rows.
    """
    variance = np.zeros(len(rows))
    for place in np.flatnonzero((rows > 0) & ((right == 0) | (right == rows))):
        low, high = wilson(float(few[place]) * (right[place] > 0), float(few[place]), z)
        variance[place] = ((high - low) / (2 * z)) ** 2
    return variance
