"""Compare the rows of two times: base rate, predictions, scores and columns, and why accuracy changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.comparison.ordered_columns import cut_bins, read_ordered, read_range
from data.comparison.row_groups import Clusters, check_grouping
from data.comparison.slice_columns import Slicing
from data.comparison.sliceable_columns import cut_columns
from data.comparison.stacked_runs import stack_clusters, stack_runs
from data.errors import DataError
from data.evaluation import MISSING, Evaluation
from export.cells import weigh_lines, weights_of
from metrics.comparison.multiple_tests import benjamini_hochberg
from metrics.drift.change import Change, split_change
from metrics.drift.grouped_rows import ClusterRows, Grouped, WeightedRows
from metrics.drift.shift import ShareShift, Shift, share_shift, shift
from metrics.intervals.joint_counts import Cells, Weighing
from metrics.intervals.statistic import Interval, Statistic, interval, share_of_rows
from metrics.slices.two_samples import shared_covariance, unpaired_difference
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

    n : scored rows of either, whatever their weight. Shares are by weight.
    base_rate : of the positive class, or of the class whose share moved most (`code`).
    base_rates : the same of either side, with its interval. change, accuracy : None where a row has several labels.
    clusters : how many of either were counted, None = rows by themselves.
    left_out : (column, why) of those that were not compared, since they follow from the scores or the predictions.
    column : of the clusters, counted or not. without_weights : the file of two whose rows alone have no weights.
    """

    n: tuple[int, int]
    code: int
    base_rate: ShareShift
    base_rates: tuple[Interval, Interval]
    moved: tuple[Moved, ...]
    change: Change | None
    accuracy: tuple[Interval, Interval] | None
    clusters: tuple[int, int] | None = None
    column: str | None = None
    without_weights: str | None = None
    left_out: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False)
