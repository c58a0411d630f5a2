"""The view in the URL: one table of parameters, read when the query changed, written when a choice is made.

Streamlit's own `bind="query-params"` breaks page switches (docs/decisions/0001), so this is ours.
The session keeps every choice; the URL shows those of the current page that are not the default.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from data.answers.parsing import OUTCOMES
from data.comparison.filtered import read_filter, write_filter
from data.comparison.judged import read_judged, write_judged
from data.comparison.run_names import read_runs, write_runs
from metrics.thresholds.rule_text import read_rules, write_rules
from text.visible import show
from ui.view.pages import FIRST, ON_EVERY_PAGE, PAGES

VIEW, WRITTEN, PROBLEMS = "view.values", "view.written", "view.problems"
_PAGE = "view.page"
IN_PLACE = ("row", "marks")
"""What the list of rows replaces in the address bar itself (`ui/rows/rows.js`): going from row to row is no step
of the browser's history, or Back would walk through them one by one."""


@dataclass(frozen=True)
class Parameter:
    """One piece of a view.

    parse : text of the URL to value; raises ValueError with the end of a sentence when it is not one.
    """

    default: Any
    parse: Callable[[str], Any]


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


def _rules(text: str) -> str:
    return write_rules(read_rules(_text(text)))


def _filter(text: str) -> str:
    try:
        return write_filter(read_filter(_text(text)))
    except ValueError as error:
        raise ValueError("a column and a value were wanted, such as country=DE") from error


def _judged(text: str) -> str:
    return write_judged(read_judged(_text(text)))


def _runs(text: str) -> str:
    return write_runs(read_runs(_text(text)))


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
    "class": Parameter("", _text),
    "norm": Parameter("row", _choice("none", "row", "column", "all")),
    "order": Parameter("label", _choice("label", "support", "recall", "worst", "cluster")),
    "errors": Parameter(False, _flag),
    "worst": Parameter(0, _whole(0, 1000)),
    "true": Parameter("", _text),
    "pred": Parameter("", _text),
    "only": Parameter(
        "all", _choice("all", "scored", "errors", "correct", "unparseable", "missing", "tp", "fp", "fn", "tn")
    ),
    "list": Parameter("all", _choice("all", "never", "absent", "never_true", "outside", "low")),
    "q": Parameter("", _text),
    "answers": Parameter("", _text),
    "tab": Parameter("", _choice("", "explore", "choose", "calibration", "classes")),
    "side": Parameter("", _choice("", "fn", "fp", "tp", "tn")),
    "low": Parameter(None, _number),
    "by": Parameter(
        "f1", _choice("f1", "fbeta", "youden_j", "mcc", "balanced_accuracy", "at_least", "cost", "capacity", "reject")
    ),
    "beta": Parameter(2.0, _within(0.01, 100)),
    "floor": Parameter("recall:0.95", _text),
    "cfp": Parameter(1.0, _within(0, 1e9)),
    "cfn": Parameter(1.0, _within(0, 1e9)),
    "prev": Parameter(None, _within(0, 1)),
    "cap": Parameter("", _text),
    "bands": Parameter(False, _flag),
    "bins": Parameter("mass", _choice("mass", "width")),
    "nbins": Parameter(10, _whole(2, 100)),
    "cal": Parameter("top", _choice("top", "class")),
    "each": Parameter("", _text),
    "rule": Parameter("", _rules),
    "log": Parameter(False, _flag),
    "pick": Parameter("", _text),
    "group": Parameter("none", _choice("none", "prefix", "own")),
    "sep": Parameter(":", _text),
    "level": Parameter(1, _whole(1, 9)),
    "map": Parameter("", _text),
    "closed": Parameter("", _text),
    "block": Parameter("", _text),
    "score": Parameter("", _text),
    "others": Parameter(False, _flag),
    "sort": Parameter("", _choice("", "file", "sure", "unsure", "margin", "loss", "issue", "twin")),
    "row": Parameter(0, _whole(0, 2**62)),
    "marks": Parameter("", _text),
    "outcome": Parameter("", _choice("", *OUTCOMES)),
    "part": Parameter(1, _whole(1, 10_000_000)),
    "reading": Parameter(False, _flag),
    "column": Parameter("", _text),
    "cross": Parameter("", _text),
    "slice": Parameter("", _filter),
    "since": Parameter("", _text),
    "mode": Parameter("", _choice("", "groups", "time", "files")),
    "ci": Parameter(0.95, _within(0.5, 0.999)),
    "judged": Parameter("", _judged),
    "raters": Parameter("", _text),
    "lines": Parameter("", _text),
    "models": Parameter("", _text),
    "judge": Parameter("", _text),
    "pair": Parameter("", _text),
    "show": Parameter("kappa", _choice("kappa", "agreement")),
    "truthby": Parameter("majority", _choice("majority", "unanimous", "one")),
    "trusted": Parameter("", _text),
    "with": Parameter("", _runs),
    "a": Parameter(0, _whole(0, 9)),
    "b": Parameter(1, _whole(0, 9)),
    "metric": Parameter("", _text),
    "flip": Parameter("broken", _choice("broken", "fixed", "alike", "differently")),
    "rate": Parameter("recall", _choice("recall", "f1", "precision")),
    "at": Parameter("own", _choice("own", "recall", "alerts")),
    "cluster": Parameter("", _text),
    "join": Parameter("", _text),
    "plan": Parameter(0.01, _within(0.001, 1)),
}


