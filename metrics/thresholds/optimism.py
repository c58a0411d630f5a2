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
from metrics.scores.curves import ScoreCounts, separating_thresholds
from metrics.thresholds.choose import Rule, measure, pick
from metrics.thresholds.cross_validation import FOLDS, Deal, marked, repeats_for, split_folds
from metrics.thresholds.threshold_metrics import ThresholdRates


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
    folds: int = FOLDS,
    repeats: int | None = None,
    seed: int = 0,
    report: Report = nobody,
) -> Optimism:
    """Estimate how much better a rule's threshold looks on these rows than on others, by repeated cross-fitting.

    Parameters
    ----------
    folds : at least 2; fewer where a class has fewer rows.
    repeats : None = 20, or fewer so that at most two million rows are split (two at a million rows, at least one).
    report : told before every fold which share is done, from 0; what it raises ends the work.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False] * 20), np.arange(40) % 7 / 7)
    >>> found = optimism(counts, Rule("f1"), repeats=2)
    >>> found.apparent > found.cross_fitted, found.folds, found.repeats
    (True, 5, 2)
    """
    threshold, tp, fp = separating_thresholds(counts)
    folds = min(folds, counts.n_pos, counts.n_neg)
    repeats = repeats_for(counts.n, MAX_CROSS_VALIDATED_ROWS) if repeats is None else repeats
    rule = _capacity_as_share(rule, counts.n)
    whole = ThresholdRates(threshold, tp, fp, counts.n_pos, counts.n_neg)
    place = pick(whole, rule)
    if folds < 2 or place is None:
        undefined = float("nan")
        return Optimism(undefined, undefined, undefined, undefined, undefined, undefined, folds, repeats, seed)
    apparent = float(measure(whole.part(slice(place, place + 1)), rule)[0])
    every = split_folds(counts.n_pos, counts.n_neg, folds=folds, repeats=repeats, seed=seed, report=report)
    values, kept, chosen = zip(*(_judge_split(whole, rule, deal) for deal in every), strict=True)
    cross_fitted = float(np.mean(values))
    too_good = cross_fitted - apparent if rule.by == "cost" else apparent - cross_fitted
    ends = float(np.min(np.concatenate(chosen))), float(np.max(np.concatenate(chosen)))
    return Optimism(apparent, cross_fitted, too_good, float(np.mean(kept)), *ends, folds, repeats, seed)


def _capacity_as_share(rule: Rule, n: int) -> Rule:
    """Return the rule with a capacity in rows as a share, which holds for a part of the rows, too."""
    if rule.most_rows is None or not n:
        return rule
    return dataclasses.replace(rule, most_rows=None, most_share=rule.most_rows / n)


def _judge_split(whole: ThresholdRates, rule: Rule, deal: Deal) -> tuple[float, float, list[float]]:
    """Judge one repeat: the measure of the added-up counts, the metric with a floor, the thresholds chosen."""
    n_pos, n_neg = int(whole.n_pos), int(whole.n_neg)
    tp, fp, chosen = 0, 0, []
    for positives, negatives in deal:
        held_tp, held_fp = marked(whole.tp, positives), marked(whole.fp, negatives)
        rest = n_pos - int(positives.sum()), n_neg - int(negatives.sum())
        place = pick(ThresholdRates(whole.threshold, whole.tp - held_tp, whole.fp - held_fp, *rest), rule)
        if place is None:
            return float("nan"), float("nan"), [float("nan")]
        tp, fp = tp + int(held_tp[place]), fp + int(held_fp[place])
        chosen.append(float(whole.threshold[place]))
    sums = ThresholdRates(np.array([np.nan]), np.array([tp]), np.array([fp]), n_pos, n_neg)
    kept = float(getattr(sums, rule.metric)[0]) if rule.by == "at_least" else float("nan")
    return float(measure(sums, rule)[0]), kept, chosen
