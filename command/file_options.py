"""Add the options about the files, and read the values they stand for."""

from __future__ import annotations

import argparse
from pathlib import Path

from command.option_files import class_names, label_set, label_tree, merged_labels, parser_file
from command.statistic_options import NO_COLUMN
from data.columns.table_metadata import ALL, EQUAL, FIRST, LAST
from data.engines.names import ENGINES
from data.errors import DataError
from data.evaluation import Evaluation
from data.reading.epochs import is_training, pack_epochs
from data.runs.draft import NO_SCORES, Given
from data.runs.limited_reading import read_evaluation
from data.runs.own_folders.row_limits import is_counted
from data.runs.written_options import (
    LABELS_PER_ROW,
    SCALES,
    read_reading_options,
    read_row_choice,
    read_weights_option,
    require_finite,
)
from metrics.thresholds.rule_in_force import ChosenThreshold


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
    parser.add_argument(
        "--join",
        metavar="COL,…",
        help="the id columns that both files share; a=b where their names differ; '' joins by row order (default: "
        "detected, else row order)",
    )
    parser.add_argument(
        "--repeated",
        choices=(FIRST, LAST, ALL),
        help="which rows count where an id repeats (default: equal rows once, no ids whose rows differ)",
    )
    _add_columns(parser)
    _add_labels(parser)
    _add_reading(parser)


def _add_columns(parser: argparse.ArgumentParser) -> None:
    """Add the options that give columns their roles."""
    parser.add_argument("--truth", metavar="COL", help="column of the true labels")
    parser.add_argument("--pred", metavar="COL", help="column of the predicted labels")
    parser.add_argument(
        "--counts",
        metavar="COL",
        help="column that says how many rows each line stands for; '' = every line is one row",
    )
    parser.add_argument(
        "--weights",
        metavar="COL",
        help="column of the weights of rows, numbers from 0, by which every number counts; none = no weights are used, "
        "so that no warning names such a column",
    )
    parser.add_argument("--raw", metavar="COL", help="column of raw answers to parse into labels")
    parser.add_argument("--parser", metavar="FILE", help="a JSON file of rules that read labels from raw answers")
    parser.add_argument("--score", metavar="COL", help="column of the positive class's score")
    parser.add_argument(
        "--scores",
        metavar="COL,COL,…",
        help="columns of the scores, one for each class; 'p_*' = all columns whose names begin with p_; none = read no "
        "scores",
    )


def _add_labels(parser: argparse.ArgumentParser) -> None:
    """Add the options about the labels and what decides between them."""
    parser.add_argument("--positive", metavar="LABEL", help="the positive class of a binary task")
    parser.add_argument(
        "--label-set",
        metavar="FILE|a,b,c",
        help="the label list: a file (JSON list, or one label on each line) or a,b,c",
    )
    parser.add_argument(
        "--order",
        metavar="FILE|a,b,c",
        help="the labels from the lowest to the highest, such as low,medium,high: errors are then measured in steps",
    )
    parser.add_argument(
        "--separator",
        metavar="TEXT",
        help="what separates the groups of a label, such as / in animal/dog: errors within a group are then told apart",
    )
    parser.add_argument(
        "--tree",
        metavar="FILE",
        help='the groups of labels in place of a separator: CSV of label,parent, or JSON such as {"dog": "animal"}',
    )
    parser.add_argument(
        "--task",
        choices=LABELS_PER_ROW,
        help="labels per row: single = one, so that a|b is one label; multilabel = several or none (default: detected)",
    )
    parser.add_argument(
        "--merge",
        metavar="'Cat=cat'|FILE",
        action="append",
        default=[],
        help="merge two labels: Cat counts as cat; repeatable, or a JSON file of such pairs",
    )
    parser.add_argument(
        "--class-names",
        metavar="FILE",
        help='names of the classes: a file with lines such as 2,cat, or JSON such as {"2": "cat"}',
    )
    parser.add_argument(
        "--scale",
        choices=SCALES,
        help="what the scores are: probability (or per cent), logit, or score (a scale of their own, such as 1 to 10)",
    )
    parser.add_argument(
        "--threshold", metavar="T", type=float, help="predict score >= T instead of using the file's predictions"
    )


def add_rule_option(parser: argparse.ArgumentParser) -> None:
    """Add the rule that chooses the threshold, and judges it."""
    parser.add_argument(
        "--rule",
        metavar="RULE",
        help="choose the threshold by a rule: recall:0.9, precision:0.8, f1, fbeta:2, mcc, youden_j, cost:1:10, "
        "capacity:500, capacity:2.5%%. For a multi-label file: f1, micro_f1 or macro_f1. With --threshold, the rule "
        "judges that threshold",
    )


