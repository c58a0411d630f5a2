"""Score a predictions file: its numbers for a person, or as JSON."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from typing import Any

from command.file_options import add_engine_options, add_file_options, add_rule_option, read
from command.statistic_options import (
    add_cluster_options,
    add_level_option,
    add_slice_options,
    checked_level,
    chosen_clusters,
    cluster_hint,
    count_by_clusters,
)
from data.answers.parsing import outcome_title
from data.evaluation import Evaluation
from export import file_reading
from export.class_result import class_result
from export.interval_text import name_level
from export.measurement import Measurement, measure
from export.numbers import clipping, list_intervals, plain, scored_numbers
from export.result.kinds import Result
from export.result.terminal import table_lines, write_terminal
from metrics.finding import Finding
from metrics.intervals.statistic import Interval
from text.intervals import bounds
from text.numbers import count, number, percent, write_bound
from text.quoting import list_below
from text.visible import make_visible


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command `score`."""
    parser = commands.add_parser(
        "score", help="print the metrics of a predictions file", description="Print the metrics of a predictions file."
    )
    add_file_options(parser)
    add_rule_option(parser)
    add_engine_options(parser)
    add_level_option(parser)
    add_cluster_options(parser, epoch=True)
    add_slice_options(parser)
    parser.add_argument("--json", action="store_true", help="print JSON; null means undefined")
    parser.add_argument(
        "--quiet", action="store_true", help="print no notes and not how the files were read; the JSON keeps both"
    )
    parser.set_defaults(run=score)


def score(options: argparse.Namespace) -> tuple[str, str]:
    """Return a file's numbers, for a person or as JSON."""
    level = checked_level(options)
    if options.epoch and options.only is None:
        options.only = "all"
    evaluation, chosen = read(options)
    clusters = chosen_clusters(evaluation, options)
    found = measure(count_by_clusters(evaluation, clusters, options), level, lambda _: clusters, chosen)
    numbers = scored_numbers(found)
    numbers["warnings"] += [text for text in clusters.warnings if text not in numbers["warnings"]] if clusters else []
    results: list[Result] = []
    if any((options.slice, options.group, options.worst_slices, options.since, options.against)):
        from command.slices.results import find_results  # it imports SciPy, which takes longer than a small file

        results += find_results(found.evaluation, options, level=level, clusters=clusters)
    for result in results:
        numbers |= result.numbers
    if options.json:
        numbers["intervals"] = {name: within.to_json() for name, within in list_intervals(found).items()}
        # ASCII: no encoding of a pipe can break it, and no label can speak to a terminal
        return json.dumps(plain(numbers), allow_nan=False, indent=1), ""
    hint = cluster_hint(clusters, options)
    report = write_report(found, numbers | _named_sentences(found, numbers), quiet=options.quiet, hints=hint)
    return "\n\n".join([report, *map(write_terminal, results)]), ""


def _named_sentences(found: Measurement, numbers: dict[str, Any]) -> dict[str, Any]:
    """Return the sentences about labels as a person reads them; the JSON has them with the labels of the file."""
    findings = [{"severity": one.severity, "text": one.text} for one in found.named_findings]
    if "macro_gap" not in numbers:
        return {"findings": findings}
    gap = Finding("macro_gap", "info", tuple(found.named(found.gap.parts())))
    return {"findings": findings, "macro_gap": numbers["macro_gap"] | {"text": gap.text}}


