"""A rate of every group with its interval, and the gap between two of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from export.pictures.svg import ACCENT, MODEL, REFERENCE, Canvas
from export.pictures.words import width
from metrics.slices.fairness import DIFFERS, FOUR_FIFTHS, Gap, RateMark
from text.numbers import number, round_ticks
from text.visible import show

_TOP, _LINE, _WIDE, _BELOW, _RIGHT = 24, 40, 420, 26, 56
_NAME, _RADIUS, _ROOM = 24, 5, 0.06


def rate_picture(marks: Sequence[RateMark], gap: Gap, title: str, *, four_fifths: bool = False) -> Canvas:
    """Draw the groups from top to bottom; those with too few rows are hollow and grey.

    gap : of the rate; its two groups are marked. four_fifths : whether a line stands at four fifths of the higher one.
    """
    known = {mark.place: line for line, mark in enumerate(marks) if not math.isnan(mark.rate.value)}
    left = 16 + max((width(text, 12) for mark in marks for text in (show(mark.name, _NAME), mark.base)), default=0.0)
    canvas = Canvas(left + _WIDE + _RIGHT, _TOP + _LINE * len(marks) + _BELOW, title)
    pair = [known[place] for place in (gap.lower, gap.higher) if place in known]
    at_four_fifths = FOUR_FIFTHS * marks[pair[1]].rate.value if four_fifths and len(pair) == 2 else math.nan
    values = [end for mark in marks for end in (mark.rate.value, mark.rate.low, mark.rate.high)]
    ends = [end for end in (*values, at_four_fifths) if not math.isnan(end)] or [0.0, 1.0]
    room = _ROOM * ((max(ends) - min(ends)) or 1.0)
    low, high = min(ends) - room, max(ends) + room

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * _WIDE

    foot = _TOP + _LINE * len(marks)
    for value in round_ticks(low, high):
        canvas.line(x(value), _TOP, x(value), foot)
        canvas.words(x(value), foot + 16, f"{value:.6g}", anchor="middle", kind="quiet")
    if not math.isnan(at_four_fifths):
        canvas.line(x(at_four_fifths), _TOP - 4, x(at_four_fifths), foot, kind="reference")
        name = show(marks[pair[1]].name, _NAME)
        canvas.words(x(at_four_fifths), _TOP - 9, f"four fifths of {name}", anchor="middle", kind="quiet")
    for line, mark in enumerate(marks):
        _draw_mark(canvas, mark, left, _TOP + _LINE * (line + 0.4), x)
    if len(pair) == 2:
        lower, higher = (x(marks[line].rate.value) for line in pair)
        y, colour = _TOP + _LINE * (min(pair) + 0.9), ACCENT if gap.verdict == DIFFERS else REFERENCE
        canvas.path([(lower, y), (higher, y)], stroke=colour)
        for end in (lower, higher):
            canvas.path([(end, y - 4), (end, y + 4)], stroke=colour)
        canvas.words(higher + 6, y + 4, number(gap.difference))
    return canvas


def _draw_mark(canvas: Canvas, mark: RateMark, left: float, y: float, x: Callable[[float], float]) -> None:
    """Draw the name of a group and, unless it is undefined, its rate."""
    canvas.words(left - 12, y - 1, show(mark.name, _NAME), anchor="end", size=12, kind="quiet" if mark.few else "")
    canvas.words(left - 12, y + 13, mark.base, anchor="end", kind="quiet")
    rate, colour = mark.rate, REFERENCE if mark.few else MODEL
    if math.isnan(rate.value):
        return
    if not math.isnan(rate.low):
        canvas.path([(x(rate.low), y), (x(rate.high), y)], stroke=colour, hover=mark.about)
    canvas.circle(x(rate.value), y, _RADIUS, colour, hollow=mark.few, hover=mark.about)
