"""Take out of the view what the opened file does not have, and say so in a sentence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import streamlit as st

from data.answers import outcomes
from data.evaluation import Evaluation
from data.rows.order import list_orders
from data.rows.row_table import find_rows_by_number
from data.runs.class_scores.counting import can_count_classes
from metrics.finding import LOW_SUPPORT
from metrics.thresholds.rule_text import read_rules
from text.numbers import count
from ui.view import state, url
from ui.view.cache import class_lists

_LISTS = {
    "never": "never predicted",
    "absent": "not in the data",
    "never_true": "never true, though predicted",
    "outside": "not in the label list",
    "low": f"with fewer than {LOW_SUPPORT} true rows",
}


def ignored_parameters(evaluation: Evaluation) -> list[str]:
    """Return a sentence for each parameter that this file has no use for, whatever its page; they are at their
    default then.

    Plain text: it quotes the link. Each is about a value that a link brought: no control offers it. A value left
    from another file goes without a word, such as the class in view before Back.
    """
    ignored = dict(_find_ignored(evaluation))
    url.put(**{name: url.PARAMETERS[name].default for name in ignored})
    return [sentence for name, sentence in ignored.items() if name in st.query_params]


def _find_ignored(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """(parameter, sentence) of all that cannot be used."""
    yield from _thresholds(evaluation)
    yield from _names(evaluation)
    yield from _rows(evaluation)
    yield from _list(evaluation)
    yield from _examples(evaluation)


def _thresholds(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    if can_count_classes(evaluation):  # the page Thresholds counts their scores
        return
    scored = evaluation.y_score is not None
    for name in ("t", "low"):
        if url.get(name) is not None and not scored:
            yield name, f"Ignored {name}={url.get(name):.6g} in the link: this file has no scores."
    if url.get("each") and not (scored and evaluation.task == "multilabel"):
        why = "is single-label" if scored else "has no scores"
        yield "each", f"Ignored each in the link: this file {why}."
    yield from _rules(evaluation)


def _rules(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Yield a rule that no threshold of this file can have been chosen by."""
    text = url.get("rule")
    if not text:
        return
    if evaluation.y_score is None:
        yield "rule", f"Ignored rule={text[:40]} in the link: this file has no scores."
    elif url.get("t") is None and not url.get("each"):
        yield "rule", f"Ignored rule={text[:40]} in the link: the link has no threshold chosen by it."
    elif len(state.rules_in_view(evaluation)) < len(read_rules(text)):
        yield "rule", f"Ignored rule={text[:40]} in the link: it fits no label of this file."


def _names(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    name = url.get("class")
    if name and state.code_of(evaluation, name) is None:
        yield "class", f"Ignored class={name[:40]} in the link: this file has no such label."


def _rows(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    number, only, by = url.get("row"), url.get("only"), url.get("sort")
    if number and not len(find_rows_by_number(evaluation, np.array([number]))):
        yield "row", f"Ignored row={number} in the link: this file has no such row."
    if only == "unparseable" and not evaluation.n_unparsed:
        yield "only", f"Ignored only={only} in the link: a label was found in every row."
    if only == "missing" and evaluation.n_scored == evaluation.n_rows:
        yield "only", f"Ignored only={only} in the link: every row has a true and a predicted label."
    if url.get("others") and not url.get("true") and not url.get("block").partition("/")[0]:
        yield "others", "Ignored others=1 in the link: it names no true labels."
    if by and by not in list_orders(evaluation):
        yield "sort", f"Ignored sort={by} in the link: this file cannot be sorted so."


def _from_link(name: str) -> bool:
    """Return whether a parameter is not at its default, and no control on screen has made it so."""
    return bool(url.get(name) != url.PARAMETERS[name].default and url.widget_key(name) not in st.session_state)


def _list(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    name = url.get("list")
    if _from_link("list") and not len(class_lists(evaluation)[name]):
        yield "list", f"Ignored list={name} in the link: there are no classes {_LISTS[name]}."


def _examples(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    outcome, part = url.get("outcome"), url.get("part")
    if evaluation.answers is None or not (_from_link("outcome") or _from_link("part")):
        return
    if not outcome:
        yield "part", f"Ignored part={part} in the link: it names no outcome."
    elif outcome not in {outcome_row.name for outcome_row in outcomes.count_outcomes(evaluation)}:
        yield "outcome", f"Ignored outcome={outcome} in the link: no answer of this file has it."
    elif part > (pages := _pages(evaluation, outcome)):
        yield "part", f"Ignored part={part} in the link: this outcome has {count(pages, 'page')}."


def _pages(evaluation: Evaluation, outcome: str) -> int:
    """Count the pages that the distinct answers with an outcome take."""
    return max(1, -(-len(outcomes.find_answers(evaluation, outcome)) // outcomes.ANSWERS_PER_PAGE))
