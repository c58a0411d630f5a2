"""Values of keys in the rows of a table in memory, and the rows that hold some of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types as kinds

from data.engines.files.held_columns import encode, is_coded
from data.engines.label_lists import is_label_list, unique_lists, write_lists
from data.engines.query import Condition, Key, Mark
from data.engines.row_query import Among
from data.engines.row_scores import Highest, find_highest, read_scores


def rows_that_meet(table: pa.Table, where: Sequence[Condition]) -> np.ndarray:
    """Return which rows meet all conditions, bool (n,)."""
    kept = np.ones(len(table), bool)
    for column, values in where:
        cells, allowed = _comparable_values(table, column, [value for value in values if value is not None])
        has_allowed_value = pc.fill_null(pc.is_in(cells, value_set=allowed), False)
        has_allowed_gap = pc.and_(pc.is_null(cells), pa.scalar(None in values))
        kept &= pc.or_(has_allowed_value, has_allowed_gap).to_numpy(zero_copy_only=False)
    return kept


def rows_among(table: pa.Table, among: Among) -> np.ndarray:
    """Return which rows have one of the combinations, with a score in its range, bool (n,)."""
    of_rows, wanted = number_combinations(table, among.columns, among.values)
    if among.score is None:
        return np.isin(of_rows, wanted, invert=among.negated)
    score = read_scores(table, among.score).to_numpy(zero_copy_only=False)
    lows, highs = np.array(among.low), np.array(among.high)
    marked = np.zeros(len(table), bool)
    ranges_left = np.arange(len(wanted))
    while len(ranges_left):  # one range of every combination at a time
        ranges = ranges_left[np.unique(wanted[ranges_left], return_index=True)[1]]
        low, high = np.full((2, wanted.max() + 2), np.inf)  # no score is in the range of what is not wanted
        low[wanted[ranges]], high[wanted[ranges]] = lows[ranges], highs[ranges]
        is_wanted = of_rows <= wanted.max()
        to_end = np.isnan(high[of_rows])  # NaN stands above every score
        in_range = (score >= low[of_rows]) & (to_end | (score <= high[of_rows]))
        has_no_score = np.isnan(score) & to_end
        marked |= is_wanted & (in_range | has_no_score)
        ranges_left = np.setdiff1d(ranges_left, ranges)
    return marked ^ among.negated


def number_combinations(
    table: pa.Table, columns: Sequence[Key], combinations: Sequence[tuple[Any, ...]]
) -> tuple[np.ndarray, np.ndarray]:
    """Return equal combinations of values as equal numbers, of the rows and of those that were named.

    A row with another combination has the number after those of all that were named.
    """
    of_rows, wanted = np.zeros(len(table), np.int64), np.zeros(len(combinations), np.int64)
    for column, values in zip(columns, zip(*combinations, strict=True), strict=True):
        cells, listed = _comparable_values(table, column, values)
        known = listed.drop_null().unique()
        n_codes = len(known) + 2  # of the known values, of none and of any other
        of_rows = of_rows * n_codes + _number_values(cells, known)
        wanted = wanted * n_codes + _number_values(listed, known)
        # numbered anew after each column: products of many columns would be too large for int64
        combinations_so_far = np.unique(wanted)
        of_rows, wanted = _places(combinations_so_far, of_rows), _places(combinations_so_far, wanted)
    return of_rows, wanted


def key_values(table: pa.Table, key: Key) -> pa.ChunkedArray:
    """Return the values of a key in every row."""
    if isinstance(key, str):
        return plain_values(table.column(key))
    if isinstance(key, Mark):
        return _mark(plain_values(table.column(key.column)), key)
    if isinstance(key, Highest):
        return pa.chunked_array([find_highest([read_scores(table, column) for column in key.columns])])
    reached = pc.fill_null(pc.greater_equal(read_scores(table, key.column), key.at), False).cast(pa.int32())
    if not key.known_by:
        return reached
    known = pc.coalesce(*(read_scores(table, column) for column in key.known_by))
    return pc.if_else(pc.is_valid(known), reached, pa.scalar(None, pa.int32()))


def _mark(column: pa.ChunkedArray, key: Mark) -> pa.ChunkedArray:
    """Return 1 where a cell is, or holds, one of some values; else 0, and null where it is empty."""
    if kinds.is_dictionary(column.type):  # each different text is looked at once; the last stands for no text
        codes, texts = code_values(column)
        marks = _mark(pa.chunked_array([pa.concat_arrays([texts, pa.nulls(1, texts.type)])]), key)
        return marks.take(codes.fill_null(len(texts)))
    cells = column.combine_chunks()
    lists = cells if key.delimiter is None else pc.split_pattern(cells, key.delimiter)
    if kinds.is_nested(lists.type):
        is_chosen = pc.is_in(lists.flatten(), value_set=pa.array(key.values, lists.type.value_type))
        rows_of_items = pc.list_parent_indices(lists).to_numpy(zero_copy_only=False)
        rows = rows_of_items[is_chosen.to_numpy(zero_copy_only=False)]
        holds = pa.array(np.bincount(rows, minlength=len(lists)) > 0)
    else:
        holds = pc.is_in(cells, value_set=pa.array(key.values, cells.type))
    empty = pc.and_(pc.is_null(cells), key.delimiter is None)
    if key.missing:
        empty = pc.or_(empty, pc.is_in(cells, value_set=pa.array(key.missing, cells.type)))
    return pa.chunked_array([pc.if_else(empty, pa.scalar(None, pa.int32()), holds.cast(pa.int32()))])


def _comparable_values(table: pa.Table, key: Key, wanted: Sequence[Any]) -> tuple[pa.Array | pa.ChunkedArray, pa.Array]:
    """Return the values of a key in every row, and those that are wanted, in one form that Arrow compares.

    Texts are codes, -1 where a wanted one is in no row; lists are texts.
    """
    cells = key_values(table, key)
    if kinds.is_dictionary(cells.type):
        codes, texts = code_values(cells)
        return codes, _find_codes(pa.array(wanted, texts.type), texts)
    values = pa.array(wanted, cells.type)
    if not is_label_list(cells.type):
        return cells, values
    items = values.flatten().unique()
    return write_lists(cells.combine_chunks(), items), write_lists(values, items)


def has_codes(kind: pa.DataType) -> bool:
    """Return whether the values of a key are grouped by codes of different values: texts, and lists of labels."""
    return is_label_list(kind) or kinds.is_dictionary(kind)


def code_values(column: pa.ChunkedArray) -> tuple[pa.Array, pa.Array]:
    """Return the code of every text or list, and what each code stands for; null has no code."""
    if is_label_list(column.type):
        return unique_lists(column.combine_chunks())
    coded = encode(column)
    return coded.indices, coded.dictionary


def _find_codes(texts: pa.Array, known: pa.Array) -> pa.Array:
    """Return the places of texts among known ones, -1 where one is not there; null has none."""
    places = pc.fill_null(pc.index_in(texts, value_set=known), -1)
    return pc.if_else(pc.is_valid(texts), places, pa.scalar(None, pa.int32()))


def _number_values(column: pa.Array | pa.ChunkedArray, known: pa.Array) -> np.ndarray:
    """Return 0 where there is no value, the place in `known` + 1, and the highest number where it is not in there."""
    places = pc.index_in(column, value_set=known)
    places = pc.if_else(pc.is_null(column), -1, places.fill_null(len(known)))
    return np.asarray(places.to_numpy(zero_copy_only=False).astype(np.int64) + 1)


def _places(keys: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the places of values among sorted keys, `len(keys)` where one is not there."""
    place = np.searchsorted(keys, values)
    return np.where(keys[np.minimum(place, len(keys) - 1)] == values, place, len(keys))


def plain_values(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a key's values: NaN is no value, and -0.0 is 0.0."""
    if kinds.is_nested(column.type):
        item = column.type.value_type
        return column.cast(pa.list_(item.value_type if kinds.is_dictionary(item) else item))
    if kinds.is_dictionary(column.type) and not is_coded(column.type):
        column = column.cast(column.type.value_type)
    if not kinds.is_floating(column.type):
        return column
    if kinds.is_float16(column.type):  # which Arrow does not add
        column = column.cast(pa.float32())
    without_negative_zero = pc.add(column, pa.scalar(0, column.type))
    return pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), without_negative_zero)
