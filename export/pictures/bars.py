"""A few named shares as bars: how averages that are called the same thing differ."""

from __future__ import annotations

import math
from collections.abc import Sequence

from export.pictures.svg import MODEL, REFERENCE, Canvas
from export.pictures.words import width
from text.numbers import number

_LONG, _THICK, _GAP = 320, 20, 12


def bars_picture(values: Sequence[tuple[str, float, bool]], title: str) -> Canvas:
    """Draw bars from 0 to 1: (our own words, value, whether it is the model's; else what it is compared with)."""
    left = 10 + max(width(name, 12) for name, _, _ in values)
    canvas = Canvas(left + _LONG + 76, len(values) * (_THICK + _GAP) + 30, title)
    for tick in (0, 0.25, 0.5, 0.75, 1):
        x = left + tick * _LONG
        canvas.line(x, 4, x, len(values) * (_THICK + _GAP) + 6)
        canvas.words(x, len(values) * (_THICK + _GAP) + 22, f"{tick:g}", anchor="middle", kind="quiet")
    for place, (name, value, is_model) in enumerate(values):
        y = 8 + place * (_THICK + _GAP)
        canvas.words(left - 8, y + _THICK * 0.7, name, anchor="end", size=12)
        long = 0.0 if math.isnan(value) else max(0.0, value) * _LONG
        canvas.rect(left, y, long, _THICK, fill=MODEL if is_model else REFERENCE, opacity=0.9)
        canvas.words(left + long + 6, y + _THICK * 0.7, number(value), size=12, kind="strong")
    return canvas
