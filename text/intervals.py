"""Write a number with the digits that its interval supports, and the interval beside it."""

from __future__ import annotations

import math

from text.numbers import UNDEFINED, number, percent, signed

MOST, LEAST = 3, 2
"""Digits after the point of a metric."""


def supported_digits(low: float, high: float) -> int:
    """Return the digits after the point that an interval supports: down to the first digit of its standard error.

    >>> supported_digits(0.5542, 0.5891), supported_digits(0.35, 0.43), supported_digits(0.1, 0.9)
    (3, 2, 2)
    """
    width = high - low
    if not width > 0:
        return MOST
    return min(MOST, max(LEAST, math.ceil(-math.log10(width / 4))))


def rounded(value: float, low: float, high: float, *, share: bool = False) -> str:
    """Write a value with the digits that its interval supports; a `share` is written as per cent, with one decimal.

    What is neither 0 nor 1 is never written as if it were.

    >>> rounded(0.57175, 0.5542, 0.5891), rounded(0.57175, 0.5542, 0.5891, share=True)
    ('0.572', '57.2 %')
    >>> rounded(0.5, 0.3, 0.7), rounded(0.997, 0.9, 1.0), rounded(0.3, math.nan, math.nan)
    ('0.50', '0.997', '0.300')
    """
    if math.isnan(value):
        return UNDEFINED
    if share:
        return percent(value)
    digits = supported_digits(low, high)
    if value not in (0, 1) and round(value, digits) in (0, 1):
        digits = MOST
    return number(value, digits)


def round_two_values(value: float, other: float, low: float, high: float, *, share: bool = False) -> tuple[str, str]:
    """Write two values with the digits that the interval supports, and one more where they differ but read the same.

    >>> round_two_values(0.8184, 0.8176, 0.8, 0.83, share=True), round_two_values(0.82, 0.87, 0.8, 0.83, share=True)
    (('81.84 %', '81.76 %'), ('82.0 %', '87.0 %'))
    >>> round_two_values(0.9987, 0.9991, 0.5, 1.0)
    ('0.9987', '0.9991')
    """
    texts = rounded(value, low, high, share=share), rounded(other, low, high, share=share)
    if texts[0] != texts[1] or value == other or math.isnan(value):
        return texts
    if share:
        return percent(value, 2), percent(other, 2)
    digits = len(texts[0].partition(".")[2]) + 1
    return number(value, digits), number(other, digits)


def bounds(low: float, high: float, *, share: bool = False) -> str:
    """Write the ends of an interval; empty where it has none.

    >>> bounds(0.5542, 0.5891), bounds(0.5542, 0.5891, share=True), bounds(math.nan, math.nan)
    ('0.554 to 0.589', '55.4 to 58.9 %', '')
    """
    if math.isnan(low) or math.isnan(high):
        return ""
    if share:
        return f"{number(100 * low, 1)} to {number(100 * high, 1)} %"
    digits = supported_digits(low, high)
    return f"{number(low, digits)} to {number(high, digits)}"


def points(value: float, low: float, high: float) -> str:
    """Write a difference of shares in points, with its interval where it has one.

    >>> points(0.25, 0.1, 0.4), points(-0.05, math.nan, math.nan)
    ('+25.0 points (+10.0 to +40.0)', '−5.0 points')
    """
    within = "" if math.isnan(low) else f" ({signed(100 * low, 1)} to {signed(100 * high, 1)})"
    return f"{signed(100 * value, 1)} points{within}"
