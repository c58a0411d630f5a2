"""The head of a page: its title, which is its finding, one line under it, the filter and the thresholds in force."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.errors import DataError
from data.evaluation import Evaluation
from export.file_reading import BY_WEIGHT, CHOOSE_BY_ROWS, NOT_WEIGHTED, are_highest, describe_weights
from metrics.thresholds.rule_text import ONE_FOR_ALL, Given, describe_rule
from text.numbers import count, write_threshold
from text.visible import keep_together
from ui.frame import chips
from ui.review import review_steps
from ui.share import drafts
from ui.text.markdown import md
from ui.view import state, url
from ui.view.address import go_to
from ui.view.pages import PAGES
from ui.view.panel import md_label

_NAMED = 3
"""So many rules of single labels are named; how many more there are is said."""


def heading(
    title: str, line: str = "", *, beside: Callable[[], None] | None = None, is_weighted: bool = True
) -> Callable[[str], None]:
    """Draw a page's title and one line under it, then what the shared link is, the filter and the thresholds in force.

    Return what writes another title in its place: a fragment that changes it calls that in every run.

    title : the page's finding in one sentence, without a full stop. line : what it is about, or what to do.
        Both are Markdown: labels and file names in them through `md`. beside : draws what stands to the right of it.
    is_weighted : False for a view that weighs no rows, on a page that else does.
    """
    with st.container(key="heading", gap="xxsmall"):
        with st.container(key="heading-title", horizontal=True, vertical_alignment="center"):
            place = st.empty()
            if beside is not None:
                beside()
        write_title = partial(_write_title, place)
        write_title(title)
        if line:
            st.caption(keep_together(line))
        try:
            evaluation = state.evaluation()
        except DataError:
            evaluation = None
        if evaluation is not None:
            drafts.shared_line(url.get("run"))
            chips.draw_judged()
            chips.draw_filter(evaluation)
            _thresholds_in_force(evaluation)
            _weights_in_use(evaluation, is_weighted)
    return write_title


def _write_title(place: DeltaGenerator, title: str) -> None:
    """Write the title; where a step of a review has one of its own, review.css shows that alone."""
    place.title(keep_together(title), anchor="title-of-step" if review_steps.has_title_of_step(url.page()) else "title")
    st.session_state[url.TITLE] = title


def _weights_in_use(evaluation: Evaluation, is_weighted: bool) -> None:
    """Say by which column the numbers of this page are weighted, or that they are not; nothing without weights."""
    fact, use = describe_weights(evaluation), PAGES[url.page()].weights
    if fact is None or not use:
        return
    once = CHOOSE_BY_ROWS if url.page() == "thresholds" else BY_WEIGHT
    told = f"{fact.term} {fact.sentence(lambda name: md(name, 40))}. {once}"
    st.caption(f":material/balance: {told if use == 'used' and is_weighted else NOT_WEIGHTED}")


def _thresholds_in_force(evaluation: Evaluation) -> None:
    """Say which chosen threshold every page predicts by, and offer the way to change it and the way back."""
    threshold, own_cuts = url.get("t"), state.own_thresholds(evaluation)
    if threshold is None and not own_cuts:
        return
    rule = describe_rules(evaluation)
    if not state.takes_threshold(evaluation):
        chosen = f"Your rule: {rule}, so score" if rule else "Score"
        counted = evaluation.weights is not None
        why = "predictions come from the source" if counted else "each row has one class"
        st.caption(f"{chosen} ≥ {write_threshold(threshold)} is used on the page Thresholds only: {why}.")
        return
    sentence = f"{_write_thresholds(threshold, own_cuts)} predicts {_positive(evaluation)}"
    with st.container(key="rule", horizontal=True, vertical_alignment="center", gap="small"):
        lead = f"Your rule: {rule}, so" if rule else "Your threshold:"
        st.markdown(f":material/tune: {lead} {sentence}", width="content")
        go_to("thresholds", "Change")
        back = {"t": None, "each": "", "rule": "", "low": None}
        st.button(f"Back to {_before()}", key="rule.back", type="tertiary", on_click=url.put, kwargs=back)


def _write_thresholds(threshold: float | None, label_thresholds: dict[int, float]) -> str:
    """Write the thresholds in force."""
    parts = [] if threshold is None else [f"**score ≥ {write_threshold(threshold)}**"]
    if label_thresholds:
        parts.append(f"a threshold of its own for {count(len(label_thresholds), 'label')}")
    return " and ".join(parts)


def _positive(evaluation: Evaluation) -> str:
    return "each label" if evaluation.positive is None else md_label(evaluation, evaluation.positive)


def _before() -> str:
    """Name what predicts without a chosen threshold."""
    original = state.original()
    if original is not None and are_highest(original):
        return "the highest score"
    if original is not None and original.threshold is not None:
        return f"score ≥ {write_threshold(original.threshold)}"
    return "the file's own predictions" if original is None or original.has_predictions else "no threshold"


def describe_rules(evaluation: Evaluation) -> str:
    """Name the rules that chose the thresholds in view, as Markdown; empty where a hand set them."""
    given = state.rules_in_view(evaluation)
    more = f" and {count(len(given) - _NAMED, 'more rule')}" if len(given) > _NAMED else ""
    return ", ".join(_describe(evaluation, rule) for rule in given[:_NAMED]) + more


def _describe(evaluation: Evaluation, given: Given) -> str:
    if given.code is not None:
        return f"{describe_rule(given.rule)} for {md_label(evaluation, given.code)}"
    each = evaluation.task == "multilabel" and given.rule.by not in ONE_FOR_ALL
    return describe_rule(given.rule) + (" of each label" if each else "")
