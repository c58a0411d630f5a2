"""Slices of rows: the values of a column, its bins, missing ones, columns crossed, and the columns that can be cut."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.column import Column
from data.columns.name_ranks import rank
from data.columns.rater_columns import find_raters
from data.columns.table_metadata import rows_left_out
from data.comparison.derived_columns import Origins, list_origins
from data.comparison.ordered_columns import Ordered, cut_bins, read_ordered
from data.comparison.row_groups import check_grouping
from data.errors import DataError
from data.evaluation import MISSING, Evaluation
from data.limits import MAX_SLICE_VALUES, MAX_SLICES, MAX_UNCUT_NUMBERS
from data.pictures import find_pictures
from data.roles.run_columns import list_in_file_order
from data.roles.search import find_score_columns
from text.json_text import read_json
from text.numbers import count
from text.quoting import quote

_SAMPLE, _COUNTED = 100, 10_000
"""Rows that are looked at to see a date or a number, and to see too many texts."""
_FEWEST_IDS, _NEARLY_ALL = 30, 0.95
"""Fewer whole numbers may differ by chance; and the share of the rows by which a column repeats the labels."""
_OF_THE_NUMBERS = ("truth", "prediction", "score", "highest score", "raw", "id", "rows per line")
"""Roles that numbers are made of; clusters, epochs, seeds and folds are slices."""


class Slicing(NamedTuple):
    """Every row in one slice.

    columns : their names. values : one text a column for every slice, None = missing. codes : int64 (n,).
    has_dates : whether the values are dates, of one column.
    """

    columns: tuple[str, ...]
    values: tuple[tuple[str | None, ...], ...]
    codes: np.ndarray
    has_dates: bool = False

    def named(self, place: int) -> dict[str, str | None]:
        """Return {column: value} of a slice."""
        return dict(zip(self.columns, self.values[place], strict=True))

    def conditions(self, place: int) -> tuple[tuple[str, str], ...]:
        """Return (column, value) of a slice as filters have them; "" = missing."""
        return tuple((column, value or "") for column, value in self.named(place).items())

    def without_rows(self) -> Slicing:
        """Return the slices alone: a result that is kept needs no code of every row.

        >>> slices_by(pa.table({"region": ["eu", "us"]}), "region").without_rows().codes.size
        0
        """
        return self._replace(codes=np.empty(0, dtype=np.int64))


def slices_by(table: pa.Table, text: str, weights: np.ndarray | None = None) -> Slicing:
    """Return the slices of a column, or of several with commas between them or in a JSON list, crossed.

    weights : rows of every line, None = one each; bins of numbers hold about equally many rows.

    Raises
    ------
    DataError
        there is no such column, or more slices than rows can tell apart.

    >>> found = slices_by(pa.table({"region": ["eu", None, "us", "eu"]}), "region")
    >>> found.values, found.codes.tolist()
    ((('eu',), ('us',), (None,)), [0, 2, 1, 0])
    """
    columns = read_columns(text, table.column_names)
    parts = [_one_column(table, name, weights) for name in columns]
    if len(parts) == 1:
        return parts[0]
    codes = np.zeros(len(table), dtype=np.int64)
    for part in parts:
        codes = codes * len(part.values) + part.codes
    seen, codes = np.unique(codes, return_inverse=True)
    if len(seen) > MAX_SLICES:
        raise DataError(f"{' × '.join(map(quote, columns))} makes {count(len(seen), 'slice')}: choose other columns.")
    values = []
    for code in seen.tolist():
        cells: list[str | None] = []
        for part in reversed(parts):
            code, place = divmod(code, len(part.values))
            cells[:0] = part.values[place]
        values.append(tuple(cells))
    return Slicing(columns, tuple(values), codes)


def read_columns(text: str, names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the columns that a text names, of the columns of a table: one, or several that are crossed.

    >>> read_columns("region,day"), read_columns("size, cm", ["size, cm"]), read_columns('["size, cm", "day"]')
    (('region', 'day'), ('size, cm',), ('size, cm', 'day'))
    """
    listed = read_json(text) if text.startswith("[") and text not in names else None
    if isinstance(listed, list) and listed and all(isinstance(name, str) for name in listed):
        return tuple(listed)
    return (text,) if text in names else tuple(name.strip() for name in text.split(","))


def write_columns(columns: Sequence[str], names: Sequence[str]) -> str:
    """Return the text that `slices_by` reads as these of the columns of a table.

    >>> write_columns(["region", "day"], ["region", "day"]), write_columns(["size, cm", "day"], ["size, cm", "day"])
    ('region,day', '["size, cm", "day"]')
    """
    text = ",".join(columns)
    return text if read_columns(text, names) == tuple(columns) else json.dumps(list(columns), ensure_ascii=False)


def _one_column(table: pa.Table, name: str, weights: np.ndarray | None) -> Slicing:
    check_grouping(table, name, "to slice rows by")
    return _slice_column(Column(table, name), weights)


