"""Compute metrics from scores, of each of several runs and of the difference of two; DeLong's test of two AUCs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from metrics.catalogue.metric import Metric
from metrics.catalogue.registry import metric_of, split_class, with_influence
from metrics.comparison.differences import Difference, difference, two_sided_p, undefined_difference
from metrics.comparison.runs import Runs
from metrics.intervals.joint_counts import Cells
from metrics.intervals.score_statistics import Worths, effective_sides, ranking_shares
from metrics.intervals.statistic import Interval, Statistic, interval
from metrics.scores.binning import error_bounds
from metrics.scores.curves import ScoreCounts, score_counts
from metrics.scores.intervals import auc_interval
from metrics.scores.probabilities import read_probabilities
from metrics.shares import critical_value

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
        areas = self._areas if self._binary else (*self._mean_areas, *self._of_classes)
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
    def _of_classes(self) -> dict[str, Metric]:
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
        cluster = None if self.runs.cluster is None else self.runs.cluster[self._scored]
        rows = np.ones(int(self._scored.sum()), dtype=np.int64) if self._weights is None else self._weights
        weighing = self.runs.weighing
        return Cells(rows, cluster, 0, 0, weighing=None if weighing is None else weighing.of(self._scored))

    @cached_property
    def _weights(self) -> np.ndarray | None:
        weights = self.runs.entry_weights
        return None if weights is None else weights[self._scored]

    def _counts(self, model: int, column: int = 0) -> ScoreCounts:
        """Return the score counts of one column of scores of a model."""
        is_true = self.runs.is_true(self.runs.score_codes[column])[self._scored]
        return score_counts(is_true, self.runs.scores[model][self._scored, column], self._weights)

    def error_bound(self, name: str, model: int) -> float:
        """Return how far a metric may lie from that of the exact scores, where they were grouped into bins; else 0."""
        if not self.runs.score_highs or not self._binary:
            return 0.0
        if model not in self._bounds:
            runs, scored = self.runs, self._scored
            rows = np.ones(int(scored.sum()), dtype=np.int64) if self._weights is None else self._weights
            self._bounds[model] = error_bounds(
                runs.is_true(runs.score_codes[0])[scored], runs.scores[model][scored, 0],
                runs.score_highs[model][scored], rows, from_logits=runs.scales[model] == "logit",
                losses={key: row.function for key, row in self._losses.items()},
            )  # fmt: skip
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
        runs, score = self.runs, self.runs.scores[model][self._scored]
        if name in self._losses:
            y_true = runs.is_true(runs.score_codes[0]) if self._binary else runs.y_true
            rows = read_probabilities(
                y_true[self._scored], score, score_codes=runs.score_codes, from_logits=runs.scales[model] == "logit",
                weights=self._weights,
            )  # fmt: skip
            return {key: row.statistic(rows) for key, row in self._losses.items()}
        if name in self._of_classes:
            y_true = runs.y_true[self._scored]
            return {name: self._of_classes[name].statistic(self.cells, y_true, score, runs.score_codes)}
        if name in self._mean_areas and not self._binary:
            areas = {
                key: [self.statistic(f"{key}[{runs.labels[code]}]", model) for code in runs.score_codes]
                for key in self._areas if name.startswith(key)
            }  # fmt: skip
            return {name: self._mean_areas[name].statistic(areas, self._support)}
        column = self._column_of(name) or 0  # a name without a class is of the only column
        is_true = runs.is_true(runs.score_codes[column])[self._scored]
        sides = effective_sides(self.cells, is_true, score[:, column])
        area = self._areas[name.partition("[")[0]]
        return {name: area.statistic(is_true, score[:, column], self._counts(model, column), sides)}

    @cached_property
    def _support(self) -> list[float]:
        """Return the true rows of every class that has scores."""
        return [float(self.cells.rows[self.runs.is_true(code)[self._scored]].sum()) for code in self.runs.score_codes]

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
        low, high = _widen(moved.low, moved.high, bound, highest - lowest)
        p = two_sided_p(_left_after(moved.value, bound), moved.se, self.cells.n_clusters)
        return moved._replace(low=low, high=high, p=p, method=moved.method + _WIDER)

    @cached_property
    def _worths(self) -> dict[int, Worths]:
        """Keep the worths of the positive class's scores, by model."""
        return {}

    def worths(self, model: int) -> Worths:
        """Return DeLong's worths of the positive class's scores."""
        if model not in self._worths:
            is_true = self.runs.is_true(self.runs.score_codes[0])[self._scored]
            self._worths[model] = ranking_shares(is_true, self.runs.scores[model][self._scored, 0], self._counts(model))
        return self._worths[model]

    def delong(self, a: int, b: int) -> DeLong | None:
        """Return DeLong's test of two models; None without a score of a positive class, and of rows with weights."""
        if not self.runs.scores or not self._binary or self.runs.units is not None:
            return None
        bound = self.error_bound("roc_auc", a) + self.error_bound("roc_auc", b)
        return delong(self.worths(a), self.worths(b), self.cells, self._weights, level=self.level, bound=bound)


