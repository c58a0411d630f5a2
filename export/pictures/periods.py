"""A metric over periods, in their order: a mark a period with its interval, and all rows before and after a time."""

from __future__ import annotations

import math
from collections.abc import Sequence

from export.pictures.svg import ACCENT, MODEL, Canvas
from metrics.drift.periods import Periods
from text.numbers import round_ticks
from text.visible import show

_LEFT, _TOP, _HIGH, _WIDE, _BELOW = 56, 24, 220, 640, 30
_NAMED = 12
"""Names of periods that have room below the axis."""
_ROOM = 0.05


def periods_picture(periods: Periods) -> Canvas:
    """Draw the metric of every period; where it is undefined, the line has a gap."""
    canvas = Canvas(_LEFT + _WIDE + 20, _TOP + _HIGH + _BELOW, periods.title)
    low, high = periods.ends or (0.0, 1.0)
    room = _ROOM * ((high - low) or 1.0)
    foot, width = _TOP + _HIGH, _WIDE / max(1, len(periods.marks))

    def x(place: float) -> float:
        return _LEFT + (place + 0.5) * width

    def y(value: float) -> float:
        return foot - (value - low + room) / (high - low + 2 * room) * _HIGH

    for value in round_ticks(low - room, high + room):
        canvas.line(_LEFT, y(value), _LEFT + _WIDE, y(value))
        words = f"{100 * value:.6g} %" if periods.is_share else f"{value:.6g}"
        canvas.words(_LEFT - 7, y(value) + 4, words, anchor="end", kind="quiet")
    for start, end, value in periods.spans:
        if not math.isnan(value):
            canvas.line(x(start), y(value), x(end), y(value), kind="reference")
    if periods.cut:
        third = 3 * periods.cut // len(periods.marks)
        canvas.line(x(periods.cut - 0.5), _TOP - 4, x(periods.cut - 0.5), foot, kind="reference")
        words = f"from {show(periods.marks[periods.cut].name, 24)} on"
        canvas.words(x(periods.cut - 0.5), _TOP - 9, words, anchor=("start", "middle", "end")[third])
    every = max(1, -(-len(periods.marks) // _NAMED))
    line: list[tuple[float, float]] = []
    for place, mark in enumerate(periods.marks):
        if place % every == 0:
            name = show(mark.name)
            canvas.words(
                x(place), foot + 16, show(mark.name.split(" to ")[0], 16), anchor="middle", kind="quiet", hover=name
            )
        if math.isnan(mark.value):
            _draw(canvas, line)
            line = []
            continue
        line.append((x(place), y(mark.value)))
    _draw(canvas, line)
    for place, mark in enumerate(periods.marks):
        colour = ACCENT if mark.is_worse else MODEL
        if not math.isnan(mark.low):
            canvas.path([(x(place), y(mark.low)), (x(place), y(mark.high))], stroke=colour, hover=mark.about)
        if not math.isnan(mark.value):
            canvas.circle(x(place), y(mark.value), 5, colour, hollow=mark.is_worse, hover=mark.about)
    return canvas


def _draw(canvas: Canvas, line: Sequence[tuple[float, float]]) -> None:
    if len(line) > 1:
        canvas.path(line, stroke=MODEL)
