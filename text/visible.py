"""Make uploaded text visible: labels come from strangers' files.

`show` makes a text visible as it is: what cannot be seen, or would reorder what can, is spelled out.
`plotly_text` makes the shown text inert in a Plotly figure, which reads a little HTML, `%{…}` and `$…$`.
"""

from __future__ import annotations

import html
import re
from itertools import accumulate

EMPTY = "(empty)"
TICK_LIMIT = 40
HOVER_LIMIT = 160

_LINE = 60  # characters of a hover line before it is broken
_SPACES = re.compile(r"\A +| +\Z|  +")
# Unicode's default-ignorable characters that are not of category Cf, and two letters that have no ink
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")


def make_visible(text: str) -> str:
    r"""Spell out control, direction, zero-width, unpaired surrogate and other invisible characters.

    >>> print(make_visible("a\u202eb\tc\ud800\x1b[2J"))
    a\u202eb\tc\ud800\x1b[2J
    """
    return text if text.isascii() and text.isprintable() else "".join(map(_spell, text))


def show(text: str, limit: int | None = 200) -> str:
    r"""Show a text on one line, every character of it visible, at most `limit` characters long.

    Invisible characters become their escape (`\n`, `\u202e`), and a space at an end or beside another space
    becomes "␣", so that what differs also looks different. A cut text ends in "…". The result is plain text:
    whatever renders it has to escape it for its own syntax.

    >>> show("spam\n"), show("re\u202efund"), show("")
    ('spam\\n', 're\\u202efund', '(empty)')
    >>> show("a very long label", 10)
    'a very lo…'
    """
    return _show(text, limit)[0]


def plotly_text(label: str, limit: int = TICK_LIMIT) -> str:
    """Write a label for ticks, titles, annotations and `customdata` of a Plotly figure; never for a hovertemplate.

    Tags and entities are escaped; `$` and `{` are written as entities too, so that neither MathJax
    (`$…$`) nor a template (`%{…}`) finds its own syntax.

    >>> plotly_text("<b>$x$</b>")
    '&lt;b&gt;&#36;x&#36;&lt;/b&gt;'
    """
    return _escape(show(label, limit))


def hover_text(label: str) -> str:
    """Write a label for `customdata`: longer than a tick, broken into lines, and its length where it is cut.

    >>> hover_text("x" * 4500)[-21:]
    'x… (4,500 characters)'
    """
    shown, is_cut = _show(label, HOVER_LIMIT)
    shown += f" ({len(label):,} characters)" if is_cut else ""
    lines = [shown[start : start + _LINE] for start in range(0, len(shown), _LINE)]
    return "<br>".join(_escape(line) for line in lines)


def keep_together(text: str) -> str:
    r"""Keep a number and its "%", "<" or ">" on one line: the space beside it becomes one that no line is broken at.

    >>> keep_together("5 % of 7"), keep_together("< 0.001 to 0.2, > \N{MINUS SIGN}0.001")
    ('5\xa0% of 7', '<\xa00.001 to 0.2, >\xa0−0.001')
    """
    return re.sub(r"(?<=\d) (?=%)|(?<=[<>]) (?=[−\d])", "\u00a0", text)


def _escape(shown: str) -> str:
    return html.escape(shown).replace("$", "&#36;").replace("{", "&#123;")


def _show(text: str, limit: int | None) -> tuple[str, bool]:
    """Return what `show` returns, and whether it was cut."""
    begin = text if limit is None else text[: limit + 1]
    spaced = _SPACES.sub(lambda run: "\u2423" * len(run[0]), begin)
    if begin.isascii() and begin.isprintable() and (limit is None or len(spaced) <= limit):
        return spaced or EMPTY, False  # most texts: nothing to spell
    pieces = [_spell(character) for character in spaced]
    ends = list(accumulate(map(len, pieces)))
    if limit is None or not ends or ends[-1] <= limit:
        return "".join(pieces) or EMPTY, False
    return "".join(pieces[: sum(end < limit for end in ends)]) + "…", True


def _spell(character: str) -> str:
    code = ord(character)
    selects = 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF  # a variation of the character before it
    if character.isprintable() and character not in _INVISIBLE and not selects:
        return character
    return character.encode("unicode_escape").decode("ascii")
