"""The engine for small sources: the asked columns whole in memory, counted by Arrow and NumPy."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types as kinds

from data.engines.files.held_columns import check_held, decode, encode, is_coded, out_of_memory, read_held, text_bytes
from data.engines.join_query import JoinedLines, JoinSide, are_whole, read_joined
from data.engines.key_values import (
    code_values,
    has_codes,
    key_values,
    number_combinations,
    plain_values,
    rows_among,
    rows_that_meet,
)
from data.engines.label_lists import is_number
from data.engines.numbers import read_doubles, write_numbers, write_times
from data.engines.parquet_folder import ParquetFolder
from data.engines.query import (
    ROWS,
    WRONG,
    ColumnFacts,
    Condition,
    Grouping,
    Key,
    check_weights,
    columns_of,
    name_ends,
    take_rows,
)
from data.engines.row_query import RowQuery
from data.engines.row_scores import LARGEST_SPLIT, Softmax, read_scores, splitter
from data.engines.row_source import RowSource
from data.errors import DataError
from data.limits import MAX_COUNTED_ROWS


class MemoryEngine:
    """Reads the columns that a question names, texts as codes, and answers it with arrays."""

    name = "memory"

    def __init__(self, folder: ParquetFolder, memory_bytes: int = 1 << 30) -> None:
        self._folder = folder
        self._memory_bytes = memory_bytes

    def count(self, asked: Grouping) -> pa.Table:
        """Return one line a group, as `Engine.count`."""
        check_weights(asked, self._folder.schema)
        scores = [score for score, _ in asked.scores]
        weights = [] if asked.weights is None else [asked.weights]
        table = self._read([*asked.keys, *weights, *scores], asked.where)
        groups, texts = _code_keys(table, asked.keys)
        key_names = list(groups)
        numbers, sums, end_names = dict[str, Any](), list[tuple[str, str]](), list[str]()
        for i, (name, cut) in enumerate(asked.scores):
            score = numbers[f"score{i}"] = read_scores(table, name)
            groups |= _bin_scores(score, i, asked.bits, cut)
            sums += [(f"score{i}", "min"), (f"score{i}", "max")]
            end_names += name_ends(i)
        numbers["weight"], numbers["wrong"] = _weights(table, asked.weights)
        sums += [("weight", "sum"), ("wrong", "sum")]
        counts = pa.table(groups | numbers).group_by(list(groups)).aggregate(sums).slice(0, asked.most + 1)
        sum_names = [f"{column}_{how}" for column, how in sums]
        counts = counts.select([*key_names, *sum_names]).rename_columns([*key_names, *end_names, ROWS, WRONG])
        for name, values in texts.items():
            codes = counts.column(name).combine_chunks()
            check_held(text_bytes(codes, values), self._memory_bytes)
            counts = counts.set_column(counts.column_names.index(name), name, values.take(codes))
        return counts.drop_columns([WRONG]) if asked.weights is None else take_rows(counts, asked)

    def facts(self, columns: Sequence[str]) -> dict[str, ColumnFacts]:
        """Describe columns over all rows, as `Engine.facts`."""
        table = self._read(columns, ())
        return {name: _describe(table, name) for name in columns}

    def rows(self, asked: RowQuery) -> pa.Table:
        """Return chosen rows, as `Engine.rows`."""
        table = self._read(self._folder.schema.names, asked.where)
        if asked.among is not None:
            table = table.filter(pa.array(rows_among(table, asked.among)))
        if asked.by is not None:
            score = read_scores(table, asked.by).to_numpy(zero_copy_only=False)
            key = _sort_key(score, asked)
            empty = np.isnan(key)  # rows without a score come last
            table = table.take(np.lexsort((np.where(empty, 0, key), empty)))
        if asked.seed is not None:
            table = table.take(np.random.default_rng(asked.seed).permutation(len(table)))
        return decode(table.slice(asked.offset, asked.n), self._folder.schema, self._memory_bytes)

    def join(self, sides: Sequence[JoinSide]) -> JoinedLines:
        """Count joined sources, as `Engine.join`."""
        whole, bytes_left = are_whole(sides), self._memory_bytes
        ids = [f"i{i}" for i in range(len(sides[0].ids))]
        lines_of_sides = []
        for place, side in enumerate(sides):
            table = self._read([*side.ids, *side.keys], side.where, side.source, bytes_left)
            lines = _count_ids(self._write_ids(table, side), side, place, ids, whole=whole)
            bytes_left -= lines.get_total_buffer_size()
            lines_of_sides.append(lines)
        joined = lines_of_sides[0]
        for lines in lines_of_sides[1:]:
            joined = joined.join(lines, ids, join_type="full outer", use_threads=False)
        return read_joined(_group_joined(joined, ids, len(sides)), len(sides))

    def _write_ids(self, table: pa.Table, side: JoinSide) -> pa.Table:
        """Return a table whose ids are texts where they were codes: codes of two sources stand for different texts."""
        schema = table.schema
        for place, field in enumerate(schema):
            if field.name in side.ids and is_coded(field.type):
                schema = schema.set(place, pa.field(field.name, field.type.value_type))
        return decode(table, schema, self._memory_bytes)

    def _read(
        self, keys: Sequence[Key | Softmax], where: Sequence[Condition], folder: RowSource | None = None,
        memory_bytes: int | None = None,
    ) -> pa.Table:  # fmt: skip
        every = [*keys, *(condition.column for condition in where)]
        wanted = dict.fromkeys(column for key in every for column in columns_of(key))
        folder = folder or self._folder
        assert isinstance(folder, ParquetFolder)
        folder.check_unchanged()
        try:
            table = read_held(folder.dataset(), list(wanted), memory_bytes or self._memory_bytes)
        except MemoryError:  # Arrow's own is an ArrowException, too
            raise out_of_memory(self._memory_bytes) from None
        except (pa.ArrowException, OSError):
            raise DataError("A file of the source is damaged: write it again.") from None
        return table.filter(pa.array(rows_that_meet(table, where))) if where else table

    def progress(self) -> float:
        """Return -1: not known."""
        return -1.0

    def cancel(self) -> None:
        """Do nothing: what fits into memory is counted before anybody would wait."""

    def close(self) -> None:
        """Do nothing: nothing is held."""


def _code_keys(table: pa.Table, keys: Sequence[Key]) -> tuple[dict[str, pa.Array], dict[str, pa.Array]]:
    """Return the values of each key in every row, texts and lists as codes, and what these codes stand for."""
    columns, texts = {}, {}
    for i, key in enumerate(keys):
        values = key_values(table, key)
        if has_codes(values.type):
            columns[f"k{i}"], texts[f"k{i}"] = code_values(values)
        else:
            columns[f"k{i}"] = values
    return columns, texts


def _bin_scores(score: pa.ChunkedArray, i: int, bits: int | None, cut: float | None) -> dict[str, pa.Array]:
    """Return the bin of every score, and with a cut its side: 0 below the cut, 1 at it, 2 above."""
    if bits is None:
        return {f"bin{i}": score}
    bins = {f"bin{i}": _round_scores(score, bits)}
    if cut is not None:
        exact = score.to_numpy(zero_copy_only=False)
        bins[f"side{i}"] = pa.array((exact >= cut).astype(np.int8) + (exact > cut))
    return bins


def _round_scores(score: pa.ChunkedArray, bits: int) -> pa.Array:
    """Return scores rounded to their leading bits (see `splitter`)."""
    x = score.to_numpy(zero_copy_only=False)
    with np.errstate(over="ignore", invalid="ignore"):
        product = x * splitter(bits)
        high = np.where(np.abs(x) < LARGEST_SPLIT, product - (product - x), x)
    return pa.array(high, from_pandas=True)


def _weights(table: pa.Table, column: str | None) -> tuple[pa.Array, pa.Array]:
    """Return the rows that every line stands for, and whether that is no number of rows."""
    if column is None:
        return pa.array(np.ones(len(table), np.int64)), pa.array(np.zeros(len(table), np.int64))
    weights = read_doubles(table.column(column)).to_numpy(zero_copy_only=False)
    wrong = ~((weights >= 0) & (weights <= MAX_COUNTED_ROWS) & (weights == np.floor(weights)))
    return pa.array(np.where(wrong, 0.0, weights)), pa.array(wrong.astype(np.int64))


def _describe(table: pa.Table, name: str) -> ColumnFacts:
    """Return how many different values a column has, and the ends of numbers."""
    column = plain_values(table.column(name))
    values = encode(column).indices if kinds.is_dictionary(column.type) else column
    n_distinct = pc.count_distinct(values, mode="only_valid").as_py()
    if not is_number(column.type):
        return ColumnFacts(n_distinct, None, None)
    ends = pc.min_max(read_scores(table, name)).as_py()
    return ColumnFacts(n_distinct, ends["min"], ends["max"])


def _sort_key(score: np.ndarray, asked: RowQuery) -> np.ndarray:
    """Return what rows are sorted by, the smallest first: the score, its negative, or the distance to a score."""
    if asked.order == "highest":
        return -score
    return score if asked.order == "lowest" else np.abs(score - asked.to)


def _count_ids(table: pa.Table, side: JoinSide, place: int, ids: Sequence[str], *, whole: bool) -> pa.Table:
    """Return the lines of every id of one source, as columns that end in its place.

    a : the smallest line. g, z : the smallest and the largest group of its lines. n : its rows.
    """
    of_rows, wanted = number_combinations(table, side.keys, side.lines)
    line, group = np.full((2, len(wanted) + 1), -1)
    line[wanted], group[wanted] = np.arange(len(side.lines)), side.groups
    columns = {name: _ids(table.column(column), whole=whole) for name, column in zip(ids, side.ids, strict=True)}
    columns |= {"line": line[of_rows], "group": group[of_rows]}
    grouped = pa.table(columns).group_by(ids, use_threads=False)
    counted = grouped.aggregate([("line", "min"), ("group", "min"), ("group", "max"), ("line", "count")])
    counted = counted.select(["line_min", "group_min", "group_max", "line_count", *ids])
    return counted.rename_columns([f"a{place}", f"g{place}", f"z{place}", f"n{place}", *ids])


def _ids(column: pa.ChunkedArray, *, whole: bool) -> pa.ChunkedArray:
    """Return ids as numbers where all are whole, else as text, so that 7, 7.0 and "7" meet, and times of any unit."""
    column = plain_values(column)
    if whole:
        return column.cast(pa.int64())
    if kinds.is_floating(column.type) or kinds.is_decimal(column.type):
        return write_numbers(column)
    return write_times(column) if kinds.is_temporal(column.type) else column.cast(pa.string())


def _group_joined(joined: pa.Table, ids: Sequence[str], n_sides: int) -> pa.Table:
    """Return how many ids have which lines, as `read_joined` reads it; joined : the columns of `_count_ids`."""

    def any_of(marks: list[pa.ChunkedArray]) -> pa.ChunkedArray:
        return functools.reduce(pc.or_, [pc.fill_null(mark, False) for mark in marks])

    sides = range(n_sides)
    columns = {f"a{i}": joined.column(f"a{i}") for i in sides}
    columns["repeated"] = any_of([pc.greater(joined.column(f"n{i}"), 1) for i in sides])
    columns["differ"] = any_of([pc.not_equal(joined.column(f"g{i}"), joined.column(f"z{i}")) for i in sides])
    columns["no_id"] = any_of([pc.is_null(joined.column(name)) for name in ids])
    groups = list(columns)
    columns |= {f"n{i}": pc.fill_null(joined.column(f"n{i}"), 0) for i in sides}
    sums = [("n0", "count"), *((f"n{i}", "sum") for i in sides)]
    grouped = pa.table(columns).group_by(groups, use_threads=False).aggregate(sums)
    grouped = grouped.select([*groups, "n0_count", *(f"n{i}_sum" for i in sides)])
    return grouped.rename_columns([*groups, ROWS, *(f"m{i}" for i in sides)])
