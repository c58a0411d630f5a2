"""Numbers of one class, averages of its rates, and the Matthews correlation, with the influence of every cell."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from metrics.intervals.joint_counts import Joint, JointCounts, Slopes, Totals
from metrics.intervals.statistic import EDGE_Z, ShareBounds, Statistic, bounds_by_accuracy, share_of_rows
from metrics.outcomes import (
    CORRELATION,
    F1,
    GEOMETRIC_MEAN,
    PRECISION,
    RECALL,
    YOUDEN_J,
    Formula,
    FourCounts,
    Ratio,
    geometric_mean,
)
from metrics.shares import Bounds, wilson

Average = Literal["micro", "macro", "macro_supported", "macro_label_space", "macro_all", "weighted"]


def of_class(cells: JointCounts, model: int = 0, *, formula: Formula) -> Statistic:
    """Return a number of class 1 of one-vs-rest cells."""
    is_true = cells.true == 1
    is_pred = cells.preds[model] == 1
    outcome = np.select([is_true & is_pred, is_pred, is_true], [0, 1, 2], 3)  # tp, fp, fn, tn
    if isinstance(formula, Ratio) and formula.scale == "share":
        is_part = np.array(formula.part, dtype=bool)[outcome]
        is_whole = np.array(formula.whole, dtype=bool)[outcome]
        return share_of_rows(cells, is_part, is_whole)
    counts = FourCounts(*np.bincount(outcome, cells.rows, minlength=4))
    influence = np.array(formula.slopes(counts), dtype=np.float64)[outcome]
    part = whole = math.nan
    inside = None
    if isinstance(formula, Ratio) and formula.scale == "f1":
        part, whole = formula.share(counts)
        inside = outcome != 3  # F1 does not know the true negatives
    statistic = Statistic(
        float(formula.value(counts)), influence, formula.scale, float(part), float(whole), is_whole=inside,
        sides=(is_true, ~is_true), by_influence=True,
    )  # fmt: skip
    if formula not in _OF_BOTH_CLASSES:
        return statistic
    both = _OF_BOTH_CLASSES[formula](cells, model)
    return statistic._replace(edge=both.edge, edge_variance=both.edge_variance, edge_value=both.edge_value)


def averaged(cells: Joint, model: int = 0, *, rate: Ratio, average: Average, zero: bool = False) -> Statistic:
    """Return an average of a rate over the classes of `metrics.confusion.averages`; "macro_all" takes every label.

    zero : a rate that is 0/0 counts as 0, as scikit-learn has it; else it makes the average undefined.
    """
    totals = cells.totals(model)
    if average == "micro":
        return _micro(cells, totals, rate, model)
    value, weight = rate.value(totals), _weights(totals, average)
    if zero or (average == "macro_label_space" and rate == F1):
        value = np.nan_to_num(value)
    if not weight.sum() or not totals.n:
        return Statistic(math.nan, np.zeros(len(cells.rows)), "unit")
    if average == "weighted" and rate == RECALL and not cells.many:  # the accuracy by another name
        return share_of_rows(cells, cells.right(model))
    share = weight / weight.sum()
    mean = float((share[share > 0] * value[share > 0]).sum())
    slopes = Slopes.of_ratio(rate, totals, share)
    if average == "weighted":
        by_weight = np.where(weight > 0, (np.nan_to_num(value) - mean) / weight.sum(), 0.0)
        slopes = slopes._replace(support=slopes.support + by_weight)
    part, whole = _count_effective(cells, model, rate, *rate.share(totals))
    return Statistic(
        mean,
        cells.influence(slopes, model),
        "unit",
        edge=lambda bounds: _squares_added(rate, part, whole, share, bounds),
        edge_variance=_variance_at_edges(rate, part, whole, share, value),
        edge_value=value,
        classes=cells.two_classes if rate == RECALL and isinstance(cells, JointCounts) else None,
        by_influence=True,
    )


def geometric_mean_of_recalls(cells: JointCounts, model: int = 0) -> Statistic:
    """Return the geometric mean of the recalls of the classes with true rows; 0 where one of them is 0."""
    totals = cells.totals(model)
    recall, has_rows = RECALL.value(totals), totals.support > 0
    if not has_rows.any():
        return Statistic(math.nan, np.zeros(len(cells.rows)), "unit")
    value = geometric_mean(recall[has_rows])
    part, whole = _count_effective(cells, model, RECALL, *RECALL.share(totals))
    if not value:  # no slope is defined there: at best, every recall is as high as its rows allow

        def bound(wilson: ShareBounds) -> Bounds:
            highest = [wilson(*counts).high for counts in zip(part[has_rows], whole[has_rows], strict=True)]
            return Bounds(0.0, geometric_mean(np.array(highest)))

        return Statistic(0.0, np.zeros(len(cells.rows)), "unit", edge=bound, classes=cells.two_classes)
    share = np.where(has_rows, value / has_rows.sum() / recall, 0.0)  # the change by that of each recall
    return Statistic(
        value,
        cells.influence(Slopes.of_ratio(RECALL, totals, share), model),
        "unit",
        edge=lambda bounds: _squares_added(RECALL, part, whole, share, bounds),
        edge_variance=_variance_at_edges(RECALL, part, whole, share, recall),
        edge_value=recall,
        classes=cells.two_classes,
        by_influence=True,
    )


def matthews_correlation(cells: JointCounts, model: int = 0) -> Statistic:
    """Return the Matthews correlation, as `metrics.confusion.label_metrics` has it; undefined if a side is constant."""
    totals = cells.totals(model)
    n, right = totals.n, float(totals.correct.sum())
    unparsed = n - float(totals.predicted.sum())
    chance = float((totals.support * totals.predicted).sum())
    spread_true = n * n - float((totals.support**2).sum())
    spread_pred = n * n - float((totals.predicted**2).sum()) - unparsed**2
    if not spread_true or not spread_pred:
        return Statistic(math.nan, np.zeros(len(cells.rows)), "signed")
    root, ones = math.sqrt(spread_true * spread_pred), np.ones(len(totals.support))

    def edge(wilson: ShareBounds) -> Bounds:
        return bounds_by_accuracy(right, n, chance, root, wilson, cells.shrinkage)

    value = min(1.0, max(-1.0, (n * right - chance) / root))
    slopes = Slopes(
        n / root * ones,
        -totals.predicted / root + value * totals.support / spread_true,
        -totals.support / root + value * (totals.predicted - unparsed) / spread_pred,
        right / root - value * (n / spread_true + (n - unparsed) / spread_pred),
    )
    influence = cells.influence(slopes, model)
    return Statistic(value, influence, "signed", edge=edge, classes=cells.two_classes, by_influence=True)


def _informedness(cells: JointCounts, model: int) -> Statistic:
    """Return Youden's J of two classes: twice their mean recall, less 1."""
    mean = averaged(cells, model, rate=RECALL, average="macro_supported")
    if mean.edge is None or mean.edge_variance is None:
        return mean
    of_mean = mean.edge

    def edge(wilson: ShareBounds) -> Bounds:
        return Bounds(*(2 * bound - 1 for bound in of_mean(wilson)))

    return mean._replace(
        value=2 * mean.value - 1, influence=2 * mean.influence, scale="signed", edge=edge,
        edge_variance=4 * mean.edge_variance,
    )  # fmt: skip


