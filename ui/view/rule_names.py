"""Name the rules in force on every page: which rule, of which label."""

from __future__ import annotations

from data.evaluation import Evaluation
from metrics.thresholds.rule_text import ONE_FOR_ALL, Given, describe_rule
from text.numbers import count
from ui.text.markdown import md
from ui.view import state

_NAMED = 3
"""So many rules of single labels are named; how many more there are is said."""


def rules_said(evaluation: Evaluation) -> str:
    """Name the rules that chose the thresholds in view, as Markdown; empty where a hand set them."""
    given = state.rules_in_view(evaluation)
    if not given:
        return ""
    more = f" and {count(len(given) - _NAMED, 'more rule')}" if len(given) > _NAMED else ""
    return f"chosen by your rule: {', '.join(_said(evaluation, one) for one in given[:_NAMED])}{more}"


def _said(evaluation: Evaluation, given: Given) -> str:
    if given.code is not None:
        return f"{describe_rule(given.rule)} for {md(evaluation.labels[given.code], 40)}"
    each = evaluation.task == "multilabel" and given.rule.by not in ONE_FOR_ALL
    return describe_rule(given.rule) + (" of each label" if each else "")
