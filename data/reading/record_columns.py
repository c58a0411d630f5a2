"""Rows that arrive as dictionaries, collected into columns of text in bounded batches."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from data.errors import DataError
from data.process.limits import Limits
from data.reading.cells import few_valued
from text.numbers import count
from text.quoting import list_items, quote

_BATCH = 20_000
_NOTED_KEYS = 20


class _Column:
    """The cells of one key as text: the finished batches, and the one being filled."""

    def __init__(self) -> None:
        self.chunks: list[pa.Array] = []
        self.n_done = 0  # rows in `chunks`
        self.cells: list[str | None] = []
        self.n_present = 0
        self.first_absent = 0
        self.plain_row = 0
        self.n_nan = 0
        self.first_nan = 0
        self.all_numbers = True
        self.any_fraction = False
        self.codes = True

    def put(self, row: int, n_before: int, text: str | None) -> None:
        """Add the cell of `row`, after `n_before` rows of this batch."""
        if self.n_present < row - 1 and not self.first_absent:
            self.first_absent = self.n_present + 1
        self.cells.extend([None] * (n_before - len(self.cells)))
        self.cells.append(text)
        self.n_present += 1

    def flush(self, n_rows: int, n_batch: int) -> None:
        """Close the batch: `n_batch` rows, `n_rows` in all."""
        absent = n_rows - n_batch - self.n_done
        if absent:  # the key was not in the batches before
            self.chunks.append(pa.nulls(absent, pa.string()))
        batch = pa.array(self.cells + [None] * (n_batch - len(self.cells)), pa.string())
        if not self.chunks:
            self.codes = few_valued(len(batch.unique()), n_batch)
        self.chunks.append(batch)
        self.n_done, self.cells = n_rows, []

    def finished(self, n_rows: int) -> pa.ChunkedArray:
        """Return the column: float64 for numbers with a fraction, codes or text for the rest."""
        missing = n_rows - self.n_done
        chunks = [*self.chunks, pa.nulls(missing, pa.string())] if missing else self.chunks
        column = pa.chunked_array(chunks, pa.string())
        if self.all_numbers and self.any_fraction:
            return column.cast(pa.float64())
        return column.dictionary_encode() if self.codes else column


class Records:
    """A table under construction, one dictionary at a time.

    >>> records = Records(Limits())
    >>> records.add({"y": 1, "p": {"spam": 0.25}})
    >>> records.add({"y": "1", "tags": ["a"]})
    >>> records.table().to_pylist()
    [{'y': '1', 'p.spam': 0.25, 'tags': None}, {'y': '1', 'p.spam': None, 'tags': '["a"]'}]
    """

    def __init__(self, limits: Limits) -> None:
        self.n_rows = 0
        self._columns: dict[str, _Column] = {}
        self._objects: set[str] = set()
        self._n_batch = 0
        self._limits = limits

    def add(self, record: dict[str, Any]) -> None:
        """Append one row.

        Raises
        ------
        DataError
            Naming the row and the key: a key that holds objects in some rows and plain values in others,
            or a dotted key that another key spells as well.
        """
        self.n_rows += 1
        if self.n_rows > self._limits.rows:  # a sentence for every row would take longer than the row
            self._limits.check_rows(self.n_rows, f"it has {self.n_rows:,} rows or more")
        for key, value in record.items():
            if isinstance(value, dict):
                self._put_object(key, value)
            else:
                self._put(key, value)
        self._n_batch += 1
        if self._n_batch == _BATCH:
            self._flush()

    def _put_object(self, key: str, value: dict[str, Any]) -> None:
        if key in self._columns:
            self._check_kind(key)
        self._objects.add(key)
        for inner, cell in value.items():
            name = f"{key}.{inner}"
            self._put(name, cell if not isinstance(cell, dict) else as_json(cell))

    def _check_kind(self, key: str) -> None:
        if self._columns[key].plain_row:
            raise DataError(
                f"row {self.n_rows:,}: {quote(key)} is an object there, but a plain value in row"
                f" {self._columns[key].plain_row:,}; give every row the same."
            )

    def _put(self, key: str, value: Any) -> None:
        column = self._columns.get(key)
        if column is None:
            column = self._new_column(key)
        if len(column.cells) > self._n_batch:
            raise DataError(f"row {self.n_rows:,}: the column {quote(key)} is spelled in two ways, nested and dotted.")
        if value is not None and key in self._objects:
            raise DataError(
                f"row {self.n_rows:,}: {quote(key)} is a plain value there, but an object in rows before;"
                " give every row the same."
            )
        column.put(self.n_rows, self._n_batch, self._text(column, value))

    def _new_column(self, key: str) -> _Column:
        n_columns = len(self._columns) + 1
        if n_columns > self._limits.columns:
            self._limits.check_columns(n_columns, f"it has {n_columns:,} columns (different keys) or more")
        return self._columns.setdefault(key, _Column())

    def _text(self, column: _Column, value: Any) -> str | None:
        if value is None:
            return None
        column.plain_row = column.plain_row or self.n_rows
        if value != value:
            column.n_nan += 1
            column.first_nan = column.first_nan or self.n_rows
            return None
        if isinstance(value, float):
            column.any_fraction |= not value.is_integer()
        elif not isinstance(value, int) or isinstance(value, bool):
            column.all_numbers = False
        return _cell(value)

    def _flush(self) -> None:
        for column in self._columns.values():
            if column.cells:
                column.flush(self.n_rows, self._n_batch)
        self._n_batch = 0

    def warnings(self) -> list[str]:
        """Warn of the keys that hold NaN, which JSON has no word for."""
        with_nan = [(name, column) for name, column in self._columns.items() if column.n_nan]
        shown = [_nan_text(name, column) for name, column in with_nan[:_NOTED_KEYS]]
        rest = [name for name, _ in with_nan[_NOTED_KEYS:]]
        return shown + ([f"NaN also counted as empty under {list_items(rest)}."] if rest else [])

    def table(self) -> pa.Table:
        """Return all rows; a key that held nothing but objects has its dotted columns only."""
        self._flush()
        kept = {name: column for name, column in self._columns.items() if not self._is_shell(name, column)}
        return pa.table({name: column.finished(self.n_rows) for name, column in kept.items()})

    def _is_shell(self, name: str, column: _Column) -> bool:
        return name in self._objects and not column.plain_row

    def notes(self) -> list[str]:
        """Note the keys that some rows lack."""
        lacking = [
            (name, column)
            for name, column in self._columns.items()
            if column.n_present < self.n_rows and not self._is_shell(name, column)
        ]
        shown = [_absent_text(name, column, self.n_rows) for name, column in lacking[:_NOTED_KEYS]]
        rest = [name for name, _ in lacking[_NOTED_KEYS:]]
        return shown + ([f"Some rows also lack {list_items(rest)}."] if rest else [])


def _absent_text(name: str, column: _Column, n_rows: int) -> str:
    n_absent = n_rows - column.n_present
    first = column.first_absent or column.n_present + 1
    return f"The key {quote(name)} is absent from {count(n_absent, 'row')} (first: row {first:,}): empty there."


def _nan_text(name: str, column: _Column) -> str:
    rows = f"in {count(column.n_nan, 'row')} (first: row {column.first_nan:,})"
    return f"The key {quote(name)} holds NaN {rows}, which JSON does not know: counted as empty."


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return as_json(value) if isinstance(value, list) else repr(value)


def as_json(value: Any) -> str:
    """Return compact JSON text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
