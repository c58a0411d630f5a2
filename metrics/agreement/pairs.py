"""Measure what raters of pairs prefer besides quality: what stands first, what is longer, what a model wrote."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from metrics.agreement.ratings import MISSING, Ratings, majority
from metrics.intervals.joint_counts import joint_counts
from metrics.intervals.statistic import Interval, interval, share_of_rows
from metrics.shares import NO_BOUNDS, Bounds, critical_value, paired_difference


class Preference(NamedTuple):
    """Count how often one rater preferred a side, of the units with a preference; 0.5 is no preference.

    people : the same of the majority of people, on the same units. difference : the rater's less theirs, with bounds.
    n_both : units behind the difference.
    """

    rater: int
    share: Interval
    people: Interval
    difference: float
    bounds: Bounds
    n_both: int


class Swapped(NamedTuple):
    """One rater asked in both orders, by its two places.

    same : share of units with the same verdict in both. n : units rated in both.
    """

    rater: int
    again: int
    same: Interval
    n: int


def preferences(
    ratings: Ratings,
    side: np.ndarray,
    sides: tuple[int, int],
    people: list[int],
    *,
    swapped: Collection[int] = (),
    level: float = 0.95,
) -> list[Preference]:
    """Return how often each rater preferred the side that each unit has.

    side : int (n,), the category that the preferred answer would be, such as that of the longer one; MISSING = none.
    sides : the two categories that name an answer; other verdicts, such as a tie, are left out.
    swapped : raters who saw the answers in the other order, where the side is what stood first.

    >>> ratings = Ratings(("ann", "judge"), ("a", "b"), np.array([[0, 0], [1, 0], [1, 1], [0, 0]]))
    >>> found = preferences(ratings, np.array([0, 0, 0, 0]), (0, 1), [0])
    >>> found[1].share.value, found[1].people.value, found[1].difference
    (0.75, 0.5, 0.25)
    """
    other = np.where(side == sides[0], sides[1], np.where(side == sides[1], sides[0], MISSING))
    most = majority(ratings.of(people).counts) if people else np.full(len(side), MISSING)
    listed = []
    for rater in range(len(ratings.raters)):
        others = [other for other in people if other != rater]
        by_people = majority(ratings.of(others).counts) if rater in people and others else most
        own_side = other if rater in swapped else side
        listed.append(_preference(rater, ratings.codes[:, rater], by_people, (own_side, side), sides, level))
    return listed


def _preference(
    rater: int,
    own: np.ndarray,
    people: np.ndarray,
    preferred: tuple[np.ndarray, np.ndarray],
    sides: tuple[int, int],
    level: float,
) -> Preference:
    decided = np.isin(own, sides) & (preferred[0] != MISSING)
    both = decided & np.isin(people, sides)
    z = critical_value(level)
    rater_prefers, people_prefer = own[both] == preferred[0][both], people[both] == preferred[1][both]
    alike, theirs, ours, neither = (
        int(part.sum())
        for part in (
            rater_prefers & people_prefer,
            people_prefer & ~rater_prefers,
            rater_prefers & ~people_prefer,
            ~rater_prefers & ~people_prefer,
        )
    )
    bounds = paired_difference(alike, theirs, ours, neither, z) if both.any() else NO_BOUNDS
    difference = float(rater_prefers.mean() - people_prefer.mean()) if both.any() else float("nan")
    return Preference(
        rater,
        _share(own[decided] == preferred[0][decided], level),
        _share(people_prefer, level),
        difference,
        bounds,
        int(both.sum()),
    )


def _share(is_part: np.ndarray, level: float) -> Interval:
    """Return the share of units, with Wilson's interval."""
    cells = joint_counts(np.ones(len(is_part), dtype=np.int64), [is_part.astype(np.int64)], n_labels=2)
    return interval(share_of_rows(cells, cells.right()), cells, level=level)


def self_agreement(ratings: Ratings, rater: int, again: int, *, level: float = 0.95) -> Swapped:
    """Return how often a rater says the same of a unit when its answers change places."""
    first, second = ratings.codes[:, rater], ratings.codes[:, again]
    both = (first != MISSING) & (second != MISSING)
    return Swapped(rater, again, _share(first[both] == second[both], level), int(both.sum()))
