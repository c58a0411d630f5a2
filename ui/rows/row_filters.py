"""The choices above the page Rows: which rows are listed, as the view in the URL says it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from data.evaluation import Evaluation
from data.rows.selection import Which
from text.visible import show
from ui.rows import row_choice as view
from ui.view import cache, controls, panel, url

_ONLY = {
    "all": "All rows",
    "errors": "Wrong rows",
    "correct": "Right rows",
    "unparseable": "No label found",
    "missing": "Not scored",
}
_BY_LINK = {
    "scored": "Scored rows",
    "tp": "True and predicted",
    "fp": "Predicted, not true",
    "fn": "True, not predicted",
    "tn": "Neither true nor predicted",
    "swap": "Missed, another predicted",
}
"""Kinds of rows that a link from a number means; they are offered when one has come."""


def rows_in_view(evaluation: Evaluation) -> Which:
    """Return the rows that the view means, and say what of a link cannot be used."""
    view.which_in_view(evaluation)
    _block_gives_way()
    which, _ = view.read(evaluation, {name: url.get(name) for name in view.PARAMETERS})
    return which


def draw(evaluation: Evaluation, *, searches: bool = True) -> None:
    """Draw the choices; call `rows_in_view` before."""
    names = ["", *evaluation.labels]
    only = {name: text for name, text in _ONLY.items() if name in _occurring(evaluation)}
    if url.get("only") in _BY_LINK:
        only[url.get("only")] = _BY_LINK[url.get("only")]
    name_side = partial(_name_side, evaluation)
    with panel.toolbar("rows"):
        controls.choose_of_many("only", "Rows", list(only), only.__getitem__, width=128, titled=False)
        controls.choose_of_many("true", "True label", names, name_side("True"), width=150, titled=False)
        controls.choose_of_many("pred", "Predicted label", names, name_side("Predicted"), width=150, titled=False)
        if searches:
            controls.search("q", "Search", "text in any column", width=145)


def _name_side(evaluation: Evaluation, side: str) -> Callable[[str], str]:
    spoken = cache.spoken_names(evaluation)  # once: each question to the cache costs as much as a whole name
    return lambda name: f"{side}: {show(spoken.get(name, name), 80) if name else 'any'}"


def _occurring(evaluation: Evaluation) -> set[str]:
    """Return the kinds of rows that this file has."""
    kinds = {"all", "errors", "correct"} | ({"missing"} if evaluation.n_scored < evaluation.n_rows else set())
    return kinds | ({"unparseable"} if evaluation.n_unparsed else set())


def _block_gives_way() -> None:
    """Put a label that is chosen in the place of the several that came with a link."""
    true, _, pred = url.get("block").partition("/")
    chosen = [bool(st.session_state.get(url.widget_key(name)) or url.get(name)) for name in ("true", "pred")]
    true, pred = ("" if taken else codes for taken, codes in zip(chosen, (true, pred), strict=True))
    block = f"{true}/{pred}" if true or pred else ""
    if block != url.get("block"):
        url.put(block=block)


def take_back(evaluation: Evaluation, which: Which) -> None:
    """Draw buttons that take back what came with a link and that no control above shows."""
    conditions = {
        "score": view.score_words(evaluation, which.score) if which.score is not None else "",
        "others": "Not these true labels" if which.others else "",
        "block": _block_words(which) if url.get("block") else "",
    }
    shown = {name: text for name, text in conditions.items() if text}
    if not shown:
        return
    with st.container(horizontal=True, gap="small"):
        for name, text in shown.items():
            st.button(text[:1].upper() + text[1:], key=f"rows.without.{name}", icon=":material/close:",
                      help="Remove this condition", on_click=url.put,
                      kwargs={name: url.PARAMETERS[name].default})  # fmt: skip


def _block_words(which: Which) -> str:
    sides = (("true", which.true), ("predicted", which.pred))
    return " and ".join(f"{len(codes):,} {name} labels" for name, codes in sides if len(codes) > 1) or "Chosen labels"
