"""Write numbers with their nouns, shares as per cent, metrics with their digits, and moments in UTC."""

from __future__ import annotations

import decimal
import math
import re
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np  # the process that reads starts before anything is imported that takes as long

UNDEFINED = "undefined"
_METRIC = 3
"""Decimals of a metric; what is written with fewer is no share, and 1 is not its most."""
_DECIMALS, _CLOSE, _LEAST_DECIMAL = 5, 0.001, 1e-9
"""Decimals of a threshold; closer to 0 or 1 it has more, and below the last one it is written with an exponent."""
LEAST_P = 0.001
"""A p value below it is written as being below it: its digits say nothing."""


def count(n: int | float, noun: str = "row") -> str:
    """Write a count with its noun.

    >>> count(1), count(1200), count(2, "class"), count(3, "category")
    ('1 row', '1,200 rows', '2 classes', '3 categories')
    """
    ends_in_y = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    plural = noun[:-1] + "ies" if ends_in_y else noun + ("es" if noun.endswith("s") else "s")
    return f"{int(n):,} {noun if n == 1 else plural}"


_IRREGULAR = {"is": "are", "was": "were", "has": "have", "does": "do", "applies": "apply"}


def verb(n: int, singular: str) -> str:
    """Return a verb that agrees with a count.

    >>> verb(1, "is"), verb(0, "is"), verb(2, "has"), verb(2, "counts")
    ('is', 'are', 'have', 'count')
    """
    return singular if n == 1 else _IRREGULAR.get(singular, singular.removesuffix("s"))


def count_marked(rows: np.ndarray) -> str:
    """Count the rows that a bool (n,) marks, and name the first, counted from 1; then "has" or "have".

    >>> import numpy as np
    >>> count_marked(np.array([False, True, True]))
    '2 rows (first row 2) have'
    >>> count_marked(np.array([False, False, True]))
    '1 row (row 3) has'
    """
    n = int(rows.sum())
    which = "row" if n == 1 else "first row"
    return f"{count(n)} ({which} {int(rows.argmax()) + 1:,}) {verb(n, 'has')}"


def rows_are(n: int, of: int | None = None, *, now: bool = True) -> str:
    """Write what follows "1 of 54": the noun agrees with all rows, the verb with those that are meant.

    of : None = the sentence names no others. now : "is"; else "was".

    >>> rows_are(1, 54), rows_are(0, 1, now=False), rows_are(1)
    ('rows is', 'row was', 'row is')
    """
    noun = "row" if (n if of is None else of) == 1 else "rows"
    singular, plural = ("is", "are") if now else ("was", "were")
    return f"{noun} {singular if 1 in (n, of) else plural}"


def percent(share: float, digits: int = 1) -> str:
    """Write a share as per cent, with one decimal or so many; it never becomes 0 or 100 when it is neither.

    >>> percent(0.5), percent(0.9999), percent(0.0001), percent(1.0), percent(float("nan")), percent(0.95, 0)
    ('50.0 %', '> 99.9 %', '< 0.1 %', '100.0 %', 'undefined', '95 %')
    """
    if math.isnan(share):
        return UNDEFINED
    least = 10.0**-digits  # per cent
    if 1 - least / 200 <= share < 1 - _LEAST_DECIMAL:
        return f"> {100 - least:.{digits}f} %"
    return f"{_write_small(100 * share, digits) or _minus(f'{100 * share:z.{digits}f}')} %"


def write_mean_score(mean: float) -> str:
    """Write the mean of probabilities as per cent, as the share beside it; decimals tell it from 0 and 100.

    >>> write_mean_score(0.745), write_mean_score(0.0004), write_mean_score(0.99988), write_mean_score(1.0)
    ('74.5 %', '0.04 %', '99.99 %', '100.0 %')
    """
    distance = 100 * min(mean, 1 - mean)
    return percent(mean, -math.floor(math.log10(distance)) if 0 < distance < 0.1 else 1)