def read_query(query: Mapping[str, str], page: str) -> tuple[dict[str, Any], list[str]]:
    """Values of a page's parameters in a URL's query, and a sentence for each that cannot be used.

    A parameter of this page that the query lacks has its default.
    """
    values = {name: PARAMETERS[name].default for name in names_on(page)}
    problems = []
    for name, text in query.items():
        if name not in PARAMETERS:
            continue
        try:
            values[name] = PARAMETERS[name].parse(text)
        except (ValueError, OverflowError) as error:
            said = str(error)
            why = said if any(word in said for word in ("wanted", "longer", "twice")) else "a number was wanted"
            problems.append(f"The link says {name}={show(text, 40)}, but {why}; the default is shown instead.")
    return values, problems


def write_query(values: Mapping[str, Any], page: str) -> dict[str, str]:
    """Return the query of a view: the page's parameters that are not at their default."""
    written = write_everything(values)
    return {name: written[name] for name in names_on(page) if name in written}


def names_on(page: str) -> list[str]:
    """Return the parameters that the address of a page may have, in order."""
    its_own = PAGES[page].parameters.split() if page in PAGES else []
    return [name for name in PARAMETERS if name in ON_EVERY_PAGE or name in its_own]


def write_everything(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the text of every parameter that is not at its default, whatever its pages."""
    return {
        name: _written(values[name])
        for name, parameter in PARAMETERS.items()
        if values.get(name, parameter.default) != parameter.default
    }


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return repr(value) if isinstance(value, float) else str(value)


def begin(page: str) -> None:
    """Bring the session's view up to date, before anything of the page runs."""
    state = st.session_state
    query = st.query_params.to_dict()
    if VIEW not in state:
        state[VIEW] = {name: p.default for name, p in PARAMETERS.items()}
    # An empty query is a page switch from the menu, which names a page only: the session knows the view.
    # Back may lead to another page whose address says the same, and means other defaults.
    same = state.get(_PAGE) == page and WRITTEN in state and _steps(query) == _steps(state[WRITTEN])
    state[_PAGE] = page
    if query and not same:
        values, state[PROBLEMS] = read_query(query, page)
        state[VIEW].update(values)
        for name in values:
            state.pop(widget_key(name), None)
        if WRITTEN in state:  # a page that stops never comes to its end, and Back from it has to be noticed
            state[WRITTEN] = query
        return
    for name in PARAMETERS:
        if widget_key(name) in state:
            state[VIEW][name] = state[widget_key(name)]


def end(page: str) -> None:
    """Show the view in the address bar; does nothing when it is there already, but for what is replaced in place."""
    query = write_query(st.session_state[VIEW], page)
    if _steps(query) != _steps(st.query_params.to_dict()):
        st.query_params.from_dict(query)
    st.session_state[WRITTEN] = query


def _steps(query: Mapping[str, str]) -> dict[str, str]:
    """A query without what is replaced in place: what makes it a step of the browser's history."""
    return {name: value for name, value in query.items() if name not in IN_PLACE}


def page() -> str:
    """Return the page that is drawn."""
    return str(st.session_state[_PAGE])


def widget_key(name: str) -> str:
    """The session key of the control that sets a parameter."""
    return f"view.{name}"


def get(name: str) -> Any:
    """A parameter's value in the current view."""
    return st.session_state[VIEW][name]


def put(**values: Any) -> None:
    """Set parameters from a callback, or before their controls are drawn."""
    for name, value in values.items():
        st.session_state[VIEW][name] = value
        st.session_state.pop(widget_key(name), None)


def problems() -> list[str]:
    """Sentences about the link that was just opened; told once."""
    found: list[str] = st.session_state.pop(PROBLEMS, [])
    return found


def go_to(page: str, label: str, *, icon: str | None = None, **view: object) -> None:
    """Draw a link to a page that keeps the evaluation and sets the given parameters of the view."""
    st.page_link(PAGES[page].script, label=label, icon=icon, query_params=_query_of(page, view))


def address_of(page: str, view: Mapping[str, object]) -> str:
    """Return the address of a page as seen from another one, with the evaluation and the given parameters."""
    return f"{'./' if page == FIRST else page}?{urlencode(_query_of(page, view))}"


def _query_of(page: str, view: Mapping[str, object]) -> dict[str, str]:
    return write_query({**{name: get(name) for name in ON_EVERY_PAGE}, **view}, page)
