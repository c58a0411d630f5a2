"""Measure what raters of pairs prefer besides quality: what stands first, what is longer, what a model wrote."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from metrics.agreement.ratings import MISSING, Ratings, majority
from metrics.intervals.joint_counts import joint_counts
from metrics.intervals.statistic import Interval, interval, share_of_rows
from metrics.shares import NO_BOUNDS, Bounds, critical_value, paired_difference


class Preference(NamedTuple):
    """Count how often one rater preferred a side, of the units with a preference; 0.5 is no preference.

    share : of the units that the rater decided. people : of the majority of people, on the units that both decided.
    difference : the rater's share of those less theirs, with bounds. n_both : those units.
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
    >>> prefer = preferences(ratings, np.array([0, 0, 0, 0]), (0, 1), [0])
    >>> prefer[1].share.value, prefer[1].people.value, prefer[1].difference
    (0.75, 0.5, 0.25)
    """
    first, second = sides
    other_side = np.full(len(side), MISSING)
    other_side[side == first] = second
    other_side[side == second] = first
    most = majority(ratings.of(people).counts) if people else np.full(len(side), MISSING)
    listed = []
    for rater in range(len(ratings.raters)):
        by_people = most
        others = [person for person in people if person != rater]
        if rater in people and others:
            by_people = majority(ratings.of(others).counts)
        seen = other_side if rater in swapped else side
        listed.append(_preference(rater, ratings.codes[:, rater], by_people, (seen, side), sides, level))
    return listed


def _preference(
    rater: int,
    verdicts: np.ndarray,
    people: np.ndarray,
    preferred: tuple[np.ndarray, np.ndarray],
    sides: tuple[int, int],
    level: float,
) -> Preference:
    """Compare how often a rater and the majority of people prefer a side.

    verdicts, people : int (n,), the categories that each chose. preferred : those of the side, as each saw the answers.
    """
    seen, seen_by_people = preferred
    decided = np.isin(verdicts, sides) & (seen != MISSING)
    both = decided & np.isin(people, sides)
    rater_prefers = verdicts[both] == seen[both]
    people_prefer = people[both] == seen_by_people[both]
    difference, bounds = math.nan, NO_BOUNDS
    if both.any():
        difference = float(rater_prefers.mean() - people_prefer.mean())
        n_alike = int((rater_prefers & people_prefer).sum())
        n_people = int((people_prefer & ~rater_prefers).sum())
        n_rater = int((rater_prefers & ~people_prefer).sum())
        n_neither = int((~rater_prefers & ~people_prefer).sum())
        bounds = paired_difference(n_alike, n_people, n_rater, n_neither, critical_value(level))
    return Preference(
        rater,
        share=_share(verdicts[decided] == seen[decided], level),
        people=_share(people_prefer, level),
        difference=difference,
        bounds=bounds,
        n_both=int(both.sum()),
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
