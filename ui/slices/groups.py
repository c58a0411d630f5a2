"""The part Groups of the page: rates of every group of a column, the gaps between groups, and what equal rates cost."""

from __future__ import annotations

import math

import streamlit as st

from charts.groups import rate_figure, wrong_rows_figure
from charts.theme import picture_button
from data.comparison.filter_conditions import write_filter
from data.evaluation import Evaluation
from export.by_slice import group_pictures, groups
from export.by_slice.group_result import groups_result
from export.by_slice.groups import RATES, Groups, name_group
from export.result.frame import to_frame
from metrics.slices.fairness import surest_gap
from text.intervals import write_two_values
from ui.slices import search_cache
from ui.slices.choices import Asked
from ui.text.chart import draw_chart
from ui.text.markdown import md
from ui.view import cache, data_table, measurement, state, url
from ui.view.result_table.result_table import Line, draw_table


def compare_in_view(evaluation: Evaluation, wanted: Asked) -> Groups:
    """Compare the groups of the chosen column, or of the one with the largest clear gap; kept."""
    return _groups(evaluation, column_of(evaluation, wanted, wanted.code), wanted.code, measurement.level())


def column_of(evaluation: Evaluation, wanted: Asked, code: int) -> str:
    """Return the column whose values are the groups: the chosen one, or that with the largest clear gap of a class."""
    return wanted.columns[0] if wanted.columns else search_cache.group_columns(evaluation, code)[0]


@cache.kept(32, "Comparing the groups …")
def _groups(evaluation: Evaluation, column: str, code: int, level: float) -> Groups:
    has_scores = evaluation.task == "binary" and evaluation.y_score is not None
    way, rates = search_cache.slices_of(evaluation, column), search_cache.group_rates(evaluation, column, code)
    return groups.compare_groups(
        evaluation, way, rates, code,
        threshold=state.threshold_of(evaluation, code) if has_scores else math.nan, level=level,
        clusters=measurement.clusters_of(evaluation),
    )  # fmt: skip


def title(groups: Groups) -> str:
    """Return the surest gap as Markdown, or that none is more than chance."""
    surest = surest_gap(groups.gaps)
    if surest is None:
        return f"No gap between the groups of {md(groups.way.columns[0], 40)} is more than chance"
    rate, gap = surest
    low, high = write_two_values(*(groups.rates[place].rates[rate].value for place in (gap.lower, gap.higher)))
    names = [md(name_group(groups, place), 40) for place in (gap.lower, gap.higher)]
    return f"{RATES[rate][0].upper()}{RATES[rate][1:]} is {low} for {names[0]} and {high} for {names[1]}"


def draw(evaluation: Evaluation, groups: Groups, code: int) -> None:
    """Draw the groups, their gaps and what equal rates would cost; a chosen group opens as a slice with its rows."""
    result = groups_result(evaluation, groups, code)
    data_table.draw_sentences(result.sentences, small=True)
    _draw_rates(groups)
    rates, *others = result.tables
    lines = [Line(str(place)) for place in range(len(rates.rows))]
    draw_table(rates, key="groups.table", lines=lines, on_choose=lambda place: _open_group(groups, int(place)))
    st.caption("Choose a group to see its rows, wrong ones first.")
    for table in others:
        draw_table(table, key=f"groups.{table.name}")
    if groups.scores:
        st.header("What equal rates would cost")
        _draw_costs(groups)
    data_table.draw_sentences(result.notes)
    data_table.download(to_frame(rates), "groups", "CSV")


def _draw_rates(groups: Groups) -> None:
    """Draw a picture of each rate, two beside each other where there is room."""
    pictures = list(group_pictures.rate_pictures(groups))
    for pair in (pictures[:2], pictures[2:]):
        for column, picture in zip(st.columns(2, gap="medium"), pair, strict=True):
            drawn = rate_figure(
                picture.marks, picture.gap, picture.title, picture.takeaway, four_fifths=picture.has_four_fifths
            )
            alt = f"{picture.title}: {picture.takeaway}"
            column.plotly_chart(drawn, key=f"groups.{picture.rate}", config=picture_button(alt), alt=alt)
    left_out = group_pictures.count_left_out(groups)
    more = f" The pictures show the largest groups; the table has {left_out:,} more." if left_out else ""
    st.caption("Lines: intervals. Orange: a gap that is more than chance. Hollow and grey: too few rows." + more)


def _draw_costs(groups: Groups) -> None:
    """Draw the wrong rows now and with equal rates; nothing where that has no answer."""
    wrong = group_pictures.wrong_rows(groups)
    if wrong:
        title = group_pictures.cost_title(groups)
        with st.columns(2)[0]:
            drawn = wrong_rows_figure(wrong, title, is_weighted=groups.is_weighted)
            draw_chart(drawn, "groups.costs", alt=title)


def _open_group(groups: Groups, place: int) -> None:
    """Open a group as a slice, which shows its rows."""
    column = groups.way.columns[0]
    url.put(mode="", column=column, cross="", slice=write_filter(groups.way.conditions(place)), row=0)
