"""Slices of rows: the values of a column, its bins, missing ones, columns crossed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.column import Column
from data.columns.table_metadata import rows_left_out
from data.comparison.ordered_columns import cut_bins, read_ordered
from data.comparison.row_groups import check_grouping
from data.errors import DataError
from data.evaluation import MISSING, Evaluation
from data.limits import MAX_SLICES, MAX_UNCUT_NUMBERS
from data.roles.run_columns import list_in_file_order
from text.json_text import read_json
from text.numbers import count
from text.quoting import quote

_OF_THE_NUMBERS = ("truth", "prediction", "score", "highest score", "raw", "id", "rows per line")
"""Roles that numbers are made of; clusters, epochs, seeds and folds are slices."""


class Slicing(NamedTuple):
    """Every row in one slice.

    columns : their names. values : one text a column for every slice, None = missing. codes : int64 (n,).
    has_dates : whether the values are dates, of one column.
    """

    columns: tuple[str, ...]
    values: tuple[tuple[str | None, ...], ...]
    codes: np.ndarray
    has_dates: bool = False

    def named(self, place: int) -> dict[str, str | None]:
        """Return {column: value} of a slice."""
        return dict(zip(self.columns, self.values[place], strict=True))

    def conditions(self, place: int) -> tuple[tuple[str, str], ...]:
        """Return (column, value) of a slice as filters have them; "" = missing."""
        return tuple((column, value or "") for column, value in self.named(place).items())

    def without_rows(self) -> Slicing:
        """Return the slices alone: a result that is kept needs no code of every row.

        >>> slices_by(pa.table({"region": ["eu", "us"]}), "region").without_rows().codes.size
        0
        """
        return self._replace(codes=np.empty(0, dtype=np.int64))


def other_columns(evaluation: Evaluation) -> tuple[str, ...]:
    """Return the columns without a role in the numbers; none where the rows were left out."""
    if rows_left_out(evaluation):
        return ()
    names = set(evaluation.rows.column_names)
    return tuple(
        role.column
        for role in evaluation.receipt.roles
        if role.column in names and not role.role.startswith(_OF_THE_NUMBERS)
    )


def slices_by(table: pa.Table, text: str, weights: np.ndarray | None = None) -> Slicing:
    """Return the slices of a column, or of several with commas between them or in a JSON list, crossed.

    weights : rows of every line, None = one each; bins of numbers hold about equally many rows.

    Raises
    ------
    DataError
        there is no such column, or more slices than rows can tell apart.

    >>> slicing = slices_by(pa.table({"region": ["eu", None, "us", "eu"]}), "region")
    >>> slicing.values, slicing.codes.tolist()
    ((('eu',), ('us',), (None,)), [0, 2, 1, 0])
    """
    columns = read_columns(text, table.column_names)
    parts = []
    for name in columns:
        check_grouping(table, name, "to slice rows by")
        parts.append(slice_column(Column(table, name), weights))
    if len(parts) == 1:
        return parts[0]
    codes = np.zeros(len(table), dtype=np.int64)
    for part in parts:  # one number a combination, whose digits are the slices of the columns
        codes = codes * len(part.values) + part.codes
    combinations, codes = np.unique(codes, return_inverse=True)
    if len(combinations) > MAX_SLICES:
        raise DataError(
            f"{' × '.join(map(quote, columns))} makes {count(len(combinations), 'slice')}: choose other columns."
        )
    values = []
    for combination in combinations.tolist():
        cells: list[str | None] = []
        for part in reversed(parts):
            combination, place = divmod(combination, len(part.values))
            cells[:0] = part.values[place]
        values.append(tuple(cells))
    return Slicing(columns, tuple(values), codes)


def read_columns(text: str, names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the columns that a text names, of the columns of a table: one, or several that are crossed.

    >>> read_columns("region,day"), read_columns("size, cm", ["size, cm"]), read_columns('["size, cm", "day"]')
    (('region', 'day'), ('size, cm',), ('size, cm', 'day'))
    """
    listed = read_json(text) if text.startswith("[") and text not in names else None
    if isinstance(listed, list) and listed and all(isinstance(name, str) for name in listed):
        return tuple(listed)
    return (text,) if text in names else tuple(name.strip() for name in text.split(","))


def write_columns(columns: Sequence[str], names: Sequence[str]) -> str:
    """Return the text that `slices_by` reads as these of the columns of a table.

    >>> write_columns(["region", "day"], ["region", "day"]), write_columns(["size, cm", "day"], ["size, cm", "day"])
    ('region,day', '["size, cm", "day"]')
    """
    text = ",".join(columns)
    return text if read_columns(text, names) == tuple(columns) else json.dumps(list(columns), ensure_ascii=False)


def slice_column(column: Column, weights: np.ndarray | None) -> Slicing:
    """Return the slices of a column: its values, or bins of dates and of many numbers; weights as in `slices_by`."""
    name, ordered = column.name, read_ordered(column.array, column)
    if ordered is not None and (ordered.kind == "date" or len(ordered.values) > MAX_UNCUT_NUMBERS):
        bins = cut_bins(ordered, weights)
        slicing = _with_missing(name, bins.names, np.append(bins.bin_of, MISSING)[ordered.codes])
        return slicing._replace(has_dates=ordered.kind == "date")
    cells = column.distinct
    if len(cells.values) > MAX_SLICES:
        raise DataError(f"Column {quote(name)} holds {count(len(cells.values), 'value')}: choose one with fewer.")
    values = list_in_file_order(cells) if ordered is None else tuple(sorted(cells.values, key=float))
    place = {value: code for code, value in enumerate(values)}
    codes = cells.spread((place[value] for value in cells.values), MISSING)
    return _with_missing(name, values, codes)


def _with_missing(name: str, values: tuple[str, ...], codes: np.ndarray) -> Slicing:
    """Give the rows without a value a slice of their own, the last, where there are any."""
    missing = codes == MISSING
    if not missing.any():
        return Slicing((name,), tuple((value,) for value in values), codes)
    return Slicing((name,), (*((value,) for value in values), (None,)), np.where(missing, len(values), codes))