def write_report(found: Measurement, numbers: dict[str, Any], *, quiet: bool = False, hints: Sequence[str] = ()) -> str:
    """Return the report for a person: warnings, how the files were read, the metrics, the findings, every class."""
    evaluation = found.evaluation
    title = (
        f"{make_visible(evaluation.name)}: {count(numbers['n_rows'])}{_lines(evaluation)}, {numbers['n_scored']:,} "
        f"scored, {count(len(numbers['classes']), 'class')} ({numbers['task']})"
    )
    parts = [
        [title],
        list_below("Warnings:", numbers["warnings"]),
        [] if quiet else list_below("How we read your file:", _reading_lines(evaluation, numbers)),
        [] if quiet else list_below("Notes:", file_reading.notes(evaluation.receipt)),
        [*_metrics(found, numbers), *map(make_visible, hints)],
        list_below("What the accuracy hides:", [f"{f['severity']:<8} {f['text']}" for f in numbers["findings"]]),
        list(table_lines(class_result(found), most=None)),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _reading_lines(evaluation: Evaluation, numbers: dict[str, Any]) -> list[str]:
    """Return how the file was read, as the page says it, and the outcomes of answers."""
    lines = file_reading.reading_lines(evaluation)
    if "parser" in numbers:
        outcomes = ", ".join(f"{outcome_title(name)} {n:,}" for name, n in numbers["outcomes"].items())
        lines.append(f"Parser: {numbers['parser']['name']} ({outcomes})")
    if numbers.get("n_unparsed"):
        lines.append(
            f"No label found: {numbers['n_unparsed']:,} ({percent(numbers['n_unparsed'] / numbers['n_scored'])})"
        )
    return lines


def _metrics(found: Measurement, numbers: dict[str, Any]) -> list[str]:
    """Return the single numbers with their intervals, and the counts at the threshold where there is one."""
    lines = [
        f"{title:<37}{number(numbers[key])}{_binning(numbers, key)}{_bounds(found.number(key))}{_reason(found, key)}"
        for key, title in found.headlines
    ]
    lines += _about_intervals(found)
    lines += clipping(numbers).values()
    gap = numbers.get("macro_gap", {}).get("text", "")
    lines += [] if not gap or any(f["text"] == gap for f in numbers["findings"]) else [make_visible(gap)]
    if "at_threshold" in numbers and not math.isnan(numbers["threshold"]):
        at = numbers["at_threshold"]
        lines.append(
            f"{'At score ≥ ' + format(numbers['threshold'], '.6g'):<37}tp {at['tp']:,} "
            f" fp {at['fp']:,}  fn {at['fn']:,}  tn {at['tn']:,}"
        )
    if "never_predicted" not in numbers:  # scores on a scale of their own
        best = numbers.get("best_thresholds", {}).get("f1", {}).get("threshold", math.nan)
        such = (
            "" if math.isnan(best) else f", such as --threshold {best:.6g} (recommended: the highest F1 on these rows)"
        )
        lines.append(f"Nothing is predicted yet: give a threshold with --threshold{such}.")
    return lines


def _binning(numbers: dict[str, Any], key: str) -> str:
    """Return how far a number may lie from that of the exact scores, "" where it is exact."""
    bound = (numbers.get("score_error_bound") or {}).get(key, 0)
    return f" ± {write_bound(bound)} from binning" if bound > 0 else ""


def _bounds(within: Interval) -> str:
    """Return the interval of a number, "" where it has none."""
    return "" if math.isnan(within.low) else f"  ({bounds(within.low, within.high)})"


def _about_intervals(found: Measurement) -> list[str]:
    """Say which intervals stand in brackets."""
    every = (found.number(key) for key, _ in found.headlines)
    first = next((within for within in every if not math.isnan(within.low)), None)
    if first is None:
        return []
    clustered = f" from {count(first.clusters, 'cluster')}" if first.clusters else ""
    return [f"In brackets: {name_level(found.level)} intervals{clustered}; they do not cover wrong labels in the file."]


def _lines(evaluation: Evaluation) -> str:
    return "" if evaluation.weights is None else f" in {count(evaluation.n_lines, 'line')}"


def _reason(found: Measurement, key: str) -> str:
    """Return why a number is undefined, where the scores' scale is the reason."""
    reason = found.why_undefined(key) if math.isnan(found.number(key).value) else ""
    return f": {reason}" if reason else ""
