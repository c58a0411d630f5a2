"""Write slices, groups and drift as lines for a person."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from export.by_slice.drift_json import cluster_sentences
from export.by_slice.search_sentences import describe_not_crossed
from text.numbers import count, number, p_value, signed
from text.quoting import cut, quote
from text.visible import make_visible

_LINES = 30


def worst_lines(numbers: dict[str, Any]) -> list[str]:
    """Return a line for each of the worst slices, and how many were searched."""
    if "worst_slices" not in numbers:
        return []
    said = f"{count(numbers['worst_searched'], 'slice')} of all columns and pairs searched"
    lines = [f"Worst slices by {numbers['worst_by'].replace('_', ' ')}, {said}:"]
    for one in numbers["worst_slices"][:_LINES]:
        moved = one["difference_to_rest"]
        at = f"{number(one['value'])}  ({one['low']:.3f} to {one['high']:.3f})"
        test = f"{signed(moved['value'])}  {p_value(moved['p_adjusted'])}"
        lines.append(f"  {cut(_name_values(one['slice']), 53):<54}{count(one['n']):>12}  {at}  {test}")
    if not numbers["worst_slices"]:
        lines.append("  No slice is worse than the rest.")
    left = ", ".join(f"{make_visible(name)} ({why})" for name, why in numbers["worst_not_searched"].items())
    crossed = describe_not_crossed(numbers["worst_not_crossed"])
    return lines + ([f"  {crossed}"] if crossed else []) + ([f"  Not searched: {left}"] if left else [])


def drift_lines(numbers: dict[str, Any]) -> list[str]:
    """Return what changed from a date on: base rate first, then accuracy, then what moved."""
    found = numbers.get("drift")
    if not found:
        return []
    base, change, rows = found["base_rate"], found["accuracy"], found["rows"]
    lines = [
        f"{_when(found)} ({count(rows['after'])}; {count(rows['before'])} before):",
        f"  base rate of {make_visible(base['class'])}: {_share(base, 'before')} -> {_share(base, 'after')}, "
        f"{signed(base['difference'])} ({number(base['low'])} to {number(base['high'])})"
        + (f", moved most of {base['chosen_of']}, corrected for that choice" if base["chosen_of"] > 1 else ""),
    ]
    if change is not None:
        mix, rest = (f"{signed(part['value'])}{_between(part)}" for part in (change["mix"], change["rest"]))
        accuracy = f"{_share(change, 'before')} -> {_share(change, 'after')}"
        lines.append(f"  accuracy: {accuracy}; {mix} by the mix of classes, {rest} by the rest")
    for one in found["moved"]:
        name = make_visible(one["column"] or one["what"])
        size = f"index {number(one['psi'])}, by chance below {number(one['by_chance'])}, {p_value(one['p_adjusted'])}"
        lines.append(f"  {cut(name, 33):<34}{size}")
    return lines + [f"  {text}" for text in cluster_sentences(found, quote)]


def _share(found: dict[str, Any], when: str) -> str:
    """Return a share of one side with its interval."""
    return number(found[when]) + _between(found["intervals"][when])


def _between(ends: Mapping[str, float]) -> str:
    """Return the interval of a number, "" where it has none."""
    return "" if math.isnan(ends["low"]) else f" ({number(ends['low'])} to {number(ends['high'])})"


def _when(found: dict[str, Any]) -> str:
    if "since" in found:
        return f"From {make_visible(found['since'])} on"
    return f"{make_visible(found['after'])} against {make_visible(found['before'])}"


def slice_lines(numbers: dict[str, Any], sentences: list[str]) -> list[str]:
    """Return one line for each slice, the largest loss against the rest first."""
    if "slices" not in numbers:
        return []
    slices = sorted(numbers["slices"], key=_loss)
    main = next(iter(slices[0]["metrics"])) if slices else ""
    lines = [f"Slices by {main.replace('_', ' ')}, worst against the rest first:"]
    for one in slices[:_LINES]:
        at, moved = one["metrics"][main], one["difference_to_rest"][main]
        low = "" if math.isnan(at["low"]) else f"  ({at['low']:.3f} to {at['high']:.3f})"
        tested = f"{signed(moved['value'])}  {p_value(moved['p_adjusted'])}"
        rest = "too few to tell" if math.isnan(moved["p"]) else tested
        lines.append(
            f"  {cut(_name_values(one['slice']), 33):<34}{count(one['n']):>12}  {number(at['value'])}{low}  {rest}"
        )
    if len(slices) > _LINES:
        lines.append(f"  and {count(len(slices) - _LINES, 'more slice')}, all in the JSON")
    return lines + [f"  {text}" for text in sentences]


def _loss(one: dict[str, Any]) -> float:
    moved = next(iter(one["difference_to_rest"].values()))["value"]
    return math.inf if math.isnan(moved) else float(moved)


def _name_values(values: dict[str, str | None]) -> str:
    return make_visible(
        ", ".join(f"{name} = {'missing' if value is None else value}" for name, value in values.items())
    )


def group_lines(numbers: dict[str, Any]) -> list[str]:
    """Return one line for each group and for each gap."""
    found = numbers.get("fairness")
    if not found:
        return []
    lines = [f"Groups by {make_visible(found['column'])}, positive class {make_visible(found['positive'])}:"]
    for one in found["groups"]:
        names = ("selection_rate", "tpr", "fpr", "ppv")
        rates = "  ".join(f"{name} {number(one[name]['value'])}{_between(one[name])}" for name in names)
        lines.append(f"  {cut(_name_values(one['group']), 33):<34}{count(one['n']):>12}  {rates}")
        best = one.get("best_threshold", {"threshold": math.nan})
        if not math.isnan(best["threshold"]):
            f1 = f"F1 {number(best['f1'])}, {number(best['f1_in_use'])} in use"
            bias = one["calibration"]
            off = f"mean score minus share positive {signed(bias['value'])}{_between(bias)}"
            lines.append(f"    its own best threshold {best['threshold']:.4g} ({f1}); {off}")
    for rate, gap in found["gaps"].items():
        at, few = gap["difference"], "; ".join(map(_name_values, gap["left_out"]))
        left_out = f"; left out, too few rows: {few}" if few else ""
        if math.isnan(at["value"]):
            lines.append(f"  gap in {rate}: cannot be told, fewer than two groups have enough rows{left_out}")
        else:
            ends = f"{number(at['value'])} ({number(at['low'])} to {number(at['high'])})"
            reach = f"{_name_values(gap['lower'])} to {_name_values(gap['higher'])}"
            lines.append(f"  gap in {rate}: {ends}, {reach}: {gap['verdict']}{left_out}")
    for equal in found["equalised"]:
        name = equal["rate"].replace("_", " ")
        wrong = f"{count(equal['wrong_then'])} wrong, {equal['wrong_now']:,} now"
        lines.append(f"  the same {name} of {number(equal['target'], 2)} in every group: {wrong}")
    return lines
