"""The command line's `compare`: two to ten runs on the same rows, their differences, and a gate for pipelines."""

from __future__ import annotations

import argparse
import dataclasses
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from command.decision_options import add_costs_option, cost_table
from command.file_options import (
    add_engine_options,
    add_reading_options,
    read_counting,
    read_given_options,
)
from command.output_options import add_output_options, write_json, write_results
from command.push import add_server_options, check_address, push_file
from command.statistic_options import (
    NO_COLUMN,
    add_cluster_options,
    add_filter_option,
    add_level_option,
    checked_level,
    cluster_column,
)
from data.comparison.aligned_runs import AlignedRuns, align_runs
from data.comparison.alike.reading import read_all_alike
from data.comparison.filter_conditions import filter_rows, read_condition, write_filter
from data.comparison.other_columns import predict_by_scores
from data.comparison.row_groups import EACH_ROW, check_grouping, explain_rows_alone
from data.comparison.run_names import RunName, write_runs
from data.errors import DataError
from data.evaluation import Evaluation
from data.limits import MAX_COMPARED_RUNS
from data.roles.search import names_in_block
from data.runs import load
from data.runs.draft import Given
from data.runs.own_folders.counting import read_source_models, read_source_scores
from data.runs.own_folders.joining import read_joined_sources
from data.runs.own_folders.row_limits import is_counted
from data.sharing.push_fields import Wanted
from export.compare.comparison import comparison, to_json
from export.compare.comparison_result import comparison_result
from export.compare.comparison_text import verdict_sentence
from export.compare.pull_request import pull_request_result
from export.result.markdown import write_markdown
from metrics.comparison.comparison import Comparison
from metrics.comparison.gate import Verdict, judge, read_condition as read_gate
from text.quoting import list_items, quote, show_file_name


def add_command(commands: Any) -> None:
    """Add `compare` to the command line."""
    parser = commands.add_parser(
        "compare",
        help="compare two to ten runs on the same rows",
        description="Compare runs on the same rows. A difference is the later run minus the earlier one.",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="two to ten files of predictions, or one with --preds")
    add_reading_options(parser)
    parser.add_argument(
        "--preds", metavar="COL,COL,…", help="columns of predicted labels in one file, one for each model"
    )
    add_engine_options(parser)
    add_filter_option(parser, "compare")
    add_level_option(parser)
    add_cluster_options(parser)
    add_costs_option(parser)
    parser.add_argument("--metric", metavar="NAME", help="the metric that sorts the models (default: accuracy)")
    parser.add_argument(
        "--fail-if",
        metavar="CONDITION",
        action="append",
        default=[],
        help='end with 1 if it holds: "macro_f1 worse" (the interval says so) or "recall[refund] < -0.05" (the '
        "difference passes the margin); repeatable",
    )
    parser.add_argument(
        "--rows",
        metavar="COL",
        help="with --markdown: show five rows that a run breaks, by this column",
    )
    add_server_options(parser, required=False)
    form = add_output_options(parser)
    form.add_argument("--markdown", action="store_true", help="print a Markdown summary for a pull request")
    parser.set_defaults(run=compare)


def compare(options: argparse.Namespace) -> tuple[str, str, int]:
    """Return the comparison as text, JSON or Markdown, what fails the gate, and the exit code."""
    level = checked_level(options)
    columns, scored = _columns(options), options.preds is None
    aligned = read_runs(options)
    cluster = cluster_column(aligned.evaluations[0], options)
    space = aligned.labels.labels[: aligned.labels.n_space]
    compared, warnings = comparison(aligned, level=level, cluster=cluster, costs=cost_table(options, space))
    warnings += explain_rows_alone(aligned.evaluations[0]) if cluster is None and options.cluster is None else []
    try:
        metric = (
            compared.main_metric if options.metric is None else read_gate(f"{options.metric} worse", compared).metric
        )
        conditions = [read_gate(text, compared) for text in options.fail_if]
    except ValueError as error:
        raise DataError(str(error)) from None
    others = range(1, len(aligned.names))
    verdicts = [judge(condition, compared, 0, b) for condition in conditions for b in others]
    failed = [verdict_sentence(compared, verdict) for verdict in verdicts if verdict.fails]
    link = comparison_link(options, columns, scored=scored) if options.to else ""
    if options.json:
        numbers = to_json(compared, aligned, warnings, metric) | ({"link": link} if link else {})
        if verdicts:
            numbers["gate"] = [_verdict(compared, verdict) for verdict in verdicts]
        text = write_json(numbers)
    else:
        text = _write(options, compared, aligned, warnings, metric, verdicts)
        if link:
            text += f"\n\n[Open the comparison]({link})" if options.markdown else f"\n\n{link}"
    return text, "; ".join(failed), 1 if failed else 0