class _Sides:
    """Hold which side every scored row is on (-1 = none), the rows that it stands for, and its cluster.

    weights : rows of each line, or the units of its weight. weighing : what weights add; None = rows have none.
    """

    side: np.ndarray
    weights: np.ndarray
    cluster: np.ndarray | None
    weighing: Weighing | None

    def count(self, codes: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Count the rows of every code before and after."""
        before, after = (
            np.bincount(codes[self.side == which], self.weights[self.side == which], minlength=size)[:size]
            for which in (0, 1)
        )
        return before.astype(np.int64), after.astype(np.int64)

    def of_rows(self, rows: np.ndarray) -> _Sides:
        """Return the sides of some rows, int (m,); a row may come several times."""
        cluster = None if self.cluster is None else self.cluster[rows]
        return _Sides(self.side[rows], self.weights[rows], cluster, self._weighing_of(rows))

    def _weighing_of(self, rows: np.ndarray) -> Weighing | None:
        return None if self.weighing is None else self.weighing.of(rows)

    def cells(self, codes: np.ndarray) -> Grouped | None:
        """Return the rows of every code by cluster, or with their weights; None without both."""
        known = self.side >= 0
        if self.cluster is not None:
            return ClusterRows(codes[known], self.side[known], self.cluster[known], self.weights[known])
        weighing = self._weighing_of(known)
        return None if weighing is None else WeightedRows(codes[known], self.side[known], self.weights[known], weighing)

    def shift(self, codes: np.ndarray, size: int, level: float) -> Shift:
        """Return how far codes moved."""
        return shift(*self.count(codes, size), level=level, cells=self.cells(codes))

    def statistics(self, part: np.ndarray) -> list[tuple[Statistic, Cells]]:
        """Return the share of some rows, bool (n,), before and after, with the rows that it is of."""
        statistics = []
        for which in (0, 1):
            is_side = self.side == which
            cluster, weighing = None if self.cluster is None else self.cluster[is_side], self._weighing_of(is_side)
            cells = Cells(self.weights[is_side], cluster, 0, 0, weighing=weighing)
            statistics.append((share_of_rows(cells, part[is_side]), cells))
        return statistics

    def shares(self, part: np.ndarray, level: float) -> tuple[Interval, Interval]:
        """Return the share of some rows, bool (n,), before and after with its interval."""
        before, after = (interval(statistic, cells, level=level) for statistic, cells in self.statistics(part))
        return before, after


def compare_times(
    evaluation: Evaluation,
    time: Slicing,
    since: int,
    others: Sequence[Slicing],
    *,
    level: float = 0.95,
    clusters: Clusters | None = None,
) -> Drift:
    """Compare the rows from a period on with those before; rows without a time are in neither.

    since : place of the first period that counts as after.
    """
    codes = time.codes[evaluation.scored]
    known = np.array([value != (None,) for value in time.values])[codes]
    together = None if clusters is None else clusters.codes[evaluation.scored]
    weights, weighing = weights_of(evaluation), weigh_lines(evaluation)
    side = np.where(known, (codes >= since).astype(np.int64), -1)
    sides = _Sides(
        side, np.ones(len(codes), dtype=np.int64) if weights is None else weights, together,
        None if weighing is None else weighing.of(evaluation.scored),
    )  # fmt: skip
    rows = evaluation.rows_per_line[evaluation.scored]
    n = (int(rows[side == 0].sum()), int(rows[side == 1].sum()))
    code, chosen_of = _class_of_base_rate(evaluation, sides)
    is_of_class = _rows_of_class(evaluation, code)
    base = _base_rate(sides, is_of_class, chosen_of, level)
    moved = [*_labels_moved(evaluation, sides, level), *_scores_moved(evaluation, sides, level)]
    for way in others:
        shift = sides.shift(way.codes[evaluation.scored], len(way.values), level)
        moved.append(Moved("column", way.columns[0], shift, way.values[shift.largest][0], np.nan))
    adjusted = benjamini_hochberg([move.shift.p for move in moved])
    every = tuple(move._replace(p_adjusted=p) for move, p in zip(moved, adjusted, strict=True))
    counted = sides.cells(codes)
    n_clusters = counted.n_clusters() if isinstance(counted, ClusterRows) else None
    right = None if evaluation.task == "multilabel" else evaluation.y_true == evaluation.y_pred
    return Drift(
        n, code, base, sides.shares(is_of_class, level), every, _change(evaluation, sides, level),
        None if right is None else sides.shares(right[evaluation.scored], level),
        n_clusters, None if clusters is None else clusters.column,
    )  # fmt: skip


def _base_rate(sides: _Sides, of_class: np.ndarray, chosen_of: int, level: float) -> ShareShift:
    """Return how far the share of a class moved; of_class : its rows, bool (n,)."""
    counts = [sides.count(rows.astype(np.int64), 2) for rows in (of_class, np.ones(len(of_class), dtype=bool))]
    part, whole = ((float(before[1]), float(after[1])) for before, after in counts)
    shift = share_shift(part, whole, level=level, chosen_of=chosen_of)
    if (sides.cluster is None and sides.weighing is None) or not all(whole):
        return shift
    (a, of_a), (b, of_b) = sides.statistics(of_class)
    shared = shared_covariance(a, of_a, b, of_b)
    between = unpaired_difference(a, of_a, b, of_b, level=1 - (1 - level) / chosen_of, shared=shared)
    p = float(np.minimum(1.0, chosen_of * between.p))
    return shift._replace(low=between.low, high=between.high, p=p)


def _rows_of_class(evaluation: Evaluation, code: int) -> np.ndarray:
    """Return the scored rows that are truly of a class, bool (n,)."""
    truly = evaluation.y_true[evaluation.scored]
    return np.asarray(truly[:, code] if truly.ndim == 2 else truly == code)


def _class_of_base_rate(evaluation: Evaluation, sides: _Sides) -> tuple[int, int]:
    """Return the positive class, or the one whose share moved most, and among how many shares it was chosen.

    Where a row has one of two classes their shares move alike, which is one share.
    """
    if evaluation.positive is not None:
        return evaluation.positive, 1
    codes, rows = _labels_of_rows(evaluation, evaluation.y_true)
    truth = sides.of_rows(rows).count(codes, len(evaluation.labels))
    before, after = (max(1, int(sides.weights[sides.side == which].sum())) for which in (0, 1))
    code = int(np.abs(truth[1] / after - truth[0] / before).argmax())
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
    if ordered is None:
        raise DataError(
            f"The cells of {quote(column)} are neither all dates, such as 2026-05-14 or 2026-05, nor all numbers: "
            "name another column."
        )
    ends = read_range(ordered.kind, start)
    if ends is None:
        wanted = "date, a month or a year, such as 2026-05" if ordered.kind == "date" else "number"
        raise DataError(f"{quote(column)} holds {ordered.kind}s, and {quote(start)} is none: name a {wanted}.")
    side = np.append(ordered.values >= ends[0], False)[ordered.codes]
    codes = np.where(ordered.codes == MISSING, 2, side)
    if not {0, 1} <= set(np.unique(codes).tolist()):
        raise DataError(f"All rows lie on one side of {quote(start)} in {quote(column)}: choose another date.")
    return Slicing((column,), ((f"before {start}",), (f"from {start} on",), (None,)), codes.astype(np.int64))


def compare_files(
    before: Evaluation, after: Evaluation, *, level: float = 0.95, clusters: Clusters | None = None
) -> tuple[Evaluation, Drift]:
    """Compare two files of different rows; returns the rows of both as one evaluation, too.

    clusters : of the later file; counted where the earlier one has their column, too.

    Raises
    ------
    DataError
        as `stack_runs`.
    """
    both, side = stack_runs(before, after)
    columns = cut_columns(both)
    together = None if clusters is None else stack_clusters(before, after, clusters.column)
    drift = compare_times(both, side, 1, columns.ways, level=level, clusters=together)
    alone = [run.name for run in (before, after) if run.units is None]
    without = alone[0] if len(alone) == 1 else None
    column = None if clusters is None else clusters.column
    return both, drift._replace(column=column, without_weights=without, left_out=columns.why_derived)


def _labels_of_rows(evaluation: Evaluation, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a code for every label of every scored row, and the row that it is of; a row with several has several."""
    kept = labels[evaluation.scored]
    if kept.ndim == 2:
        rows, codes = np.nonzero(kept)
        return codes, rows
    return np.where(kept < 0, len(evaluation.labels), kept), np.arange(len(kept))


def _labels_moved(evaluation: Evaluation, sides: _Sides, level: float) -> list[Moved]:
    """Return the shift of true and of predicted labels; of several labels a row, the shares of all labels."""
    moves = []
    size = len(evaluation.labels) + (evaluation.task != "multilabel")
    for what, labels in (("truth", evaluation.y_true), ("prediction", evaluation.y_pred)):
        codes, rows = _labels_of_rows(evaluation, labels)
        shift = sides.of_rows(rows).shift(codes, size, level)
        name = evaluation.labels[shift.largest] if 0 <= shift.largest < len(evaluation.labels) else None
        moves.append(Moved(what, "", shift, name, np.nan))
    return moves


def _scores_moved(evaluation: Evaluation, sides: _Sides, level: float) -> list[Moved]:
    """Return the shift of the score: of the positive class, or the highest of a row."""
    if evaluation.y_score is None:
        return []
    scores = evaluation.y_score[evaluation.scored]
    highest = scores[:, 0] if scores.shape[1] == 1 else scores.max(axis=1)
    ordered = read_ordered(pa.chunked_array([pa.array(highest)]))
    if ordered is None:
        return []
    bins = cut_bins(ordered, None if evaluation.weights is None else evaluation.weights[evaluation.scored])
    codes = np.append(bins.bin_of, len(bins.names))[ordered.codes]
    shift = sides.shift(codes, len(bins.names) + 1, level)
    name = bins.names[shift.largest] if 0 <= shift.largest < len(bins.names) else None
    return [Moved("score", "", shift, name, np.nan)]


def _change(evaluation: Evaluation, sides: _Sides, level: float) -> Change | None:
    if evaluation.task == "multilabel":
        return None
    truth, pred = evaluation.y_true[evaluation.scored], evaluation.y_pred[evaluation.scored]
    codes, size = 2 * truth + (truth == pred), len(evaluation.labels)
    wrong_and_right = [side.reshape(-1, 2) for side in sides.count(codes, 2 * size)]
    hits, rows = (side[:, 1] for side in wrong_and_right), (side.sum(axis=1) for side in wrong_and_right)
    return split_change(tuple(hits), tuple(rows), level=level, cells=sides.cells(codes))  # type: ignore[arg-type]
