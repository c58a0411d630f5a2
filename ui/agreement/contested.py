"""The panel of the page Agreement: the units that raters disagree on most, or those where two raters differ."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from data.evaluation import Evaluation
from data.rows.row_table import row_numbers
from metrics.agreement.agreement import Agreement
from metrics.agreement.coefficients import Homogeneity
from text.intervals import bounds
from text.name_lists import read_names
from text.numbers import count, number, p_value, percent
from text.quoting import cut
from text.visible import show
from ui.agreement.raters import Raters
from ui.limits import CONTESTED_TEXT_CHARS
from ui.rows import left_out, rows_view
from ui.text.markdown import md
from ui.view import panel, url
from ui.view.panel import Item, Label, Pages, Section

AT_ONCE = 8
_SURE = 0.05  # p below which two raters are said to differ
_FROM = "agreement.from"


def draw(evaluation: Evaluation, agreement: Agreement, raters: Raters) -> None:
    """Draw the units of the chosen pair, or the most contested ones."""
    pair = pair_in_view(raters)
    if pair is None:
        units = agreement.contested
        panel.heading("Most contested")
        n = agreement.ratings.n_pairable
        st.caption(f"{count(len(units), 'unit')} on which raters disagree, of {n:,} with two ratings or more.")
    else:
        units = _draw_pair(agreement, raters, *pair)
    if not len(units):
        st.markdown("The raters always agree.")
    elif not left_out.note(evaluation):
        _list(evaluation, raters, units, pair)


def pair_in_view(raters: Raters) -> tuple[int, int] | None:
    """Return the places of the two raters that the view compares."""
    names = read_names(url.get("pair"))
    if len(names) != 2 or any(name not in raters.table.raters for name in names):
        return None
    return raters.table.raters.index(names[0]), raters.table.raters.index(names[1])


def _draw_pair(agreement: Agreement, raters: Raters, a: int, b: int) -> np.ndarray:
    """Draw what is known of two raters; return the units where they differ."""
    names = raters.table.raters
    panel.draw_way_back("Most contested", lambda: url.put(pair=""), key="agreement.pair")
    panel.heading(f"{md(names[a], 30)} and {md(names[b], 30)}")
    both = next(pair for pair in agreement.pairs if {pair.a, pair.b} == {a, b})
    if not both.n:
        st.markdown("They rated no unit in common.")
        return np.zeros(0, dtype=np.int64)
    agree, kappa = both.percent_agreement, both.cohen_kappa
    within = bounds(agree.low, agree.high, share=True)
    st.markdown(
        f"They agree in {percent(agree.value)} of {count(both.n, 'unit')} ({within}); kappa is {number(kappa.value)} "
        f"({bounds(kappa.low, kappa.high) or kappa.method})."
    )
    if agreement.ratings.has_order:
        linear, quadratic = both.linear_kappa, both.quadratic_kappa
        st.markdown(
            f"Weighted by steps, kappa is {number(linear.value)} ({bounds(linear.low, linear.high) or linear.method}). "
            f"By their squares, it is {number(quadratic.value)} "
            f"({bounds(quadratic.low, quadratic.high) or quadratic.method})."
        )
    _draw_homogeneity(both.homogeneity)
    codes_a, codes_b = agreement.ratings.codes[:, a], agreement.ratings.codes[:, b]
    have_both = (codes_a >= 0) & (codes_b >= 0)
    return np.flatnonzero(have_both & (codes_a != codes_b))


def _draw_homogeneity(homogeneity: Homogeneity) -> None:
    """Say whether one rater uses some categories more often than the other; nothing where no test can tell."""
    if math.isnan(homogeneity.p):
        return
    test = f"{p_value(homogeneity.p)}, {homogeneity.test}"
    if homogeneity.p < _SURE:
        st.markdown(f"They use the categories differently: one is stricter ({test}).")
    else:
        st.markdown(f"No difference in how often they use each category was found ({test}).")


def _list(evaluation: Evaluation, raters: Raters, units: np.ndarray, pair: tuple[int, int] | None) -> None:
    pages = Pages(_FROM, str(pair), len(units), AT_ONCE)
    shown = units[pages.shown]
    rows = raters.table.units[shown]
    texts, numbers = rows_view.brief_texts(evaluation, rows), row_numbers(evaluation, rows).tolist()
    items = [
        Item(
            (cut(text, CONTESTED_TEXT_CHARS) or f"Row {number:,}",),
            f"row {number:,}",
            _verdicts(raters, int(unit)),
            about=text,
        )
        for text, number, unit in zip(texts, numbers, shown.tolist(), strict=True)
    ]
    title = "Most contested first" if pair is None else "Where they differ"
    panel.item_list([Section(title, items, "", pages.more)], key="agreement.rows", on_choose=pages.turn)


def _verdicts(raters: Raters, unit: int) -> tuple[str | Label, ...]:
    """Return who gave a unit which category, the most frequent category first."""
    codes, names = raters.table.codes[unit], raters.table.raters
    given = sorted({int(code) for code in codes if code >= 0}, key=lambda code: -int((codes == code).sum()))
    words: list[str | Label] = []
    for code in given:
        who = ", ".join(show(names[place], 30) for place in np.flatnonzero(codes == code))
        words += [Label(raters.table.categories[code]), f" {who} "]
    return tuple(words)
