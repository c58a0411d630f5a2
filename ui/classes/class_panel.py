"""The panel of one class: its numbers, what its rows were predicted as, and the steps to rows, matrix and threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
import streamlit as st

from data.evaluation import UNPARSEABLE, Evaluation
from data.rows.selection import Only, Which
from export.class_result import class_rates
from export.interval_text import bounds_of, describe, say_few, value_of
from metrics.catalogue.registry import metric_of
from metrics.confusion.counts import Cells
from metrics.intervals.statistic import Interval
from text.intervals import name_level
from text.numbers import count, verb
from text.quoting import list_items
from ui.rows import first_rows
from ui.rows.row_choice import only_counted, view_of
from ui.text.markdown import md
from ui.view import cache, measurement, panel, url
from ui.view.address import go_to
from ui.view.panel import Item, Label, Section, label_of, show_label

SHOWN = 5
_CHOSEN = "class.outcome"
_OUTCOMES = {"fn": "True, not predicted", "fp": "Predicted, not true", "tp": "True and predicted"}


def draw(evaluation: Evaluation, code: int) -> None:
    """Draw one class from both sides, and its first rows."""
    counts, many = cache.counts_of_classes(evaluation), evaluation.task == "multilabel"
    measured = measurement.measure(evaluation)
    task = evaluation.task
    rates = {metric_of(task, key).head: measured.number(key, code) for key in class_rates(task)}
    panel.draw_way_back("Close", lambda: url.put(**{"class": "", "row": 0}), key="class", icon=":material/close:")
    short, whole = panel.md_label(evaluation, code), md(show_label(evaluation, code, 400), 400)
    panel.heading(short)
    support, predicted = int(counts.support[code]), int(counts.predicted[code])
    times = count(predicted, "predicted row") if predicted else "never predicted"
    st.caption(f"{count(support, 'true row')}, {times}" + (f". Whole name: {whole}" if whole != short else ""))
    with st.container(horizontal=True, key="class-rates"):
        for name, rate in rates.items():
            st.metric(name, value_of(rate), help=rate.why_undefined or describe(rate))
    st.caption(_intervals(rates))
    for name, rate in rates.items():
        if rate.why_undefined:
            st.caption(f"{name} is {rate.why_undefined}.")
    sections, steps = _outcome_lists(evaluation, code) if many else _lists(evaluation, code)

    here = evaluation.fingerprint, code

    def choose(item: str) -> None:
        st.session_state[_CHOSEN] = here, item
        url.put(row=0)

    panel.item_list(sections, key="class.lists", on_choose=choose)
    of, chosen_step = st.session_state.get(_CHOSEN, (here, ""))
    chosen = chosen_step if of == here and chosen_step in steps else ""
    which = only_counted(evaluation, steps[chosen]) if chosen else _all_rows(evaluation, code, support)
    _steps(evaluation, code, which)
    with_prediction = many or len(which.pred) != 1
    first_rows.first_rows(evaluation, which, key="class", with_prediction=with_prediction)


def _intervals(rates: Mapping[str, Interval]) -> str:
    """Say the intervals of a class, and which of its rates have too few rows."""
    known = {name: interval for name, interval in rates.items() if bounds_of(interval)}
    intervals_text = ", ".join(f"{name} {bounds_of(interval)}" for name, interval in known.items())
    few: dict[str, list[str]] = {}
    for name, interval in known.items():
        if interval.too_few:
            few.setdefault(say_few(interval), []).append(name)
    ends = [f" {list_items(names, quoted=False)}: {reason}." for reason, names in few.items()]
    return f"{name_level(measurement.level())} intervals: {intervals_text}.{''.join(ends)}" if known else ""


def _all_rows(evaluation: Evaluation, code: int, support: int) -> Which:
    """Return the rows of a class until a line is chosen: its true rows, or else those predicted as it."""
    if evaluation.task == "multilabel":
        return Which(true=(code,), only="fn" if cache.multilabel(evaluation).fn[code] else "tp")
    return only_counted(evaluation, Which(true=(code,)) if support else Which(pred=(code,)))


def _steps(evaluation: Evaluation, code: int, which: Which) -> None:
    """Draw the ways from a class: its rows, the matrix, its threshold."""
    n = first_rows.count_rows(evaluation, which)
    with st.container(horizontal=True, gap="small", key="class-steps"):
        first_rows.link_to_all(evaluation, which, n)
        target = {"true": evaluation.labels[code]} if evaluation.task == "multilabel" else view_of(evaluation, which)
        go_to("confusion", "In the matrix", icon=":material/grid_on:", **target)
        if evaluation.y_score is not None and code in evaluation.score_codes:
            go_to("thresholds", "Threshold", icon=":material/tune:", **{"class": evaluation.labels[code]})


def _outcome_lists(evaluation: Evaluation, code: int) -> tuple[list[Section], dict[str, Which]]:
    counts = cache.multilabel(evaluation)
    steps = {only: Which(true=(code,), only=cast(Only, only)) for only in _OUTCOMES}
    rows = {only: int(getattr(counts, only)[code]) for only in _OUTCOMES}
    most = max(1, *rows.values())
    items = [
        Item((title,), f"{rows[only]:,}", bar=rows[only] / most, wrong=only != "tp", chosen=only if rows[only] else "")
        for only, title in _OUTCOMES.items()
    ]
    return [Section("Its rows", items)], steps


def _lists(evaluation: Evaluation, code: int) -> tuple[list[Section], dict[str, Which]]:
    """Return what the true rows of a class were predicted as, and what the rows predicted as it truly are."""
    counts = cache.confusion(evaluation)
    steps: dict[str, Which] = {}
    support, predicted = int(counts.support[code]), int(counts.predicted[code])
    sides = (
        ("true", f"Its {count(support, 'true row')} {verb(support, 'was')} predicted as", counts.row(code), support),
        ("pred", _title_of_predicted(predicted), counts.column(code), predicted),
    )
    sections = []
    for side, title, cells, whole in sides:
        if not whole:
            continue
        items: list[Item] = []
        for others in _divide_cells(cells):
            chosen = f"{side}:{len(items)}"
            steps[chosen] = Which((code,), others) if side == "true" else Which(others, (code,))
            rows = int(cells.rows[np.isin(cells.code, others)].sum())
            wrong = others != (code,)
            items.append(
                Item(_name(evaluation, others, code), f"{rows:,}", bar=rows / whole, wrong=wrong, chosen=chosen)
            )
        sections.append(Section(title, items))
    return sections, steps


def _divide_cells(cells: Cells) -> list[tuple[int, ...]]:
    """Return the classes of each line: the fullest by themselves, the last line holds the rest."""
    codes = cells.code.tolist()
    rest = tuple(codes[SHOWN:])
    return [*((code,) for code in codes[:SHOWN]), *([rest] if rest else [])]


def _name(evaluation: Evaluation, others: Sequence[int], code: int) -> tuple[str | Label, ...]:
    if len(others) > 1:
        return (f"{count(len(others), 'other class')}",)
    if others[0] == UNPARSEABLE:
        return ("no label found",)
    return (label_of(evaluation, others[0]), *((" (right)",) if others[0] == code else ()))


def _title_of_predicted(n: int) -> str:
    return f"True {'class' if n == 1 else 'classes'} of the {'row' if n == 1 else count(n)} predicted as this class"
