"""Change the parser of the evaluation in view: suggestions, the rules, a preview of the change, import and export.

A change stays in the session until it is applied: a panel says what it would do. Applied, it makes a new run over the
same stored file, so the link, the other pages and Back follow it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from data.answers import outcomes
from data.answers.parsed_answers import describe_answers
from data.errors import DataError
from data.evaluation import Evaluation
from data.parser.parser import STANDARD, Parser, parser_from_text, to_text
from data.runs.written_options import read_small_file
from metrics.confusion import label_metrics
from text.numbers import count
from text.visible import keep_together, show
from ui.answers import parser_editor
from ui.limits import MAX_PARSER_UPLOAD_MB
from ui.text.markdown import md, percent
from ui.text.messages import refuse, remark
from ui.view import cache, open_runs, panel, state, url
from ui.view.data_table import hand_out

_PENDING, _BEFORE = "parser.pending", "parser.before"
EXAMPLES = 8
"""Answers of a preview that are listed."""
NAMED = 4
"""Other names of labels that are shown of a suggestion; the editor has all of them."""


def suggestions(run: str, evaluation: Evaluation) -> None:
    """Draw what small changes of the parser would give; one click shows what each would change."""
    st.header("Changes that would find more labels")
    suggested = cache.suggestions(evaluation)
    if not suggested:
        st.markdown("We tried small changes of the parser. None finds a label in more answers.")
        return
    st.caption("Computed on these answers. Make a change only if your service reads answers this way, too.")
    for place, suggestion in enumerate(suggested):
        with st.container(border=True):
            beside = st.container(horizontal=True, vertical_alignment="center", wrap=False)
            with beside.container():
                st.text(keep_together(_in_words(suggestion.text)))
                if suggestion.doubtful:
                    remark(f"Doubtful: {suggestion.doubtful}")
                if suggestion.aliases:
                    more = f" and {len(suggestion.aliases) - NAMED:,} more" if len(suggestion.aliases) > NAMED else ""
                    st.caption(
                        ", ".join(f"{md(text)} = {md(label)}" for text, label in suggestion.aliases[:NAMED]) + more
                    )
            shown = (pending := _previewed_parser(run)) is not None and pending.rules == suggestion.parser.rules
            beside.button("Previewed" if shown else "Preview", key=f"parser.suggestion.{place}", disabled=shown,
                          icon=":material/visibility:", on_click=_propose, args=(run, suggestion.parser))  # fmt: skip


def _in_words(text: str) -> str:
    """Write a suggestion with the title that its rule has in the editor."""
    kind = next((kind for kind in parser_editor.KINDS if text.startswith((f"{kind}:", f"{kind} "))), "")
    return f"{parser_editor.KINDS[kind].title}{text.removeprefix(kind)}" if kind else text[:1].upper() + text[1:]


def change_parser(run: str, evaluation: Evaluation, draw_outcomes: Callable[[Evaluation], None]) -> None:
    """Draw suggestions, outcomes and rules, and beside them what a change would do before it counts."""
    main, side = panel.split_panel("parsing", is_open=_previewed_parser(run) is not None)
    with main:
        suggestions(run, evaluation)
        draw_outcomes(evaluation)
        _editor(run, evaluation)
    with side:
        _preview(run, evaluation)


def _editor(run: str, evaluation: Evaluation) -> None:
    """Draw the rules of the parser, to be changed one widget at a time; a change is previewed."""
    assert evaluation.answers is not None
    st.header("The parser, rule by rule")
    st.caption("Trim rules shorten the answer. The first match rule that finds a label wins.")
    parser = _previewed_parser(run) or evaluation.answers.parser
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = _name(parser)
        _files(run, evaluation.answers.parser)
    space, problems = evaluation.labels[: evaluation.n_space], parser_editor.problems_of(parser.rules)
    edited = dataclasses.replace(parser, name=name, rules=parser_editor.edit(parser.rules, space, problems))
    if edited != parser:
        _propose(run, edited)
        st.rerun()


def _previewed_parser(run: str) -> Parser | None:
    """Return the parser that is previewed; None where none is."""
    kept: tuple[str, Parser] | None = st.session_state.get(_PENDING)
    return kept[1] if kept is not None and kept[0] == run else None


def _propose(run: str, parser: Parser | None) -> None:
    """Preview a parser; None ends the preview."""
    if parser is None:
        st.session_state.pop(_PENDING, None)
        return
    if parser.name == STANDARD.name and parser.rules != STANDARD.rules:
        parser = dataclasses.replace(parser, name="standard, edited")
    st.session_state[_PENDING] = (run, parser)


def _preview(run: str, evaluation: Evaluation) -> None:
    """Draw what the change at hand would do, with the buttons that apply or discard it."""
    assert evaluation.answers is not None
    parser = _previewed_parser(run)
    if parser is None or parser == evaluation.answers.parser:
        panel.heading("Effect of a change")
        _last_change(evaluation)
        st.caption("Preview a suggestion, or change a rule. Nothing changes until you apply it.")
        return
    panel.heading("With this change")
    after = _evaluation_with(run, parser)
    if after is not None:
        _say_difference(evaluation, after)
    with st.container(horizontal=True, horizontal_alignment="distribute", key="parser-decide"):
        st.button("Discard", key="parser.discard", on_click=_propose, args=(run, None))
        if after is not None and st.button("Apply", key="parser.apply", type="primary", icon=":material/check:"):
            change(run, parser)
    if after is not None:
        _examples(evaluation, after)


def _evaluation_with(run: str, parser: Parser) -> Evaluation | None:
    """Return the evaluation under another parser; None, with the reason said, where it cannot be used."""
    try:
        return state.preview(run, _check_parser(parser))
    except DataError as error:
        text = "The marked rule cannot work yet." if parser_editor.problems_of(parser.rules) else str(error)
        refuse(f"{text} The numbers still come from the previous parser.", title="This parser cannot be used yet")
        return None


def _check_parser(parser: Parser) -> Parser | None:
    """Return a parser that can work; None is the standard one.

    Raises
    ------
    DataError : a rule cannot work.
    """
    parser = Parser.from_json(parser.to_json())
    return None if parser == STANDARD else parser


def change(run: str, parser: Parser) -> None:
    """Look at the evaluation under another parser, on this page and view.

    Raises
    ------
    DataError : answers cannot be read with this parser.
    """
    changed = state.reparse(run, _check_parser(parser))
    st.session_state.pop(_PENDING, None)
    st.session_state[_BEFORE] = (run, changed)
    url.put(run=changed)
    st.rerun()


def _say_difference(before: Evaluation, after: Evaluation) -> None:
    """Say accuracy and answers without a label before and after, and how many rows change."""
    old, new = cache.confusion(before), cache.confusion(after)
    moved = outcomes.compare_readings(before, after)
    st.markdown(
        f"Accuracy **{percent(label_metrics.accuracy(old))} → {percent(label_metrics.accuracy(new))}**  \n"
        f"No label found: {old.n_unparsed:,} → {count(new.n_unparsed)}  \n"
        f"{count(moved.rows)} read differently: {moved.gained:,} become right, {moved.lost:,} are no longer right."
    )


def _examples(before: Evaluation, after: Evaluation) -> None:
    """List the most frequent answers that are read differently."""
    codes = outcomes.compare_readings(before, after).codes[:EXAMPLES]
    if not len(codes):
        return
    rows = outcomes.count_answer_rows(after)
    frame = {
        "answer": [show(outcomes.text_of(after, int(code)), 200) for code in codes],
        "before": [_label(before, int(code)) for code in codes],
        "after": [_label(after, int(code)) for code in codes],
        "rows": rows[codes],
    }
    st.dataframe(pd.DataFrame(frame), hide_index=True, key="parser.examples", column_config={
        "answer": st.column_config.TextColumn(width=120), "before": st.column_config.TextColumn(width=70),
        "after": st.column_config.TextColumn(width=70), "rows": st.column_config.NumberColumn(width=40),
    })  # fmt: skip


def _label(evaluation: Evaluation, code: int) -> str:
    name = outcomes.label_of(evaluation, code)
    return "no label" if name is None else show(name, 80)


def reading_warnings(evaluation: Evaluation) -> list[str]:
    """Return the receipt's warnings about how the answers were read."""
    e = evaluation
    return [] if e.answers is None else describe_answers(e.answers, e.labels, e.n_space, e.y_true, e.scored)[1]


