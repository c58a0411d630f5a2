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
from data.engines.label_lists import is_label_list, is_number, unique_lists, write_lists
from data.engines.numbers import read_doubles, write_numbers, write_times
from data.engines.parquet_folder import ParquetFolder
from data.engines.query import (
    ROWS,
    WRONG,
    ColumnFacts,
    Condition,
    Grouping,
    Key,
    Mark,
    check_weights,
    columns_of,
    name_ends,
    take_rows,
)
from data.engines.row_query import Among, RowQuery
from data.engines.row_scores import LARGEST_SPLIT, Highest, Softmax, find_highest, read_scores, splitter
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
        numbers = [*filter(None, [asked.weights]), *(score for score, _ in asked.scores)]
        table = self._read([*asked.keys, *numbers], asked.where)
        columns = {f"k{i}": _values(table, key) for i, key in enumerate(asked.keys)}
        coded = {name: _code(column) for name, column in columns.items() if _has_codes(column.type)}
        columns |= {name: codes for name, (codes, _) in coded.items()}
        groups, sums, ends = list(columns), list[tuple[str, str]](), list[str]()
        for i, (name, cut) in enumerate(asked.scores):
            score = columns[f"score{i}"] = read_scores(table, name)
            columns[f"bin{i}"] = score if asked.bits is None else _round_scores(score, asked.bits)
            groups.append(f"bin{i}")
            if cut is not None and asked.bits is not None:
                plain = score.to_numpy(zero_copy_only=False)
                columns[f"side{i}"] = pa.array((plain >= cut).astype(np.int8) + (plain > cut))
                groups.append(f"side{i}")
            sums += [(f"score{i}", "min"), (f"score{i}", "max")]
            ends += name_ends(i)
        columns["weight"], columns["wrong"] = _weights(table, asked.weights)
        sums += [("weight", "sum"), ("wrong", "sum")]
        counts = pa.table(columns).group_by(groups).aggregate(sums).slice(0, asked.most + 1)
        names = [f"k{i}" for i in range(len(asked.keys))]
        aggregated = [f"{column}_{how}" for column, how in sums]
        counts = counts.select([*names, *aggregated]).rename_columns([*names, *ends, ROWS, WRONG])
        for name, (_, values) in coded.items():
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
            table = table.filter(pa.array(_mark_combinations(table, asked.among)))
        if asked.by is not None:
            score = read_scores(table, asked.by).to_numpy(zero_copy_only=False)
            key = _sort_key(score, asked)
            empty = np.isnan(key)
            table = table.take(np.lexsort((np.where(empty, 0, key), empty)))
        if asked.seed is not None:
            table = table.take(np.random.default_rng(asked.seed).permutation(len(table)))
        return decode(table.slice(asked.offset, asked.n), self._folder.schema, self._memory_bytes)

    def join(self, sides: Sequence[JoinSide]) -> JoinedLines:
        """Count joined sources, as `Engine.join`."""
        whole, bytes_left = are_whole(sides), self._memory_bytes
        ids = [f"i{i}" for i in range(len(sides[0].ids))]
        counted = []
        for place, side in enumerate(sides):
            table = self._read([*side.ids, *side.keys], side.where, side.source, bytes_left)
            ids_of_side = _count_ids(self._write_ids(table, side), side, ids, whole=whole)
            bytes_left -= ids_of_side.get_total_buffer_size()
            counted.append(ids_of_side.rename_columns([f"a{place}", f"g{place}", f"z{place}", f"n{place}", *ids]))
        joined = counted[0]
        for ids_of_side in counted[1:]:
            joined = joined.join(ids_of_side, ids, join_type="full outer", use_threads=False)
        return read_joined(_group_joined(joined, ids, len(sides)), len(sides))

    def _write_ids(self, table: pa.Table, side: JoinSide) -> pa.Table:
        """Return a table whose ids are texts where they were codes: the codes of two sources differ."""
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
        return table.filter(pa.array(_all_of(table, where))) if where else table

    def progress(self) -> float:
        """Return -1: not known."""
        return -1.0

    def cancel(self) -> None:
        """Do nothing: what fits into memory is counted before anybody would wait."""

    def close(self) -> None:
        """Do nothing: nothing is held."""


def _describe(table: pa.Table, name: str) -> ColumnFacts:
    """Return how many different values a column has, and the ends of numbers."""
    column = _plain(table.column(name))
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


def _count_ids(table: pa.Table, side: JoinSide, ids: Sequence[str], *, whole: bool) -> pa.Table:
    """Return the smallest line of every id, the smallest and the largest number of its lines, and its rows."""
    row, known = _number_combinations(table, side.keys, side.lines)
    line, group = np.full((2, len(known) + 1), -1)
    line[known], group[known] = np.arange(len(side.lines)), side.groups
    columns = {name: _ids(table.column(column), whole=whole) for name, column in zip(ids, side.ids, strict=True)}
    grouped = pa.table(columns | {"line": line[row], "group": group[row]}).group_by(ids, use_threads=False)
    counted = grouped.aggregate([("line", "min"), ("group", "min"), ("group", "max"), ("line", "count")])
    return counted.select(["line_min", "group_min", "group_max", "line_count", *ids])


