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
    ends = [end for one in periods for end in (one.low, one.high, one.value) if not math.isnan(end)]
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
    for place, one in enumerate(periods):
        x = _LEFT + (place + 0.5) * width
        if place % every == 0:
            canvas.words(x, _TOP + _HIGH + 16, show(one.name, 16), anchor="middle", kind="quiet", hover=show(one.name))
        if math.isnan(one.value):
            _draw(canvas, line)
            line = []
            continue
        line.append((x, y(one.value)))
        said = f"{show(one.name, 80)}: {number(one.value)}, {count(one.n)}"
        if not math.isnan(one.low):
            canvas.path([(x, y(one.low)), (x, y(one.high))], stroke=MODEL, hover=f"{said}")
        canvas.rect(x - 4, y(one.value) - 4, 8, 8, fill=MODEL, hover=said)
    _draw(canvas, line)
    return canvas


def _draw(canvas: Canvas, line: Sequence[tuple[float, float]]) -> None:
    if len(line) > 1:
        canvas.path(line, stroke=MODEL)