def number(value: float | None, digits: int = 3) -> str:
    """Write a metric; 0/0 reads "undefined", and a number below 0 begins with a minus sign, not with a hyphen.

    It reads 0.000 or 1.000 only where it is that, apart from what floating point leaves.

    >>> number(0.12345), number(-0.5, 1), number(float("nan")), number(0.0), number(1.0), number(2.0)
    ('0.123', '−0.5', 'undefined', '0.000', '1.000', '2.000')
    >>> number(0.0004), number(-0.0004), number(0.9996), number(0.99996, 4), number(1 - 1e-15), number(0.04, 1)
    ('< 0.001', '> −0.001', '> 0.999', '> 0.9999', '1.000', '< 0.1')
    """
    if value is None or math.isnan(value):
        return UNDEFINED
    least = 10.0**-digits
    if digits >= _METRIC and 1 - least / 2 <= value < 1 - _LEAST_DECIMAL:
        return f"> {1 - least:.{digits}f}"
    return _write_small(value, digits) or _minus(f"{value:z.{digits}f}")


def _write_small(value: float, digits: int, sign: str = "") -> str:
    """Write a number that would read 0 and is not as being between 0 and the least that has a digit; else ""."""
    least = 10.0**-digits
    if not _LEAST_DECIMAL < abs(value) < least / 2:
        return ""
    return f"< {sign}{least:.{digits}f}" if value > 0 else f"> −{least:.{digits}f}"


def write_exact(value: float) -> str:
    """Write a number so that it is read back exactly.

    >>> write_exact(18.0), write_exact(0.1)
    ('18', '0.1')
    """
    return repr(float(value)).removesuffix(".0")


def write_amount(value: float) -> str:
    """Write an expected number of rows or a cost: whole from 10 on, below with two digits.

    >>> write_amount(1234.4), write_amount(4.19), write_amount(0.0312), write_amount(-45_900.0), write_amount(3.0)
    ('1,234', '4.2', '0.031', '−45,900', '3')
    >>> write_amount(9.97), write_amount(0.0), write_amount(math.nan)
    ('10', '0', 'undefined')
    >>> write_amount(0.00001234), write_amount(12.5), write_amount(2.25)
    ('0.000012', '12', '2.2')
    """
    if math.isnan(value):
        return UNDEFINED
    short = value if abs(value) >= 10 else float(f"{value:.2g}")
    return _minus(f"{short:,.0f}" if abs(short) >= 10 else f"{decimal.Decimal(repr(short)).normalize():f}")


def count_about(n: float) -> str:
    """Write about how many rows something takes, rounded up to two digits.

    >>> count_about(36_757.2), count_about(212.0), count_about(61.3)
    ('about 37,000 rows', 'about 220 rows', 'about 62 rows')
    """
    last = 10 ** max(0, len(str(math.ceil(n))) - 2)
    return f"about {count(math.ceil(n / last) * last)}"


def write_threshold(value: float) -> str:
    """Write a threshold or a score the same everywhere: at most five decimals, more only close to 0 and 1.

    There it has three digits of the distance. So nothing else reads 0 or 1.

    >>> write_threshold(-1.3162), write_threshold(0.5), write_threshold(0.353662), write_threshold(math.inf)
    ('−1.3162', '0.5', '0.35366', 'above every score')
    >>> write_threshold(0.00291262), write_threshold(0.0000314159), write_threshold(0.99998765), write_threshold(1e-30)
    ('0.00291', '0.0000314', '0.9999877', '1e−30')
    """
    if math.isnan(value) or value == math.inf:
        return "none" if math.isnan(value) else "above every score"
    distance = min(abs(value), abs(1 - value))
    if 0 < abs(value) < _LEAST_DECIMAL:
        return _minus(f"{value:.3g}")
    decimals = 2 - math.floor(math.log10(distance)) if 0 < distance < _CLOSE else _DECIMALS
    return _minus(f"{value:.{decimals}f}".rstrip("0").rstrip("."))


def column_format(values: Iterable[float]) -> str:
    """Return the printf format of a column of thresholds: as many decimals as the longest needs.

    >>> column_format([-1.0, -1.65, 0.7850000001]), column_format([3.0]), column_format([1e-30])
    ('%.3f', '%.0f', '%.6g')
    """
    texts = [write_threshold(value) for value in values if math.isfinite(value)]
    return "%.6g" if any("e" in text for text in texts) else f"%.{max(map(_count_decimals, texts), default=0)}f"


