"""Shorten the names along an axis so that they fit, and no two look the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

LABEL_CHARS = 40
"""Characters of a label in a sentence or a list."""
PATH_SEPARATORS = (" > ", " › ", " / ", " :: ", " | ", "::", "/", ">", "|")
_BREAKS = " >›/:._-|"
_LEAST_SHARED = 3


def short_names(names: Sequence[str], limit: int) -> list[str]:
    """Shorten visible, different names to `limit` characters (at least 8); names that all fit stay as they are.

    A beginning that all names share is dropped. Of a path, as few last parts are kept as tell it apart. What is still
    too long is cut in the middle.

    >>> short_names(["Home > Men > Running Shoes", "Home > Women > Running Shoes", "Home > Garden > Hedge"], 20)
    ['Men › Running Shoes', 'Women › Run…ng Shoes', 'Hedge']
    """
    if max(map(len, names), default=0) <= limit:
        return list(names)
    return cut_apart(_last_parts(_without_shared_beginning(names)), limit)


def cut_apart(names: Sequence[str], limit: int) -> list[str]:
    """Cut names in the middle to `limit` characters; where two would look the same, show where they differ.

    >>> cut_apart(["a long beginning, red, a long end", "a long beginning, blue, a long end", "short"], 12)
    ['a …red, a l…', 'a …blue, a …', 'short']
    """
    cut = [_cut_middle(name, limit) for name in names]
    alike = Counter(cut)
    for look in [look for look, n in alike.items() if n > 1]:
        places = [place for place, name in enumerate(cut) if name == look]
        shared = _shared_length([names[place] for place in places])
        for place in places:
            cut[place] = _cut_around(names[place], shared, limit)
    return _number_equal(cut, limit)


def _cut_middle(name: str, limit: int) -> str:
    if len(name) <= limit:
        return name
    end = limit // 2 - 2
    return f"{name[: limit - 1 - end]}…{name[len(name) - end :]}"


def _shared_length(names: Sequence[str]) -> int:
    """Count the first characters that all names share: those of the first and the last in the alphabet."""
    first, last = min(names), max(names)
    return next((place for place, pair in enumerate(zip(first, last, strict=False)) if len(set(pair)) > 1), len(first))


def _cut_around(name: str, start: int, limit: int) -> str:
    """Show the first two characters of a name and what begins at a place."""
    if len(name) <= limit:
        return name
    rest = name[start:]
    return f"{name[:2]}…{rest}" if len(rest) <= limit - 3 else f"{name[:2]}…{rest[: limit - 4]}…"


def _number_equal(names: list[str], limit: int) -> list[str]:
    """Number the names that still look the same."""
    several, seen, taken = Counter(names), Counter[str](), set(names)
    for place, name in enumerate(names):
        if several[name] < 2:
            continue
        numbered = name
        while numbered in taken:
            seen[name] += 1
            number = f" ({seen[name]})"
            numbered = name[: limit - len(number)] + number
        names[place] = numbered
        taken.add(numbered)
    return names


def _without_shared_beginning(names: Sequence[str]) -> list[str]:
    """Drop a beginning that all names share, up to the last place where a word or a level ends."""
    shared = names[0][: _shared_length(names)] if len(names) > 1 else ""
    end = max((shared.rfind(mark) for mark in _BREAKS), default=-1) + 1
    rests = [name[end:] for name in names]
    return rests if end >= _LEAST_SHARED and all(rests) else list(names)


def _last_parts(names: Sequence[str]) -> list[str]:
    """Keep of paths as few last parts as tell them apart; names that are no paths stay as they are."""
    separator = next((mark for mark in PATH_SEPARATORS if 2 * sum(mark in name for name in names) >= len(names)), "")
    if not separator:
        return list(names)
    parts = [[part.strip() for part in name.split(separator)] for name in names]
    kept = [" › ".join(part[-1:]) for part in parts]
    for n in range(2, max(map(len, parts)) + 1):
        alike = Counter(kept)
        if max(alike.values()) == 1:
            break
        kept = [" › ".join(part[-n:]) if alike[name] > 1 else name for part, name in zip(parts, kept, strict=True)]
    return kept if len(set(kept)) == len(kept) and all(kept) else list(names)
