"""Labels come from strangers' files: the one way they reach a page or a picture.

`show` makes a text visible as it is: what cannot be seen, or would reorder what can, is spelled out.
`plotly_text` makes the shown text inert in a Plotly figure, which reads a little HTML, `%{…}` and `$…$`.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby

EMPTY = "(empty)"
TICK_LIMIT = 40
HOVER_LIMIT = 160

_LINE = 60  # characters of a hover line before it is broken
_SPACE = "\u2423"
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Unicode's default-ignorable characters that are not of category Cf, and two letters that have no ink
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")


def show(text: str, limit: int | None = 200) -> str:
    r"""The text on one line, every character of it visible, at most `limit` characters long.

    Control, bidi, zero-width and other invisible characters become their escape (`\n`, `\u202e`), and a
    space at an end or beside another space becomes "␣", so that what differs also looks different. A cut
    text ends in "…". The result is plain text: whatever renders it has to escape it for its own syntax.

    >>> show("spam\n"), show("re\u202efund"), show("")
    ('spam\\n', 're\\u202efund', '(empty)')
    >>> show("a very long label", 10)
    'a very lo…'
    """
    return _shown(text, limit)[0]


def plotly_text(label: str, limit: int = TICK_LIMIT) -> str:
    """A label for ticks, titles, annotations and `customdata` of a Plotly figure; never for a hovertemplate.

    Tags and entities are escaped; `$` and `{` are written as entities too, so that neither MathJax
    (`$…$`) nor a template (`%{…}`) finds its own syntax.

    >>> plotly_text("<b>$x$</b>")
    '&lt;b&gt;&#36;x&#36;&lt;/b&gt;'
    """
    return _inert(show(label, limit))


def hover_text(label: str, limit: int = HOVER_LIMIT) -> str:
    """A label for `customdata`: longer than a tick, broken into lines, and its length where it is cut.

    >>> hover_text("x" * 4500)[-21:]
    'x… (4,500 characters)'
    """
    shown, is_cut = _shown(label, limit)
    shown += f" ({len(label):,} characters)" if is_cut else ""
    lines = [shown[start : start + _LINE] for start in range(0, len(shown), _LINE)]
    return "<br>".join(_inert(line) for line in lines)


def unbroken(text: str) -> str:
    r"""The same text with a space before a "%" that no line is broken at.

    >>> unbroken("5 % of 7")
    '5\xa0% of 7'
    """
    return re.sub(r"(?<=\d) (?=%)", "\u00a0", text)


def _inert(shown: str) -> str:
    return html.escape(shown).replace("$", "&#36;").replace("{", "&#123;")


def _shown(text: str, limit: int | None) -> tuple[str, bool]:
    """What `show` returns, and whether it was cut."""
    if limit is None:
        return "".join(_visible(text)) or EMPTY, False
    shown: list[str] = []
    room = limit
    for piece in _visible(text[: limit + 1]):
        shown.append(piece)
        room -= len(piece)
        if room < 0:
            break
    else:
        return "".join(shown) or EMPTY, False
    while shown and room < 1:  # room for the "…"
        room += len(shown.pop())
    return "".join(shown) + "…", True


def _visible(text: str) -> Iterator[str]:
    """The text in pieces, one per character, each visible."""
    last = len(text) - 1
    for is_space, run in groupby(enumerate(text), lambda item: item[1] == " "):
        places = list(run)
        if is_space:
            alone = len(places) == 1 and 0 < places[0][0] < last
            yield from " " if alone else _SPACE * len(places)
        else:
            yield from (_visible_character(character) for _, character in places)


def _visible_character(character: str) -> str:
    code = ord(character)
    if character in _ESCAPES:
        return _ESCAPES[character]
    category = unicodedata.category(character)
    variation = 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF
    if category[0] in "CZ" or character in _INVISIBLE or variation:
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return character
