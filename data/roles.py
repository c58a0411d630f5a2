"""Which column is what: truth, prediction, raw answers, scores, id. Names propose, values decide, and it says why."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from data.blocks import MultiHot, multi_hot, one_a_row
from data.columns import Column
from data.encode import label_space
from data.evaluation import ColumnRole, DataError, Settings
from data.find_labels import find_prediction, find_raw, find_sets, find_truth, labels_of
from data.find_scores import find_scale, find_scores
from data.names import COUNT, VAGUE, fold, rank, ranked
from data.search import Given, Search, check_column, no_rows, nothing_usable, same_column
from data.wording import quoted

__all__ = ["Detected", "Given", "detect"]


@dataclass(frozen=True)
class Detected:
    """Settings for `data.build.build`, with a reason for every column, and sentences for the receipt."""

    settings: Settings
    roles: tuple[ColumnRole, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def detect(
    table: pa.Table, *, label_set: Sequence[str] | None = None, given: Given | Mapping[str, Any] | None = None
) -> Detected:
    """Find the role of every column of a table.

    Parameters
    ----------
    table : columns as the readers make them; also one that `data.join.join` made.
    label_set : the label space, if a person gave it.
    given : what the person has said (also as a mapping with the fields of `Given`).

    Raises
    ------
    DataError
        no rows; no usable columns (what there is, what was looked for); a named column that is not there;
        a truth of free text; truth and prediction the same column.

    >>> found = detect(pa.table({"y": ["a", "b"], "y_pred": ["a", "a"]}))
    >>> found.settings.truth, found.settings.pred, found.roles[0].why
    ('y', 'y_pred', 'by its name')
    """
    wanted = given if isinstance(given, Given) else Given(**(given or {}))
    _check_given(table, wanted)
    columns = {name: Column(table, name) for name in table.column_names}
    search = Search(columns, wanted, tuple(label_set) if label_set is not None else None)
    _set_apart(search, table)
    hot = None if wanted.truth or wanted.pred or wanted.raw else multi_hot(search.open())
    settings = _multi_hot_settings(search, hot) if hot else _column_settings(search)
    settings = dataclasses.replace(
        settings, label_set=search.label_set, threshold=wanted.threshold, id=_find_id(search, wanted.id)
    )
    roles = tuple(ColumnRole(name, *search.found.get(name, ("other", "kept for the rows"))) for name in columns)
    return Detected(settings, roles, tuple(search.notes), tuple(search.warnings))


def _check_given(table: pa.Table, given: Given) -> None:
    if not len(table):
        raise no_rows()
    for name in given.columns():
        check_column(table, name)
    if given.truth is not None and given.truth in (given.pred, given.raw):
        raise same_column(given.truth)


def _set_apart(search: Search, table: pa.Table) -> None:
    """The column that a join added is no candidate for anything."""
    for field in table.schema:
        if (field.metadata or {}).get(b"role") == b"found in":
            search.take(field.name, "join", "says which of the two files had the row")


def _multi_hot_settings(search: Search, hot: MultiHot) -> Settings:
    for pairs, role in ((hot.truth, "truth of"), (hot.pred, "prediction of"), (hot.scores, "score of")):
        for name, label in pairs:
            search.take(name, f"{role} {label}", hot.why)
    if one_a_row([search.columns[name] for name, _ in hot.truth]):
        search.warnings.append(
            "Every row has exactly one true label in the 0/1 columns: if a row can have only one, give one column with "
            "the label's name, and the task is read as single-label."
        )
    return Settings(
        encoding="multi_hot",
        truth_columns=hot.truth,
        pred_columns=hot.pred,
        scores=hot.scores,
        scale=find_scale(search, hot.scores),
    )


def _column_settings(search: Search) -> Settings:
    truth = find_truth(search)
    sets = find_sets(search, truth)
    labels = search.label_set or labels_of(truth, sets)
    pred = find_prediction(search, truth, labels, sets)
    raw = None if pred or sets else find_raw(search, labels)
    if pred and not sets and not search.label_set:
        labels = _joint(labels, search.columns[pred])
    scores, positive = find_scores(search, truth, labels, pred, many=sets is not None)
    if not pred:
        _warn_empty(search)
    if not (pred or raw or scores):
        raise nothing_usable("prediction", search)
    _say(search, pred, raw)
    if pred and not sets:
        _check_aggregated(search, truth, search.columns[pred])
    settings = Settings(truth=truth.name, pred=pred, raw=raw, scores=scores, positive=positive)
    settings = dataclasses.replace(settings, scale=find_scale(search, scores))
    if sets is None:
        return settings
    return dataclasses.replace(settings, encoding=sets.encoding, delimiter=sets.delimiter)


def _check_aggregated(search: Search, truth: Column, pred: Column) -> None:
    """Lines that stand for many rows each: every number would be wrong if they were counted as one."""
    counts = next((c for c in search.open() if fold(c.name) in COUNT and c.is_number and c.is_whole), None)
    if counts is None or counts.distinct.n_missing or not (counts.range[0] >= 0 and 1 < counts.range[1] < 1e12):
        return
    if truth.n_rows < 4 or truth.n_rows <= len(truth.distinct.values):
        return
    span = counts.range[1] - counts.range[0] + 1
    if span == truth.n_rows == len(counts.distinct.values):  # 1, 2, 3, …: a row number
        return
    pairs = truth.distinct.codes.astype(np.int64) * (len(pred.distinct.values) + 1) + pred.distinct.codes
    if len(np.unique(pairs)) < len(pairs):
        return
    said = (
        f"{quoted(counts.name)} seems to say how many rows each line stands for: every pair of {quoted(truth.name)} "
        f"and {quoted(pred.name)} occurs once, as in a confusion matrix"
    )
    if search.given.truth is None or search.given.pred is None:
        raise DataError(f"{said}; give one row for every prediction, or choose both columns to count each line once.")
    search.warnings.append(f"{said}; each line is counted once.")


def _joint(labels: Sequence[str], column: Column) -> tuple[str, ...]:
    """Truth labels with those of the predictions, spelled as building will spell them."""
    values = column.distinct.values
    return label_space({"truth": labels, "predictions": values}, space=["truth", "predictions"]).labels


def _warn_empty(search: Search) -> None:
    """A column that is named like a prediction and holds nothing."""
    for column in search.open():
        place = rank(column.name, "prediction")
        if place is not None and place < VAGUE and not column.sample.values and not column.distinct.values:
            search.warnings.append(f"{quoted(column.name)} is empty in every row: no predictions were taken from it.")


def _say(search: Search, pred: str | None, raw: str | None) -> None:
    if raw:
        search.notes.append(
            f"The answers in {quoted(raw)} are free text: a label is read from each, or it counts as unparseable."
        )
    elif not pred:
        search.notes.append("There is no column of predictions: they are made from the scores.")


def _find_id(search: Search, given: str | None) -> str | None:
    if given is not None:
        return search.take(given, "id", "named by you")
    for name in ranked([column.name for column in search.open()], "id"):
        column = search.columns[name]
        sure = fold(name) not in ("file", "filename", "path", "name", "key")
        varied = len(column.sample.values) > len(column.sample.codes) / 2
        if column.sample.values and not column.is_continuous and (sure or varied):
            return search.take(name, "id", "by its name")
    return None
