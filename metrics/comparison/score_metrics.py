"""Compute metrics from scores, of each of several runs and of the difference of two; DeLong's test of two AUCs."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from metrics.comparison.differences import Difference, difference, two_sided_p, undefined_difference
from metrics.comparison.runs import Runs
from metrics.intervals.joint_counts import Cells
from metrics.intervals.score_statistics import (
    Worths,
    auc_statistic,
    average_precision_statistic,
    binary_losses,
    class_losses,
    mean_of_statistics,
    worths,
)
from metrics.intervals.statistic import Interval, Statistic, interval
from metrics.scores.curves import score_counts
from metrics.scores.intervals import auc_interval
from metrics.shares import critical_value

_AREAS = ("roc_auc", "average_precision")
_OF_CLASS = re.compile(r"(roc_auc|average_precision)\[(.*)\]", re.DOTALL)
_LOSSES = ("log_loss", "brier")


@dataclass(frozen=True, eq=False)
class ScoreMetrics:
    """Compute metrics from the scores of runs; rows where a model has no score are left out of all.

    n_without : rows that are left out.
    """

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
        areas = _AREAS if self._binary else tuple(f"{name}_macro" for name in _AREAS)
        return areas if runs.many or "score" in runs.scales else (*areas, *_LOSSES)

    def has(self, name: str) -> bool:
        """Return whether there is such a metric, over all classes or of one that has a score: roc_auc[refund]."""
        return name in self.names or self._column_of(name) is not None

    def _column_of(self, name: str) -> int | None:
        """Return the column of scores that an area of one class is of; None where the name is of none."""
        found = _OF_CLASS.fullmatch(name)
        if found is None or not self.runs.scores or found[2] not in self.runs.labels:
            return None
        code = self.runs.labels.index(found[2])
        return self.runs.score_codes.index(code) if code in self.runs.score_codes else None

    @cached_property
    def _kept(self) -> np.ndarray:
        return np.asarray(~np.logical_or.reduce([np.isnan(score).any(axis=1) for score in self.runs.scores]))

    @property
    def n_without(self) -> int:
        """Return rows where some model has no score."""
        return int((~self._kept).sum()) if self.runs.scores else 0

    @cached_property
    def cells(self) -> Cells:
        """Return the rows, each by itself."""
        cluster = None if self.runs.cluster is None else self.runs.cluster[self._kept]
        return Cells(np.ones(int(self._kept.sum()), dtype=np.int64), cluster, 0, 0)

    @cached_property
    def _found(self) -> dict[tuple[str, int], Statistic]:
        return {}

    def statistic(self, name: str, model: int) -> Statistic:
        """Return one metric of one model."""
        if (name, model) not in self._found:
            self._found.update({(own, model): one for own, one in self._compute(name, model).items()})
        return self._found[name, model]

    def _compute(self, name: str, model: int) -> dict[str, Statistic]:
        runs, score = self.runs, self.runs.scores[model][self._kept]
        if name in _LOSSES:
            if self._binary:
                is_true = runs.is_true(runs.score_codes[0])[self._kept]
                found = binary_losses(is_true, score[:, 0], from_logits=runs.scales[model] == "logit")
            else:
                found = class_losses(runs.y_true[self._kept], score, runs.score_codes)
            return found._asdict()
        of_class = name.removesuffix("_macro")
        compute = auc_statistic if name.startswith("roc_auc") else average_precision_statistic
        if self._binary or of_class == name:
            column = self._column_of(name) or 0
            return {name: compute(runs.is_true(runs.score_codes[column])[self._kept], score[:, column])}
        areas = [self.statistic(f"{of_class}[{runs.labels[code]}]", model) for code in runs.score_codes]
        return {name: mean_of_statistics(areas, [1.0] * len(areas))}

    def interval(self, name: str, model: int) -> Interval:
        """Return one metric of one model with its interval."""
        found = interval(self.statistic(name, model), self.cells, level=self.level)
        if name == "roc_auc" and self.cells.cluster is None:
            code, score = self.runs.score_codes[0], self.runs.scores[model][self._kept, 0]
            own = auc_interval(score_counts(self.runs.is_true(code)[self._kept], score), level=self.level)
            if not math.isnan(own.low):
                return found._replace(low=own.low, high=own.high, se=own.standard_error, method=own.method)
        return found

    def difference(self, name: str, a: int, b: int) -> Difference:
        """Return model b's metric less model a's."""
        if name == "roc_auc":
            found = self.delong(a, b)
            assert found is not None
            return found.as_difference(self.cells.cluster is not None)
        return difference(self.statistic(name, a), self.statistic(name, b), self.cells, level=self.level)

    @cached_property
    def _worths(self) -> dict[int, Worths]:
        return {}

    def worths(self, model: int) -> Worths:
        """Return DeLong's worths of the positive class's scores."""
        if model not in self._worths:
            is_true = self.runs.is_true(self.runs.score_codes[0])[self._kept]
            self._worths[model] = worths(is_true, self.runs.scores[model][self._kept, 0])
        return self._worths[model]

    def delong(self, a: int, b: int) -> DeLong | None:
        """Return DeLong's test of two models; None where there is no score of a positive class."""
        if not self.runs.scores or not self._binary:
            return None
        return delong(self.worths(a), self.worths(b), self.cells, level=self.level)


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


def delong(a: Worths, b: Worths, cells: Cells, *, level: float = 0.95) -> DeLong:
    """Test two AUCs of the same rows; the interval is on the plain scale, within -1..1.

    Both must have a score in every row. Undefined (NaN) with fewer than two rows of a class.

    Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44; by clusters Obuchowski 1997, Biometrics 53.
    """
    value = b.auc - a.auc
    se = _standard_error(a, b) if cells.cluster is None else _by_clusters(a, b, cells)
    if math.isnan(se) or math.isnan(value):
        return DeLong(a.auc, b.auc, math.nan, math.nan, math.nan, math.nan, math.nan)
    p = two_sided_p(value, se, cells.n_clusters)
    z = value / se if se > 1e-15 else 0.0 if abs(value) < 1e-12 else math.nan
    reach = critical_value(level, cells.n_clusters) * se
    return DeLong(a.auc, b.auc, z, p, max(-1.0, value - reach), min(1.0, value + reach), se)


def _standard_error(a: Worths, b: Worths) -> float:
    variance = 0.0
    for side in (a.is_true, ~a.is_true):
        moved = (b.worth - a.worth)[side]
        if len(moved) < 2:
            return math.nan
        variance += float(np.var(moved, ddof=1)) / len(moved)
    return math.sqrt(variance)


def _by_clusters(a: Worths, b: Worths, cells: Cells) -> float:
    n = np.where(a.is_true, a.n_pos, a.n_neg)
    influence = ((b.worth - b.auc) - (a.worth - a.auc)) / n
    variance = cells.covariance(influence, influence)
    return math.nan if math.isnan(variance) else math.sqrt(max(0.0, variance))
