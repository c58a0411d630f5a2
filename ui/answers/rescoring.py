"""Another parser for the evaluation in view: suggestions, the editor with its preview, import and export.

Every change makes a new run over the same stored file, so the link, the other pages and Back follow it. A rule that
cannot work stays in the session beside its sentence; the numbers remain those of the last parser that could.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import streamlit as st

from data.answers import outcomes
from data.answers.parsed_answers import describe_answers
from data.errors import DataError
from data.evaluation import Evaluation
from data.parser.parser import STANDARD, Parser, parser_from_text, to_text
from data.runs.written_options import read_small_file
from metrics.confusion import label_metrics
from text.numbers import count
from ui.answers import parser_editor
from ui.text.markdown import md, percent
from ui.text.messages import refuse, remark
from ui.view import cache, state, url

_PENDING, _BEFORE = "parser.pending", "parser.before"
_UPLOAD_MB = 1
NAMED = 4
"""Other names of labels that are shown of a suggestion; the editor has all of them."""


def suggestions(run: str, evaluation: Evaluation) -> None:
    """What small changes of the parser would give, each computed, each one click away."""
    st.subheader("What would read more")
    found = cache.suggestions(evaluation)
    if not found:
        st.markdown("No small change of the parser that was tried reads a label from more answers.")
        return
    st.caption("Computed on the loaded answers. A change is right only if your service reads answers this way, too.")
    for place, one in enumerate(found):
        with st.container(border=True):
            beside = st.container(horizontal=True, vertical_alignment="center", wrap=False)
            with beside.container():
                st.text(_in_words(one.text))
                if one.doubtful:
                    remark(f"Doubtful: {one.doubtful}")
                if one.aliases:
                    more = f" and {len(one.aliases) - NAMED:,} more" if len(one.aliases) > NAMED else ""
                    st.caption(", ".join(f"{md(text)} = {md(label)}" for text, label in one.aliases[:NAMED]) + more)
            if beside.button("Apply", key=f"parser.suggestion.{place}", icon=":material/check:"):
                change(run, one.parser)


def _in_words(text: str) -> str:
    """A suggestion whose rule is called as in the editor."""
    kind = next((kind for kind in parser_editor.KINDS if text.startswith((f"{kind}:", f"{kind} "))), "")
    return f"{parser_editor.KINDS[kind].title}{text.removeprefix(kind)}" if kind else text


def editor(run: str, evaluation: Evaluation) -> None:
    """The rules of the parser, to be changed one widget at a time; every change re-scores all answers."""
    assert evaluation.answers is not None
    st.subheader("The parser, rule by rule")
    parser = _shown(run, evaluation.answers.parser)
    _preview(evaluation)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = _name(parser)
        _files(run, parser)
    space, problems = evaluation.labels[: evaluation.n_space], parser_editor.problems_of(parser.rules)
    edited = dataclasses.replace(parser, name=name, rules=parser_editor.edit(parser.rules, space, problems))
    if edited != parser:
        change(run, edited)


def change(run: str, parser: Parser) -> None:
    """Look at the evaluation under another parser, on this page and view; one that cannot work is kept for editing."""
    if parser.name == STANDARD.name and parser.rules != STANDARD.rules:
        parser = dataclasses.replace(parser, name="standard, edited")
    try:
        parser = Parser.from_json(parser.to_json())
        changed = state.reparse(run, None if parser == STANDARD else parser)
    except DataError as error:
        st.session_state[_PENDING] = (run, parser, str(error))
        st.rerun()
    st.session_state.pop(_PENDING, None)
    st.session_state[_BEFORE] = (run, changed)
    url.put(run=changed)
    st.rerun()


def doubts(evaluation: Evaluation) -> list[str]:
    """The receipt's warnings about how the answers were read."""
    e = evaluation
    return [] if e.answers is None else describe_answers(e.answers, e.labels, e.n_space, e.y_true, e.scored)[1]


def _shown(run: str, parser: Parser) -> Parser:
    """The parser to edit: the one that made the numbers, or one that cannot work yet, which is said."""
    kept: tuple[str, Parser, str] | None = st.session_state.get(_PENDING)
    if kept is None or kept[0] != run:
        return parser
    text = "The rule marked below cannot work yet." if parser_editor.problems_of(kept[1].rules) else kept[2]
    refuse(f"{text} The numbers are still those of the parser before.", title="This parser cannot be used yet")
    return kept[1]


def _name(parser: Parser) -> str:
    if st.session_state.get("parser.named") != parser.name or "parser.name" not in st.session_state:
        st.session_state["parser.named"] = st.session_state["parser.name"] = parser.name
    return st.text_input("Name of the parser", key="parser.name", max_chars=80, width=240) or parser.name


def _preview(evaluation: Evaluation) -> None:
    """What the last change did, and the way back."""
    st.caption(
        "Narrowing rules leave less of the answer to the rules after them; of the reading rules, the first that knows "
        "a label decides. Every change counts at once, on every page."
    )
    before, after = st.session_state.get(_BEFORE, ("", ""))
    earlier = state.evaluation_of(before) if after == url.get("run") else None
    if earlier is None or not _same_rows(earlier, evaluation):
        return
    old, new = cache.confusion(earlier), cache.confusion(evaluation)
    beside = st.container(horizontal=True, vertical_alignment="center", wrap=False)
    beside.markdown(
        f":material/compare_arrows: The last change: accuracy **{percent(label_metrics.accuracy(old))} → "
        f"{percent(label_metrics.accuracy(new))}**, unparseable {old.n_unparsed:,} → {new.n_unparsed:,} rows, "
        f"{count(outcomes.count_changed_rows(earlier, evaluation))} read differently.",
        width="stretch",
    )
    beside.button("Undo", key="parser.undo", icon=":material/undo:", on_click=url.put, kwargs={"run": before})


def _same_rows(one: Evaluation, other: Evaluation) -> bool:
    """Whether two evaluations are of the same answers, so that their rows can be compared."""
    if one.answers is None or other.answers is None:
        return False
    return one.answers.texts.equals(other.answers.texts) and np.array_equal(one.answers.codes, other.answers.codes)


def _files(run: str, parser: Parser) -> None:
    """The parser as a file to keep, to bring back and to give to the command line; and the way to the standard one."""
    st.download_button(
        "Export", state.while_open(to_text(parser).encode), "parser.json", "application/json", on_click="ignore",
        key="parser.export", icon=":material/download:",
        help="The same file serves `python cli.py score --parser parser.json`.",
    )  # fmt: skip
    with st.popover("Import", icon=":material/upload:"):
        turn = st.session_state.setdefault("parser.turn", 0)
        file = st.file_uploader("A parser as JSON", key=f"parser.file.{turn}", max_upload_size=_UPLOAD_MB)
        if file is not None:
            _take_in(run, file)
    if parser != STANDARD and st.button(
        "Reset to the standard parser", key="parser.reset", icon=":material/restart_alt:"
    ):
        change(run, STANDARD)


def _take_in(run: str, file: Any) -> None:
    """Use an uploaded parser, or say what is wrong with it."""
    try:
        parser = parser_from_text(read_small_file(file.getvalue(), file.name), file.name)
    except DataError as error:
        refuse(str(error), title="This file is no parser")
        return
    st.session_state["parser.turn"] += 1  # empties the uploader
    change(run, parser)
