"""A registry metric on the loaded evaluation: its value, and its formula with this file's numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from data.evaluation import Evaluation
from metrics.entries.metric import Metric
from metrics.registry import REGISTRY
from ui import cache, url
from ui.blocks import md


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


def arguments(evaluation: Evaluation, metric: Metric) -> tuple[Any, ...] | None:
    """What the metric's function takes, from this evaluation; None if it does not hold that."""
    if evaluation.task not in metric.tasks:
        return None
    counts = cache.multilabel(evaluation) if evaluation.task == "multilabel" else cache.confusion(evaluation)
    if metric.eats in ("confusion counts", "multi-label counts"):
        return (counts,)
    code = class_of(evaluation)
    if metric.eats == "confusion counts, one class":
        return (counts, code)
    if evaluation.y_score is None:
        return None
    if metric.eats == "score counts":
        scores = cache.scores(evaluation, code)
        return None if scores is None else (scores,)
    scored = evaluation.scored
    if metric.eats == "scores per class":
        return evaluation.y_true[scored], evaluation.y_score[scored], evaluation.score_codes
    if evaluation.task == "binary":
        return evaluation.y_true[scored] == evaluation.positive, evaluation.y_score[scored, 0]
    return evaluation.y_true[scored], evaluation.y_score[scored]


def _options(evaluation: Evaluation, metric: Metric) -> dict[str, Any]:
    if metric.eats != "probabilities":
        return {}
    if evaluation.task == "binary":
        return {"from_logits": evaluation.scale == "logit"}
    return {"score_codes": evaluation.score_codes}


@st.cache_resource(show_spinner=False, max_entries=2000)
def _value(
    fingerprint: str, name: str, code: int, options: str, _evaluation: Evaluation, _options: Any
) -> float | None:
    metric = REGISTRY[name]
    given = arguments(_evaluation, metric)
    return None if given is None else float(metric.function(*given, **_options))


def value(evaluation: Evaluation, name: str, options: Mapping[str, Any] | None = None) -> float | None:
    """The metric's value, NaN where it is undefined; None where this file does not hold what it needs."""
    every = {**_options(evaluation, REGISTRY[name]), **(options or {})}
    return _value(evaluation.fingerprint, name, class_of(evaluation), repr(every), evaluation, every)


@st.cache_resource(show_spinner=False, max_entries=2000)
def _worked(fingerprint: str, name: str, code: int, _evaluation: Evaluation) -> str | None:
    metric = REGISTRY[name]
    given = arguments(_evaluation, metric)
    return None if given is None else metric.worked(*given, **_options(_evaluation, metric))


def worked(evaluation: Evaluation, name: str) -> str | None:
    """The formula with this file's numbers in it, as LaTeX; None where this file does not hold what it needs."""
    return _worked(evaluation.fingerprint, name, class_of(evaluation), evaluation)


def about(evaluation: Evaluation, name: str) -> str:
    """What stands beside a value, as Markdown: the class and the threshold that it is about."""
    facts = []
    if REGISTRY[name].eats in ("confusion counts, one class", "score counts"):
        facts.append(f"for the class {md(evaluation.labels[class_of(evaluation)], 40)}")
    if evaluation.threshold is not None and REGISTRY[name].eats not in ("score counts", "probabilities"):
        facts.append(f"predicted when score >= {evaluation.threshold:.6g}")
    return ", ".join(facts)
