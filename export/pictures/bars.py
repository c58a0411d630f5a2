"""A few named numbers as bars: averages that are called the same thing, or wrong rows at several thresholds."""

from __future__ import annotations

import math
from collections.abc import Sequence

from export.pictures.svg import MODEL, REFERENCE, Canvas
from export.pictures.words import width
from text.numbers import round_ticks, write_amount

_LONG, _THICK, _GAP, _AXIS_TITLE = 320, 20, 12, 20


def bars_picture(
    values: Sequence[tuple[str, float, str, bool]], title: str, *, most: float = 1.0, axis: str = ""
) -> Canvas:
    """Draw bars from 0: (our own words, value, its text, whether it is the model's; else what it is compared with).

    most : the end of the axis. axis : its title; "" = none.
    """
    left, foot = 10 + max(width(name, 12) for name, *_ in values), len(values) * (_THICK + _GAP)
    canvas = Canvas(left + _LONG + 76, foot + 30 + (_AXIS_TITLE if axis else 0), title)
    scale = _LONG / (most or 1.0)
    for tick in round_ticks(0, most or 1.0):
        x = left + tick * scale
        canvas.line(x, 4, x, foot + 6)
        canvas.words(x, foot + 22, write_amount(tick), anchor="middle", kind="quiet")
    if axis:
        canvas.words(left + _LONG / 2, foot + 22 + _AXIS_TITLE, axis, anchor="middle", kind="quiet")
    for place, (name, value, text, is_model) in enumerate(values):
        y = 8 + place * (_THICK + _GAP)
        canvas.words(left - 8, y + _THICK * 0.7, name, anchor="end", size=12)
        long = 0.0 if math.isnan(value) else max(0.0, value) * scale
        canvas.rect(left, y, long, _THICK, fill=MODEL if is_model else REFERENCE, opacity=0.9)
        canvas.words(left + long + 6, y + _THICK * 0.7, text, size=12, kind="strong")
    return canvas