class DeLong(NamedTuple):
    """Two AUCs and the test of their difference b - a; NaN where undefined."""

    auc_a: float
    auc_b: float
    z: float
    p: float
    low: float
    high: float
    se: float

    def as_difference(self, clustered: bool) -> Difference:
        """Return the difference of the two AUCs."""
        if math.isnan(self.auc_a) or math.isnan(self.auc_b):
            return undefined_difference()
        method = "DeLong's worths, by clusters" if clustered else "DeLong"
        return Difference(self.auc_b - self.auc_a, self.low, self.high, self.se, self.p, method)


def delong(
    a: Worths, b: Worths, cells: Cells, weights: np.ndarray | None = None, *, level: float = 0.95, bound: float = 0.0,
) -> DeLong:  # fmt: skip
    """Test two AUCs of the same rows; the interval is on the plain scale, within -1..1.

    Both must have a score in every row. Undefined (NaN) with fewer than two rows of a class.

    weights : rows of each entry; None = one. bound : how far the difference may lie from that of the exact scores; what
        is left after it is tested.

    Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44; by clusters Obuchowski 1997, Biometrics 53.
    """
    value = b.auc - a.auc
    se = _standard_error(a, b, weights) if cells.cluster is None else _by_clusters(a, b, cells)
    if math.isnan(se) or math.isnan(value):
        return DeLong(a.auc, b.auc, math.nan, math.nan, math.nan, math.nan, math.nan)
    left = _left_after(value, bound)
    p = two_sided_p(left, se, cells.n_clusters)
    # where no row differs, equal areas are no difference, and others cannot be tested
    z_without_error = 0.0 if abs(left) < 1e-12 else math.nan
    z = left / se if se > 1e-15 else z_without_error
    reach = critical_value(level, cells.n_clusters) * se
    low, high = _widen(value - reach, value + reach, bound, 1.0)
    return DeLong(a.auc, b.auc, z, p, low, high, se)


def _left_after(value: float, bound: float) -> float:
    """Return what is left of a difference that may be smaller by a bound.

    >>> _left_after(-0.5, 0.25), _left_after(0.1, 0.25)
    (-0.25, 0.0)
    """
    if not bound or math.isnan(bound):
        return value + bound
    return math.copysign(max(0.0, abs(value) - bound), value) + 0.0


def _widen(low: float, high: float, bound: float, most: float) -> tuple[float, float]:
    """Return the ends of an interval, each further out by a bound, within -most to most; NaN where the bound is."""
    return float(np.clip(low - bound, -most, most)), float(np.clip(high + bound, -most, most))


def _standard_error(a: Worths, b: Worths, weights: np.ndarray | None) -> float:
    """Return the standard error of the difference of two areas; NaN with fewer than two rows of a class."""
    variance = 0.0
    for side in (a.is_true, ~a.is_true):
        moved = (b.worth - a.worth)[side]
        n = len(moved) if weights is None else int(weights[side].sum())
        if n < 2:
            return math.nan
        if weights is None:
            variance += float(np.var(moved, ddof=1)) / n
            continue
        n_rows = weights[side]
        mean = (moved * n_rows).sum() / n
        variance += float(((moved - mean) ** 2 * n_rows).sum()) / (n - 1) / n
    return math.sqrt(variance)


def _by_clusters(a: Worths, b: Worths, cells: Cells) -> float:
    """Return that standard error where rows of one cluster belong together; NaN where it is undefined."""
    n = np.where(a.is_true, a.n_pos, a.n_neg)
    influence = ((b.worth - b.auc) - (a.worth - a.auc)) / n
    variance = cells.variance(influence)
    return math.nan if math.isnan(variance) else math.sqrt(max(0.0, variance))
