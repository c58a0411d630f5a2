"""Ratings as codes, and the table of (unit, category) → ratings that every coefficient is computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

MISSING = -1
TIE = -3
"""Code of a majority that several categories share."""


@dataclass(frozen=True, eq=False)
class Ratings:
    """Categories that raters gave to units.

    raters : R names. categories : q names, in their order where they have one.
    codes : int32 (n, R), MISSING where a rater did not rate a unit.
    values : float64 (q,), the numbers that the categories are; None where they are none.
    ordered : whether the order of the categories means something.

    >>> found = Ratings(("a", "b"), ("no", "yes"), np.array([[0, 0], [1, 0], [1, MISSING]]))
    >>> found.counts.tolist(), found.n_units, found.n_pairable
    ([[2, 0], [1, 1], [0, 1]], 3, 2)
    """

    raters: tuple[str, ...]
    categories: tuple[str, ...]
    codes: np.ndarray
    values: np.ndarray | None = None
    ordered: bool = False

    @property
    def has_order(self) -> bool:
        """Return whether the categories stand in an order: a person gave it, or they are numbers."""
        return self.ordered or self.values is not None

    @property
    def n_units(self) -> int:
        """Count the units that someone rated."""
        return int((self.codes != MISSING).any(axis=1).sum())

    @property
    def n_pairable(self) -> int:
        """Count the units that two raters or more rated."""
        return int(((self.codes != MISSING).sum(axis=1) >= 2).sum())

    @cached_property
    def counts(self) -> np.ndarray:
        """Count the raters who gave each unit each category, int64 (n, q)."""
        n, q = len(self.codes), len(self.categories)
        given = self.codes != MISSING
        keys = (np.arange(n)[:, None] * q + self.codes)[given]
        return np.bincount(keys, minlength=n * q).reshape(n, q)

    def distinct(self) -> tuple[Ratings, np.ndarray]:
        """Return every different row of ratings once, and how many units have it, int64 (m,)."""
        rows, times = np.unique(self.codes, axis=0, return_counts=True)
        return Ratings(self.raters, self.categories, rows, self.values, self.ordered), times

    def overlap(self) -> bool:
        """Return whether two raters have a unit in common."""
        return self.n_pairable > 0

    def of(self, raters: Sequence[int]) -> Ratings:
        """Return the ratings of some raters alone."""
        names = tuple(self.raters[place] for place in raters)
        return Ratings(names, self.categories, self.codes[:, list(raters)], self.values, self.ordered)


def majority(counts: np.ndarray) -> np.ndarray:
    """Return the category that most raters gave each unit, int (n,): TIE where several lead, MISSING without ratings.

    >>> majority(np.array([[2, 1], [1, 1], [0, 0]])).tolist()
    [0, -3, -1]
    """
    most = counts.max(axis=1)
    most_frequent = counts.argmax(axis=1)
    most_frequent[(counts == most[:, None]).sum(axis=1) > 1] = TIE
    most_frequent[most == 0] = MISSING
    return np.asarray(most_frequent)
