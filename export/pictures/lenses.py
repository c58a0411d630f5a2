"""Tiny pictures beside a number, as SVG text: a share, a curve, every class's F1, the matrix as a thumbnail.

They hold numbers only, no label. Their colours are classes of the style sheet: `right`, `wrong`, `base`, `track`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from export.pictures.svg import strength
from metrics.confusion.matrix import Block

WIDTH, HEIGHT = 76, 40
_SQUARE = 40
_BAR = 9


def share_bars(*shares: tuple[float, str], within: tuple[float, float] = (math.nan, math.nan)) -> str:
    """Draw shares (0..1) as bars below each other, each with its colour; an undefined one is an empty track.

    within : the interval of the first, a thin line across its bar; NaN = none.

    >>> share_bars((0.5, "right")).count("<rect")
    2
    """
    gap = 7
    top = (HEIGHT - len(shares) * (_BAR + gap) + gap) / 2
    drawn = []
    for place, (share, colour) in enumerate(shares):
        y = top + place * (_BAR + gap)
        drawn.append(_rect(0, y, WIDTH, _BAR, "track"))
        drawn.append(_rect(0, y, WIDTH * min(1.0, max(0.0, float(np.nan_to_num(share)))), _BAR, colour))
    low, high = within
    if not math.isnan(low):
        drawn.append(_rect(WIDTH * low, top + _BAR / 2 - 1, max(1.5, WIDTH * (high - low)), 2, "within"))
    return _svg(drawn)


def class_bars(f1: np.ndarray) -> str:
    """Draw F1 of every class, worst first; those at 0 have a line of their own colour, undefined ones no bar."""
    values = np.sort(f1[~np.isnan(f1)])
    if len(values) > WIDTH:  # a pixel a class at most: the mean of those that share one
        values = np.array([part.mean() for part in np.array_split(values, WIDTH)])
    step = WIDTH / max(1, len(values))
    drawn = [_rect(0, HEIGHT - 1, WIDTH, 1, "track")]
    for place, value in enumerate(values.tolist()):
        high, colour = (HEIGHT * value, "right") if value > 0 else (2.5, "wrong")
        drawn.append(_rect(place * step, HEIGHT - high, max(step - (step > 3), 0.6), high, colour))
    return _svg(drawn)


def thumbnail(block: Block) -> str:
    """Draw the matrix: shares of the true class, right cells in one colour and wrong ones in another."""
    shares = block.shares("row")
    right = block.right > 0
    shares = np.where(right, shares * block.right / np.maximum(block.rows, 1), shares)
    high, wide = _SQUARE / max(1, shares.shape[0]), _SQUARE / max(1, shares.shape[1])
    drawn = [
        _rect(col * wide, row * high, wide * 0.92, high * 0.92, "right" if right[row, col] else "wrong",
              strength(float(shares[row, col])))
        for row, col in zip(*np.nonzero(np.nan_to_num(shares) > 0), strict=True)
    ]  # fmt: skip
    return _svg(drawn, _SQUARE)


def curve(x: Sequence[float] | np.ndarray, y: Sequence[float] | np.ndarray) -> str:
    """Draw a curve within the unit square over its diagonal, such as ROC or reliability."""
    points = " ".join(
        f"{_SQUARE * a:.1f},{_SQUARE * (1 - b):.1f}" for a, b in zip(x, y, strict=True) if a == a and b == b
    )
    return _svg(
        [
            f'<path class="axis" d="M0.5 0V{_SQUARE - 0.5}H{_SQUARE}"/>',
            f'<path class="diagonal" d="M0 {_SQUARE}L{_SQUARE} 0"/>',
            f'<polyline class="right-line" points="{points}"/>',
        ],
        _SQUARE,
    )


def _rect(x: float, y: float, width: float, height: float, colour: str, opacity: float = 1.0) -> str:
    faint = "" if opacity >= 1 else f' opacity="{opacity:.2f}"'
    return f'<rect class="{colour}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"{faint}/>'


def _svg(drawn: Iterable[str], width: int = WIDTH) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{width}" height="{HEIGHT}" '
        f'aria-hidden="true">{"".join(drawn)}</svg>'
    )
