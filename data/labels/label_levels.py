"""Read labels as paths, such as animal/dog, where a person gave the separator or a tree, and propose a separator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from data.evaluation import Settings
from data.labels.label_tree import Tree, list_above
from text.quoting import list_briefly, quote

_PROPOSED = ("::", ">", "/", ".", ":")
"""Separators that are proposed, the most telling first; words of a name have others, such as card_lost."""
_FAMILIES = 2


def split_label(label: str, separator: str) -> tuple[str, ...]:
    """Return the groups of a label from the top, itself the last; spaces around them and empty ones are left out.

    >>> split_label("animal > dog", ">"), split_label("refund", "/")
    (('animal', 'dog'), ('refund',))
    """
    return tuple(part.strip() for part in label.split(separator) if part.strip()) or (label,)


def name_tree(settings: Settings) -> Tree:
    """Return the tree with the names of its classes; it may hold these, or labels as the file writes them."""
    names = dict(settings.class_names)
    return tuple((names.get(child, child), names.get(parent, parent)) for child, parent in settings.tree)


def list_groups(labels: Sequence[str], settings: Settings) -> list[tuple[str, ...]]:
    """Return the groups of every label from the top, itself the last; none where nobody gave a separator or a tree.

    labels : by their names, where classes have names.
    """
    if settings.tree:
        return list_above(labels, name_tree(settings))
    return [split_label(label, settings.separator) for label in labels] if settings.separator else []


def list_paths(labels: Sequence[str], settings: Settings) -> tuple[tuple[int, ...], ...]:
    """Return a number for each group of a label, from the top; the last is the label. Without groups none.

    Groups of one beginning have one number, labels numbers of their own.

    >>> list_paths(("animal/dog", "animal", "animal/cat"), Settings(separator="/"))
    ((0, 1), (0,), (0, 2))
    """
    number: dict[tuple[str, ...], int] = {}
    paths = []
    for parts in list_groups(labels, settings):
        paths.append(tuple(number.setdefault(parts[:end], len(number)) for end in range(1, len(parts) + 1)))
    return tuple(paths)


def propose_separator(labels: Sequence[str]) -> str:
    """Return the separator that half of the labels hold, and that makes two groups of several; "" where none does.

    >>> propose_separator(("animal/dog", "animal/cat", "plant/oak", "plant/elm", "other"))
    '/'
    >>> propose_separator(("card_lost", "card_stolen", "fee_high", "fee_low")), propose_separator(("1.5", "1.0", "2.5"))
    ('', '')
    """
    for separator in _PROPOSED:
        parts = [split_label(label, separator) for label in labels]
        deep = [path for path in parts if len(path) > 1]
        families = Counter(path[0] for path in deep)
        is_number = all(part.isdigit() for path in parts for part in path)
        if 2 * len(deep) >= len(labels) and sum(n > 1 for n in families.values()) >= _FAMILIES and not is_number:
            return separator
    return ""


def describe_levels(labels: Sequence[str], separator: str) -> str:
    """Say that labels may have groups, and how to take them."""
    paths = (split_label(label, separator) for label in labels)
    families = dict.fromkeys(path[0] for path in paths if len(path) > 1)
    return (
        f"The labels look like members of groups: {list_briefly([*families])}. If {quote(separator)} separates "
        "the levels, say so under Change on Open (--separator): errors within a group are then told apart."
    )