_OF_BOTH_CLASSES: dict[Formula, Callable[[JointCounts, int], Statistic]] = {
    CORRELATION: matthews_correlation,
    GEOMETRIC_MEAN: geometric_mean_of_recalls,
    YOUDEN_J: _informedness,
}
"""Numbers of one class that are numbers of both classes of the same rows: their intervals end alike."""


def _count_effective(
    cells: Joint, model: int, rate: Ratio, part: np.ndarray, whole: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return part and whole of every class in rows of equal weight that tell as much; as they are without weights."""
    if cells.weighing is None:
        return part, whole
    squares = rate.share(replace(cells, rows=cells.weighing.squares).totals(model))[1]
    rows_per_weight = np.divide(whole, squares, out=np.zeros(len(whole)), where=squares > 0)
    return part * rows_per_weight, whole * rows_per_weight


def _variance_at_edges(
    rate: Ratio, part: np.ndarray, whole: np.ndarray, share: np.ndarray, value: np.ndarray
) -> np.ndarray:
    """Return the variance that classes with a rate of exactly 0 or 1 add, by Wilson's interval of the rate."""
    variance = np.zeros(len(share))
    for code in np.flatnonzero((share > 0) & ((value == 0) | (value == 1))).tolist():
        low, high = wilson(float(part[code]), float(whole[code]), EDGE_Z)
        if not math.isnan(low):
            width = rate.from_share(high) - rate.from_share(low)
            variance[code] = (share[code] * width / (2 * EDGE_Z)) ** 2
    return variance


def _weights(totals: Totals, average: Average) -> np.ndarray:
    if average == "weighted":
        return totals.support
    inside = np.arange(len(totals.support)) < totals.n_space
    taken = {
        "macro": totals.support + totals.predicted > 0,
        "macro_supported": totals.support > 0,
        "macro_label_space": inside,
        "macro_all": np.ones_like(inside),
    }[average]
    return np.asarray(taken, dtype=np.float64)


def _micro(cells: Joint, totals: Totals, rate: Ratio, model: int) -> Statistic:
    counts = FourCounts(*(float(rows.sum()) for rows in (totals.tp, totals.fp, totals.fn, totals.tn)))
    value = float(rate.value(counts))
    if math.isnan(value):
        return Statistic(value, np.zeros(len(cells.rows)), "unit")
    every_answer_read = counts.fp == counts.fn
    of_rows = rate in (PRECISION, RECALL) or (rate == F1 and every_answer_read)
    if isinstance(cells, JointCounts) and of_rows:
        return share_of_rows(cells, cells.right(model), cells.preds[model] >= 0 if rate == PRECISION else None)
    slopes = Slopes.of_ratio(rate, counts, np.ones(len(totals.support)))
    n_rows = totals.n * cells.shrinkage  # of equal weight
    return Statistic(value, cells.influence(slopes, model), "unit", edge=lambda bounds: bounds(value * n_rows, n_rows))


def _squares_added(
    rate: Ratio, part: np.ndarray, whole: np.ndarray, share: np.ndarray, share_bounds: ShareBounds
) -> Bounds:
    """Return bounds of a weighted mean from Wilson's of every class, squared and added (Zou & Donner 2008)."""
    down = up = mean = 0.0
    for code in np.flatnonzero(share).tolist():
        bounds = share_bounds(float(part[code]), float(whole[code]))
        if not math.isnan(bounds.low):
            value = rate.from_share(part[code] / whole[code])
            low, high = rate.from_share(bounds.low), rate.from_share(bounds.high)
            mean += share[code] * value
            down += (share[code] * (value - low)) ** 2
            up += (share[code] * (high - value)) ** 2
    return Bounds(max(0.0, mean - math.sqrt(down)), min(1.0, mean + math.sqrt(up)))
