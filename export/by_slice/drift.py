"""Compare the rows of two times: base rate, predictions, scores and columns, and why accuracy changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from data.comparison.ordered_columns import cut_bins, read_ordered, read_range
from data.comparison.row_groups import Clusters, check_grouping
from data.comparison.slice_columns import Slicing, cut_columns
from data.comparison.stacked_runs import stack_runs
from data.errors import DataError
from data.evaluation import MISSING, Evaluation
from export.by_slice.slices import check_predicted
from metrics.comparison.multiple_tests import benjamini_hochberg
from metrics.drift.change import Change, split_change
from metrics.drift.shift import ShareShift, Shift, share_shift, shift
from text.quoting import quote


class Moved(NamedTuple):
    """Measure how far something moved: what it is, its column, the value that moved most, and p after correction.

    what : "truth", "prediction", "score" or "column".
    """

    what: str
    column: str
    shift: Shift
    value: str | None
    p_adjusted: float


class Drift(NamedTuple):
    """Rows before and from a time on, compared.

    n : scored rows of either. base_rate : of the positive class, or of the class whose share moved most (`code`).
    change : None where a row has several labels.
    """

    n: tuple[int, int]
    code: int
    base_rate: ShareShift
    moved: tuple[Moved, ...]
    change: Change | None


def compare_times(
    evaluation: Evaluation, time: Slicing, since: int, others: Sequence[Slicing], *, level: float = 0.95
) -> Drift:
    """Compare the rows from a period on with those before; rows without a time are in neither.

    since : place of the first period that counts as after.
    """
    codes = time.codes[evaluation.scored]
    known = np.array([value != (None,) for value in time.values])[codes]
    side = np.where(known, (codes >= since).astype(np.int64), -1)
    weights = np.ones(len(codes), dtype=np.int64)
    if evaluation.weights is not None:
        weights = evaluation.weights[evaluation.scored]
    n = (int(weights[side == 0].sum()), int(weights[side == 1].sum()))
    truth, pred = (_label_rows(evaluation, labels, side, weights) for labels in (evaluation.y_true, evaluation.y_pred))
    code, chosen_of = _class_of_base_rate(evaluation, truth, n)
    base = share_shift(
        (float(truth[0][code]), float(truth[1][code])), (float(n[0]), float(n[1])), level=level, chosen_of=chosen_of
    )
    moved = [*_labels_moved(evaluation, truth, pred, level), *_scores_moved(evaluation, side, weights, level)]
    for way in others:
        counted = _count(way.codes[evaluation.scored], len(way.values), side, weights)
        found = shift(*counted, level=level)
        moved.append(Moved("column", way.columns[0], found, way.values[found.largest][0], np.nan))
    adjusted = benjamini_hochberg([one.shift.p for one in moved])
    every = tuple(one._replace(p_adjusted=p) for one, p in zip(moved, adjusted, strict=True))
    return Drift(n, code, base, every, _change(evaluation, side, weights, level))


def _class_of_base_rate(
    evaluation: Evaluation, truth: tuple[np.ndarray, np.ndarray], n: tuple[int, int]
) -> tuple[int, int]:
    """Return the positive class, or the one whose share moved most, and among how many shares it was chosen.

    Where a row has one of two classes their shares move alike, which is one share.
    """
    if evaluation.positive is not None:
        return evaluation.positive, 1
    code = int(np.abs(truth[1] / max(1, n[1]) - truth[0] / max(1, n[0])).argmax())
    seen = int(((truth[0] + truth[1]) > 0).sum())
    return code, 1 if seen < 2 or (seen == 2 and evaluation.task != "multilabel") else seen


def split_at(evaluation: Evaluation, column: str, start: str) -> Slicing:
    """Return the rows before a date (or number) and from it on as two slices, and a third of those without one.

    Raises
    ------
    DataError
        the column holds neither dates nor numbers, or one side is empty.
    """
    check_grouping(evaluation.rows, column, "to compare times by")
    ordered = read_ordered(evaluation.rows.column(column))
    ends = None if ordered is None else read_range(ordered.kind, start)
    if ordered is None or ends is None:
        raise DataError(
            f"{quote(column)} and {quote(start)} are no dates: name a column of dates, such as day=2026-05."
        )
    side = np.append(ordered.values >= ends[0], False)[ordered.codes]
    codes = np.where(ordered.codes == MISSING, 2, side)
    if not {0, 1} <= set(np.unique(codes).tolist()):
        raise DataError(f"All rows lie on one side of {quote(start)} in {quote(column)}: choose another date.")
    return Slicing((column,), ((f"before {start}",), (f"from {start} on",), (None,)), codes.astype(np.int64))


def drift_json(
    evaluation: Evaluation, column: str, start: str, *, level: float = 0.95, clusters: Clusters | None = None
) -> dict[str, Any]:
    """Return what changed from a date on, for the JSON of the command line.

    Raises
    ------
    DataError
        as `split_at`.
    """
    check_predicted(evaluation)
    others = [way for way in cut_columns(evaluation).ways if way.columns != (column,)]
    found = compare_times(evaluation, split_at(evaluation, column, start), 1, others, level=level)
    return {"column": column, "since": start} | to_json(evaluation, found, clusters)


def compare_files(before: Evaluation, after: Evaluation, *, level: float = 0.95) -> tuple[Evaluation, Drift]:
    """Compare two files of different rows; returns the rows of both as one evaluation, too.

    Raises
    ------
    DataError
        as `stack_runs`.
    """
    both, side = stack_runs(before, after)
    return both, compare_times(both, side, 1, cut_columns(both).ways, level=level)


def files_json(
    before: Evaluation, after: Evaluation, *, level: float = 0.95, clusters: Clusters | None = None
) -> dict[str, Any]:
    """Return what changed from one file to another, for the JSON of the command line."""
    for one in (before, after):
        check_predicted(one)
    both, found = compare_files(before, after, level=level)
    return {"before": before.name, "after": after.name} | to_json(both, found, clusters)


def say_rows_alone(column: str) -> str:
    """Say that drift counts every row by itself; `column`, of the clusters, as it may be shown."""
    return (
        f"Every row counts by itself here, although rows with the same {column} belong together: the intervals are too "
        "narrow, and the p values too small."
    )


def to_json(evaluation: Evaluation, found: Drift, clusters: Clusters | None = None) -> dict[str, Any]:
    """Return what changed, as one dictionary; NaN = undefined.

    clusters : rows that belong together; named, for every row counts by itself here.
    """
    change = found.change
    return {
        "clusters_not_counted": None if clusters is None else clusters.column,
        "rows": {"before": found.n[0], "after": found.n[1]},
        "base_rate": {"class": evaluation.labels[found.code], **found.base_rate._asdict()},
        "accuracy": None if change is None else {
            "before": change.before, "after": change.after, "mix": change.mix._asdict(), "rest": change.rest._asdict(),
        },
        "moved": [
            {"what": one.what, "column": one.column or None, "moved_most": one.value, "p_adjusted": one.p_adjusted,
             **{name: getattr(one.shift, name) for name in ("psi", "by_chance", "p", "before", "after")}}
            for one in found.moved
        ],
    }  # fmt: skip


def _count(codes: np.ndarray, size: int, side: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Count the rows of every code before and after."""
    before, after = (
        np.bincount(codes[side == which], weights[side == which], minlength=size)[:size] for which in (0, 1)
    )
    return before.astype(np.int64), after.astype(np.int64)


