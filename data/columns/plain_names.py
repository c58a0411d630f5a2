"""Change names of columns, and take them apart: accents, suffixes of a join, words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

PREDICTIONS_SUFFIX = " (predictions)"
LABELS_SUFFIX = " (labels)"


def remove_accents(text: str) -> str:
    """Return a text without the accents of its letters.

    >>> remove_accents("prédiction"), remove_accents("größe")
    ('prediction', 'große')
    """
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def free_name(name: str, taken: Container[str], more: str = "_") -> str:
    """Return the name of a column that no other has: with `more` behind it, as often as it is taken.

    >>> free_name("rows", ["rows", "rows_"]), free_name("note", {"note": 0}, " (file)")
    ('rows__', 'note (file)')
    """
    while name in taken:
        name += more
    return name


def split_side(name: str) -> tuple[str, str]:
    """Return a name without the suffix that a join gave it, and that suffix, which says nothing of a role.

    >>> split_side("other (labels)")
    ('other', ' (labels)')
    """
    for side in (PREDICTIONS_SUFFIX, LABELS_SUFFIX):
        if name.endswith(side):
            return name.removesuffix(side), side
    return name, ""


def split_words(name: str) -> set[str]:
    """Return the words of a name.

    >>> sorted(split_words("majorityVote_2"))
    ['2', 'majority', 'vote']
    """
    base = split_side(name)[0]
    return {word.casefold() for word in re.split(r"[_\-.\s]+|(?<=[a-z])(?=[A-Z])", base)}
