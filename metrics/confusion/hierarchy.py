"""Groups of classes: from the beginnings of their labels, or from a mapping that a person pastes."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from metrics.confusion.axis import Group
from metrics.limits import MAX_SEPARATORS

SEPARATORS = (":", "/", ".", "_", "-", "|", " ")
"""Usual separators of the levels of a label, the most telling first."""

_HEADERS = {"label", "labels", "class", "classes", "name"}


def by_prefix(labels: Sequence[str], separator: str, level: int = 1) -> tuple[Group, ...]:
    """Return classes whose labels begin with the same parts; groups in the order of their first label.

    level : how many parts, from 1, the beginning has; the last part of a label is never in it, so a label of fewer
        levels is grouped by those it has.

    A label without the separator, with nothing before it, or alone with its beginning is in no group.

    >>> by_prefix(("card:lost", "refund", "card:stolen", "top-up:failed"), ":")
    (Group(name='card', codes=(0, 2), collapsed=False),)
    >>> [group.name for group in by_prefix(("a:b:c", "a:b:d", "a:e", "a:f"), ":", 2)]
    ['a:b', 'a']
    """
    if not separator or level < 1:
        raise ValueError("a separator of at least one character and a level from 1 are needed")
    codes_by_prefix: dict[str, list[int]] = defaultdict(list)
    for code, label in enumerate(labels):
        parts = label.split(separator)
        if len(parts) > 1 and parts[0]:
            codes_by_prefix[separator.join(parts[: min(level, len(parts) - 1)])].append(code)
    return tuple(Group(prefix, tuple(codes)) for prefix, codes in codes_by_prefix.items() if len(codes) > 1)


def levels(labels: Sequence[str], separator: str) -> int:
    """Count the levels of groups that the labels have: the most separators in one of them.

    >>> levels(("a:b:c", "a:e"), ":"), levels(("a", "b"), ":")
    (2, 0)
    """
    return max((label.count(separator) for label in labels), default=0)


def best_separator(labels: Sequence[str]) -> str:
    """Return the separator that puts the most labels into groups, though not all into one; "" when none makes groups.

    >>> best_separator(("card_lost", "card_stolen", "top_up", "refund")), best_separator(("a", "b"))
    ('_', '')
    """
    grouped = {}
    for separator in SEPARATORS:
        groups = by_prefix(labels, separator)
        alone = len(groups) == 1 and len(groups[0].codes) == len(labels)
        grouped[separator] = 0 if alone else sum(len(group.codes) for group in groups)
    best = max(SEPARATORS, key=grouped.__getitem__)
    return best if grouped[best] else ""


class Pasted(NamedTuple):
    """Groups read from pasted lines, and what in those lines could not be used.

    unknown : labels that the file does not have. twice : labels with two different groups; the first one counts.
    unreadable : numbers (from 1) of the lines that are not a label and a group.
    """

    groups: tuple[Group, ...]
    unknown: tuple[str, ...]
    twice: tuple[str, ...]
    unreadable: tuple[int, ...]


def from_lines(text: str, labels: Sequence[str]) -> Pasted:
    r"""Return groups from lines of "label,group"; a tab or a semicolon parts them as well, quotes work as in CSV.

    A first line such as "label,group" is a header. Labels that no line names are in no group. A group may hold a
    single class.

    >>> from_lines("label,group\nlost,card\nstolen,card\nfees,money\nfeez,money", ("fees", "lost", "stolen"))
    Pasted(groups=(Group(name='card', codes=(1, 2), collapsed=False), Group(name='money', codes=(0,), collapsed=False)),
           unknown=('feez',), twice=(), unreadable=())
    """
    code_of = {label: code for code, label in enumerate(labels)}
    group_of: dict[int, str] = {}
    unknown, twice, unreadable = [], [], []
    for number, line in enumerate(text.splitlines(), start=1):
        label, group = _split_line(line, code_of)
        if not line.strip() or (number == 1 and label not in code_of and label.casefold() in _HEADERS):
            continue
        if not label or not group:
            unreadable.append(number)
        elif label not in code_of:
            unknown.append(label)
        elif group_of.setdefault(code_of[label], group) != group:
            twice.append(label)
    return Pasted(_make_groups(group_of), tuple(unknown), tuple(twice), tuple(unreadable))


def _split_line(line: str, code_of: Mapping[str, int]) -> tuple[str, str]:
    """Return the label and the group of a line, preferring a label that there is: a label may itself hold a comma."""
    pairs = [pair for separator in ("\t", ";", ",") for pair in _pairs(line, separator)]
    for label, group in pairs:
        if label in code_of or label.strip() in code_of:
            return label if label in code_of else label.strip(), group.strip()
    return (pairs[0][0].strip(), pairs[0][1].strip()) if pairs else ("", "")


def _pairs(line: str, separator: str) -> list[tuple[str, str]]:
    """Return the ways to part a line in two: as CSV reads it, then at every separator, the last one first."""
    try:
        fields = next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:  # a field of more than 131,072 characters
        return []
    quoted = [(fields[0], fields[1])] if len(fields) == 2 else []
    places = [i for i, character in enumerate(line) if character == separator][-MAX_SEPARATORS:]
    return [*quoted, *((line[:i], line[i + 1 :]) for i in reversed(places))]


def _make_groups(group_of: Mapping[int, str]) -> tuple[Group, ...]:
    codes_by_group: dict[str, list[int]] = defaultdict(list)
    for code, group in group_of.items():
        codes_by_group[group].append(code)
    return tuple(Group(name, tuple(sorted(codes))) for name, codes in codes_by_group.items())


def collapse(groups: Sequence[Group], which: Sequence[int]) -> tuple[Group, ...]:
    """Return the same groups, those at the positions `which` collapsed and the others expanded."""
    collapsed = set(which)
    return tuple(group._replace(collapsed=i in collapsed) for i, group in enumerate(groups))
