"""Options of `score` about parts of the rows: filters, slices and groups; and their lines for a person."""

from __future__ import annotations

import argparse
import math
from typing import Any

from text.numbers import count, number
from text.quoting import cut
from text.visible import make_visible

_LINES = 30


def add_slice_options(parser: argparse.ArgumentParser) -> None:
    """Add --filter, --slice and --group."""
    parser.add_argument(
        "--filter", metavar="COL=VALUE", action="append", default=[], help="score the rows with this value; repeatable"
    )
    parser.add_argument(
        "--slice",
        metavar="COL",
        action="append",
        default=[],
        help="compare the rows of every value (of many numbers: of quantile bins) with the rest; COL,COL crosses two; "
        "repeatable",
    )
    parser.add_argument(
        "--group", metavar="COL", help="rates of the positive class by group, and the gaps between groups"
    )


def slice_lines(numbers: dict[str, Any], sentences: list[str]) -> list[str]:
    """Return a line a slice, the largest loss against the rest first."""
    if "slices" not in numbers:
        return []
    slices = sorted(numbers["slices"], key=_loss)
    main = next(iter(slices[0]["metrics"])) if slices else ""
    lines = [f"Slices by {main.replace('_', ' ')}, worst against the rest first:"]
    for one in slices[:_LINES]:
        at, moved = one["metrics"][main], one["difference_to_rest"][main]
        low = "" if math.isnan(at["low"]) else f"  ({at['low']:.3f} to {at['high']:.3f})"
        rest = "too few to tell" if math.isnan(moved["p"]) else f"{moved['value']:+.3f}  p {moved['p_adjusted']:.3g}"
        lines.append(f"  {cut(_named(one['slice']), 33):<34}{count(one['n']):>12}  {number(at['value'])}{low}  {rest}")
    if len(slices) > _LINES:
        lines.append(f"  and {count(len(slices) - _LINES, 'more slice')}, all in the JSON")
    return lines + [f"  {text}" for text in sentences]


def _loss(one: dict[str, Any]) -> float:
    moved = next(iter(one["difference_to_rest"].values()))["value"]
    return math.inf if math.isnan(moved) else float(moved)


def _named(values: dict[str, str | None]) -> str:
    return make_visible(
        ", ".join(f"{name} = {'missing' if value is None else value}" for name, value in values.items())
    )


def group_lines(numbers: dict[str, Any]) -> list[str]:
    """Return a line a group, and a line a gap."""
    found = numbers.get("fairness")
    if not found:
        return []
    lines = [f"Groups by {make_visible(found['column'])}, positive class {make_visible(found['positive'])}:"]
    for one in found["groups"]:
        rates = "  ".join(f"{name} {number(one[name]['value'])}" for name in ("selection_rate", "tpr", "fpr", "ppv"))
        lines.append(f"  {cut(_named(one['group']), 33):<34}{count(one['n']):>12}  {rates}")
    for rate, gap in found["gaps"].items():
        at = gap["difference"]
        if math.isnan(at["value"]):
            lines.append(f"  gap in {rate}: cannot be told, fewer than two groups have enough rows")
        else:
            ends = f"{at['value']:.3f} ({at['low']:.3f} to {at['high']:.3f})"
            lines.append(
                f"  gap in {rate}: {ends}, {_named(gap['lowest'])} to {_named(gap['highest'])}: {gap['verdict']}"
            )
    return lines
