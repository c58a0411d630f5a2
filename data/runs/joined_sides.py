"""Counts of several sources as the sides of a join: their lines in one order, their ids, and their values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import types as kinds

from data.columns.column import distinct
from data.columns.counted_metadata import require_counted
from data.engines.join_query import JoinSide
from data.engines.row_source import RowSource
from data.errors import DataError
from data.evaluation import Evaluation, FileFacts, Settings
from data.joining.key_columns import names_rows
from data.joining.key_matching import choose_key_column, read_key
from data.limits import MAX_ROW_CONDITIONS
from data.runs.class_scores.source_keys import find_key, read_conditions, read_raw_value
from text.numbers import count
from text.quoting import quote


class SourceCounts(NamedTuple):
    """The counts of one source as a canonical table, and their evaluation."""

    table: pa.Table
    facts: FileFacts
    settings: Settings
    evaluation: Evaluation


def find_ids(folders: Sequence[RowSource], called: Sequence[str], key: str | None) -> list[tuple[str, ...]]:
    """Return the columns of the id in every source.

    called : names of the sources. key : as a person writes it; None = a column that all have, named like an id.

    Raises
    ------
    DataError
        no such column, or none that is named like an id.
    """
    names = [folder.schema.names for folder in folders]
    if key is None:
        shared = [name for name in names[0] if names_rows(name) and all(name in other for other in names[1:])]
        pairs: Sequence[tuple[str, str]] = [(name, name) for name in shared[:1]]
    else:
        pairs = read_key(key, names[0], names[1])
    if not pairs:
        raise DataError("No column that all sources have is named like an id: name the column to join on.")
    turned = [(of_others, of_first) for of_first, of_others in pairs]
    pairs_of_sides = [pairs, *[turned] * (len(folders) - 1)]
    return [
        tuple(_column_of(folder, name, pair) for pair in pairs_of_side)
        for folder, name, pairs_of_side in zip(folders, called, pairs_of_sides, strict=True)
    ]


def _column_of(folder: RowSource, called: str, pair: Sequence[str]) -> str:
    """Return the first column of a pair that a source has; the name meant for it comes first."""
    name = choose_key_column(pair, folder.schema.names, quote(called))
    if kinds.is_nested(folder.schema.field(name).type):
        raise DataError(f"Column {quote(name)} holds lists, which name no row: join on another column.")
    return name


def join_side(folder: RowSource, counted: SourceCounts, ids: tuple[str, ...]) -> JoinSide:
    """Return a source with the values of every line of its counts, as its files have them.

    Raises
    ------
    DataError
        its lines stand for many rows, or are too many.
    """
    about = require_counted(counted.table)
    if about.weights is not None:
        raise DataError(
            f"{quote(counted.facts.name)} holds counts ({quote(about.weights)}), and only single rows can be joined. "
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
    evaluation = counted.evaluation
    both = np.column_stack([evaluation.y_true, evaluation.y_pred])
    groups = np.unique(both, axis=0, return_inverse=True)[1].reshape(-1)
    lines, where = tuple(zip(*values, strict=True)), read_conditions(about, folder.schema)
    return JoinSide(folder, ids, raw, lines, tuple(groups.tolist()), where)
