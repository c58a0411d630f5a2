"""Read back the keys and values by which an engine counted the columns of a source."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

import pyarrow as pa
from pyarrow import types as kinds

from data.building.source_predictions import highest_key, threshold_keys
from data.columns.counted_metadata import Counted
from data.engines.label_lists import is_label_list
from data.engines.query import AtLeast, Condition, Key, Mark, Score
from data.engines.row_scores import Highest, Softmax
from data.errors import DataError
from data.evaluation import MISSING, as_tuples


def read_conditions(counted: Counted, schema: pa.Schema) -> tuple[Condition, ...]:
    """Return the conditions of the rows that were counted."""
    chosen = (
        Condition(name, tuple(_raw(value, schema.field(name).type) for value in values))
        for name, values in counted.only
    )
    return (*chosen, *map(read_condition, counted.scored))


def write_condition(condition: Condition) -> dict[str, Any]:
    """Write a condition on what is made of columns for JSON."""
    assert not isinstance(condition.column, str)
    return {"key": condition.column._asdict(), "values": condition.values}


def read_condition(written: Mapping[str, Any]) -> Condition:
    """Read back what `write_condition` wrote."""
    return Condition(_read_key(written["key"]), tuple(written["values"]))


def _read_key(written: Mapping[str, Any]) -> Key:
    values = as_tuples(written)
    if "columns" in values:
        return Highest(**values)
    return Mark(**values) if "values" in values else AtLeast(**values)


def find_key(counted: Counted, column: str) -> Key:
    """Return the key by which an engine counted a column."""
    cuts = counted.cuts
    if column == counted.highest:
        return highest_key(counted.class_scores)
    if column in counted.marks:
        return _read_key(counted.marks[column])
    if column not in cuts:
        return counted.columns[column]
    return threshold_keys(cuts, counted.columns)[column]


def find_score(counted: Counted) -> Score | None:
    """Return the score by which an engine counted; None where it counted labels alone."""
    return None if counted.score is None else make_score(counted.columns[counted.score], counted.softmax)


def find_cut(counted: Counted, column: str) -> float | None:
    """Return the score from which a column of the files predicts its label; None where it predicts none."""
    return next((cut for name, cut in counted.cuts.items() if counted.columns[name] == column), None)


def make_score(column: str, logits: tuple[str, ...]) -> Score:
    """Return a column of scores, or the softmax of that one of several logits."""
    return Softmax(logits, logits.index(column)) if logits else column


def read_raw_value(values: tuple[str, ...], code: int, schema: pa.Schema, key: Key) -> Any:
    """Return the value that a key of a source has for a text of its counts; None where there is none."""
    if code == MISSING:
        return None
    if isinstance(key, Highest):
        return key.labels.index(values[code]) + 1
    return _raw(values[code], schema.field(key).type) if isinstance(key, str) else int(values[code])


def _raw(text: str, kind: pa.DataType) -> Any:
    """Return the value that was written as a text when labels were read."""
    kind = kind.value_type if kinds.is_dictionary(kind) else kind
    if is_label_list(kind):
        return tuple(json.loads(text))
    if kinds.is_string(kind) or kinds.is_large_string(kind):
        return text
    if kinds.is_boolean(kind):
        return text == "true"
    if kinds.is_integer(kind):
        return int(text)
    if kinds.is_floating(kind):
        return float(text)
    if kinds.is_date(kind):
        return date.fromisoformat(text)
    raise DataError(f"An engine does not look for rows by values of type {kind}: write such a column as text.")
