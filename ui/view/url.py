"""The view in the URL: one table of parameters and their values in the session, which `ui.view.address` writes.

Streamlit's own `bind="query-params"` breaks page switches (docs/decisions/0001), so this is ours.
The session keeps every choice; the URL shows those of the current page that are not the default.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from data.answers.parsing import OUTCOMES
from data.comparison.filter_conditions import read_filter, write_filter
from data.comparison.judge_evaluation import read_judged, write_judged
from data.comparison.run_names import read_runs, write_runs
from data.labels.costs_and_shares import read_costs, read_parts, write_rows
from export.deciding.words import read_word
from metrics.thresholds.rule_text import read_rules, write_rules

VIEW, WRITTEN, PROBLEMS, PAGE = "view.values", "view.written", "view.problems", "view.page"
TITLE = "view.title"
"""The title of the page that was drawn last, as Markdown."""
_RANGE = re.compile(r"\d{1,15}(-\d{1,15})?", re.ASCII)
IN_PLACE = ("row", "marks")
"""Parameters that the list of rows writes into the address bar itself (`ui/rows/rows.js`): going from row to row is no
step of the browser's history, or Back would walk through them one by one."""


@dataclass(frozen=True)
class Parameter:
    """One piece of a view.

    parse : text of the URL to value; raises ValueError with the end of a sentence when it is not one.
    pages : names of the pages whose address may have it; "" = those of every page.
    """

    default: Any
    parse: Callable[[str], Any]
    pages: str = ""


