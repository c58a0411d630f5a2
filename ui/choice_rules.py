"""How a threshold is chosen, as the view says: the rule that `by` and its inputs in the URL stand for."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import NamedTuple, TypeVar

import numpy as np
import streamlit as st

from data.evaluation import Evaluation
from metrics.choices import COUNTERPART, Rule, best_of
from metrics.curves import ScoreCounts
from metrics.thresholds import Best, rates
from ui import url

NAMES = {
    "f1": "F1",
    "fbeta": "F-beta",
    "youden_j": "Youden's J",
    "mcc": "Matthews correlation",
    "balanced_accuracy": "balanced accuracy",
    "accuracy": "accuracy",
    "cost": "expected cost a row",
    "recall": "recall",
    "precision": "precision",
    "specificity": "specificity",
    "npv": "negative predictive value",
}

Value = TypeVar("Value")
DEFAULT_CAP = "10%"


class Cap(NamedTuple):
    """A capacity: rows, or a share of them; the other is None."""

    rows: int | None
    share: float | None


def read_floor(text: str) -> tuple[str, float]:
    """A constraint as the URL writes it, "recall:0.95".

    Raises
    ------
    ValueError : it is none.

    >>> read_floor("precision:0.9")
    ('precision', 0.9)
    """
    metric, _, number = text.partition(":")
    try:
        floor = float(number)
    except ValueError:
        floor = -1.0
    if metric not in COUNTERPART or not 0 <= floor <= 1:
        raise ValueError(f"{', '.join(COUNTERPART)} with a number from 0 to 1 was wanted, such as recall:0.95")
    return metric, floor


def read_cap(text: str) -> Cap:
    """A capacity as the URL writes it: "500" rows or "2.5%" of them; "" is 10 %.

    Raises
    ------
    ValueError : it is none.

    >>> read_cap("500"), read_cap("2.5%")
    (Cap(rows=500, share=None), Cap(rows=None, share=0.025))
    """
    text = text.strip() or DEFAULT_CAP
    try:
        number = Decimal(text.removesuffix("%"))
    except InvalidOperation:
        number = Decimal(-1)
    number = number if number.is_finite() else Decimal(-1)
    if text.endswith("%") and 0 <= number <= 100:
        return Cap(None, float(number / 100))
    if not text.endswith("%") and 0 <= number <= 10**12 and number == int(number):
        return Cap(int(number), None)
    raise ValueError("a whole number of rows or a percentage was wanted, such as 500 or 2.5%")


def rule_in_view(by: str | None = None) -> Rule:
    """The rule of the view, or what it would be with another `by`; an input that cannot be used has its default."""
    metric, floor = _read("floor", read_floor)
    cap = _read("cap", read_cap)
    return Rule(
        by or url.get("by"),
        beta=url.get("beta"),
        cost_fp=url.get("cfp"),
        cost_fn=url.get("cfn"),
        prevalence=url.get("prev"),
        metric=metric,
        floor=floor,
        then=COUNTERPART[metric],
        most_rows=cap.rows,
        most_share=cap.share,
    )


def _read(name: str, read: Callable[[str], Value]) -> Value:
    try:
        return read(url.get(name))
    except ValueError:
        return read(url.PARAMETERS[name].default)


def problems() -> list[str]:
    """A sentence for each input of the URL that cannot be used."""
    found = []
    for name, read in (("floor", read_floor), ("cap", read_cap)):
        try:
            read(url.get(name))
        except ValueError as error:
            found.append(f"The link says {name}={url.get(name)[:40]}, but {error}; the default is used instead.")
    return found


@st.cache_resource(show_spinner=False, max_entries=256)
def _chosen(fingerprint: str, code: int, rules: tuple[Rule, ...], _scores: ScoreCounts) -> list[Best]:
    table = rates(_scores, nothing_too=True)
    return [best_of(table, rule) for rule in rules]


def chosen(evaluation: Evaluation, code: int, scores: ScoreCounts, rules: tuple[Rule, ...]) -> list[Best]:
    """The threshold that each rule picks, and what it wants there; both NaN where there is none."""
    return _chosen(evaluation.fingerprint, code, rules, scores)


def best_in_view(evaluation: Evaluation, code: int, scores: ScoreCounts) -> Best:
    """The threshold that the view's way of choosing picks, and what it wants there; both NaN where there is none."""
    return chosen(evaluation, code, scores, (rule_in_view(),))[0]


def usable(scores: ScoreCounts, threshold: float) -> float:
    """A threshold that can be shown and typed: for "nothing is positive" the next number above every score."""
    return float(threshold) if np.isfinite(threshold) else float(np.nextafter(scores.score[0], np.inf))
