"""Score a predictions file: its numbers for a person, or as JSON."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence

from command.decision_options import asks_to_decide
from command.file_options import add_scored_options, read
from command.output_options import add_output_options, write_json, write_results
from command.statistic_options import (
    checked_level,
    chosen_clusters,
    cluster_hint,
    count_by_clusters,
)
from data.comparison.row_groups import cluster_warnings
from data.evaluation import Evaluation
from export import file_reading
from export.class_result import classes_result
from export.evaluation.family_result import families_result
from export.evaluation.headline_result import headline_result
from export.evaluation.label_sets_result import swaps_result
from export.evaluation.parsing_result import has_answers, parsing_result
from export.evaluation.repeats_result import repeats_result
from export.evaluation.threshold_tables import threshold_tables
from export.measurement import Measurement, measure
from export.numbers import list_intervals, scored_numbers
from export.overview.severities import list_not_searched
from export.result.kinds import Result, RunName, Sentence, Words
from metrics.finding import Finding
from metrics.findings.tables import count_scored
from metrics.thresholds.threshold_metrics import best_thresholds
from text.numbers import count


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command `score`."""
    parser = commands.add_parser(
        "score", help="print the metrics of a predictions file", description="Print the metrics of a predictions file."
    )
    add_scored_options(parser)
    add_output_options(parser)
    parser.add_argument(
        "--quiet", action="store_true", help="print no notes and not how the files were read; the JSON keeps both"
    )
    parser.set_defaults(run=score)


def score(options: argparse.Namespace) -> tuple[str, str]:
    """Return a file's numbers, for a person or as JSON."""
    level = checked_level(options)
    evaluation, chosen = read(options)
    clusters = chosen_clusters(evaluation, options)
    measured = measure(count_by_clusters(evaluation, clusters, options), level, lambda _: clusters, chosen)
    warnings = [*measured.evaluation.receipt.warnings, *cluster_warnings(measured.evaluation)]
    warnings += [text for text in clusters.warnings if text not in warnings] if clusters else []
    results: list[Result] = []
    if asks_to_decide(options):
        from command.decisions import decide_by_options  # what it imports takes longer than a small file

        results += decide_by_options(measured, options)
    if any((options.slice, options.group, options.worst_slices, options.since, options.against)):
        from command.part_results import find_results  # it imports SciPy, which takes longer than a small file

        results += find_results(measured, options)
    if options.json:
        numbers = scored_numbers(measured) | {"warnings": warnings}
        for result in results:
            numbers |= result.numbers
        numbers["intervals"] = {name: interval.to_json() for name, interval in list_intervals(measured).items()}
        return write_json(numbers), ""
    hints = cluster_hint(clusters, options)
    scored = score_results(measured, warnings, quiet=options.quiet, hints=hints)
    return write_results([*scored, *results], options), ""


def score_results(
    measured: Measurement, warnings: Sequence[str], *, quiet: bool = False, hints: Sequence[str] = ()
) -> list[Result]:
    """Return all that is said of a file: warnings, how it was read, the metrics, the findings, every class."""
    evaluation = measured.evaluation
    results = [_list("warnings", "Warnings", warnings)]
    if not quiet:
        results.append(_list("reading", "How we read your file", _reading_lines(evaluation)))
        results.append(_list("notes", "Notes", file_reading.notes(evaluation.receipt)))
    results += [_metrics(measured, hints), *([parsing_result(measured)] if has_answers(measured) else [])]
    findings = [(f"{finding.severity:<8} ", *finding.parts) for finding in measured.named_findings]
    results.append(
        Result("findings", ("What the accuracy hides",), findings, (), list_not_searched(measured.worst_parts), {})
    )
    told = [result for result in results if result.sentences or result.tables or result.notes]
    swaps = [swaps_result(measured)] if measured.many and evaluation.has_predictions else []
    families = [families_result(measured)] if evaluation.paths and evaluation.has_predictions else []
    repeats = repeats_result(measured)
    more = [*families, *swaps, *([] if repeats is None else [repeats])]
    return [_title(evaluation), *told, classes_result(measured), *more]


def _title(evaluation: Evaluation) -> Result:
    lines = "" if evaluation.weights is None else f" in {count(evaluation.n_lines, 'line')}"
    counted = f"{count(evaluation.n_rows)}{lines}, {count_scored(evaluation):,} scored"
    classes = count(evaluation.n_space, "class")
    headline = (RunName(evaluation.name), f": {counted}, {classes} ({evaluation.task})")
    return Result("file", ("The file",), (), (), (), {}, headline)


def _list(name: str, title: str, sentences: Sequence[str]) -> Result:
    """Return sentences that may quote the file, below a title."""
    return Result(name, (title,), [(Sentence(sentence),) for sentence in sentences], (), (), {})


def _reading_lines(evaluation: Evaluation) -> list[str]:
    """Return how the file was read, as the page says it, and the parser of its answers."""
    parser = [] if evaluation.answers is None else [f"Parser: {evaluation.answers.parser.name}"]
    return [*file_reading.reading_lines(evaluation), *parser]


def _metrics(measured: Measurement, hints: Sequence[str]) -> Result:
    """Return the single numbers with their intervals, and what thresholds give where there are scores."""
    result = headline_result(measured)
    notes: list[Words] = [(Sentence(hint),) for hint in hints]
    if measured.evaluation.has_predictions:
        notes += _macro_gap(measured)
    else:
        notes.append((_say_nothing_predicted(measured),))
    tables = [*result.tables, *threshold_tables(measured)]
    return result._replace(tables=tables, notes=[*result.notes, *notes])


def _macro_gap(measured: Measurement) -> list[Words]:
    """Say why macro F1 differs from micro F1, where no finding does."""
    gap = Finding("macro_gap", "info", tuple(measured.named(measured.gap.parts())))
    is_told = not gap.parts or gap.text in {finding.text for finding in measured.named_findings}
    return [] if is_told else [gap.parts]


def _say_nothing_predicted(measured: Measurement) -> str:
    """Say that scores on a scale of their own need a threshold, and which one is recommended."""
    scores = measured.positive_scores
    best = math.nan if scores is None else best_thresholds(scores)["f1"].threshold
    example = f", such as --threshold {best:.6g} (recommended: the highest F1 on these rows)"
    return f"Nothing is predicted yet: give a threshold with --threshold{'' if math.isnan(best) else example}."
