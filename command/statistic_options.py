"""Options about intervals and about parts of the rows, and the lines for a person on slices and groups."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from typing import Any

from data.comparison.row_groups import Clusters, clusters, clusters_in_use, epoch_clusters
from data.errors import DataError
from data.evaluation import Evaluation
from export.by_slice.drift_json import cluster_sentences
from export.by_slice.search_sentences import describe_not_crossed
from export.intervals import LEVEL
from text.numbers import count, number, signed
from text.quoting import cut, quote
from text.visible import make_visible

_LINES = 30
NO_COLUMN = "none"
"""The value of --cluster, --seed and --fold where there is no such column: every row counts by itself."""


def add_level_option(parser: argparse.ArgumentParser) -> None:
    """Add the level of every interval."""
    parser.add_argument(
        "--level", metavar="SHARE", type=float, default=LEVEL, help=f"level of the intervals (default: {LEVEL})"
    )


def add_grouping_options(parser: argparse.ArgumentParser) -> None:
    """Add the columns of clusters, seeds and folds of a file that is opened or sent, whose pages count by them."""
    add_cluster_options(parser, dest="cluster_column")


def add_cluster_options(parser: argparse.ArgumentParser, *, dest: str = "cluster", epoch: bool = False) -> None:
    """Add the columns of the clusters, the seeds and the folds; and that of the epochs."""
    parser.add_argument(
        "--cluster",
        metavar="COL",
        dest=dest,
        help="column whose rows belong together, such as a template, patient or document; intervals allow for it "
        "(default: found by its name; none = every row counts as independent)",
    )
    if epoch:
        parser.add_argument(
            "--epoch",
            metavar="COL",
            help="column of the epochs or seeds in which each question was repeated; all rows count, and intervals are "
            "over questions",
        )
    for role, what in (("seed", "seeds under which each question was asked"), ("fold", "folds of a cross-validation")):
        parser.add_argument(
            f"--{role}", metavar="COL", dest=f"{role}_column",
            help=f"column of the {what}; where ids repeat in it, intervals are over questions (default: by its name; "
            "none = there is no such column)",
        )  # fmt: skip


def checked_level(options: argparse.Namespace) -> float:
    """Return the level that was asked for.

    Raises
    ------
    DataError
        it is no share between 0.5 and 1.
    """
    if not 0.5 <= options.level < 1:
        raise DataError(f"--level {options.level:g} is no level of an interval; write a share such as 0.95.")
    return float(options.level)


def chosen_clusters(evaluation: Evaluation, options: argparse.Namespace) -> Clusters | None:
    """Return the rows that belong together, by --cluster or --epoch, or else as found, as on the pages."""
    epoch = getattr(options, "epoch", None)
    if epoch and not options.cluster:
        return epoch_clusters(evaluation, epoch)
    if epoch:
        epoch_clusters(evaluation, epoch)  # the column must be there; --cluster names the questions
    if _is_each_row(evaluation, options):
        return None
    return clusters(evaluation, options.cluster) if options.cluster else clusters_in_use(evaluation)


def _is_each_row(evaluation: Evaluation, options: argparse.Namespace) -> bool:
    return options.cluster == NO_COLUMN and NO_COLUMN not in evaluation.rows.column_names


def cluster_column(evaluation: Evaluation, options: argparse.Namespace) -> str | None:
    """Return the column that says which rows of a comparison belong together: the named one, or as found."""
    if options.cluster:
        return None if _is_each_row(evaluation, options) else str(options.cluster)
    found = clusters_in_use(evaluation)
    return None if found is None else found.column


def cluster_hint(found: Clusters | None, options: argparse.Namespace) -> list[str]:
    """Say that clusters were found by name, and how to count every row by itself."""
    if found is None or options.cluster or options.epoch or options.seed_column or options.fold_column:
        return []
    return [
        f"Rows with the same {quote(found.column)} count together, by its name; --cluster none counts each by itself."
    ]


def add_filter_option(parser: argparse.ArgumentParser, verb: str) -> None:
    """Add --filter; verb : what is done with the rows."""
    said = f"{verb} the rows with this value; repeatable"
    parser.add_argument("--filter", metavar="COL=VALUE", action="append", default=[], help=said)


def add_slice_options(parser: argparse.ArgumentParser) -> None:
    """Add --filter, --slice and --group."""
    add_filter_option(parser, "score")
    parser.add_argument(
        "--slice",
        metavar="COL",
        action="append",
        default=[],
        help="compare the rows of every value with the rest (many numbers are cut into bins); COL,COL crosses two "
        "columns; repeatable",
    )
    parser.add_argument("--group", metavar="COL", help="compare the rates of the positive class between groups")
    parser.add_argument(
        "--worst-slices", action="store_true", help="search every column and pair of columns for slices that are worse"
    )
    parser.add_argument("--against", metavar="FILE", help="compare these rows with the rows of an older file")
    parser.add_argument(
        "--since",
        metavar="COL=DATE",
        help="compare the rows from this date on with the rows before it",
    )


def worst_lines(numbers: dict[str, Any]) -> list[str]:
    """Return a line for each of the worst slices, and how many were searched."""
    if "worst_slices" not in numbers:
        return []
    said = f"{count(numbers['worst_searched'], 'slice')} of all columns and pairs searched"
    lines = [f"Worst slices by {numbers['worst_by'].replace('_', ' ')}, {said}:"]
    for one in numbers["worst_slices"][:_LINES]:
        moved = one["difference_to_rest"]
        at = f"{number(one['value'])}  ({one['low']:.3f} to {one['high']:.3f})"
        test = f"{signed(moved['value'])}  p {moved['p_adjusted']:.3g}"
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
        size = f"index {number(one['psi'])}, by chance below {number(one['by_chance'])}, p {number(one['p_adjusted'])}"
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
        rest = "too few to tell" if math.isnan(moved["p"]) else f"{signed(moved['value'])}  p {moved['p_adjusted']:.3g}"
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
        at = gap["difference"]
        if math.isnan(at["value"]):
            lines.append(f"  gap in {rate}: cannot be told, fewer than two groups have enough rows")
        else:
            ends = f"{number(at['value'])} ({number(at['low'])} to {number(at['high'])})"
            reach = f"{_name_values(gap['lowest'])} to {_name_values(gap['highest'])}"
            lines.append(f"  gap in {rate}: {ends}, {reach}: {gap['verdict']}")
    for equal in found["equalised"]:
        name = equal["rate"].replace("_", " ")
        wrong = f"{count(equal['wrong_then'])} wrong, {equal['wrong_now']:,} now"
        lines.append(f"  the same {name} of {number(equal['target'], 2)} in every group: {wrong}")
    return lines
