"""Groups of rows by the values of a column: clusters, and the repetitions of a question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.column import Distinct, distinct
from data.columns.name_ranks import list_columns, names_rows
from data.columns.role_names import PART_ROLES
from data.errors import DataError
from data.evaluation import MISSING, Evaluation, Settings
from data.roles.run_columns import ALL_ROWS
from text.numbers import count
from text.quoting import quote

FEW_CLUSTERS = 10
EACH_ROW = "~"
"""The value of a link's parameter `cluster` that counts every row by itself."""
CLUSTER = "cluster"
"""The role of a column of clusters in a receipt."""


class Clusters(NamedTuple):
    """Hold which rows belong together.

    column : its name. codes : int64 (n,), from 0; a row without a value is a cluster of its own.
    warnings : what a person should know about them, as sentences.
    """

    column: str
    codes: np.ndarray
    warnings: tuple[str, ...]

    @property
    def n(self) -> int:
        """Return clusters of all rows of the file."""
        return int(self.codes.max(initial=-1)) + 1


def column_values(table: pa.Table, column: str, wanted: str = "to group rows by") -> Distinct:
    """Return the values of a column and their codes.

    Raises
    ------
    DataError
        there is no such column.
    """
    check_grouping(table, column, wanted)
    return distinct(table.column(column))


def check_grouping(table: pa.Table, column: str, wanted: str) -> None:
    """Raise a DataError where there is no such column; it names the columns that there are."""
    if column not in table.column_names:
        columns = list_columns(table.column_names, column)
        raise DataError(f"There is no column {quote(column)} {wanted}; the file has {columns}")


def clusters(evaluation: Evaluation, column: str) -> Clusters:
    """Return the rows that belong together because they share a value of a column; a filter may leave one cluster.

    Raises
    ------
    DataError
        there is no such column, or it holds fewer than two values without a filter.
    """
    check_grouping(evaluation.rows, column, "to cluster rows by")
    few = 1 if evaluation.filtered else 2
    return cluster_values(column, evaluation.rows.column(column), evaluation.weights, fewest=few)


def cluster_values(column: str, values: pa.ChunkedArray, weights: np.ndarray | None, *, fewest: int = 2) -> Clusters:
    """Return the rows that belong together by the values of a column; weights : rows of every line, None = one.

    Raises
    ------
    DataError
        it makes fewer than `fewest` clusters, or a line of several rows has none.
    """
    cells = distinct(values)
    missing = np.flatnonzero(cells.codes == MISSING)
    if weights is not None and (weights[missing] > 1).any():
        n = int(weights[missing].sum())
        raise DataError(
            f"{count(n)} have no value of {quote(column)}, and counts do not tell them apart: fill the column, or "
            "name another."
        )
    codes = cells.codes.astype(np.int64)
    codes[missing] = len(cells.values) + np.arange(len(missing))
    n = len(cells.values) + len(missing)
    if n < fewest:
        raise DataError(f"Column {quote(column)} holds one value only: clusters need two; name another column.")
    remarks = []
    if len(missing):
        remarks.append(
            f"{count(len(missing))} without a value of {quote(column)}: each counts as a cluster of its own."
        )
    if n == 1:
        remarks.append(f"All rows are of one cluster of {quote(column)}, from which no interval can be told.")
    elif n < FEW_CLUSTERS:
        remarks.append(f"Column {quote(column)} has {n} clusters: intervals from fewer than {FEW_CLUSTERS} are rough.")
    return Clusters(column, codes, tuple(remarks))


