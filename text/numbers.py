"""Write numbers with their nouns, shares as per cent, and metrics with their digits."""

from __future__ import annotations

import math

import numpy as np

UNDEFINED = "undefined"


def count(n: int | float, noun: str = "row") -> str:
    """Write a count with its noun.

    >>> count(1), count(1200), count(2, "class")
    ('1 row', '1,200 rows', '2 classes')
    """
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{int(n):,} {noun if n == 1 else plural}"


def count_marked(rows: np.ndarray) -> str:
    """Count the rows that a bool (n,) marks, and name the first, counted from 1; then "has" or "have".

    >>> count_marked(np.array([False, True, True]))
    '2 rows (first row 2) have'
    """
    n = int(rows.sum())
    return f"{count(n)} (first row {int(np.argmax(rows)) + 1:,}) {'has' if n == 1 else 'have'}"


def percent(share: float) -> str:
    """Write a share as per cent with one decimal; it never becomes 0 or 100 when it is neither.

    >>> percent(0.5), percent(0.9999), percent(0.0001), percent(1.0), percent(float("nan"))
    ('50.0 %', '> 99.9 %', '< 0.1 %', '100.0 %', 'undefined')
    """
    if math.isnan(share):
        return UNDEFINED
    if 0.9995 <= share < 1:
        return "> 99.9 %"
    return "< 0.1 %" if 0 < share < 0.0005 else f"{share:.1%}".replace("%", " %")


def number(value: float | None, digits: int = 3) -> str:
    """Write a metric; 0/0 reads "undefined".

    >>> number(0.12345), number(float("nan"))
    ('0.123', 'undefined')
    """
    return UNDEFINED if value is None or math.isnan(value) else f"{value:.{digits}f}"
