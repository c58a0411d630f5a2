"""The tables of the page Agreement: pairs, coefficients, the human ceiling, categories, preferences, true rates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from charts.theme import MODEL
from data.comparison.judge_evaluation import write_names
from data.evaluation import Evaluation
from export.agreement import ORDERED, TITLES, Bias, corrected_rates, prevalence_sentences, rating_warnings
from export.interval_text import name_level
from metrics.agreement.agreement import Agreement, Estimate, Pair
from metrics.agreement.pairs import Swapped
from text.intervals import bounds, rounded
from text.numbers import count, number, percent, signed
from text.visible import show
from ui.agreement.raters import Raters, by_category
from ui.compare.board import Column, Line, board, name_cell, undefined_cell
from ui.text.grid import Cell, Head, grid
from ui.text.markdown import md
from ui.text.messages import remark
from ui.view import intervals, url


def pair_grid(found: Agreement, raters: Raters, opened: tuple[int, int] | None) -> None:
    """Draw kappa or agreement of every two raters; a click opens what they disagree on."""
    names = raters.table.raters
    heads = [Head(show(name, 24), show(name, 200), _kind(raters, place)) for place, name in enumerate(names)]
    cells = [[Cell() for _ in names] for _ in names]
    for pair in found.pairs:
        cells[pair.a][pair.b] = cells[pair.b][pair.a] = _cell(pair)

    def choose(pair: str) -> None:
        url.put(pair=write_names(tuple(names[int(place)] for place in pair.split(":"))))

    shown = ":".join(map(str, sorted(opened or ())))
    grid("Agreement of every two raters", heads, heads, cells, key="agreement.matrix", opened=shown, on_choose=choose)


def _kind(raters: Raters, place: int) -> str:
    return "judge" if place == raters.judge else "model" if place in raters.models else "person"


def _cell(pair: Pair) -> Cell:
    by_kappa = url.get("show") == "kappa"
    one = pair.cohen_kappa if by_kappa else pair.percent_agreement
    chosen = f"{min(pair.a, pair.b)}:{max(pair.a, pair.b)}"
    if math.isnan(one.value):
        why = "no unit in common" if not pair.n else "undefined: both use one category only"
        return Cell("–", why, chosen=chosen)
    text, within = rounded(one.value, one.low, one.high), bounds(one.low, one.high)
    level = f", {name_level(intervals.level())} {within}" if not math.isnan(one.low) else ""
    about = f"{'kappa' if by_kappa else 'agreement'} {text}{level}, {count(pair.n, 'unit')}"
    return Cell(text, about, MODEL, 50 * max(0.0, min(1.0, one.value)), chosen)


def coefficients(found: Agreement) -> None:
    """Draw every coefficient of all raters, and what prevalence does to kappa."""
    st.subheader("All raters together")
    for sentence in rating_warnings(found):
        remark(sentence)
    for sentence in prevalence_sentences(found):
        st.text(sentence)
    lines = [
        Line((name_cell(title), *_cells(found.coefficients[name])))
        for name, title in TITLES.items()
        if name not in ORDERED or not math.isnan(found.coefficients[name].value)
    ]
    board("Coefficients of all raters", _columns("Coefficient"), lines, key="agreement.coefficients")


def ceiling(found: Agreement, raters: Raters) -> None:
    """Draw each rater against the majority of the other people."""
    names = raters.table.raters
    st.subheader("Against the majority of the other people")
    st.caption(
        "A judge can hardly agree with people more than people agree with each other. Units with a tie have no "
        "majority and are left out."
    )
    lines = []
    for one in sorted(found.ceiling, key=lambda one: -np.nan_to_num(one.agreement.value, nan=-1)):
        at = one.agreement
        cells = _cells(Estimate(at.value, at.low, at.high, at.method), "no unit has such a majority")
        kind = "judge" if one.rater == raters.judge else "model" if one.rater in raters.models else "person"
        lines.append(Line((name_cell(names[one.rater]), kind, *cells, f"{one.n:,}", f"{one.ties:,}")))
    if len(raters.people) > 1:
        lines.append(Line((name_cell("All people"), "mean", *_cells(found.ceiling_mean), "", "")))
    first, *rest = _columns("Rater")
    columns = [first, Column(""), *rest, Column("Units"), Column("Ties")]
    board("Each rater against the majority of the other people", columns, lines, key="agreement.ceiling")


def categories(evaluation: Evaluation, found: Agreement, raters: Raters) -> None:
    """Draw how far each category is agreed on, and how often each rater uses it."""
    names, q = raters.table.raters, raters.table.categories
    st.subheader("Per category")
    own = by_category(evaluation, raters.where, intervals.level())
    share = found.ratings.counts.sum(axis=0) / found.ratings.counts.sum()
    lines = [
        Line((name_cell(name), percent(float(share[code])), *_cells(own[code])))
        for code, name in sorted(enumerate(q), key=lambda pair: -share[pair[0]])
    ]
    first, *rest = _columns("Category")
    board("Agreement on each category", [first, Column("Ratings"), *rest], lines, key="agreement.categories")
    st.subheader("Strict or lenient")
    st.caption("How often each rater uses each category. To compare two raters on the units that both rated, choose a "
               "cell of the matrix.")  # fmt: skip
    shown = list(range(len(q)))[:8]
    use = []
    for place, name in enumerate(names):
        codes = found.ratings.codes[:, place]
        rated = codes >= 0
        cells = [percent(float((codes == code).sum() / rated.sum())) if rated.any() else "–" for code in shown]
        use.append(Line((name_cell(name), *cells, f"{int(rated.sum()):,}")))
    columns = [Column("Rater", "name"), *(Column(show(q[code], 16)) for code in shown), Column("Ratings")]
    board("How often each rater uses each category", columns, use, key="agreement.use")
    if len(q) > len(shown):
        st.caption(f"The first {len(shown)} of {count(len(q), 'category')}.")


_PREFERS = {
    "first": ("Prefers the first answer", "0.5 means no preference, since the order is random."),
    "longer": ("Prefers the longer answer", "A longer answer may be better, so compare with the people."),
}


def preferences(biases: Sequence[Bias], again: Sequence[Swapped], raters: Raters) -> None:
    """Draw what raters of pairs prefer besides quality, beside the people's own preference on the same units."""
    names = raters.table.raters
    for one in again:
        st.subheader("Asked twice, with the answers swapped")
        said = f"{md(names[one.rater], 30)} says the same in {percent(one.same.value)} of {count(one.n, 'unit')}"
        within = bounds(one.same.low, one.same.high, share=True)
        st.markdown(f"{said} ({within}) when the two answers are swapped.")
    for at, bias in enumerate(biases):
        title, about = _PREFERS.get(
            bias.kind, ("", "How often it prefers this model's answers; compare with the people.")
        )
        st.subheader(title or f"Prefers answers of {md(bias.name, 40)}")
        st.caption(about)
        lines = []
        for preference in bias.found:
            own, b = preference.own, preference.bounds
            difference = "–" if math.isnan(preference.difference) else signed(preference.difference, 2)
            within = bounds(b.low, b.high)
            clear = not math.isnan(b.low) and (b.low > 0 or b.high < 0)
            said = f"{difference} ({within})" if within and clear else "no difference found" if within else "–"
            lines.append(
                Line((name_cell(names[preference.rater]), *_cells(Estimate(own.value, own.low, own.high, own.method)),
                      number(preference.people.value, 2), said))
            )  # fmt: skip
        columns = [*_columns("Rater"), Column("People"), Column("Difference", about="on the units that both decided")]
        board(title or f"Prefers {bias.name}", columns, lines, key=f"agreement.bias.{at}")


