"""The leaderboard: every run with its interval, in tiers, each compared with the best alone; the rows a gap needs."""

from __future__ import annotations

import math
from typing import NamedTuple

import streamlit as st

from charts.theme import RUNS
from export.compare.comparison_text import name_metric, rows_needed, smallest_shown
from export.interval_text import name_level
from export.result.kinds import Cell, Column, Name, Number, Sentence, Table, Unknown
from export.result.kinds import Difference as Moved
from metrics.comparison.comparison import Comparison
from metrics.comparison.differences import Difference
from metrics.comparison.tiers import Tiers, best_looks_better_by, tiers
from metrics.intervals.statistic import Interval
from text.intervals import bounds
from text.numbers import UNDEFINED, count
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
    """Runs by one metric: their tiers, every run's interval, its difference to the best, and the luck of the best."""

    tiers: Tiers
    intervals: list[Interval]
    to_best: list[Difference | None]
    luck: float


@st.cache_resource(show_spinner="Sorting the runs …", max_entries=32)
def _standing(key: tuple[object, ...], metric: str, _found: Comparison) -> Standing:
    places = range(len(_found.runs.names))
    ranking = tiers(_found, metric)
    best = ranking.tiers[0][0] if ranking.tiers else None
    to_best = [None if best in (None, place) else _found.difference(metric, int(best or 0), place) for place in places]
    luck = best_looks_better_by(_found, metric) if len(places) > 2 else math.nan
    return Standing(ranking, [_found.interval(metric, place) for place in places], to_best, luck)


def leaderboard(compared: Compared) -> None:
    """Draw the runs in tiers; a click on one makes it B."""
    metric = metric_in_view(compared)
    standing = _standing(compared.key, metric, compared.found)
    name = name_metric(metric)
    columns = (
        Column("run", Name), Column(name, Number, about=f"With its {name_level(compared.found.level)} interval"),
        Column("difference to the best", Moved, about="The difference of the same rows, with its interval"),
    )  # fmt: skip
    lines, rows = _lines(compared, standing), [_row(compared, metric, standing, model) for model in _ranked(standing)]
    table = Table("leaderboard", ("Runs by ", Sentence(name)), columns, rows, "run", in_order=True)
    known = [end for own in standing.intervals for end in (own.value, own.low, own.high)]
    axis = axis_of(known, [standing.intervals[model].value for model in (compared.a, compared.b)], _ROOM)

    def chosen(model: str) -> None:
        if int(model) == compared.b:
            return
        swap = {"a": compared.b} if int(model) == compared.a else {}
        url.put(b=int(model), **swap, **FRESH)

    result_table(table, key="compare.runs", lines=lines, axes={1: axis}, opened=str(compared.b), on_choose=chosen)
    if standing.luck >= _SAID:
        st.caption(
            f"Expect the best of {count(len(compared.names), 'run')} to be about {standing.luck:.3f} worse on new data."
        )


def _ranked(standing: Standing) -> list[int]:
    """Return the runs, the best tier first, those whose metric is undefined last."""
    return [model for tier in (*standing.tiers.tiers, standing.tiers.undefined) for model in tier]


def _lines(compared: Compared, standing: Standing) -> list[Line]:
    """Return badges of A and B and, where there are several runs or tiers, a heading above each tier."""
    several, ranked = len(compared.names) > 2, standing.tiers.tiers
    headings: dict[int, tuple[str, str]] = {}
    if several or len(ranked) > 1:
        for (head, about), tier in zip(_TIERS, ranked, strict=False):
            headings[tier[0]] = head, about + (_CORRECTED if several else "")
    badges = {compared.a: "A", compared.b: "B"}
    lines = []
    for model in _ranked(standing):
        badge = badges.get(model, "")
        colour = RUNS["AB".index(badge)] if badge else ""
        lines.append(Line(str(model), badge=badge, colour=colour, heading=headings.get(model)))
    return lines


def _row(compared: Compared, metric: str, standing: Standing, model: int) -> tuple[Cell, ...]:
    name, own, moved = Name(compared.names[model]), standing.intervals[model], standing.to_best[model]
    if math.isnan(own.value):
        return name, Unknown(f"{name_metric(metric)} is undefined on these rows.", UNDEFINED), ""
    about = f"{bounds(own.low, own.high)}, {own.method}"
    to_best = "best" if moved is None else Moved(moved.value, moved.low, moved.high)
    return name, Number(own.value, own.low, own.high, about=about), to_best


def planner(compared: Compared) -> None:
    """Say how many rows a difference needs that a person names, given how often A and B differ."""
    found, a, b = compared.found, compared.a, compared.b
    smallest = smallest_shown(found, a, b)
    if math.isnan(smallest):
        return
    size = float(url.get("plan"))
    needed = rows_needed(found, a, b, size)
    metric = name_metric(found.main_metric)
    if math.isnan(needed):
        said = f"A difference of {size:g} in {metric} is larger than the share of rows in which A and B differ"
    else:
        said = f"A difference of {size:g} in {metric} needs about {math.ceil(needed):,} such rows"
    st.header(said, anchor=False)
    st.session_state[_PLAN] = size
    st.number_input(
        "Difference to show", 0.001, 1.0, key=_PLAN, step=0.005, format="%.3f", width=180,
        on_change=lambda: url.put(plan=float(st.session_state[_PLAN])),
    )  # fmt: skip
    how = f"Power 0.8, level {100 * found.level:g} %, McNemar's test."
    st.caption(f"These {count(found.runs.n)} can show a difference of {smallest:.3f}. {how}")
