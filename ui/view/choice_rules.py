"""Choose thresholds as the view says: by the rule of `by` and its inputs, or label by label, as `each` lists them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from data.evaluation import Evaluation
from metrics.thresholds.choose import Rule, best_of
from metrics.thresholds.rule_text import read_cap, read_floor
from metrics.thresholds.threshold_metrics import Best, rates
from ui.view import url
from ui.view.cache import kept, weighted_scores

_STANDS_IN = {"reject": "f1", "deployed": "cost", "costs": "cost"}
_READ = {"floor": read_floor, "cap": read_cap}


def rule_in_view(by: str | None = None) -> Rule:
    """Return the rule of the view, or the one with another `by`; unusable inputs get their default.

    The reject option chooses two thresholds and is no rule for one: F1 stands in for it. Where the model will run,
    costs decide.
    """
    by = by or url.get("by")
    cap = _read_input("cap")
    return replace(
        _read_input("floor"),
        by=_STANDS_IN.get(by, by),
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
    """Return a sentence for each input of the URL that cannot be used."""
    problems_found = []
    for name, read in _READ.items():
        try:
            read(url.get(name))
        except ValueError as error:
            problems_found.append(f"Ignored {name}={url.get(name)[:40]} in the link: {error}.")
    return problems_found


@kept(256)
def choose_thresholds(evaluation: Evaluation, code: int, rules: tuple[Rule, ...]) -> list[Best]:
    """Return the threshold that each rule picks, and what it wants there; both NaN where there is none.

    code : of a class that has scores.
    """
    scores = weighted_scores(evaluation, code)
    assert scores is not None
    table = rates(scores, nothing_too=True)
    return [best_of(table, rule) for rule in rules]


def best_in_view(evaluation: Evaluation, code: int) -> Best:
    """Return the threshold that the rule in view picks, and what it wants there; NaN where there is none."""
    return choose_thresholds(evaluation, code, (rule_in_view(),))[0]


def write_each(thresholds: Mapping[int, float]) -> str:
    """Return the text that `read_each` reads.

    >>> write_each({0: 0.4, 2: 1.0})
    '0:0.4,2:1.0'
    """
    return ",".join(f"{code}:{float(threshold)!r}" for code, threshold in thresholds.items())


def every_threshold(evaluation: Evaluation, each: Mapping[int, float], for_others: float) -> np.ndarray:
    """Return the threshold of every score column, float64 (S,): the label's own, or that of all others."""
    return np.array([each.get(code, for_others) for code in evaluation.score_codes], dtype=np.float64)
