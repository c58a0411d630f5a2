"""A registry metric on the loaded evaluation: its value, and its formula with this file's numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from data.evaluation import Evaluation
from export.interval_text import bounds_of
from export.measurement import Measurement
from metrics.catalogue.metric import ON_PREDICTIONS, Metric, why_undefined
from metrics.intervals.statistic import Interval
from text.numbers import number, write_threshold
from ui.view import cache, url
from ui.view.panel import md_label

_FILES = {"binary": "binary", "multiclass": "multi-class", "multilabel": "multi-label"}
"""Words for the files of a task."""


def class_of(evaluation: Evaluation) -> int:
    """Return the class of one-class metrics: the positive one, else the chosen one, else the most frequent."""
    name = url.get("class")
    if name in evaluation.labels:
        return evaluation.labels.index(name)
    if evaluation.positive is not None:
        return evaluation.positive
    return int(np.argmax(cache.counts_of_classes(evaluation).support))


def _code(evaluation: Evaluation, metric: Metric) -> int | None:
    """Return the class that a metric is of; None of all."""
    return class_of(evaluation) if metric.eats in ("confusion counts, one class", "score counts") else None


def value(measured: Measurement, metric: Metric, options: Mapping[str, Any] | None = None) -> float | None:
    """Return the metric's value, NaN where it is undefined; None where this file lacks its input."""
    if measured.evaluation.task not in metric.tasks:
        return None
    return measured.value(metric.key, _code(measured.evaluation, metric), **(options or {}))


def interval(measured: Measurement, metric: Metric, options: Mapping[str, Any] | None = None) -> Interval | None:
    """Return the interval of a metric; None where it has none here."""
    known = value(measured, metric, options)
    if known is None or np.isnan(known) or options or metric.influence is None:
        return None
    within = measured.number(metric.key, _code(measured.evaluation, metric))
    return within if within.low == within.low else None


def value_with_interval(measured: Measurement, metric: Metric, options: Mapping[str, Any] | None = None) -> str:
    """Return a metric and its interval; empty without a value."""
    shown, within = value(measured, metric, options), interval(measured, metric, options)
    if shown is None:
        return ""
    return metric.write(shown) + ("" if within is None else f" ({bounds_of(within)})")


def zero_division_0(measured: Measurement, metric: Metric) -> float | None:
    """Return scikit-learn's figure, which counts 0/0 as 0; None where ours is defined, or it has none."""
    shown = value(measured, metric) if metric.zero_division else None
    if shown is None or not np.isnan(shown):
        return None
    filled = value(measured, metric, {"zero_division": 0.0})
    return None if filled is None or np.isnan(filled) else filled


def zero_division_note(measured: Measurement, metric: Metric) -> str:
    """Say scikit-learn's figure beside an undefined average, under its name; nothing elsewhere."""
    filled = zero_division_0(measured, metric)
    return "" if filled is None else f"zero_division=0 (scikit-learn counts 0/0 as 0): {number(filled)}"


@cache.kept(2000)
def _work_out(measured: Measurement, key: str, code: int | None) -> str | None:
    return measured.worked(key, code)


def worked(measured: Measurement, metric: Metric) -> str | None:
    """Return the formula with this file's numbers in it, as LaTeX; None where this file lacks its input."""
    if measured.evaluation.task not in metric.tasks:
        return None
    return _work_out(measured, metric.key, _code(measured.evaluation, metric))


def why_not_here(evaluation: Evaluation, metric: Metric) -> str:
    """Say why this file has no value of a metric."""
    if evaluation.task in metric.tasks:
        return "This file lacks what the metric needs."
    return f"The metric is for {' or '.join(_FILES[task] for task in metric.tasks)} files."


def reason_undefined(evaluation: Evaluation, metric: Metric) -> str:
    """Explain why the scores' scale leaves a value undefined; "" where that is not the reason."""
    reason = why_undefined(evaluation, metric.eats)
    return f"Undefined: {reason}." if reason else ""


def describe_scope(evaluation: Evaluation, metric: Metric) -> str:
    """Name the class and the threshold that a value is about, as Markdown."""
    if reason_undefined(evaluation, metric):
        return reason_undefined(evaluation, metric)
    facts = []
    if metric.eats in ("confusion counts, one class", "score counts"):
        facts.append(f"for the class {md_label(evaluation, class_of(evaluation))}")
    if evaluation.threshold is not None and metric.eats in ON_PREDICTIONS:
        facts.append(f"predicted when score ≥ {write_threshold(evaluation.threshold)}")
    if evaluation.units is not None and not metric.counts_rows:
        facts.append("each row counted by its weight")
    return ", ".join(facts)
