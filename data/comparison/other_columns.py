"""Find other columns of predictions, answers or scores in the file of an evaluation, and read them as runs.

In a source that an engine counted: those by which its counts could be split, too.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from data.answers.outcomes import find_answer_columns
from data.building.build import CONTENT, build
from data.columns.column import Column
from data.columns.counted_metadata import read_counted
from data.columns.name_ranks import rank
from data.columns.rater_columns import is_model, is_person, other_raters
from data.comparison.ordered_columns import read_ordered
from data.comparison.run_names import RunName
from data.errors import DataError
from data.evaluation import Evaluation, Settings
from data.limits import MAX_LISTED_COLUMNS, MAX_SLICE_VALUES, MAX_SOURCE_DAYS
from data.roles.search import find_score_columns, is_of_a_model
from data.runs.draft import Draft
from data.runs.draft_changes import correct_settings
from data.runs.score_runs.counting import list_score_columns
from data.runs.tables import load_joined_table
from text.quoting import list_briefly, quote

_LEAST_SHARED = 0.5  # of a column's different values that are labels


def list_other_columns(evaluation: Evaluation) -> list[RunName]:
    """Return the columns of the same file that could be another model's, those named like predictions first."""
    taken, counted = set[str | None](evaluation.settings.columns()), read_counted(evaluation.rows)
    if counted is not None:
        taken |= {counted.upper, *counted.more_scores.values()}
    columns = [Column(evaluation.rows, name) for name in evaluation.rows.column_names if name not in taken]
    runs = [RunName("pred", name) for name in find_prediction_columns(evaluation, columns)]
    if evaluation.answers is not None:
        names = [name for name in find_answer_columns(evaluation) if rank(name, "raw") is not None]
        runs += [RunName("raw", name) for name in names]
    if evaluation.positive is not None and evaluation.y_score is not None:
        continuous = [column for column in columns if column.is_number and column.is_continuous]
        runs += [RunName("score", column.name) for column in find_score_columns(continuous)]
    if len(evaluation.settings.scores) > 1:
        numbers = [column.name for column in columns if column.is_number_like]
        runs += [RunName("scores", name) for name in _list_blocks(evaluation.settings, numbers)]
    return runs[:MAX_LISTED_COLUMNS]


def find_prediction_columns(evaluation: Evaluation, columns: Sequence[Column]) -> list[str]:
    """Return the names of columns that hold predictions of the labels of an evaluation; a person's are none."""
    raters = other_raters(evaluation)
    models = [c for c in columns if not is_person(c.name) and (c.name not in raters or is_model(c.name))]
    return [column.name for column in models if _holds_predictions(evaluation, column)]


def block_name(settings: Settings) -> str:
    """Return what the names of the score columns in use share, such as a_p_*; "" where they share nothing.

    >>> block_name(Settings(scores=(("a_p_cat", "cat"), ("a_p_dog", "dog"))))
    'a_p_*'
    """
    before, _, after = _shared_ends([column for column, _ in settings.scores])
    return f"{before}*{after}" if before or after else ""


def _shared_ends(names: Sequence[str]) -> tuple[str, list[str], str]:
    """Return the beginning that all names share, what is left of each, and the end that all share."""
    before = names[0][: _count_shared(names)]
    rest = [name[len(before) :] for name in names]
    after = rest[0][len(rest[0]) - _count_shared([name[::-1] for name in rest]) :]
    return before, [name[: len(name) - len(after)] for name in rest], after


def _count_shared(names: Sequence[str]) -> int:
    """Return how many letters at their beginning all names share."""
    shortest = min(map(len, names))
    return next((place for place in range(shortest) if len({name[place] for name in names}) > 1), shortest)


def _list_blocks(settings: Settings, columns: Sequence[str]) -> list[str]:
    """Return every other block of columns that differs from the one in use in what its names share, and in no more."""
    _, stems, _ = _shared_ends([column for column, _ in settings.scores])
    there = set(columns)
    blocks = []
    for column in columns if all(stems) else ():
        for place in (found_at.start() for found_at in re.finditer(f"(?={re.escape(stems[0])})", column)):
            before, after = column[:place], column[place + len(stems[0]) :]
            if all(f"{before}{stem}{after}" in there for stem in stems):
                blocks.append(f"{before}*{after}")
    return list(dict.fromkeys(blocks))


