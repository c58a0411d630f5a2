"""Score counts of several classes in, how well each is told from the rest out, and the weakest of them first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from metrics.limits import FEWEST_OF_SIDE, FEWEST_POSITIVES_OF_AVERAGE_PRECISION
from metrics.scores.curves import ScoreCounts, average_precision, roc_auc
from metrics.scores.intervals import auc_interval


class Ranking(NamedTuple):
    """Hold how well each class is ranked, one-vs-rest, one entry a class.

    auc, low, high : float64, the AUC and DeLong's interval; average_precision : float64; NaN where undefined.
    n_pos, n_neg, n_without_score : int64, rows of the class, rows of the rest, rows without a score for it.
    auc_few, precision_few : bool, whether few rows decide the AUC, or the average precision.
    """

    auc: np.ndarray
    low: np.ndarray
    high: np.ndarray
    average_precision: np.ndarray
    n_pos: np.ndarray
    n_neg: np.ndarray
    n_without_score: np.ndarray
    auc_few: np.ndarray
    precision_few: np.ndarray

    @property
    def weakest_first(self) -> np.ndarray:
        """Return places by AUC, lowest first; of equals the fewest rows first; undefined last."""
        return np.lexsort((self.n_pos, self.auc))

    @property
    def macro_auc(self) -> float:
        """Return the plain mean of the AUC over the classes where it is defined; NaN if there are none."""
        return _mean_of_defined(self.auc)

    @property
    def weighted_auc(self) -> float:
        """Return the mean of the AUC weighted by true rows, over the classes where it is defined."""
        return _mean_of_defined(self.auc, self.n_pos)

    @property
    def macro_ap(self) -> float:
        """Return the plain mean of average precision over the classes where it is defined."""
        return _mean_of_defined(self.average_precision)


def ranking(counts: Iterable[ScoreCounts | None], *, level: float | None = 0.95) -> Ranking:
    """Return the rank quality of every class; the counts are looked at one after the other and not kept.

    None stands for a class without scores: undefined, of no rows.

    level : of the intervals; None = there are none, which takes a seventh of the time.

    >>> from metrics.scores.curves import score_counts
    >>> truth = np.array([True, False, True, False])
    >>> found = ranking([score_counts(truth, np.array([0.9, 0.8, 0.4, 0.1])), score_counts(~truth, np.arange(4.0))])
    >>> found.auc, found.low.round(3), found.weakest_first
    (array([0.75, 0.75]), array([0.069, 0.069]), array([0, 1]))
    """
    rows = [_row(c, level) for c in counts]
    columns = list(zip(*rows, strict=True)) if rows else [()] * 7
    auc, low, high, precision = (np.array(column, dtype=np.float64) for column in columns[:4])
    n_pos, n_neg, n_without_score = (np.array(column, dtype=np.int64) for column in columns[4:])
    auc_few = np.minimum(n_pos, n_neg) < FEWEST_OF_SIDE
    precision_few = auc_few | (n_pos < FEWEST_POSITIVES_OF_AVERAGE_PRECISION)
    return Ranking(auc, low, high, precision, n_pos, n_neg, n_without_score, auc_few, precision_few)


def _row(counts: ScoreCounts | None, level: float | None) -> tuple[float, float, float, float, int, int, int]:
    if counts is None:
        return (np.nan, np.nan, np.nan, np.nan, 0, 0, 0)
    auc, low, high = (roc_auc(counts), np.nan, np.nan) if level is None else auc_interval(counts, level=level)[:3]
    return (auc, low, high, average_precision(counts), counts.n_pos, counts.n_neg, counts.n_without_score)


def join_rankings(parts: Iterable[Ranking]) -> Ranking:
    """Return rankings of some classes and of the following ones as one."""
    return Ranking(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _mean_of_defined(values: np.ndarray, weights: np.ndarray | None = None) -> float:
    weights = np.ones(len(values)) if weights is None else weights
    defined = ~np.isnan(values)
    total = weights[defined].sum()
    return float(np.dot(values[defined], weights[defined]) / total) if total else float("nan")
