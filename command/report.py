"""The command line's `report`: one HTML file about a predictions file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from command.file_options import add_engine_options, add_file_options, add_rule_option, read
from data.errors import DataError
from data.evaluation import Evaluation
from data.process.limits import format_size
from export.report.page import html_report
from metrics.thresholds.rule_in_force import ChosenThreshold
from text.numbers import count


def add_command(commands: Any) -> None:
    """Add `report` to the command line."""
    parser = commands.add_parser(
        "report",
        help="write a report as one HTML file",
        description="Write one HTML file about a predictions file. It opens offline, and holds no row unless asked to.",
    )
    add_file_options(parser)
    add_rule_option(parser)
    add_engine_options(parser)
    parser.add_argument("-o", "--output", metavar="FILE", default="report.html", help="default: report.html")
    parser.add_argument(
        "--rows",
        metavar="N",
        nargs="?",
        const="all",
        help="put rows of the file in, texts and all: N of them (the wrong ones first), or all",
    )
    parser.set_defaults(run=lambda options: (write(*read(options), options), ""))


def write(evaluation: Evaluation, chosen: tuple[ChosenThreshold, ...], options: argparse.Namespace) -> str:
    """Write the report; returns what is in it, in one line.

    Raises
    ------
    DataError
        nothing can be scored, the file cannot be written, or the number of rows is none.
    """
    at_most = _at_most(options.rows)
    page = html_report(evaluation, with_rows=options.rows is not None, at_most=at_most, chosen=chosen)
    path = Path(options.output)
    try:
        path.write_bytes(page)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise DataError(f"{path.name}: the report could not be written ({why}); name another file.") from None
    n = evaluation.n_lines if at_most is None else min(at_most, evaluation.n_lines)
    held = "no rows in it" if options.rows is None else f"{n:,} of {count(evaluation.n_lines)} in it"
    return ascii(f"{path}: {format_size(len(page))}, {held}")[1:-1]


def _at_most(asked: str | None) -> int | None:
    if asked is None or asked == "all":
        return None
    if not asked.isascii() or not asked.isdigit() or not int(asked):
        raise DataError(f"--rows {asked!r} is no number of rows; write --rows 200, or --rows for all.")
    return int(asked)
