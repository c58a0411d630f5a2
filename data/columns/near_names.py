"""Find the column that was meant by a name that no column has."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from data.columns.role_names import fold
from data.limits import COMPARED_NAME_CHARS
from text.quoting import list_items, quote


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
