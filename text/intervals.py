"""Write the ends of an interval, and two values that must not read the same, with three decimals like every metric."""

from __future__ import annotations

import math

from text.numbers import number, percent, signed, write_amount


def write_two_values(value: float, other: float, *, share: bool = False) -> tuple[str, str]:
    """Write two metrics, or shares as per cent, with one decimal more where they differ but read the same.

    >>> write_two_values(0.8184, 0.8176, share=True), write_two_values(0.82, 0.87, share=True)
    (('81.84 %', '81.76 %'), ('82.0 %', '87.0 %'))
    >>> write_two_values(0.9987, 0.9991), write_two_values(0.9, math.nan)
    (('0.9987', '0.9991'), ('0.900', 'undefined'))
    """
    write = percent if share else number
    texts = write(value), write(other)
    if texts[0] != texts[1] or value == other or math.isnan(value):
        return texts
    digits = 2 if share else 4
    return write(value, digits), write(other, digits)


def bounds(low: float, high: float, *, share: bool = False) -> str:
    """Write the ends of an interval; empty where it has none.

    >>> bounds(0.5542, 0.5891), bounds(0.5542, 0.5891, share=True), bounds(math.nan, math.nan)
    ('0.554 to 0.589', '55.4 to 58.9 %', '')
    >>> bounds(1.2, math.inf), bounds(-math.inf, 1.0), bounds(0.0002, 0.9999, share=True)
    ('1.200 to no upper end', 'no lower end to 1.000', '< 0.1 to > 99.9 %')
    """
    if math.isnan(low) or math.isnan(high):
        return ""
    if share:
        return f"{percent(low).removesuffix(' %')} to {percent(high)}"
    first = "no lower end" if math.isinf(low) else number(low)
    return f"{first} to {'no upper end' if math.isinf(high) else number(high)}"


def name_level(level: float) -> str:
    """Write a level.

    >>> name_level(0.95), name_level(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * level:g} %"


def name_interval(level: float) -> str:
    """Name an interval by its level, for the head of a column or a sentence.

    >>> name_interval(0.95)
    '95 % interval'
    """
    return f"{name_level(level)} interval"


def write_amounts(low: float, high: float) -> str:
    """Write the ends of an interval of a number of rows, or of a cost; empty where it has none.

    >>> write_amounts(13.6, 27.2), write_amounts(math.nan, math.nan)
    ('14 to 27', '')
    """
    return "" if math.isnan(low) or math.isnan(high) else f"{write_amount(low)} to {write_amount(high)}"


def points(value: float, low: float, high: float) -> str:
    """Write a difference of shares in points, with its interval where it has one.

    >>> points(0.25, 0.1, 0.4), points(-0.05, math.nan, math.nan), points(-0.0003, -0.02, 0.0001)
    ('+25.0 points (+10.0 to +40.0)', '−5.0 points', 'almost 0 points (−2.0 to just above 0)')
    """
    within = "" if math.isnan(low) else f" ({_write_end(low)} to {_write_end(high)})"
    text = signed(100 * value, 1)
    return f"{'almost 0' if text[0] in '<>' else text} points{within}"


def _write_end(share: float) -> str:
    """Write an end in points; one that would read 0 says on which side of it it lies."""
    return {"<": "just above 0", ">": "just below 0"}.get((text := signed(100 * share, 1))[0], text)
