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
    classes = _compare_classes(right, rows)
    values = [float(part.sum()) for part in classes.parts()]
    z = critical_value(level, min(cells.n_clusters()) if isinstance(cells, ClusterRows) else None)
    variances = _variances(classes.influences(), right, rows, cells)
    for side, (n_right, n) in enumerate(zip(right, rows, strict=True)):
        few = n if cells is None else _effective_rows_of_classes(cells, side, n)
        variances += (_edge_variance(n_right, n, few, z) * classes.slopes() ** 2).sum(axis=1)
    reach = (z * np.sqrt(variances)).tolist()
    mix, rest = (Part(value, value - by, value + by) for value, by in zip(values, reach, strict=True))
    return Change(float(right[0].sum() / totals[0]), float(right[1].sum() / totals[1]), mix, rest)


class _Classes(NamedTuple):
    """Shares and accuracies of every true class before and after, float64 (2, k).

    on_one_side : bool (k,), classes that one side alone has; its accuracy holds for both.
    """

    share: np.ndarray
    accuracy: np.ndarray
    on_one_side: np.ndarray

    def parts(self) -> tuple[np.ndarray, np.ndarray]:
        """Return what every class adds to the mix, and to the rest."""
        mean_accuracy, mean_share = self.accuracy.sum(axis=0) / 2, self.share.sum(axis=0) / 2
        return _moved(self.share) * mean_accuracy, mean_share * _moved(self.accuracy)

    def slopes(self) -> np.ndarray:
        """Return how much the mix and the rest change with the accuracy of a class after, float64 (2, k).

        Before, the rest changes by as much the other way. A class of one side counts whole for the mix.
        """
        of_mix = _moved(self.share) * np.where(self.on_one_side, 1.0, 0.5)
        return np.stack([of_mix, np.where(self.on_one_side, 0.0, self.share.sum(axis=0) / 2)])

    def influences(self) -> list[np.ndarray]:
        """Return the influence of a row on both parts, a side each: (wrong or right, part, class)."""
        mean_accuracy, moved = self.accuracy.sum(axis=0) / 2, _moved(self.accuracy)
        of_mix, of_rest = self.slopes()
        sides = []
        for sign, share, accuracy in zip((-1, 1), self.share, self.accuracy, strict=True):
            mix_by_share = sign * (mean_accuracy - share @ mean_accuracy)
            rest_by_share = (moved - share @ moved) / 2
            by_outcome = []
            for outcome in (0, 1):
                to_accuracy = np.divide(outcome - accuracy, share, out=np.zeros(len(share)), where=share > 0)
                by_outcome.append((mix_by_share + of_mix * to_accuracy, rest_by_share + sign * of_rest * to_accuracy))
            sides.append(np.stack(by_outcome))
        return sides


def _compare_classes(right: tuple[np.ndarray, np.ndarray], rows: tuple[np.ndarray, np.ndarray]) -> _Classes:
    share = np.stack([n / int(n.sum()) for n in rows])
    n_right, n_rows = np.stack(right), np.stack(rows)
    known = n_rows > 0
    accuracy = np.where(known, n_right / np.where(known, n_rows, 1), np.nan)
    accuracy = np.nan_to_num(np.where(known, accuracy, accuracy[::-1]))
    return _Classes(share, accuracy, known[0] != known[1])


def _moved(before_and_after: np.ndarray) -> np.ndarray:
    return np.asarray(before_and_after[1] - before_and_after[0])


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
