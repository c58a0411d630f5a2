"""The ratings of several raters in a table: one column for each rater, or one line for each rating."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.column import Distinct
from data.comparison.row_groups import column_values
from data.errors import DataError
from data.evaluation import MISSING
from text.numbers import count
from text.quoting import list_items, quote


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
    found = [column_values(table, name, "of a rater") for name in raters]
    categories, codes = _as_one(found)
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
    categories, one = _as_one([values])
    known = (units.codes != MISSING) & (raters.codes != MISSING) & (one[:, 0] != MISSING)
    place, own = units.codes[known].astype(np.int64) * len(raters.values) + raters.codes[known], one[known, 0]
    flat = np.full(len(units.values) * len(raters.values), MISSING, dtype=np.int32)
    flat[place[::-1]] = own[::-1]
    differs = np.unique(place[flat[place] != own])
    n_again = len(place) - len(np.unique(place))
    flat[differs] = MISSING
    said = []
    if n_again:
        said.append(
            f"{count(n_again, 'rating')} repeat a unit and a rater: equal ones count once; {len(differs):,} that "
            "differ count for nothing."
        )
    if not known.all():
        said.append(f"{count(int((~known).sum()), 'line')} without a unit, a rater or a rating are left out.")
    first = np.zeros(len(units.values), dtype=np.int64)
    rows = np.flatnonzero(units.codes != MISSING)
    first[units.codes[rows][::-1]] = rows[::-1]
    return RatingsTable(raters.values, categories, flat.reshape(len(units.values), -1), first, tuple(said))


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
    found = ratings_of_lines(table, unit, rater, rating)
    rows = table.take(pa.array(found.units)).drop_columns([rater, rating])
    names = np.array([*found.categories, None], dtype=object)
    for place, name in enumerate(found.raters):
        column = f"rater {name}"
        if column in rows.column_names:
            raise DataError(f"There is a column {quote(column)} already; rename it.")
        rows = rows.append_column(column, pa.array(names[found.codes[:, place]].tolist(), pa.string()))
    return rows


def _as_one(columns: Sequence[Distinct]) -> tuple[tuple[str, ...], np.ndarray]:
    """Return categories of several columns, numbers in their order and others sorted; codes int32 (n, columns)."""
    names = {value for column in columns for value in column.values}
    categories = tuple(sorted(names, key=_in_order(names)))
    place = {name: code for code, name in enumerate(categories)}
    codes = np.empty((len(columns[0].codes), len(columns)), dtype=np.int32)
    for at, column in enumerate(columns):
        lookup = np.array([*(place[value] for value in column.values), MISSING], dtype=np.int32)
        codes[:, at] = lookup[column.codes]
    return categories, codes


def _in_order(names: set[str]):  # type: ignore[no-untyped-def]
    return (lambda name: (float(name), name)) if numbers_of(tuple(names)) is not None else str


def numbers_of(categories: Sequence[str]) -> np.ndarray | None:
    """Return the numbers that categories are, float64; None where one is no finite number.

    >>> numbers_of(["1", "2.5"]), numbers_of(["1", "x"])
    (array([1. , 2.5]), None)
    """
    try:
        found = np.array([float(name) for name in categories])
    except ValueError:
        return None
    return found if len(found) and np.isfinite(found).all() else None
