"""Write labels and shares into HTML and SVG: the one way of uploaded text."""

from __future__ import annotations

import html
import unicodedata
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from export.limits import MAX_NAME_CHARS
from text.visible import show


def text(uploaded: str, limit: int = MAX_NAME_CHARS) -> str:
    r"""Write uploaded text for HTML and SVG: every character visible, none of it markup.

    >>> print(text("<b>\n"))
    &lt;b&gt;\n
    """
    return html.escape(show(uploaded, limit))


def name(label: str, limit: int = 80) -> str:
    """Mark a label inside a sentence.

    >>> name("a&b")
    '<span class="label">a&amp;b</span>'
    """
    return f'<span class="label">{text(label, limit)}</span>'


def width(shown: str, size: float = 11) -> float:
    """Estimate how many pixels a text takes at a font size: wide letters count double; a little large.

    >>> width("日本") > width("ab")
    True
    """
    return size * sum(1.0 if unicodedata.east_asian_width(c) in "WF" else 0.58 for c in shown)


@cache
def font_file() -> Path | None:
    """Return the file of the typeface: that of Streamlit; None where it is not installed."""
    package = find_spec("streamlit")
    if package is None or not package.origin:
        return None
    return next(Path(package.origin).parent.glob("static/static/media/SourceSansVF-Upright*.woff2"), None)
