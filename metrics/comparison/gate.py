"""Conditions on a comparison that a pipeline fails by: "macro_f1 worse", "recall[refund] < -0.05"."""

from __future__ import annotations

import difflib
import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from metrics.comparison.comparison import Comparison
    from metrics.comparison.differences import Difference


class Condition(NamedTuple):
    """Fail on a metric by a margin of the difference b - a; without one, if the interval says "worse"."""

    text: str
    metric: str
    sign: str
    margin: float


class Verdict(NamedTuple):
    """One condition on one pair: whether it fails the gate, and the difference that it judged."""

    condition: Condition
    a: int
    b: int
    fails: bool
    difference: Difference

    @property
    def is_undefined(self) -> bool:
        """Return whether there is no difference; or none to be judged without a margin: no interval, or few rows."""
        moved = self.difference
        return math.isnan(moved.value) or (not self.condition.sign and (math.isnan(moved.low) or moved.few_decide))


def read_condition(text: str, compared: Comparison) -> Condition:
    """Read a condition.

    Raises
    ------
    ValueError
        one sentence: it is no condition, or there is no such metric.

    >>> import numpy as np
    >>> from metrics.comparison.comparison import Comparison
    >>> from metrics.comparison.runs import Runs
    >>> runs = Runs(("a", "b"), ("no", "yes"), 2, "binary", np.array([0, 1, 1]), (np.array([0, 0, 1]),) * 2)
    >>> read_condition("recall[yes] < -0.05", Comparison(runs))
    Condition(text='recall[yes] < -0.05', metric='recall[yes]', sign='<', margin=-0.05)
    """
    metric, sign, margin = _split(text)
    if not compared.has(metric):
        if compared.why_not_compared(metric):
            raise ValueError(compared.why_not_compared(metric))
        near = difflib.get_close_matches(metric, compared.names, n=1, cutoff=0.5)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(
            f"There is no metric {metric!r} here; it has {', '.join(compared.overall_names[:6])} and others.{hint}"
        )
    return Condition(text, metric, sign, margin)


def _split(text: str) -> tuple[str, str, float]:
    """Return metric, sign and margin; the name of a class in the metric may hold a sign, too."""
    stripped = text.strip()
    metric, space, last = stripped.rpartition(" ")
    if space and last == "worse":
        return metric.strip(), "", math.nan
    place = max(stripped.rfind("<"), stripped.rfind(">"))
    sign = stripped[place : place + 1 + (stripped[place + 1 : place + 2] == "=")] if place > 0 else ""
    try:
        margin = float(stripped[place + len(sign) :]) if sign else math.nan
    except ValueError:
        margin = math.nan
    if not math.isfinite(margin):
        raise ValueError(f'{text!r} is no condition; write "macro_f1 worse" or "recall[refund] < -0.05".')
    return stripped[:place].strip(), sign, margin


def judge(condition: Condition, compared: Comparison, a: int, b: int) -> Verdict:
    """Judge one pair: "worse" fails where the interval says so, a margin where the difference itself passes it."""
    moved = compared.difference(condition.metric, a, b)
    if not condition.sign:
        return Verdict(condition, a, b, compared.is_worse(condition.metric, moved), moved)
    fails = {
        "<": moved.value < condition.margin,
        "<=": moved.value <= condition.margin,
        ">": moved.value > condition.margin,
        ">=": moved.value >= condition.margin,
    }[condition.sign]
    return Verdict(condition, a, b, fails, moved)
