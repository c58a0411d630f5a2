"""Compute a number of the registry on the rows of every slice, and its difference to all other rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, get_args

import numpy as np

from data.comparison.filter_conditions import Conditions, keep_rows
from data.comparison.slice_columns import Slicing
from data.evaluation import Evaluation
from export.by_slice.slice_lines import SliceNumber
from export.cells import score_cells
from export.measurement import Measurement, measure
from metrics.catalogue.metric import Eats, Metric, why_undefined
from metrics.catalogue.registry import REGISTRY, metric_of, rows_of_class, split_class, with_influence
from metrics.comparison.differences import Difference, undefined_difference
from metrics.comparison.multiple_tests import benjamini_hochberg
from metrics.intervals.statistic import Interval
from metrics.limits import MAX_ROWS_OF_RESTS
from metrics.slices.two_samples import difference_to_rest

_NOT_SCORED = "no scored rows"


class SliceMetric(NamedTuple):
    """A number of the registry that slices can have.

    key : its key in the JSON. code : the class of a number of one class; None = all, or the positive class.
    """

    row: Metric
    key: str
    code: int | None = None

    def name(self, write: Callable[[int], str]) -> str:
        """Return its name, with its class; `write` gives the name of a class."""
        return self.row.name if self.code is None else f"{self.row.name} of {write(self.code)}"


def other_metrics(measured: Measurement) -> dict[str, str]:
    """Return the numbers over all classes, of the positive class and of scores that a slice can have, with their names.

    Those without an interval are left out: the fewer rows a slice has, the larger or smaller they are by chance.
    """
    e, names = measured.evaluation, dict[str, str]()
    for key in measured.list_told(*get_args(Eats)):
        row = REGISTRY[e.task, key]
        name = row.class_key if row.eats == "confusion counts, one class" else key
        if (
            _is_sure(e, row) and name and name not in names
        ):  # of the positive class some repeat a number over all classes
            names[name] = row.head
    return names


def class_metrics(measured: Measurement) -> dict[str, Metric]:
    """Return the numbers of any one class that a slice can have, by their keys in the JSON; areas where it has scores.

    A slice has them by a name such as npv[cat].
    """
    task = measured.evaluation.task
    areas = with_influence("score counts", task=task) if measured.evaluation.score_codes else {}
    return {key: row for key, row in (rows_of_class(task) | areas).items() if _is_sure(measured.evaluation, row)}


def read_metric(measured: Measurement, name: str) -> SliceMetric | None:
    """Return the number that slices have by a name, of all classes or of one; None where there is none."""
    e = measured.evaluation
    if name in other_metrics(measured):
        return SliceMetric(metric_of(e.task, name), name)
    key, code = split_class(name, e.labels) or ("", 0)
    row = class_metrics(measured).get(key)
    if row is None or (row.eats == "score counts" and code not in e.score_codes):
        return None
    return SliceMetric(row, key, code)


def _is_sure(evaluation: Evaluation, row: Metric) -> bool:
    """Return whether a number has an interval, and nothing against it."""
    return row.influence is not None and not why_undefined(evaluation, row.eats)


def measure_slices(measured: Measurement, way: Slicing, metric: SliceMetric) -> list[SliceNumber]:
    """Return a number of every slice, in their order; p is corrected over these slices."""
    is_tested = len(way.codes) * len(way.values) <= MAX_ROWS_OF_RESTS
    numbers = list[SliceNumber]()
    for place in range(len(way.values)):
        inside, rest = np.flatnonzero(way.codes == place), np.flatnonzero(way.codes != place)
        numbers.append(_measure_slice(measured, inside, rest if is_tested else None, way.conditions(place), metric))
    return correct_slices(numbers)


def correct_slices(lines: Sequence[SliceNumber]) -> list[SliceNumber]:
    """Return slices with p after Benjamini–Hochberg over all of them."""
    adjusted = benjamini_hochberg([line.difference.p for line in lines])
    return [line._replace(p_adjusted=p) for line, p in zip(lines, adjusted, strict=True)]


def sort_numbers(lines: Sequence[SliceNumber], row: Metric) -> list[SliceNumber]:
    """Return the slices with the worst number first, those where it is undefined last.

    Of a number that has no better direction the highest is first.
    """
    sign = 1 if row.direction == "higher" else -1
    defined = sorted((line for line in lines if not line.is_undefined), key=lambda line: sign * line.number.value)
    return [*defined, *(line for line in lines if line.is_undefined)]


def _measure_slice(
    measured: Measurement, rows: np.ndarray, rest: np.ndarray | None, conditions: Conditions, metric: SliceMetric
) -> SliceNumber:
    """Return the number of one slice, undefined where none of its rows is scored.

    rest : all other rows; None = too many to be compared with.
    """
    inside = keep_rows(measured.evaluation, rows, conditions)
    effective = None if inside.units is None else score_cells(inside, None).effective_rows()
    if not inside.n_scored:
        nan, why = math.nan, f"undefined: {_NOT_SCORED}"
        number = Interval(nan, nan, nan, nan, why, measured.level, 0, None, metric.row.unit, _NOT_SCORED)
        nothing = undefined_difference(_NOT_SCORED)
        return SliceNumber(conditions, 0, effective, number, nothing, math.nan)
    alone = _measure_rows(measured, inside, rows)
    number_bound = (alone.score_error_bound or {}).get(metric.key, 0.0)
    bound = 0.0 if math.isnan(number_bound) else number_bound
    number = alone.number(metric.key, metric.code)
    difference = (
        undefined_difference("scores are known in bins") if bound else _difference(measured, alone, rest, metric)
    )
    return SliceNumber(conditions, inside.n_scored, effective, number, difference, math.nan, bound=bound)


def _measure_rows(measured: Measurement, kept: Evaluation, rows: np.ndarray) -> Measurement:
    """Return the numbers of the evaluation of some rows, whose clusters are those of the file."""
    together = measured.clusters
    clusters = None if together is None else together._replace(codes=together.codes[rows])
    most = measured.most_scores * len(rows) / measured.evaluation.n_lines
    return replace(measure(kept, measured.level, lambda _: clusters), most_scores=most)


def _difference(measured: Measurement, alone: Measurement, rest: np.ndarray | None, metric: SliceMetric) -> Difference:
    """Return the difference of a slice to all other rows, or why there is none."""
    if rest is None:
        return undefined_difference("too many slices of so many rows")
    others = keep_rows(measured.evaluation, rest, ())
    if not others.n_scored:
        return undefined_difference("no other scored rows")
    if math.isnan(alone.number(metric.key, metric.code).low):
        return undefined_difference()
    of_rest = _measure_rows(measured, others, rest)
    sides = (*alone.statistic(metric.key, metric.code), *of_rest.statistic(metric.key, metric.code))
    return difference_to_rest(*sides, level=alone.level)
