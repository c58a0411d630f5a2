"""Marks of the true classes of a counted source: an engine then counts one class, or one label, against the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from data.building.counted_labels import label_columns
from data.columns.column import distinct
from data.columns.table_metadata import Counted
from data.engines.query import AtLeast, Condition, Key, Mark
from data.engines.row_scores import Highest
from data.errors import DataError
from data.evaluation import MISSING, Evaluation
from data.labels.cell_sets import FLAGS, SetEncoding, read_members
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
    missing = tuple(raw for raw, code in zip(cells.raw, codes, strict=True) if code == MISSING)
    return {
        evaluation.labels[code]: Mark(
            cells.column,
            tuple(raw for raw, cell_code in zip(cells.raw, codes, strict=True) if cell_code == code),
            missing,
        )
        for code in np.unique(codes[codes >= 0]).tolist()
    }


def _mark_flags(evaluation: Evaluation, counted: Counted, schema: pa.Schema) -> dict[str, Mark]:
    by_label: dict[str, Mark] = {}
    for column, label in evaluation.settings.truth_columns:
        cells, name = _read_cells(evaluation, counted, schema, column), _name_of(evaluation, label)
        if name in by_label:
            raise DataError(f"Two columns are of the label {quote(name)}: take the merge back to count its scores.")
        pairs = list(zip(cells.texts, cells.raw, strict=True))
        on = tuple(raw for text, raw in pairs if FLAGS.get(text.casefold()))
        by_label[name] = Mark(cells.column, on, tuple(raw for text, raw in pairs if not text.strip()))
    return by_label


def _mark_sets(evaluation: Evaluation, cells: _Cells) -> dict[str, Mark]:
    """Mark the lists that hold a label; a text that is a JSON list is looked up whole."""
    settings, lists = evaluation.settings, bool(cells.raw) and isinstance(cells.raw[0], tuple)
    written = "json" if settings.encoding == "json" else "delimited"
    way = SetEncoding(written, settings.delimiter)  # type: ignore[arg-type]
    delimiter = None if written == "json" else settings.delimiter or ","
    if written == "json" and not lists and len(cells.raw) > MAX_MARKED_CELLS:
        raise DataError(
            f"Column {quote(cells.column)} holds over {MAX_MARKED_CELLS:,} lists written as text: write a column of "
            "lists."
        )
    parts: dict[Any, set[str]] = {}
    for text, raw in zip(cells.texts, cells.raw, strict=True):
        pieces = raw if lists else raw.split(delimiter) if delimiter else (raw,)
        for piece in pieces:
            members = read_members(json.dumps([piece]) if lists else piece if delimiter else text, way) or ()
            parts.setdefault(piece, {_name_of(evaluation, member) for member in members})
    blank = () if lists or delimiter else tuple(raw for raw in cells.raw if not raw.strip())
    by_label = {
        name: Mark(cells.column, tuple(piece for piece, names in parts.items() if name in names), blank, delimiter)
        for name in sorted({name for names in parts.values() for name in names})
    }
    _check(evaluation, cells, by_label, lists=lists, delimiter=delimiter)
    return by_label


def _check(
    evaluation: Evaluation, cells: _Cells, marks: dict[str, Mark], *, lists: bool, delimiter: str | None
) -> None:
    """Refuse marks that would not give the labels of the counts."""
    places = {name: code for code, name in enumerate(evaluation.labels)}
    for name, mark in marks.items():
        wanted, true = set(mark.values), evaluation.y_true[cells.first, places[name]] if name in places else None
        holds_label = [
            bool(wanted & set(raw if lists else raw.split(delimiter) if delimiter else (raw,))) for raw in cells.raw
        ]
        if true is None or not np.array_equal(holds_label, true):
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
            if settings.encoding == "single":
                codes = evaluation.y_pred[cells.first]
                missing = tuple(raw for raw, code in zip(cells.raw, codes, strict=True) if code == MISSING)
            else:
                missing = tuple(raw for text, raw in zip(cells.texts, cells.raw, strict=True) if not text.strip())
            if missing or cells.gaps:
                yield Condition(Mark(str(key), (), missing), (0,))
