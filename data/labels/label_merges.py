"""Check the merges of labels that a person ticked, follow their chains, and describe them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from data.errors import DataError
from text.quoting import list_items, quote


def resolve_merges(
    merge: Sequence[tuple[str, str]], spelling: Mapping[str, Mapping[str, str]], *, strict: bool = True
) -> dict[str, str]:
    """Map every merged label to the label that it counts as in the end, along chains of merges.

    Parameters
    ----------
    merge : (label, label that it counts as), each as a label or as some vocabulary spells it.
    spelling : for every vocabulary its own spelling -> label.
    strict : every label of `merge` must be known.

    Raises
    ------
    DataError
        a label that is not there, or is merged in a circle, or into two labels.

    >>> resolve_merges([("Cat", "cat"), ("CAT", "Cat")], {"truth": {"cat": "cat", "Cat": "Cat", "CAT": "CAT"}})
    {'Cat': 'cat', 'CAT': 'cat'}
    """
    known = {value: label for names in spelling.values() for value, label in names.items()}
    known |= {label: label for label in list(known.values())}
    into: dict[str, str] = {}
    for pair in merge:
        for name in pair:
            if strict and name not in known:
                raise DataError(
                    f"There is no label {quote(name)} to merge; the file has "
                    f"{list_items(sorted(set(known.values())))}. Write both labels as the file does, or take this "
                    "merge back."
                )
        source, other = (known.get(name, name) for name in pair)
        if source == other:
            continue
        if into.get(source, other) != other:
            raise DataError(
                f"{quote(source)} is merged into {quote(into[source])} and into {quote(other)}: choose one of the two."
            )
        into[source] = other
    return {label: _end_of_chain(label, into) for label in into}


def _end_of_chain(label: str, into: Mapping[str, str]) -> str:
    end, steps = label, 0
    while end in into:
        end, steps = into[end], steps + 1
        if steps > len(into):
            raise DataError(f"The merges of {quote(label)} lead in a circle: take one of them back.")
    return end


def remove_merged(labels: Sequence[str], n_space: int, merges: Mapping[str, str]) -> tuple[tuple[str, ...], np.ndarray]:
    """Take out the labels read from answers that a person merged into labels of the label space.

    Returns
    -------
    labels, and the new code of every old one, int32 (len(labels),).

    >>> remove_merged(["cat", "dog", "feline", "fish"], 2, {"feline": "cat"})
    (('cat', 'dog', 'fish'), array([0, 1, 0, 2], dtype=int32))
    """
    names = [label if code < n_space else merges.get(label, label) for code, label in enumerate(labels)]
    kept = tuple(dict.fromkeys(names))
    place = {label: code for code, label in enumerate(kept)}
    return kept, np.array([place[name] for name in names], dtype=np.int32)


def describe_merges(merge: Sequence[tuple[str, str]]) -> str:
    """Return the receipt's sentence about merged labels."""
    pairs = ", ".join(f"{quote(label)} into {quote(other)}" for label, other in merge[:5])
    more = f" and {len(merge) - 5:,} more" if len(merge) > 5 else ""
    return f"Labels merged: {pairs}{more}."
