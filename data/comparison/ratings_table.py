"""The ratings of several raters in a table, and what a file says of the two answers of a pair that they rate.

Ratings stand in one column for each rater, or in one line for each rating. Of the two answers of a pair a file may say
which stood first, which is longer, and which model wrote which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.column import Column, Distinct, find_first_rows
from data.columns.rater_columns import ORDERS, SWAPPED, find_sides
from data.columns.role_names import fold
from data.comparison.row_groups import column_values
from data.errors import DataError
from data.evaluation import MISSING
from data.labels.label_merges import describe_merges, resolve_merges
from data.limits import MAX_PAIR_NAMES
from text.numbers import count
from text.quoting import list_items, quote

_LENGTH = re.compile(r"word|token|char|length|len(?![a-z])|size", re.IGNORECASE)
"""In the name of a column that counts how long an answer is."""


class RatingsTable(NamedTuple):
    """Ratings as codes.

    raters, categories : names. codes : int32 (units, raters), MISSING where a rater did not rate.
    units : the first row of the file of every unit, int64. warnings : sentences for a person.
    """

    raters: tuple[str, ...]
    categories: tuple[str, ...]
    codes: np.ndarray
    units: np.ndarray
    warnings: tuple[str, ...]


def ratings_of_columns(table: pa.Table, raters: Sequence[str]) -> RatingsTable:
    """Return the ratings of a file with one column for each rater.

    Raises
    ------
    DataError
        a column is missing, or there are fewer than two.

    >>> ratings_of_columns(pa.table({"a": ["x", "y"], "b": ["x", None]}), ["a", "b"]).codes.tolist()
    [[0, 0], [1, -1]]
    """
    if not 2 <= len(set(raters)) == len(raters):
        raise DataError(f"Name two raters at least, each once; {list_items(raters)} came.")
    rated = [column_values(table, name, "of a rater") for name in raters]
    categories, codes = _as_one(rated)
    return RatingsTable(tuple(raters), categories, codes, np.arange(len(codes)), ())


def ratings_of_lines(table: pa.Table, unit: str, rater: str, rating: str) -> RatingsTable:
    """Return the ratings of a file with one line for each rating.

    A rater who rated a unit twice alike counts once; where the two differ, neither counts.

    Raises
    ------
    DataError
        a column is missing, or there are fewer than two raters.
    """
    units, raters, values = (
        column_values(table, name, what)
        for name, what in ((unit, "of the units"), (rater, "of the raters"), (rating, "of the ratings"))
    )
    if len(raters.values) < 2:
        raise DataError(f"Column {quote(rater)} names {count(len(raters.values), 'rater')}: two are needed at least.")
    categories, rating_codes = _as_one([values])
    known = (units.codes != MISSING) & (raters.codes != MISSING) & (rating_codes[:, 0] != MISSING)
    place, codes = (
        units.codes[known].astype(np.int64) * len(raters.values) + raters.codes[known],
        rating_codes[known, 0],
    )
    flat = np.full(len(units.values) * len(raters.values), MISSING, dtype=np.int32)
    flat[place[::-1]] = codes[::-1]
    differs = np.unique(place[flat[place] != codes])
    n_again = len(place) - len(np.unique(place))
    flat[differs] = MISSING
    remarks = []
    if n_again:
        remarks.append(
            f"{count(n_again, 'rating')} repeat a unit and a rater: equal ones count once; {len(differs):,} that "
            "differ count for nothing."
        )
    if not known.all():
        remarks.append(f"{count(int((~known).sum()), 'line')} without a unit, a rater or a rating are left out.")
    first = find_first_rows(units.codes, len(units.values))[:-1]
    return RatingsTable(raters.values, categories, flat.reshape(len(units.values), -1), first, tuple(remarks))


def merge_categories(table: RatingsTable, merge: Sequence[tuple[str, str]]) -> RatingsTable:
    """Count categories as others; one that counts as "" is a missing rating.

    Raises
    ------
    DataError
        a category is not there, or is merged in a circle or twice.

    >>> ratings = ratings_of_columns(pa.table({"a": ["x", "Tie"], "b": ["tie", "?"]}), ["a", "b"])
    >>> merged = merge_categories(ratings, [("Tie", "tie"), ("?", "")])
    >>> merged.categories, merged.codes.tolist()
    (('tie', 'x'), [[1, 0], [0, -1]])
    """
    spelling = {"ratings": {name: name for name in ("", *table.categories, *(into for _, into in merge))}}
    unknown = [name for name, _ in merge if name not in table.categories]
    if unknown:
        raise DataError(
            f"There is no category {quote(unknown[0])} to merge; the ratings have {list_items(table.categories, 12)}."
        )
    into = resolve_merges(merge, spelling)
    names = [into.get(name, name) for name in table.categories]
    categories = tuple(name for name in _sorted_categories(set(names)) if name)
    place = {name: code for code, name in enumerate(categories)} | {"": MISSING}
    lookup = np.array([*(place[name] for name in names), MISSING], dtype=np.int32)
    kept = [(name, other) for name, other in merge if other]
    dropped = [name for name, other in merge if not other]
    sentences = [describe_merges(kept)] if kept else []
    if dropped:
        sentences.append(f"You counted ratings of {list_items(dropped, 12)} as missing.")
    return table._replace(categories=categories, codes=lookup[table.codes], warnings=(*table.warnings, *sentences))


def order_categories(table: RatingsTable, names: Sequence[str]) -> RatingsTable:
    """Put the categories into an order, which may name some that no rater gave.

    Raises
    ------
    DataError
        a name stands twice, or a category of the ratings is not named.
    """
    missing = [name for name in table.categories if name not in names]
    if missing or len(set(names)) < len(names):
        lacks = f"; {list_items(missing, 12)} lacks" if missing else ""
        raise DataError(f"--order must name every category once{lacks}.")
    lookup = np.array([*(names.index(name) for name in table.categories), MISSING], dtype=np.int32)
    return table._replace(categories=tuple(names), codes=lookup[table.codes])


def widen_lines(table: pa.Table, unit: str, rater: str, rating: str) -> pa.Table:
    """Turn one line for each rating into one row for each unit and one column for each rater.

    The other columns are those of the first line of each unit.

    Raises
    ------
    DataError
        as `ratings_of_lines`.

    >>> lines = pa.table({"item": ["1", "1", "2"], "who": ["ann", "bob", "ann"], "label": ["x", "y", "x"]})
    >>> widen_lines(lines, "item", "who", "label").to_pydict()
    {'item': ['1', '2'], 'rater ann': ['x', 'x'], 'rater bob': ['y', None]}
    """
    ratings = ratings_of_lines(table, unit, rater, rating)
    rows = table.take(pa.array(ratings.units)).drop_columns([rater, rating])
    names = np.array([*ratings.categories, None], dtype=object)
    for place, name in enumerate(ratings.raters):
        column = f"rater {name}"
        if column in rows.column_names:
            raise DataError(f"There is a column {quote(column)} already; rename it.")
        rows = rows.append_column(column, pa.array(names[ratings.codes[:, place]].tolist(), pa.string()))
    return rows


def _as_one(columns: Sequence[Distinct]) -> tuple[tuple[str, ...], np.ndarray]:
    """Return categories of several columns, numbers in their order and others sorted; codes int32 (n, columns)."""
    names = {value for column in columns for value in column.values}
    categories = tuple(_sorted_categories(names))
    place = {name: code for code, name in enumerate(categories)}
    codes = np.empty((len(columns[0].codes), len(columns)), dtype=np.int32)
    for column_index, column in enumerate(columns):
        codes[:, column_index] = column.spread((place[value] for value in column.values), MISSING)
    return categories, codes


def _sorted_categories(names: set[str]) -> list[str]:
    """Sort categories by number if all are numbers, else as text."""
    if numbers_of(tuple(names - {""})) is None:
        return sorted(names)
    return sorted(names, key=lambda name: (float(name or "-inf"), name))


def numbers_of(categories: Sequence[str]) -> np.ndarray | None:
    """Return the numbers that categories are, float64; None where one is no finite number.

    >>> numbers_of(["1", "2.5"]), numbers_of(["1", "x"])
    (array([1. , 2.5]), None)
    """
    try:
        numbers = np.array([float(name) for name in categories])
    except ValueError:
        return None
    return numbers if len(numbers) and np.isfinite(numbers).all() else None


class Side(NamedTuple):
    """A trait of one of two answers that a rater may prefer: it stood first, is longer, or is by a model.

    kind : "first", "longer" or "name". name : of the column or what is written in it.
    codes : int (n,), the category of the answer that is so; MISSING where neither or both are.
    """

    kind: str
    name: str
    codes: np.ndarray


def pair_sides(table: pa.Table, ratings: RatingsTable) -> tuple[tuple[int, int], list[Side]] | None:
    """Return the two categories that name an answer, and what the file says of the answers; None without pairs.

    table : a row a unit.
    """
    sides = find_sides(table, ratings.categories, ratings.raters)
    if sides is None:
        return None
    places = ratings.categories.index(sides.first), ratings.categories.index(sides.second)
    codes = {fold(sides.first): places[0], fold(sides.second): places[1]}
    first = [side for name in table.column_names if fold(name) in ORDERS if (side := _first(table, name, codes))]
    return places, [*first, *_of_stems(table, sides.stems, places)]


def _first(table: pa.Table, name: str, ends: dict[str, int]) -> Side | None:
    column = Column(table, name).distinct
    codes = column.spread((ends.get(fold(value), MISSING) for value in column.values), MISSING)
    return Side("first", name, codes) if (codes >= 0).any() else None


def _of_stems(table: pa.Table, stems: dict[str, tuple[str, str]], sides: tuple[int, int]) -> Iterator[Side]:
    longer: list[Side] = []
    names: list[Side] = []
    for stem, (first, other) in stems.items():
        columns = Column(table, first), Column(table, other)
        if all(column.is_number for column in columns):
            if not _LENGTH.search(stem):
                continue  # such as the scores of a reward model
            sizes = [column.numbers for column in columns]
            longer.insert(0, Side("longer", stem, _larger(sizes[0], sizes[1], sides)))
        elif any(column.is_free for column in columns):
            lengths = [column.distinct.spread(map(len, column.distinct.values), np.nan) for column in columns]
            longer.append(Side("longer", stem, _larger(lengths[0], lengths[1], sides)))
        else:
            names += _names(columns, sides)
    yield from longer[:1]  # counted words rather than characters
    yield from names


def _larger(first: np.ndarray, second: np.ndarray, sides: tuple[int, int]) -> np.ndarray:
    return np.where(first > second, sides[0], np.where(second > first, sides[1], MISSING))


def _names(columns: tuple[Column, Column], sides: tuple[int, int]) -> Iterator[Side]:
    values = sorted({value for column in columns for value in column.distinct.values})
    if not 2 <= len(values) <= MAX_PAIR_NAMES:
        return
    for value in values:
        first, other = (column.distinct.codes == column.distinct.place.get(value, -9) for column in columns)
        yield Side("name", value, np.where(first & ~other, sides[0], np.where(other & ~first, sides[1], MISSING)))


def find_swapped_raters(raters: tuple[str, ...]) -> dict[int, int]:
    """Return raters who were asked again with the answers swapped: place of the first time → of the second.

    >>> find_swapped_raters(("ann", "judge", "judge_swapped"))
    {1: 2}
    """
    bases = {SWAPPED.sub("", name): place for place, name in enumerate(raters) if SWAPPED.search(name)}
    return {place: bases[name] for place, name in enumerate(raters) if name in bases}
