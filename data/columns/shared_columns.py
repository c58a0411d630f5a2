"""Find the columns that two joined files share, and those that hold the same in both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from data.columns.column import Column
from data.columns.column_names import LABELS_SUFFIX, PREDICTIONS_SUFFIX


class Shared(NamedTuple):
    """A column of both files: its names in the joined table, and whether it holds the same wherever both are filled."""

    predictions: str
    labels: str
    same: bool


def find_shared(columns: Mapping[str, Column]) -> list[Shared]:
    """Find the columns of both files.

    >>> table = pa.table({"region (predictions)": ["n", "s"], "region (labels)": ["n", None]})
    >>> find_shared({name: Column(table, name) for name in table.column_names})
    [Shared(predictions='region (predictions)', labels='region (labels)', same=True)]
    """
    names = [name.removesuffix(PREDICTIONS_SUFFIX) for name in columns if name.endswith(PREDICTIONS_SUFFIX)]
    pairs = [(name + PREDICTIONS_SUFFIX, name + LABELS_SUFFIX) for name in names if name + LABELS_SUFFIX in columns]
    return [Shared(one, two, _hold_same(columns[one], columns[two])) for one, two in pairs]


def _hold_same(one: Column, two: Column) -> bool:
    """Return whether two columns are equal in every row in which both are filled, and there is one."""
    left, right = _comparable(one.array), _comparable(two.array)
    if left.type != right.type:
        left, right = left.cast(pa.string()), right.cast(pa.string())
    return bool(pc.all(pc.equal(left, right), min_count=1).as_py())


def _comparable(array: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return numbers as float64 and everything else as text."""
    kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    is_number = pa.types.is_floating(kind) or pa.types.is_integer(kind)
    return array.cast(kind).cast(pa.float64() if is_number else pa.string())
