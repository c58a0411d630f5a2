"""Marks of the true classes of a counted source: an engine then counts one class, or one label, against the rest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from data.building.counted_labels import label_columns
from data.columns.column import FLAGS, distinct
from data.columns.counted_metadata import Counted
from data.engines.query import AtLeast, Condition, Key, Mark
from data.engines.row_scores import Highest
from data.errors import DataError
from data.evaluation import MISSING, Evaluation
from data.labels.cell_sets import SetEncoding, read_members
from data.limits import MAX_MARKED_CELLS
from data.runs.class_scores.source_keys import find_key, read_raw_value
from text.quoting import quote


class ClassMarks(NamedTuple):
    """A mark for every class that is true somewhere, by its name; and what holds for every row that is scored."""

    marks: dict[str, Mark]
    scored: tuple[Condition, ...]


class _Cells(NamedTuple):
    """The distinct cells of a column of counts: as text, as the files have them, and the first line of each."""

    column: str
    texts: tuple[str, ...]
    raw: list[Any]
    first: list[int]
    gaps: bool

    def raw_where(self, holds: Iterable[bool]) -> tuple[Any, ...]:
        """Return the cells, as the files have them, for which something holds."""
        return tuple(compress(self.raw, holds))

    def blank(self) -> tuple[Any, ...]:
        """Return the cells of nothing but spaces, as the files have them."""
        return self.raw_where(not text.strip() for text in self.texts)


def find_class_marks(evaluation: Evaluation, counted: Counted, schema: pa.Schema) -> ClassMarks:
    """Return how the files say that a row is of a class, and that it has a truth and a prediction.

    schema : of the files.

    Raises
    ------
    DataError
        labels that an engine cannot tell apart in the files.
    """
    settings = evaluation.settings
    if settings.encoding == "multi_hot":
        marks = _mark_flags(evaluation, counted, schema)
    else:
        assert settings.truth is not None
        cells = _read_cells(evaluation, counted, schema, settings.truth)
        marks = _mark_cells(evaluation, cells) if settings.encoding == "single" else _mark_sets(evaluation, cells)
    return ClassMarks(marks, tuple(_scored(evaluation, counted, schema)))


def _read_cells(evaluation: Evaluation, counted: Counted, schema: pa.Schema, column: str) -> _Cells:
    texts, key = distinct(evaluation.rows.column(column), keep_blank=True), find_key(counted, column)
    raw = [read_raw_value(texts.values, code, schema, key) for code in range(len(texts.values))]
    first = np.unique(texts.codes, return_index=True)[1][-len(raw) :].tolist() if raw else []
    name = key if isinstance(key, str) else column
    return _Cells(name, tuple(texts.values), raw, first, bool((texts.codes == MISSING).any()))


def _mark_cells(evaluation: Evaluation, cells: _Cells) -> dict[str, Mark]:
    if any(isinstance(raw, tuple | date) for raw in cells.raw):
        raise DataError(f"Column {quote(cells.column)} holds lists or dates. Write its labels as text to count scores.")
    codes = evaluation.y_true[cells.first]
    missing = cells.raw_where(codes == MISSING)
    marks = {}
    for code in np.unique(codes[codes >= 0]).tolist():
        marks[evaluation.labels[code]] = Mark(cells.column, cells.raw_where(codes == code), missing)
    return marks


def _mark_flags(evaluation: Evaluation, counted: Counted, schema: pa.Schema) -> dict[str, Mark]:
    by_label: dict[str, Mark] = {}
    for column, label in evaluation.settings.truth_columns:
        cells = _read_cells(evaluation, counted, schema, column)
        name = _name_of(evaluation, label)
        if name in by_label:
            raise DataError(f"Two columns are of the label {quote(name)}: take the merge back to count its scores.")
        flagged = cells.raw_where(bool(FLAGS.get(text.casefold())) for text in cells.texts)
        by_label[name] = Mark(cells.column, flagged, cells.blank())
    return by_label


def _mark_sets(evaluation: Evaluation, cells: _Cells) -> dict[str, Mark]:
    """Mark the lists that hold a label; a text that is a JSON list is looked up whole."""
    settings = evaluation.settings
    are_lists = bool(cells.raw) and isinstance(cells.raw[0], tuple)
    delimiter = None if settings.encoding == "json" else settings.delimiter or ","
    if delimiter is None and not are_lists and len(cells.raw) > MAX_MARKED_CELLS:
        raise DataError(
            f"Column {quote(cells.column)} holds over {MAX_MARKED_CELLS:,} lists written as text: write a column of "
            "lists."
        )
    names_by_piece = _name_pieces(evaluation, cells, delimiter)
    blank = () if are_lists or delimiter else cells.blank()
    by_label = {}
    for name in sorted(set().union(*names_by_piece.values())):
        pieces = tuple(piece for piece, names in names_by_piece.items() if name in names)
        by_label[name] = Mark(cells.column, pieces, blank, delimiter)
    _check(evaluation, cells, by_label, delimiter)
    return by_label


def _split(raw: Any, delimiter: str | None) -> tuple[Any, ...]:
    """Return what an engine looks up of a cell: the items of a list, the parts of a text, or the whole text."""
    if isinstance(raw, tuple):
        return raw
    return (raw,) if delimiter is None else tuple(raw.split(delimiter))


def _name_pieces(evaluation: Evaluation, cells: _Cells, delimiter: str | None) -> dict[Any, set[str]]:
    """Map each piece of the cells to the labels that it names."""
    way = SetEncoding("json" if delimiter is None else "delimited", delimiter)
    names_by_piece: dict[Any, set[str]] = {}
    for text, raw in zip(cells.texts, cells.raw, strict=True):
        for piece in _split(raw, delimiter):
            written = text if delimiter is None else piece
            if isinstance(raw, tuple):
                written = json.dumps([piece])
            members = read_members(written, way) or ()
            names_by_piece.setdefault(piece, {_name_of(evaluation, member) for member in members})
    return names_by_piece


def _check(evaluation: Evaluation, cells: _Cells, marks: dict[str, Mark], delimiter: str | None) -> None:
    """Refuse marks that would not give the labels of the counts."""
    places = {name: code for code, name in enumerate(evaluation.labels)}
    pieces = [_split(raw, delimiter) for raw in cells.raw]
    for name, mark in marks.items():
        holds_label = [not set(mark.values).isdisjoint(of_cell) for of_cell in pieces]
        if name not in places or not np.array_equal(holds_label, evaluation.y_true[cells.first, places[name]]):
            raise DataError(f"The label {quote(name)} was merged or renamed: take that back to count its scores.")


def _name_of(evaluation: Evaluation, label: str) -> str:
    """Return the name that a label has in the evaluation."""
    merged = dict(evaluation.settings.merge).get(label, label)
    return dict(evaluation.settings.class_names).get(merged, merged)


def _scored(evaluation: Evaluation, counted: Counted, schema: pa.Schema) -> Iterator[Condition]:
    """Yield conditions of the rows that have a truth and a prediction; the mark itself has none without a truth."""
    settings = evaluation.settings
    delimited = {settings.truth: settings.encoding, settings.pred: settings.pred_encoding or settings.encoding}
    for column in label_columns(settings):
        key: Key = find_key(counted, column)
        if isinstance(key, AtLeast):
            if key.known_by:
                yield Condition(key, (0, 1))
        elif isinstance(key, Highest):
            yield Condition(key, tuple(range(1, len(key.labels) + 1)))
        elif column != settings.truth and delimited.get(column) != "delimited":
            cells = _read_cells(evaluation, counted, schema, column)
            missing = cells.blank()
            if settings.encoding == "single":
                missing = cells.raw_where(evaluation.y_pred[cells.first] == MISSING)
            if missing or cells.gaps:
                yield Condition(Mark(str(key), (), missing), (0,))
