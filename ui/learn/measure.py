"""A registry metric on the loaded evaluation: its value, and its formula with this file's numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from data.evaluation import Evaluation
from metrics.catalogue.registry import REGISTRY
from metrics.catalogue.undefined import why_undefined
from metrics.findings.tables import arguments
from metrics.intervals.rates import RATES
from metrics.intervals.statistic import Interval
from text.numbers import number
from ui.view import cache, intervals, url
from ui.view.panel import md_label


def class_of(evaluation: Evaluation) -> int:
    """Return the class of one-class metrics: the positive one, else the chosen one, else the most frequent."""
    name = url.get("class")
    if name in evaluation.labels:
        return evaluation.labels.index(name)
    if evaluation.positive is not None:
        return evaluation.positive
    many = evaluation.task == "multilabel"
    counts = cache.multilabel(evaluation) if many else cache.confusion(evaluation)
    return int(np.argmax(counts.support))


@cache.kept(64)
def _values(evaluation: Evaluation, code: int) -> dict[tuple[str, str], float | None]:
    """Keep the values of an evaluation and a class by metric and options; Streamlit's cache is slow to ask 72 times."""
    return {}


def value(evaluation: Evaluation, name: str, options: Mapping[str, Any] | None = None) -> float | None:
    """Return the metric's value, NaN where it is undefined; None where this file lacks its input."""
    options, code = options or {}, class_of(evaluation)
    values, asked = _values(evaluation, code), (name, repr(options))
    if asked not in values:
        metric = REGISTRY[name]
        given = arguments(evaluation, metric, code, cache.KEPT)
        values[asked] = None if given is None else float(metric.function(*given[0], **{**given[1], **options}))
    return values[asked]


_NAMES = {
    "matthews_correlation": "mcc",
    "brier_score": "brier",
    **{f"macro_{rate}_{ours}": f"macro_{rate}{theirs}" for rate in RATES
       for ours, theirs in (("seen", ""), ("supported", "_supported"), ("space", "_label_space"))},
    **{f"multilabel_{average}_{rate}": f"{average}_{rate}" for rate in RATES
       for average in ("micro", "weighted", "samples")},
    **{f"multilabel_macro_{rate}": f"macro_{rate}_label_space" for rate in RATES},
}  # fmt: skip
"""Metrics of the registry whose intervals have another name."""


def interval(evaluation: Evaluation, name: str, options: Mapping[str, Any] | None = None) -> Interval | None:
    """Return the interval of a metric; None where it has none here."""
    own = value(evaluation, name, options)
    if own is None or np.isnan(own) or options:
        return None
    eats, code = REGISTRY[name].eats, class_of(evaluation)
    if name in RATES and eats == "confusion counts, one class":
        found = intervals.of_class(evaluation, code, name)
    elif name in ("roc_auc", "average_precision"):
        found = intervals.of_scores(evaluation, code, name)
    else:
        found = intervals.of_metric(evaluation, _NAMES.get(name, name))
    # a metric of another kind by the same name has another value
    return found if abs(found.value - own) < 1e-9 and found.low == found.low else None


def value_with_interval(evaluation: Evaluation, name: str, options: Mapping[str, Any] | None = None) -> str:
    """Return a metric and its interval with three decimals; empty without a value."""
    own, found = value(evaluation, name, options), interval(evaluation, name, options)
    if own is None:
        return ""
    return number(own) + ("" if found is None else f" ({number(found.low)} to {number(found.high)})")


def zero_division_0(evaluation: Evaluation, name: str) -> float | None:
    """Return scikit-learn's figure, which counts 0/0 as 0; None where ours is defined, or it has none."""
    own = value(evaluation, name) if REGISTRY[name].zero_division else None
    if own is None or not np.isnan(own):
        return None
    filled = value(evaluation, name, {"zero_division": 0.0})
    return None if filled is None or np.isnan(filled) else filled


def zero_division_note(evaluation: Evaluation, name: str) -> str:
    """Say scikit-learn's figure beside an undefined average, under its name; nothing elsewhere."""
    filled = zero_division_0(evaluation, name)
    return "" if filled is None else f"zero_division=0 (scikit-learn counts 0/0 as 0): {number(filled, 4)}"


@cache.kept(2000)
def _work_out(evaluation: Evaluation, name: str, code: int) -> str | None:
    metric = REGISTRY[name]
    given = arguments(evaluation, metric, code, cache.KEPT)
    return None if given is None else metric.worked(*given[0], **given[1])


def worked(evaluation: Evaluation, name: str) -> str | None:
    """Return the formula with this file's numbers in it, as LaTeX; None where this file lacks its input."""
    return _work_out(evaluation, name, class_of(evaluation))


def reason_undefined(evaluation: Evaluation, name: str) -> str:
    """Explain why the scores' scale leaves a value undefined; "" where that is not the reason."""
    reason = why_undefined(evaluation, REGISTRY[name].eats)
    return f"Undefined: {reason}." if reason else ""


def describe_scope(evaluation: Evaluation, name: str) -> str:
    """Name the class and the threshold that a value is about, as Markdown."""
    if reason_undefined(evaluation, name):
        return reason_undefined(evaluation, name)
    facts = []
    if REGISTRY[name].eats in ("confusion counts, one class", "score counts"):
        facts.append(f"for the class {md_label(evaluation, class_of(evaluation))}")
    if evaluation.threshold is not None and REGISTRY[name].eats not in ("score counts", "probabilities"):
        facts.append(f"predicted when score ≥ {evaluation.threshold:.6g}")
    return ", ".join(facts)
