"""Precision, recall, F1 and Jaccard index of every class, their averages, and the derivatives of all of them."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np

from metrics.intervals.joint_counts import Joint, JointCounts, Slopes, Totals
from metrics.intervals.statistic import ShareBounds, Statistic, share_of_rows
from metrics.shares import Bounds, wilson

Rate = Literal["precision", "recall", "f1", "jaccard"]
RATES: tuple[Rate, ...] = ("precision", "recall", "f1")
Average = Literal["micro", "macro", "macro_supported", "macro_label_space", "macro_all", "weighted"]

_PARTS: dict[Rate, tuple[float, float, float, float]] = {
    "precision": (1, 0, 0, 1),
    "recall": (1, 0, 1, 0),
    "f1": (2, 0, 1, 1),
    "jaccard": (1, -1, 1, 1),
}
"""A rate is the first factor × correct, divided by the others × (correct, support, predicted)."""

_Z = 1.96


class Rates(NamedTuple):
    """A rate of every class, NaN where undefined (L,), and its derivative by the class's own totals, 0 there."""

    value: np.ndarray
    correct: np.ndarray
    support: np.ndarray
    predicted: np.ndarray


def rates(totals: Totals, which: Rate) -> Rates:
    """Return one of the rates of every class with its derivatives.

    >>> found = rates(Totals(np.array([3.0]), np.array([4.0]), np.array([5.0]), 9.0, 1), "recall")
    >>> found.value, found.correct, found.support
    (array([0.75]), array([0.25]), array([-0.1875]))
    """
    factor, by_correct, by_support, by_predicted = _PARTS[which]
    whole = by_correct * totals.correct + by_support * totals.support + by_predicted * totals.predicted
    defined = whole > 0
    safe = np.where(defined, whole, 1.0)
    value = factor * totals.correct / safe
    slopes = [np.where(defined, (own - value * by) / safe, 0.0) for own, by in (
        (factor, by_correct), (0.0, by_support), (0.0, by_predicted)
    )]  # fmt: skip
    return Rates(np.where(defined, value, np.nan), *slopes)


def class_rate(cells: JointCounts, which: Rate, model: int = 0) -> Statistic:
    """Return a rate of class 1 of one-vs-rest cells."""
    if which in ("precision", "recall"):
        is_true, is_pred = cells.true == 1, cells.preds[model] == 1
        return share_of_rows(cells, is_true & is_pred, is_pred if which == "precision" else is_true)
    totals = cells.totals(model)
    correct, support, predicted = (float(part[1]) for part in totals[:3])
    found, only = rates(totals, which), np.array([0.0, 1.0])
    slopes = Slopes(found.correct * only, found.support * only, found.predicted * only)
    influence, scale = cells.influence(slopes, model), "f1" if which == "f1" else "share"
    return Statistic(float(found.value[1]), influence, scale, correct, support + predicted - correct)  # type: ignore[arg-type]


def averaged(cells: Joint, which: Rate, average: Average, model: int = 0, *, zero: bool = False) -> Statistic:
    """Return an average of a rate; the classes are those of `metrics.confusion.averages`, "macro_all" takes every
    label.

    zero : a rate that is 0/0 counts as 0, as scikit-learn has it; else it makes the average undefined.
    """
    totals = cells.totals(model)
    if average == "micro":
        return _micro(cells, totals, which, model)
    found = rates(totals, which)
    value = found.value.copy()
    if zero or (average == "macro_label_space" and which == "f1"):
        value[np.isnan(value)] = 0.0
    weight = _weights(totals, average)
    if not weight.sum() or not totals.n:
        return Statistic(math.nan, np.zeros(len(cells.rows)), "unit")
    share = weight / weight.sum()
    mean = float((share[share > 0] * value[share > 0]).sum())
    support = share * found.support
    if average == "weighted":
        support = support + np.where(weight > 0, (np.nan_to_num(value) - mean) / weight.sum(), 0.0)
    slopes = Slopes(share * found.correct, support, share * found.predicted)
    if average == "weighted" and which == "recall" and not cells.many:  # the accuracy by another name
        return share_of_rows(cells, cells.right(model))
    return Statistic(
        mean,
        cells.influence(slopes, model),
        "unit",
        edge=lambda bounds: _squares_added(totals, which, share, bounds),
        edge_variance=_variance_at_edges(totals, which, share, value),
        edge_value=value,
    )


def _variance_at_edges(totals: Totals, which: Rate, share: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Return the variance that classes with a rate of exactly 0 or 1 add: that which Wilson's interval of the rate
    stands for.
    """
    variance = np.zeros(len(share))
    for code in np.flatnonzero((share > 0) & ((value == 0) | (value == 1))).tolist():
        bounds = _class_bounds(totals, which, code, lambda part, whole: wilson(part, whole, _Z))[1]
        if not math.isnan(bounds.low):
            variance[code] = (share[code] * (bounds.high - bounds.low) / (2 * _Z)) ** 2
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


def _micro(cells: Joint, totals: Totals, which: Rate, model: int) -> Statistic:
    factor, *by = _PARTS[which]
    sums = [float(part.sum()) for part in totals[:3]]
    whole = sum(b * part for b, part in zip(by, sums, strict=True))
    if not whole:
        return Statistic(math.nan, np.zeros(len(cells.rows)), "unit")
    value = factor * sums[0] / whole
    ones = np.ones(len(totals.support))
    parts = [(own - value * b) / whole * ones for own, b in zip((factor, 0.0, 0.0), by, strict=True)]
    slopes = Slopes(parts[0], parts[1], parts[2])
    influence = cells.influence(slopes, model)
    every_answer_read = sums[1] == sums[2]
    of_rows = which in ("precision", "recall") or (which == "f1" and every_answer_read)
    if isinstance(cells, JointCounts) and of_rows:
        return share_of_rows(cells, cells.right(model), cells.preds[model] >= 0 if which == "precision" else None)
    return Statistic(value, influence, "unit", edge=lambda bounds: bounds(value * totals.n, totals.n))


def _squares_added(totals: Totals, which: Rate, share: np.ndarray, share_bounds: ShareBounds) -> Bounds:
    """Return bounds of a weighted mean from Wilson's of every class, squared and added (Zou & Donner 2008)."""
    down = up = mean = 0.0
    for code in np.flatnonzero(share).tolist():
        value, bounds = _class_bounds(totals, which, code, share_bounds)
        if not math.isnan(bounds.low):
            mean += share[code] * value
            down += (share[code] * (value - bounds.low)) ** 2
            up += (share[code] * (bounds.high - value)) ** 2
    return Bounds(max(0.0, mean - math.sqrt(down)), min(1.0, mean + math.sqrt(up)))


def _class_bounds(totals: Totals, which: Rate, code: int, share_bounds: ShareBounds) -> tuple[float, Bounds]:
    """Return the rate of one class and Wilson's bounds of it."""
    correct, support, predicted = (float(part[code]) for part in totals[:3])
    whole = {"precision": predicted, "recall": support}.get(which, support + predicted - correct)
    value, bounds = (correct / whole if whole else 0.0), share_bounds(correct, whole)
    if which == "f1":
        return 2 * value / (1 + value), Bounds(*(2 * bound / (1 + bound) for bound in bounds))
    return value, bounds
