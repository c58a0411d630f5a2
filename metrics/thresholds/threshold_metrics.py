"""Score counts in, what happens at a threshold out: every rate at every distinct score, look-ups, best points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from metrics import outcomes
from metrics.outcomes import Formula, FourCounts, as_float, divide
from metrics.scores.curves import ScoreCounts, products_fit, separating_thresholds


@dataclass(frozen=True)
class ThresholdRates:
    """Hold what predicting `score >= threshold` as positive gives: arrays from `rates`, plain numbers from `rates_at`.

    Every rate is computed when it is asked for: a rule needs one or two of them at a million thresholds.

    tp, fp, fn, tn are rows, or units of weight (`unit`); the rest are shares in 0..1 (youden_j and mcc: -1..1), NaN
    where they are 0/0.
    """

    threshold: Any
    tp: Any
    fp: Any
    n_pos: float
    n_neg: float
    unit: float = 1.0

    @property
    def fn(self) -> Any:
        """Return the positives below the threshold."""
        return self.n_pos - self.tp

    @property
    def tn(self) -> Any:
        """Return the negatives below the threshold."""
        return self.n_neg - self.fp

    @property
    def n(self) -> float:
        """Return the rows with a score."""
        return self.n_pos + self.n_neg

    @property
    def precision(self) -> Any:
        """Return tp / (tp + fp)."""
        return outcomes.PRECISION.value(self)

    @property
    def recall(self) -> Any:
        """Return tp / (tp + fn)."""
        return outcomes.RECALL.value(self)

    @property
    def specificity(self) -> Any:
        """Return tn / (tn + fp)."""
        return outcomes.SPECIFICITY.value(self)

    @property
    def fpr(self) -> Any:
        """Return fp / (tn + fp), 1 - specificity."""
        return outcomes.FALSE_POSITIVE_RATE.value(self)

    @property
    def npv(self) -> Any:
        """Return tn / (tn + fn)."""
        return outcomes.NEGATIVE_PREDICTIVE_VALUE.value(self)

    @property
    def accuracy(self) -> Any:
        """Return (tp + tn) / n."""
        return outcomes.ACCURACY.value(self)

    @property
    def balanced_accuracy(self) -> Any:
        """Return (recall + specificity) / 2."""
        return (self.youden_j + 1) / 2

    @property
    def f1(self) -> Any:
        """Return 2 tp / (2 tp + fp + fn)."""
        return outcomes.F1.value(self)

    @property
    def youden_j(self) -> Any:
        """Return recall + specificity - 1."""
        return self.recall - self.fpr

    @property
    def mcc(self) -> Any:
        """Return the Matthews correlation; undefined where all or nothing is positive, or predicted so."""
        called = as_float(self.tp) + self.fp
        # one root of all four sides, so that the number is exactly 1 without errors
        scale = np.sqrt((called * (self.n - called)) * (as_float(self.n_pos) * self.n_neg))
        return divide(lift(self.tp, self.fp, self.n_pos, self.n_neg), scale)

    @property
    def predicted_positive_rate(self) -> Any:
        """Return (tp + fp) / n."""
        return outcomes.PREDICTED_SHARE.value(self)

    def blocks(self) -> Iterator[tuple[int, ThresholdRates]]:
        """Yield where each block of thresholds begins and its rates, which then stay in the processor's cache."""
        for start in range(0, len(self.threshold), _BLOCK):
            yield start, self.part(slice(start, start + _BLOCK))

    def part(self, places: slice) -> ThresholdRates:
        """Return the rates at some of the thresholds."""
        return replace(self, threshold=self.threshold[places], tp=self.tp[places], fp=self.fp[places])

    def to_dict(self) -> dict[str, Any]:
        """Return the threshold and every count and rate by name, in the order of `COUNTS` and `RATES`."""
        counts = FourCounts(self.tp, self.fp, self.fn, self.tn)
        columns: dict[str, Any] = dict.fromkeys((*COUNTS, *RATES))
        columns |= {name: formula.value(counts) for name, formula in FORMULAS.items()}
        youden_j = columns["recall"] - columns["fpr"]
        return columns | counts._asdict() | {
            "threshold": self.threshold,
            "accuracy": outcomes.ACCURACY.value(counts),
            "balanced_accuracy": (youden_j + 1) / 2,
            "youden_j": youden_j,
            "mcc": self.mcc,
        }  # fmt: skip


