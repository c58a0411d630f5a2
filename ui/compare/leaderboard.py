"""The leaderboard: every run with its interval, in tiers, each compared with the best alone."""

from __future__ import annotations

import math

import streamlit as st

from export.compare.comparison_text import spoken, with_interval
from metrics.comparison.tiers import best_looks_better_by, tiers
from text.numbers import count, number
from ui.compare.board import Column, Heading, Line, board, name_cell, undefined_cell
from ui.compare.comparing import Compared
from ui.compare.runs import FRESH
from ui.view import url

_ROOM = 0.06  # of the axis, left of the lowest interval and right of the highest
_SAID = 0.0005  # a best that looks better by less is not told
_TIERS = (
    ("Tier 1", "cannot be told from the best"),
    ("Tier 2", "worse than the best"),
)
_CORRECTED = ", after Holm's correction"


def metric_in_view(compared: Compared) -> str:
    """Return the metric that sorts the runs."""
    wanted = url.get("metric")
    return wanted if wanted in compared.found.names else compared.found.main_metric


def leaderboard(compared: Compared) -> None:
    """Draw the runs in tiers; a click on one makes it B."""
    metric = metric_in_view(compared)
    sorted_ = tiers(compared.found, metric)
    lines: list[Line | Heading] = []
    best = sorted_.tiers[0][0] if sorted_.tiers else -1
    several = len(compared.names) > 2
    for place, tier in enumerate(sorted_.tiers):
        if several or len(sorted_.tiers) > 1:
            head, about = _TIERS[place]
            lines.append(Heading(head, about + (_CORRECTED if several else "")))
        lines += [_line(compared, metric, model, best) for model in tier]
    lines += [_line(compared, metric, model, best) for model in sorted_.undefined]
    columns = [
        Column("Run", "name"),
        Column(f"{100 * compared.found.level:g} % interval", "interval"),
        Column(spoken(metric).capitalize() if metric.islower() else spoken(metric)),
        Column("To the best", "number", "The difference of the same rows, with its interval"),
    ]

    def chosen(model: str) -> None:
        if int(model) == compared.b:
            return
        swap = {"a": compared.b} if int(model) == compared.a else {}
        url.put(b=int(model), **swap, **FRESH)

    board("Runs by " + spoken(metric), columns, lines, key="compare.runs", on_choose=chosen)
    luck = best_looks_better_by(compared.found, metric) if several else math.nan
    if luck >= _SAID:
        st.caption(f"The best of {count(len(compared.names), 'run')} looks about {luck:.3f} better than it is.")


def _line(compared: Compared, metric: str, model: int, best: int) -> Line:
    found = compared.found.interval(metric, model)
    badge = {compared.a: "A", compared.b: "B"}.get(model, "")
    name = name_cell(compared.names[model], badge=badge)
    if math.isnan(found.value):
        why = f"{spoken(metric).capitalize()} is undefined on these rows."
        return Line((name, "", undefined_cell(why), ""), str(model), model == compared.b)
    moved = "best" if model == best else with_interval(compared.found.difference(metric, best, model), 0).replace(
        "0 % ", ""
    )  # fmt: skip
    return Line((name, _bar(compared, metric, model, name.get("colour", "")), number(found.value), moved),
                str(model), model == compared.b)  # fmt: skip


def _bar(compared: Compared, metric: str, model: int, colour: str) -> dict[str, object]:
    intervals = [compared.found.interval(metric, one) for one in range(len(compared.names))]
    known = [end for one in intervals for end in (one.value, one.low, one.high) if not math.isnan(end)]
    low, high = min(known), max(known)
    width = (high - low) or 1.0
    low, width = low - _ROOM * width, width * (1 + 2 * _ROOM)

    def share(value: float) -> float | None:
        return None if math.isnan(value) else round((value - low) / width, 4)

    own = intervals[model]
    about = f"{number(own.low)} to {number(own.high)}, {own.method}"
    marks = [share(intervals[model].value) for model in (compared.a, compared.b)]
    return {
        "low": share(own.low), "high": share(own.high), "value": share(own.value), "colour": colour, "about": about,
        "marks": [mark for mark in marks if mark is not None],
    }  # fmt: skip
