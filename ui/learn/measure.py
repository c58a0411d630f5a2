"""A registry metric on the loaded evaluation: its value, and its formula with this file's numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from data.evaluation import Evaluation
from metrics.catalogue.registry import REGISTRY
from metrics.catalogue.undefined import why_undefined
from metrics.findings.tables import arguments
from text.numbers import number
from ui.text.markdown import md
from ui.view import cache, url


def class_of(evaluation: Evaluation) -> int:
    """The class that one-class metrics are about: the positive one, else the chosen one, else the most frequent."""
    name = url.get("class")
    if name in evaluation.labels:
        return evaluation.labels.index(name)
    if evaluation.positive is not None:
        return evaluation.positive
    many = evaluation.task == "multilabel"
    counts = cache.multilabel(evaluation) if many else cache.confusion(evaluation)
    return int(np.argmax(counts.support))


@st.cache_resource(show_spinner=False, max_entries=2000)
def _value(
    fingerprint: str, name: str, code: int, options: str, _evaluation: Evaluation, _options: Mapping[str, Any]
) -> float | None:
    metric = REGISTRY[name]
    given = arguments(_evaluation, metric, code, cache.KEPT)
    return None if given is None else float(metric.function(*given[0], **{**given[1], **_options}))


def value(evaluation: Evaluation, name: str, options: Mapping[str, Any] | None = None) -> float | None:
    """The metric's value, NaN where it is undefined; None where this file does not hold what it needs."""
    options = options or {}
    return _value(evaluation.fingerprint, name, class_of(evaluation), repr(options), evaluation, options)


def zero_division_0(evaluation: Evaluation, name: str) -> float | None:
    """Return scikit-learn's figure, which counts 0/0 as 0; None where ours is defined, or it has none."""
    own = value(evaluation, name) if REGISTRY[name].zero_division else None
    if own is None or not np.isnan(own):
        return None
    filled = value(evaluation, name, {"zero_division": 0.0})
    return None if filled is None or np.isnan(filled) else filled


def beside_undefined(evaluation: Evaluation, name: str) -> str:
    """Say scikit-learn's figure beside an undefined average, under its name; nothing elsewhere."""
    filled = zero_division_0(evaluation, name)
    return "" if filled is None else f"zero_division=0 (scikit-learn counts 0/0 as 0): {number(filled, 4)}"


@st.cache_resource(show_spinner=False, max_entries=2000)
def _worked(fingerprint: str, name: str, code: int, _evaluation: Evaluation) -> str | None:
    metric = REGISTRY[name]
    given = arguments(_evaluation, metric, code, cache.KEPT)
    return None if given is None else metric.worked(*given[0], **given[1])


def worked(evaluation: Evaluation, name: str) -> str | None:
    """The formula with this file's numbers in it, as LaTeX; None where this file does not hold what it needs."""
    return _worked(evaluation.fingerprint, name, class_of(evaluation), evaluation)


def why_not(evaluation: Evaluation, name: str) -> str:
    """Explain why the scores' scale leaves a value undefined; "" where that is not the reason."""
    reason = why_undefined(evaluation, REGISTRY[name].eats)
    return f"Undefined: {reason}." if reason else ""


def about(evaluation: Evaluation, name: str) -> str:
    """Name the class and the threshold that a value is about, as Markdown."""
    if why_not(evaluation, name):
        return why_not(evaluation, name)
    facts = []
    if REGISTRY[name].eats in ("confusion counts, one class", "score counts"):
        facts.append(f"for the class {md(evaluation.labels[class_of(evaluation)], 40)}")
    if evaluation.threshold is not None and REGISTRY[name].eats not in ("score counts", "probabilities"):
        facts.append(f"predicted when score >= {evaluation.threshold:.6g}")
    return ", ".join(facts)
