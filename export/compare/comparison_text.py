"""Write a comparison of two models in words: one sentence, and the tables of the command line."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from metrics.comparison.comparison import Comparison
from metrics.comparison.differences import Difference
from metrics.comparison.gate import Verdict
from metrics.comparison.multiple_tests import benjamini_hochberg
from metrics.comparison.planning import paired_rows, smallest_difference
from metrics.comparison.tiers import Tiers
from metrics.intervals.statistic import Interval
from text.numbers import UNDEFINED, count, number, signed
from text.quoting import cut, list_below, quote
from text.visible import make_visible

_SHOWN = (
    "accuracy", "accuracy_parsed", "subset_accuracy", "per_label_accuracy", "balanced_accuracy", "recall", "precision",
    "f1", "micro_f1", "macro_f1", "macro_f1_label_space", "weighted_f1", "samples_f1", "macro_precision",
    "macro_recall", "cohen_kappa", "mcc", "roc_auc", "roc_auc_macro", "average_precision", "average_precision_macro",
    "log_loss", "brier",
)  # fmt: skip
"""The metrics of the tables for a person; the JSON has all."""
_SAME = (("accuracy_parsed", "accuracy"), ("micro_f1", "accuracy"), ("macro_f1_label_space", "macro_f1"))
_CLASSES = 10


def smallest_shown(found: Comparison, a: int, b: int) -> float:
    """Return the smallest difference in accuracy that these rows could show at a power of 0.8; NaN if it is unknown.

    With clusters, rows count for as much less as they do in the standard error of the difference.
    """
    flips = found.flips(a, b)
    if flips is None:
        return math.nan
    return smallest_difference(int(_effective_rows(found, a, b)), flips.disagreement, level=found.level)


def rows_needed(found: Comparison, a: int, b: int, difference: float) -> float:
    """Return how many such rows show a difference in accuracy at a power of 0.8; NaN where none can."""
    flips = found.flips(a, b)
    if flips is None:
        return math.nan
    needed = paired_rows(difference, flips.disagreement, level=found.level)
    return needed * flips.n / max(1.0, _effective_rows(found, a, b))


def _effective_rows(found: Comparison, a: int, b: int) -> float:
    flips, moved = found.flips(a, b), found.difference(found.main_metric, a, b)
    assert flips is not None
    if found.runs.cluster is None or not moved.se > 1e-9:  # clusters that all moved alike say nothing of others
        return flips.n
    return (flips.disagreement - moved.value**2) / moved.se**2


def pair_sentence(found: Comparison, a: int, b: int) -> str:
    """Return what a comparison found, in two or three sentences."""
    headline, rest = pair_parts(found, a, b)
    joined = f"{headline}, {rest}" if rest.startswith(("+", "−")) else f"{headline}. {rest}"
    return joined.rstrip(" ") if rest else f"{headline}."


def pair_parts(
    found: Comparison, a: int, b: int, *, name: Callable[[str], str] = str, label: Callable[[str], str] = quote
) -> tuple[str, str]:
    """Return what a comparison found in one sentence without its full stop, and the rest of it.

    The rest begins with the difference and its interval, where there is one. name, label : write the name of a run, or
    of a class.
    """
    metric, names = found.main_metric, [name(one) for one in found.runs.names]
    moved = found.difference(metric, a, b)
    values = [found.interval(metric, model).value for model in (a, b)]
    if math.isnan(moved.value):
        return f"{names[a]} and {names[b]} cannot be compared: {name_metric(metric)} is undefined", ""
    flips = found.flips(a, b)
    if flips is not None and not flips.fixed + flips.broken:
        return f"{names[a]} and {names[b]} never differ: they are right in the same {flips.both_right:,} rows", ""
    figures = f"{name_metric(metric)} {number(values[0])} → {number(values[1])}"
    changes = f"{with_interval(moved, found.level)}.{_changes(found, a, b, label)}"
    if found.is_better(metric, moved) or found.is_worse(metric, moved):
        which = "better" if found.is_better(metric, moved) else "worse"
        return f"{names[b]} is {which}: {figures}", changes
    return f"No difference found between {names[a]} and {names[b]}: {figures}", changes + _describe_power(found, a, b)


def name_metric(metric: str) -> str:
    """Return a metric's name as it is said.

    >>> name_metric("macro_f1"), name_metric("mcc")
    ('macro F1', 'MCC')
    """
    named = {"roc_auc": "ROC AUC", "mcc": "MCC", "brier": "Brier score", "cohen_kappa": "Cohen's kappa"}
    return named.get(metric, metric.replace("_", " ").replace("f1", "F1"))


def with_interval(moved: Difference, level: float) -> str:
    """Return a difference with its interval, such as "+0.022 (95 % 0.009 to 0.035)"."""
    return f"{signed(moved.value)} ({100 * level:g} % {number(moved.low)} to {number(moved.high)})"


def _changes(found: Comparison, a: int, b: int, label: Callable[[str], str] = quote) -> str:
    flips = found.flips(a, b)
    if flips is None:
        return ""
    lost = class_of_the_loss(found, a, b)
    where = f"; the largest loss is in {label(lost)}" if lost else ""
    return f" It fixes {count(flips.fixed)} and breaks {flips.broken:,}{where}."


def class_of_the_loss(found: Comparison, a: int, b: int) -> str | None:
    """Return the class that loses the most rows, of those whose loss is no chance (5 % after Benjamini–Hochberg)."""
    changes = found.class_flips(a, b)
    names = [name for name in found.class_names if name.startswith("recall[")]
    moved = [found.difference(name, a, b) for name in names]
    adjusted = benjamini_hochberg([one.p for one in moved])
    losses = [
        (flips.broken - flips.fixed, label)
        for (label, flips), one, p in zip(changes.items(), moved, adjusted, strict=True)
        if one.value < 0 and p < 0.05
    ]
    return max(losses)[1] if losses else None


def _describe_power(found: Comparison, a: int, b: int) -> str:
    """Return the smallest difference that the file could show, and the rows that the one found would need."""
    flips, smallest = found.flips(a, b), smallest_shown(found, a, b)
    if flips is None or math.isnan(smallest):
        return ""
    said = f" The smallest difference this file could show is {smallest:.3f} (power 0.8)."
    value = found.difference(found.main_metric, a, b).value
    needed = rows_needed(found, a, b, value) if value else math.nan
    if math.isnan(needed):
        return said
    return said + f" To show {abs(value):.3f}, about {math.ceil(needed):,} such rows are needed."


def leader_sentence(found: Comparison, ranking: Tiers) -> str:
    """Return who leads among three or more models, and how many cannot be told from it; "" for two."""
    if len(found.runs.names) < 3 or not ranking.tiers:
        return ""
    best, others = ranking.tiers[0][0], len(found.runs.names) - 1
    value = found.interval(ranking.metric, best).value
    alike = len(ranking.tiers[0]) - 1
    said = f"{found.runs.names[best]} has the best {name_metric(ranking.metric)}, {value:.3f}; "
    if not alike:
        return said + f"all {others} others are worse (Holm, all pairs)."
    return said + f"{alike} of {others} others are not clearly worse (Holm, all pairs)."


def write_comparison(found: Comparison, ranking: Tiers, said: Sequence[str], verdicts: Sequence[Verdict]) -> str:
    """Return the comparison for a person: what was found, the models, the pairs, warnings, the gate."""
    n_models = len(found.runs.names)
    pairs = [(a, b) for a in range(n_models) for b in range(a + 1, n_models)]
    leader = leader_sentence(found, ranking)
    parts = [
        [leader] if leader else [],
        *([make_visible(pair_sentence(found, a, b))] for a, b in pairs),
        _models(found, ranking),
        *(_differences(found, a, b) for a, b in pairs[:1]),
        list_below("Warnings:", said),
        list_below("Gate:", [verdict_sentence(found, one) for one in verdicts]),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _models(found: Comparison, ranking: Tiers) -> list[str]:
    """Return a line a model, by tier, with the metric that sorts them."""
    lines = [f"{count(found.runs.n)}, {name_metric(ranking.metric)}, {100 * found.level:g} % intervals"]
    for place, tier in enumerate(ranking.tiers):
        lines += [f"  Tier {place + 1}"] if len(ranking.tiers) > 1 else []
        for model in tier:
            name = cut(make_visible(found.runs.names[model]), 35)
            lines.append(f"  {name:<36}{_write_bounds(found.interval(ranking.metric, model))}")
    return lines + [f"  {found.runs.names[model]:<36}{UNDEFINED}" for model in ranking.undefined]


def _write_bounds(one: Interval) -> str:
    if math.isnan(one.low):
        return number(one.value)
    return f"{number(one.value)}  ({number(one.low)} to {number(one.high)})"


def _differences(found: Comparison, a: int, b: int) -> list[str]:
    """Return the differences of all metrics over all classes, then of the classes that changed the most."""
    names = found.runs.names
    lines = [f"{'metric':<36}{'a':>8}{'b':>8}  b - a     (a: {make_visible(names[a])}, b: {make_visible(names[b])})"]
    classes = sorted(
        (name for name in found.class_names if name.startswith("f1[") and found.difference(name, a, b).p < 1),
        key=lambda name: _sure_size(found.difference(name, a, b)),
    )
    for name in (*shown_names(found), *classes[:_CLASSES]):
        moved = found.difference(name, a, b)
        if math.isnan(moved.value):
            continue
        values = "".join(f"{number(found.interval(name, model).value):>8}" for model in (a, b))
        lines.append(f"{cut(make_visible(name), 35):<36}{values}  {with_interval(moved, found.level)}")
    return lines


def shown_names(found: Comparison) -> list[str]:
    """Return the metrics that stand in the tables; micro F1 and the like only where they say something of their own."""
    names = [name for name in _SHOWN if name in found.overall_names]
    values = {name: found.interval(name, 0).value for name in names}
    same = [name for name, other in _SAME if name in values and values[name] == values.get(other)]
    return [name for name in names if name not in same]


def _sure_size(moved: Difference) -> float:
    return math.inf if math.isnan(moved.p) else moved.p


def verdict_sentence(found: Comparison, one: Verdict) -> str:
    """Return what became of one condition."""
    names, moved = found.runs.names, one.found
    if math.isnan(moved.value):
        return f"cannot be told: {one.condition.text} ({names[one.a]} → {names[one.b]}; {moved.method})"
    word = "FAILS" if one.fails else "passes"
    return f"{word}: {one.condition.text} ({names[one.a]} → {names[one.b]}: {with_interval(moved, found.level)})"


def markdown(found: Comparison, said: Sequence[str], verdicts: Sequence[Verdict]) -> str:
    """Return the comparison as Markdown that fits a pull request; labels and names stand in code spans."""
    names = found.runs.names
    pairs = [(0, b) for b in range(1, len(names))]
    lines = [f"### {_plain(pair_sentence(found, a, b))}" for a, b in pairs]
    lines += ["", "| condition | runs | difference | result |", "|---|---|---|---|"] if verdicts else []
    for one in verdicts:
        unknown = math.isnan(one.found.value)
        result = "cannot be told" if unknown else "**fails**" if one.fails else "passes"
        shown = one.found.method if unknown else with_interval(one.found, found.level)
        runs = f"{_code(names[one.a])} → {_code(names[one.b])}"
        lines.append(f"| {_code(one.condition.text)} | {runs} | {shown} | {result} |")
    for a, b in pairs:
        lines += ["", f"| metric | {_code(names[a])} | {_code(names[b])} | difference |", "|---|---|---|---|"]
        for name in shown_names(found):
            moved = found.difference(name, a, b)
            if not math.isnan(moved.value):
                values = " | ".join(number(found.interval(name, model).value) for model in (a, b))
                lines.append(f"| {name} | {values} | {with_interval(moved, found.level)} |")
    lines += ["", *(f"- {_plain(text)}" for text in said)] if said else []
    return "\n".join(lines)


def _code(text: str) -> str:
    """Return a text as a code span, in which nothing is markup."""
    return "`" + make_visible(cut(text, 60)).replace("`", "'").replace("|", "¦") + "`"


def _plain(text: str) -> str:
    """Return a sentence in which names of a file are no markup."""
    shown = make_visible(text)
    for sign in "\\`*_[]<>#|!":
        shown = shown.replace(sign, "\\" + sign)
    return shown
