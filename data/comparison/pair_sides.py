"""Read what a file says of the two answers of a pair: which stood first, which is longer, which model wrote which."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.column import Column
from data.columns.role_names import fold
from data.comparison.ratings_table import RatingsTable
from data.evaluation import MISSING
from data.limits import MAX_PAIR_NAMES
from data.roles.rater_columns import ORDERS, SWAPPED, find_sides


class Side(NamedTuple):
    """A trait of one of two answers that a rater may prefer: it stood first, is longer, or is by a model.

    kind : "first", "longer" or "name". name : of the column or what is written in it.
    codes : int (n,), the category of the answer that is so; MISSING where neither or both are.
    """

    kind: str
    name: str
    codes: np.ndarray


def pair_sides(table: pa.Table, found: RatingsTable) -> tuple[tuple[int, int], list[Side]] | None:
    """Return the two categories that name an answer, and what the file says of the answers; None without pairs.

    table : a row a unit.
    """
    stems = find_sides(table, found.categories)
    if not stems:
        return None
    ends = {fold(name): code for code, name in enumerate(found.categories)}
    one_pair = next(iter(stems.values()))
    sides = tuple(ends[fold(name.replace(" ", "_").rpartition("_")[2])] for name in one_pair)
    first = [side for name in table.column_names if fold(name) in ORDERS if (side := _first(table, name, ends))]
    return (sides[0], sides[1]), [*first, *_of_stems(table, stems, (sides[0], sides[1]))]


def _first(table: pa.Table, name: str, ends: dict[str, int]) -> Side | None:
    column = Column(table, name).distinct
    codes = np.array([*(ends.get(fold(value), MISSING) for value in column.values), MISSING], dtype=np.int64)
    return Side("first", name, codes[column.codes]) if (codes >= 0).any() else None


def _of_stems(table: pa.Table, stems: dict[str, tuple[str, str]], sides: tuple[int, int]) -> Iterator[Side]:
    longer: list[Side] = []
    names: list[Side] = []
    for stem, (one, other) in stems.items():
        columns = Column(table, one), Column(table, other)
        if all(column.is_number for column in columns):
            sizes = [column.numbers for column in columns]
            longer.insert(0, Side("longer", stem, _larger(sizes[0], sizes[1], sides)))
        elif any(column.is_free for column in columns):
            lengths = [_lengths(column) for column in columns]
            longer.append(Side("longer", stem, _larger(lengths[0], lengths[1], sides)))
        else:
            names += _names(columns, sides)
    yield from longer[:1]  # counted words rather than characters
    yield from names


def _larger(one: np.ndarray, other: np.ndarray, sides: tuple[int, int]) -> np.ndarray:
    return np.where(one > other, sides[0], np.where(other > one, sides[1], MISSING))


def _lengths(column: Column) -> np.ndarray:
    of = np.array([*map(len, column.distinct.values), np.nan])
    return np.asarray(of[column.distinct.codes])


def _names(columns: tuple[Column, Column], sides: tuple[int, int]) -> Iterator[Side]:
    values = sorted({value for column in columns for value in column.distinct.values})
    if not 2 <= len(values) <= MAX_PAIR_NAMES:
        return
    for value in values:
        one, other = (column.distinct.codes == column.distinct.place.get(value, -9) for column in columns)
        yield Side("name", value, np.where(one & ~other, sides[0], np.where(other & ~one, sides[1], MISSING)))


def find_swapped_raters(raters: tuple[str, ...]) -> dict[int, int]:
    """Return raters who were asked again with the answers swapped: place of the first time → of the second.

    >>> find_swapped_raters(("ann", "judge", "judge_swapped"))
    {1: 2}
    """
    bases = {SWAPPED.sub("", name): place for place, name in enumerate(raters) if SWAPPED.search(name)}
    return {place: bases[name] for place, name in enumerate(raters) if name in bases}
