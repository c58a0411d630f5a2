"""Answers of the reading API: each is a tuple of named fields, from which its JSON and its schema follow.

Nothing here computes a number: all of them come from a measurement or a result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from data.columns.table_metadata import rows_left_out
from data.errors import DataError
from data.evaluation import Evaluation
from data.rows.row_table import build_rows_frame
from data.rows.selection import Only, Which, find_rows
from data.runs.source_rows import has_source
from export.class_result import name_class_states
from export.limits import MAX_CELL_CHARS
from export.measurement import Measurement
from export.numbers import FORMAT, leave_out_large_matrix, numbers, plain
from export.overview.amounts import Amount, amount_of, page_of
from export.overview.title import title_parts
from export.result.kinds import Result
from export.result.written import plain_name, write_words
from metrics.catalogue.registry import class_formulas
from metrics.confusion.class_order import lowest_f1_first
from metrics.confusion.counts import UNPARSEABLE
from metrics.finding import Severity
from metrics.intervals.statistic import Interval
from text.quoting import cut


class Part(NamedTuple):
    """A part of a list. offset : the place of its first entry, from 0. limit : the most entries that were wanted."""

    offset: int
    limit: int


class Headline(NamedTuple):
    """One number of the first ones to read. key : its name in the JSON."""

    key: str
    title: str
    interval: Interval


class RunAnswer(NamedTuple):
    """The run and its first numbers. shows_rows : whether `/rows` answers. columns : of its rows, if it shows any."""

    format: int
    name: str
    title: str
    task: str
    fingerprint: str
    n_rows: int
    n_scored: int
    n_classes: int
    n_warnings: int
    shows_rows: bool
    columns: Sequence[str]
    headlines: Sequence[Headline]


class ClassLine(NamedTuple):
    """One class. name : as in a sentence. state : such as "never predicted"; "" = none. numbers : by their key."""

    label: str
    name: str
    state: str
    support: int
    predicted: float
    numbers: Mapping[str, Interval]


class ClassesAnswer(NamedTuple):
    """Classes, the lowest F1 first."""

    format: int
    total: int
    offset: int
    classes: Sequence[ClassLine]


class FindingLine(NamedTuple):
    """One finding. page : of the app, which shows it. amount : how much it is about; null = nothing is counted."""

    code: str
    severity: Severity
    text: str
    page: str
    evidence: Mapping[str, float]
    amount: Amount | None


class FindingsAnswer(NamedTuple):
    """All findings, the most serious first."""

    format: int
    findings: Sequence[FindingLine]


class ConfusionCell(NamedTuple):
    """Rows of one true and one predicted class, and their weight; null where rows have none.

    predicted : null = no label was found in the answer.
    """

    true: str
    predicted: str | None
    rows: int
    weight: float | None


class LabelOutcomes(NamedTuple):
    """Rows by outcome of one label of several."""

    label: str
    tp: int
    fp: int
    fn: int
    tn: int


class ConfusionAnswer(NamedTuple):
    """Cells that hold rows, the fullest first; of a multi-label task the outcomes of every label. The other is null."""

    format: int
    total: int
    offset: int
    cells: Sequence[ConfusionCell] | None
    outcomes: Sequence[LabelOutcomes] | None


class RowsAnswer(NamedTuple):
    """Rows in the order of the file, each a list of cells. cut : how many cells are longer than what is shown."""

    format: int
    total: int
    offset: int
    columns: Sequence[str]
    rows: Sequence[Sequence[str | float | bool | None]]
    cut: int


class ResultAnswer(NamedTuple):
    """An analysis: sentences for a person, and its numbers by the keys that the command line prints."""

    format: int
    sentences: Sequence[str]
    notes: Sequence[str]
    numbers: Mapping[str, Any]


def describe_run(measured: Measurement) -> RunAnswer:
    """Return what a run is of, and its first numbers."""
    run = measured.evaluation
    shows_rows = _shows_rows(run)
    title = tuple(measured.named(title_parts(measured, measured.findings)))
    return RunAnswer(
        FORMAT, run.name, write_words(title, plain_name), run.task, run.fingerprint,
        run.n_rows, run.n_scored, run.n_space, len(run.receipt.warnings), shows_rows,
        tuple(run.rows.column_names) if shows_rows else (),
        [Headline(key, title, measured.number(key)) for key, title in measured.headlines],
    )  # fmt: skip


def list_numbers(measured: Measurement) -> dict[str, Any]:
    """Return every number as the exported file has it; a large matrix is left to `/confusion`."""
    return leave_out_large_matrix(numbers(measured), "ask for /confusion")


def list_classes(measured: Measurement, part: Part) -> ClassesAnswer:
    """Return classes with every number of one class."""
    labels, columns, states = measured.evaluation.labels, measured.class_columns, name_class_states(measured)
    keys = list(class_formulas(measured.evaluation.task)) if measured.evaluation.has_predictions else []
    order = lowest_f1_first(columns["f1"], columns["support"]).tolist()
    lines = []
    for code in order[part.offset : part.offset + part.limit]:
        label, support, predicted = labels[code], int(columns["support"][code]), float(columns["predicted"][code])
        of_class = {key: measured.number(key, code) for key in keys}
        lines.append(ClassLine(label, measured.names[label], states[code], support, predicted, of_class))
    return ClassesAnswer(FORMAT, len(order), part.offset, lines)


def list_findings(measured: Measurement) -> FindingsAnswer:
    """Return all findings with labels by their names."""
    lines = [
        FindingLine(
            finding.code, finding.severity, finding.text, page_of(finding), dict(finding.evidence),
            amount_of(measured, finding),
        )
        for finding in measured.named_findings
    ]  # fmt: skip
    return FindingsAnswer(FORMAT, lines)


def list_confusions(measured: Measurement, part: Part) -> ConfusionAnswer:
    """Return the cells of the matrix, or the outcomes of every label.

    Raises
    ------
    DataError
        nothing is predicted yet.
    """
    if not measured.evaluation.has_predictions:
        raise DataError("Nothing is predicted yet, so there are no confusions: choose a threshold first.")
    end = part.offset + part.limit
    if measured.many:
        counts = measured.labels
        of_each = (values.tolist() for values in (counts.tp, counts.fp, counts.fn, counts.tn))
        outcomes = [LabelOutcomes(*line) for line in zip(counts.labels, *of_each, strict=True)]
        return ConfusionAnswer(FORMAT, len(outcomes), part.offset, None, outcomes[part.offset : end])
    matrix = measured.weighted_confusion
    order = np.argsort(-matrix.rows, kind="stable")[part.offset : end].tolist()
    cells = []
    for place in order:
        true, pred = int(matrix.true[place]), int(matrix.pred[place])
        predicted = None if pred == UNPARSEABLE else matrix.labels[pred]
        weight = None if matrix.counted is None else float(matrix.rows[place] * matrix.unit)
        cells.append(ConfusionCell(matrix.labels[true], predicted, int(matrix.by_row.rows[place]), weight))
    return ConfusionAnswer(FORMAT, len(matrix.rows), part.offset, cells, None)


def _shows_rows(evaluation: Evaluation) -> bool:
    return not rows_left_out(evaluation) and not has_source(evaluation)


def list_rows(evaluation: Evaluation, part: Part, only: Only, true: Sequence[str], pred: Sequence[str]) -> RowsAnswer:
    """Return rows of a file, by their outcome and labels; long cells are cut, and counted.

    Raises
    ------
    DataError
        the rows were left out or stand in a source, or the file has no such label.
    """
    if not _shows_rows(evaluation):
        raise DataError("This link shows no rows: they were left out, or stand in a source of the server.")
    which = Which(_codes(evaluation, true), _codes(evaluation, pred), only=only)
    rows = find_rows(evaluation, which)
    frame = build_rows_frame(evaluation, rows[part.offset : part.offset + part.limit]).astype(object)
    cells = frame.where(frame.notna(), None).to_numpy().tolist()
    written = [[_cell(value) for value in line] for line in cells]
    n_cut = sum(isinstance(value, str) and len(value) > MAX_CELL_CHARS for line in cells for value in line)
    return RowsAnswer(FORMAT, len(rows), part.offset, list(frame.columns), written, n_cut)


def _codes(evaluation: Evaluation, names: Sequence[str]) -> tuple[int, ...]:
    for name in names:
        if name not in evaluation.labels:
            raise DataError(f"The file has no label {cut(name, 40)!r}; /classes lists them.")
    return tuple(evaluation.labels.index(name) for name in names)


def _cell(value: object) -> str | float | bool | None:
    """Return a cell as JSON has it: what is no number is text."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float):
        return value
    return cut(str(value), MAX_CELL_CHARS)


def result_answer(result: Result) -> ResultAnswer:
    """Return what an analysis found."""
    return ResultAnswer(
        FORMAT,
        [write_words(words, plain_name) for words in (result.headline, *result.sentences) if words],
        [write_words(note, plain_name) for note in result.notes],
        result.numbers,
    )


def to_json(answer: Any) -> Any:
    """Return an answer as JSON knows it: fields by name, what is undefined as null."""
    return plain(_by_name(answer))


def _by_name(value: Any) -> Any:
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _by_name(item) for name, item in value._asdict().items()}
    if isinstance(value, Mapping):
        return {name: _by_name(item) for name, item in value.items()}
    return [_by_name(item) for item in value] if isinstance(value, list | tuple) else value
