"""Accuracy, kappa and means over rows, each with the influence of every cell."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from metrics.intervals.joint_counts import Joint, JointCounts, LabelJointCounts, Slopes, Totals
from metrics.intervals.statistic import ShareBounds, Statistic, bounds_by_accuracy, mean_of_rows, share_of_rows
from metrics.outcomes import FourCounts, Ratio
from metrics.shares import Bounds


def share_right(cells: Joint, model: int = 0) -> Statistic:
    """Return the share of rows that are right, in every label: accuracy, or subset accuracy."""
    return share_of_rows(cells, cells.right(model))


def cohen_kappa(cells: JointCounts, model: int = 0) -> Statistic:
    """Return Cohen's kappa of truth and prediction, as `metrics.confusion.label_metrics.cohen_kappa`."""
    totals = cells.totals(model)
    n, right = totals.n, float(totals.correct.sum())
    chance = float((totals.support * totals.predicted).sum())
    below = n * n - chance
    if not below:
        return Statistic(math.nan, np.zeros(len(cells.rows)), "signed")
    value = (n * right - chance) / below

    def edge(wilson: ShareBounds) -> Bounds:
        constant = _constant_bounds(totals, wilson, cells.shrinkage)
        return bounds_by_accuracy(right, n, chance, below, wilson, cells.shrinkage) if constant is None else constant

    slopes = Slopes(
        correct=np.full(len(totals.support), n / below),
        support=(value - 1) * totals.predicted / below,
        predicted=(value - 1) * totals.support / below,
        n=(right - value * 2 * n) / below,
    )
    return Statistic(value, cells.influence(slopes, model), "signed", edge=edge)


def _kappa(totals: Totals) -> float:
    chance = float((totals.support * totals.predicted).sum())
    below = totals.n * totals.n - chance
    return (totals.n * float(totals.correct.sum()) - chance) / below if below else math.nan


def _constant_bounds(totals: Totals, wilson: ShareBounds, shrinkage: float) -> Bounds | None:
    """Return bounds where one class is predicted in every row; None where predictions vary.

    shrinkage : as in `Cells`.

    As many rows as Wilson's upper bound of 0 in n allows might have been predicted as the most frequent other class:
    all of them right, or all wrong.
    """
    predicted_codes = np.flatnonzero(totals.predicted)
    if len(predicted_codes) != 1 or totals.predicted.sum() < totals.n:
        return None
    constant, rows_of_others = int(predicted_codes[0]), totals.support.copy()
    rows_of_others[constant] = 0
    other = int(rows_of_others.argmax())
    if not rows_of_others[other]:
        return Bounds(math.nan, math.nan)
    most_moved = wilson(0, totals.n * shrinkage).high * totals.n
    kappas = []
    for true in (constant, other):
        moved = min(most_moved, totals.support[true])
        correct, predicted = totals.correct.copy(), totals.predicted.copy()
        correct[true] += moved if true == other else -moved
        predicted[constant] -= moved
        predicted[other] += moved
        kappas.append(_kappa(replace(totals, correct=correct, predicted=predicted)))
    return Bounds(min(kappas), max(kappas))


def per_label_accuracy(cells: LabelJointCounts, model: int = 0) -> Statistic:
    """Return the share of single label decisions that are right; rows are the independent units, not decisions."""
    wrong = (cells.true != cells.preds[model]).sum(axis=1)
    n_labels = cells.n_labels
    return mean_of_rows(cells, 1 - wrong / n_labels if n_labels else np.full(len(wrong), np.nan))


def hamming_loss(cells: LabelJointCounts, model: int = 0) -> Statistic:
    """Return the share of single label decisions that are wrong; its bounds are those of the accuracy, turned over."""
    accuracy = per_label_accuracy(cells, model)
    edge = accuracy.edge

    def turned_over(wilson: ShareBounds) -> Bounds:
        assert edge is not None
        bounds = edge(wilson)
        return Bounds(1 - bounds.high, 1 - bounds.low)

    return accuracy._replace(
        value=1 - accuracy.value, influence=-accuracy.influence, edge=None if edge is None else turned_over
    )


def samples_average(cells: LabelJointCounts, model: int = 0, *, rate: Ratio) -> Statistic:
    """Return the mean over rows of a rate of each row's two sets; an undefined rate of a row counts as 0."""
    pred = cells.preds[model]
    tp = (cells.true & pred).sum(axis=1)
    fp, fn = pred.sum(axis=1) - tp, cells.true.sum(axis=1) - tp
    rates = rate.value(FourCounts(tp, fp, fn, math.nan))  # no rate of two sets asks what neither of them holds
    return mean_of_rows(cells, np.nan_to_num(rates))
