"""Write a label as another column may: numbers without a point, true and false in one case."""

from __future__ import annotations

import re

WHOLE = re.compile(r"(-?(?:0|[1-9]\d*))\.0+", re.ASCII)


def plain_form(value: str) -> str:
    """Return a label without `.0` and without the case of true and false.

    >>> plain_form("1.0"), plain_form("TRUE"), plain_form("01.0")
    ('1', 'true', '01.0')
    """
    whole = WHOLE.fullmatch(value)
    if whole:
        return "0" if whole[1] == "-0" else whole[1]
    return value.casefold() if value.casefold() in ("true", "false") else value
