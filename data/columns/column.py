"""One column of an uploaded table, seen through its distinct values: no loop here is over rows.

Text comes dictionary-encoded or as plain strings, scores as float64, null is missing; integers, booleans and
other arrow types are taken as they come.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from data.columns.encoding import encode
from data.columns.written_numbers import (
    find_doubtful_comma,
    is_like_number,
    is_number,
    list_comma_readings,
    read_number,
    read_written_numbers,
)
from data.errors import CommaUnclear, DataError
from data.evaluation import MISSING
from data.limits import COLUMN_SAMPLE_ROWS
from text.quoting import quote

FLAGS = {"0": False, "1": True, "0.0": False, "1.0": True, "false": False, "true": True}
"""Cells of a column of one label, without regard to upper and lower case."""
_NAMED = 5
"""Cells that an error names."""
FEWEST_JUDGED = 20
"""Rows from which values are judged; fewer agree by chance now and then."""


@dataclass(frozen=True)
class Distinct:
    """A column as codes into its distinct values.

    Attributes
    ----------
    values : the distinct texts that occur, in no promised order; never empty or blank.
    codes : int32 (n,), index into `values`, MISSING where the cell is null, empty or only spaces.
    """

    values: tuple[str, ...]
    codes: np.ndarray

    @cached_property
    def counts(self) -> np.ndarray:
        """Count the rows of every value, int64 (len(values),)."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.values))

    def rows(self, weights: np.ndarray | None) -> np.ndarray:
        """Count the rows of every value, int64 (len(values),); a line stands for `weights` rows (None = 1)."""
        if weights is None:
            return self.counts
        rows = np.zeros(len(self.values), dtype=np.int64)
        known = self.codes != MISSING
        np.add.at(rows, self.codes[known], weights[known])
        return rows

    @cached_property
    def place(self) -> dict[str, int]:
        """Return the code of every value."""
        return {value: code for code, value in enumerate(self.values)}

    @property
    def n_missing(self) -> int:
        """Count the rows without a value."""
        return int((self.codes == MISSING).sum())

    def first_row(self, code: int) -> int:
        """Return the first row that holds `code`, counted from 1."""
        return int(np.argmax(self.codes == code)) + 1

    def spread(self, of_values: Iterable[Any], missing: Any, dtype: Any = None) -> np.ndarray:
        """Return for every row what belongs to its value, and `missing` where it has none.

        >>> Distinct(("a", "b"), np.array([1, 0, MISSING])).spread([5, 7], 0).tolist()
        [7, 5, 0]
        """
        return np.asarray(np.array([*of_values, missing], dtype=dtype).take(self.codes, mode="wrap"))


def distinct(column: pa.ChunkedArray, *, keep_blank: bool = False) -> Distinct:
    """Dictionary-encode a column of any type as text; blank cells are missing unless `keep_blank`.

    Numbers are written as Python writes them (1.0 stays "1.0"), booleans as "true" and "false".

    >>> d = distinct(pa.chunked_array([["b", "a", None, "b", " "]]))
    >>> sorted(d.values), d.n_missing, d.counts.sum()
    (['a', 'b'], 2, np.int64(3))
    """
    array = encode(column)
    texts = array.dictionary.to_pylist()
    if not pa.types.is_string(array.dictionary.type):
        texts = [_as_text(value) for value in texts]
    indices = array.indices.cast(pa.int32())
    indices = (indices.fill_null(MISSING) if indices.null_count else indices).to_numpy(zero_copy_only=False)
    used = np.zeros(len(texts) + 1, dtype=bool)
    used[indices] = True  # index -1 is the last entry: MISSING
    values: dict[str, int] = {}
    lookup = np.full(len(texts) + 1, MISSING, dtype=np.int32)
    for position in np.flatnonzero(used[:-1]):
        text = texts[position]
        if text is not None and (keep_blank or (text and not text.isspace())):
            lookup[position] = values.setdefault(text, len(values))
    same = np.array_equal(lookup[:-1], np.arange(len(texts)))
    return Distinct(tuple(values), indices if same else lookup.take(indices, mode="wrap"))


