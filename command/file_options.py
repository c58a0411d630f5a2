"""Add the options about the files, and read the values they stand for."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypedDict

from command.decision_options import add_deployment_options
from command.option_files import class_names, label_set, label_tree, merged_labels, parser_file
from command.statistic_options import NO_COLUMN, add_cluster_options, add_level_option, add_slice_options
from data.engines.names import ENGINES
from data.errors import DataError
from data.evaluation import Evaluation
from data.reading.epochs import is_training, pack_epochs
from data.runs.draft import Given
from data.runs.limited_reading import read_evaluation
from data.runs.own_folders.row_limits import is_counted
from data.runs.reading_options import OPTIONS, SKIP_BAD_ROWS, Option, given_of
from data.runs.written_options import read_row_choice
from metrics.thresholds.rule_in_force import ChosenThreshold


def add_scored_options(parser: argparse.ArgumentParser) -> None:
    """Add everything about a file that is scored: how it is read, decided by, counted, and split into slices."""
    add_file_options(parser)
    add_rule_option(parser)
    add_deployment_options(parser)
    add_engine_options(parser)
    add_level_option(parser)
    add_cluster_options(parser, epoch=True)
    add_slice_options(parser)


def add_file_options(parser: argparse.ArgumentParser) -> None:
    """Add the file of predictions, the file of labels, and everything that can be said about the two."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="the predictions: CSV, JSON lines, Excel, Parquet, NumPy, an evaluation tool's log, or a folder of "
        "epochs. score and report also take a folder of Parquet files",
    )
    add_reading_options(parser)


