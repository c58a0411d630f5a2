"""Put two evaluations of different rows below each other, with the labels and columns that both have."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from data.columns.weight_columns import Units, count_units
from data.comparison.alike.reading import read_alike
from data.comparison.alike.settings import check_shared
from data.comparison.label_union import LabelUnion, predictions_in, truth_in, union_of
from data.comparison.row_groups import Clusters, cluster_values
from data.comparison.slice_columns import Slicing, other_columns
from data.errors import DataError
from data.evaluation import Evaluation
from text.quoting import quote


def stack_runs(before: Evaluation, after: Evaluation) -> tuple[Evaluation, Slicing]:
    """Return the rows of both as one evaluation, and which of the two every row is of.

    The earlier rows are read like the later ones, as far as nothing else was said for them. Scores stay where both
    have those of the same labels; other columns where both have them.

    Raises
    ------
    DifferentSettings
        the two do not share what makes their numbers comparable.
    DataError
        one is single-label and the other several, or no true label is common to them.
    """
    if (before.task == "multilabel") != (after.task == "multilabel"):
        raise DataError(
            f"{quote(before.name)} and {quote(after.name)} are not both single-label or both multi-label: compare "
            "files of one kind."
        )
    before = read_alike(before, after).evaluation
    check_shared([before, after], [before.name, after.name])
    labels = union_of([before, after])
    if not set(before.labels) & set(after.labels):
        raise DataError(f"{quote(before.name)} and {quote(after.name)} have no label in common: compare other files.")
    runs = (before, after)
    score, score_codes = _scores(before, after, labels)
    positive = _positive(before, after, labels)
    units = _units(runs)
    stacked = dataclasses.replace(
        after,
        task="multiclass" if after.task == "binary" and positive is None else after.task,
        labels=labels.labels,
        n_space=labels.n_space,
        positive=positive,
        y_true=np.concatenate([truth_in(run, labels) for run in runs]),
        y_pred=np.concatenate([predictions_in(run, labels) for run in runs]),
        scored=np.concatenate([run.scored for run in runs]),
        rows=_common_rows(before, after),
        n_missing_truth=before.n_missing_truth + after.n_missing_truth,
        n_missing_pred=before.n_missing_pred + after.n_missing_pred,
        has_predictions=before.has_predictions and after.has_predictions,
        y_score=score,
        score_codes=score_codes,
        score_upper=None if score is None else _upper_ends(runs),
        weights=_weights(runs),
        units=None if units is None else units.units,
        unit=1.0 if units is None else units.unit,
        settings=dataclasses.replace(after.settings, weights=after.settings.weights or before.settings.weights),
        fingerprint=hashlib.sha256(f"{before.fingerprint} {after.fingerprint}".encode()).hexdigest(),
        answers=None,  # what follows is of the rows of one file
        row_numbers=None,
        filtered=None,
    )
    file_of_row = np.repeat([0, 1], [run.n_lines for run in runs])
    return stacked, Slicing(("file",), ((before.name,), (after.name,)), file_of_row)


def stack_clusters(before: Evaluation, after: Evaluation, column: str) -> Clusters | None:
    """Return the rows of both that belong together by a column, in the order of `stack_runs`; None where one has none.

    Rows of two files that share a value belong together, too.
    """
    runs = (before, after)
    if any(column not in run.rows.column_names for run in runs):
        return None
    values = _concatenate([run.rows.column(column) for run in runs], pa.string())
    return cluster_values(column, values, _weights(runs))


def _concatenate(parts: Sequence[pa.ChunkedArray], kind: pa.DataType) -> pa.ChunkedArray:
    """Return columns below each other, as values of one kind."""
    return pa.chunked_array([chunk for part in parts for chunk in part.cast(kind).chunks], kind)


def _weights(runs: Sequence[Evaluation]) -> np.ndarray | None:
    """Return the rows of every line; None where every line is one row."""
    if all(run.weights is None for run in runs):
        return None
    return np.concatenate([run.rows_per_line for run in runs])


def _units(runs: Sequence[Evaluation]) -> Units | None:
    """Return the weight of every line in units of one size, 1 a row where a run has no weights; None where none has."""
    if all(run.units is None for run in runs):
        return None
    rows = np.concatenate([run.rows_per_line for run in runs])
    weights = [run.rows_per_line * 1.0 if run.units is None else run.units * run.unit for run in runs]
    return count_units(np.concatenate(weights) / np.maximum(rows, 1), rows)


def _positive(before: Evaluation, after: Evaluation, labels: LabelUnion) -> int | None:
    """Return the code of the positive class that both have; None where they differ."""
    if before.positive is None or after.positive is None:
        return None
    name = after.labels[after.positive]
    return labels.labels.index(name) if name == before.labels[before.positive] else None


def _scores(before: Evaluation, after: Evaluation, labels: LabelUnion) -> tuple[np.ndarray | None, tuple[int, ...]]:
    """Return the scores of both in one array, where they are of the same labels on the same scale."""
    if before.y_score is None or after.y_score is None or before.scale != after.scale:
        return None, ()
    labels_before = [before.labels[code] for code in before.score_codes]
    labels_after = [after.labels[code] for code in after.score_codes]
    if sorted(labels_before) != sorted(labels_after):
        return None, ()
    same_order = before.y_score[:, [labels_before.index(label) for label in labels_after]]
    score = np.asfortranarray(np.concatenate([same_order, after.y_score]))  # scores are read column by column
    return score, tuple(labels.labels.index(label) for label in labels_after)


def _upper_ends(runs: Sequence[Evaluation]) -> np.ndarray | None:
    """Return the highest score of every line, where a run's scores were grouped into bins; None where none were."""
    if all(run.score_upper is None for run in runs):
        return None
    ends = [run.y_score[:, 0] if run.score_upper is None else run.score_upper for run in runs]  # type: ignore[index]
    return np.concatenate(ends)


def _common_rows(before: Evaluation, after: Evaluation) -> pa.Table:
    """Return the other columns that both have; numbers stay numbers where they are so in both."""
    names_before = set(other_columns(before))
    columns = {}
    for name in other_columns(after):
        if name in names_before:
            parts = [run.rows.column(name) for run in (before, after)]
            are_numbers = all(pa.types.is_floating(part.type) for part in parts)
            columns[name] = _concatenate(parts, pa.float64() if are_numbers else pa.string())
    # a table without columns would have no rows
    return pa.table(columns or {"file": pa.nulls(before.n_lines + after.n_lines, pa.string())})
