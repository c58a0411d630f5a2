"""Score counts in, one threshold out: the best by a metric, by cost, within bounds, or equal to another model's.

All are searched over every distinct score, and over "nothing is positive" (threshold inf) where a threshold can do
that. Of several best thresholds the highest is taken, which calls fewest rows positive.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.outcomes import f_beta
from metrics.scores.curves import ScoreCounts, round_down
from metrics.thresholds.threshold_metrics import Best, ThresholdRates, expected_cost, lift, rates

MEASURES = ("f1", "fbeta", "youden_j", "mcc", "balanced_accuracy", "accuracy", "cost")
"""Measures of `best_by`; all but the cost are best where they are highest."""
_TOLERANCE = 1e-12  # of a recall that is to be reached

COUNTERPART = {"recall": "precision", "precision": "recall", "specificity": "recall", "npv": "specificity"}
"""The metric to be as high as possible once the first is high enough."""

NAMES = {
    "f1": "F1",
    "fbeta": "F-beta",
    "youden_j": "Youden's J",
    "mcc": "Matthews correlation",
    "balanced_accuracy": "balanced accuracy",
    "accuracy": "accuracy",
    "cost": "expected cost a row",
    "recall": "recall",
    "precision": "precision",
    "specificity": "specificity",
    "npv": "negative predictive value",
    "micro_f1": "micro F1",
    "macro_f1": "macro F1",
    "micro_recall": "micro recall",
    "micro_precision": "micro precision",
}
"""The names of what rules are about, as a person reads them."""

_LOWER_IS_BETTER = ("cost",)
_ROUNDING = 8
"""Units in the last place by which equal values may differ after rounding."""


@dataclass(frozen=True)
class Rule:
    """Say how a threshold is chosen; hashable, so that what was found can be kept.

    by : one of MEASURES, "at_least" (`metric` >= `floor`, then the best of `then`) or "capacity" (`most_rows`).
    beta : of "fbeta". cost_fp, cost_fn, prevalence : of "cost", as `expected_cost` takes them.
    most_share : of "capacity", the share of the rows that may be predicted positive, in place of `most_rows`.
    A row of a weight counts as so many rows.
    """

    by: str = "f1"
    beta: float = 2.0
    cost_fp: float = 1.0
    cost_fn: float = 1.0
    prevalence: float | None = None
    metric: str = "recall"
    floor: float = 0.95
    then: str = "precision"
    most_rows: int | None = None
    most_share: float | None = None


def choose(counts: ScoreCounts, rule: Rule) -> Best:
    """Return the threshold that a rule picks on these rows, and what it wants there; both NaN where there is none.

    There is none where the measure is undefined (F1 without positives, MCC without either class); where no threshold
    reaches the floor of "at_least"; and where even the highest threshold predicts more rows positive than a capacity
    allows (an infinite score). The value is the measure itself, that of `then` for "at_least", and the rows predicted
    positive for "capacity".

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.6, 0.4, 0.1]))
    >>> choose(counts, Rule("f1"))
    Best(threshold=0.4, value=0.8)
    >>> choose(counts, Rule("at_least", metric="precision", floor=0.8, then="recall"))
    Best(threshold=0.9, value=0.5)
    >>> choose(counts, Rule("capacity", most_rows=2))
    Best(threshold=0.6, value=2.0)
    """
    return best_of(rates(counts, nothing_too=True), rule)


def best_of(table: ThresholdRates, rule: Rule) -> Best:
    """Return the same from the rates at every threshold, `rates(counts, nothing_too=True)`, so that many rules share
    them.
    """
    place = pick(table, rule)
    if place is None:
        return Best(float("nan"), float("nan"))
    return Best(float(table.threshold[place]), float(measure(table.part(slice(place, place + 1)), rule)[0]))


def pick(table: ThresholdRates, rule: Rule) -> int | None:
    """Return the place of the threshold that a rule picks among those of a table (descending); None where there is
    none.
    """
    if rule.by == "capacity":
        return _fullest(table.tp + table.fp, most_rows(table, rule))
    if not _has_a_best(table, rule):
        return None
    tops = [np.fmax.reduce(_measure_wanted(block, rule)) for _, block in table.blocks()]
    best = np.fmax.reduce(tops)
    if np.isnan(best):
        return None
    least = best - _ROUNDING * np.spacing(abs(best))
    blocks = ((start, block) for top, (start, block) in zip(tops, table.blocks(), strict=True) if top >= least)
    return _first_of(((start, block, _measure_wanted(block, rule) >= least) for start, block in blocks), rule)


def _first_of(blocks: Iterable[tuple[int, ThresholdRates, np.ndarray]], rule: Rule) -> int | None:
    """Return the first of the best places; under "at_least" the one that keeps most of what was asked for."""
    place, most = None, -np.inf
    for start, block, highest in blocks:
        if rule.by != "at_least":
            return start + int(highest.argmax())
        kept = np.where(highest, getattr(block, rule.metric), -np.inf)
        if kept.max() > most:
            place, most = start + int(kept.argmax()), kept.max()
    return place


def _measure_wanted(table: ThresholdRates, rule: Rule) -> np.ndarray:
    """Return what is to be as high as possible; equal measures are equal but for the rounding of a few operations."""
    if rule.by in ("youden_j", "balanced_accuracy"):
        # J times both classes, in whole numbers: recall less the false positive rate would round equals apart
        return np.asarray(lift(table.tp, table.fp, table.n_pos, table.n_neg) * 1.0)
    value = measure(table, rule)
    if rule.by == "at_least":
        return np.where(getattr(table, rule.metric) >= rule.floor, value, np.nan)
    return np.asarray(-value if rule.by in _LOWER_IS_BETTER else value)


def _has_a_best(table: ThresholdRates, rule: Rule) -> bool:
    """Return whether a measure's classes occur: without them it is the same at every threshold, or 0/0."""
    if not len(table.tp):
        return False
    if rule.by in ("f1", "fbeta"):
        return table.n_pos > 0
    return min(table.n_pos, table.n_neg) > 0 if rule.by in ("mcc", "youden_j", "balanced_accuracy") else True


