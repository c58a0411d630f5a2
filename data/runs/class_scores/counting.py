"""Count the scores of every class of a source against the rest, one class after the other."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.columns.counted_metadata import Counted, read_counted, require_counted
from data.columns.score_scale import SURELY_PER_CENT, find_source_cut, is_source_per_cent
from data.engines.label_lists import is_number
from data.engines.query import HIGH, LOW, ROWS, Condition, Grouping, Mark
from data.engines.row_scores import read_scores
from data.engines.row_source import RowSource
from data.engines.score_bins import coarsen_bins, merge_bins, sampled_facts
from data.errors import DataError
from data.evaluation import Evaluation
from data.limits import MAX_CLASS_SCORES, MAX_COUNT_LINES, SOURCE_SAMPLE_ROWS
from data.runs.class_scores.class_marks import find_class_marks
from data.runs.class_scores.source_keys import find_cut, make_score, read_condition, read_conditions, write_condition
from text.quoting import quote

if TYPE_CHECKING:
    from data.engines.engine import Engine

CLASS, TRUE = "class", "true"
_ABOUT = b"class scores"
_BITS = 14  # significant bits of the scores' first bins, which become fewer


class ClassScores(NamedTuple):
    """The counts of every class: lines of class (place among `classes`), true (1 or 0), low, high and rows.

    classes, columns : names of the classes, and the columns of the files with their scores. marks, scored : which rows
    are of each, and which count. labels : of `name_labels`. scale : of the scores. softmax : the columns of logits that
    are made scores; () = the columns hold the scores.
    """

    table: pa.Table
    classes: tuple[str, ...]
    columns: tuple[str, ...]
    marks: tuple[Mark, ...]
    scored: tuple[Condition, ...]
    scale: str
    labels: str
    softmax: tuple[str, ...] = ()


def can_count_classes(evaluation: Evaluation) -> bool:
    """Return whether a counted source has scores of several classes that were not counted."""
    counted = read_counted(evaluation.rows)
    return counted is not None and len(counted.class_scores) > 1 and evaluation.y_score is None


def name_labels(evaluation: Evaluation, counted: Counted) -> str:
    """Return a digest of the settings that decide which rows are of a class, and of the files."""
    s = evaluation.settings
    choices = (counted.snapshot, s.truth, s.truth_columns, s.encoding, s.delimiter, s.merge, s.label_set, s.class_names,
            s.pred, s.pred_columns, counted.only)  # fmt: skip
    return hashlib.sha256(json.dumps(choices).encode()).hexdigest()


def count_classes(evaluation: Evaluation, folder: RowSource, engine: Engine, done: list[int]) -> ClassScores:
    """Count the scores of every class; exact while its distinct scores fit, else in bins.

    done : its one number counts the classes that are done.

    Raises
    ------
    DataError
        labels that the engine cannot tell apart, scores that are no numbers, a query that failed.
    """
    counted = require_counted(evaluation.rows)
    label_marks = find_class_marks(evaluation, counted, folder.schema)
    softmax = counted.class_scale == "logit" and evaluation.task != "multilabel"
    logits = tuple(column for column, _ in counted.class_scores) if softmax else ()
    scale = "probability" if softmax else counted.class_scale
    pairs = [(column, label) for column, label in _name_scores(evaluation, counted) if label in label_marks.marks]
    for column in (*(column for column, _ in pairs), *logits):
        if not is_number(folder.schema.field(column).type):
            raise DataError(f"Column {quote(column)} holds text: write the scores as numbers.")
    if not pairs:
        raise DataError("No score column is named like a true label: name the columns of scores like the labels.")
    drawn, parts = folder.sample(SOURCE_SAMPLE_ROWS), []
    where, most = (
        (*read_conditions(counted, folder.schema), *label_marks.scored),
        max(1, MAX_CLASS_SCORES // len(pairs)),
    )
    for place, (column, label) in enumerate(pairs):
        score = make_score(column, logits)
        asked = Grouping((label_marks.marks[label],), score, weights=counted.weights, where=where, most=2 * most)
        scores = read_scores(drawn, score).to_numpy(zero_copy_only=False)
        few = sampled_facts(scores, folder.n_rows, most) is None
        cut = find_cut(counted, column)
        cut = find_source_cut(scale, None, float(np.nanmax(scores, initial=-np.inf))) if cut is None else cut
        lines = _count_class(engine, asked, column, cut, try_exact=few)
        parts.append(lines.append_column(CLASS, pa.array(np.full(len(lines), place, np.int32))))
        done[0] += 1
    _check_per_cent(scale, parts)
    return ClassScores(
        pa.concat_tables(parts), tuple(label for _, label in pairs), tuple(column for column, _ in pairs),
        tuple(label_marks.marks[label] for _, label in pairs), label_marks.scored, scale,
        name_labels(evaluation, counted), logits,
    )  # fmt: skip


def _name_scores(evaluation: Evaluation, counted: Counted) -> list[tuple[str, str]]:
    """Return the columns of scores with the names that their labels have in the evaluation."""
    settings, labels = evaluation.settings, {label for _, label in counted.class_scores}
    merged = next((label for label, _ in settings.merge if label in labels), None)
    if merged is not None:
        raise DataError(f"The label {quote(merged)} was merged: take that back to count its scores.")
    names = dict(settings.class_names)
    return [(column, names.get(label, label)) for column, label in counted.class_scores]


def _check_per_cent(scale: str, parts: list[pa.Table]) -> None:
    """Refuse per cent where a class has low scores only: alone, they read as fractions."""
    highest = [high for part in parts if (high := pc.max(part.column(HIGH)).as_py()) is not None]
    if is_source_per_cent(scale, max(highest, default=None)) and min(highest) <= SURELY_PER_CENT:
        raise DataError("The scores are per cent, and a class has low ones only: write them as fractions from 0 to 1.")


def _count_class(engine: Engine, asked: Grouping, column: str, cut: float | None, *, try_exact: bool) -> pa.Table:
    """Return true, low, high and rows of one class, exact where its scores fit."""
    table = engine.count(asked) if try_exact else None
    if table is None or len(table) > asked.most:
        table = engine.count(dataclasses.replace(asked, bits=_BITS, cut=cut, most=MAX_COUNT_LINES))
        if len(table) > MAX_COUNT_LINES:
            raise DataError(f"The scores in {quote(column)} need more than {MAX_COUNT_LINES:,} bins: round them.")
    table = table.rename_columns([TRUE, LOW, HIGH, ROWS])
    table = merge_bins(table.filter(pc.is_valid(table.column(TRUE))))
    table = table.set_column(0, TRUE, table.column(TRUE).cast(pa.int64()))
    return coarsen_bins(table.select([TRUE, LOW, HIGH, ROWS]), TRUE, asked.most // 2, cut)


def write_class_scores(class_scores: ClassScores) -> pa.Table:
    """Return the table of classes as it is stored."""
    marks = [mark._asdict() for mark in class_scores.marks]
    described = {
        "table": None,
        "marks": marks,
        "scored": [write_condition(condition) for condition in class_scores.scored],
    }
    return class_scores.table.replace_schema_metadata({_ABOUT: json.dumps(class_scores._asdict() | described).encode()})


def read_class_scores(table: pa.Table) -> ClassScores:
    """Read back a table of classes as it was stored."""
    values = json.loads((table.schema.metadata or {})[_ABOUT])
    keys = (read_condition({"key": mark, "values": ()}).column for mark in values["marks"])
    marks = tuple(mark for mark in keys if isinstance(mark, Mark))
    return ClassScores(
        table, tuple(values["classes"]), tuple(values["columns"]), marks,
        tuple(map(read_condition, values["scored"])), values["scale"], values["labels"],
        tuple(values.get("softmax", ())),
    )  # fmt: skip
