"""Text of strangers inside our messages: one line, of a bounded length, with nothing invisible in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

MESSAGE_CHARS = 400
_INVISIBLE = frozenset(["Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"])
_SPACES = re.compile(r"\s+")


def visible(text: str) -> str:
    r"""Spell out control, direction, zero-width and unpaired surrogate characters.

    >>> print(visible("a\u202eb\tc\ud800"))
    a\u202eb\tc\ud800
    """
    return text if text.isascii() and text.isprintable() else "".join(map(_spelled, text))


def _spelled(char: str) -> str:
    if unicodedata.category(char) not in _INVISIBLE:
        return char
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")


def quoted(text: str, limit: int = 40) -> str:
    """A snippet of uploaded text, in quotation marks, cut in the middle of nothing longer than `limit`.

    >>> print(quoted("y_true"), quoted("x" * 99, limit=5))
    "y_true" "xxxxx…"
    """
    return '"' + visible(text[:limit]) + ("…" if len(text) > limit else "") + '"'


def listed(names: Iterable[str], limit: int = 6) -> str:
    """Some column names, the rest as a number.

    >>> listed(["a", "b"]), listed("abcdefgh")
    ('a, b', 'a, b, c, d, e, f and 2 more')
    """
    every = list(names)
    shown = ", ".join(visible(name[:40]) + ("…" if len(name) > 40 else "") for name in every[:limit])
    return shown + (f" and {len(every) - limit:,} more" if len(every) > limit else "")


def sentence(text: str) -> str:
    r"""One line of at most 400 characters, fit to show.

    >>> sentence("one\n  two")
    'one two'
    """
    line = visible(_SPACES.sub(" ", text)).strip()
    return line if len(line) <= MESSAGE_CHARS else line[: MESSAGE_CHARS - 1] + "…"


def file_name(name: str, limit: int = 60) -> str:
    r"""The last part of an upload's name, as it may be shown.

    >>> print(file_name("C:\\preds.csv"), file_name("../../etc/x\r.csv"))
    preds.csv x\r.csv
    """
    last = re.split(r"[/\\]", name)[-1]
    return visible(last if len(last) <= limit else last[: limit - 12] + "…" + last[-11:])
