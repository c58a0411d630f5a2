"""The intervals of the numbers of one measurement: each from the cells, or scores, that its number is over."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from export import cells
from metrics.catalogue.metric import ON_PREDICTIONS, Metric
from metrics.catalogue.registry import REGISTRY, over_joint_counts, with_influence
from metrics.confusion.average_numbers import ZERO
from metrics.intervals.class_rates import class_interval, share_intervals
from metrics.intervals.joint_counts import Cells, Joint, JointCounts, cells_of_counts
from metrics.intervals.rates import of_class
from metrics.intervals.score_statistics import effective_sides
from metrics.intervals.statistic import Interval, Statistic, interval
from metrics.outcomes import Formula, Ratio
from metrics.scores.curves import ScoreCounts
from metrics.scores.intervals import auc_interval
from metrics.thresholds.threshold_metrics import FORMULAS

if TYPE_CHECKING:
    from export.measurement import Measurement


@dataclass(eq=False)
class NumberIntervals:
    """The intervals of a measurement's numbers; what several of them share is made once."""

    measurement: Measurement
    _shares: dict[str, list[Interval]] = field(default_factory=dict, init=False)
    _areas: dict[tuple[str, int], Interval] = field(default_factory=dict, init=False)
    _last_class: tuple[int, JointCounts] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.evaluation = self.measurement.evaluation
        self.level = self.measurement.level

    def without_bounds(self, method: str = "undefined") -> Interval:
        """Return no interval; `method` says why."""
        return Interval(math.nan, math.nan, math.nan, math.nan, method, self.level, self.evaluation.n_scored, None)

    def of(self, row: Metric, key: str, code: int) -> Interval:
        """Return the interval of a number that has an influence.

        key : the row's, or that of the number which counts 0/0 as 0. code : the class of a number of one class.
        """
        if row.eats == "score counts":
            return self._area_of_class(row.key, code)
        if row.eats == "probabilities":
            return self._losses.get(row.key, self.without_bounds())
        if row.eats not in ON_PREDICTIONS:
            mean = self._scored_statistic(row, code)
            return self.without_bounds() if mean is None else interval(mean, self._score_cells, level=self.level)
        if not self.evaluation.has_predictions:
            return self.without_bounds()
        if row.of_outcomes is None:
            return self._over_all(row, zero=key.endswith(ZERO))
        if self.measurement.clusters is None and self.evaluation.units is None:
            return self._of_class(row.key, row.of_outcomes, code)
        return interval(*self.statistic(row, code), level=self.level)

    def statistic(self, row: Metric, code: int) -> tuple[Statistic, Cells]:
        """Return a number with its influence, and the cells that it is over, for its difference to other rows."""
        e = self.evaluation
        if row.eats in ON_PREDICTIONS:
            counts = self._cells if row.of_outcomes is None else self._one_vs_rest(code)
            return row.statistic(counts), counts
        return self._scored_statistic(row, code) or Statistic(math.nan, np.zeros(e.n_lines), "open"), self._score_cells

    def _scored_statistic(self, row: Metric, code: int) -> Statistic | None:
        """Return a number of scores with its influence; None where these do not give it."""
        e = self.evaluation
        if row.eats == "score counts":
            counts = self.measurement.by_weight.scores_of(code)
            return None if counts is None else self._area_statistic(row.key, code, counts)
        if row.eats == "scores per class":
            return self._mean_statistics.get(row.key)
        if row.eats == "class scores":
            if e.y_score is None or self._has_many_scores:
                return None
            return row.statistic(self._score_cells, e.y_true[e.scored], e.y_score[e.scored], e.score_codes)
        rows = cells.probabilities_of(e)
        return None if rows is None else row.statistic(rows)

    def at_threshold(self, code: int, threshold: float, below: float = math.inf) -> Mapping[str, Interval]:
        """Return every rate of one class at a threshold of its score, of the scores below another alone."""
        counts = cells.threshold_cells(self.evaluation, code, threshold, self.measurement.clusters, below=below)
        rates = {
            key: interval(of_class(counts, formula=formula), counts, level=self.level)
            for key, formula in FORMULAS.items()
        }
        of_both = {
            key: interval(metric.statistic(counts), counts, level=self.level)._replace(unit=metric.unit)
            for key, metric in over_joint_counts(counts).items()
            if key in ("accuracy", "mcc", "balanced_accuracy")
        }
        mean = of_both["balanced_accuracy"]  # of two classes: half of Youden's J more than a half
        if len(set(counts.true[counts.rows > 0].tolist())) < 2:  # its mean is then over one class only
            mean = mean._replace(value=math.nan, low=math.nan, high=math.nan)
        youden = mean._replace(value=2 * mean.value - 1, low=2 * mean.low - 1, high=2 * mean.high - 1, se=2 * mean.se)
        return {**rates, **of_both, "balanced_accuracy": mean, "youden_j": youden}

    @cached_property
    def _cells(self) -> Joint:
        e, clusters = self.evaluation, self.measurement.clusters
        if e.task == "multilabel" or e.units is not None or clusters is not None:
            return cells.joint_cells(e, clusters)
        return cells_of_counts(self.measurement.confusion)

    @cached_property
    def _score_cells(self) -> Cells:
        return cells.score_cells(self.evaluation, self.measurement.clusters)

    def _over_all(self, row: Metric, *, zero: bool) -> Interval:
        """Return a number over all classes; `zero` counts 0/0 as 0 where the number is undefined otherwise."""
        if not zero:
            return interval(row.statistic(self._cells), self._cells, level=self.level)
        defined = self.measurement.number(row.key)
        if not math.isnan(defined.value):
            return defined
        return interval(row.statistic(self._cells, zero=True), self._cells, level=self.level)

    def _of_class(self, key: str, formula: Formula, code: int) -> Interval:
        """Return a number of one class, rows being independent; shares, which tables have, of every class at once."""
        counts = self.measurement.classes
        if not isinstance(formula, Ratio) or formula.scale not in ("share", "f1"):
            return class_interval(counts, formula, code, self.level)
        if key not in self._shares:
            self._shares[key] = share_intervals(counts, formula, self.level)
        return self._shares[key][code]

    def _one_vs_rest(self, code: int) -> JointCounts:
        """Return the cells of one class against the rest; those of the class asked last are kept."""
        if self._last_class is None or self._last_class[0] != code:
            self._last_class = code, self._cells.one_vs_rest(code)
        return self._last_class[1]

    def _area_of_class(self, key: str, code: int) -> Interval:
        """Return the area under a curve of one class."""
        counts = self.measurement.by_weight.scores_of(code)
        if counts is None:
            return self.without_bounds()
        if (key, code) not in self._areas:
            self._areas[key, code] = self._area(key, self._area_statistic(key, code, counts), counts)
        return self._areas[key, code]

    def _area_statistic(self, key: str, code: int, counts: ScoreCounts) -> Statistic:
        is_true, score = cells.true_and_score(self.evaluation, code)
        effective = effective_sides(self._score_cells, is_true, score)
        area = REGISTRY[self.evaluation.task, key].statistic(is_true, score, counts, effective)
        return area._replace(is_whole=~np.isnan(score))

    def _area(self, key: str, statistic: Statistic, counts: ScoreCounts) -> Interval:
        """Return the interval of an area; DeLong's own where rows are independent."""
        within = interval(statistic, self._score_cells, level=self.level)
        if key != "roc_auc" or self.measurement.clusters is not None or self.evaluation.units is not None:
            return within
        delong = auc_interval(counts, level=self.level)
        if math.isnan(delong.low):
            return within
        return within._replace(low=delong.low, high=delong.high, se=delong.standard_error, method=delong.method)

    @property
    def _has_many_scores(self) -> bool:
        """Return whether there are more scores than intervals of all classes are computed for."""
        return self.evaluation.n_lines * len(self.evaluation.score_codes) > self.measurement.most_scores

    @cached_property
    def _mean_statistics(self) -> dict[str, Statistic]:
        """Return the means over classes of areas under curves; the interval of every class's area is kept, too."""
        e = self.evaluation
        if e.y_score is None or self._has_many_scores:
            return {}
        areas: dict[str, list[Statistic]] = {key: [] for key in with_influence("score counts", task=e.task)}
        support = []
        for code in e.score_codes:
            counts = self.measurement.by_weight.scores_of(code)
            if counts is None:
                continue
            support.append(float(counts.n_pos))
            for key, statistics in areas.items():
                statistics.append(self._area_statistic(key, code, counts))
                self._areas[key, code] = self._area(key, statistics[-1], counts)
        means = {key: row.statistic(areas, support) for key, row in with_influence("scores per class").items()}
        has_score = ~np.isnan(e.y_score[e.scored]).all(axis=1)
        return {key: mean._replace(is_whole=has_score) for key, mean in means.items()}

    @cached_property
    def _losses(self) -> dict[str, Interval]:
        """Return the losses and the Brier skill score; nothing where the scores are no probabilities."""
        rows = cells.probabilities_of(self.evaluation)
        if rows is None:
            return {}
        every = with_influence("probabilities", task=self.evaluation.task)
        return {key: interval(row.statistic(rows), self._score_cells, level=self.level) for key, row in every.items()}