def draw_corrected_rates(found: Agreement, raters: Raters) -> None:
    """Draw the true rate of every category, corrected for the errors of the judge."""
    if raters.judge is None or not raters.people:
        return
    st.subheader("True rates, corrected for the judge's errors")
    judge = md(raters.table.raters[raters.judge], 30)
    st.caption(f"Over all units that {judge} rated. Its errors are estimated on the units that people rated, too "
               "(Rogan–Gladen). This needs a random part rated by people.")  # fmt: skip
    lines = []
    for name, rate in zip(raters.table.categories, corrected_rates(found), strict=True):
        cells = _cells(Estimate(rate.value, rate.low, rate.high, rate.method))
        errors = (number(rate.sensitivity, 2), number(rate.specificity, 2))
        lines.append(Line((name_cell(name), number(rate.judged), *cells, *errors)))
    first, *rest = _columns("Category")
    columns = [first, Column("Judge says"), *rest, Column("Sensitivity"), Column("Specificity")]
    board("True rate of each category", columns, lines, key="agreement.corrected")


def _columns(first: str) -> list[Column]:
    level = name_level(intervals.level())
    return [Column(first, "name"), Column("Value"), Column(f"{level} interval", "interval"), Column("")]


def _cells(one: Estimate, why: str = "") -> tuple[str | dict[str, Any], ...]:
    """Return the cells of a value: the number, its interval as a thin bar from 0 to 1, and its ends."""
    if math.isnan(one.value):
        return undefined_cell(why or one.method), "", ""
    known = not math.isnan(one.low)
    low, high, at = (max(0.0, min(1.0, x)) if known else None for x in (one.low, one.high, one.value))
    bar = {
        "low": low, "high": high, "value": at if known else max(0.0, min(1.0, one.value)), "colour": "",
        "about": one.method, "marks": [0.0, 0.5, 1.0],
    }  # fmt: skip
    return rounded(one.value, one.low, one.high), bar, bounds(one.low, one.high)
