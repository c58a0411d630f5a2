"""The rule in force for all labels of a multi-label task: the best F1 of each, or one threshold of best mean F1."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from metrics.multilabel.set_metrics import MultilabelCounts, f1, per_label, precision, recall
from metrics.thresholds.label_validation import CrossFitted
from metrics.thresholds.rule_in_force import ChosenThreshold, Estimate
from metrics.thresholds.rule_text import ONE_FOR_ALL, Given

RULES = ("f1", *ONE_FOR_ALL)
"""Rules that choose the thresholds of all labels: f1 is the best F1 of each label by itself."""
_SAME = 1e-9


def rule_fits(given: Given, task: str, score_codes: Collection[int]) -> bool:
    """Whether a rule can choose a threshold in this task, on these labels' scores.

    >>> from metrics.thresholds.choose import Rule
    >>> rule_fits(Given(None, Rule("f1")), "binary", (1,)), rule_fits(Given(0, Rule("f1")), "multiclass", (0, 1))
    (True, True)
    >>> rule_fits(Given(None, Rule("mcc")), "multilabel", (0, 1)), rule_fits(Given(7, Rule("f1")), "binary", (1,))
    (False, False)
    """
    for_all = given.rule.by in ONE_FOR_ALL
    if given.code is not None:
        return given.code in score_codes and not for_all
    return given.rule.by in RULES if task == "multilabel" else task == "binary" and not for_all


def label_metric(given: Given) -> str:
    """Name the mean that a rule for all labels makes as high as possible."""
    return "micro_f1" if given.rule.by == "micro_f1" else "macro_f1"


def mean_f1(counts: MultilabelCounts, metric: str) -> float:
    """Return micro F1, or macro F1 over the labels with true rows; NaN without any."""
    true = counts.support > 0
    if metric == "micro_f1":
        return f1(counts, "micro")
    return float(per_label(counts).f1[true].mean()) if true.any() else math.nan


def judge_label_thresholds(
    given: Given,
    counts: MultilabelCounts,
    best: MultilabelCounts,
    *,
    threshold: float | None,
    best_threshold: float,
    fitted: CrossFitted | None,
) -> ChosenThreshold:
    """Judge the thresholds of all labels by the rule that they were chosen by.

    Parameters
    ----------
    counts, best : at the thresholds in use, and at those that the rule picks on these rows.
    threshold, best_threshold : the one for all; None and NaN where every label has its own.
    fitted : the same choice judged on rows that took no part in it; None = not computed. Used only where the
        thresholds in use predict as those that the rule picks.

    >>> from metrics.thresholds.choose import Rule
    >>> from metrics.multilabel.set_metrics import multilabel_counts
    >>> truth = np.array([[1, 0], [0, 1]], dtype=bool)
    >>> at = multilabel_counts(truth, truth, ("a", "b"))
    >>> found = judge_label_thresholds(
    ...     Given(None, Rule("f1")), at, at, threshold=None, best_threshold=math.nan, fitted=None
    ... )
    >>> found.kept, found.metric, found.here
    (True, 'macro_f1', 1.0)
    """
    metric = label_metric(given)
    here, highest = mean_f1(counts, metric), mean_f1(best, metric)
    same = np.array_equal(counts.tp, best.tp) and np.array_equal(counts.fp, best.fp)
    judged = None
    if fitted is not None and same:
        judged = {"micro_f1": fitted.micro, "macro_f1": fitted.macro}.get(given.rule.by, fitted.each)
    expected = math.nan if judged is None else mean_f1(judged, metric)
    return ChosenThreshold(
        given=given,
        threshold=threshold,
        metric=metric,
        here=here,
        expected=expected,
        kept=here >= highest - _SAME,
        best=best_threshold,
        price=(("micro_recall", recall(counts, "micro")), ("micro_precision", precision(counts, "micro"))),
        estimate=None if fitted is None or math.isnan(expected) else Estimate(fitted.folds, 1, fitted.seed),
    )
