"""Draw the tables of the page Agreement: pairs, the human ceiling, coefficients, categories, rates, preferences."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from charts.theme import MODEL
from data.comparison.judge_evaluation import write_names
from data.evaluation import Evaluation
from export.rating.agreement import prevalence_sentences, rating_warnings
from export.rating.agreement_result import (
    ceiling_tables,
    coefficient_table,
    corrected_table,
    kind_of,
    number_cell,
    number_column,
    preference_table,
    swapped_words,
)
from export.result.kinds import Cell, Column, Count, Label, Name, Number, Share, Table, Unknown
from metrics.agreement.agreement import Agreement, Estimate, Pair
from metrics.intervals.statistic import Interval
from text.intervals import name_interval
from text.numbers import count
from ui.agreement.raters import Raters, by_category, pairs_of_answers
from ui.text.messages import remark
from ui.view import measurement, url
from ui.view.data_table import draw_sentences
from ui.view.result_table.result_table import Line, Tile, draw_table, result_table

_USED = 8
"""Categories whose use is listed."""


def pair_grid(agreement: Agreement, raters: Raters, opened: tuple[int, int] | None) -> None:
    """Draw kappa or agreement of every two raters; a click opens what they disagree on."""
    names = raters.table.raters
    kinds = [kind_of(agreement, place) for place in range(len(names))]
    columns = [
        Column("Rater", Name),
        *(Column(Name(name), Number, about=kind) for name, kind in zip(names, kinds, strict=True)),
    ]
    cells: list[list[Cell]] = [[""] * len(names) for _ in names]
    tiles: list[list[Tile | None]] = [[None] * len(names) for _ in names]
    for pair in agreement.pairs:
        for row, column in ((pair.a, pair.b), (pair.b, pair.a)):
            cells[row][column], tiles[row][column] = _cell(pair), _tile(pair)
    rows = [(Name(name), *row) for name, row in zip(names, cells, strict=True)]
    table = Table("agreement-grid", "Agreement of every two raters", columns, rows, "rater", in_order=True)

    def choose(pair: str) -> None:
        url.put(pair=write_names(tuple(names[int(place)] for place in pair.split(":"))))

    shown = ":".join(map(str, sorted(opened or ())))
    lines = [Line(below=kind) for kind in kinds]
    result_table(table, key="agreement.matrix", lines=lines, tiles=tiles, opened=shown, on_choose=choose)


def _estimate(pair: Pair) -> Estimate | Interval:
    return pair.cohen_kappa if url.get("show") == "kappa" else pair.percent_agreement


def _cell(pair: Pair) -> Cell:
    value = _number(pair)
    return "–" if math.isnan(value.value) else value._replace(low=math.nan, high=math.nan)


def _number(pair: Pair) -> Number:
    estimate, kind = _estimate(pair), Number if url.get("show") == "kappa" else Share
    return kind(estimate.value, estimate.low, estimate.high)


def _tile(pair: Pair) -> Tile:
    estimate, chosen = _estimate(pair), f"{min(pair.a, pair.b)}:{max(pair.a, pair.b)}"
    if math.isnan(estimate.value):
        return Tile(chosen, "undefined: both use one category only" if pair.n else "no unit in common")
    written = _number(pair).written
    level = f", {name_interval(measurement.level())} {written.ends}" if written.ends else ""
    about = f"{url.get('show')} {written.text}{level}, {count(pair.n, 'unit')}"
    return Tile(chosen, about, MODEL, 50 * max(0.0, min(1.0, estimate.value)))


def draw(evaluation: Evaluation, agreement: Agreement, raters: Raters) -> None:
    """Draw each rater against people, all raters together, the categories, true rates and preferences."""
    for ceiling in ceiling_tables(agreement):
        draw_table(ceiling, key="agreement.ceiling")
    for sentence in rating_warnings(agreement):
        remark(sentence)
    for sentence in prevalence_sentences(agreement):
        st.text(sentence)
    draw_table(coefficient_table(agreement, with_methods=False), key="agreement.coefficients")
    draw_table(_categories(evaluation, agreement, raters), key="agreement.categories")
    draw_table(_use(agreement), key="agreement.use")
    if raters.judge is not None and raters.people:
        draw_table(corrected_table(agreement), key="agreement.corrected")
    prefer, again = pairs_of_answers(evaluation, raters, agreement)
    draw_sentences(swapped_words(agreement, swap) for swap in again)
    for place, bias in enumerate(prefer):
        draw_table(preference_table(agreement, bias), key=f"agreement.bias.{place}")


def _categories(evaluation: Evaluation, agreement: Agreement, raters: Raters) -> Table:
    """List how far each category is agreed on, the most frequent first."""
    kappas = by_category(evaluation, raters.where, measurement.level())
    share = agreement.ratings.counts.sum(axis=0) / agreement.ratings.counts.sum()
    rows = [
        (Label(raters.table.categories[code]), Share(float(share[code])), number_cell(kappas[code]))
        for code in np.argsort(-share, kind="stable").tolist()
    ]
    columns = (Column("category", Label), Column("ratings", Share), number_column(agreement, "Fleiss' kappa"))
    return Table("agreement-categories", "Agreement on each category", columns, rows, "category")


def _use(agreement: Agreement) -> Table:
    """List how often each rater uses each of the first categories."""
    ratings, rows = agreement.ratings, []
    shown = ratings.categories[:_USED]
    for name, codes in zip(ratings.raters, ratings.codes.T, strict=True):
        n = int((codes >= 0).sum())
        used = (Share(float((codes == code).sum() / n)) if n else Unknown("–") for code in range(len(shown)))
        rows.append((Name(name), *used, Count(n)))
    note = "To compare two raters on the units that both rated, choose a cell of the matrix."
    if len(ratings.categories) > _USED:
        note += f" The first {_USED} of {count(len(ratings.categories), 'category')}."
    columns = (Column("rater", Name), *(Column(Label(name), Share) for name in shown), Column("ratings", Count))
    return Table("agreement-use", "How often each rater uses each category", columns, rows, "rater", note=(note,))
