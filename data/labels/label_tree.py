"""Read the groups of labels from a tree that a person gave: rows of a label and its parent."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter

from data.errors import DataError
from text.quoting import list_briefly, quote

Tree = tuple[tuple[str, str], ...]
"""Pairs of a label, or of a group, and its parent; what has no parent is a root."""

MAX_LEVELS = 64
_HEADINGS = (["child", "parent"], ["label", "parent"])
_FORM = 'rows such as dog,animal, or JSON such as {"dog": "animal"}'


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
