"""Slices of rows: the values of a column, its quantile bins, missing ones, and columns crossed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.column import Distinct
from data.columns.run_columns import list_in_file_order
from data.comparison.ratings_table import numbers_of
from data.comparison.row_groups import column_values
from data.errors import DataError
from data.evaluation import MISSING
from text.numbers import count
from text.quoting import quote

BINS = 5
MOST_NUMBERS = 20
"""A column with more different numbers than this is cut into quantile bins."""
MOST_SLICES = 10_000


class Slicing(NamedTuple):
    """Every row in one slice.

    columns : their names. values : one text a column for every slice, None = missing. codes : int64 (n,).
    """

    columns: tuple[str, ...]
    values: tuple[tuple[str | None, ...], ...]
    codes: np.ndarray

    def named(self, place: int) -> dict[str, str | None]:
        """Return {column: value} of a slice."""
        return dict(zip(self.columns, self.values[place], strict=True))


def slices_by(table: pa.Table, text: str) -> Slicing:
    """Return the slices of a column, or of several with commas between them, crossed.

    Raises
    ------
    DataError
        there is no such column, or more slices than rows can tell apart.

    >>> found = slices_by(pa.table({"region": ["eu", None, "us", "eu"]}), "region")
    >>> found.values, found.codes.tolist()
    ((('eu',), ('us',), (None,)), [0, 2, 1, 0])
    """
    columns = (text,) if text in table.column_names else tuple(name.strip() for name in text.split(","))
    parts = [_one_column(table, name) for name in columns]
    if len(parts) == 1:
        return parts[0]
    codes = np.zeros(len(table), dtype=np.int64)
    for part in parts:
        codes = codes * len(part.values) + part.codes
    seen, codes = np.unique(codes, return_inverse=True)
    if len(seen) > MOST_SLICES:
        raise DataError(f"{' × '.join(map(quote, columns))} makes {count(len(seen), 'slice')}: choose other columns.")
    values = []
    for code in seen.tolist():
        own: list[str | None] = []
        for part in reversed(parts):
            code, place = divmod(code, len(part.values))
            own[:0] = part.values[place]
        values.append(tuple(own))
    return Slicing(columns, tuple(values), codes)


def _one_column(table: pa.Table, name: str) -> Slicing:
    found = column_values(table, name, "to slice rows by")
    numbers = numbers_of(found.values)
    if numbers is not None and len(numbers) > MOST_NUMBERS:
        return _binned(name, found, numbers)
    if len(found.values) > MOST_SLICES:
        raise DataError(f"Column {quote(name)} holds {count(len(found.values), 'value')}: choose one with fewer.")
    ordered = list_in_file_order(found) if numbers is None else tuple(found.values[i] for i in np.argsort(numbers))
    place = {value: code for code, value in enumerate(ordered)}
    missing = len(ordered)
    codes = np.array([*(place[value] for value in found.values), missing], dtype=np.int64)[found.codes]
    rest = ((None,),) if (found.codes == MISSING).any() else ()
    return Slicing((name,), (*((value,) for value in ordered), *rest), codes)


def _binned(name: str, found: Distinct, numbers: np.ndarray) -> Slicing:
    """Cut numbers into bins of about equally many rows; equal numbers stay together, ends are numbers of the file."""
    order = np.argsort(numbers)
    rows = found.counts[order]
    share = (np.cumsum(rows) - rows / 2) / rows.sum()
    bins = np.minimum((share * BINS).astype(np.int64), BINS - 1)
    used, bins = np.unique(bins, return_inverse=True)
    values = []
    for place in range(len(used)):
        inside = numbers[order[bins == place]]
        values.append((f"{inside[0]:g} to {inside[-1]:g}",))
    lookup = np.full(len(numbers) + 1, len(used), dtype=np.int64)
    lookup[order] = bins
    rest = [(None,)] if (found.codes == MISSING).any() else []
    return Slicing((name,), (*values, *rest), lookup[found.codes])