def _write(
    options: argparse.Namespace, compared: Comparison, aligned: AlignedRuns, sentences: Sequence[str], metric: str,
    verdicts: Sequence[Verdict],
) -> str:  # fmt: skip
    """Return the comparison for a person, or as Markdown that sets every run against the first."""
    if options.markdown:
        return write_markdown(pull_request_result(compared, aligned, sentences, verdicts, options.rows or ""))
    pairs = list(itertools.combinations(range(len(compared.runs.names)), 2))
    result = comparison_result(compared, aligned, sentences, pairs, metric=metric, verdicts=verdicts, rates=["f1"])
    return write_results([result], options)


def _verdict(compared: Comparison, verdict: Verdict) -> dict[str, Any]:
    names = compared.runs.names
    about = {"condition": verdict.condition.text, "a": names[verdict.a], "b": names[verdict.b], "fails": verdict.fails}
    return about | {"difference": verdict.difference._asdict()}


def comparison_link(options: argparse.Namespace, columns: Sequence[str], *, scored: bool) -> str:
    """Send the files to a server, each as a share link, and return the address of the page that compares them.

    columns : of one file; none for files. scored : whether they are scores.

    Raises
    ------
    DataError
        as `command.push.push`.
    """
    given = read_given_options(options)
    if columns and scored:
        given = dataclasses.replace(given, scores=tuple(columns[:1]))
    elif columns:
        given = dataclasses.replace(given, pred=columns[0])
    elif not options.labels:
        given = dataclasses.replace(given, key=None)
    tokens = [_token(push_file(options, file, Wanted(given, days=options.days))) for file in options.files]
    kind = "pred" if not scored else "scores" if columns and "*" in columns[0] else "score"
    others = [RunName(kind, name) for name in columns[1:]] or [RunName("run", token) for token in tokens[1:]]
    cluster = EACH_ROW if options.cluster == NO_COLUMN else options.cluster
    view = {"run": tokens[0], "with": write_runs(others), "join": options.join, "cluster": cluster}
    view |= {"metric": options.metric, "filter": write_filter(tuple(map(read_condition, options.filter or ())))}
    query = urlencode({name: text for name, text in view.items() if text})
    return f"{check_address(options.to, insecure=options.insecure)}/compare?{query}"


def _token(made: dict[str, Any]) -> str:
    """Return the token of a link that a server made."""
    if made.get("problem"):
        raise DataError(f"Nothing of a file can be compared: {made['problem']}")
    return parse_qs(urlsplit(str(made.get("link", ""))).query).get("run", [""])[0]


def _columns(options: argparse.Namespace) -> list[str]:
    """Return the columns of one file that options compare; none for files."""
    columns = options.preds or (options.scores if len(options.files) == 1 else None)
    return [] if columns is None else [name.strip() for name in columns.split(",")]


def read_runs(options: argparse.Namespace) -> AlignedRuns:
    """Read the runs and put their rows side by side.

    Raises
    ------
    DataError
        a file cannot be read, or the runs cannot be compared.
    """
    columns = _columns(options)
    if columns:
        return _columns_of_one(options, columns)
    if not 2 <= len(options.files) <= MAX_COMPARED_RUNS:
        raise DataError(
            f"A comparison takes 2 to {MAX_COMPARED_RUNS} files, or one file with --preds colA,colB or "
            f"--scores colA,colB; {len(options.files)} came."
        )
    names = name_runs(options.files)
    paths = [Path(name) for name in options.files]
    if not options.labels and any(is_counted(path, options.engine) for path in paths):
        return _count_joined(options, paths, names)
    evaluations, taken = read_all_alike([read_run(options, file) for file in options.files], names)
    return align_runs(filter_runs(options, evaluations), names, key=options.join, taken=taken)


