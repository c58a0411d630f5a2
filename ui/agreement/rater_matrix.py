"""The matrix raters × raters: kappa or agreement of every two, a click opens what they disagree on."""

from __future__ import annotations

import math

from charts.theme import MODEL
from data.comparison.judge_evaluation import write_names
from export.interval_text import name_level
from metrics.agreement.agreement import Agreement, Pair
from text.intervals import bounds, rounded
from text.numbers import count
from text.visible import show
from ui.agreement.raters import Raters
from ui.text.grid import Cell, Head, grid
from ui.view import intervals, url


def draw(found: Agreement, raters: Raters, opened: tuple[int, int] | None) -> None:
    """Draw every two raters."""
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
