"""Evaluations of one class of a counted source against the rest, built of its scores like a file of two classes."""

from __future__ import annotations

import dataclasses

import pyarrow as pa
import pyarrow.compute as pc

from data.columns.counted_metadata import Counted, read_counted, require_counted, with_counted
from data.columns.score_scale import is_source_per_cent
from data.engines.query import HIGH, LOW, ROWS
from data.evaluation import Evaluation, Settings
from data.labels.positive_class import name_other_class
from data.roles.detect import Detected
from data.runs.class_scores.counting import CLASS, TRUE, ClassScores, name_labels, read_class_scores
from data.runs.class_scores.source_keys import find_cut, write_condition
from data.runs.draft import Draft
from data.runs.understanding import build_evaluation
from data.store import store

_UPPER = f"{HIGH} score"


def load_class_scores(draft: Draft, evaluation: Evaluation) -> ClassScores | None:
    """Return the scores of every class that were counted for a draft; None without, or where its labels changed since.

    evaluation : of the draft, of all rows.
    """
    counted = read_counted(evaluation.rows)
    if not draft.class_scores or counted is None or evaluation.filtered is not None:
        return None
    class_scores = read_class_scores(store.load_table(draft.class_scores))
    return class_scores if class_scores.labels == name_labels(evaluation, counted) else None


def is_one_class(evaluation: Evaluation) -> bool:
    """Return whether an evaluation is of one class of a source against the rest."""
    counted = read_counted(evaluation.rows)
    return counted is not None and bool(counted.marks)


def class_evaluation(evaluation: Evaluation, scores: ClassScores, name: str) -> Evaluation:
    """Return the evaluation of one class against the rest: its lines, scores and how exact they are.

    name : one of `scores.classes`. Its labels are that class and "not" it; its rows are asked of the same source.

    Raises
    ------
    DataError
        as `build`.
    """
    counted = require_counted(evaluation.rows)
    place = scores.classes.index(name)
    lines = scores.table.filter(pc.equal(scores.table.column(CLASS), place))
    binned = not pc.all(
        pc.or_kleene(pc.equal(lines.column(LOW), lines.column(HIGH)), pc.is_null(lines.column(LOW)))
    ).as_py()
    column = scores.columns[place]
    shown = f"{column} score" if column in (TRUE, ROWS, _UPPER) else column
    table = pa.table({
        TRUE: lines.column(TRUE).cast(pa.string()).dictionary_encode(),
        shown: lines.column(LOW),
        **({_UPPER: lines.column(HIGH)} if binned else {}),
        ROWS: lines.column(ROWS).cast(pa.string()).dictionary_encode(),
    })  # fmt: skip
    about = Counted(
        counted.source, counted.snapshot, counted.engine, counted.n_rows, counted.n_files, ROWS, shown,
        _UPPER if binned else None, {shown: column}, only=counted.only, marks={TRUE: scores.marks[place]._asdict()},
        scored=tuple(map(write_condition, scores.scored)), softmax=scores.softmax,
    )  # fmt: skip
    settings = Settings(
        truth=TRUE, scores=((shown, "1"),), scale=scores.scale, positive="1", counts=ROWS, label_set=("0", "1"),  # type: ignore[arg-type]
        class_names=(("0", name_other_class(name)), ("1", name)), threshold=_read_threshold(counted, column, lines),
    )  # fmt: skip
    detected, files = Detected(settings, (), (), ()), evaluation.receipt.files
    built = build_evaluation(evaluation.name, with_counted(table, about), files, None, detected, settings)
    made = built.threshold if evaluation.task == "multilabel" else None  # a row of one class is of the likeliest one
    return dataclasses.replace(built, name=evaluation.name, threshold=made)


def _read_threshold(counted: Counted, column: str, lines: pa.Table) -> float | None:
    """Return the threshold that predicts a label, on the scale of evaluations; None for the default one."""
    cut = find_cut(counted, column)
    per_cent = is_source_per_cent(counted.class_scale, pc.max(lines.column(HIGH)).as_py())
    return cut / 100 if cut is not None and per_cent else cut