def _fullest(called: np.ndarray, most: int) -> int | None:
    """Return the highest threshold among those that call as many rows positive as may be."""
    n_allowed = int(np.searchsorted(called, most, side="right"))
    return int(np.searchsorted(called, called[n_allowed - 1])) if n_allowed else None


def measure(table: ThresholdRates, rule: Rule) -> Any:
    """Return what a rule looks at, at one threshold or at all; higher is better for all but the cost."""
    if rule.by == "fbeta":
        return f_beta(rule.beta).value(table)
    if rule.by == "cost":
        return expected_cost(table, cost_fp=rule.cost_fp, cost_fn=rule.cost_fn, prevalence=rule.prevalence)
    if rule.by == "capacity":
        return (table.tp + table.fp) * table.unit
    return getattr(table, rule.then if rule.by == "at_least" else rule.by)


def most_rows(table: ThresholdRates, rule: Rule) -> int:
    """Return how many counts a capacity allows to flag: as given, or a share of those with a score, rounded down."""
    if rule.most_rows is not None:
        return round_down(rule.most_rows / table.unit, table.unit)
    if rule.most_share is None or not len(table.tp):
        return 0
    return round_down(rule.most_share * table.n, table.unit)


def threshold_of_recall(counts: ScoreCounts, recall: float) -> float:
    """Return the highest threshold whose recall is at least `recall`; NaN without positives.

    >>> from metrics.scores.curves import score_counts
    >>> threshold_of_recall(score_counts(np.array([1, 0, 1, 1], bool), np.array([0.9, 0.8, 0.7, 0.2])), 2 / 3)
    0.7
    """
    if not counts.n_pos or math.isnan(recall):
        return math.nan
    enough = np.flatnonzero(counts.tp >= (recall - _TOLERANCE) * counts.n_pos)
    return math.inf if recall <= 0 else float(counts.score[enough[0]])


def threshold_of_alerts(counts: ScoreCounts, alerts: int) -> float:
    """Return the threshold whose number of rows with score >= threshold is nearest to `alerts`.

    >>> from metrics.scores.curves import score_counts
    >>> threshold_of_alerts(score_counts(np.array([1, 0, 1, 1], bool), np.array([0.9, 0.8, 0.8, 0.2])), 2)
    0.9
    """
    if not counts.n:
        return math.nan
    raised = np.concatenate([[0], counts.tp + counts.fp])
    nearest = int(np.argmin(np.abs(raised - alerts)))
    return math.inf if nearest == 0 else float(counts.score[nearest - 1])