def _name(parser: Parser) -> str:
    if st.session_state.get("parser.named") != parser.name or "parser.name" not in st.session_state:
        st.session_state["parser.named"] = st.session_state["parser.name"] = parser.name
    return st.text_input("Name of the parser", key="parser.name", max_chars=80, width=240) or parser.name


def _last_change(evaluation: Evaluation) -> None:
    """Say what the last change did, and offer the way back."""
    before, after = st.session_state.get(_BEFORE, ("", ""))
    earlier = open_runs.evaluation_of(before) if after == url.get("run") else None
    if earlier is None or not _same_rows(earlier := state.restrict(earlier), evaluation):
        return
    st.markdown("**The last change**")
    _say_difference(earlier, evaluation)
    st.button("Undo", key="parser.undo", icon=":material/undo:", on_click=url.put, kwargs={"run": before})


def _same_rows(evaluation: Evaluation, other: Evaluation) -> bool:
    """Return whether two evaluations are of the same answers, so that their rows can be compared."""
    if evaluation.answers is None or other.answers is None:
        return False
    return evaluation.answers.texts.equals(other.answers.texts) and np.array_equal(
        evaluation.answers.codes, other.answers.codes
    )


def _files(run: str, parser: Parser) -> None:
    """Draw the parser as a file to export and import, and the way to the standard one."""
    about = "`python cli.py score --parser parser.json` takes this file, too."
    hand_out("Export", to_text(parser).encode, "parser.json", key="parser.export", about=about)
    with st.popover("Import", icon=":material/upload:"):
        turn = st.session_state.setdefault("parser.turn", 0)
        file = st.file_uploader("A parser as JSON", key=f"parser.file.{turn}", max_upload_size=MAX_PARSER_UPLOAD_MB)
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
