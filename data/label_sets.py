"""Cells that hold several labels: `a|b`, `["a", "b"]`, `['a', 'b']`. Parsed as text, never evaluated."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

DELIMITERS = ("|", ";", ",")


class SetEncoding(NamedTuple):
    """How a cell holds a set of labels."""

    encoding: Literal["json", "delimited"]
    delimiter: str | None


def parse_list(text: str) -> tuple[str, ...] | None:
    """A JSON or Python list of texts or numbers, as texts; None if it is anything else.

    >>> parse_list('["a", "b"]'), parse_list("['a', 'b']"), parse_list("a"), parse_list("[]")
    (('a', 'b'), ('a', 'b'), None, ())
    """
    stripped = text.strip()
    if not (stripped.startswith("[") and stripped.endswith("]")) or len(stripped) > 100_000:
        return None
    items = _json_list(stripped)
    if items is None:
        items = _python_list(stripped)
    if items is None or not all(isinstance(item, str | int | float) for item in items):
        return None
    return tuple(item if isinstance(item, str) else json.dumps(item) for item in items)


def _json_list(text: str) -> list[object] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def _python_list(text: str) -> list[object] | None:
    """Only literals: `ast.literal_eval` builds nothing but constants; nesting is refused before it is parsed."""
    if text.count("[") > 50 or "{" in text or text.count("(") > 50:
        return None
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def split(text: str, delimiter: str) -> tuple[str, ...]:
    """The labels of one delimited cell, without the spaces around them and without empty ones.

    >>> split("child speech;video game/tv;", ";")
    ('child speech', 'video game/tv')
    """
    parts = text.split() if delimiter == " " else text.split(delimiter)
    return tuple(part for part in (p.strip() for p in parts) if part)


def members(text: str, encoding: SetEncoding) -> tuple[str, ...] | None:
    """The labels of one cell; None where a list was wanted and something else came."""
    return parse_list(text) if encoding.encoding == "json" else split(text, encoding.delimiter or ",")


def set_encoding(values: Sequence[str]) -> SetEncoding | None:
    """How these distinct cells hold sets of labels, or None if each looks like one label.

    A delimiter counts only if the parts recur: at least two cells hold several parts, and half of the parts
    occur in two or more different cells. "Paris, France" beside "Lyon, France" is thus no set.

    >>> set_encoding(["a|b", "b|c", "a"])
    SetEncoding(encoding='delimited', delimiter='|')
    >>> set_encoding(["a,b", "dog"]) is None
    True
    """
    some = list(values[:5_000])
    if not some:
        return None
    if sum(parse_list(value) is not None for value in some) > 0.8 * len(some):
        return SetEncoding("json", None)
    for delimiter in DELIMITERS:
        if _recurs([split(value, delimiter) for value in some]):
            return SetEncoding("delimited", delimiter)
    return SetEncoding("delimited", " ") if _words_are_sets([split(value, " ") for value in some]) else None


def _recurs(cells: list[tuple[str, ...]]) -> bool:
    many = [cell for cell in cells if len(cell) > 1]
    if len(many) < 2 or any(len(part) > 80 for cell in many for part in cell):
        return False
    seen = Counter(part for cell in cells for part in set(cell))
    return sum(n > 1 for n in seen.values()) >= len(seen) / 2 and len(seen) <= 2 * len(cells) + 2


def _words_are_sets(cells: list[tuple[str, ...]]) -> bool:
    """Spaces separate labels only if it is plain: three or more sizes, few words that recur, no word twice."""
    seen = Counter(word for cell in cells for word in cell)
    sizes = {len(cell) for cell in cells}
    return (
        len(sizes) >= 3
        and all(len(set(cell)) == len(cell) for cell in cells)
        and len(cells) >= 2 * len(seen)
        and sum(n > 1 for n in seen.values()) >= 0.9 * len(seen)
    )
