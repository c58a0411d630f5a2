"""Write costs of predictions by a table of costs as a result: beside the best constant, and by least expected cost."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from export.cells import count_lines
from export.deciding.probabilities import class_probabilities, describe_distrust
from export.interval_text import compare_with_now
from export.measurement import Measurement
from export.result.kinds import Amount, Column, Label, Result, Share, Table, Words
from metrics.intervals.costs import choose_constant, choose_least_cost, mean_cost, threshold_of_costs
from metrics.intervals.joint_counts import JointCounts, joint_counts
from metrics.intervals.statistic import Interval, interval
from text.intervals import name_level
from text.numbers import count, percent, write_amount, write_threshold

if TYPE_CHECKING:
    from metrics.comparison.differences import Difference

_PREDICTED, _CONSTANT, _LEAST = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Costs:
    """The costs of three ways to predict the same rows: as predicted, as the best constant, by least expected cost.

    costs : float64 (K, K), true × predicted.
    """

    measured: Measurement
    costs: np.ndarray

    @cached_property
    def has_cost(self) -> np.ndarray:
        """Mark the lines whose true and predicted label stand in the table, bool (n,)."""
        e, size = self.measured.evaluation, len(self.costs)
        return e.scored & (e.y_true < size) & (e.y_pred >= 0) & (e.y_pred < size)

    @cached_property
    def probabilities(self) -> np.ndarray | str:
        """Return the probability of every class, or why there is none."""
        return class_probabilities(self.measured.evaluation)

    @cached_property
    def constant(self) -> int:
        """Return the class that costs least where every row is predicted as it."""
        e, kept = self.measured.evaluation, self.has_cost
        return choose_constant(np.bincount(e.y_true[kept], self._weights[kept], len(self.costs)), self.costs)

    @property
    def _weights(self) -> np.ndarray:
        e = self.measured.evaluation
        return e.rows_per_line if e.units is None else e.units

    @cached_property
    def cells(self) -> JointCounts:
        """Return the rows with a cost, by truth and the three predictions; a row without scores keeps its own."""
        e, kept = self.measured.evaluation, self.has_cost
        lines = count_lines(e, self.measured.clusters).of(kept)
        least = e.y_pred[kept].copy()
        if not isinstance(self.probabilities, str):
            known = ~np.isnan(self.probabilities[kept]).any(axis=1)
            least[known] = choose_least_cost(self.probabilities[kept][known], self.costs)
        constant = np.full(len(least), self.constant)
        return joint_counts(
            e.y_true[kept], [e.y_pred[kept], constant, least], n_labels=len(e.labels), weights=self._weights[kept],
            cluster=lines.dense_cluster, weighing=lines.weighing,
        )  # fmt: skip

    def mean(self, way: int) -> Interval:
        """Return what a row costs on average."""
        return interval(mean_cost(self.cells, way, costs=self.costs), self.cells, level=self.measured.level)

    def less(self, way: int, than: int) -> Difference:
        """Return how much less a row costs than another way; below 0 it costs more."""
        from metrics.comparison.differences import difference  # it brings SciPy, which `score` does without

        a, b = (mean_cost(self.cells, place, costs=self.costs) for place in (way, than))
        return difference(a, b, self.cells, level=self.measured.level)

    def sum_rows(self, *sides: np.ndarray) -> list[tuple[tuple[int, ...], np.ndarray]]:
        """Return the cells that share some codes, with the codes, in the order of the codes."""
        every, place = np.unique(np.stack(sides), axis=1, return_inverse=True)
        return [(tuple(codes), np.flatnonzero(place == number)) for number, codes in enumerate(every.T.tolist())]

    @property
    def counted(self) -> str:
        """Name what the tables count: rows, or the weight of rows that have one."""
        return "rows" if self.measured.evaluation.units is None else "weight"

    @property
    def unit(self) -> float:
        """Return the weight of one unit of the cells; 1 where rows have none."""
        return self.measured.evaluation.unit


def costs_result(measured: Measurement, costs: np.ndarray) -> Result:
    """Return what a row costs, beside the best constant and the predictions of least expected cost."""
    costed = Costs(measured, costs)
    if not costed.has_cost.any():
        return Result(
            "costs", ("What predictions cost",), [("No row has a cost: none has a predicted label.",)], [], [], {}
        )
    mean = costed.mean(_PREDICTED)
    total = mean.value * float(costed.cells.rows.sum()) * costed.unit
    average = f"A row costs {Amount(mean.value, mean.low, mean.high).written.whole} on average"
    best = _label(costed, costed.constant)
    constant = ("The best constant prediction is ", best, f": {_compare(costed, _CONSTANT)}.")
    sentences: list[Words] = [(f"{average}, {write_amount(total)} in all.",), constant, *_say_least(costed)]
    notes: list[Words] = [
        (f"In brackets: {name_level(measured.level)} intervals. Costs count as known.",),
        ("The best constant prediction was chosen on the same rows.",),
    ]
    if left_out := measured.evaluation.count_rows(measured.evaluation.scored & ~costed.has_cost):
        notes.append((f"{count(left_out)} without a label of the table have no cost and are left out.",))
    tables = [_cost_table(costed)]
    changes = _change_table(costed)
    if changes.rows:
        tables.append(changes)
    return Result("costs", ("What predictions cost",), sentences, tables, notes, {"costs": _numbers(costed, total)})


def _say_least(costs: Costs) -> list[Words]:
    """Say what the predictions of least expected cost change, or why there are none."""
    if isinstance(costs.probabilities, str):
        return [(f"Predictions of least expected cost need probabilities: {costs.probabilities}.",)]
    changed = costs.cells.preds[_PREDICTED] != costs.cells.preds[_LEAST]
    if not changed.any():
        return [("By least expected cost, no prediction changes.",)]
    rows = percent(float(costs.cells.rows[changed].sum() / costs.cells.rows.sum()))
    sentences: list[Words] = [
        (f"By least expected cost, {rows} of the predictions change: {_compare(costs, _LEAST)}.",)
    ]
    positive = costs.measured.evaluation.positive
    if len(costs.costs) == 2 and positive is not None:
        threshold = threshold_of_costs(costs.costs, positive)
        sentences.append((f"With two classes that is a threshold: probability ≥ {write_threshold(threshold)}.",))
    if distrust := describe_distrust(costs.measured):
        sentences.append((f"Do not trust these predictions. {distrust}.",))
    return sentences


def _compare(costs: Costs, way: int) -> str:
    less = costs.less(way, _PREDICTED)
    mean = write_amount(costs.mean(way).value)
    return f"{mean} a row, {compare_with_now(less.value, less.low, less.high)}"


def _label(costs: Costs, code: int) -> Label:
    label = costs.measured.evaluation.labels[code]
    return Label(costs.measured.names.get(label, label))


def _cost_table(costs: Costs) -> Table:
    """Return every pair of true and predicted label that costs something, the dearest first."""
    cells = costs.cells
    pairs: list[tuple[Label, Label, Amount, Amount, Amount]] = []
    for (true, pred), places in costs.sum_rows(cells.true, cells.preds[_PREDICTED]):
        rows, cost = cells.rows[places].sum() * costs.unit, float(costs.costs[true, pred])
        if cost:
            amounts = Amount(rows), Amount(cost), Amount(rows * cost)
            pairs.append((_label(costs, true), _label(costs, pred), *amounts))
    pairs.sort(key=lambda pair: -abs(pair[-1].value))
    whole = sum(abs(in_all.value) for *_, in_all in pairs)
    table_rows = [(*pair, Share(abs(pair[-1].value) / whole)) for pair in pairs]
    columns = [Column("true class", Label), Column("predicted as", Label), Column(costs.counted, Amount),
               Column("cost of a row", Amount), Column("cost in all", Amount), Column("share", Share)]  # fmt: skip
    return Table("costs-pairs", "What each pair costs", columns, table_rows, noun="pair")


def _change_table(costs: Costs) -> Table:
    """Return the predictions that least expected cost changes, the most frequent first."""
    cells = costs.cells
    changes: list[tuple[Label, Label, Amount, Amount, Amount]] = []
    for (old, new), places in costs.sum_rows(cells.preds[_PREDICTED], cells.preds[_LEAST]):
        rows, true = cells.rows[places] * costs.unit, cells.true[places]
        if old != new:
            now, then = rows @ costs.costs[true, old], rows @ costs.costs[true, new]
            amounts = Amount(rows.sum()), Amount(now), Amount(then)
            changes.append((_label(costs, old), _label(costs, new), *amounts))
    changes.sort(key=lambda change: -change[2].value)
    columns = [Column("predicted as", Label), Column("by least cost", Label), Column(costs.counted, Amount),
               Column("cost now", Amount), Column("cost then", Amount)]  # fmt: skip
    return Table("costs-changes", "What least expected cost changes", columns, changes, noun="change")


def _numbers(costs: Costs, total: float) -> dict[str, Any]:
    """Return everything in full precision, by the keys of the JSON."""
    e = costs.measured.evaluation
    least: dict[str, Any] = {"undefined": costs.probabilities}
    if not isinstance(costs.probabilities, str):
        least = {
            **costs.mean(_LEAST).with_value(),
            "less": costs.less(_LEAST, _PREDICTED)._asdict(),
            "is_calibrated": not describe_distrust(costs.measured),
        }
    return {
        "labels": list(e.labels[: len(costs.costs)]),
        "table": costs.costs.tolist(),
        "expected_cost": costs.mean(_PREDICTED).with_value(),
        "total": total,
        "best_constant": {"label": e.labels[costs.constant], **costs.mean(_CONSTANT).with_value(),
                          "less": costs.less(_CONSTANT, _PREDICTED)._asdict()},
        "least_expected_cost": least,
    }  # fmt: skip
