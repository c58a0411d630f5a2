"""Count several folders or files of the same rows, and join their counts by an id."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types as kinds

from data.columns.column import distinct
from data.columns.table_metadata import read_counted
from data.engines.engine import choose_engine, open_engine
from data.engines.join_query import JoinedLines, JoinSide
from data.engines.parquet_folder import ParquetFolder, is_key, open_path
from data.errors import DataError
from data.evaluation import Evaluation
from data.joining.key_columns import names_rows
from data.joining.key_matching import read_key
from data.limits import MAX_ROW_CONDITIONS
from data.runs.class_scores.source_keys import find_key, read_conditions, read_raw_value
from data.runs.counted import CountedSource, count_source
from data.runs.draft import Given
from text.numbers import count
from text.quoting import list_items, quote


def read_joined_sources(
    paths: Sequence[Path], given: Given, key: str | None, *, engine: str = "auto", memory_bytes: int = 10**9,
    slices: Sequence[str] = (),
) -> tuple[list[Evaluation], JoinedLines]:  # fmt: skip
    """Count folders or files of the same rows each by itself, then the ids that they share by the lines of these.

    key : the columns of the id as a person writes them; None = a column that all have and that is named like an id.

    Of rows of one id that differ in a slice only, the first line in the order of the columns' values counts.

    Raises
    ------
    DataError
        as `read_source`; no such column, or none that is named like an id.
    """
    folders = [open_path(path) for path in paths]
    name = choose_engine(*folders) if engine == "auto" else engine
    counted = []
    for path, folder in zip(paths, folders, strict=True):
        own = tuple(column for column in slices if column in folder.schema.names)
        with closing(open_engine(name, folder, memory_bytes=memory_bytes)) as opened:
            counted.append(_sort_lines(count_source(folder, opened, given, name=path.name, slices=own, scores=False)))
    ids = _find_ids(folders, [path.name for path in paths], key)
    sides = [_join_side(*one) for one in zip(folders, counted, ids, strict=True)]
    with closing(open_engine(name, folders[0], memory_bytes=memory_bytes, others=folders[1:])) as opened:
        return [one.evaluation() for one in counted], opened.join(sides)


def _sort_lines(counted: CountedSource) -> CountedSource:
    """Return counts in the order of their columns' values, whatever the order in which an engine answered."""
    about = read_counted(counted.table)
    assert about is not None
    columns = {
        name: column.cast(column.type.value_type) if kinds.is_dictionary(column.type) else column
        for name, column in zip(counted.table.column_names, counted.table.columns, strict=True)
        if name != about.rows
    }
    order = pc.sort_indices(pa.table(columns), sort_keys=[(name, "ascending") for name in columns])
    return dataclasses.replace(counted, table=counted.table.take(order))


def _find_ids(folders: Sequence[ParquetFolder], called: Sequence[str], key: str | None) -> list[tuple[str, ...]]:
    """Return the columns of the id in every source."""
    names = [folder.schema.names for folder in folders]
    if key is None:
        found = [name for name in names[0] if names_rows(name) and all(name in other for other in names[1:])]
        pairs: Sequence[tuple[str, str]] = [(name, name) for name in found[:1]]
    else:
        pairs = read_key(key, names[0], names[1])
    if not pairs:
        raise DataError("No column that all sources have is named like an id: name it with --join.")
    return [
        tuple(_column_of(folder, name, pair) for pair in pairs) for folder, name in zip(folders, called, strict=True)
    ]


def _column_of(folder: ParquetFolder, called: str, pair: tuple[str, str]) -> str:
    name = next((name for name in pair if name in folder.schema.names), None)
    if name is None:
        raise DataError(
            f"{quote(called)} has no column {quote(pair[0])} to join on; it has "
            f"{list_items(folder.schema.names, 6, 24)}."
        )
    if not is_key(folder.schema.field(name).type):
        raise DataError(f"Column {quote(name)} holds lists, which name no row: join on another column.")
    return name


def _join_side(folder: ParquetFolder, counted: CountedSource, ids: tuple[str, ...]) -> JoinSide:
    """Return a source with the values of every line of its counts, as its files have them."""
    about = read_counted(counted.table)
    assert about is not None
    if counted.weights is not None:
        raise DataError(
            f"{quote(counted.facts.name)} holds counts ({quote(counted.weights)}), and only single rows can be joined. "
            "Put all predictions into one file, a column each, and name them with --preds."
        )
    if len(counted.table) > MAX_ROW_CONDITIONS:
        raise DataError(
            f"{quote(counted.facts.name)} has {count(len(counted.table), 'combination')} of labels, too many to be "
            "joined: leave columns out."
        )
    columns = [name for name in counted.table.column_names if name != about.rows]
    cells = [distinct(counted.table.column(name), keep_blank=True) for name in columns]
    raw = tuple(find_key(about, name) for name in columns)
    values = [
        [read_raw_value(cell.values, code, folder.schema, name) for code in cell.codes.tolist()]
        for name, cell in zip(raw, cells, strict=True)
    ]
    evaluation = counted.evaluation()
    both = np.column_stack([evaluation.y_true, evaluation.y_pred])
    groups = np.unique(both, axis=0, return_inverse=True)[1].reshape(-1)
    lines, where = tuple(zip(*values, strict=True)), read_conditions(about, folder.schema)
    return JoinSide(folder, ids, raw, lines, tuple(groups.tolist()), where)
