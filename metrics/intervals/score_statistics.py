"""ROC AUC, average precision, log loss and Brier score with the influence of every row.

Arrays have an entry a row. A row without a score (NaN) has no influence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from metrics.intervals.statistic import ShareBounds, Statistic
from metrics.limits import FEWEST_POSITIVES_OF_AVERAGE_PRECISION
from metrics.scores.curves import ScoreCounts, average_precision, roc_auc, score_counts
from metrics.scores.partial_area import partial_area
from metrics.scores.probabilities import Probabilities, brier_of_shares
from metrics.shares import Bounds

if TYPE_CHECKING:
    from metrics.intervals.joint_counts import Cells

LEAST_NEGATIVES_INSIDE = 10
"""Of a partial AUC: with fewer negatives in its area the interval held the true value in 44 to 91 % of drawn files."""


class Worths(NamedTuple):
    """DeLong's worth of every row: the share of the other class that it is ranked right against; NaN without a score.

    worth : float64 (n,). auc : NaN where a class is missing.
    """

    worth: np.ndarray
    is_true: np.ndarray
    auc: float
    n_pos: int
    n_neg: int


def ranking_shares(is_true: np.ndarray, score: np.ndarray, counts: ScoreCounts | None = None) -> Worths:
    """Return the share of the rows of the other class that each row is ranked right against, ties counting half.

    counts : those of the same rows, where they were counted before.

    Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44.

    >>> ranking_shares(np.array([True, False, True, False]), np.array([0.9, 0.8, 0.4, 0.1])).worth.tolist()
    [1.0, 0.5, 0.5, 1.0]
    """
    counts = counts or score_counts(is_true, score)
    auc, worth = roc_auc(counts), np.full(len(score), np.nan)
    if math.isnan(auc):
        return Worths(worth, is_true, auc, counts.n_pos, counts.n_neg)
    place, known = _places(counts, score)
    twice_tp, twice_fp = counts.tp.copy(), counts.fp.copy()  # above and above or equal: ties count half
    twice_tp[1:] += counts.tp[:-1]
    twice_fp[1:] += counts.fp[:-1]
    of_positive, of_negative = (2 * counts.n_neg - twice_fp) / (2 * counts.n_neg), twice_tp / (2 * counts.n_pos)
    worth[known] = np.where(is_true[known], of_positive[place], of_negative[place])
    return Worths(worth, is_true, auc, counts.n_pos, counts.n_neg)


def _places(counts: ScoreCounts, score: np.ndarray) -> tuple[np.ndarray | slice, np.ndarray]:
    """Return the position of every row's score in the counts, and the rows that have one, lowest score first.

    In that order what is read at the places goes through memory from one end to the other.
    """
    known = np.argsort(score)[: len(score) - np.count_nonzero(np.isnan(score))]  # NaN comes last
    if len(known) == len(counts.score) == counts.n:  # every score different: the counts backwards
        return slice(None, None, -1), known
    ascending = score[known]
    place = np.full(len(known), len(counts.score) - 1)
    place[1:] -= np.cumsum(ascending[1:] != ascending[:-1])
    if len(place) and place[-1] < 0:  # scores of lines without rows are not counted: such a line takes a neighbour's
        place = np.maximum(len(counts.score) - 1 - np.searchsorted(counts.score[::-1], ascending), 0)
    return place, known


class Sides(NamedTuple):
    """Count the rows of equal weight that tell as much as the positives, and as the negatives, with a score."""

    positives: float
    negatives: float


def effective_sides(cells: Cells, is_true: np.ndarray, score: np.ndarray) -> Sides | None:
    """Return how much the positives and the negatives with a score tell; None where rows have no weights."""
    if cells.weighing is None:
        return None
    return Sides(*(cells.effective_rows(side) for side in _scored_sides(is_true, score)))


def _scored_sides(is_true: np.ndarray, score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the positives and the negatives that have a score, bool (n,) each."""
    known = ~np.isnan(score)
    return is_true & known, ~is_true & known


def auc_statistic(
    is_true: np.ndarray, score: np.ndarray, counts: ScoreCounts | None = None, effective: Sides | None = None
) -> Statistic:
    """Return ROC AUC; its variance by influences is DeLong's but for the n - 1.

    effective : where rows have weights, which `counts` are of.
    """
    shares = ranking_shares(is_true, score, counts)
    if math.isnan(shares.auc):
        return Statistic(math.nan, np.zeros(len(score)), "unit")
    away = np.nan_to_num(shares.worth - shares.auc)
    influence = away / np.where(is_true, shares.n_pos, shares.n_neg)
    sides = effective or Sides(shares.n_pos, shares.n_neg)

    def edge(wilson: ShareBounds) -> Bounds:
        return auc_bounds_at_edge(shares.auc, sides.positives, sides.negatives, wilson)

    return Statistic(shares.auc, influence, "unit", edge=edge, sides=_scored_sides(is_true, score))


def auc_bounds_at_edge(auc: float, n_pos: float, n_neg: float, wilson: ShareBounds) -> Bounds:
    """Return bounds of an AUC of 0 or 1: those of a share of the rows of the smaller class, that is, wide.

    Every row of the smaller class is on the right (or wrong) side of all others; Wilson's interval of that share.
    """
    few = float(min(n_pos, n_neg))
    return wilson(round(auc) * few, few)


