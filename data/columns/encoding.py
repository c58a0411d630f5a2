"""Encode the texts of a column as codes, and exchange them."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa


def encode(column: pa.ChunkedArray) -> pa.DictionaryArray:
    """Return a column as codes into its distinct values, in one piece; null has no code."""
    column = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    if pa.types.is_null(column.type):
        column = column.cast(pa.string())
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    array = column.unify_dictionaries().combine_chunks()
    if isinstance(array, pa.ChunkedArray):  # a table without rows has no chunk to combine
        array = array.chunk(0) if array.num_chunks else pa.array([], pa.string()).dictionary_encode()
    return array


def replace_texts(table: pa.Table, name: str, texts: Mapping[str, str | None]) -> pa.Table:
    """Return the table with other texts in a column; `texts` gives that of each text there, None = an empty cell.

    >>> replace_texts(pa.table({"y": ["1:a", "2:b", None]}), "y", {"1:a": "a", "2:b": None}).to_pydict()
    {'y': ['a', None, None]}
    """
    place = table.schema.get_field_index(name)
    field, column = table.schema.field(place), encode(table.column(place))
    cells = pa.array([texts.get(text) for text in column.dictionary.to_pylist()], pa.string()).take(column.indices)
    if pa.types.is_dictionary(field.type):
        cells = cells.dictionary_encode()
    return table.set_column(place, field.with_type(cells.type), pa.chunked_array([cells]))