def _ids(column: pa.ChunkedArray, *, whole: bool) -> pa.ChunkedArray:
    """Return ids as numbers where all are whole, else as text, so that 7, 7.0 and "7" meet, and times of any unit."""
    column = _plain(column)
    if whole:
        return column.cast(pa.int64())
    if kinds.is_floating(column.type) or kinds.is_decimal(column.type):
        return write_numbers(column)
    return write_times(column) if kinds.is_temporal(column.type) else column.cast(pa.string())


def _group_joined(joined: pa.Table, ids: Sequence[str], n_sides: int) -> pa.Table:
    """Return how many ids have which lines, as `read_joined` reads it."""

    def any_of(marks: list[pa.ChunkedArray]) -> pa.ChunkedArray:
        return functools.reduce(pc.or_, [pc.fill_null(mark, False) for mark in marks])

    every = range(n_sides)
    columns = {f"a{i}": joined.column(f"a{i}") for i in every}
    columns["repeated"] = any_of([pc.greater(joined.column(f"n{i}"), 1) for i in every])
    columns["differ"] = any_of([pc.not_equal(joined.column(f"g{i}"), joined.column(f"z{i}")) for i in every])
    columns["no_id"] = any_of([pc.is_null(joined.column(name)) for name in ids])
    groups = list(columns)
    columns |= {f"n{i}": pc.fill_null(joined.column(f"n{i}"), 0) for i in every}
    wanted = [("n0", "count"), *((f"n{i}", "sum") for i in every)]
    grouped = pa.table(columns).group_by(groups, use_threads=False).aggregate(wanted)
    grouped = grouped.select([*groups, "n0_count", *(f"n{i}_sum" for i in every)])
    return grouped.rename_columns([*groups, ROWS, *(f"m{i}" for i in every)])


def _all_of(table: pa.Table, where: Sequence[Condition]) -> np.ndarray:
    """Return which rows meet all conditions."""
    kept = np.ones(len(table), bool)
    for column, values in where:
        cell, allowed = _comparable(table, column, [v for v in values if v is not None])
        chosen = pc.is_in(cell, value_set=allowed)
        empty = pc.and_(pc.is_null(cell), pa.scalar(None in values))
        kept &= pc.or_(pc.fill_null(chosen, False), empty).to_numpy(zero_copy_only=False)
    return kept


def _mark_combinations(table: pa.Table, among: Among) -> np.ndarray:
    """Return which rows have one of the combinations, with a score in its range."""
    row, wanted = _number_combinations(table, among.columns, among.values)
    if among.score is None:
        return np.isin(row, wanted, invert=among.negated)
    score = read_scores(table, among.score).to_numpy(zero_copy_only=False)
    marked = np.zeros(len(table), bool)
    left = np.arange(len(wanted))
    while len(left):  # one range of every combination at a time
        first = left[np.unique(wanted[left], return_index=True)[1]]
        low, high = np.full((2, wanted.max() + 2), np.inf)
        low[wanted[first]], high[wanted[first]] = np.array(among.low)[first], np.array(among.high)[first]
        to_end = np.isnan(high[row])  # NaN stands above every score
        marked |= (row <= wanted.max()) & (
            ((score >= low[row]) & (to_end | (score <= high[row]))) | (np.isnan(score) & to_end)
        )
        left = np.setdiff1d(left, first)
    return marked ^ among.negated


def _number_combinations(
    table: pa.Table, columns: Sequence[Key], combinations: Sequence[tuple[Any, ...]]
) -> tuple[np.ndarray, np.ndarray]:
    """Return equal combinations of values as equal numbers, of the rows and of those that were named."""
    row, wanted = np.zeros(len(table), np.int64), np.zeros(len(combinations), np.int64)
    for name, values in zip(columns, zip(*combinations, strict=True), strict=True):
        cell, listed = _comparable(table, name, values)
        known = listed.drop_null().unique()
        n_codes = len(known) + 2  # of the known values, of none and of any other
        row, wanted = row * n_codes + _codes(cell, known), wanted * n_codes + _codes(listed, known)
        combinations_so_far = np.unique(wanted)
        row, wanted = _places(combinations_so_far, row), _places(combinations_so_far, wanted)
    return row, wanted


def _values(table: pa.Table, key: Key) -> pa.ChunkedArray:
    """Return the values of a key in every row."""
    if isinstance(key, str):
        return _plain(table.column(key))
    if isinstance(key, Mark):
        return _mark(_plain(table.column(key.column)), key)
    if isinstance(key, Highest):
        return pa.chunked_array([find_highest([read_scores(table, column) for column in key.columns])])
    reached = pc.fill_null(pc.greater_equal(read_scores(table, key.column), key.at), False).cast(pa.int32())
    if not key.known_by:
        return reached
    known = pc.coalesce(*(read_scores(table, column) for column in key.known_by))
    return pc.if_else(pc.is_valid(known), reached, pa.scalar(None, pa.int32()))


