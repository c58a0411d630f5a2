"""The matrix raters × raters: kappa or agreement of every two, a click opens what they disagree on."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from data.comparison.judge_evaluation import write_names
from export.interval_text import name_level
from metrics.agreement.agreement import Agreement
from text.intervals import bounds, rounded
from text.numbers import count
from text.visible import show
from ui.agreement.raters import Raters
from ui.text.component import component
from ui.view import intervals, url

_matrix = component(__file__, "rater_matrix", '<div class="raters"></div>')


def draw(found: Agreement, raters: Raters, opened: tuple[int, int] | None) -> None:
    """Draw every two raters."""
    names = raters.table.raters

    def chosen() -> None:
        sent = st.session_state["agreement.matrix"]["chosen"]
        if isinstance(sent, list) and len(sent) == 2 and all(isinstance(at, (int, float)) for at in sent):
            a, b = (int(at) for at in sent)
            if 0 <= a < len(names) and 0 <= b < len(names) and a != b:
                url.put(pair=write_names((names[a], names[b])))

    data = {
        "names": [[show(name, 24), show(name, 200), _kind(raters, place)] for place, name in enumerate(names)],
        "cells": _cells(found),
        "open": list(opened or ()),
    }
    _matrix(data=data, key="agreement.matrix", on_chosen_change=chosen)


def _kind(raters: Raters, place: int) -> str:
    return "judge" if place == raters.judge else "model" if place in raters.models else "person"


def _cells(found: Agreement) -> list[list[Any]]:
    """Return [a, b, text, strength 0..1, what hovering says] of every two raters."""
    by_kappa, level = url.get("show") == "kappa", name_level(intervals.level())
    cells = []
    for pair in found.pairs:
        one = pair.cohen_kappa if by_kappa else pair.percent_agreement
        if math.isnan(one.value):
            why = "no unit in common" if not pair.n else "undefined: both use one category only"
            cells.append([pair.a, pair.b, "–", 0.0, why])
            continue
        within = f", {level} {bounds(one.low, one.high)}" if not math.isnan(one.low) else ""
        about = f"{'kappa' if by_kappa else 'agreement'} {rounded(one.value, one.low, one.high)}{within}, "
        text = rounded(one.value, one.low, one.high)
        cells.append([pair.a, pair.b, text, max(0.0, min(1.0, one.value)), about + count(pair.n, "unit")])
    return cells
