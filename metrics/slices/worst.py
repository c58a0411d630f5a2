"""The worst slices of a search: one line for each finding, with the slices that only repeat it folded into it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrics.limits import TOO_FEW
from metrics.slices.search import SliceSearch, SliceTable, adjust_tables
from metrics.slices.share_tests import share_p_values

SURE = 0.05
_MOST_OF_IT = 0.75
"""Of the rows that a slice loses against the rest: so much has to lie in one crossed slice to be folded into it."""


class Place(NamedTuple):
    """A slice of a search: the table, and the slice's place in it."""

    table: int
    slice: int


class WorseSlice(NamedTuple):
    """A slice that is worse than the other rows, and the slices that only repeat it."""

    place: Place
    folded: tuple[Place, ...]


class Worst(NamedTuple):
    """The slices that stand by themselves, the worst first; places : all that count as worse."""

    lines: tuple[WorseSlice, ...]
    places: frozenset[Place]

    @property
    def n_worse(self) -> int:
        """Return how many slices count as worse."""
        return len(self.places)


def find_worse(search: SliceSearch) -> Worst:
    """Return the slices that are worse than the other rows after correction, and say something of their own.

    A crossed slice stands by itself only where it is also worse than the rest of both slices (after
    Benjamini–Hochberg over all crossed slices); else it is folded into one of them. Where a slice's loss lies in one
    crossed slice alone, its other rows are not worse than the rest: it is folded into that one. Slices are sorted by
    the rows that they lose against the rest at least: the end of the difference's interval nearest to 0, times rows.
    With clusters or weights, rows are divided by the slice's design effect where slices are folded (Rao & Scott 1992).
    Every slice that counts as worse stands in one line, or is folded into one. Others with a p below 5 % do not count:
    in many columns that are random, crossed slices show so in one file of ten.
    """
    single = [table for table in search.tables if len(table.cuts) == 1]
    alone = adjust_tables([table.p for table in single])
    crossed = [table for table in search.tables if len(table.cuts) == 2]
    inside = adjust_tables([_p_inside_parents(search, table) for table in crossed])
    worse = [
        Place(table_place, int(place))
        for table_place, (table, p) in enumerate(zip(search.tables, search.p_adjusted, strict=True))
        for place in np.flatnonzero((p < SURE) & (table.difference < 0))
    ]
    stands = [*alone, *inside]
    parents = [place for place in worse if place.table < len(single) and stands[place.table][place.slice] < SURE]
    kept = [place for place in worse if place.table >= len(single) and stands[place.table][place.slice] < SURE]
    into = {place: child for place in parents if (child := _explained_by(search, place, kept)) is not None}
    for worse_place in worse:
        if worse_place.table >= len(single) and worse_place not in kept:
            above = next((parent for parent in _parents(search, worse_place) if parent in parents), None)
            into |= {} if above is None else {worse_place: above}
    return Worst(_lines(search, [*parents, *kept], into), frozenset([*parents, *kept, *into]))


def _lines(search: SliceSearch, places: list[Place], into: dict[Place, Place]) -> tuple[WorseSlice, ...]:
    """Return a line a slice that is folded into no other."""

    def last(place: Place) -> Place:
        return last(into[place]) if place in into else place

    folded: dict[Place, list[Place]] = {place: [] for place in places if place not in into}
    for place in into:
        folded[last(place)].append(place)
    order = sorted(folded, key=lambda place: (-_least_lost(_table(search, place), place.slice), place))
    return tuple(WorseSlice(place, tuple(sorted(folded[place]))) for place in order)


def _least_lost(table: SliceTable, place: int) -> float:
    return float(-table.difference_bounds.high[place] * table.whole[place])


def _table(search: SliceSearch, place: Place) -> SliceTable:
    return search.tables[place.table]


def _parents(search: SliceSearch, place: Place) -> list[Place]:
    """Return the two slices that a crossed slice lies in; tables of single columns come first, in their order."""
    first, second = _table(search, place).cuts
    n_second = len(search.tables[second].n)
    return [Place(first, place.slice // n_second), Place(second, place.slice % n_second)]


def _p_inside_parents(search: SliceSearch, table: SliceTable) -> np.ndarray:
    """Return p of every crossed slice against the rest of the slices that it lies in, the larger of the two.

    1 where it is not worse than either rest; NaN where it, or one of them, has too few rows.
    """
    p_inside = table.p.copy()
    shape = tuple(len(search.tables[cut].n) for cut in table.cuts)
    for axis, cut in enumerate(table.cuts):
        parent = search.tables[cut]
        lies_in = np.indices(shape)[axis].ravel()
        part, whole, n_whole = (
            column[lies_in] - inside
            for column, inside in (
                (parent.part, table.part), (parent.whole, table.whole), (parent.n_whole, table.n_whole)
            )
        )  # fmt: skip
        p, _ = share_p_values(*(rows / table.effect for rows in (part, whole, table.part, table.whole)))
        with np.errstate(divide="ignore", invalid="ignore"):
            p[table.part / table.whole >= part / whole] = 1.0
        p[np.minimum(n_whole, table.n_whole) < TOO_FEW] = np.nan
        p_inside = np.maximum(p_inside, p)  # NaN stays
    return p_inside


def _explained_by(search: SliceSearch, parent: Place, kept: list[Place]) -> Place | None:
    """Return the crossed slice without which a slice is not worse than the rows outside it; None = there is none."""
    children = [place for place in kept if parent in _parents(search, place)]
    if not children:
        return None
    child = min(children, key=lambda place: _table(search, place).p[place.slice])
    table, of_child = _table(search, parent), _table(search, child)
    part = table.part[parent.slice] - of_child.part[child.slice]
    whole = table.whole[parent.slice] - of_child.whole[child.slice]
    n = table.n_whole[parent.slice] - of_child.n_whole[child.slice]
    rest_part, rest = (column.sum() - column[parent.slice] for column in (table.part, table.whole))
    effect = table.effect[parent.slice]
    p = _p(*(rows / effect for rows in (rest_part, rest, part, whole)))
    still_worse = n >= TOO_FEW and part / whole < rest_part / rest and p < SURE
    lost = table.whole[parent.slice] * rest_part / rest - table.part[parent.slice]
    in_child = of_child.whole[child.slice] * rest_part / rest - of_child.part[child.slice]
    return None if still_worse or in_child < _MOST_OF_IT * lost else child


def _p(part_a: float, whole_a: float, part_b: float, whole_b: float) -> float:
    """Return the two-sided p of two shares."""
    return float(share_p_values(*(np.array([float(x)]) for x in (part_a, whole_a, part_b, whole_b)))[0][0])
