"""The panel after a click in the matrix: what was chosen in one sentence, and its first rows."""

from __future__ import annotations

import streamlit as st

from data.evaluation import UNPARSEABLE, Evaluation
from data.rows.selection import Which
from metrics.confusion.counts import Cells
from text.numbers import count, rows_are, verb
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
        first_rows.compare_pictures(evaluation, classes)


def headline(evaluation: Evaluation, chosen: Which) -> str:
    """Write the chosen rows as a sentence: "24 of 42 `a` rows were predicted as `b`"."""
    counts, n, pred = cache.confusion(evaluation), first_rows.count_rows(evaluation, chosen), predicted_codes(chosen)
    if _is_cell(chosen):
        return _say_cell(evaluation, chosen.true[0], pred[0], n)
    if not _is_line(chosen):
        return words(evaluation, chosen, n).replace("**", "")
    if chosen.true:
        return _say_row(evaluation, chosen.true[0])
    if chosen.only == "errors" and pred[0] != UNPARSEABLE:
        classes = len(_wrong(counts.column(pred[0]), pred[0]).code)
        other = "1 other class" if classes == 1 else f"{classes:,} other classes"
        return f"{count(n)} of {other} {verb(n, 'was')} predicted as {md_label(evaluation, pred[0])}"
    return _say_column(evaluation, pred[0])


def _say_cell(evaluation: Evaluation, true: int, pred: int, n: int) -> str:
    """Say how many rows of a class were predicted as one label."""
    support = int(cache.confusion(evaluation).support[true])
    lead = f"{n:,} of {support:,} {md_label(evaluation, true)} {rows_are(n, support, now=False)}"
    if pred == UNPARSEABLE:
        return f"{lead} left without a label: none was found in the answer"
    how = "correctly" if true == pred else f"as {md_label(evaluation, pred)}"
    return f"{lead} predicted {how}" if n else f"No row of {md_label(evaluation, true)} was predicted {how}"


def _say_row(evaluation: Evaluation, code: int) -> str:
    """Say how many rows of a class are wrong, and as what they were predicted most often."""
    counts = cache.confusion(evaluation)
    support, wrong = int(counts.support[code]), _wrong(counts.row(code), code)
    n = int(wrong.rows.sum())
    if not support:
        return f"{md_label(evaluation, code)} has no true rows"
    if len(wrong.code) < 2:
        return _say_cell(evaluation, code, int(wrong.code[0]) if n else code, n or support)
    unread = wrong.code[0] == UNPARSEABLE
    how = "left without a label" if unread else f"predicted as {md_label(evaluation, int(wrong.code[0]))}"
    lead = f"{n:,} of {support:,} {md_label(evaluation, code)} rows are wrong"
    return f"{lead}, most often {how}" if _has_fullest(evaluation, wrong) else lead


def _say_column(evaluation: Evaluation, code: int) -> str:
    """Say how many rows that were predicted as a label are wrong, and of which class they are most often."""
    counts = cache.confusion(evaluation)
    predicted, wrong = int(counts.column(code).rows.sum()), _wrong(counts.column(code), code)
    n = int(wrong.rows.sum())
    if not predicted:
        return f"No row was predicted as {md_label(evaluation, code)}"
    most = f", most often {md_label(evaluation, int(wrong.code[0]))} rows" if _has_fullest(evaluation, wrong) else ""
    if code == UNPARSEABLE:
        return f"{n:,} of {count(counts.n)} {verb(n, 'was')} left without a label{most}"
    lead = f"{n or predicted:,} of {count(predicted)} predicted as {md_label(evaluation, code)}"
    is_or_are = verb(n or predicted, "is")
    if len(wrong.code) == 1:
        return f"{lead} {is_or_are} truly {md_label(evaluation, int(wrong.code[0]))}"
    return f"{lead} {is_or_are} wrong{most}" if n else f"{lead} {is_or_are} right"


def _wrong(cells: Cells, code: int) -> Cells:
    """Return the cells of a row or column without the diagonal, the fullest first."""
    return Cells(cells.code[cells.code != code], cells.rows[cells.code != code])


def _has_fullest(evaluation: Evaluation, cells: Cells) -> bool:
    """Return whether one cell of several, the first, has more rows than each other; by weight another may be it."""
    return evaluation.units is None and len(cells.rows) > 1 and bool(cells.rows[0] > cells.rows[1])


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
    return f"{share} {count(back)}{of} {verb(back, 'was')} confused the other way.".lstrip()


def _is_cell(chosen: Which) -> bool:
    plain = chosen.only in ("all", "scored", "unparseable") and not chosen.others and chosen.score is None
    return plain and len(chosen.true) == 1 == len(predicted_codes(chosen))


def _is_line(chosen: Which) -> bool:
    """Return whether the rows are a whole row or column of the matrix, or the errors in it."""
    plain = chosen.only in ("all", "scored", "errors", "unparseable") and not chosen.others and chosen.score is None
    return plain and len(chosen.true) + len(predicted_codes(chosen)) == 1


def predicted_codes(chosen: Which) -> tuple[int, ...]:
    """Return the predicted classes of chosen cells, answers without a label among them."""
    return (UNPARSEABLE,) if chosen.only == "unparseable" and not chosen.pred else chosen.pred
