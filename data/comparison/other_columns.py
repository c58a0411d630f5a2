"""Find other columns of predictions, answers or scores in the file of an evaluation, and read them as runs."""

from __future__ import annotations

import dataclasses
from typing import Any

from data.answers.outcomes import find_answer_columns
from data.columns.column import Column
from data.columns.column_names import rank
from data.comparison.run_names import RunName
from data.errors import DataError
from data.evaluation import Evaluation, Settings
from data.limits import MAX_LISTED_COLUMNS
from data.roles.candidates import find_score_columns
from data.runs.draft import Draft
from data.runs.draft_changes import correct_settings
from data.runs.tables import load_joined_table
from text.quoting import quote

_LEAST_SHARED = 0.5  # of a column's different values that are labels


def list_other_columns(evaluation: Evaluation) -> list[RunName]:
    """Return the columns of the same file that could be another model's, those named like predictions first."""
    taken = _columns_in_use(evaluation.settings)
    columns = [Column(evaluation.rows, name) for name in evaluation.rows.column_names if name not in taken]
    found = [RunName("pred", column.name) for column in columns if _holds_predictions(evaluation, column)]
    if evaluation.answers is not None:
        names = [name for name in find_answer_columns(evaluation) if rank(name, "raw") is not None]
        found += [RunName("raw", name) for name in names]
    if evaluation.positive is not None and evaluation.y_score is not None:
        continuous = [column for column in columns if column.is_number and column.is_continuous]
        found += [RunName("score", column.name) for column in find_score_columns(continuous)]
    return found[:MAX_LISTED_COLUMNS]


def _columns_in_use(settings: Settings) -> set[str | None]:
    pairs = (*settings.truth_columns, *settings.pred_columns, *settings.scores)
    return {settings.truth, settings.pred, settings.raw, settings.id, settings.counts, *(name for name, _ in pairs)}


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


def column_draft(draft: Draft, run: RunName) -> Draft:
    """Return the draft of the same file with another column in place of its predictions, answers or scores.

    Raises
    ------
    DataError
        the file has no such column.
    """
    table = load_joined_table(draft)[0]
    if run.name not in table.column_names:
        raise DataError(f"{quote(draft.name)} has no column {quote(run.name)}: remove this run, or add another.")
    wanted: dict[str, Any] = {"pred": None, "raw": None, "score_columns": ()}
    wanted |= {"score_columns": (run.name,)} if run.kind == "score" else {run.kind: run.name}
    settings = correct_settings(table, draft.settings, wanted)
    return dataclasses.replace(draft, name=run.name, settings=settings, problem="", question=None)
