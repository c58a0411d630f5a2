"""Tables in which no row is known by its place and no cell by how it is written."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa

from data.columns.column import distinct
from data.evaluation import Settings
from data.labels.cell_sets import SetEncoding, members


def rows_sorted(table: pa.Table) -> pa.Table:
    """The rows in an order that only their cells decide: the same for every order of the same rows.

    >>> rows_sorted(pa.table({"y": ["b", None, "a"], "p": [0.1, 0.2, 0.3]})).to_pydict()
    {'y': [None, 'a', 'b'], 'p': [0.2, 0.3, 0.1]}
    """
    keys = [_ranks(column) for column in table.columns]
    return table.take(pa.array(np.lexsort(keys[::-1]))) if keys else table


def _ranks(column: pa.ChunkedArray) -> np.ndarray:
    """The place of every cell among the different cells of a column; nothing at all comes first."""
    if pa.types.is_floating(column.type):
        values = column.to_numpy()
        places = np.unique(values, return_inverse=True)[1].astype(np.int64)
        places[np.asarray(column.is_null())] = -1
        return places
    cells = distinct(column, keep_blank=True)
    place = {value: i for i, value in enumerate(sorted(cells.values))}
    found: np.ndarray = np.array([*(place[value] for value in cells.values), -1], dtype=np.int64)[cells.codes]
    return found


def plain_sets(table: pa.Table, settings: Settings) -> pa.Table:
    """The cells of several labels all written alike: each label once, in sorted order.

    >>> settings = Settings(truth="y", pred="p", encoding="delimited", delimiter=";")
    >>> plain_sets(pa.table({"y": ["b; a;b"], "p": [" ; "]}), settings).to_pydict()
    {'y': ['a;b'], 'p': [None]}
    """
    if settings.encoding == "single":
        return table
    own = settings.encoding, settings.delimiter
    other = (settings.pred_encoding, settings.pred_delimiter) if settings.pred_encoding else own
    for name, (encoding, delimiter) in ((settings.truth, own), (settings.pred, other)):
        if name is not None and encoding in ("delimited", "json"):
            table = _with_plain(table, name, SetEncoding("json" if encoding == "json" else "delimited", delimiter))
    return table


def _with_plain(table: pa.Table, name: str, way: SetEncoding) -> pa.Table:
    cells = distinct(table.column(name))
    written = [_written(members(value, way), way) for value in cells.values]
    texts = pa.array([*written, None], pa.string()).dictionary_encode()
    column = texts.take(pa.array(np.where(cells.codes < 0, len(written), cells.codes)))
    field = table.schema.field(name).with_type(column.type)
    return table.set_column(table.column_names.index(name), field, column)


def _written(labels: tuple[str, ...] | None, way: SetEncoding) -> str | None:
    found = sorted(set(labels or ()))
    return (
        json.dumps(found, ensure_ascii=False) if way.encoding == "json" else (way.delimiter or ",").join(found) or None
    )


def encoded_anew(table: pa.Table) -> pa.Table:
    """The table in one piece, with dictionaries of nothing but the values that its rows hold.

    >>> texts = pa.array(["left", "secret"]).dictionary_encode()
    >>> encoded_anew(pa.table({"y": texts}).slice(0, 1)).column("y").chunk(0).dictionary.to_pylist()
    ['left']
    """
    for place, (field, column) in enumerate(zip(table.schema, table.columns, strict=True)):
        if pa.types.is_dictionary(field.type):
            plain = column.cast(field.type.value_type).combine_chunks()
            table = table.set_column(place, field, pa.chunked_array([plain.dictionary_encode()]).cast(field.type))
    return table.combine_chunks()
