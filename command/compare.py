"""The command line's `compare`: two to ten runs on the same rows, their differences, and a gate for pipelines."""

from __future__ import annotations

import argparse
import dataclasses
import json
from pathlib import Path
from typing import Any

from command.file_options import add_reading_options, given
from command.statistic_options import add_cluster_option, add_level_option, checked_level
from data.comparison.aligned_runs import AlignedRuns, align_runs
from data.errors import DataError
from data.evaluation import Evaluation
from data.runs import load
from data.runs.draft import Given
from export.compare.comparison import comparison, to_json
from export.compare.comparison_text import markdown, readable, verdict_sentence
from export.numbers import plain
from metrics.comparison.comparison import Comparison
from metrics.comparison.gate import Verdict, judge, read_condition
from metrics.comparison.tiers import tiers
from text.quoting import list_items, quote, show_file_name

MOST_RUNS = 10


def add_command(commands: Any) -> None:
    """Add `compare` to the command line."""
    parser = commands.add_parser(
        "compare",
        help="compare two to ten runs on the same rows",
        description="Compare runs on the same rows. Differences are the later run less the earlier one.",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="two to ten files of predictions, or one with --preds")
    add_reading_options(parser)
    parser.add_argument("--preds", metavar="COL,COL,…", help="columns of predicted labels in one file, one a model")
    add_level_option(parser)
    add_cluster_option(parser)
    parser.add_argument("--metric", metavar="NAME", help="the metric that sorts the models (default: accuracy)")
    parser.add_argument(
        "--fail-if",
        metavar="CONDITION",
        action="append",
        default=[],
        help='end with 1 if it holds: "macro_f1 worse" (the interval says so) or "recall[refund] < -0.05" (the '
        "difference passes the margin); repeatable",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON; null means undefined")
    form.add_argument("--markdown", action="store_true", help="print a summary that fits a pull request")
    parser.set_defaults(run=compare)


def compare(options: argparse.Namespace) -> tuple[str, str, int]:
    """Return the comparison as text, JSON or Markdown, what fails the gate, and the exit code."""
    level = checked_level(options)
    aligned = read_runs(options)
    found, said = comparison(aligned, level=level, cluster=options.cluster)
    try:
        metric = (
            found.main_metric if options.metric is None else read_condition(f"{options.metric} worse", found).metric
        )
        conditions = [read_condition(text, found) for text in options.fail_if]
    except ValueError as error:
        raise DataError(str(error)) from None
    others = range(1, len(aligned.names))
    verdicts = [judge(condition, found, 0, b) for condition in conditions for b in others]
    failed = [verdict_sentence(found, one) for one in verdicts if one.fails]
    sorted_ = tiers(found, metric)
    if options.json:
        numbers = to_json(found, aligned, said, metric)
        if verdicts:
            numbers["gate"] = [_verdict(found, one) for one in verdicts]
        text = json.dumps(plain(numbers), allow_nan=False, indent=1)
    else:
        text = (markdown if options.markdown else readable)(found, sorted_, said, verdicts)
    return text, "; ".join(failed), 1 if failed else 0


def _verdict(found: Comparison, one: Verdict) -> dict[str, Any]:
    names = found.runs.names
    about = {"condition": one.condition.text, "a": names[one.a], "b": names[one.b], "fails": one.fails}
    return about | {"difference": one.found._asdict()}


def read_runs(options: argparse.Namespace) -> AlignedRuns:
    """Read the runs and put their rows side by side.

    Raises
    ------
    DataError
        a file cannot be read, or the runs cannot be compared.
    """
    columns = options.preds or (options.scores if len(options.files) == 1 else None)
    if columns is not None:
        return _columns_of_one(options, [name.strip() for name in columns.split(",")])
    if not 2 <= len(options.files) <= MOST_RUNS:
        raise DataError(
            f"A comparison takes 2 to {MOST_RUNS} files, or one file with --preds colA,colB or --scores colA,colB; "
            f"{len(options.files)} came."
        )
    names = _names(options.files)
    evaluations = [_read(options, file, given(options)) for file in options.files]
    return align_runs(evaluations, names, key=options.join)


def _read(options: argparse.Namespace, file: str, said: Given) -> Evaluation:
    paths = [Path(name) for name in (file, options.labels) if name]
    if not options.labels:  # the id joins the runs, not two files of one run
        said = _replaced(said, key=None)
    return load.read_evaluation(paths, said)


def _columns_of_one(options: argparse.Namespace, columns: list[str]) -> AlignedRuns:
    """Read one file once for every column of predictions, or of scores."""
    if len(options.files) > 1:
        raise DataError("--preds names columns of one file; give one file, or leave --preds out.")
    if not 2 <= len(set(columns)) == len(columns) <= MOST_RUNS:
        raise DataError(f"Name 2 to {MOST_RUNS} different columns; {list_items(columns)} came.")
    scored = options.preds is None
    if scored and options.positive is None:
        raise DataError("Scores need their class: name it with --positive.")
    options.scores, options.score, options.pred = None, None, None
    said = given(options)
    evaluations = []
    for name in columns:
        own = _replaced(said, scores=(name,)) if scored else _replaced(said, pred=name)
        found = _read(options, options.files[0], own)
        used = [column for column, _ in found.settings.scores] if scored else [found.settings.pred]
        if used != [name]:
            raise DataError(f"{quote(name)} cannot be read as {'scores' if scored else 'predictions'} of this file.")
        evaluations.append(found if scored else _without_scores(found))
    return align_runs(evaluations, columns, same_file=True)


def _replaced(said: Given, **values: Any) -> Given:
    return dataclasses.replace(said, **values)


def _without_scores(evaluation: Evaluation) -> Evaluation:
    """Return predictions alone: which of several models the scores of the file belong to is not known."""
    return dataclasses.replace(evaluation, y_score=None, score_codes=())


def _names(files: list[str]) -> list[str]:
    """Name the runs after their files, with the folder where two are called the same.

    >>> _names(["old/p.csv", "new/p.csv", "x.csv"])
    ['old/p.csv', 'new/p.csv', 'x.csv']
    """
    short = [show_file_name(name) for name in files]
    names = [
        own if short.count(own) == 1 else f"{show_file_name(Path(name).parent.name)}/{own}"
        for own, name in zip(short, files, strict=True)
    ]
    if len(set(names)) < len(names):
        names = [f"{own} ({place + 1})" for place, own in enumerate(names)]
    return names
