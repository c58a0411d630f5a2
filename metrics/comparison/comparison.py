"""Compare runs: every metric of each, every difference of two, flips and tests, computed when first asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from metrics.catalogue.metric import Metric
from metrics.catalogue.registry import (
    REGISTRY,
    class_formulas,
    compared_formulas,
    is_share,
    lower_is_better,
    metric_of,
    over_joint_counts,
    split_class,
)
from metrics.comparison.delong import DeLong
from metrics.comparison.differences import Difference, difference
from metrics.comparison.flips import CochranQ, Flips, McNemar, clustered_mcnemar, cochran_q, count_flips, mcnemar
from metrics.comparison.runs import Runs
from metrics.comparison.score_metrics import ScoreMetrics
from metrics.intervals.costs import mean_cost
from metrics.intervals.joint_counts import Cells, Joint, JointCounts, joint_counts, label_joint_counts
from metrics.intervals.rates import of_class
from metrics.intervals.statistic import Interval, Statistic, interval, share_of_rows
from metrics.outcomes import Formula


@dataclass(frozen=True, eq=False)
class Comparison:
    """Runs on the same rows, compared at a level; models are named by their place in `runs.names`.

    >>> runs = Runs(("a", "b"), ("no", "yes"), 2, "binary", np.array([0, 1, 1]), (np.array([0, 0, 1]),) * 2)
    >>> found = Comparison(runs)
    >>> found.flips(0, 1).both_right, found.difference("accuracy", 0, 1).value, "recall[yes]" in found.names
    (2, 0.0, True)
    """

    runs: Runs
    level: float = 0.95

    @cached_property
    def _kept(self) -> dict[tuple[int, ...], Joint]:
        return {}

    @cached_property
    def _one_class(self) -> dict[tuple[tuple[int, ...], int], JointCounts]:
        return {}

    @cached_property
    def scores(self) -> ScoreMetrics:
        """Return what is computed from scores."""
        return ScoreMetrics(self.runs, self.level)

    def cells(self, *models: int) -> Joint:
        """Return joint counts of one model, or of two."""
        if models not in self._kept:
            runs, preds = self.runs, [self.runs.preds[model] for model in models]
            if runs.many:
                joint: Joint = label_joint_counts(
                    runs.y_true, preds, n_space=runs.n_space, weights=runs.entry_weights, cluster=runs.cluster,
                    weighing=runs.weighing,
                )  # fmt: skip
            else:
                joint = joint_counts(
                    runs.y_true, preds, n_labels=len(runs.labels), n_space=runs.n_space,
                    weights=runs.entry_weights, cluster=runs.cluster, ranks=runs.ranks, paths=runs.paths,
                    weighing=runs.weighing,
                )  # fmt: skip
            self._kept[models] = joint
        return self._kept[models]

    def _class_cells(self, models: tuple[int, ...], code: int) -> JointCounts:
        if (models, code) not in self._one_class:
            self._one_class[models, code] = self.cells(*models).one_vs_rest(code)
        return self._one_class[models, code]

    @cached_property
    def _overall(self) -> dict[str, Metric]:
        """Return the metrics over all classes in which one run can be better than another, by key."""
        every = over_joint_counts(self.cells(0)) if self.runs.preds else {}
        if self.runs.costs is not None and self.runs.preds:
            row = REGISTRY["multiclass", "expected_cost"]
            every[row.key] = replace(row, influence=partial(mean_cost, costs=self.runs.costs))
        return {key: metric for key, metric in every.items() if metric.direction != "zero"}

    @cached_property
    def _of_class(self) -> dict[str, Formula]:
        return compared_formulas(self.runs.task)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return names of every metric that both a model and a pair have."""
        return (*self.overall_names, *self.class_names)

    @property
    def overall_names(self) -> tuple[str, ...]:
        """Return names of the metrics over all classes, and of the positive class."""
        of_positive = self._of_class if self.runs.positive is not None and self.runs.preds else ()
        others = (key for key in of_positive if key not in self._overall)
        return (*self._overall, *others, *self.scores.names)

    @property
    def class_names(self) -> tuple[str, ...]:
        """Return names of the metrics of one class, such as recall[refund]."""
        if not self.runs.preds:
            return ()
        return tuple(f"{key}[{label}]" for label in self.runs.labels for key in class_formulas(self.runs.task))

    def has(self, name: str) -> bool:
        """Return whether there is such a metric, also of one class that is named: specificity[refund]."""
        of_class = bool(self.runs.preds) and self._class_number(name) is not None
        return name in self.names or of_class or self.scores.has(name)

    def why_not_compared(self, name: str) -> str:
        """Return why runs have no difference of a metric of the registry, as sentences; "" = no reason of its own."""
        row = REGISTRY.get((self.runs.task, name.partition("[")[0]))
        return "" if row is None or not row.not_compared else f"Runs are not compared by {row.name}. {row.not_compared}"

    @property
    def main_metric(self) -> str:
        """Return the metric that comes first: accuracy, subset accuracy, or without predictions the ROC AUC."""
        if not self._overall:
            return "roc_auc"
        return "subset_accuracy" if self.runs.many else "accuracy"

    def is_share(self, name: str) -> bool:
        """Return whether a metric is written as per cent, and its differences in points."""
        return is_share(name.partition("[")[0])

    def name_metric(self, key: str) -> str:
        """Return a metric's name inside a sentence; that of a number of one class ends with its label."""
        of_class = split_class(key, self.runs.labels)
        if of_class is None:
            return metric_of(self.runs.task, key).name
        return f"{metric_of(self.runs.task, of_class[0]).name} of {self.runs.labels[of_class[1]]}"

    def _class_number(self, name: str) -> tuple[Formula, int] | None:
        """Return formula and label code of the name of a metric of one class."""
        if name in self._of_class and self.runs.positive is not None:
            return self._of_class[name], self.runs.positive
        key, code = split_class(name, self.runs.labels) or ("", 0)
        return (self._of_class[key], code) if key in self._of_class else None

    def _statistic(self, name: str, models: tuple[int, ...], place: int) -> tuple[Statistic, Joint]:
        """Return the statistic of one of some models, and the cells it is over."""
        if name in self._overall:
            cells = self.cells(*models)
            return self._overall[name].statistic(cells, place), cells
        class_number = self._class_number(name)
        if class_number is None or not self.runs.preds:
            raise KeyError(name)
        class_cells = self._class_cells(models, class_number[1])
        return of_class(class_cells, place, formula=class_number[0]), class_cells

    def interval(self, name: str, model: int) -> Interval:
        """Return one metric of one model with its interval.

        Raises
        ------
        KeyError
            there is no such metric.
        """
        if self.scores.has(name):
            return self.scores.interval(name, model)
        statistic, cells = self._statistic(name, (model,), 0)
        unit = "share" if self.is_share(name) else ""
        return interval(statistic, cells, level=self.level)._replace(unit=unit)

    def difference(self, name: str, a: int, b: int) -> Difference:
        """Return model b's metric less model a's.

        Raises
        ------
        KeyError
            there is no such metric.
        """
        if self.scores.has(name):
            return self.scores.difference(name, a, b).without_untold_p()
        (of_a, cells), (of_b, _) = (self._statistic(name, (a, b), place) for place in (0, 1))
        return difference(of_a, of_b, cells, level=self.level).without_untold_p()

    def flips(self, a: int, b: int) -> Flips | None:
        """Return rows that changed between right and wrong; None without predictions."""
        if not self.runs.preds:
            return None
        cells = self.cells(a, b)
        same = cells.preds[0] == cells.preds[1]
        same = same.all(axis=1) if self.runs.many else same
        return count_flips(cells.row_counts, cells.right(0), cells.right(1), same)

    def class_flips(self, a: int, b: int) -> dict[str, Flips]:
        """Return rows of every true class (or single label decisions) that changed between right and wrong."""
        flips, cells = {}, self.cells(a, b)
        right_a, right_b = cells.right(0), cells.right(1)
        for code, label in enumerate(self.runs.labels):
            if isinstance(cells, JointCounts):
                is_of_class = cells.true == code
                same = (cells.preds[0] == cells.preds[1])[is_of_class]
                rows = cells.row_counts[is_of_class]
                flips[label] = count_flips(rows, right_a[is_of_class], right_b[is_of_class], same)
            else:
                rest = cells.one_vs_rest(code)
                flips[label] = count_flips(
                    rest.row_counts, rest.right(0), rest.right(1), rest.preds[0] == rest.preds[1]
                )
        return flips

    def mcnemar(self, a: int, b: int) -> McNemar | None:
        """Return McNemar's test of the rows that changed, by clusters where there are any.

        None without predictions, and where rows have weights, which it does not count.
        """
        flips = self.flips(a, b)
        if flips is None or self.runs.units is not None:
            return None
        cells = self.cells(a, b)
        if cells.cluster is None:
            return mcnemar(flips.fixed, flips.broken)
        moved = cells.right(1).astype(np.int64) - cells.right(0)
        return clustered_mcnemar(np.bincount(cells.cluster, cells.rows * moved).astype(np.int64))

    def delong(self, a: int, b: int) -> DeLong | None:
        """Return DeLong's test of the positive class's scores; None without, with weights, or where few decide."""
        test = self.scores.delong(a, b)
        return None if test is None or self.difference("roc_auc", a, b).few_decide else test

    @cached_property
    def cochran_q(self) -> CochranQ | None:
        """Return Cochran's Q of all models, by clusters where there are any; None as of `mcnemar`."""
        if not self.runs.preds or self.runs.units is not None:
            return None
        right = [self.runs.right(model) for model in range(len(self.runs.names))]
        return cochran_q(right, self.runs.weights, self.runs.cluster)

    def is_worse(self, name: str, difference: Difference) -> bool:
        """Return whether a difference that is found says that b is worse than a."""
        return difference.found and (difference.low > 0) == lower_is_better(name)

    def is_better(self, name: str, difference: Difference) -> bool:
        """Return whether a difference that is found says that b is better than a."""
        return difference.found and (difference.high < 0) == lower_is_better(name)

    def agreement(self, a: int, b: int) -> Interval:
        """Return the share of the rows in which two models predict the same; NaN without predictions."""
        if not self.runs.preds:
            return self._share(np.zeros(0, dtype=bool), Cells(np.zeros(0, dtype=np.int64), None, 0, 0))
        cells = self.cells(a, b)
        same = cells.preds[0] == cells.preds[1]
        return self._share(same.all(axis=1) if self.runs.many else same, cells)

    def right_by_one(self) -> Interval:
        """Return the share of the rows that at least one model has right; NaN without predictions."""
        runs = self.runs
        if not runs.preds:
            return self._share(np.zeros(0, dtype=bool), Cells(np.zeros(0, dtype=np.int64), None, 0, 0))
        any_right = np.logical_or.reduce([runs.right(model) for model in range(len(runs.names))])
        rows = np.ones(len(any_right), dtype=np.int64) if runs.entry_weights is None else runs.entry_weights
        return self._share(any_right, Cells(rows, runs.cluster, 0, 0, weighing=runs.weighing))

    def _share(self, part: np.ndarray, cells: Cells) -> Interval:
        return interval(share_of_rows(cells, part), cells, level=self.level)
