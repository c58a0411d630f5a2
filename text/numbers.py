"""Numbers with their nouns, shares as per cent."""

from __future__ import annotations

import math


def percent(share: float) -> str:
    """A share as per cent with one decimal; never rounded to 0 or 100 when it is neither.

    >>> percent(0.5), percent(0.9999), percent(0.0001), percent(1.0), percent(float("nan"))
    ('50.0 %', '> 99.9 %', '< 0.1 %', '100.0 %', 'undefined')
    """
    if math.isnan(share):
        return "undefined"
    if 0.9995 <= share < 1:
        return "> 99.9 %"
    return "< 0.1 %" if 0 < share < 0.0005 else f"{share:.1%}".replace("%", " %")


def rows(n: int | float, noun: str = "row") -> str:
    """A count with its noun.

    >>> rows(1), rows(1200), rows(2, "class")
    ('1 row', '1,200 rows', '2 classes')
    """
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{int(n):,} {noun if n == 1 else plural}"
