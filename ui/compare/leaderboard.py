"""The leaderboard: every run with its interval, in tiers, each compared with the best alone; the rows a gap needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from charts.theme import RUNS
from export.compare.comparison_result import runs_table
from export.compare.comparison_text import rows_needed, smallest_shown
from export.result.kinds import Number, Sentence, Table
from metrics.comparison.comparison import Comparison
from metrics.comparison.tiers import Tiers, best_looks_better_by, tiers
from text.intervals import name_interval
from text.numbers import count, count_about, number, write_size
from text.visible import keep_together
from ui.compare.run_comparison import Compared, metric_in_view
from ui.compare.runs import FRESH
from ui.view import url
from ui.view.result_table.result_table import Line, axis_of, result_table

_ROOM = 0.06  # of the axis, left of the lowest interval and right of the highest
_SAID = 0.0005  # a smaller optimism of the best run is not shown
_PLAN = "compare.plan"
_TIERS = (
    ("Tier 1", "not clearly worse than the best"),
    ("Tier 2", "worse than the best"),
)
_CORRECTED = ", after Holm's correction over all pairs"


class Standing(NamedTuple):
    """Runs by one metric: their table, their tiers, and how much better the best looks than it is."""

    table: Table
    tiers: Tiers
    luck: float


@st.cache_resource(show_spinner="Sorting the runs …", max_entries=32)
def _standing(key: tuple[object, ...], metric: str, _found: Comparison) -> Standing:
    ranking = tiers(_found, metric)
    luck = best_looks_better_by(_found, metric) if len(_found.runs.names) > 2 else math.nan
    return Standing(runs_table(_found, ranking), ranking, luck)


def leaderboard(compared: Compared) -> None:
    """Draw the runs in tiers; a click on one makes it B."""
    metric = metric_in_view(compared)
    standing = _standing(compared.key, metric, compared.comparison)
    table = _without_tiers(
        standing.table, compared.comparison.name_metric(metric), name_interval(compared.comparison.level)
    )
    ranked = [model for tier in (*standing.tiers.tiers, standing.tiers.undefined) for model in tier]
    values = {model: cell for model, (_, cell, _) in zip(ranked, table.rows, strict=True) if isinstance(cell, Number)}
    known = [end for cell in values.values() for end in (cell.value, cell.low, cell.high)]
    axis = axis_of(known, [values[model].value for model in (compared.a, compared.b) if model in values], _ROOM)
    lines = _lines(compared, standing.tiers, ranked)

    def chosen(model: str) -> None:
        if int(model) == compared.b:
            return
        swap = {"a": compared.b} if int(model) == compared.a else {}
        url.put(b=int(model), **swap, **FRESH)

    result_table(table, key="compare.runs", lines=lines, axes={1: axis}, opened=str(compared.b), on_choose=chosen)
    if standing.luck >= _SAID:
        luck = write_size(standing.luck) if compared.comparison.is_share(metric) else number(standing.luck)
        st.caption(f"Expect the best of {count(len(compared.names), 'run')} to be about {luck} worse on new data.")


def _without_tiers(table: Table, metric: str, interval: str) -> Table:
    """Return the table of runs as the page has it: tiers are headings, and the interval is drawn."""
    run, _, value, difference = table.columns
    columns = (
        run, value._replace(title=metric, ends="", about=f"With its {interval}"),
        difference._replace(about="The difference of the same rows, with its interval"),
    )  # fmt: skip
    rows = [(name, *numbers) for name, _, *numbers in table.rows]
    return table._replace(title=("Runs by ", Sentence(metric)), columns=columns, rows=rows)


def _lines(compared: Compared, ranking: Tiers, ranked: Sequence[int]) -> list[Line]:
    """Return badges of A and B and, where there are several runs or tiers, a heading above each tier."""
    several = len(compared.names) > 2
    headings: dict[int, tuple[str, str]] = {}
    if several or len(ranking.tiers) > 1:
        for (head, about), tier in zip(_TIERS, ranking.tiers, strict=False):
            headings[tier[0]] = head, about + (_CORRECTED if several else "")
    badges = {compared.a: "A", compared.b: "B"}
    lines = []
    for model in ranked:
        badge = badges.get(model, "")
        colour = RUNS["AB".index(badge)] if badge else ""
        lines.append(Line(str(model), badge=badge, colour=colour, heading=headings.get(model)))
    return lines


def planner(compared: Compared) -> None:
    """Say how many rows a difference needs that a person names, given how often A and B differ."""
    comparison, a, b = compared.comparison, compared.a, compared.b
    smallest = smallest_shown(comparison, a, b)
    if math.isnan(smallest):
        return
    size = float(url.get("plan"))
    needed = rows_needed(comparison, a, b, size)
    metric, shown = comparison.name_metric(comparison.main_metric), write_size(size)
    if math.isnan(needed):
        sentence = f"A difference of {shown} in {metric} is larger than the share of rows in which A and B differ"
    else:
        sentence = f"A difference of {shown} in {metric} needs {count_about(needed)} like these"
    st.header(sentence, anchor=False)
    st.session_state[_PLAN] = 100 * size
    st.number_input(
        "Difference to show, in points", 0.1, 100.0, key=_PLAN, step=0.5, format="%.1f", width=180,
        on_change=lambda: url.put(plan=round(st.session_state[_PLAN] / 100, 4)),
    )  # fmt: skip
    how = f"Power 0.8, level {100 * comparison.level:g} %, McNemar's test."
    possible = f"These {count(comparison.runs.n)} can show a difference of {write_size(smallest)}."
    st.caption(keep_together(f"{possible} {how}"))
