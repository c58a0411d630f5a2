"""Find labels in a text as whole words: all labels at once, in time that grows with the text alone.

A label is looked for without the punctuation at its ends, in any case, its underscores and spaces being the same.
Inside a longer word or identifier (`invalid`, `not_spam`, `non-toxic`) it does not occur. Where mentions overlap, the
one that begins first counts, and of those the longest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from data.answers.vocabulary import bare, lower_ascii

MAX_BYTES = 256
"""Longer labels are not looked for."""

Find = Callable[[str], Sequence[int]]
"""Gives the codes of the labels that a text mentions, in order."""


def forms(labels: Sequence[str]) -> dict[str, int]:
    """Return how labels are looked for -> code; without those of one character, too long, or alike.

    >>> forms(["Card_arrival", "(A)", "B", "7"])
    {'card arrival': 0, '(a)': 1}
    """
    found: dict[str, int | None] = {}
    for code, label in enumerate(labels):
        inner = bare(label)
        inner = inner if len(inner) > 1 else label.strip()
        form = " ".join(inner.replace("_", " ").split()).lower()
        if len(form) > 1 and len(form.encode(errors="replace")) <= MAX_BYTES:
            found[form] = code if found.get(form, code) == code else None
    return {form: code for form, code in found.items() if code is not None}


@lru_cache(maxsize=8)
def mention_finder(labels: tuple[str, ...]) -> Find:
    """Return a function that gives the codes of the labels in a text, in order.

    >>> find = mention_finder(("valid", "invalid", "card_arrival"))
    >>> find("Not valid: invalid."), find("card arrival?"), find("none")
    ([0, 1], [2], [])
    """
    codes = {case: code for form, code in reversed(forms(labels).items()) for case in _cases(form)}
    if not codes:
        return lambda _: ()
    n_known = min((3, *map(len, codes)))
    sizes: dict[str, set[int]] = {}
    for case in codes:
        sizes.setdefault(case[:n_known], set()).add(len(case))
    longest_first = {begins: sorted(found, reverse=True) for begins, found in sizes.items()}
    starts = _starts(longest_first)

    def find(text: str) -> list[int]:
        low = lower_ascii(text)
        same = low.replace("_", " ").replace("\t", " ").replace("\n", " ").replace("\r", " ")
        found, reached = [], 0
        for match in starts.finditer(same):
            start = match.start()
            for size in longest_first[same[start : start + n_known]]:
                end = start + size
                code = codes.get(same[start:end]) if end <= len(same) else None
                if code is not None and _is_whole(low, start, end):
                    if start >= reached:
                        found.append(code)
                    reached = max(reached, end)
                    break
        return found

    return find


def _cases(form: str) -> list[str]:
    """Return a label as it may be written; A to Z, which the texts have in lower case, in one way only."""
    if form.isascii():
        return [form]
    return list(dict.fromkeys(map(lower_ascii, (form, form.upper(), form.capitalize(), form.title()))))


def _starts(begins: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of where a label may begin, by its first two or three characters and the one in front."""
    followed: dict[str, dict[str, str]] = {}
    for text in begins:
        lasts = followed.setdefault(text[0], {})
        lasts[text[1]] = lasts.get(text[1], "") + re.escape(text[2:])
    parts = []
    for first, lasts in followed.items():
        own = re.escape(first)
        inside = f"(?<![a-z0-9]{own})" if first.isascii() and first.isalnum() else ""
        rest = "|".join(re.escape(second) + (f"[{third}]" if third else "") for second, third in lasts.items())
        parts.append(f"{own}{inside}(?={rest})")
    return re.compile("|".join(parts))


def _is_whole(text: str, start: int, end: int) -> bool:
    """Return true if no word goes on at either end of text[start:end]."""
    before, after = text[max(0, start - 2) : start][::-1], text[end : end + 2]
    return not (_goes_on(text[start], before) or _goes_on(text[end - 1], after))


def _goes_on(own: str, beyond: str) -> bool:
    """Return true if a word goes on behind its edge: by a letter, or by an underscore or hyphen and then a letter."""
    if not beyond or not own.isalnum():
        return False
    if beyond[0].isalnum():
        return not (_is_unspaced(own) or _is_unspaced(beyond[0]))
    more = beyond[1:]
    return own.isascii() and beyond[0] in "-_" and bool(more) and (more >= "\x80" or more.isalnum())


def _is_unspaced(character: str) -> bool:
    """Return true for scripts without spaces between words."""
    return character >= "\u2e80" or "\u0e00" <= character <= "\u0eff" or "\u1000" <= character <= "\u109f"