def _label_rows(
    evaluation: Evaluation, labels: np.ndarray, side: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Count the rows of every label before and after; rows with several count for each."""
    kept = labels[evaluation.scored]
    if kept.ndim == 1:
        return _count(np.where(kept < 0, len(evaluation.labels), kept), len(evaluation.labels) + 1, side, weights)
    before, after = (weights[side == which] @ kept[side == which].astype(np.int64) for which in (0, 1))
    return before, after


def _labels_moved(
    evaluation: Evaluation,
    truth: tuple[np.ndarray, np.ndarray],
    pred: tuple[np.ndarray, np.ndarray],
    level: float,
) -> list[Moved]:
    """Return the shift of true and of predicted labels; of several labels a row, the shares of all labels."""
    found = []
    for what, rows in (("truth", truth), ("prediction", pred)):
        one = shift(*rows, level=level)
        name = evaluation.labels[one.largest] if 0 <= one.largest < len(evaluation.labels) else None
        found.append(Moved(what, "", one, name, np.nan))
    return found


def _scores_moved(evaluation: Evaluation, side: np.ndarray, weights: np.ndarray, level: float) -> list[Moved]:
    """Return the shift of the score: of the positive class, or the highest of a row."""
    if evaluation.y_score is None:
        return []
    scores = evaluation.y_score[evaluation.scored]
    highest = scores[:, 0] if scores.shape[1] == 1 else scores.max(axis=1)
    ordered = read_ordered(pa.chunked_array([pa.array(highest)]))
    if ordered is None:
        return []
    bins = cut_bins(ordered)
    codes = np.append(bins.bin_of, len(bins.names))[ordered.codes]
    one = shift(*_count(codes, len(bins.names) + 1, side, weights), level=level)
    name = bins.names[one.largest] if 0 <= one.largest < len(bins.names) else None
    return [Moved("score", "", one, name, np.nan)]


def _change(evaluation: Evaluation, side: np.ndarray, weights: np.ndarray, level: float) -> Change | None:
    if evaluation.task == "multilabel":
        return None
    truth, pred = evaluation.y_true[evaluation.scored], evaluation.y_pred[evaluation.scored]
    size, right = len(evaluation.labels), truth == pred
    rows = _count(truth, size, side, weights)
    hits = _count(truth[right], size, side[right], weights[right])
    return split_change(hits, rows, level=level)
