"""How a threshold is chosen, as the view says: the rule that `by` and its inputs in the URL stand for."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from data.evaluation import Evaluation
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.choose import Rule, best_of
from metrics.thresholds.rule_text import read_cap, read_floor
from metrics.thresholds.threshold_metrics import Best, rates
from ui.view import url
from ui.view.cache import BY_FINGERPRINT

_READ = {"floor": read_floor, "cap": read_cap}


def rule_in_view(by: str | None = None) -> Rule:
    """The rule of the view, or what it would be with another `by`; an input that cannot be used has its default.

    The reject option chooses two thresholds and is no rule for one: F1 stands in for it.
    """
    by = by or url.get("by")
    cap = _read_input("cap")
    return replace(
        _read_input("floor"),
        by="f1" if by == "reject" else by,
        beta=url.get("beta"),
        cost_fp=url.get("cfp"),
        cost_fn=url.get("cfn"),
        prevalence=url.get("prev"),
        most_rows=cap.most_rows,
        most_share=cap.most_share,
    )


def _read_input(name: str) -> Rule:
    try:
        return _READ[name](url.get(name))
    except ValueError:
        return _READ[name](url.PARAMETERS[name].default)


def problems() -> list[str]:
    """A sentence for each input of the URL that cannot be used."""
    found = []
    for name, read in _READ.items():
        try:
            read(url.get(name))
        except ValueError as error:
            found.append(f"The link says {name}={url.get(name)[:40]}, but {error}; the default is used instead.")
    return found


@st.cache_resource(show_spinner=False, max_entries=256, hash_funcs=BY_FINGERPRINT)
def chosen(evaluation: Evaluation, code: int, _scores: ScoreCounts, rules: tuple[Rule, ...]) -> list[Best]:
    """Return the threshold that each rule picks, and what it wants there; both NaN where there is none."""
    table = rates(_scores, nothing_too=True)
    return [best_of(table, rule) for rule in rules]


def best_in_view(evaluation: Evaluation, code: int, scores: ScoreCounts) -> Best:
    """The threshold that the view's way of choosing picks, and what it wants there; both NaN where there is none."""
    return chosen(evaluation, code, scores, (rule_in_view(),))[0]
