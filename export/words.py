"""How labels, numbers and shares are written into HTML and SVG: the one way of uploaded text."""

from __future__ import annotations

import html
import math
import unicodedata

from text.numbers import percent as plain_percent
from text.visible import show

UNDEFINED = "undefined"
NAME_LIMIT = 200


def text(uploaded: str, limit: int = NAME_LIMIT) -> str:
    r"""Uploaded text for HTML and SVG: every character visible, none of it markup.

    >>> print(text("<b>\n"))
    &lt;b&gt;\n
    """
    return html.escape(show(uploaded, limit))


def name(label: str, limit: int = 80) -> str:
    """A label inside a sentence, marked as such.

    >>> name("a&b")
    '<span class="label">a&amp;b</span>'
    """
    return f'<span class="label">{text(label, limit)}</span>'


def number(value: float | None, digits: int = 3) -> str:
    """A metric; 0/0 reads "undefined".

    >>> number(0.12345), number(float("nan"))
    ('0.123', 'undefined')
    """
    return UNDEFINED if value is None or math.isnan(value) else f"{value:.{digits}f}"


def percent(share: float) -> str:
    r"""A share as per cent on one line; 0/0 reads "undefined".

    >>> percent(0.5)
    '50.0\xa0%'
    """
    return html.escape(plain_percent(share)).replace(" ", "\u00a0")


def width(shown: str, size: float = 11) -> float:
    """About how many pixels a text takes at a font size: wide letters count double. An estimate, a little large.

    >>> width("日本") > width("ab")
    True
    """
    return size * sum(1.0 if unicodedata.east_asian_width(c) in "WF" else 0.58 for c in shown)
