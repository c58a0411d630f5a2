"""Compute metrics from scores, of each of several runs and of the difference of two."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from metrics.catalogue.metric import Metric
from metrics.catalogue.registry import metric_of, split_class, with_influence
from metrics.comparison.delong import DeLong, delong, left_after, widen
from metrics.comparison.differences import Difference, difference, two_sided_p
from metrics.comparison.runs import Runs
from metrics.intervals.joint_counts import Cells
from metrics.intervals.score_statistics import Worths, effective_sides, ranking_shares
from metrics.intervals.statistic import Interval, Statistic, interval
from metrics.scores.binning import error_bounds
from metrics.scores.curves import ScoreCounts, score_counts
from metrics.scores.intervals import auc_interval
from metrics.scores.probabilities import read_probabilities

_WIDER = "; wider by the error bounds of the bins"


@dataclass(frozen=True, eq=False)
class ScoreMetrics:
    """Compute metrics from the scores of runs; rows where a model has no score are left out of all."""

    runs: Runs
    level: float

    @property
    def _binary(self) -> bool:
        return self.runs.positive is not None and len(self.runs.score_codes) == 1

    @property
    def names(self) -> tuple[str, ...]:
        """Return names of the metrics; none without scores."""
        runs = self.runs
        if not runs.scores:
            return ()
        areas = self._areas if self._binary else (*self._mean_areas, *self._class_metrics)
        return (*areas, *self._losses)

    @cached_property
    def _areas(self) -> dict[str, Metric]:
        """Return the metrics of one score, by key."""
        return with_influence("score counts", task=self.runs.task)

    @cached_property
    def _mean_areas(self) -> dict[str, Metric]:
        """Return the means of areas over classes, by key."""
        return with_influence("scores per class", task=self.runs.task)

    @cached_property
    def _losses(self) -> dict[str, Metric]:
        """Return the metrics of probabilities, by key; none where scores are none."""
        return {} if "score" in self.runs.scales else with_influence("probabilities", task=self.runs.task)

    @cached_property
    def _class_metrics(self) -> dict[str, Metric]:
        """Return the metrics of the scores of every class, by key."""
        rows = with_influence("class scores", task=self.runs.task)
        return {key: row for key, row in rows.items() if len(self.runs.score_codes) >= row.min_classes}

    def has(self, name: str) -> bool:
        """Return whether there is such a metric, over all classes or of one that has a score: roc_auc[refund]."""
        return name in self.names or self._column_of(name) is not None

    def _column_of(self, name: str) -> int | None:
        """Return the column of scores that an area of one class is of; None where the name is of none."""
        key, code = split_class(name, self.runs.labels) or ("", 0)
        if key not in self._areas or not self.runs.scores or code not in self.runs.score_codes:
            return None
        return self.runs.score_codes.index(code)

    @cached_property
    def _scored(self) -> np.ndarray:
        """Return which entries have every score of every run, bool (n,)."""
        return np.asarray(~np.logical_or.reduce([np.isnan(score).any(axis=1) for score in self.runs.scores]))

    @cached_property
    def cells(self) -> Cells:
        """Return the entries, each with its rows."""
        runs, weights = self.runs, self._weights
        rows = np.ones(np.count_nonzero(self._scored), dtype=np.int64) if weights is None else weights
        cluster = None if runs.cluster is None else runs.cluster[self._scored]
        weighing = None if runs.weighing is None else runs.weighing.of(self._scored)
        return Cells(rows, cluster, 0, 0, weighing=weighing)

    @cached_property
    def _weights(self) -> np.ndarray | None:
        weights = self.runs.entry_weights
        return None if weights is None else weights[self._scored]

    def _score(self, model: int, column: int = 0) -> np.ndarray:
        """Return one column of scores of a model, float64."""
        return np.asarray(self.runs.scores[model][self._scored, column])

    def _is_true(self, column: int) -> np.ndarray:
        """Return which entries are of the class of a column of scores."""
        return np.asarray(self.runs.is_true(self.runs.score_codes[column])[self._scored])

    def _counts(self, model: int, column: int = 0) -> ScoreCounts:
        """Return the score counts of one column of scores of a model."""
        return score_counts(self._is_true(column), self._score(model, column), self._weights)

    def error_bound(self, name: str, model: int) -> float:
        """Return how far a metric may lie from that of the exact scores, where they were grouped into bins; else 0."""
        if not self.runs.score_highs or not self._binary:
            return 0.0
        if model not in self._bounds:
            lowest, highest = self._score(model), self.runs.score_highs[model][self._scored]
            from_logits = self.runs.scales[model] == "logit"
            losses = {key: row.function for key, row in self._losses.items()}
            self._bounds[model] = error_bounds(
                self._is_true(0), lowest, highest, self.cells.rows, from_logits=from_logits, losses=losses
            )
        return self._bounds[model].get(name.partition("[")[0], math.nan)

    @cached_property
    def _bounds(self) -> dict[int, dict[str, float]]:
        """Keep the error bounds of every metric, by model."""
        return {}

    @cached_property
    def _statistics(self) -> dict[tuple[str, int], Statistic]:
        """Keep what was computed, by metric and model."""
        return {}

    def statistic(self, name: str, model: int) -> Statistic:
        """Return one metric of one model."""
        if (name, model) not in self._statistics:
            self._statistics.update({(key, model): statistic for key, statistic in self._compute(name, model).items()})
        return self._statistics[name, model]

    def _compute(self, name: str, model: int) -> dict[str, Statistic]:
        """Return a metric by its name; of a loss all of them, which share the probabilities."""
        if name in self._losses:
            return self._compute_losses(model)
        if name in self._class_metrics:
            y_true, scores = self.runs.y_true[self._scored], self.runs.scores[model][self._scored]
            return {name: self._class_metrics[name].statistic(self.cells, y_true, scores, self.runs.score_codes)}
        if name in self._mean_areas and not self._binary:
            return {name: self._mean_area(name, model)}
        return {name: self._area(name, model)}

    def _compute_losses(self, model: int) -> dict[str, Statistic]:
        y_true = self._is_true(0) if self._binary else self.runs.y_true[self._scored]
        rows = read_probabilities(
            y_true, self.runs.scores[model][self._scored], score_codes=self.runs.score_codes,
            from_logits=self.runs.scales[model] == "logit", weights=self._weights,
        )  # fmt: skip
        return {key: row.statistic(rows) for key, row in self._losses.items()}

    def _mean_area(self, name: str, model: int) -> Statistic:
        """Return the mean over classes of an area."""
        labels = [self.runs.labels[code] for code in self.runs.score_codes]
        keys = [key for key in self._areas if name.startswith(key)]  # roc_auc_macro is a mean of roc_auc
        areas = {key: [self.statistic(f"{key}[{label}]", model) for label in labels] for key in keys}
        return self._mean_areas[name].statistic(areas, self._support)

    def _area(self, name: str, model: int) -> Statistic:
        """Return the area of one column of scores: that of the class in the name, or the only one."""
        column = self._column_of(name) or 0
        is_true, score = self._is_true(column), self._score(model, column)
        sides = effective_sides(self.cells, is_true, score)
        return self._areas[name.partition("[")[0]].statistic(is_true, score, self._counts(model, column), sides)

    @cached_property
    def _support(self) -> list[float]:
        """Return the true rows of every class that has scores."""
        columns = range(len(self.runs.score_codes))
        return [float(self.cells.rows[self._is_true(column)].sum()) for column in columns]

    def interval(self, name: str, model: int) -> Interval:
        """Return one metric of one model with its interval."""
        bounds = interval(self.statistic(name, model), self.cells, level=self.level)
        if name == "roc_auc" and self.cells.cluster is None and self.cells.weighing is None:
            auc = auc_interval(self._counts(model), level=self.level)
            if not math.isnan(auc.low):
                return bounds._replace(low=auc.low, high=auc.high, se=auc.standard_error, method=auc.method)
        return bounds

    def difference(self, name: str, a: int, b: int) -> Difference:
        """Return model b's metric less model a's; of scores in bins, the error bounds widen its interval and p."""
        test = self.delong(a, b) if name == "roc_auc" else None
        if test is not None:
            few_decide = any(self.interval(name, model).few_decide for model in (a, b))
            moved = test.as_difference(self.cells.cluster is not None)._replace(few_decide=few_decide)
        else:
            moved = difference(self.statistic(name, a), self.statistic(name, b), self.cells, level=self.level)
        bound = self.error_bound(name, a) + self.error_bound(name, b)
        if not bound:
            return moved
        if name == "roc_auc":  # DeLong's test has allowed for it
            return moved._replace(method=moved.method + _WIDER)
        lowest, highest = metric_of(self.runs.task, name).range
        low, high = widen(moved.low, moved.high, bound, highest - lowest)
        p = two_sided_p(left_after(moved.value, bound), moved.se, self.cells.n_clusters)
        return moved._replace(low=low, high=high, p=p, method=moved.method + _WIDER)

    @cached_property
    def _worths(self) -> dict[int, Worths]:
        """Keep the worths of the positive class's scores, by model."""
        return {}

    def worths(self, model: int) -> Worths:
        """Return DeLong's worths of the positive class's scores."""
        if model not in self._worths:
            self._worths[model] = ranking_shares(self._is_true(0), self._score(model), self._counts(model))
        return self._worths[model]

    def delong(self, a: int, b: int) -> DeLong | None:
        """Return DeLong's test of two models; None without a score of a positive class, and of rows with weights."""
        if not self.runs.scores or not self._binary or self.runs.units is not None:
            return None
        bound = self.error_bound("roc_auc", a) + self.error_bound("roc_auc", b)
        return delong(self.worths(a), self.worths(b), self.cells, self._weights, level=self.level, bound=bound)
