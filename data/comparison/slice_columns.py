"""Slices of rows: the values of a column, its bins, missing ones, and columns crossed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.run_columns import list_in_file_order
from data.comparison.ordered_columns import Ordered, cut_bins, read_ordered
from data.comparison.row_groups import check_grouping, column_values
from data.errors import DataError
from data.evaluation import MISSING
from data.limits import MAX_SLICES, MAX_UNCUT_NUMBERS
from text.numbers import count
from text.quoting import quote


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
    if len(seen) > MAX_SLICES:
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
    check_grouping(table, name, "to slice rows by")
    ordered = read_ordered(table.column(name))
    if ordered is not None and (ordered.kind == "date" or len(ordered.values) > MAX_UNCUT_NUMBERS):
        return _binned(name, ordered)
    found = column_values(table, name)
    if len(found.values) > MAX_SLICES:
        raise DataError(f"Column {quote(name)} holds {count(len(found.values), 'value')}: choose one with fewer.")
    numbers = None if ordered is None else [float(value) for value in found.values]
    values = list_in_file_order(found) if numbers is None else tuple(found.values[i] for i in np.argsort(numbers))
    place = {value: code for code, value in enumerate(values)}
    codes = np.array([*(place[value] for value in found.values), MISSING], dtype=np.int64)[found.codes]
    return _with_missing(name, values, codes)


def _binned(name: str, ordered: Ordered) -> Slicing:
    bins = cut_bins(ordered)
    return _with_missing(name, bins.names, np.append(bins.bin_of, MISSING)[ordered.codes])


def _with_missing(name: str, values: tuple[str, ...], codes: np.ndarray) -> Slicing:
    """Give the rows without a value a slice of their own, the last, where there are any."""
    missing = codes == MISSING
    if not missing.any():
        return Slicing((name,), tuple((value,) for value in values), codes)
    return Slicing((name,), (*((value,) for value in values), (None,)), np.where(missing, len(values), codes))
