"""Write rows in one form and one order, which only their cells decide: neither says how the rows stood before."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa

from data.columns.column import distinct
from data.evaluation import Settings
from data.labels.cell_sets import SetEncoding, read_members


def number_clusters(table: pa.Table, codes: np.ndarray, n: int) -> np.ndarray:
    """Number clusters by the cells of their rows: the same for every order of the same rows.

    codes : int64 (rows,), the cluster of every row, 0 to n - 1. Returns int64 (rows,).

    >>> number_clusters(pa.table({"y": ["b", "a", "b"]}), np.array([0, 1, 1]), 2)
    array([1, 0, 0])
    """
    cells = np.stack([_rank_cells(column) for column in table.columns])
    order = np.lexsort(cells[::-1])
    differs = (cells[:, order[1:]] != cells[:, order[:-1]]).any(axis=0)
    ranks = np.zeros(len(order), dtype=np.int64)
    ranks[order[1:]] = np.cumsum(differs)
    ends = np.cumsum(np.bincount(codes, minlength=n))[:-1]
    members = [part.tolist() for part in np.split(ranks[np.lexsort((ranks, codes))], ends)]
    numbers = np.empty(n, dtype=np.int64)
    numbers[sorted(range(n), key=members.__getitem__)] = np.arange(n)
    return np.asarray(numbers[codes])


def sort_rows(table: pa.Table) -> pa.Table:
    """Sort the rows in an order that only their cells decide: the same for every order of the same rows.

    >>> sort_rows(pa.table({"y": ["b", None, "a"], "p": [0.1, 0.2, 0.3]})).to_pydict()
    {'y': [None, 'a', 'b'], 'p': [0.2, 0.3, 0.1]}
    """
    keys = [_rank_cells(column) for column in table.columns]
    return table.take(pa.array(np.lexsort(keys[::-1]))) if keys else table


def _rank_cells(column: pa.ChunkedArray) -> np.ndarray:
    """Return the place of every cell among the different cells of a column; nothing at all comes first."""
    if pa.types.is_floating(column.type):
        values = column.to_numpy()
        places = np.unique(values, return_inverse=True)[1].astype(np.int64)
        places[np.asarray(column.is_null())] = -1
        return places
    cells = distinct(column, keep_blank=True)
    place = {value: i for i, value in enumerate(sorted(cells.values))}
    return cells.spread((place[value] for value in cells.values), -1)


def normalise_sets(table: pa.Table, settings: Settings) -> pa.Table:
    """Write the cells of several labels all alike: each label once, in sorted order.

    >>> settings = Settings(truth="y", pred="p", encoding="delimited", delimiter=";")
    >>> normalise_sets(pa.table({"y": ["b; a;b"], "p": [" ; "]}), settings).to_pydict()
    {'y': ['a;b'], 'p': [None]}
    """
    if settings.encoding == "single":
        return table
    truth_form = settings.encoding, settings.delimiter
    other = (settings.pred_encoding, settings.pred_delimiter) if settings.pred_encoding else truth_form
    for name, (encoding, delimiter) in ((settings.truth, truth_form), (settings.pred, other)):
        if name is not None and encoding in ("delimited", "json"):
            table = _with_plain(table, name, SetEncoding("json" if encoding == "json" else "delimited", delimiter))
    return table


def _with_plain(table: pa.Table, name: str, way: SetEncoding) -> pa.Table:
    cells = distinct(table.column(name))
    written = [_write_set(read_members(value, way), way) for value in cells.values]
    texts = pa.array([*written, None], pa.string()).dictionary_encode()
    column = texts.take(pa.array(np.where(cells.codes < 0, len(written), cells.codes)))
    field = table.schema.field(name).with_type(column.type)
    return table.set_column(table.column_names.index(name), field, column)


def _write_set(labels: tuple[str, ...] | None, way: SetEncoding) -> str | None:
    members = sorted(set(labels or ()))
    if way.encoding == "json":
        return json.dumps(members, ensure_ascii=False)
    return (way.delimiter or ",").join(members) or None


def encode_again(table: pa.Table) -> pa.Table:
    """Encode the table anew in one piece, with dictionaries of nothing but the values that its rows hold.

    >>> texts = pa.array(["left", "secret"]).dictionary_encode()
    >>> encode_again(pa.table({"y": texts}).slice(0, 1)).column("y").chunk(0).dictionary.to_pylist()
    ['left']
    """
    for place, (field, column) in enumerate(zip(table.schema, table.columns, strict=True)):
        if pa.types.is_dictionary(field.type):
            plain = column.cast(field.type.value_type).combine_chunks()
            table = table.set_column(place, field, pa.chunked_array([plain.dictionary_encode()]).cast(field.type))
    return table.combine_chunks()
