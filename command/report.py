"""The command line's `report`: one HTML file about a predictions file."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from command.compare import filter_runs, name_runs, read_run
from command.decisions import decide_by_options
from command.file_options import add_scored_options, read
from command.part_results import find_results
from command.statistic_options import (
    checked_level,
    chosen_clusters,
    cluster_column,
    count_by_clusters,
)
from data.comparison.aligned_runs import align_runs
from data.comparison.alike.reading import read_all_alike
from data.comparison.filter_conditions import read_condition
from data.errors import DataError
from data.evaluation import Evaluation
from data.process.limits import format_size
from export.by_slice.period_result import add_periods, find_periods
from export.compare.comparison import comparison
from export.compare.comparison_result import comparison_result
from export.measurement import Measurement, measure
from export.report.page import html_report
from export.report.part import Part
from export.report.result_part import report_part
from export.rules_in_force import choose_by_rule
from metrics.thresholds.rule_in_force import ChosenThreshold
from text.numbers import count


def add_command(commands: Any) -> None:
    """Add `report` to the command line."""
    parser = commands.add_parser(
        "report",
        help="write a report as one HTML file",
        description="Write one HTML file about a predictions file. It opens offline, and holds no row unless asked to.",
    )
    add_scored_options(parser)
    parser.add_argument("-o", "--output", metavar="FILE", default="report.html", help="default: report.html")
    parser.add_argument(
        "--rows",
        metavar="N",
        nargs="?",
        const="all",
        help="put rows of the file in, texts and all: N of them (the wrong ones first), or all",
    )
    parser.add_argument(
        "--compare", metavar="FILE", action="append", default=[],
        help="compare with the predictions of this file on the same rows (--join names their ids); repeatable",
    )  # fmt: skip
    parser.set_defaults(run=lambda options: (write(*read(options), options), ""))


def write(evaluation: Evaluation, chosen: tuple[ChosenThreshold, ...], options: argparse.Namespace) -> str:
    """Write the report; returns what is in it, in one line.

    Raises
    ------
    DataError
        nothing can be scored, the file cannot be written, or the number of rows is none.
    """
    at_most, level = _at_most(options.rows), checked_level(options)
    clusters = chosen_clusters(evaluation, options)
    evaluation = count_by_clusters(evaluation, clusters, options)
    measured = measure(evaluation, level, lambda _: clusters, chosen)
    parts = [report_part(result) for result in decide_by_options(measured, options)]
    parts += [*_comparison(evaluation, options, level), *_slices(measured, options)]
    page = html_report(
        evaluation, with_rows=options.rows is not None, at_most=at_most, chosen=chosen, parts=parts, level=level,
    )  # fmt: skip
    path = Path(options.output)
    try:
        path.write_bytes(page)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise DataError(f"{path.name}: the report could not be written ({why}); name another file.") from None
    n = evaluation.n_lines if at_most is None else min(at_most, evaluation.n_lines)
    held = "no rows in it" if options.rows is None else f"{n:,} of {count(evaluation.n_lines)} in it"
    return ascii(f"{path}: {format_size(len(page))}, {held}")[1:-1]


def _comparison(evaluation: Evaluation, options: argparse.Namespace, level: float) -> list[Part]:
    """Compare the evaluation with the files that --compare names; nothing where it names none."""
    if not options.compare:
        return []
    names = name_runs([options.file, *options.compare])
    others = filter_runs(options, [read_run(options, file) for file in options.compare])
    if options.rule:
        keeps = options.threshold is not None
        others = [choose_by_rule(other, options.rule, keeps_threshold=keeps)[0] for other in others]
    evaluations, taken = read_all_alike([evaluation, *others], names)
    aligned = align_runs(evaluations, names, key=options.join, taken=taken)
    compared, warnings = comparison(aligned, level=level, cluster=cluster_column(evaluation, options))
    return [report_part(comparison_result(compared, aligned, warnings, [(0, 1)]))]


def _slices(measured: Measurement, options: argparse.Namespace) -> Iterator[Part]:
    """Return a section for each of the options about parts of the rows."""
    evaluation, level, clusters = measured.evaluation, measured.level, measured.clusters
    for result in find_results(measured, options):
        if options.since and result.name == "drift":
            column, start = read_condition(options.since, "--since")
            result = add_periods(result, find_periods(evaluation, column, start, level=level, clusters=clusters))
        yield report_part(result)


def _at_most(asked: str | None) -> int | None:
    if asked is None or asked == "all":
        return None
    if not asked.isascii() or not asked.isdigit() or not int(asked):
        raise DataError(f"--rows {asked!r} is no number of rows; write --rows 200, or --rows for all.")
    return int(asked)
