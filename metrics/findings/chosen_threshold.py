"""Findings on a threshold that a rule chose: whether the rule is kept, at what price, and what new data will give."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from metrics.finding import Finding, Label, Severity
from metrics.thresholds.choose import NAMES
from text.numbers import number, write_amount, write_threshold

if TYPE_CHECKING:
    from metrics.thresholds.rule_in_force import ChosenThreshold

_FAR = 0.05
"""From this difference on, new data do worse, and not only slightly."""


def rule_findings(chosen: ChosenThreshold, label: str | None = None) -> Iterator[Finding]:
    """Yield everything worth saying about one threshold and its rule; `label` names it where there are several."""
    yield _rule_met(chosen, label)
    if not math.isnan(chosen.expected) and not math.isnan(chosen.here):
        yield _new_data_finding(chosen, label)


def _rule_met(chosen: ChosenThreshold, label: str | None) -> Finding:
    evidence = {"value": chosen.here, "recommended_threshold": chosen.best} | dict(chosen.price)
    if chosen.threshold is not None:
        evidence["threshold"] = chosen.threshold
    code: str
    severity: Severity
    if chosen.kept:
        code, severity, verdict, advice = "rule_kept", "info", "is met", _price(chosen)
    else:
        code, severity, verdict, advice = "rule_not_kept", "serious", "is not met", _suggest_threshold(chosen)
    return Finding(
        code,
        severity,
        (*_opening(label), f", {chosen.described}, {verdict}: ", _explain_rule(chosen), ".", advice),
        1.0,
        {name: value for name, value in evidence.items() if not math.isnan(value)},
        () if label is None else (label,),
    )


def _opening(label: str | None) -> tuple[str | Label, ...]:
    return ("Your rule",) if label is None else ("Your rule for ", Label(label))


def _explain_rule(chosen: ChosenThreshold) -> str:
    """Say what on these rows keeps the rule, or breaks it."""
    name = NAMES.get(chosen.metric, chosen.metric)
    if chosen.rule.by == "at_least":
        return f"{name} is {_value(chosen, chosen.here)}"
    if chosen.allowed is not None and chosen.is_weighted:
        here, allowed = write_amount(chosen.here), write_amount(chosen.allowed)
        return f"rows of weight {here} are predicted positive, and {allowed} is allowed"
    if chosen.allowed is not None:
        are = "row of {} allowed is" if chosen.here == 1 else "rows of {} allowed are"
        return f"{write_amount(chosen.here)} {are.format(write_amount(chosen.allowed))} predicted positive"
    if chosen.kept:
        better = "lower" if chosen.rule.by == "cost" else "higher"
        several = chosen.threshold is None
        return f"no other threshold{'s give' if several else ' gives'} a {better} {name} than " + _value(
            chosen, chosen.here
        )
    return f"{name} is {_value(chosen, chosen.here)}"


def _price(chosen: ChosenThreshold) -> str:
    if not chosen.price:
        return ""
    prices = " and ".join(f"{NAMES[name]} is {number(value)}" for name, value in chosen.price)
    return f" The price: {prices}."


def _suggest_threshold(chosen: ChosenThreshold) -> str:
    if chosen.threshold is None:
        return " Choose the thresholds again on the page Thresholds."
    if math.isnan(chosen.best):
        return " No threshold meets it on these rows."
    return f" Score ≥ {write_threshold(chosen.best)} meets it."


def _new_data_finding(chosen: ChosenThreshold, label: str | None) -> Finding:
    sentence = expectation(chosen)
    of = () if label is None else (" This is about ", Label(label), ".")
    worse = _loss(chosen)
    broken = chosen.rule.by == "at_least" and chosen.expected < chosen.rule.floor
    return Finding(
        "rule_on_new_data",
        "warning" if worse > 0 and (broken or worse >= _FAR) else "info",
        (sentence, *of, describe_estimate(chosen)),
        min(1.0, abs(worse)),
        {"value": chosen.here, "expected_on_new_data": chosen.expected},
        () if label is None else (label,),
    )


def expectation(chosen: ChosenThreshold) -> str:
    """Say what the rule's figure will be on new data, in one sentence; nothing where it is not estimated.

    >>> from metrics.thresholds.choose import Rule
    >>> from metrics.thresholds.rule_in_force import ChosenThreshold
    >>> from metrics.thresholds.rule_text import Given
    >>> given = Given(None, Rule("at_least", metric="recall", floor=0.9))
    >>> expectation(ChosenThreshold(given, 0.00833, "recall", 0.9, 0.893, True, 0.00833))
    'Expect slightly worse on new data: recall about 0.893, not 0.900.'
    """
    if math.isnan(chosen.expected):
        return ""
    name = NAMES.get(chosen.metric, chosen.metric)
    here, there = _value(chosen, chosen.here), _value(chosen, chosen.expected)
    if _loss(chosen) <= 0:
        return f"Expect about the same on new data: {name} about {there}{'' if here == there else f', here {here}'}."
    worse = "slightly worse" if _loss(chosen) < _FAR else "worse"
    return f"Expect {worse} on new data: {name} about {there}, not {here}."


def describe_estimate(chosen: ChosenThreshold) -> str:
    """Say how the figure on new data was estimated."""
    how = chosen.estimate
    if how is None:
        return ""
    often = "done once" if how.repeats == 1 else f"repeated {how.repeats} times"
    return (
        f" The threshold was chosen on these rows; the difference is estimated by {how.folds}-fold cross-validation, "
        f"{often}."
    )


def _loss(chosen: ChosenThreshold) -> float:
    """Return how much worse the figure is on new data; 0 = as it is printed the same, below 0 = better."""
    same = _value(chosen, chosen.here) == _value(chosen, chosen.expected)
    difference = 0.0 if same else chosen.here - chosen.expected
    return -difference if chosen.rule.by == "cost" else difference


def _value(chosen: ChosenThreshold, value: float) -> str:
    return f"{value:.4g}" if chosen.metric == "cost" and not math.isnan(value) else number(value)