def _add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the options to read text files by, where detection is wrong; they hold for both files."""
    parser.add_argument(
        "--encoding", metavar="NAME", help="encoding of text files, such as Windows-1252 (default: detected)"
    )
    parser.add_argument("--delimiter", metavar="NAME", help="comma, semicolon, tab, bar or none (default: detected)")
    parser.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="say whether the first line of a text file holds the column names (default: detected)",
    )
    add_skip_option(parser)
    parser.add_argument(
        "--header-line",
        type=int,
        metavar="N",
        help="the line, or row of a sheet, with the column names; those above it are left out (default: detected)",
    )
    parser.add_argument("--decimal", metavar="NAME", help="point or comma, in numbers (default: detected)")
    parser.add_argument("--sheet", metavar="NAME", help="which sheet of a workbook to read (default: the first table)")
    parser.add_argument(
        "--only",
        metavar="COL=VALUE",
        help="which rows to evaluate, if the file holds several evaluations; all = every row",
    )


def add_skip_option(parser: argparse.ArgumentParser) -> None:
    """Add what is done with rows that cannot be read."""
    parser.add_argument(
        "--skip-bad-rows",
        action="store_true",
        help="leave out rows that cannot be read, such as those with too many values, and say how many and why",
    )


def read_given_options(options: argparse.Namespace) -> Given:
    """Return what the options say; files of labels, pairs and rules are read.

    Raises
    ------
    DataError
        an option, or a file that it names, cannot be used.
    """
    if options.threshold is not None:
        require_finite(options.threshold)
    cluster = getattr(options, "cluster_column", None)
    parts = {role: name for role, name in getattr(options, "parts", ()) if name}
    return Given(
        truth=options.truth,
        pred=options.pred,
        counts=options.counts,
        raw=options.raw,
        scores=_read_scores(options),
        positive=options.positive,
        label_set=label_set(options.label_set) if options.label_set else None,
        order=label_set(options.order) if options.order else (),
        separator=options.separator or "",
        tree=label_tree(options.tree) if options.tree else (),
        threshold=options.threshold,
        scale=options.scale,
        task=options.task,
        weights=read_weights_option(options.weights),
        key=options.join,
        repeated=options.repeated or EQUAL,
        only=read_row_choice(options.only) if options.only else None,
        merge=tuple(pair for text in options.merge for pair in merged_labels(text)),
        class_names=class_names(options.class_names) if options.class_names else (),
        reading=read_reading_options(
            options.encoding,
            options.delimiter,
            options.header,
            options.header_line,
            options.decimal,
            options.sheet,
            skip_bad_rows=options.skip_bad_rows,
        ),
        parser=parser_file(options.parser) if options.parser else None,
        run_parts=tuple((role, "" if name == NO_COLUMN else name) for role, name in parts.items()),
        cluster=None if cluster is None else "" if cluster == NO_COLUMN else cluster,
    )


def _read_scores(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the columns of scores that options name."""
    if options.scores == "none":
        return NO_SCORES
    return tuple(options.scores.split(",")) if options.scores else (options.score,) if options.score else ()


def read(options: argparse.Namespace) -> tuple[Evaluation, tuple[ChosenThreshold, ...]]:
    """Read the evaluation that the options describe, and the thresholds that a rule chose."""
    given = read_given_options(options)
    engine, path = getattr(options, "engine", None), Path(options.file)
    if engine is not None and not options.labels and not is_training(path) and is_counted(path, engine):
        evaluation = _count(options, given)
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

    return choose_by_rule(evaluation, options.rule, own=options.threshold is not None)


def read_older(options: argparse.Namespace) -> Evaluation:
    """Read the file that --against names, by the same options."""
    return read(argparse.Namespace(**{**vars(options), "file": options.against, "labels": None}))[0]


def _count(options: argparse.Namespace, given: Given) -> Evaluation:
    """Count a source with an engine, split by every column that an option names."""
    from data.runs.own_folders.counting import read_source  # a file needs none of this, which takes time to import
    from data.runs.sources import read_size

    memory, slices = read_size(options.memory), list_split_columns(options, given)
    return read_source(Path(options.file), given, engine=options.engine, memory_bytes=memory, slices=slices)


def list_split_columns(options: argparse.Namespace, given: Given) -> tuple[str, ...]:
    """Return every column that an option names to choose or to group rows by."""
    from data.comparison.filter_conditions import read_condition

    filters = [read_condition(text)[0] for text in getattr(options, "filter", ())]
    slices = [name for text in getattr(options, "slice", ()) for name in text.split(",")]
    others = [getattr(options, name, None) for name in ("group", "cluster", "epoch")]
    others += [name for _, name in given.run_parts]
    return tuple(dict.fromkeys(name for name in (*filters, *slices, *others) if name and name != NO_COLUMN))
