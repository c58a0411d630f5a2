"""The leaderboard: every run with its interval, in tiers, each compared with the best alone; the rows a gap needs."""

from __future__ import annotations

import math
from typing import NamedTuple

import streamlit as st

from export.compare.comparison_text import name_metric, rows_needed, smallest_shown
from metrics.comparison.comparison import Comparison
from metrics.comparison.differences import Difference
from metrics.comparison.tiers import Tiers, best_looks_better_by, tiers
from metrics.intervals.statistic import Interval
from text.numbers import count, number, signed
from ui.compare.board import Column, Heading, Line, board, name_cell, undefined_cell
from ui.compare.run_comparison import Compared, metric_in_view
from ui.compare.runs import FRESH
from ui.view import url

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
    lines: list[Line | Heading] = []
    several = len(compared.names) > 2
    for place, tier in enumerate(standing.tiers.tiers):
        if several or len(standing.tiers.tiers) > 1:
            head, about = _TIERS[place]
            lines.append(Heading(head, about + (_CORRECTED if several else "")))
        lines += [_line(compared, metric, standing, model) for model in tier]
    lines += [_line(compared, metric, standing, model) for model in standing.tiers.undefined]
    name = name_metric(metric)
    columns = [
        Column("Run", "name"),
        Column(f"{100 * compared.found.level:g} % interval", "interval"),
        Column(name[:1].upper() + name[1:]),
        Column("Difference to the best", "number", "The difference of the same rows, with its interval"),
    ]

    def chosen(model: str) -> None:
        if int(model) == compared.b:
            return
        swap = {"a": compared.b} if int(model) == compared.a else {}
        url.put(b=int(model), **swap, **FRESH)

    board(f"Runs by {name}", columns, lines, key="compare.runs", on_choose=chosen)
    if standing.luck >= _SAID:
        st.caption(
            f"Expect the best of {count(len(compared.names), 'run')} to be about {standing.luck:.3f} worse on new data."
        )


def _line(compared: Compared, metric: str, standing: Standing, model: int) -> Line:
    badge = {compared.a: "A", compared.b: "B"}.get(model, "")
    name, is_b = name_cell(compared.names[model], badge=badge), model == compared.b
    own, moved = standing.intervals[model], standing.to_best[model]
    if math.isnan(own.value):
        return Line(
            (name, "", undefined_cell(f"{name_metric(metric)} is undefined on these rows."), ""), str(model), is_b
        )
    bar = _bar(compared, standing.intervals, model, name.get("colour", ""))
    said = "best" if moved is None else f"{signed(moved.value)} ({number(moved.low)} to {number(moved.high)})"
    return Line((name, bar, number(own.value), said), str(model), is_b)


def _bar(compared: Compared, intervals: list[Interval], model: int, colour: str) -> dict[str, object]:
    known = [end for one in intervals for end in (one.value, one.low, one.high) if not math.isnan(end)]
    low, high = min(known), max(known)
    width = (high - low) or 1.0
    low, width = low - _ROOM * width, width * (1 + 2 * _ROOM)

    def share(value: float) -> float | None:
        return None if math.isnan(value) else round((value - low) / width, 4)

    own = intervals[model]
    marks = [share(intervals[one].value) for one in (compared.a, compared.b)]
    return {
        "low": share(own.low), "high": share(own.high), "value": share(own.value), "colour": colour,
        "about": f"{number(own.low)} to {number(own.high)}, {own.method}",
        "marks": [mark for mark in marks if mark is not None],
    }  # fmt: skip


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
    st.subheader(said, anchor=False)
    st.session_state[_PLAN] = size
    st.number_input(
        "Difference to show", 0.001, 1.0, key=_PLAN, step=0.005, format="%.3f", width=180,
        on_change=lambda: url.put(plan=float(st.session_state[_PLAN])),
    )  # fmt: skip
    how = f"Power 0.8, level {100 * found.level:g} %, McNemar's test."
    st.caption(f"These {count(found.runs.n)} can show a difference of {smallest:.3f}. {how}")