def _slice_column(column: Column, weights: np.ndarray | None) -> Slicing:
    name, ordered = column.name, read_ordered(column.array, column)
    if ordered is not None and (ordered.kind == "date" or len(ordered.values) > MAX_UNCUT_NUMBERS):
        return _slice_bins(name, ordered, weights)
    cells = column.distinct
    if len(cells.values) > MAX_SLICES:
        raise DataError(f"Column {quote(name)} holds {count(len(cells.values), 'value')}: choose one with fewer.")
    numbers = None if ordered is None else [float(value) for value in cells.values]
    values = list_in_file_order(cells) if numbers is None else tuple(cells.values[i] for i in np.argsort(numbers))
    place = {value: code for code, value in enumerate(values)}
    codes = cells.spread((place[value] for value in cells.values), MISSING)
    return _with_missing(name, values, codes)


def _slice_bins(name: str, ordered: Ordered, weights: np.ndarray | None) -> Slicing:
    bins = cut_bins(ordered, weights)
    slicing = _with_missing(name, bins.names, np.append(bins.bin_of, MISSING)[ordered.codes])
    return slicing._replace(has_dates=ordered.kind == "date")


def _with_missing(name: str, values: tuple[str, ...], codes: np.ndarray) -> Slicing:
    """Give the rows without a value a slice of their own, the last, where there are any."""
    missing = codes == MISSING
    if not missing.any():
        return Slicing((name,), tuple((value,) for value in values), codes)
    return Slicing((name,), (*((value,) for value in values), (None,)), np.where(missing, len(values), codes))


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


def other_columns(evaluation: Evaluation) -> tuple[str, ...]:
    """Return the columns without a role in the numbers; none where the rows were left out."""
    if rows_left_out(evaluation):
        return ()
    there = set(evaluation.rows.column_names)
    return tuple(
        role.column
        for role in evaluation.receipt.roles
        if role.column in there and not role.role.startswith(_OF_THE_NUMBERS)
    )


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
        if cut is not None:
            (derived if why else ways).append(cut)
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


def other_raters(evaluation: Evaluation) -> frozenset[str]:
    """Return the columns of raters where truth or prediction is one of them: others rated the same, so slices by them
    only say where raters disagree, as the page Agreement does.
    """
    used = {evaluation.settings.truth, evaluation.settings.pred}
    raters = find_raters(evaluation.rows)
    return frozenset(raters.columns) if raters is not None and used & set(raters.columns) else frozenset()


def _cut_or_reason(evaluation: Evaluation, name: str) -> Slicing | str:
    """Return the slices of a column, or why it has none."""
    column = Column(evaluation.rows, name)
    why = "predictions or scores" if is_of_a_model(column) else _too_many(evaluation.rows.column(name))
    why = why or _why_an_id(evaluation, name)
    slicing = None if why else _slice_or_none(column, evaluation.weights)
    why = why or _why_labels(evaluation, slicing)
    if not why and slicing is not None and 2 <= len(slicing.values) <= MAX_SLICE_VALUES:
        return slicing
    n = 0 if slicing is None else len(slicing.values)
    return why or (f"{n:,} values" if n > 1 else "one value only")


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


def _why_labels(evaluation: Evaluation, slicing: Slicing | None) -> str:
    """Return that a column only repeats the true or the predicted labels, one value for each; else ""."""
    if slicing is None or evaluation.task == "multilabel" or not 2 <= len(slicing.values) <= MAX_SLICE_VALUES:
        return ""
    codes = slicing.codes[evaluation.scored]
    labels = {"true": evaluation.y_true, "predicted": evaluation.y_pred}
    for word, all_labels in labels.items():
        if evaluation.has_predictions and _is_same(codes, all_labels[evaluation.scored]):
            return f"the same as the {word} label"
    return ""


def _is_same(codes: np.ndarray, labels: np.ndarray) -> bool:
    """Return whether nearly all rows of each value have one label, and no two values have the same."""
    if not len(codes):
        return False
    first, width = int(labels.min()), int(labels.max() - labels.min()) + 1
    cells = np.bincount(codes * width + (labels - first), minlength=(int(codes.max()) + 1) * width).reshape(-1, width)
    cells = cells[cells.any(axis=1)]
    of_value = cells.argmax(axis=1)
    return len(set(of_value.tolist())) == len(cells) > 1 and bool(cells.max(axis=1).sum() >= _NEARLY_ALL * len(codes))


def is_of_a_model(column: Column) -> bool:
    """Return whether a column is named like predictions or scores: those of another model say little of the rows."""
    return rank(column.name, "prediction") is not None or (column.is_continuous and bool(find_score_columns([column])))


def _slice_or_none(column: Column, weights: np.ndarray | None) -> Slicing | None:
    try:
        return _slice_column(column, weights)
    except DataError:  # more values than slices can have
        return None


def _too_many(column: pa.ChunkedArray) -> str:
    """Return how many values a column of plain text holds, where these are too many to be slices; else ""."""
    if not pa.types.is_string(column.type) or read_ordered(column.slice(0, _SAMPLE)) is not None:
        return ""
    import pyarrow.compute as pc  # importing it takes longer than a small file does

    part = column.slice(0, _COUNTED)
    n = pc.count_distinct(part).as_py()
    if n <= MAX_SLICE_VALUES and len(part) < len(column):
        part, n = column, pc.count_distinct(column).as_py()
    over = "over " if len(part) < len(column) else ""
    return f"{over}{count(n, 'different text')}" if n > MAX_SLICE_VALUES else ""
