"""Write a comparison of two models in words, and name what it says."""

from __future__ import annotations

import math
from typing import NamedTuple

from export.compare.class_changes import find_class_changes
from export.interval_text import difference_cell, value_of, why_untested
from export.result.kinds import Label, RunName, Sentence, Words
from metrics.catalogue.registry import metric_of
from metrics.comparison.comparison import Comparison
from metrics.comparison.differences import Difference
from metrics.comparison.gate import Verdict
from metrics.comparison.planning import paired_rows, smallest_difference
from metrics.comparison.tiers import Tiers, adjust_pairs
from text.intervals import name_interval
from text.numbers import count, count_about, number, verb, write_bound, write_size
from text.visible import show

_SHOWN = (
    "accuracy", "accuracy_parsed", "subset_accuracy", "per_label_accuracy", "balanced_accuracy", "recall", "precision",
    "f1", "micro_f1", "macro_f1", "macro_f1_label_space", "weighted_f1", "samples_f1", "macro_precision",
    "macro_recall", "cohen_kappa", "mcc", "roc_auc", "roc_auc_macro", "partial_auc", "average_precision",
    "average_precision_macro", "log_loss", "brier",
)  # fmt: skip
"""The metrics of the tables for a person; the JSON has all."""
_SAME = (("accuracy_parsed", "accuracy"), ("micro_f1", "accuracy"), ("macro_f1_label_space", "macro_f1"))
"""Metrics that the tables leave out where they equal another one: (metric, the other)."""


def smallest_shown(comparison: Comparison, a: int, b: int) -> float:
    """Return the smallest difference in accuracy that these rows could show at a power of 0.8; NaN if it is unknown.

    With clusters, rows count for as much less as they do in the standard error of the difference. With weights it is
    unknown: it is McNemar's, which counts rows. With one cluster nothing tells how far others differ.
    """
    flips = comparison.flips(a, b)
    if flips is None or comparison.runs.units is not None or _has_one_cluster(comparison):
        return math.nan
    return smallest_difference(int(_effective_rows(comparison, a, b)), flips.disagreement, level=comparison.level)


def rows_needed(comparison: Comparison, a: int, b: int, difference: float) -> float:
    """Return how many such rows show a difference in accuracy at a power of 0.8; NaN where none can."""
    flips = comparison.flips(a, b)
    if flips is None or _has_one_cluster(comparison):
        return math.nan
    needed = paired_rows(difference, flips.disagreement, level=comparison.level)
    return needed * flips.n / max(1.0, _effective_rows(comparison, a, b))


def _has_one_cluster(comparison: Comparison) -> bool:
    """Return whether all rows belong together: their code is 0."""
    return comparison.runs.cluster is not None and not comparison.runs.cluster.any()


def _effective_rows(comparison: Comparison, a: int, b: int) -> float:
    """Return how many independent rows would give the difference in accuracy the standard error that it has."""
    flips = comparison.flips(a, b)
    moved = comparison.difference(comparison.main_metric, a, b)
    assert flips is not None
    if comparison.runs.cluster is None or not moved.se > 1e-9:  # clusters that all moved alike say nothing of others
        return flips.n
    return (flips.disagreement - moved.value**2) / moved.se**2


class PairWords(NamedTuple):
    """Hold what a comparison of two runs found.

    headline : one sentence without its full stop. rest : begins with the difference and its interval, if there is one.
    """

    headline: Words
    rest: Words = ()

    @property
    def whole(self) -> Words:
        """Return both as two or three sentences."""
        return (*self.headline, ", ", *self.rest) if self.rest else (*self.headline, ".")


def pair_words(comparison: Comparison, a: int, b: int) -> PairWords:
    """Say what a comparison of two runs found."""
    metric = comparison.main_metric
    before, after = (RunName(comparison.runs.names[model]) for model in (a, b))
    moved = comparison.difference(metric, a, b)
    if math.isnan(moved.value):
        return PairWords(
            (before, " and ", after, f" cannot be compared: {comparison.name_metric(metric)} is undefined")
        )
    flips = comparison.flips(a, b)
    if flips is not None and not flips.fixed + flips.broken:
        lead = " never differ: they are" if flips.wrong_alike == flips.both_wrong else " are"
        return PairWords((before, " and ", after, f"{lead} right in the same {count(flips.both_right)}"))
    values = [value_of(comparison.interval(metric, model)) for model in (a, b)]
    figures = f": {comparison.name_metric(metric)} {' → '.join(values)}"
    difference = f"{with_interval(moved, comparison.level, is_share=comparison.is_share(metric))}."
    is_better = comparison.is_better(metric, moved)
    if not is_better and not comparison.is_worse(metric, moved):
        verdict = "Too few rows decide the difference" if moved.few_decide else "No difference found"
        headline: Words = (f"{verdict} between ", before, " and ", after, figures)
        return PairWords(headline, (difference, *_changes(comparison, a, b, after), _describe_power(comparison, a, b)))
    which = "better" if is_better else "worse"
    changes = _changes(comparison, a, b, "It")
    n_runs = len(comparison.runs.names)
    # Of many pairs some differ by chance, so each needs a smaller p.
    if n_runs == 2 or adjust_pairs(comparison, metric)[frozenset((a, b))] <= 1 - comparison.level:
        return PairWords((after, f" is {which}{figures}"), (difference, *changes))
    doubt = f"but among {n_runs} runs that may be chance (Holm, all pairs): "
    return PairWords((after, f" looks {which}{figures}"), (doubt, difference, *changes))


