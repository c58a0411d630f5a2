"""Estimate how much better a chosen threshold looks on the rows it was chosen on: cross-fitting on the score counts.

The rows are split into folds at random, the positives and the negatives each evenly. The threshold is chosen on all
folds but one and judged on that one, for every fold in turn; the counts of the judged folds are added up. The measure
of the sum is what such a choice is worth on rows it has not seen. Source: Stone 1974, "Cross-validatory choice and
assessment of statistical predictions", JRSS B 36. A row is its place in the score counts, so no row is read again.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

from metrics.limits import MAX_CROSS_VALIDATED_ROWS
from metrics.progress import Report, nobody
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.choose import Rule, measure, pick
from metrics.thresholds.cross_validation import (
    FOLDS,
    Deal,
    RowWeights,
    count_part,
    repeats_for,
    split_folds,
    weigh_counts,
)
from metrics.thresholds.threshold_metrics import ThresholdRates, rates


class Optimism(NamedTuple):
    """A measure as it looks on the rows a threshold was chosen on, and as it is on rows that did not choose it.

    apparent, cross_fitted : the measure; cross_fitted is the mean over the repeats. NaN where it is undefined, or
        where a class has fewer than two rows, or where a part of the rows offers no choice.
    optimism : by how much it looks too good, also for a cost, where lower is better. May be below 0 by chance.
    kept : of a rule "at least": the value, on held-out rows, of the metric that has a floor; else NaN.
    lowest, highest : the thresholds chosen, over all folds and repeats.
    """

    apparent: float
    cross_fitted: float
    optimism: float
    kept: float
    lowest: float
    highest: float
    folds: int
    repeats: int
    seed: int


def optimism(
    counts: ScoreCounts,
    rule: Rule,
    *,
    weights: RowWeights | None = None,
    folds: int = FOLDS,
    repeats: int | None = None,
    seed: int = 0,
    report: Report = nobody,
) -> Optimism:
    """Estimate how much better a rule's threshold looks on these rows than on others, by repeated cross-fitting.

    Parameters
    ----------
    counts : of rows, each of which is in one fold. weights : by which the rows count; None = all alike.
    folds : at least 2; fewer where a class has fewer rows.
    repeats : None = 20, or fewer so that at most two million rows are split (two at a million rows, at least one).
    report : told before every fold which share is done, from 0; what it raises ends the work.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False] * 20), np.arange(40) % 7 / 7)
    >>> found = optimism(counts, Rule("f1"), repeats=2)
    >>> found.apparent > found.cross_fitted, found.folds, found.repeats
    (True, 5, 2)
    """
    folds = min(folds, counts.n_pos, counts.n_neg)
    repeats = repeats_for(counts.n, MAX_CROSS_VALIDATED_ROWS) if repeats is None else repeats
    whole = rates(weigh_counts(counts, weights), nothing_too=True)
    rule = _capacity_as_share(rule, whole.n * whole.unit)
    place = pick(whole, rule)
    if folds < 2 or place is None:
        undefined = float("nan")
        return Optimism(undefined, undefined, undefined, undefined, undefined, undefined, folds, repeats, seed)
    apparent = float(measure(whole.part(slice(place, place + 1)), rule)[0])
    every = split_folds(counts.n_pos, counts.n_neg, folds=folds, repeats=repeats, seed=seed, report=report)
    values, kept, chosen = zip(*(_judge_split(counts, weights, whole, rule, deal) for deal in every), strict=True)
    cross_fitted = float(np.mean(values))
    too_good = cross_fitted - apparent if rule.by == "cost" else apparent - cross_fitted
    ends = float(np.min(np.concatenate(chosen))), float(np.max(np.concatenate(chosen)))
    return Optimism(apparent, cross_fitted, too_good, float(np.mean(kept)), *ends, folds, repeats, seed)


def _capacity_as_share(rule: Rule, n: float) -> Rule:
    """Return the rule with a capacity in rows as a share, which holds for a part of the rows, too."""
    if rule.most_rows is None or not n:
        return rule
    return dataclasses.replace(rule, most_rows=None, most_share=rule.most_rows / n)


def _judge_split(
    rows: ScoreCounts, weights: RowWeights | None, whole: ThresholdRates, rule: Rule, deal: Deal
) -> tuple[float, float, list[float]]:
    """Judge one repeat: the measure of the added-up counts, the metric with a floor, the thresholds chosen."""
    tp, fp, chosen = 0, 0, []
    for positives, negatives in deal:
        held = rates(count_part(rows, positives, negatives, weights), nothing_too=True)
        place = pick(_take_away(whole, held), rule)
        if place is None:
            return float("nan"), float("nan"), [float("nan")]
        tp, fp = tp + int(held.tp[place]), fp + int(held.fp[place])
        chosen.append(float(whole.threshold[place]))
    sums = dataclasses.replace(whole, threshold=np.array([np.nan]), tp=np.array([tp]), fp=np.array([fp]))
    kept = float(getattr(sums, rule.metric)[0]) if rule.by == "at_least" else float("nan")
    return float(measure(sums, rule)[0]), kept, chosen


def _take_away(whole: ThresholdRates, held: ThresholdRates) -> ThresholdRates:
    """Return the rates of the rows that are not held out."""
    rest = whole.n_pos - held.n_pos, whole.n_neg - held.n_neg
    return ThresholdRates(whole.threshold, whole.tp - held.tp, whole.fp - held.fp, *rest, whole.unit)