def find_first_rows(codes: np.ndarray, n: int) -> np.ndarray:
    """Return the first row of every code from 0 to n - 1; -1 where none has it, and in one place more: int64 (n + 1,).

    >>> find_first_rows(np.array([1, MISSING, 1, 0]), 3).tolist()
    [3, 0, -1, -1]
    """
    first = np.full(n + 1, MISSING, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    first[-1] = MISSING  # that of rows without a code
    return first


def _as_text(value: Any) -> str | None:
    if value is None or value != value:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if value == 0 and isinstance(value, float):
        return "0.0"  # rounding writes -0.0, which is no other number
    return value if isinstance(value, str) else str(value)


def read_numbers(column: pa.ChunkedArray, encoded: Column | None = None) -> np.ndarray:
    """Return the column as float64 (n,), infinite where a filled cell is no finite number.

    85% and 0,5 are read as `read_written_numbers` has them.

    encoded : the same column, where its texts are asked for elsewhere, too: they are then encoded once.
    """
    if pa.types.is_floating(column.type) or pa.types.is_integer(column.type):
        return np.asarray(column.cast(pa.float64(), safe=False).fill_null(np.nan).to_numpy())
    cells = distinct(column) if encoded is None else encoded.distinct
    written = read_written_numbers(cells.values)
    numbers = written[0] if written else [read_number(text) for text in cells.values]
    return np.asarray(np.append(numbers, np.nan)[cells.codes], dtype=np.float64)


def _no_numbers_error(column: pa.ChunkedArray, name: str, rows: np.ndarray) -> DataError:
    """Return the error for cells that are no finite numbers, with the first of them."""
    question = comma_question(column, name)
    if question is not None:
        return question
    cells = [(row + 1, _quote_cell(column[row].as_py())) for row in rows[:_NAMED].tolist()]
    if len(cells) == 1:
        row, text = cells[0]
        return DataError(
            f"Column {quote(name)}, row {row:,}: {text} is not a finite number. A score such as 0.85 was wanted. "
            "Correct the cell, or choose another score column."
        )
    named = ", ".join(f"row {row:,}: {text}" for row, text in cells)
    return DataError(
        f"Column {quote(name)}: {len(rows):,} cells are not a finite number "
        f"({named}{', …' if len(rows) > _NAMED else ''}). A score such as 0.85 was wanted. Correct the cells, or "
        "choose another score column."
    )


def comma_question(column: pa.ChunkedArray, name: str) -> CommaUnclear | None:
    """Return the question whether a column's commas are decimal or between thousands; None where they are clear."""
    doubtful = None if pa.types.is_floating(column.type) else find_doubtful_comma(distinct(column).values)
    if doubtful is None:
        return None
    decimal, grouped = list_comma_readings(doubtful).values()
    return CommaUnclear(
        f"Column {quote(name)}: {quote(doubtful)} may be {decimal} or {grouped}, and no cell says which. Say "
        "whether its comma is decimal (--decimal comma) or between thousands (--decimal point).",
        doubtful,
    )


def _quote_cell(value: str | float) -> str:
    """Quote a cell; of one that was read as infinity, the file may hold a number as large as 1e999."""
    return quote(value, 24) if isinstance(value, str) else "inf (or a number too large)"


class Column:
    """A column with the facts that role detection asks for; each is computed when first asked for."""

    def __init__(self, table: pa.Table, name: str) -> None:
        self.name = name
        self.array: pa.ChunkedArray = table.column(name)
        metadata = table.schema.field(name).metadata or {}
        self.file = metadata.get(b"file", b"").decode()
        self.is_key = b"key" in metadata  # the files were joined on it

    @cached_property
    def distinct(self) -> Distinct:
        """Return the whole column, encoded."""
        return distinct(self.array)

    @cached_property
    def sample(self) -> Distinct:
        """Return at most `COLUMN_SAMPLE_ROWS` rows, evenly spaced: enough to tell what kind of column it is."""
        if self.n_rows <= COLUMN_SAMPLE_ROWS or pa.types.is_dictionary(self.array.type):
            return self.distinct
        return distinct(self._sample_cells)

    @cached_property
    def _sample_cells(self) -> pa.ChunkedArray:
        """Return the cells of the rows of `sample`."""
        if self.n_rows <= COLUMN_SAMPLE_ROWS:
            return self.array
        return self.array.take(pa.array(sample_rows(self.n_rows)))

    @property
    def sample_codes(self) -> np.ndarray:
        """Return the codes of `sample` for the rows that the samples of all columns have in common."""
        codes = self.sample.codes
        return codes if len(codes) <= COLUMN_SAMPLE_ROWS else codes[sample_rows(self.n_rows)]

    @cached_property
    def is_number(self) -> bool:
        """Return whether all cells (of the sample, for text) are numbers."""
        if pa.types.is_floating(self.array.type) or pa.types.is_integer(self.array.type):
            return True
        values = self.sample.values
        return bool(values) and all(map(is_number, values))

    @cached_property
    def is_number_like(self) -> bool:
        """Return whether at least half of the distinct values are numbers, or meant as such: 0,5 or 85%."""
        if pa.types.is_floating(self.array.type):
            return len(self._known_numbers) > 0
        values = self.sample.values
        n_like = sum(is_like_number(value) for value in values)
        return bool(values) and n_like >= len(values) / 2

    @cached_property
    def is_written_number(self) -> bool:
        """Return whether the cells are no plain numbers, but can be read as such: 0,5 or 85%; or sets such as 1,2."""
        return not self.is_number and read_written_numbers(self.sample.values) is not None

    @property
    def holds_numbers(self) -> bool:
        """Return whether the cells are numbers, plain ones or written as 0,5 or 85%."""
        return self.is_number or self.is_written_number

    @cached_property
    def is_finite(self) -> bool:
        """Return whether every filled cell is a finite number."""
        try:
            return len(self.numbers) > 0
        except DataError:
            return False

    @cached_property
    def numbers(self) -> np.ndarray:
        """Return the column as float64 (n,), NaN where there is no number.

        Raises
        ------
        DataError
            cells that are text and no number, or infinite: how many, and the first of them by their rows.
        """
        numbers = read_numbers(self.array, self)
        infinite = np.flatnonzero(np.isinf(numbers))
        if len(infinite):
            raise _no_numbers_error(self.array, self.name, infinite)
        return numbers

    @cached_property
    def sample_numbers(self) -> np.ndarray:
        """Return the numbers of the rows of `sample`, float64; every sample of a table is of the same rows.

        A cell that is no finite number is NaN: it is refused where the scores are read, and there alone.
        """
        read = read_numbers(self._sample_cells, self if self.n_rows <= COLUMN_SAMPLE_ROWS else None)
        return np.where(np.isinf(read), np.nan, read)

    @cached_property
    def range(self) -> tuple[float, float]:
        """Return lowest and highest number, (nan, nan) without numbers."""
        if not pa.types.is_floating(self.array.type):
            finite = self.numbers[~np.isnan(self.numbers)]
            return (float(finite.min()), float(finite.max())) if len(finite) else (np.nan, np.nan)
        import pyarrow.compute as pc  # importing it takes longer than a small file does

        ends = pc.min_max(self.array).as_py()
        return (np.nan, np.nan) if ends["min"] is None else (float(ends["min"]), float(ends["max"]))

    @property
    def is_in_unit_range(self) -> bool:
        """Return whether the cells are numbers from 0 to 1."""
        return self.holds_numbers and self.is_finite and self.range[0] >= 0 and self.range[1] <= 1

    @cached_property
    def _known_numbers(self) -> np.ndarray:
        """Return the numbers of the sample, infinite ones, too; those of texts once each."""
        if pa.types.is_floating(self.array.type):
            numbers = self._sample_cells.drop_null().to_numpy()
        else:
            numbers = np.array([float(text) for text in self.sample.values])
        return np.asarray(numbers[~np.isnan(numbers)])

    @cached_property
    def is_whole(self) -> bool:
        """Return whether every number of the sample is an integer."""
        if not self.is_number:
            return False
        numbers = self._known_numbers
        return bool(np.all(np.isfinite(numbers) & (numbers == np.round(numbers))))

    @cached_property
    def is_flag(self) -> bool:
        """Return whether the cells are 0 and 1, or true and false, and nothing else."""
        if pa.types.is_floating(self.array.type):
            numbers = self._known_numbers
            return len(numbers) > 0 and bool(np.all((numbers == 0) | (numbers == 1)))
        values = self.sample.values
        return 0 < len(values) <= 4 and all(value.casefold() in FLAGS for value in values)

    @cached_property
    def is_continuous(self) -> bool:
        """Return whether numbers are no labels: fractions, many of them."""
        return self.is_number and not self.is_whole

    @property
    def repeats_labels(self) -> bool:
        """Return whether there are two values or more, of which one occurs again: labels, and no texts or ids."""
        return 2 <= len(self.sample.values) < len(self.sample.codes)

    @property
    def mostly_differs(self) -> bool:
        """Return whether most cells of the sample differ, as texts and ids of rows do."""
        return 2 * len(self.sample.values) > len(self.sample.codes)

    @property
    def n_rows(self) -> int:
        """Count the rows of the table."""
        return len(self.array)

    @cached_property
    def is_free(self) -> bool:
        """Return whether more than half of the rows differ (over 20 rows): free text or an id, not a label."""
        if self.n_rows <= 20:
            return False
        share = len(self.sample.values) / len(self.sample.codes)
        if len(self.sample.codes) < self.n_rows and share > 0.9:
            return True  # more labels than are allowed: no need to look at every row
        return share > 0.5 and len(self.distinct.values) > self.n_rows / 2


def sort_pairs(block: Mapping[str, Column], columns: Sequence[Column]) -> tuple[tuple[str, str], ...]:
    """Return (column, label) of the columns of labels, in file order.

    block : the column of each label. columns : those of the file in its order.
    """
    places = {id(column): place for place, column in enumerate(columns)}
    return tuple((column.name, label) for label, column in sorted(block.items(), key=lambda item: places[id(item[1])]))


def holds_text(kind: pa.DataType) -> bool:
    """Return whether cells of a type are texts, encoded or not."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def sample_rows(n: int) -> np.ndarray:
    """Return at most `COLUMN_SAMPLE_ROWS` row numbers, evenly spaced over n rows."""
    return np.arange(n) if n <= COLUMN_SAMPLE_ROWS else np.linspace(0, n - 1, COLUMN_SAMPLE_ROWS).astype(np.int64)


def sums_to(columns: Sequence[Column], total: float, *, logs: bool = False) -> bool:
    """Return whether nearly all rows of two or more columns add up to `total` (rounded scores allowed for).

    logs : their exponentials, as those of log-probabilities do.
    """
    if len(columns) < 2:
        return False
    with np.errstate(over="ignore"):
        numbers = [np.exp(column.sample_numbers) if logs else column.sample_numbers for column in columns]
    sums = np.sum(numbers, axis=0)
    sums = sums[~np.isnan(sums)]
    slack = total * max(0.01 if logs else 0.002, 0.0006 * len(columns))
    return len(sums) > 0 and bool(np.mean(np.abs(sums - total) <= slack) > 0.98)
