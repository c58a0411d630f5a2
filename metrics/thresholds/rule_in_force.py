"""The rule in force: what a threshold in use was chosen by, what it keeps, what it costs, what new data will give."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np

from metrics.confusion.averages import macro, micro
from metrics.multilabel.set_metrics import MultilabelCounts
from metrics.outcomes import F1, PRECISION, RECALL
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.choose import Rule, choose, measure, most_rows
from metrics.thresholds.label_thresholds import CrossFitted
from metrics.thresholds.optimism import Optimism, optimism
from metrics.thresholds.rule_text import ONE_FOR_ALL, Given, describe_rule, name_rule, read_rule, write_rule
from metrics.thresholds.threshold_metrics import ThresholdRates, rates, rates_at

RULES = ("f1", *ONE_FOR_ALL)
"""Rules that choose the thresholds of all labels: f1 is the best F1 of each label by itself."""

_SAME = 1e-9
"""Values of a measure that are nearer to each other than this differ by rounding only."""


class Estimate(NamedTuple):
    """Tell how a figure on new data was estimated: by cross-validation, `repeats` times."""

    folds: int
    repeats: int
    seed: int


@dataclass(frozen=True)
class ChosenThreshold:
    """A threshold in use with the rule that it was chosen by.

    given : the rule, and the code of its label (None = the positive class, or every label).
    threshold : in use; None = every label has its own.
    metric, here : what the rule is about (a key of `choose.NAMES`, or "flagged"), and its value on these rows.
    expected : the same on new data; NaN = not estimated, or undefined.
    kept : whether these rows keep the rule: the minimum or the capacity holds, or no threshold is better.
    best : the threshold that the rule picks on these rows; NaN = there is none.
    price : (metric, value) of what the rule pays with, on these rows.
    estimate : how `expected` was found; None = it was not.
    allowed : rows, or the weight, that a capacity allows to be predicted positive; None without one.
    is_weighted : whether a capacity, and what is predicted positive, are weights of rows.
    """

    given: Given
    threshold: float | None
    metric: str
    here: float
    expected: float
    kept: bool
    best: float
    price: tuple[tuple[str, float], ...] = ()
    estimate: Estimate | None = None
    allowed: float | None = None
    is_weighted: bool = False

    @property
    def rule(self) -> Rule:
        """Return the rule itself."""
        return self.given.rule

    @property
    def described(self) -> str:
        """Return the rule in words."""
        by_weight = ", by weight" if self.is_weighted and self.allowed is not None else ""
        return describe_rule(self.rule) + by_weight + (" of each label" if self.threshold is None else "")

    def to_json(self, label: str | None = None) -> dict[str, Any]:
        """Return everything under plain names; `label` is the name of the label that the rule is about."""
        how = self.estimate
        return {
            **({} if label is None else {"label": label}),
            "rule": write_rule(self.rule),
            "name": name_rule(self.rule),
            "threshold": self.threshold,
            "kept": self.kept,
            "recommended_threshold": self.best,
            "metric": self.metric,
            "value": self.here,
            "expected_on_new_data": self.expected,
            "price": dict(self.price),
            "estimated_by": None if how is None else {"method": "cross-validation", **how._asdict()},
        }


def pack_chosen(chosen: ChosenThreshold) -> dict[str, Any]:
    """Return all of a chosen threshold as JSON has it, for another process; `unpack_chosen` reads it."""
    plain = {field.name: getattr(chosen, field.name) for field in fields(chosen)}
    return {**plain, "given": [chosen.given.code, write_rule(chosen.rule)]}


def unpack_chosen(values: Mapping[str, Any]) -> ChosenThreshold:
    """Return the chosen threshold that `pack_chosen` wrote.

    >>> one = ChosenThreshold(Given(3, Rule("f1")), 0.5, "f1", 0.8, 0.7, True, 0.5, (("recall", 0.9),))
    >>> unpack_chosen(pack_chosen(one)) == one
    True
    """
    (code, rule), price, how = values["given"], values["price"], values["estimate"]
    return ChosenThreshold(**{
        **values, "given": Given(code, read_rule(rule)), "price": tuple((name, value) for name, value in price),
        "estimate": None if how is None else Estimate(*how),
    })  # fmt: skip


def usable_threshold(scores: ScoreCounts, threshold: float) -> float:
    """Return a threshold that can be shown and typed: for "nothing is positive" the next number above every score."""
    return float(threshold) if np.isfinite(threshold) else float(np.nextafter(scores.score[0], np.inf))


def judge_threshold(
    scores: ScoreCounts,
    given: Given,
    threshold: float,
    *,
    estimate: Callable[[ScoreCounts, Rule], Optimism | None] = optimism,
    is_weighted: bool = False,
) -> ChosenThreshold:
    """Judge the threshold in use by the rule that it was chosen by.

    New data are estimated only where the threshold calls the same rows positive as the one that the rule picks here:
    another one was not chosen on these rows.

    estimate : what estimates new data; None from it = it could not be. is_weighted : whether scores count weights.

    >>> from metrics.scores.curves import score_counts
    >>> scores = score_counts(np.array([True, False] * 20), np.arange(40) % 7 / 7)
    >>> given = Given(None, Rule("at_least", metric="recall", floor=0.5))
    >>> found = judge_threshold(scores, given, choose(scores, given.rule).threshold)
    >>> found.kept, round(found.here, 3), round(found.expected, 3)
    (True, 1.0, 0.675)
    """
    rule, rates, best = given.rule, rates_at(scores, threshold), choose(scores, given.rule)
    metric = {"at_least": rule.metric, "capacity": "flagged"}.get(rule.by, rule.by)
    here = float(getattr(rates, metric) if rule.by == "at_least" else measure(rates, rule))
    there = not math.isnan(best.threshold)
    chosen_here = there and scores.above(threshold) == scores.above(usable_threshold(scores, best.threshold))
    seen = estimate(scores, rule) if chosen_here and rule.by != "capacity" else None
    expected = math.nan if seen is None else seen.kept if rule.by == "at_least" else seen.cross_fitted
    return ChosenThreshold(
        given=given,
        threshold=float(threshold),
        metric=metric,
        here=here,
        expected=expected,
        kept=_is_kept(scores, rule, rates, best.value),
        best=usable_threshold(scores, best.threshold) if there else math.nan,
        price=_price(rule, rates),
        estimate=None if seen is None or math.isnan(expected) else Estimate(seen.folds, seen.repeats, seed=seen.seed),
        allowed=_most_allowed(scores, rule),
        is_weighted=is_weighted,
    )


def _is_kept(scores: ScoreCounts, rule: Rule, now: ThresholdRates, best: float) -> bool:
    if rule.by == "at_least":
        return bool(getattr(now, rule.metric) >= rule.floor)
    if rule.by == "capacity":
        return bool(now.tp + now.fp <= most_rows(rates(scores), rule))
    return bool(abs(float(measure(now, rule)) - best) <= _SAME)


def _most_allowed(scores: ScoreCounts, rule: Rule) -> float | None:
    return most_rows(rates(scores), rule) * scores.unit if rule.by == "capacity" else None


def _price(rule: Rule, rates: ThresholdRates) -> tuple[tuple[str, float], ...]:
    """Return the trade-off of a rule: the counterpart of a minimum, recall of a capacity, else both rates."""
    paid = {"at_least": (rule.then,), "capacity": ("recall", "precision")}.get(rule.by, ("recall", "precision"))
    return tuple((name, float(getattr(rates, name))) for name in paid)


def rule_fits(given: Given, task: str, score_codes: Collection[int]) -> bool:
    """Return whether a rule can choose a threshold in this task, on these labels' scores.

    >>> rule_fits(Given(None, Rule("f1")), "binary", (1,)), rule_fits(Given(0, Rule("f1")), "multiclass", (0, 1))
    (True, True)
    >>> rule_fits(Given(None, Rule("mcc")), "multilabel", (0, 1)), rule_fits(Given(7, Rule("f1")), "binary", (1,))
    (False, False)
    """
    for_all = given.rule.by in ONE_FOR_ALL
    if given.code is not None:
        return given.code in score_codes and not for_all
    return given.rule.by in RULES if task == "multilabel" else task == "binary" and not for_all


def mean_f1(counts: MultilabelCounts, metric: str) -> float:
    """Return micro F1, or macro F1 over the labels with true rows; NaN without any."""
    return micro(counts, F1) if metric == "micro_f1" else macro(counts, F1, "supported")


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

    >>> from metrics.multilabel.set_metrics import multilabel_counts
    >>> truth = np.array([[1, 0], [0, 1]], dtype=bool)
    >>> at = multilabel_counts(truth, truth, ("a", "b"))
    >>> found = judge_label_thresholds(
    ...     Given(None, Rule("f1")), at, at, threshold=None, best_threshold=math.nan, fitted=None
    ... )
    >>> found.kept, found.metric, found.here
    (True, 'macro_f1', 1.0)
    """
    metric = "micro_f1" if given.rule.by == "micro_f1" else "macro_f1"
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
        price=(
            ("micro_recall", micro(counts, RECALL)),
            ("micro_precision", micro(counts, PRECISION)),
        ),
        estimate=None if fitted is None or math.isnan(expected) else Estimate(fitted.folds, 1, fitted.seed),
    )
