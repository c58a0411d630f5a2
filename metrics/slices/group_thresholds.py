"""Scores of groups: how far they are off, the threshold that is best for each, and what equal rates would cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from metrics.intervals.joint_counts import Cells, Weighing
from metrics.intervals.statistic import mean_of_rows, standard_error
from metrics.limits import TOO_FEW
from metrics.scores.curves import ScoreCounts
from metrics.shares import critical_value, wilson
from metrics.thresholds.choose import Rule, choose
from metrics.thresholds.threshold_metrics import rates_at

_NO_WIDTH = 1e-12
EqualRate = Literal["recall", "selection_rate"]


class GroupScores(NamedTuple):
    """Scores of one group.

    bias : mean score minus share of positives, with its interval; NaN where scores are no probabilities, or too few.
    threshold : the one with the best F1 in the group. f1_there, f1_now : there, and in use. NaN under ten positives.
    """

    bias: float
    low: float
    high: float
    threshold: float
    f1_there: float
    f1_now: float


class Equalised(NamedTuple):
    """Thresholds a group that bring a rate to the same value, and the mistakes they make.

    target : the rate of all rows at the threshold in use. thresholds : one a group, inf = nothing is positive.
    wrong_now, wrong_then : rows of all groups, or their weight. n : rows with a score, or their weight.
    """

    rate: EqualRate
    target: float
    thresholds: tuple[float, ...]
    wrong_now: float
    wrong_then: float
    n: float


class Residuals(NamedTuple):
    """Hold score minus truth (1 or 0) of rows with a score, float64 (m,), their truth, bool (m,), and their cells."""

    value: np.ndarray
    is_true: np.ndarray
    cells: Cells


def group_scores(
    counts: ScoreCounts, now: float, *, probabilities: bool, level: float = 0.95, residuals: Residuals | None = None
) -> GroupScores:
    """Return how far the scores of a group are off, and its own best threshold beside the one in use.

    residuals : those of the same rows, with their clusters and weights; None where every row stands for itself.
    """
    residuals = residuals or _count_residuals(counts)
    bias, low, high = score_bias(residuals, level) if probabilities else (math.nan,) * 3
    if residuals.cells.count_rows(residuals.is_true) < TOO_FEW:
        return GroupScores(bias, low, high, math.nan, math.nan, math.nan)
    best = choose(counts, Rule()).threshold
    in_use = math.nan if math.isnan(now) else float(rates_at(counts, now).f1)
    return GroupScores(bias, low, high, best, float(rates_at(counts, best).f1), in_use)


def line_residuals(
    is_true: np.ndarray,
    score: np.ndarray,
    cluster: np.ndarray | None,
    weights: np.ndarray | None = None,
    weighing: Weighing | None = None,
) -> Residuals:
    """Return the residuals of lines with their cluster, None = none.

    weights : int64 (n,), the rows of every line, or its weight in units; None = one. weighing : what weights add.

    >>> found = line_residuals(np.array([True, False]), np.array([0.75, 0.5]), np.array([7, 3]))
    >>> found.value.tolist(), found.cells.cluster.tolist()
    ([-0.25, 0.5], [1, 0])
    """
    rows = np.ones(len(score), dtype=np.int64) if weights is None else weights
    kept = np.flatnonzero(~np.isnan(score) & (rows > 0))
    codes = None if cluster is None else np.unique(cluster[kept], return_inverse=True)[1]
    cells = Cells(rows[kept], codes, 2, 2, weighing=None if weighing is None else weighing.of(kept))
    return Residuals(score[kept] - is_true[kept], is_true[kept], cells)


def _count_residuals(counts: ScoreCounts) -> Residuals:
    """Return the residuals of counted rows, of which each stands for itself."""
    rows = np.concatenate([np.diff(cumulated, prepend=0) for cumulated in (counts.tp, counts.fp)])
    is_true = np.arange(len(rows)) < len(counts.score)
    return Residuals(np.concatenate([counts.score - 1, counts.score]), is_true, Cells(rows, None, 2, 2))


def score_bias(residuals: Residuals, level: float = 0.95) -> tuple[float, float, float]:
    """Return the mean score minus the share of positives, with its interval; NaN under ten rows.

    The interval is normal, or by clusters Student's t; its ends are NaN with one cluster. Rows of one class alone do
    not show how the share varies: its Wilson bounds are added then, square by square. Where every score is the truth,
    each end is as far away as Wilson's bound of a share of which no row was seen.

    >>> is_true = np.arange(20) < 10
    >>> found = score_bias(line_residuals(is_true, np.full(20, 0.7), np.arange(20)))
    >>> [round(value, 3) for value in found]
    [0.2, -0.04, 0.44]
    """
    value, is_true, cells = residuals
    if cells.count_rows() < TOO_FEW:
        return math.nan, math.nan, math.nan
    mean, z = mean_of_rows(cells, value, "signed"), critical_value(level, cells.n_clusters)
    reach = z * standard_error(mean, cells)
    share = float((cells.rows * is_true).sum() / cells.n)
    few = min(cells.effective_rows(), cells.n_clusters or math.inf)
    below = above = 0.0
    if share in (0, 1):
        ends = wilson(share * few, few, z)
        below, above = ends.high - share, share - ends.low
    elif reach < _NO_WIDTH:
        below = above = wilson(0, few, z).high
    return mean.value, mean.value - math.hypot(reach, below), mean.value + math.hypot(reach, above)


def equalise(
    groups: Sequence[ScoreCounts], now: float, rate: EqualRate, *, rows: Sequence[int] | None = None
) -> Equalised | None:
    """Return the thresholds that bring a rate of every group to that of all rows, at least, and what they cost.

    None where a group has too few rows for the rate, or nothing is in use.

    rows : those that the rate of each group is over, where `groups` counts their weight; None = it counts rows.
    """
    wholes = [counts.n_pos if rate == "recall" else counts.n for counts in groups]
    if math.isnan(now) or len(groups) < 2 or min(rows or wholes) < TOO_FEW:
        return None
    rates = [rates_at(counts, now) for counts in groups]
    reached = sum(group_rates.tp if rate == "recall" else group_rates.tp + group_rates.fp for group_rates in rates)
    target = reached / sum(wholes)
    places = [_place(counts, rate, target) for counts in groups]
    thresholds = tuple(
        math.inf if place < 0 else float(counts.score[place]) for counts, place in zip(groups, places, strict=True)
    )
    wrong_now = sum(int(group_rates.fp + group_rates.fn) for group_rates in rates)
    wrong_then = sum(
        counts.n_pos if place < 0 else int(counts.fp[place] + counts.n_pos - counts.tp[place])
        for counts, place in zip(groups, places, strict=True)
    )
    return Equalised(rate, target, thresholds, wrong_now, wrong_then, sum(counts.n for counts in groups))


def _place(counts: ScoreCounts, rate: EqualRate, target: float) -> int:
    """Return the place of the highest score at which the rate reaches its target; -1 = nothing need be positive."""
    if target <= 0:
        return -1
    reached = counts.tp / counts.n_pos if rate == "recall" else (counts.tp + counts.fp) / counts.n
    return int(np.argmax(reached >= target - 1e-12))