def read_run(options: argparse.Namespace, file: str, given: Given | None = None) -> Evaluation:
    """Read one file of a comparison by the options that say what its columns hold."""
    given = read_given_options(options) if given is None else given
    paths = [Path(name) for name in (file, options.labels) if name]
    if not options.labels:  # the id joins the runs, not two files of one run
        given = dataclasses.replace(given, key=None)
    return load.read_evaluation(paths, given)


def _columns_of_one(options: argparse.Namespace, columns: list[str]) -> AlignedRuns:
    """Read one file once for every column of predictions, or of scores."""
    if len(options.files) > 1:
        raise DataError("--preds names columns of one file; give one file, or leave --preds out.")
    if not 2 <= len(set(columns)) == len(columns) <= MAX_COMPARED_RUNS:
        raise DataError(f"Name 2 to {MAX_COMPARED_RUNS} different columns; {list_items(columns)} came.")
    scored = options.preds is None
    blocks = scored and all("*" in name for name in columns)
    if scored and options.positive is None and not blocks:
        raise DataError(
            "Scores need their class: name it with --positive, or name the scores of all classes as a block: 'a_p_*'."
        )
    options.scores, options.score, options.pred = None, None, None
    given, path = read_given_options(options), Path(options.files[0])
    if is_counted(path, options.engine) and not options.labels:
        return align_runs(filter_runs(options, _count_columns(options, path, columns)), columns, same_file=True)
    evaluations = []
    for name in columns:
        of_column = dataclasses.replace(given, scores=(name,)) if scored else dataclasses.replace(given, pred=name)
        run = read_run(options, options.files[0], of_column)
        used = [column for column, _ in run.settings.scores] if scored else [run.settings.pred or ""]
        if used != [name] and not (blocks and len(used) > 1 and used == names_in_block(name, used)):
            raise DataError(f"{quote(name)} cannot be read as {'scores' if scored else 'predictions'} of this file.")
        evaluations.append(predict_by_scores(run) if scored else _without_scores(run))
    evaluations, taken = read_all_alike(evaluations, columns)
    return align_runs(filter_runs(options, evaluations), columns, same_file=True, taken=taken)


def _count_columns(options: argparse.Namespace, path: Path, columns: list[str]) -> list[Evaluation]:
    """Have an engine count one source by all columns of predictions, or of scores, at once."""
    if any("*" in column for column in columns):
        raise DataError("An engine compares one score of each model: name two columns, or compare a sample.")
    given = read_given_options(options)
    read = read_source_models if options.preds else read_source_scores
    return read(path, given, columns, **read_counting(options, given, path))


def _count_joined(options: argparse.Namespace, paths: list[Path], names: list[str]) -> AlignedRuns:
    """Have an engine count every source, and join them by their ids."""
    if options.filter:
        raise DataError("--filter does not choose among rows that an engine joins: use --only COL=VALUE.")
    given = dataclasses.replace(read_given_options(options), key=None)
    counting = read_counting(options, given, paths[0])
    evaluations, lines = read_joined_sources(paths, given, options.join, **counting)
    return align_runs(evaluations, names, lines=lines)


def filter_runs(options: argparse.Namespace, evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Keep the rows that --filter names, of every run that has its columns."""
    conditions = [read_condition(text) for text in options.filter]
    for column, _ in conditions:
        if not any(column in evaluation.rows.column_names for evaluation in evaluations):
            check_grouping(evaluations[0].rows, column, "to choose rows by")
    return [
        filter_rows(
            evaluation, [(column, value) for column, value in conditions if column in evaluation.rows.column_names]
        )
        for evaluation in evaluations
    ]


def _without_scores(evaluation: Evaluation) -> Evaluation:
    """Return predictions alone: which of several models the scores of the file belong to is not known."""
    return dataclasses.replace(evaluation, y_score=None, score_codes=())


def name_runs(files: list[str]) -> list[str]:
    """Name the runs after their files, with the folder where two are called the same.

    >>> name_runs(["old/p.csv", "new/p.csv", "x.csv"])
    ['old/p.csv', 'new/p.csv', 'x.csv']
    """
    short = [show_file_name(name) for name in files]
    names = [
        file_name if short.count(file_name) == 1 else f"{show_file_name(Path(name).parent.name)}/{file_name}"
        for file_name, name in zip(short, files, strict=True)
    ]
    if len(set(names)) < len(names):
        names = [f"{run_name} ({place + 1})" for place, run_name in enumerate(names)]
    return names
