"""Compare two columns by the labels that they hold: what they share, and whether one is a copy of the other."""

from __future__ import annotations

import re

import numpy as np

from data.columns.column import Column

_NUMBERED = re.compile(r"(?P<name>.+?)(?:\.\d{1,3}| \(\d{1,3}\))", re.DOTALL)
"""How a name that stands twice in a file is written the second time: pandas adds .1, our readers add (2)."""


def shared_labels(one: Column, two: Column) -> float:
    """How far two columns hold the same labels (0.5 to 1) plus how often they agree (0 to 1); 0 if hardly."""
    a, b = one.sample.place, two.sample.place
    overlap = len(a.keys() & b.keys()) / max(1, min(len(a), len(b)))
    return overlap + _agreement(one, two) if overlap >= 0.5 else 0.0


def _agreement(one: Column, two: Column) -> float:
    if len(one.sample.codes) != len(two.sample.codes):
        return 0.0
    lookup = np.array([*(two.sample.place.get(value, -2) for value in one.sample.values), -3])
    return float(np.mean(lookup[one.sample.codes] == two.sample.codes))


def are_copies(one: Column, two: Column) -> bool:
    """Return whether two columns hold the same text in every row, also where a cell is empty."""
    if set(one.distinct.values) != set(two.distinct.values):
        return False
    lookup = np.array([*(two.distinct.place[value] for value in one.distinct.values), -1])
    return bool(np.array_equal(lookup[one.distinct.codes], two.distinct.codes))


def written_twice(one: str, two: str) -> bool:
    """Return whether one name is that of a column and the other that of its second occurrence.

    >>> written_twice("score", "score.1"), written_twice("label (2)", "label (3)"), written_twice("a", "b")
    (True, True, False)
    """
    return _first_name(one) == two or one == _first_name(two) or _second(one) == _second(two) != ""


def _first_name(name: str) -> str:
    found = _NUMBERED.fullmatch(name)
    return found["name"] if found else name


def _second(name: str) -> str:
    """Return the name without its number, or "" where it has none."""
    found = _NUMBERED.fullmatch(name)
    return found["name"] if found else ""