def add_engine_options(parser: argparse.ArgumentParser) -> None:
    """Add who counts the rows of a folder, or of a file larger than memory."""
    parser.add_argument(
        "--engine",
        choices=("auto", *ENGINES),
        default="auto",
        help="what counts a folder of Parquet files, or one file: memory (small), duckdb (larger than memory), spark "
        "(BLINDSPOT_SPARK says where). auto (default) takes memory or duckdb by size; a file within the limits is "
        "read row by row",
    )
    parser.add_argument(
        "--memory", metavar="SIZE", default="1GB", help="the most memory that an engine may use (default: 1GB)"
    )


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add the file of labels, and everything that can be said about it and the files of predictions."""
    parser.add_argument("--labels", metavar="FILE", help="a second file that holds the true labels")
    for option in OPTIONS:
        _add_option(parser, option)


def _add_option(parser: argparse.ArgumentParser, option: Option) -> None:
    name = f"--{option.name}"
    if option.switch == "on":
        parser.add_argument(name, action="store_true", help=option.about)
    elif option.switch:
        parser.add_argument(name, action=argparse.BooleanOptionalAction, default=None, help=option.about)
    elif option.repeats:
        parser.add_argument(name, metavar=option.metavar, action="append", default=[], help=option.about)
    elif option.choices:
        parser.add_argument(name, choices=option.choices, help=option.about)
    else:
        parser.add_argument(name, metavar=option.metavar, type=option.parse, help=option.about)


def add_rule_option(parser: argparse.ArgumentParser) -> None:
    """Add the rule that chooses the threshold, and judges it."""
    parser.add_argument(
        "--rule",
        metavar="RULE",
        help="choose the threshold by a rule: recall:0.9, precision:0.8, f1, fbeta:2, mcc, youden_j, cost:1:10, "
        "capacity:500, capacity:2.5%%. For a multi-label file: f1, micro_f1 or macro_f1. With --threshold, the rule "
        "judges that threshold",
    )


def add_skip_option(parser: argparse.ArgumentParser) -> None:
    """Add what is done with rows that cannot be read."""
    _add_option(parser, SKIP_BAD_ROWS)


_FROM_FILES: Mapping[str, Callable[[Any], Any]] = {
    "parser": parser_file,
    "label-set": label_set,
    "order": label_set,
    "tree": label_tree,
    "class-names": class_names,
    "merge": lambda texts: tuple(pair for text in texts for pair in merged_labels(text)),
}
"""Options that name files, and what reads them."""


def read_given_options(options: argparse.Namespace) -> Given:
    """Return what the options say; files of labels, pairs and rules are read.

    Raises
    ------
    DataError
        an option, or a file that it names, cannot be used.
    """
    values = {}
    for option in OPTIONS:
        value = vars(options)[option.name.replace("-", "_")]
        read = _FROM_FILES.get(option.name, option.read)
        is_empty = value == "" and option.reads_text
        if value is not None and not is_empty:
            values[option.name] = read(value)
    if getattr(options, "epoch", None):
        values.setdefault("only", read_row_choice("all"))  # every repetition of a question counts
    cluster = getattr(options, "cluster_column", None)
    if cluster == NO_COLUMN:
        cluster = ""
    parts = {role: name for role, name in getattr(options, "parts", ()) if name}
    run_parts = tuple((role, "" if name == NO_COLUMN else name) for role, name in parts.items())
    return dataclasses.replace(given_of(values), run_parts=run_parts, cluster=cluster)


def read(options: argparse.Namespace) -> tuple[Evaluation, tuple[ChosenThreshold, ...]]:
    """Read the evaluation that the options describe, and the thresholds that a rule chose."""
    given = read_given_options(options)
    engine, path = getattr(options, "engine", None), Path(options.file)
    if engine is not None and not options.labels and not is_training(path) and is_counted(path, engine):
        from data.runs.own_folders.counting import read_source  # a file needs none of this

        evaluation = read_source(path, given, **read_counting(options, given, path))
    else:
        with pack_epochs(path) as predictions:
            files = [predictions, *([Path(options.labels)] if options.labels else [])]
            evaluation = read_evaluation(files, given)
    if given.parser is not None and evaluation.answers is None:
        raise DataError(
            f"{Path(options.parser).name} was not used: the predictions are labels or scores of the file. Name the "
            "column of raw answers with --raw."
        )
    if getattr(options, "filter", ()):
        # Importing it takes longer than a small file does.
        from data.comparison.filter_conditions import filter_rows, read_condition

        evaluation = filter_rows(evaluation, [read_condition(text) for text in options.filter])
    if options.rule is None:
        return evaluation, ()
    from export.rules_in_force import choose_by_rule

    return choose_by_rule(evaluation, options.rule, keeps_threshold=options.threshold is not None)


def read_older(options: argparse.Namespace) -> Evaluation:
    """Read the file that --against names, by the same options."""
    return read(argparse.Namespace(**{**vars(options), "file": options.against, "labels": None}))[0]


class Counting(TypedDict):
    """Hold how an engine counts a source. slices : columns that split its counts."""

    engine: str
    memory_bytes: int
    slices: tuple[str, ...]


def read_counting(options: argparse.Namespace, given: Given, path: Path) -> Counting:
    """Return how the options want a source counted."""
    from data.runs.sources import read_size  # a file needs none of this, which takes time to import

    slices = _list_split_columns(options, given, path)
    return Counting(engine=options.engine, memory_bytes=read_size(options.memory), slices=slices)


def _list_split_columns(options: argparse.Namespace, given: Given, path: Path) -> tuple[str, ...]:
    """Return every column of a source that an option names to choose or to group rows by."""
    from data.comparison.filter_conditions import read_condition
    from data.comparison.slice_columns import read_columns
    from data.engines.parquet_folder import open_path

    texts = getattr(options, "slice", ())
    names = open_path(path).schema.names if any("," in text for text in texts) else ()
    filters = [read_condition(text)[0] for text in getattr(options, "filter", ())]
    slices = [name for text in texts for name in read_columns(text, names)]
    others = [getattr(options, name, None) for name in ("group", "cluster", "epoch")]
    others += [name for _, name in given.run_parts]
    return tuple(dict.fromkeys(name for name in (*filters, *slices, *others) if name and name != NO_COLUMN))
