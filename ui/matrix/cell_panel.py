"""The panel after a click in the matrix: what was chosen in one sentence, and its first rows."""

from __future__ import annotations

import streamlit as st

from data.evaluation import UNPARSEABLE, Evaluation
from data.rows.selection import Which
from text.numbers import count
from ui.rows import first_rows
from ui.rows.row_choice import view_of, words
from ui.text.markdown import percent
from ui.view import cache, measurement, panel, url
from ui.view.panel import md_label


def draw(evaluation: Evaluation, chosen: Which) -> None:
    """Draw the way back, what was chosen, and its rows."""
    panel.draw_way_back("What stands out", lambda: url.put(**view_of(evaluation, Which()), row=0), key="cell")
    n = first_rows.count_rows(evaluation, chosen)
    panel.heading(words(evaluation, chosen, "Rows").replace("**", ""))
    about = _about(evaluation, chosen, n)
    if about:
        st.caption(about)
    if not n and _is_cell(chosen):
        return
    first_rows.link_to_all(evaluation, chosen, n)
    first_rows.first_rows(evaluation, chosen, key="cell", with_prediction=len(predicted_codes(chosen)) != 1)
    classes = (*chosen.true, *predicted_codes(chosen)) if _is_cell(chosen) else ()
    if len({*classes}) == 2 and UNPARSEABLE not in classes:
        first_rows.compare_pictures(evaluation, classes, key="cell")


def headline(evaluation: Evaluation, chosen: Which) -> str:
    """Write the chosen rows as a sentence: "24 of 42 rows of `a` were predicted as `b`"."""
    counts, n = cache.confusion(evaluation), first_rows.count_rows(evaluation, chosen)
    pred = predicted_codes(chosen)
    were = "was" if n == 1 else "were"
    if _is_cell(chosen):
        true = chosen.true[0]
        lead = f"{n:,} of {int(counts.support[true]):,} {md_label(evaluation, true)} rows {were}"
        if pred[0] == UNPARSEABLE:
            return f"{lead} left without a label: none was found in the answer"
        right = true == pred[0]
        if not n:
            how = "correctly" if right else f"as {md_label(evaluation, pred[0])}"
            return f"No row of {md_label(evaluation, true)} was predicted {how}"
        return f"{lead} predicted correctly" if right else f"{lead} predicted as {md_label(evaluation, pred[0])}"
    if len(pred) == 1 and pred[0] != UNPARSEABLE and not chosen.true and chosen.only == "errors":
        code = pred[0]
        classes = int((counts.column(code).code != code).sum())
        other = "1 other class" if classes == 1 else f"{classes:,} other classes"
        return f"{n:,} row{'' if n == 1 else 's'} of {other} {were} predicted as {md_label(evaluation, code)}"
    return words(evaluation, chosen, n).replace("**", "")


def _about(evaluation: Evaluation, chosen: Which, n: int) -> str:
    """Write the share of the true class, and how many rows are confused the other way; of rows with weights, these."""
    counts, weight = measurement.measure(evaluation).weighted_confusion, first_rows.weigh_rows(evaluation, chosen)
    lead = f"Weight {weight}" if n and weight else ""
    if not _is_cell(chosen):
        return lead
    true, pred = chosen.true[0], predicted_codes(chosen)[0]
    support = int(counts.support[true])
    share = f"{percent(counts.count(true, pred) / support)} of the true class." if n else ""
    share = f"{lead} of {counts.write(support)}: {share}" if lead else share
    share = share if support else "The class has no true rows."
    if pred in (true, UNPARSEABLE):
        return share
    back = counts.by_row.count(pred, true)
    if not back:
        return f"{share} No row was confused the other way.".lstrip()
    of = f" of weight {counts.write(counts.count(pred, true))}" if lead else ""
    return f"{share} {count(back)}{of} {'was' if back == 1 else 'were'} confused the other way.".lstrip()


def _is_cell(chosen: Which) -> bool:
    plain = chosen.only in ("all", "unparseable") and not chosen.others and chosen.score is None
    return plain and len(chosen.true) == 1 == len(predicted_codes(chosen))


def predicted_codes(chosen: Which) -> tuple[int, ...]:
    """Return the predicted classes of chosen cells, answers without a label among them."""
    return (UNPARSEABLE,) if chosen.only == "unparseable" and not chosen.pred else chosen.pred