FORMULAS: dict[str, Formula] = {
    "precision": outcomes.PRECISION,
    "recall": outcomes.RECALL,
    "f1": outcomes.F1,
    "specificity": outcomes.SPECIFICITY,
    "fpr": outcomes.FALSE_POSITIVE_RATE,
    "npv": outcomes.NEGATIVE_PREDICTIVE_VALUE,
    "predicted_positive_rate": outcomes.PREDICTED_SHARE,
}
"""Rates of one class, by the names that they have at a threshold. The JSON, its intervals and tables have every row."""
COUNTS = ("threshold", "tp", "fp", "fn", "tn")
_FIRST_RATES = (
    "precision", "recall", "specificity", "fpr", "npv", "accuracy", "balanced_accuracy", "f1", "youden_j", "mcc",
    "predicted_positive_rate",
)  # fmt: skip
RATES = tuple(dict.fromkeys((*_FIRST_RATES, *FORMULAS)))
"""Every rate at a threshold, in the order in which it is listed; `rates.js` computes each while a threshold moves."""
_BLOCK = 8_192
_RUN = 256
"""Thresholds that are compared with what was reached elsewhere, all at once."""


def rates(counts: ScoreCounts, *, nothing_too: bool = False) -> ThresholdRates:
    """Return every count and rate at every distinct score, as arrays (m,), thresholds descending.

    nothing_too : begin with "nothing is positive" (threshold inf) where a threshold can do that, see `reachable`.

    >>> from metrics.scores.curves import score_counts
    >>> table = rates(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4])))
    >>> table.threshold, table.tp, table.tn, table.recall
    (array([0.9, 0.4]), array([1, 2]), array([1, 0]), array([0.5, 1. ]))
    """
    threshold, tp, fp = separating_thresholds(counts) if nothing_too else (counts.score, counts.tp, counts.fp)
    return ThresholdRates(threshold, tp, fp, counts.n_pos, counts.n_neg, counts.unit)


def rates_at(counts: ScoreCounts, threshold: float) -> ThresholdRates:
    """Return every count and rate at one threshold, which need not be a score; int and float, in O(log m).

    A threshold above every score calls nothing positive, one at or below the lowest score everything.

    Raises
    ------
    ValueError : the threshold is NaN.

    >>> from metrics.scores.curves import score_counts
    >>> at = rates_at(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4])), 0.5)
    >>> at.tp, at.fp, at.fn, at.tn, at.precision, at.recall
    (1, 0, 1, 1, 1.0, 0.5)
    """
    return ThresholdRates(float(threshold), *counts.at(threshold), counts.n_pos, counts.n_neg, counts.unit)


def lift(tp: Any, fp: Any, n_pos: float, n_neg: float) -> Any:
    """Return tp * tn - fp * fn: the numerator of MCC, and of Youden's J over n_pos * n_neg; exact if `products_fit`."""
    if not products_fit(n_pos, n_neg):
        tp, fp = as_float(tp), as_float(fp)
    return tp * n_neg - fp * n_pos


def expected_cost(table: ThresholdRates, *, cost_fp: float, cost_fn: float, prevalence: float | None = None) -> Any:
    """Return what mistakes cost on average per row, at one threshold or at all.

    Parameters
    ----------
    cost_fp, cost_fn : cost of one false positive and one false negative, finite and not negative.
    prevalence : the share of positives where the model will be used, 0..1; None = as in this file. Recall and the
        false positive rate are taken to be the same there (only the mix of the classes differs).

    Returns
    -------
    (cost_fp * fp + cost_fn * fn) / n, NaN without rows; with a prevalence,
    (1 - prevalence) * cost_fp * fp / negatives + prevalence * cost_fn * fn / positives, NaN without either class.

    >>> from metrics.scores.curves import score_counts
    >>> table = rates_at(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4])), 0.5)
    >>> round(float(expected_cost(table, cost_fp=1, cost_fn=5)), 4)
    1.6667
    >>> float(expected_cost(table, cost_fp=1, cost_fn=5, prevalence=0.1))
    0.25
    """
    of_row = outcomes.expected_cost(cost_fp, cost_fn)
    if prevalence is None:
        return of_row.value(table)
    if not 0 <= prevalence <= 1:
        raise ValueError(f"A prevalence lies in 0 to 1, not {prevalence}.")
    false_alarms, missed = np.float64(cost_fp) * table.fp, np.float64(cost_fn) * table.fn
    with np.errstate(divide="ignore", invalid="ignore"):
        return (1 - prevalence) * (false_alarms / (table.fp + table.tn)) + prevalence * (missed / (table.tp + table.fn))