def write_thresholds(values: Sequence[float]) -> list[str]:
    """Write a column of thresholds, each as it is written alone, filled with zeros to one number of decimals.

    >>> write_thresholds([0.1050367, -0.5, 0.00291262, math.inf])
    ['0.10504', '−0.50000', '0.00291', 'above every score']
    """
    texts = [write_threshold(value) for value in values]
    decimals = min(max(map(_count_decimals, texts), default=0), _DECIMALS)
    return [
        text if "e" in text or _count_decimals(text) >= decimals else _minus(f"{value:.{decimals}f}")
        for value, text in zip(values, texts, strict=True)
    ]


def _count_decimals(text: str) -> int:
    return len(text.partition(".")[2])


def write_bound(value: float) -> str:
    """Write how far a number may lie from the exact one: one digit that is not 0, rounded up, as a decimal.

    >>> write_bound(1.2e-05), write_bound(0.03), write_bound(0.0), write_bound(math.nan)
    ('0.00002', '0.03', '0', 'undefined')
    """
    if math.isnan(value):
        return UNDEFINED
    up = decimal.Context(prec=1, rounding=decimal.ROUND_CEILING).create_decimal(repr(float(value)))
    return f"{up.normalize():f}"


def signed(value: float, digits: int = 3) -> str:
    """Write a difference with its sign; 0 digits write a difference of counts.

    >>> signed(0.0219), signed(-0.004), signed(-1200, 0), signed(float("nan"))
    ('+0.022', '−0.004', '−1,200', 'undefined')
    >>> signed(0.0004), signed(-0.0004), signed(0.0), signed(0.04, 1)
    ('< +0.001', '> −0.001', '+0.000', '< +0.1')
    """
    if math.isnan(value):
        return UNDEFINED
    return _write_small(value, digits, "+") or _minus(f"{value:+z,.{digits}f}")


def write_points(difference: float) -> str:
    """Write a difference of shares in points, with its sign.

    >>> write_points(-0.0885), write_points(0.0004), write_points(math.nan)
    ('−8.8 points', '< +0.1 points', 'undefined')
    """
    return UNDEFINED if math.isnan(difference) else f"{signed(100 * difference, 1)} points"


def write_size(difference: float) -> str:
    """Write the size of a difference of shares in points, without a sign.

    >>> write_size(-0.0885), write_size(0.0004)
    ('8.8 points', '< 0.1 points')
    """
    return f"{number(100 * abs(difference), 1)} points"


def p_value(p: float, name: str = "p") -> str:
    """Write a p value with its name, as every page and table does: never below 0.001.

    >>> p_value(0.0312), p_value(2.58e-90), p_value(float("nan")), p_value(0.0004, "")
    ('p 0.031', 'p < 0.001', 'p undefined', '< 0.001')
    """
    written = "< 0.001" if p < LEAST_P else number(p)
    return f"{name} {written}".strip()


_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}(e[+-]\d+)?", re.ASCII)


def round_ticks(low: float, high: float) -> list[float]:
    """Return about five round numbers along an axis.

    >>> round_ticks(0.0, 1.0), round_ticks(0.053, 0.523)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.1, 0.2, 0.3, 0.4, 0.5])
    """
    rough = max(high - low, 1e-9) / 5
    power = 10 ** math.floor(math.log10(rough))
    step = next(size for size in (power, 2 * power, 5 * power, 10 * power) if size >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(place * step, 12) for place in range(first, last + 1)]


def shorten_numbers(value: str) -> str:
    """Write a value of a slice with at most four digits of a long number.

    >>> shorten_numbers("0.0142291 to 4008.23751"), shorten_numbers("a")
    ('0.01423 to 4008', 'a')
    """
    return _LONG_NUMBER.sub(lambda match: f"{float(match[0]):.4g}", value)


def _minus(text: str) -> str:
    return text.replace("-", "−")


def write_day(seconds: float) -> str:
    """Write a day as it is written in a list.

    >>> write_day(0)
    '1970-01-01'
    """
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


def write_moment(seconds: float) -> str:
    """Write a moment as JSON has it: ISO 8601 to the second.

    >>> write_moment(0)
    '1970-01-01T00:00:00Z'
    """
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