def _holds_predictions(evaluation: Evaluation, column: Column) -> bool:
    """Return whether a column holds labels, and its name or its values say that a model made them."""
    values = column.sample.values
    if column.is_continuous or not values or rank(column.name, "id") is not None:
        return False
    named = rank(column.name, "prediction") is not None
    if evaluation.task == "multilabel":
        return named and evaluation.settings.encoding != "multi_hot"
    labels = set(evaluation.labels)
    shared = sum(value in labels for value in values) / len(values)
    if named:
        return shared >= _LEAST_SHARED
    words = not all(label.strip().lstrip("-").isdigit() for label in labels)
    return words and len(values) > 1 and shared == 1


def predict_by_scores(evaluation: Evaluation) -> Evaluation:
    """Return the evaluation with predictions from its scores: a file's column may be of another model."""
    settings = evaluation.settings
    if settings.pred is None and settings.raw is None:
        return evaluation
    content = (evaluation.rows.schema.metadata or {})[CONTENT].decode()
    return build(
        evaluation.rows, dataclasses.replace(settings, pred=None, raw=None), name=evaluation.name,
        content_sha256=content, files=evaluation.receipt.files, join=evaluation.receipt.join,
    )  # fmt: skip


def column_draft(draft: Draft, run: RunName) -> Draft:
    """Return the draft of the same file with another column in place of its predictions, answers or scores.

    Raises
    ------
    DataError
        the file has no such column.
    """
    table = load_joined_table(draft)[0]
    if run.kind == "scores":
        return _block_draft(draft, run.name, table)
    if run.name not in table.column_names:
        raise DataError(f"{quote(draft.name)} has no column {quote(run.name)}: remove this run, or add another.")
    wanted: dict[str, Any] = {"pred": None, "raw": None, "score_columns": ()}
    wanted |= {"score_columns": (run.name,)} if run.kind == "score" else {run.kind: run.name}
    settings = correct_settings(table, draft.settings, wanted)
    return dataclasses.replace(draft, name=run.name, settings=settings, problem="", question=None)


def _block_draft(draft: Draft, name: str, table: pa.Table) -> Draft:
    """Return the draft with another block of score columns in place of its predictions."""
    before, star, after = name.partition("*")
    _, stems, _ = _shared_ends([column for column, _ in draft.settings.scores])
    columns = tuple(f"{before}{stem}{after}" for stem in stems) if star else ()
    missing = [column for column in columns if column not in table.column_names]
    if not columns or missing:
        problem = f"no columns {list_briefly(missing)}" if missing else f"no block of scores {quote(name)}"
        raise DataError(f"{quote(draft.name)} has {problem}: remove this run, or add another.")
    settings = correct_settings(table, draft.settings, {"pred": None, "raw": None, "score_columns": columns})
    return dataclasses.replace(draft, name=name, settings=settings, problem="", question=None)


class SourceColumns(NamedTuple):
    """Columns of a source beside those of its counts: predictions of other models, and columns of few values.

    names : every column of the source. problem : why the source could not be read; empty where it was.
    is_read : whether its columns were read; False while they are, or once that was cancelled.
    """

    models: tuple[RunName, ...] = ()
    slices: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    problem: str = ""
    is_read: bool = True


def find_source_columns(evaluation: Evaluation, sample: pa.Table) -> SourceColumns:
    """Return the columns by which the counts of a source could be split; sample : some of its rows."""
    there = {*evaluation.settings.columns(), *evaluation.rows.column_names}
    columns = [Column(sample, name) for name in sample.column_names if name not in there]
    models = [RunName("pred", name) for name in find_prediction_columns(evaluation, columns)]
    taken = {run.name for run in models}
    if evaluation.positive is not None and evaluation.y_score is not None:
        score = _find_raw_score(evaluation)
        models += [RunName("score", name) for name in list_score_columns(sample, [*there, *taken, score], score)]
    slices = [
        column.name
        for column in columns
        if column.name not in taken and not is_of_a_model(column) and _has_few_values(sample, column)
    ]
    return SourceColumns(tuple(models[:MAX_LISTED_COLUMNS]), tuple(slices), tuple(sample.column_names))


def _find_raw_score(evaluation: Evaluation) -> str:
    """Return the column of a source that holds the scores of its counts; "" where they have none."""
    counted = read_counted(evaluation.rows)
    return counted.columns.get(counted.score, "") if counted is not None and counted.score is not None else ""


def _has_few_values(sample: pa.Table, column: Column) -> bool:
    """Return whether the values of a column can be slices, or are days."""
    n, ordered = len(column.distinct.values), None
    if MAX_SLICE_VALUES < n <= MAX_SOURCE_DAYS:
        ordered = read_ordered(sample.column(column.name))
    return 1 < n <= len(sample) // 2 and (n <= MAX_SLICE_VALUES or (ordered is not None and ordered.kind == "date"))