class Best(NamedTuple):
    """A threshold that is best by some measure, and the measure there. Both NaN: undefined on these rows."""

    threshold: float
    value: float


def best_thresholds(counts: ScoreCounts, *, cost_fp: float = 1.0, cost_fn: float = 1.0) -> dict[str, Best]:
    """Return the best threshold by F1, Youden's J, balanced accuracy and cost, searched over every distinct score.

    Exact: there is no grid. "Nothing is positive" (threshold inf) is a candidate too, unless a score is infinite,
    because then no threshold does that. Of several best thresholds the highest is taken (fewest rows positive).
    A threshold chosen on the rows it is then judged on looks better than it will be.

    Parameters
    ----------
    cost_fp, cost_fn : cost of one false positive and one false negative, finite and not negative.

    Returns
    -------
    "f1" (undefined without positives), "youden_j" and "balanced_accuracy" (without either class; they share their
    threshold), "cost" = lowest cost per row, the mean of cost_fp * fp + cost_fn * fn (undefined without rows).

    Source: Youden 1950, "Index for rating diagnostic tests", Cancer 3.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.4, 0.4, 0.1]))
    >>> best_thresholds(counts)["f1"]
    Best(threshold=0.4, value=0.8)
    >>> best_thresholds(counts, cost_fp=3.0)["cost"]
    Best(threshold=0.9, value=0.25)
    """
    outcomes.expected_cost(cost_fp, cost_fn)  # refuses what is no cost
    n_pos, n_neg = counts.n_pos, counts.n_neg
    has_both = n_pos > 0 and n_neg > 0
    search = _search(counts)
    f1 = _highest(search, lambda rates: rates.f1, defined=n_pos > 0)
    above = _highest(search, lambda rates: lift(rates.tp, rates.fp, n_pos, n_neg), defined=has_both)
    cost = _highest(search, lambda rates: -(cost_fp * rates.fp + cost_fn * rates.fn), defined=counts.n > 0)
    youden_j = above.value / (n_pos * n_neg or 1)
    return {
        "f1": f1,
        "youden_j": Best(above.threshold, youden_j),
        "balanced_accuracy": Best(above.threshold, (youden_j + 1) / 2),
        "cost": Best(cost.threshold, abs(cost.value) / (counts.n or 1)),
    }


class _Search(NamedTuple):
    """Hold where a best threshold is looked for: nothing positive, every score, and the ends of runs of scores.

    bounds : of every run the tp at its end with the fp at its start: no threshold of it is better.
    """

    first: ThresholdRates
    table: ThresholdRates
    reached: ThresholdRates
    bounds: ThresholdRates


def _search(counts: ScoreCounts) -> _Search:
    first = rates(counts._replace(score=counts.score[:1], tp=counts.tp[:1], fp=counts.fp[:1]), nothing_too=True)
    table = rates(counts)
    starts = np.arange(0, len(table.tp), _RUN)
    ends = np.minimum(starts + _RUN, len(table.tp)) - 1
    reached = replace(table, tp=table.tp[ends], fp=table.fp[ends])
    return _Search(first, table, reached, replace(reached, fp=table.fp[starts]))


def _highest(search: _Search, measure: Callable[[ThresholdRates], Any], *, defined: bool) -> Best:
    """Return the highest value of a measure that never falls with tp and never rises with fp, rounding included.

    Most runs of thresholds are not looked at.
    """
    if not defined:
        return Best(float("nan"), float("nan"))
    near = np.flatnonzero(measure(search.bounds) >= measure(search.reached).max())
    best = Best(float("nan"), float("nan"))
    for part in (search.first, search.table.part(slice(near[0] * _RUN, (near[-1] + 1) * _RUN))):
        value = measure(part)
        index = int(value.argmax())  # the first of equals: thresholds descend, so the highest
        if not value[index] <= best.value:
            best = Best(float(part.threshold[index]), float(value[index]))
    return best
