"""Uploaded text inside the sentences of a receipt or an error: quoted, cut, and with nothing invisible in it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

import numpy as np

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def quoted(text: object, limit: int = 40) -> str:
    r"""`text` in quotes, cut at `limit` characters; control, bidi and zero-width characters are spelled out.

    >>> print(quoted("cat\u200b"))
    'cat\u200b'
    """
    cut = text if isinstance(text, str) else str(text)
    cut = cut if len(cut) <= limit else cut[: limit - 1] + "…"
    return "'" + "".join(_spelled(c) for c in cut) + "'"


def _spelled(character: str) -> str:
    if unicodedata.category(character) in _HIDDEN or (character.isspace() and character != " "):
        return character.encode("unicode_escape").decode()
    return character


def listed(items: Iterable[object], limit: int = 5, characters: int = 40) -> str:
    """The first few items in quotes, each cut at `characters`, and how many more there are.

    >>> listed(["a", "b", "c"], limit=2)
    "'a', 'b' and 1 more"
    """
    everything = list(items)
    shown = ", ".join(quoted(item, characters) for item in everything[:limit])
    more = len(everything) - limit
    return f"{shown} and {more:,} more" if more > 0 else shown or "none"


def briefly(items: Iterable[object]) -> str:
    """Three items, cut short: two such lists fit into one sentence.

    >>> briefly(["a", "b", "c", "d"])
    "'a', 'b', 'c' and 1 more"
    """
    return listed(items, 3, 24)


def rows_and_first(rows: np.ndarray) -> str:
    """How many rows a bool (n,) marks, and which is the first, counted from 1; then "has" or "have".

    >>> rows_and_first(np.array([False, True, True]))
    '2 rows (first row 2) have'
    """
    n = int(rows.sum())
    return f"{counted(n, 'row')} (first row {int(np.argmax(rows)) + 1:,}) {'has' if n == 1 else 'have'}"


def counted(n: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(1200, "row"), counted(2, "class", "classes")
    ('1 row', '1,200 rows', '2 classes')
    """
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"
