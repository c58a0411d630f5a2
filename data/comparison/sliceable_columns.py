"""Find the columns that rows can be sliced by, and say why the others cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.column import Column
from data.columns.rater_columns import other_raters
from data.comparison.derived_columns import Origins, list_origins
from data.comparison.ordered_columns import read_ordered
from data.comparison.slice_columns import Slicing, other_columns, slice_column
from data.errors import DataError
from data.evaluation import Evaluation
from data.limits import MAX_SLICE_VALUES
from data.pictures import find_pictures
from data.roles.search import is_of_a_model
from text.numbers import count

_SAMPLE = 100
"""Rows that are looked at to see a date or a number."""
_COUNTED = 10_000
"""Rows that are looked at to see too many texts."""
_FEWEST_IDS = 30
"""Fewer whole numbers may differ by chance."""
_NEARLY_ALL = 0.95
"""The share of the rows by which a column repeats the labels."""


class Sliceable(NamedTuple):
    """Columns cut into slices, in the order of the file.

    ways : those that are searched. left_out : (column, why) of the others.
    derived : of the others, those that a person may choose: they follow from what is measured.
    """

    ways: tuple[Slicing, ...]
    left_out: tuple[tuple[str, str], ...]
    derived: tuple[Slicing, ...] = ()

    @property
    def every(self) -> tuple[Slicing, ...]:
        """Return all columns that a person may choose."""
        return (*self.ways, *self.derived)

    @property
    def why_derived(self) -> tuple[tuple[str, str], ...]:
        """Return (column, what it follows from) of the derived columns."""
        names = {way.columns[0] for way in self.derived}
        return tuple((name, why) for name, why in self.left_out if name in names)


def cut_columns(evaluation: Evaluation, say: Callable[[float], None] = lambda _: None) -> Sliceable:
    """Return the slices of every other column; say : called with the share of the work done."""
    ways: list[Slicing] = []
    derived: list[Slicing] = []
    left_out = []
    names, reasons, origins = other_columns(evaluation), _reasons_by_role(evaluation), list_origins(evaluation)
    for done, name in enumerate(names):
        say(done / len(names))
        cut, why = (None, reasons[name]) if name in reasons else _cut(evaluation, name, origins)
        if why:
            left_out.append((name, why))
        if cut is not None and why:
            derived.append(cut)
        elif cut is not None:
            ways.append(cut)
    return Sliceable(tuple(ways), tuple(left_out), tuple(derived))


def can_be_sliced(evaluation: Evaluation) -> bool:
    """Return whether some column can be cut into slices."""
    reasons = _reasons_by_role(evaluation)
    names = (name for name in other_columns(evaluation) if name not in reasons)
    return any(isinstance(_cut_or_reason(evaluation, name), Slicing) for name in names)


def _cut(evaluation: Evaluation, name: str, origins: Origins) -> tuple[Slicing | None, str]:
    """Return the slices of a column where it has some, and why it is not searched; "" where it is."""
    cut = _cut_or_reason(evaluation, name)
    if not isinstance(cut, Slicing):
        return None, cut
    if name == evaluation.settings.weights:
        return cut, "weighs the rows"
    if cut.has_dates:  # what changed from a date on is asked, whatever the scores do then
        return cut, ""
    return cut, origins.find(name, [value for (value,) in cut.values], cut.codes)


def _reasons_by_role(evaluation: Evaluation) -> dict[str, str]:
    """Return why columns are not cut for what they are, whatever their values."""
    pictures = find_pictures(evaluation.rows.select(other_columns(evaluation)))
    pixels = dict.fromkeys(pictures.columns, "pixels of pictures") if pictures else {}
    return pixels | dict.fromkeys(other_raters(evaluation), "ratings of another rater")


def _cut_or_reason(evaluation: Evaluation, name: str) -> Slicing | str:
    """Return the slices of a column, or why it has none."""
    column = Column(evaluation.rows, name)
    if is_of_a_model(column):
        return "predictions or scores"
    why = _too_many(column.array) or _why_an_id(evaluation, name)
    if why:
        return why
    slicing = _slice_or_none(column, evaluation.weights)
    n = len(column.distinct.values) if slicing is None else len(slicing.values)
    if slicing is None or not 2 <= n <= MAX_SLICE_VALUES:
        return f"{n:,} values" if n > 1 else "one value only"
    return _why_labels(evaluation, slicing) or slicing


def _why_an_id(evaluation: Evaluation, name: str) -> str:
    """Return that a column numbers the rows, where each holds a whole number of its own; else ""."""
    column = evaluation.rows.column(name)
    if evaluation.weights is not None or len(column) - column.null_count < _FEWEST_IDS:
        return ""
    parts = (column.slice(0, _SAMPLE), column.slice(0, _COUNTED), column)
    return "an id: another number in every row" if all(map(_holds_other_numbers, parts)) else ""


def _holds_other_numbers(column: pa.ChunkedArray) -> bool:
    """Return whether every cell that is not empty holds a whole number that no other holds."""
    column = column.drop_null()
    if pa.types.is_dictionary(column.type):  # so that its values repeat
        return False
    import pyarrow.compute as pc  # importing it takes longer than a small file does

    if pc.count_distinct(column).as_py() < len(column):
        return False
    if pa.types.is_integer(column.type):
        return True
    ordered = read_ordered(column)
    return ordered is not None and ordered.kind == "number" and bool((ordered.values % 1 == 0).all())


def _why_labels(evaluation: Evaluation, slicing: Slicing) -> str:
    """Return that a column only repeats the true or the predicted labels, one value for each; else ""."""
    if evaluation.task == "multilabel" or not evaluation.has_predictions:
        return ""
    codes = slicing.codes[evaluation.scored]
    if _is_same(codes, evaluation.y_true[evaluation.scored]):
        return "the same as the true label"
    if _is_same(codes, evaluation.y_pred[evaluation.scored]):
        return "the same as the predicted label"
    return ""


def _is_same(codes: np.ndarray, labels: np.ndarray) -> bool:
    """Return whether nearly all rows of each value have one label, and no two values have the same."""
    if not len(codes):
        return False
    first, width = int(labels.min()), int(labels.max() - labels.min()) + 1
    n_values = int(codes.max()) + 1
    rows = np.bincount(codes * width + (labels - first), minlength=n_values * width).reshape(n_values, width)
    rows = rows[rows.any(axis=1)]  # a line a value, a column a label
    label_of_value = rows.argmax(axis=1)
    all_differ = len(np.unique(label_of_value)) == len(rows) > 1
    return all_differ and bool(rows.max(axis=1).sum() >= _NEARLY_ALL * len(codes))


def _slice_or_none(column: Column, weights: np.ndarray | None) -> Slicing | None:
    try:
        return slice_column(column, weights)
    except DataError:  # more values than slices can have
        return None


def _too_many(column: pa.ChunkedArray) -> str:
    """Return how many values a column of plain text holds, where these are too many to be slices; else ""."""
    if not pa.types.is_string(column.type) or read_ordered(column.slice(0, _SAMPLE)) is not None:
        return ""
    import pyarrow.compute as pc  # importing it takes longer than a small file does

    n_first = pc.count_distinct(column.slice(0, _COUNTED)).as_py()
    if n_first > MAX_SLICE_VALUES:
        over = "over " if len(column) > _COUNTED else ""
        return f"{over}{count(n_first, 'different text')}"
    n = pc.count_distinct(column).as_py()
    return count(n, "different text") if n > MAX_SLICE_VALUES else ""
