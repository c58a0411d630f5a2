"""Draw the page Parsing: accuracy with and without the answers that hold no label, and examples of each outcome."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from charts import outcomes as charts
from data.answers import outcomes as answers
from data.answers.outcomes import ANSWERS_PER_PAGE
from data.answers.parsing import OUTCOMES, OUTSIDE, READ, TITLES, outcome_title, parse_answers
from data.evaluation import MISSING, Evaluation
from data.rows.selection import Which
from export.evaluation.parsing_result import MEANINGS, outcome_tables, parsed_accuracies, parsing_headline
from export.result.frame import to_frame
from text.numbers import count
from text.visible import show
from ui.answers import label_list, rescoring
from ui.open import correction
from ui.overview.finding_list import finding_list
from ui.person import people
from ui.rows import left_out, rows_behind
from ui.rows.row_choice import link_to_rows
from ui.text.chart import draw_chart
from ui.text.markdown import md
from ui.text.messages import remark
from ui.view import cache, controls, url
from ui.view.controls import offer_other_files
from ui.view.data_table import draw_tile, table_twin, write_markdown
from ui.view.measurement import find_ranked, measure

SHOWN = 4_000
"""Characters of one answer on screen."""
CELL = 400
"""Characters of a cell of the table; the download holds all."""
_ABOUT_LABELS = ("truth_outside_label_space", "outside_label_space", "absent")


def why_nothing(run: str, evaluation: Evaluation) -> None:
    """Explain why there is nothing to parse here, which column could be read instead, and what to do."""
    if evaluation.task == "multilabel":
        st.markdown("Nothing is parsed here: the file is multi-label. A parser reads one label from each answer.")
    else:
        column = evaluation.settings.pred
        from_what = f"column {md(column)}, which holds labels" if column else "scores"
        st.markdown(f"Nothing is parsed here: the predictions come from {from_what}, not from free text.")
        _offer_columns(run, evaluation)
    offer_other_files(("support-intents-llm",), "raw answers")


def _offer_columns(run: str, evaluation: Evaluation) -> None:
    """Draw the columns that could hold raw answers, where there are any and whoever looks may choose."""
    offered = [] if left_out.rows_left_out(evaluation) or not people.may_change() else cache.answer_columns(evaluation)
    if not offered:
        return
    st.markdown("A column of this file could hold raw answers. Read the labels from it instead:")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox("Raw answers", offered, format_func=lambda name: show(name, 80), key="parsing.column")
        if st.button("Read labels from this column", type="primary", icon=":material/rule:"):
            correction.apply(run, evaluation.settings, {"pred": None, "raw": chosen})


def title(evaluation: Evaluation) -> str:
    """Say in how many rows no label was found, and what that means for accuracy."""
    if evaluation.answers is None:
        return "This file has no raw answers to read"
    return write_markdown(parsing_headline(measure(evaluation)))


def draw_accuracies(evaluation: Evaluation) -> None:
    """Draw accuracy with and without the rows in which no label was found, and their share: always together."""
    assert evaluation.answers is not None
    parser = evaluation.answers.parser
    every, parsed, unparsed = parsed_accuracies(measure(evaluation)).rows
    with_label = Which(pred=tuple(range(len(evaluation.labels))), only="errors")
    links = (
        (every, Which(only="errors"), "Show the wrong rows", "strict.rows"),
        (parsed, with_label, "Show the wrong rows with a label", "lenient.rows"),
        (unparsed, Which(only="unparseable"), "Show these rows", "unparsed.rows"),
    )
    with st.container(key="answer-numbers"):
        columns = st.columns(3)
    for column, (row, which, link, key) in zip(columns, links, strict=True):
        with column:
            draw_tile(row, partial(link_to_rows, evaluation, which, link, key=key))
    made_of = f"({count(len(parser.rules), 'rule')}) from column {md(evaluation.answers.column)}"
    if left_out.answers_left_out(evaluation):
        made_of = "from answers that were left out"
    st.caption(
        f"Read by the parser **{md(parser.name)}** {made_of}. Use the parser you use in production, or these numbers "
        "won't apply."
    )


def warnings(evaluation: Evaluation) -> None:
    """Draw the warnings about the parser."""
    for sentence in rescoring.reading_warnings(evaluation):
        remark(sentence)


def outcomes(evaluation: Evaluation) -> None:
    """Draw the outcomes of the answers, as a picture and as a table, and examples of one outcome."""
    counted = answers.count_outcomes(evaluation)
    if not counted:
        return
    bars = [charts.Outcome(outcome_title(row.name), _kind(row.name), row.rows, row.answers) for row in counted]
    drawn, names = charts.outcome_bars(bars), [row.name for row in counted]
    key = "parsing.outcomes"
    draw_chart(drawn, key, on_select=_take_click, selection_mode="points")
    for table in outcome_tables(evaluation):
        table_twin(to_frame(table), table.name)
    if left_out.answers_left_out(evaluation):
        left_out.note_on_answers()
        return
    if url.get("outcome") not in names:
        failed = [row for row in counted if _kind(row.name) == "nothing"]
        url.put(outcome=max(failed or counted, key=lambda row: row.rows).name, part=1)
    shown = {row.name: f"{outcome_title(row.name)} {row.rows:,}" for row in counted}
    chosen = controls.choose("outcome", "Examples of an outcome", shown)
    if st.session_state.get("parsing.outcome", chosen) != chosen:
        url.put(part=1)
    st.session_state["parsing.outcome"] = chosen
    _examples(evaluation, chosen)


def _kind(name: str) -> charts.Kind:
    return "label" if name in READ else "not listed" if name == OUTSIDE else "nothing"


def _take_click() -> None:
    """Put the outcome of the clicked bar into the view."""
    points = st.session_state["parsing.outcomes"]["selection"]["points"]
    if points:
        names = {title: name for name, title in TITLES.items()}
        chosen = points[0]["customdata"][0]
        url.put(outcome=names.get(chosen, chosen), part=1)


def _examples(evaluation: Evaluation, outcome: str) -> None:
    """Draw the distinct answers with an outcome, the most frequent first, and the rows of the one that is chosen."""
    codes = answers.find_answers(evaluation, outcome)
    pages = max(1, -(-len(codes) // ANSWERS_PER_PAGE))
    st.caption(MEANINGS[outcome])
    part = controls.whole_number("part", f"Page (of {pages:,})", 1, pages) if pages > 1 else 1
    here = codes[(part - 1) * ANSWERS_PER_PAGE : part * ANSWERS_PER_PAGE]
    event = st.dataframe(
        _frame(evaluation, here),
        hide_index=True,
        key=f"parsing.examples.{outcome}.{part}",
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "rows": st.column_config.NumberColumn("rows", width=45, format="%d"),
            "raw answer": st.column_config.TextColumn("raw answer", width=270),
            "left to read": st.column_config.TextColumn(
                "left to read", width=90, help="The part of the answer that the trim rules left."
            ),
            "read as": st.column_config.TextColumn("read as", width=120),
            "truth": st.column_config.TextColumn("truth", width=160),
        },
    )
    picked = event["selection"]["rows"]
    which = (
        f"{(part - 1) * ANSWERS_PER_PAGE + 1:,} to {(part - 1) * ANSWERS_PER_PAGE + len(here):,} of "
        if pages > 1
        else ""
    )
    st.caption(f"{which}{count(len(codes), 'different answer')}, the most frequent first. Choose one to see its rows.")
    if picked and picked[0] < len(here):
        _one_answer(evaluation, int(here[picked[0]]))
        return
    rows = rows_with_outcome(evaluation, outcome)
    with st.expander(
        f"All {count(len(rows))} with this outcome: {outcome_title(outcome)}", icon=":material/table_rows:"
    ):
        rows_behind.draw_listed_rows(evaluation, rows, key="parsing.outcome.rows")


def rows_with_outcome(evaluation: Evaluation, outcome: str) -> np.ndarray:
    """Return positions of the scored rows whose answer has an outcome, in file order."""
    assert evaluation.answers is not None
    codes, kinds = evaluation.answers.codes, answers.outcome_names(evaluation)  # no text at all is the last kind
    kind = np.where(codes == MISSING, kinds[-1], kinds[codes])
    return np.flatnonzero(evaluation.scored & (kind == OUTCOMES.index(outcome)))


def _one_answer(evaluation: Evaluation, code: int) -> None:
    """Draw an answer in full beside what was read from it, and the rows that hold it."""
    text, label = answers.text_of(evaluation, code), answers.label_of(evaluation, code)
    lines = text[:SHOWN].splitlines() if text else []
    st.markdown("Read as " + ("**no label**" if label is None else md(label)) + " from this answer:")
    st.code("\n".join(show(line, SHOWN) if line else "" for line in lines), language=None, wrap_lines=True)
    if len(text) > SHOWN:
        st.caption(f"The first {SHOWN:,} of {len(text):,} characters; the download of the rows holds all.")
    rows_behind.draw_listed_rows(evaluation, answers.find_answer_rows(evaluation, code), key="parsing.rows")


def _frame(evaluation: Evaluation, codes: np.ndarray) -> pd.DataFrame:
    assert evaluation.answers is not None
    n = answers.count_answer_rows(evaluation)
    texts = [answers.text_of(evaluation, int(code)) for code in codes]
    space = evaluation.labels[: evaluation.n_space]
    left = parse_answers(texts, space, evaluation.answers.parser, keep=False).left
    return pd.DataFrame(
        {
            "rows": n[codes],
            "raw answer": [show(text, CELL) for text in texts],
            "left to read": [_write_left(*pair) for pair in zip(texts, left, strict=True)],
            "read as": [_label(answers.label_of(evaluation, int(code))) for code in codes],
            "truth": [_truths(evaluation, int(code)) for code in codes],
        }
    )


def _write_left(text: str, left: str) -> str:
    """Draw what the trim rules left of an answer, or say that it is all of it."""
    return "= all of it" if left.strip() == text.strip() else show(left, CELL)


def _label(name: str | None) -> str:
    return "no label" if name is None else show(name, 80)


def _truths(evaluation: Evaluation, code: int) -> str:
    """Return the most frequent true labels of an answer, and how many more there are."""
    truths = answers.count_truths(evaluation, code).most_common()
    named = [show(name, 60) + (f" ({n:,})" if len(truths) > 1 else "") for name, n in truths[:3]]
    return ", ".join(named) + (f" and {len(truths) - 3:,} more" if len(truths) > 3 else "")


def label_space(run: str, evaluation: Evaluation) -> None:
    """Draw the label list of the answers: where it comes from, what is wrong with it, and a way to change it."""
    about = [finding for finding in find_ranked(evaluation) if finding.code in _ABOUT_LABELS]
    may_change = not left_out.answers_left_out(evaluation) and people.may_change()
    if about or may_change:
        st.header("The labels that an answer may name")
    finding_list(evaluation, about, here="parsing")
    if may_change:
        label_list.choose_labels(run, evaluation)
