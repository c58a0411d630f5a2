"""A metric over periods, in their order: a line through the values, a thin bar from end to end of each interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from export.pictures.svg import MODEL, Canvas
from text.numbers import count, number
from text.visible import show

_LEFT, _TOP, _HIGH, _WIDE, _BELOW = 56, 14, 220, 640, 62
_NAMED = 12
"""Names of periods that have room below the axis."""
_ROOM = 0.05


class Period(NamedTuple):
    """A period: its name as uploaded, its rows, and the metric with its interval; NaN = undefined."""

    name: str
    n: int
    value: float
    low: float
    high: float


def periods_picture(periods: Sequence[Period], title: str) -> Canvas:
    """Draw the metric of every period; where it is undefined, the line has a gap."""
    canvas = Canvas(_LEFT + _WIDE + 20, _TOP + _HIGH + _BELOW, title)
    ends = [end for period in periods for end in (period.low, period.high, period.value) if not math.isnan(end)]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    room = _ROOM * ((high - low) or 1.0)
    low, high = low - room, high + room

    def y(value: float) -> float:
        return _TOP + (1 - (value - low) / (high - low)) * _HIGH

    for step in range(5):
        value = low + step * (high - low) / 4
        canvas.line(_LEFT, y(value), _LEFT + _WIDE, y(value))
        canvas.words(_LEFT - 7, y(value) + 4, number(value), anchor="end", kind="quiet")
    width, every = _WIDE / max(1, len(periods)), max(1, -(-len(periods) // _NAMED))
    line: list[tuple[float, float]] = []
    for place, period in enumerate(periods):
        x = _LEFT + (place + 0.5) * width
        if place % every == 0:
            canvas.words(
                x, _TOP + _HIGH + 16, show(period.name, 16), anchor="middle", kind="quiet", hover=show(period.name)
            )
        if math.isnan(period.value):
            _draw(canvas, line)
            line = []
            continue
        line.append((x, y(period.value)))
        words = f"{show(period.name, 80)}: {number(period.value)}, {count(period.n)}"
        if not math.isnan(period.low):
            canvas.path([(x, y(period.low)), (x, y(period.high))], stroke=MODEL, hover=f"{words}")
        canvas.rect(x - 4, y(period.value) - 4, 8, 8, fill=MODEL, hover=words)
    _draw(canvas, line)
    return canvas


def _draw(canvas: Canvas, line: Sequence[tuple[float, float]]) -> None:
    if len(line) > 1:
        canvas.path(line, stroke=MODEL)
