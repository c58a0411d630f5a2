"""Give the columns of an answer the types of the files, so that every engine writes labels alike."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
from pyarrow import types as kinds

from data.engines.query import Grouping


def key_columns(asked: Grouping) -> dict[str, str]:
    """Return the column of the files behind each key of an answer, where it is one.

    >>> key_columns(Grouping(("y_true", "y_pred")))
    {'k0': 'y_true', 'k1': 'y_pred'}
    """
    return {f"k{i}": key for i, key in enumerate(asked.keys) if isinstance(key, str)}


def cast_as_in_files(table: pa.Table, schema: pa.Schema, names: Mapping[str, str]) -> pa.Table:
    """Return an answer with the types of the files.

    Spark has no unsigned numbers and no nanoseconds; DuckDB keeps no time zone. names : the column of the files behind
    each column of the answer; others stay as they are.
    """
    for place, column in enumerate(table.column_names):
        answered = table.schema.field(place).type
        kind = schema.field(names[column]).type if column in names else answered
        if kind != answered and not (kinds.is_dictionary(kind) or kinds.is_null(kind)):
            table = table.set_column(place, column, table.column(place).cast(kind, safe=False))
    return table


def keep_times(names: Mapping[str, str], schema: pa.Schema) -> dict[str, str]:
    """Return those columns that are dates or times in the files."""
    return {name: column for name, column in names.items() if kinds.is_temporal(schema.field(column).type)}