def epoch_clusters(evaluation: Evaluation, column: str, noun: str = "epoch") -> Clusters:
    """Return the rows of one question, which a column of epochs (or seeds, or folds) repeats.

    The ids name the questions, or a column named like ids; where there is none, the clusters that a person named.

    Standard errors over questions hold for answers that were drawn several times (Miller 2024, Adding error bars to
    evals).

    Raises
    ------
    DataError
        there is no such column, it holds one value, or no column names the questions.
    """
    epochs = column_values(evaluation.rows, column, "of epochs")
    if len(epochs.values) < 2:
        raise DataError(f"Column {quote(column)} holds one {noun} only: leave it out.")
    settings, columns = evaluation.settings, evaluation.rows.column_names
    like_ids = [name for name in columns if name != column and names_rows(name)]
    names = [name for name in (settings.id, *like_ids, settings.cluster) if name in columns]
    if not names:
        raise DataError(
            f"No column names the questions that the {noun}s in {quote(column)} repeat: name it as the clusters."
        )
    questions = clusters(evaluation, names[0])
    sentence = f"{count(len(epochs.values), noun)} of {count(questions.n, 'question')}, which {quote(names[0])} names."
    return questions._replace(warnings=(sentence, *questions.warnings))


def run_parts(evaluation: Evaluation) -> dict[str, str]:
    """Return the column of epochs, seeds and folds, by role, as a person said or as found."""
    detected = {role.role: role.column for role in reversed(evaluation.receipt.roles) if role.role in PART_ROLES}
    parts = detected | dict(evaluation.settings.run_parts)
    return {role: parts[role] for role in PART_ROLES if parts.get(role) in evaluation.rows.column_names}


def clusters_in_use(evaluation: Evaluation) -> Clusters | None:
    """Return the clusters in the settings, or as found; None where every row is independent.

    Where epochs, seeds or folds were counted together, the questions that they repeat are the clusters.
    """
    chosen = evaluation.settings.cluster
    columns = {role.role: role.column for role in reversed(evaluation.receipt.roles)}
    name = columns.get(CLUSTER) if chosen is None else chosen
    try:
        if name in evaluation.rows.column_names:
            return clusters(evaluation, str(name))
    except DataError:  # the file has one cluster, or counts do not tell its rows apart
        return None
    return questions_in_use(evaluation) if chosen is None else None


def questions_in_use(evaluation: Evaluation) -> Clusters | None:
    """Return the answers of each question, where it has several; None where nobody said so, or all rows are alone.

    Epochs, seeds or folds that are counted together say so, and a person who made the ids the clusters.
    """
    try:
        return next((way for way in _group_by_question(evaluation) if way.n < evaluation.n_lines), None)
    except DataError:  # the file has one question, or no ids
        return None


def _group_by_question(evaluation: Evaluation) -> Iterator[Clusters]:
    """Yield every way in which the settings say that rows are answers of one question."""
    settings = evaluation.settings
    parts = {} if settings.cluster == "" else run_parts(evaluation)
    for role, column in parts.items():
        if role != "epoch" or _counts_all_epochs(settings):
            yield epoch_clusters(evaluation, column, role)
    if settings.cluster and settings.cluster == settings.id:
        yield clusters(evaluation, settings.cluster)


def cluster_warnings(evaluation: Evaluation) -> tuple[str, ...]:
    """Return what a person should know about the rows that belong together, or why none do, as sentences."""
    used = clusters_in_use(evaluation)
    return tuple(explain_rows_alone(evaluation)) if used is None else used.warnings


def explain_rows_alone(evaluation: Evaluation) -> list[str]:
    """Say why every row counts by itself although a person named a column of epochs, seeds or folds; else nothing."""
    named = [(role, column) for role, column in evaluation.settings.run_parts if column]
    if not named or evaluation.settings.cluster is not None or clusters_in_use(evaluation) is not None:
        return []
    role, column = named[0]
    try:
        repeats = epoch_clusters(evaluation, column, role).n < evaluation.n_lines
    except DataError as error:
        return [f"{error} Every row counts by itself."]
    return [] if repeats else [f"No id repeats under several {role}s of {quote(column)}: every row counts by itself."]


def _counts_all_epochs(settings: Settings) -> bool:
    """Return whether rows of all epochs count: a person said so, or named their column and chose none of them."""
    named = bool(dict(settings.run_parts).get("epoch"))
    return settings.only == ALL_ROWS or (named and settings.only is None)
