"""The command line's `agree`: how far several raters agree, people and models."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from command.file_options import add_skip_option
from command.option_files import merged_labels
from command.output_options import add_output_options, write_json, write_results
from command.statistic_options import add_level_option, checked_level
from data.comparison.ratings_table import (
    RatingsTable,
    merge_categories,
    order_categories,
    ratings_of_columns,
    ratings_of_lines,
)
from data.errors import DataError
from data.evaluation import FileFacts
from data.reading.options import ReadOptions
from data.runs.limited_reading import read_table_alone
from data.runs.written_options import read_reading_options
from data.store import store
from export.rating.agreement import biases, prevalence_sentences, rating_warnings, ratings_of
from export.rating.agreement_result import agreement_result
from metrics.agreement.agreement import Agreement
from text.name_lists import read_names
from text.quoting import list_items, quote


def add_command(commands: Any) -> None:
    """Add `agree` to the command line."""
    parser = commands.add_parser(
        "agree",
        help="say how far raters agree",
        description="Say how far raters agree. Name one column for each rater (--raters), or the columns of a file "
        "with one line for each rating (--unit, --rater, --rating). Empty cells are missing ratings.",
    )
    parser.add_argument("file", metavar="FILE", help="ratings: CSV, JSON lines, Excel, Parquet")
    parser.add_argument("--raters", metavar="COL,COL,…", help="columns, one for each rater")
    parser.add_argument("--unit", metavar="COL", help="column that names the unit that was rated")
    parser.add_argument("--rater", metavar="COL", help="column that names the rater")
    parser.add_argument("--rating", metavar="COL", help="column of the rating")
    parser.add_argument("--judge", metavar="NAME", help="the rater to compare with the others, such as a model")
    parser.add_argument(
        "--models",
        metavar="NAME,NAME,…",
        help="more raters that are models; they are no part of the people's majority",
    )
    parser.add_argument("--encoding", metavar="NAME", help="encoding of the file, such as utf-8 (default: detected)")
    add_skip_option(parser)
    parser.add_argument(
        "--order",
        metavar="a,b,c",
        help="the categories from low to high, also those that nobody gave (default: by number, if they are numbers)",
    )
    parser.add_argument(
        "--merge",
        metavar="'Tie=tie'|FILE",
        action="append",
        default=[],
        help="merge two categories: Tie counts as tie; with nothing behind the = the rating is missing; repeatable, or "
        "a JSON file of such pairs",
    )
    add_level_option(parser)
    add_output_options(parser)
    parser.set_defaults(run=agree)


def agree(options: argparse.Namespace) -> tuple[str, str]:
    """Return the agreement of the raters of a file, in words or as JSON.

    Raises
    ------
    DataError
        the options name no ratings, or no two raters have a unit in common.
    """
    level = checked_level(options)
    table, rows, left_out = _read(options)
    if options.merge:
        table = merge_categories(table, [pair for text in options.merge for pair in merged_labels(text, drop=True)])
    if options.order is not None:
        table = order_categories(table, read_names(options.order, is_typed=True))
    ratings = ratings_of(table, ordered=options.order is not None)
    if not ratings.overlap():
        raise DataError(
            f"No two of the raters {list_items(table.raters)} have rated the same unit, so no agreement can be known."
        )
    judge = None if options.judge is None else _place(table.raters, "--judge", options.judge)
    models = [
        _place(table.raters, "--models", name) for name in read_names(options.models or "", is_typed=True) if name
    ]
    agreement = Agreement(ratings, level, judge=judge, models=tuple(models))
    sentences = [*left_out, *table.warnings, *rating_warnings(agreement), *prevalence_sentences(agreement)]
    prefer, again = biases(rows.take(pa.array(table.units)), table, agreement)
    result = agreement_result(agreement, sentences, prefer, again)
    if options.json:
        return write_json(result.numbers["agreement"]), ""
    return write_results([result], options), ""


def _place(raters: tuple[str, ...], option: str, name: str) -> int:
    if name not in raters:
        raise DataError(f"{option} {quote(name)} is not one of the raters {list_items(raters)}.")
    return raters.index(name)


def _read(options: argparse.Namespace) -> tuple[RatingsTable, pa.Table, list[str]]:
    """Return the ratings, the rows of the file, and what is said of rows that were left out."""
    lines = (options.unit, options.rater, options.rating)
    if bool(options.raters) == any(lines) or (any(lines) and not all(lines)):
        raise DataError("Name the columns with --raters a,b,c, or with all of --unit, --rater and --rating.")
    reading = read_reading_options(options.encoding, skip_bad_rows=options.skip_bad_rows)
    table, facts = read_ratings_file(Path(options.file), reading)
    left_out = facts.list_repairs()
    if options.raters:
        return ratings_of_columns(table, read_names(options.raters, is_typed=True)), table, left_out
    return ratings_of_lines(table, *lines), table, left_out


def read_ratings_file(path: Path, reading: Sequence[ReadOptions] = ()) -> tuple[pa.Table, FileFacts]:
    """Read a file without asking what its columns are.

    Raises
    ------
    DataError
        there is no such file, or it cannot be read.
    """
    if not path.is_file():
        raise DataError(f"{path.name}: there is no such file; name the file of the ratings.")
    with tempfile.TemporaryDirectory(prefix=store.SCRATCH) as folder:
        table, facts = read_table_alone(path, Path(folder), reading)
        return table.combine_chunks(), facts