def _choice(*allowed: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in allowed:
            raise ValueError(f"one of {', '.join(filter(None, allowed))} was wanted")
        return text

    return parse


def _text(text: str) -> str:
    if len(text) > 6000:
        raise ValueError("it is longer than 6,000 characters")
    return text


def _run(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", text):
        raise ValueError("a name of letters, digits, - and _ was wanted")
    return text


def _number(text: str) -> float:
    value = float(text)
    if math.isnan(value):
        raise ValueError("a number was wanted")
    return value


def _rewritten(read: Callable[[str], Any], write: Callable[[Any], str]) -> Callable[[str], str]:
    """Return what reads a text and writes it again, as the page itself would write it."""
    return lambda text: write(read(_text(text)))


def _filter(text: str) -> str:
    try:
        return write_filter(read_filter(_text(text)))
    except ValueError as error:
        raise ValueError("a column and a value were wanted, such as country=DE") from error


def _whole(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        value = int(text)
        if not low <= value <= high:
            raise ValueError(f"a whole number from {low} to {high:,} was wanted")
        return value

    return parse


def _within(low: float, high: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        value = _number(text)
        if not low <= value <= high:
            raise ValueError(f"a number from {low:g} to {high:g} was wanted")
        return value

    return parse


def _flag(text: str) -> bool:
    return {"0": False, "1": True}[_choice("0", "1")(text)]


PARAMETERS: Mapping[str, Parameter] = {
    "run": Parameter("", _run),
    "step": Parameter(0, _whole(0, 1000)),
    "filter": Parameter("", _filter),
    "t": Parameter(None, _number),
    "class": Parameter("", _text, "classes thresholds slices compare export glossary"),
    "norm": Parameter("row", _choice("none", "row", "column", "all", "steps"), "confusion"),
    "order": Parameter("label", _choice("label", "support", "recall", "worst", "cluster"), "confusion"),
    "errors": Parameter(False, _flag, "confusion"),
    "worst": Parameter(0, _whole(0, 1000), "confusion"),
    "true": Parameter("", _text, "confusion rows compare"),
    "pred": Parameter("", _text, "confusion rows compare"),
    "only": Parameter(
        "all",
        _choice("all", "scored", "errors", "correct", "unparseable", "missing", "tp", "fp", "fn", "tn", "swap"),
        "confusion rows",
    ),
    "list": Parameter("all", _choice("all", "never", "absent", "never_true", "outside", "low"), "classes"),
    "q": Parameter("", _text, "classes rows glossary"),
    "answers": Parameter("", _text, "choose"),
    "tab": Parameter("", _choice("", "explore", "choose", "calibration", "classes"), "thresholds"),
    "side": Parameter("", _choice("", "fn", "fp", "tp", "tn"), "thresholds"),
    "low": Parameter(None, _number, "thresholds"),
    "by": Parameter(
        "f1",
        _choice(
            "f1",
            "fbeta",
            "youden_j",
            "mcc",
            "balanced_accuracy",
            "at_least",
            "cost",
            "capacity",
            "reject",
            "deployed",
            "costs",
            "priors",
        ),
        "thresholds export",
    ),
    "beta": Parameter(2.0, _within(0.01, 100), "thresholds"),
    "floor": Parameter("recall:0.95", _text, "thresholds"),
    "cfp": Parameter(1.0, _within(0, 1e9), "thresholds export"),
    "cfn": Parameter(1.0, _within(0, 1e9), "thresholds export"),
    "prev": Parameter(None, _within(0, 1), "thresholds export"),
    "cap": Parameter("", _text, "thresholds"),
    "days": Parameter(0.0, _within(0, 1e5), "thresholds"),
    "perday": Parameter(None, _within(0, 1e12), "thresholds export"),
    "minrecall": Parameter(None, _within(0, 1), "thresholds export"),
    "minprecision": Parameter(None, _within(0, 1), "thresholds export"),
    "mostcalled": Parameter(None, _within(0, 1e12), "thresholds export"),
    "mostcost": Parameter(None, _within(0, 1e15), "thresholds export"),
    "risk": Parameter(0.05, _within(0, 1), "thresholds export"),
    "sets": Parameter(0.9, _within(0, 1), "thresholds export"),
    "setsby": Parameter(False, _flag, "thresholds export"),
    "costs": Parameter("", _rewritten(read_costs, write_rows), "thresholds export"),
    "priors": Parameter("", _rewritten(read_parts, write_rows), "thresholds export"),
    "noun": Parameter("", read_word, "thresholds export"),
    "called": Parameter("", read_word, "thresholds export"),
    "bands": Parameter(False, _flag, "thresholds"),
    "bins": Parameter("mass", _choice("mass", "width"), "thresholds"),
    "nbins": Parameter(10, _whole(2, 100), "thresholds"),
    "cal": Parameter("top", _choice("top", "class"), "thresholds"),
    "each": Parameter("", _text),
    "rule": Parameter("", _rewritten(read_rules, write_rules)),
    "log": Parameter(False, _flag, "confusion"),
    "pick": Parameter("", _text, "confusion"),
    "group": Parameter("none", _choice("none", "prefix", "own"), "confusion"),
    "sep": Parameter(":", _text, "confusion"),
    "level": Parameter(1, _whole(1, 9), "confusion"),
    "map": Parameter("", _text, "confusion"),
    "closed": Parameter("", _text, "confusion"),
    "block": Parameter("", _text, "confusion rows"),
    "score": Parameter("", _text, "confusion rows thresholds"),
    "others": Parameter(False, _flag, "confusion rows"),
    "sort": Parameter("", _choice("", "file", "sure", "unsure", "margin", "loss", "issue", "twin"), "rows"),
    "row": Parameter(0, _whole(0, 2**62), "confusion classes rows thresholds slices compare"),
    "marks": Parameter("", _text, "confusion classes rows thresholds slices"),
    "outcome": Parameter("", _choice("", *OUTCOMES), "parsing"),
    "part": Parameter(1, _whole(1, 10_000_000), "parsing"),
    "reading": Parameter(False, _flag, "overview"),
    "column": Parameter("", _text, "slices export"),
    "cross": Parameter("", _text, "slices export"),
    "slice": Parameter("", _filter, "slices"),
    "since": Parameter("", _text, "slices export"),
    "mode": Parameter("", _choice("", "groups", "time", "files", "repeats"), "slices export"),
    "ci": Parameter(0.95, _within(0.5, 0.999)),
    "judged": Parameter("", _rewritten(read_judged, write_judged)),
    "raters": Parameter("", _text, "agreement export"),
    "lines": Parameter("", _text, "agreement export"),
    "models": Parameter("", _text, "agreement export"),
    "judge": Parameter("", _text, "agreement export"),
    "pair": Parameter("", _text, "agreement"),
    "show": Parameter("kappa", _choice("kappa", "agreement"), "agreement"),
    "truthby": Parameter("majority", _choice("majority", "unanimous", "one"), "agreement"),
    "trusted": Parameter("", _text, "agreement"),
    "with": Parameter("", _rewritten(read_runs, write_runs), "slices compare export"),
    "a": Parameter(0, _whole(0, 9), "compare export"),
    "b": Parameter(1, _whole(0, 9), "compare export"),
    "like": Parameter("", _choice("", *map(str, range(10))), "compare export"),
    "metric": Parameter("", _text, "slices compare export"),
    "flip": Parameter("broken", _choice("broken", "fixed", "alike", "differently"), "compare"),
    "rate": Parameter("recall", _choice("recall", "f1", "precision"), "compare"),
    "at": Parameter("own", _choice("own", "recall", "alerts"), "compare export"),
    "cluster": Parameter("", _text, "compare export"),
    "join": Parameter("", _text, "compare export"),
    "plan": Parameter(0.01, _within(0.001, 1), "compare"),
}


def write_everything(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the text of every parameter that is not at its default, whatever its pages."""
    return {
        name: _write(values[name])
        for name, parameter in PARAMETERS.items()
        if values.get(name, parameter.default) != parameter.default
    }


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return repr(value) if isinstance(value, float) else str(value)


def page() -> str:
    """Return the page that is drawn."""
    return str(st.session_state[PAGE])


def widget_key(name: str) -> str:
    """Return the session key of the control that sets a parameter."""
    return f"view.{name}"


def get(name: str) -> Any:
    """Return a parameter's value in the current view."""
    return st.session_state[VIEW][name]


def put(**values: Any) -> None:
    """Set parameters from a callback, or before their controls are drawn."""
    for name, value in values.items():
        st.session_state[VIEW][name] = value
        st.session_state.pop(widget_key(name), None)


def tell(sentence: str) -> None:
    """Have the next page say a sentence about the link."""
    st.session_state[PROBLEMS] = [*st.session_state.get(PROBLEMS, []), sentence]


def problems() -> list[str]:
    """Return sentences about the link that was just opened, once."""
    problems_found: list[str] = st.session_state.pop(PROBLEMS, [])
    return problems_found


def write_ranges(numbers: Iterable[int]) -> str:
    """Return numbers from 0 as ranges in ascending order, each number once.

    >>> write_ranges({12, 3, 4, 5})
    '3-5,12'
    """
    distinct = np.unique(np.fromiter(numbers, np.int64))
    runs = np.split(distinct, np.flatnonzero(np.diff(distinct) > 1) + 1) if len(distinct) else []
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def read_range(part: str) -> range | None:
    """Return one of the ranges between the commas; None where it is none.

    >>> read_range("3-5"), read_range("12"), read_range("-1")
    (range(3, 6), range(12, 13), None)
    """
    if not _RANGE.fullmatch(part):
        return None
    first, _, last = part.partition("-")
    return range(int(first), int(last or first) + 1)
