"""Put uploaded text into sentences: quoted, cut, on one line, and with nothing invisible in it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from text.visible import make_visible

MESSAGE_CHARS, _FILE_NAME = 600, 60
_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar", "\x1f": "none"}


def quote(text: object, limit: int = 40) -> str:
    r"""Quote at most `limit` characters of a text.

    >>> print(quote("cat\u200b"), quote("x" * 99, limit=5))
    'cat\u200b' 'xxxx…'
    """
    return f"'{make_visible(cut(str(text), limit))}'"


def name_delimiter(delimiter: str) -> str:
    """Name what separates the cells of a line.

    >>> name_delimiter(";"), name_delimiter("#")
    ('semicolon', "'#'")
    """
    return _DELIMITERS.get(delimiter, quote(delimiter))


def list_items(items: Iterable[object], limit: int = 5, characters: int = 40, *, quoted: bool = True) -> str:
    """List the first few items, each cut at `characters`, and say how many more there are.

    quoted : False where an item is more than a text of the file: a quoted name with what is said of it.

    >>> list_items(["a", "b", "c"], limit=2), list_items(["'a' (2)"], quoted=False)
    ("'a', 'b' and 1 more", "'a' (2)")
    """
    every = [str(item) for item in items]
    shown = [quote(item, characters) if quoted else make_visible(item) for item in every[:limit]]
    more = f" and {len(every) - limit:,} more" if len(every) > limit else ""
    return ", ".join(shown) + more or "none"


def list_briefly(items: Iterable[object]) -> str:
    """List three items, cut short: two such lists fit into one sentence.

    >>> list_briefly(["a", "b", "c", "d"])
    "'a', 'b', 'c' and 1 more"
    """
    return list_items(items, 3, 24)


def cut(text: str, limit: int) -> str:
    """Cut a text to at most `limit` characters, the last of which says that it was cut.

    >>> cut("a long one", 6)
    'a lon…'
    """
    return text if len(text) <= limit else text[: limit - 1] + "…"


def write_line(text: str) -> str:
    r"""Write a message as one line of at most 600 characters.

    >>> write_line("one\n  two")
    'one two'
    """
    return cut(make_visible(re.sub(r"\s+", " ", text)).strip(), MESSAGE_CHARS)


def show_file_name(name: str) -> str:
    r"""Show the last part of an upload's name.

    >>> print(show_file_name("C:\\preds.csv"), show_file_name("../../etc/x\r.csv"))
    preds.csv x\r.csv
    """
    last = re.split(r"[/\\]", name)[-1]
    return make_visible(last if len(last) <= _FILE_NAME else last[: _FILE_NAME - 12] + "…" + last[-11:])
