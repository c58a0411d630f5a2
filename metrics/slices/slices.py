"""Metrics of every slice, its difference to the rest, and tests corrected for all that was searched."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from metrics.catalogue.metric import Task
from metrics.catalogue.registry import REGISTRY, class_formulas
from metrics.comparison.differences import Difference
from metrics.comparison.multiple_tests import benjamini_hochberg
from metrics.intervals.joint_counts import Joint, JointCounts, cells_of
from metrics.intervals.rates import of_class
from metrics.intervals.statistic import Interval, Statistic, interval
from metrics.slices.two_samples import difference_to_rest

_SINGLE, _MANY = ("accuracy", "macro_f1"), ("subset_accuracy", "micro_f1", "macro_f1")
_ORDERED = ("within_one_step", "mean_steps_off", "quadratic_kappa")


@dataclass(frozen=True, eq=False)
class SliceCounts:
    """Joint counts of one model, and the slice of every cell: int64 (m,), from 0, fewer than `n_slices`.

    positive : code of the positive class of a binary task.
    """

    cells: Joint
    slice_of: np.ndarray
    n_slices: int
    positive: int | None = None


class Slice(NamedTuple):
    """One slice: its place, its rows, its metrics, and their differences to the rest, with p after correction.

    p_adjusted : by metric; NaN where nothing was tested.
    effective_n : how many rows of equal weight tell as much; None where no row has a weight.
    """

    place: int
    n: int
    metrics: dict[str, Interval]
    difference_to_rest: dict[str, Difference]
    p_adjusted: dict[str, float]
    effective_n: float | None


class Searched(NamedTuple):
    """Slices of one or several ways to slice, in order; how many were compared with their rest, by how many tests.

    level : of the intervals.
    """

    slices: tuple[tuple[Slice, ...], ...]
    n_slices: int
    n_tests: int
    level: float


def metric_names(counts: SliceCounts) -> tuple[str, ...]:
    """Return names of the metrics that slices are compared by."""
    of_positive = class_formulas("binary") if counts.positive is not None else ()
    if not isinstance(counts.cells, JointCounts):
        return _MANY
    return (*_SINGLE, *(_ORDERED if counts.cells.ranks else ()), *of_positive)


def statistic_of(cells: Joint, name: str, positive: int | None) -> tuple[Statistic, Joint]:
    """Return one metric, and the cells that it is over."""
    formula = None if positive is None else class_formulas("binary").get(name)
    if formula is not None and positive is not None:
        class_cells = cells.one_vs_rest(positive)
        return of_class(class_cells, formula=formula), class_cells
    task: Task = "multiclass" if isinstance(cells, JointCounts) else "multilabel"
    return REGISTRY[task, name].statistic(cells), cells


def search_slices(ways: Sequence[SliceCounts], *, level: float = 0.95) -> Searched:
    """Compare every slice with its rest, and correct p by Benjamini–Hochberg over everything that was searched."""
    by_way = tuple(tuple(_slice(counts, place, level) for place in range(counts.n_slices)) for counts in ways)
    every = [part for parts in by_way for part in parts]
    tested = [(part, name) for part in every for name in part.metrics]
    adjusted = benjamini_hochberg([part.difference_to_rest[name].p for part, name in tested])
    for (part, name), p in zip(tested, adjusted, strict=True):
        part.p_adjusted[name] = p
    n_tests = sum(not math.isnan(p) for p in adjusted)
    n_slices = sum(any(not math.isnan(p) for p in part.p_adjusted.values()) for part in every)
    return Searched(by_way, n_slices, n_tests, level)


def _slice(counts: SliceCounts, place: int, level: float) -> Slice:
    inside = counts.slice_of == place
    here, rest = cells_of(counts.cells, inside), cells_of(counts.cells, ~inside)
    metrics, moved = {}, {}
    for name in metric_names(counts):
        statistic, cells = statistic_of(here, name, counts.positive)
        other, other_cells = statistic_of(rest, name, counts.positive)
        metrics[name] = interval(statistic, cells, level=level)
        moved[name] = difference_to_rest(statistic, cells, other, other_cells, level=level)
    effective_n = None if here.weighing is None else here.effective_rows()
    return Slice(place, here.count_rows(), metrics, moved, {}, effective_n)