def _mark(column: pa.ChunkedArray, key: Mark) -> pa.ChunkedArray:
    """Return 1 where a cell is, or holds, one of some values."""
    if kinds.is_dictionary(column.type):  # each different text is looked at once; the last stands for no text
        codes, texts = _code(column)
        marks = _mark(pa.chunked_array([pa.concat_arrays([texts, pa.nulls(1, texts.type)])]), key)
        return marks.take(codes.fill_null(len(texts)))
    cells = column.combine_chunks()
    lists = cells if key.delimiter is None else pc.split_pattern(cells, key.delimiter)
    if kinds.is_nested(lists.type):
        chosen = pc.is_in(lists.flatten(), value_set=pa.array(key.values, lists.type.value_type))
        rows = pc.list_parent_indices(lists).to_numpy(zero_copy_only=False)[chosen.to_numpy(zero_copy_only=False)]
        holds = pa.array(np.bincount(rows, minlength=len(lists)) > 0)
    else:
        holds = pc.is_in(cells, value_set=pa.array(key.values, cells.type))
    empty = pc.and_(pc.is_null(cells), key.delimiter is None)
    empty = pc.or_(empty, pc.is_in(cells, value_set=pa.array(key.missing, cells.type))) if key.missing else empty
    return pa.chunked_array([pc.if_else(empty, pa.scalar(None, pa.int32()), holds.cast(pa.int32()))])


def _comparable(table: pa.Table, key: Key, wanted: Sequence[Any]) -> tuple[pa.Array | pa.ChunkedArray, pa.Array]:
    """Return the values of a key in every row, and those that are wanted, lists as texts."""
    cell = _values(table, key)
    if kinds.is_dictionary(cell.type):
        codes, texts = _code(cell)
        return codes, _find_codes(pa.array(wanted, texts.type), texts)
    values = pa.array(wanted, cell.type)
    if not is_label_list(cell.type):
        return cell, values
    items = values.flatten().unique()
    return write_lists(cell.combine_chunks(), items), write_lists(values, items)


def _has_codes(kind: pa.DataType) -> bool:
    """Return whether the values of a key are grouped by codes of different values: texts, and lists of labels."""
    return is_label_list(kind) or kinds.is_dictionary(kind)


def _code(column: pa.ChunkedArray) -> tuple[pa.Array, pa.Array]:
    """Return the code of every text or list, and what each code stands for; null has no code."""
    if is_label_list(column.type):
        return unique_lists(column.combine_chunks())
    coded = encode(column)
    return coded.indices, coded.dictionary


def _find_codes(texts: pa.Array, known: pa.Array) -> pa.Array:
    """Return the places of texts among known ones, -1 where one is not there; null has none."""
    places = pc.fill_null(pc.index_in(texts, value_set=known), -1)
    return pc.if_else(pc.is_valid(texts), places, pa.scalar(None, pa.int32()))


def _codes(column: pa.Array | pa.ChunkedArray, known: pa.Array) -> np.ndarray:
    """Return 0 where there is no value, the place in `known` + 1, and the highest number where it is not in there."""
    positions = pc.index_in(column, value_set=known)
    positions = pc.if_else(pc.is_null(column), -1, positions.fill_null(len(known)))
    return np.asarray(positions.to_numpy(zero_copy_only=False).astype(np.int64) + 1)


def _places(keys: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the places of values among sorted keys, `len(keys)` where one is not there."""
    place = np.searchsorted(keys, values)
    return np.where(keys[np.minimum(place, len(keys) - 1)] == values, place, len(keys))


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a key's values: NaN is no value, and -0.0 is 0.0."""
    if kinds.is_nested(column.type):
        item = column.type.value_type
        return column.cast(pa.list_(item.value_type if kinds.is_dictionary(item) else item))
    if kinds.is_dictionary(column.type) and not is_coded(column.type):
        column = column.cast(column.type.value_type)
    if not kinds.is_floating(column.type):
        return column
    column = column.cast(pa.float32()) if kinds.is_float16(column.type) else column
    return pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), pc.add(column, pa.scalar(0, column.type)))


def _weights(table: pa.Table, column: str | None) -> tuple[pa.Array, pa.Array]:
    """Return the rows that every line stands for, and whether that is no number of rows."""
    if column is None:
        return pa.array(np.ones(len(table), np.int64)), pa.array(np.zeros(len(table), np.int64))
    weights = read_doubles(table.column(column)).to_numpy(zero_copy_only=False)
    wrong = ~((weights >= 0) & (weights <= MAX_COUNTED_ROWS) & (weights == np.floor(weights)))
    return pa.array(np.where(wrong, 0.0, weights)), pa.array(wrong.astype(np.int64))


def _round_scores(score: pa.ChunkedArray, bits: int) -> pa.Array:
    """Return scores rounded to their leading bits (see `splitter`)."""
    x = score.to_numpy(zero_copy_only=False)
    with np.errstate(over="ignore", invalid="ignore"):
        product = x * splitter(bits)
        high = np.where(np.abs(x) < LARGEST_SPLIT, product - (product - x), x)
    return pa.array(high, from_pandas=True)