def average_precision_statistic(
    is_true: np.ndarray, score: np.ndarray, counts: ScoreCounts | None = None, effective: Sides | None = None
) -> Statistic:
    """Return average precision; the influence of a row is the derivative of the step area by the row's weight.

    A row adds its own precision where it is positive, and moves the precision of every positive at or below it.

    effective : as in `auc_statistic`.
    """
    counts = counts or score_counts(is_true, score)
    value = average_precision(counts)
    if math.isnan(value):
        return Statistic(value, np.zeros(len(score)), "unit")
    called = (counts.tp + counts.fp).astype(np.float64)
    gained = np.diff(counts.tp, prepend=0).astype(np.float64)  # products of units of weight overflow int64
    below_positive, below_negative = (
        np.cumsum((gained * side / called**2)[::-1])[::-1] for side in (counts.fp, counts.tp)
    )
    of_positive = (counts.tp / called - value + below_positive) / counts.n_pos
    of_negative = -below_negative / counts.n_pos
    place, known = _places(counts, score)
    influence = np.zeros(len(score))
    influence[known] = np.where(is_true[known], of_positive[place], of_negative[place])
    n_pos = float(counts.n_pos) if effective is None else effective.positives
    sides = _scored_sides(is_true, score)
    return Statistic(value, influence, "unit", edge=lambda wilson: wilson(value * n_pos, n_pos), sides=sides,
                     fewest_true=FEWEST_POSITIVES_OF_AVERAGE_PRECISION)  # fmt: skip


def partial_auc_statistic(
    is_true: np.ndarray, score: np.ndarray, counts: ScoreCounts | None = None, effective: Sides | None = None
) -> Statistic:
    """Return the standardised partial AUC; the influence of a row is the derivative by the row's weight.

    A negative moves the place where the area ends, too. With few negatives in the area the derivative sees too little
    of what chance does: it is NaN below `LEAST_NEGATIVES_INSIDE`, and so are bounds and differences.

    effective : as in `auc_statistic`.

    Source: He and Escobar 2008, Statistics in Medicine 27.
    """
    counts = counts or score_counts(is_true, score)
    partial, influence = partial_area(counts), np.zeros(len(score))
    if math.isnan(partial.area):
        return Statistic(math.nan, influence, "unit")
    sides = effective or Sides(counts.n_pos, counts.n_neg)
    inside = Sides(sides.positives, partial.max_fpr * sides.negatives)
    if inside.negatives < LEAST_NEGATIVES_INSIDE:
        return Statistic(partial.standardised, np.full(len(score), np.nan), "unit")
    gained, negatives = np.diff(counts.tp, prepend=0) / counts.n_pos, np.diff(counts.fp, prepend=0)
    areas = partial.inside * negatives / counts.n_neg
    below = areas.sum() - np.cumsum(areas) + partial.inside * areas / 2
    heights = counts.tp / counts.n_pos - gained * (1 - partial.inside / 2)
    at_end = partial.area - partial.max_fpr * partial.recall
    of_positive = (below - partial.area) / counts.n_pos
    of_negative = (partial.inside * (heights - partial.recall) - at_end) / counts.n_neg
    place, known = _places(counts, score)
    influence[known] = np.where(is_true[known], of_positive[place], of_negative[place])
    span = 2 * partial.max_fpr - partial.max_fpr**2

    def edge(wilson: ShareBounds) -> Bounds:
        low, high = auc_bounds_at_edge(partial.area / partial.max_fpr, *inside, wilson)
        ends = (partial._replace(area=end * partial.max_fpr).standardised for end in (low, high))
        return Bounds(*ends)

    return Statistic(partial.standardised, influence / span, "unit", edge=edge, sides=_scored_sides(is_true, score))


def mean_of_statistics(statistics: Sequence[Statistic], weights: Sequence[float]) -> Statistic:
    """Return the weighted mean of the statistics that are defined; the weights are taken as they are."""
    known = [
        (statistic, weight)
        for statistic, weight in zip(statistics, weights, strict=True)
        if not math.isnan(statistic.value)
    ]
    total = sum(weight for _, weight in known)
    if not total:
        return Statistic(math.nan, np.zeros(len(statistics[0].influence) if statistics else 0), "unit")
    influence = np.zeros(len(known[0][0].influence))
    for statistic, weight in known:
        influence += weight / total * statistic.influence
    return Statistic(sum(weight * statistic.value for statistic, weight in known) / total, influence, "unit")


def brier_skill_statistic(rows: Probabilities) -> Statistic:
    """Return 1 - Brier score / reference; the reference, 1 - Σ share², moves with the shares of the classes."""
    brier, reference = mean_loss(rows, rows.squares()), brier_of_shares(rows)
    if math.isnan(brier.value) or rows.true is None or not reference:
        return brier._replace(value=math.nan, influence=np.zeros(len(rows.kept)), scale="to one")
    shares = rows.shares()
    moved = np.zeros(len(rows.kept))
    moved[rows.kept] = -2 * (shares[rows.true.astype(np.int64)] - float((shares**2).sum())) / (rows.n * rows.scale)
    influence = -brier.influence / reference + brier.value / reference**2 * moved
    return brier._replace(value=1 - brier.value / reference, influence=influence, scale="to one")


def mean_loss(rows: Probabilities, losses: np.ndarray | None) -> Statistic:
    """Return the mean of the losses of the rows that have every score; None = undefined."""
    mean, influence = rows.mean(losses), np.zeros(len(rows.kept))
    if losses is not None and rows.n:
        influence[rows.kept] = (losses - mean) / rows.n
    return Statistic(mean, influence, "positive", is_whole=rows.kept, classes=_rows_of_two_classes(rows))


def _rows_of_two_classes(rows: Probabilities) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the rows of either of two classes, bool (n,) each; None where there are more."""
    n_classes = 2 if rows.score.ndim == 1 else rows.score.shape[1]
    if rows.true is None or n_classes != 2:
        return None
    is_second = np.zeros(len(rows.kept), dtype=bool)
    is_second[rows.kept] = rows.true == 1
    return is_second, rows.kept & ~is_second