def with_interval(moved: Difference, level: float, *, is_share: bool = False) -> str:
    """Return a difference with its interval, such as "+0.022 (95 % interval 0.009 to 0.035)"; of shares in points."""
    cell = difference_cell(moved, is_share=is_share).written
    return f"{cell.text} ({name_interval(level)} {cell.ends})" if cell.ends else f"{cell.text} (no interval)"


def describe_area(comparison: Comparison, pair: tuple[int, int], area: str, label: str | None) -> str:
    """Say the area under a curve in both runs, and whether it differs.

    label : the class of the curve; None = the positive class.
    """
    metric = area if label is None else f"{area}[{label}]"
    before, after = (comparison.interval(metric, model).value for model in pair)
    name = metric_of(comparison.runs.task, area).head
    name += "" if label is None else f" of {show(label, 40)}"
    if math.isnan(before) or math.isnan(after):
        why = "there is one true class only" if label is None else "no joined row is of this class, or every one is"
        return f"{name} is undefined: {why}"
    moved = comparison.difference(metric, *pair)
    doubt = "" if moved.found or moved.few_decide else ", no difference found"
    bound = sum(comparison.scores.error_bound(metric, model) for model in pair)
    exact = f", ± {write_bound(bound)} from binning" if bound else ""
    return f"{name} {number(before)} → {number(after)}: {with_interval(moved, comparison.level)}{doubt}{exact}"


def _changes(comparison: Comparison, a: int, b: int, who: str | Label) -> Words:
    """Say how many rows a run fixes and breaks; nothing where rows are no single right or wrong ones."""
    flips = comparison.flips(a, b)
    if flips is None:
        return ()
    fixes = f" fixes {count(flips.fixed)} and breaks {flips.broken:,}"
    losing_class = class_of_the_loss(comparison, a, b)
    if not losing_class:
        return " ", who, f"{fixes}."
    return " ", who, f"{fixes}; the largest clear loss is in ", Label(losing_class), "."


def class_of_the_loss(comparison: Comparison, a: int, b: int) -> str | None:
    """Return the class that loses the most rows, of those whose loss is no chance; None where there is none."""
    changes = find_class_changes(comparison, a, b, "recall")
    return next((change.label for change in changes if change.is_clear_loss), None)


def _describe_power(comparison: Comparison, a: int, b: int) -> str:
    """Return the smallest difference that the file could show, and the rows that the one found would need."""
    smallest = smallest_shown(comparison, a, b)
    if math.isnan(smallest):
        return ""
    sentence = f" The smallest difference this file could show is {write_size(smallest)} (power 0.8)."
    value = comparison.difference(comparison.main_metric, a, b).value
    needed = rows_needed(comparison, a, b, value) if value else math.nan
    if math.isnan(needed):
        return sentence
    return sentence + f" To show {write_size(value)}, {count_about(needed)} like these are needed."


def leader_words(comparison: Comparison, ranking: Tiers) -> Words:
    """Say who leads among three or more models, and how many are not clearly worse; nothing for two."""
    if len(comparison.runs.names) < 3 or not ranking.tiers:
        return ()
    best, *alike = ranking.tiers[0]
    n_others = len(comparison.runs.names) - 1
    n_undefined = len(ranking.undefined)
    if not alike and not n_undefined:
        worse = f"all {n_others} others are worse"
    else:
        undefined = f", in {n_undefined} it is undefined" if n_undefined else ""
        worse = f"{len(alike)} of {n_others} others {verb(len(alike), 'is')} not clearly worse{undefined}"
    return (
        RunName(comparison.runs.names[best]),
        " has the best ",
        Sentence(comparison.name_metric(ranking.metric)),
        f", {value_of(comparison.interval(ranking.metric, best))}; {worse} (Holm, all pairs).",
    )


def shown_names(comparison: Comparison) -> list[str]:
    """Return the metrics that stand in the tables; micro F1 and the like only where they say something of their own."""
    names = [name for name in _SHOWN if name in comparison.overall_names]
    values = {name: comparison.interval(name, 0).value for name in names}
    repeated = [name for name, other in _SAME if name in values and values[name] == values.get(other)]
    return [name for name in names if name not in repeated]


def verdict_sentence(comparison: Comparison, verdict: Verdict) -> str:
    """Return what became of one condition."""
    names, moved = comparison.runs.names, verdict.difference
    if verdict.is_undefined:
        return f"undefined: {verdict.condition.text} ({names[verdict.a]} → {names[verdict.b]}; {why_untested(moved)})"
    word = "FAILS" if verdict.fails else "passes"
    between = with_interval(moved, comparison.level, is_share=comparison.is_share(verdict.condition.metric))
    return f"{word}: {verdict.condition.text} ({names[verdict.a]} → {names[verdict.b]}: {between})"
