"""Read the groups of labels, such as animal/dog, by a separator or a tree that a person gave; propose a separator."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter

from data.errors import DataError
from data.evaluation import Settings
from text.quoting import list_briefly, quote

Tree = tuple[tuple[str, str], ...]
"""Pairs of a label, or of a group, and its parent; what has no parent is a root."""

MAX_LEVELS = 64
_HEADINGS = (["child", "parent"], ["label", "parent"])
_FORM = 'rows such as dog,animal, or JSON such as {"dog": "animal"}'
_PROPOSED = ("::", ">", "/", ".", ":")
"""Separators that are proposed, the most telling first; words of a name have others, such as card_lost."""
_FAMILIES = 2


def read_tree(text: str) -> Tree:
    r"""Read a tree from CSV of child and parent, or from JSON: an object, or a list of such pairs.

    Raises
    ------
    DataError
        a row that is no pair, a second parent, a cycle, more than `MAX_LEVELS` levels, or no parent at all.

    >>> read_tree("child,parent\ndog,animal\nanimal,\n"), read_tree('{"dog": "animal"}')
    ((('dog', 'animal'),), (('dog', 'animal'),))
    """
    read_rows = _from_json if text.lstrip().startswith(("{", "[")) else _from_csv
    parent_of: dict[str, str] = {}
    row_of: dict[str, int] = {}
    for row, child, parent in read_rows(text):
        if parent_of.setdefault(child, parent) != parent:
            raise DataError(
                f"Row {row} of the tree gives {quote(child)} the parent {quote(parent)}, and row {row_of[child]} gives "
                f"it {quote(parent_of[child])}; a label has one parent."
            )
        row_of.setdefault(child, row)
    _check_levels(parent_of, row_of)
    pairs = tuple((child, parent) for child, parent in parent_of.items() if parent)
    if not pairs:
        raise DataError(f"The tree gives no label a parent; write {_FORM}.")
    return pairs


def _check_levels(parent_of: dict[str, str], row_of: dict[str, int]) -> None:
    """Refuse a cycle, and a tree that is too deep."""
    try:
        parents_first = list(TopologicalSorter({child: {parent} for child, parent in parent_of.items()}).static_order())
    except CycleError as error:
        cycle = error.args[1]
        raise DataError(
            f"Row {row_of[cycle[-1]]} of the tree closes a cycle: {quote(cycle[0])} would be above itself, through "
            f"{list_briefly(cycle[1:])}. Remove a row of it."
        ) from None
    level = {"": 0}
    for name in parents_first:
        level[name] = level[parent_of.get(name, "")] + 1 if name else 0
        if level[name] > MAX_LEVELS:
            raise DataError(f"Row {row_of[name]} of the tree is on level {level[name]}; at most {MAX_LEVELS} are read.")


def _from_json(text: str) -> Iterator[tuple[int, str, str]]:
    try:
        pairs = json.loads(text, object_pairs_hook=list)
    except (ValueError, RecursionError):
        raise DataError(f"The tree is no JSON that can be read; write {_FORM}.") from None
    for row, pair in enumerate(pairs, 1):
        cells = pair if isinstance(pair, list | tuple) else ()  # what is no pair is refused as one without cells
        yield _read_pair(row, ["" if cell is None else cell for cell in cells])


def _from_csv(text: str) -> Iterator[tuple[int, str, str]]:
    first = text.lstrip().partition("\n")[0]
    delimiter = next((sign for sign in "\t;," if sign in first), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        for cells in reader:
            is_heading = reader.line_num == 1 and [cell.strip().lower() for cell in cells] in _HEADINGS
            if any(map(str.strip, cells)) and not is_heading:
                yield _read_pair(reader.line_num, cells)
    except csv.Error as error:
        raise DataError(f"Row {reader.line_num} of the tree cannot be read: {error}.") from None


def _read_pair(row: int, cells: Sequence[object]) -> tuple[int, str, str]:
    """Return a row with its label and parent; a row of one cell is a root."""
    texts = [cell.strip() for cell in cells if isinstance(cell, str)]
    child, parent = (*texts, "", "")[:2]
    if not child or len(texts) != len(cells) or len(cells) > 2:
        raise DataError(f"Row {row} of the tree is no label with its parent; write {_FORM}.")
    return row, child, parent


def list_above(labels: Sequence[str], tree: Tree) -> list[tuple[str, ...]]:
    """Return the groups of every label from the top, itself the last.

    >>> list_above(("dog", "oak"), (("dog", "mammal"), ("mammal", "animal")))
    [('animal', 'mammal', 'dog'), ('oak',)]
    """
    parent_of, paths = dict(tree), []
    for label in labels:
        path = [label]
        while path[-1] in parent_of and len(path) <= MAX_LEVELS:
            path.append(parent_of[path[-1]])
        paths.append(tuple(reversed(path)))
    return paths


def describe_tree(labels: Sequence[str], tree: Tree) -> list[str]:
    """Say which rows of the tree are of no label, which labels it has not, and whether all are below one group."""
    children, parents = ({pair[side] for pair in tree} for side in (0, 1))
    known = parents.union(labels)
    unused = [f"{child},{parent}" for child, parent in tree if child not in known]
    placed = children | parents
    without = [label for label in labels if label not in placed]
    tops = {path[0] if len(path) > 1 else "" for path in list_above(labels, tree)}
    sentences = []
    if unused:
        sentences.append(f"Rows of the tree name no label of the file: {list_briefly(unused)}. They change nothing.")
    if without:
        sentences.append(f"The tree has no row for {list_briefly(without)}: such a label is in no group.")
    if len(tops) == 1 and "" not in tops:
        sentences.append(
            f"Every label is below {quote(tops.pop())}, so that this level is right in every row. "
            "Leave it out of the tree."
        )
    return sentences


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
