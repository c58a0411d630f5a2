"""Change names of columns, take them apart, and find the one that was meant."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Container, Iterable, Sequence

from data.columns.role_names import fold
from data.limits import COMPARED_NAME_CHARS
from text.quoting import list_items, quote

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


def near_miss(wanted: str, names: Iterable[str]) -> str | None:
    """Return the column that was probably meant by `wanted`, if any; none with a very long name.

    >>> near_miss("y_true", ["id", "Y_True"])
    'Y_True'
    """
    if len(wanted) > COMPARED_NAME_CHARS:
        return None
    folded = {fold(name): name for name in names if len(name) <= COMPARED_NAME_CHARS}
    close = difflib.get_close_matches(fold(wanted), list(folded), n=1, cutoff=0.75)
    return folded[close[0]] if close else None


def list_columns(names: Sequence[str], wanted: str) -> str:
    """List the first columns of a file as the end of a sentence, and say which was probably meant by `wanted`.

    >>> list_columns(["id", "Y_True"], "y_true")
    "'id', 'Y_True'. Did you mean 'Y_True'?"
    """
    near = near_miss(wanted, names)
    hint = f" Did you mean {quote(near)}?" if near else ""
    return f"{list_items(names, 6, 24)}.{hint}"
