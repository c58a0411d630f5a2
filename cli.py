"""The same numbers without a browser: python cli.py score preds.csv [--json]."""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from command import file_options, push
from command import key as key_commands
from command import report as report_command
from data.environment import SettingError
from data.errors import ChoiceNeeded, RolesNeeded
from data.evaluation import DataError, Evaluation
from data.runs import load
from export import file_reading
from export.measured import measured
from export.numbers import clipping, head, plain, scored_numbers
from export.rules_in_force import choose_by_rule
from metrics.thresholds.rule_in_force import ChosenThreshold
from text.numbers import percent, rows


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0, or 2 with one sentence on stderr."""
    options = _parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal may lack the letters of a label
    try:
        text, problem = options.run(options)
    except (DataError, SettingError) as error:
        said = sys.argv[1:] if arguments is None else arguments
        print(visible(str(error) + how_to_choose(error, options, said)), file=sys.stderr)
        return 2
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # whoever read has seen enough; what is left in the buffer must not fail again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if problem:
        print(visible(problem), file=sys.stderr)
    return 2 if problem else 0


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with an option in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(
            2, visible(f"{message[:1].upper()}{message[1:]}; python {self.prog} --help lists the options.") + "\n"
        )


def _parser() -> argparse.ArgumentParser:
    """Every command says what runs it: options in, (what is printed, what is wrong all the same or "") out."""
    parser = _Parser(prog="cli.py", description="Blindspot's numbers without a browser.")
    commands = parser.add_subparsers(dest="command", required=True)
    scoring = commands.add_parser("score", help="score a predictions file", description="Score a predictions file.")
    file_options.add_file_options(scoring)
    file_options.add_rule_option(scoring)
    scoring.add_argument("--json", action="store_true", help="print JSON; null means undefined")
    scoring.add_argument(
        "--quiet", action="store_true", help="leave out how the files were read and the notes (not from the JSON)"
    )
    scoring.set_defaults(run=score)
    report_command.add_command(commands, read)
    push.add_command(commands)
    key_commands.add_command(commands)
    return parser


def score(options: argparse.Namespace) -> tuple[str, str]:
    """The command `score`: a file's numbers, for a person or as JSON."""
    found = measured(*read(options))
    numbers = scored_numbers(found)
    if options.json:
        # ASCII: no encoding of a pipe can break it, and no label can speak to a terminal
        return json.dumps(plain(numbers), allow_nan=False, indent=1), ""
    return readable(found.evaluation, numbers, quiet=options.quiet), ""


def read(options: argparse.Namespace) -> tuple[Evaluation, tuple[ChosenThreshold, ...]]:
    """The evaluation that the command's options describe, and the thresholds that a rule chose."""
    given = file_options.given(options)
    evaluation = load.read_evaluation([Path(f) for f in (options.file, options.labels) if f], given)
    if given.parser is not None and evaluation.answers is None:
        raise DataError(
            f"{Path(options.parser).name} was not used: the predictions are labels or scores of the file; name the "
            "column of raw answers with --raw."
        )
    if options.rule is None:
        return evaluation, ()
    return choose_by_rule(evaluation, options.rule, own=options.threshold is not None)


def how_to_choose(error: ValueError, options: argparse.Namespace, arguments: Sequence[str]) -> str:
    """Return what the command line adds to a question: how to answer it."""
    if isinstance(error, RolesNeeded):
        return file_options.as_guessed(error.guess, options, arguments)
    if not isinstance(error, ChoiceNeeded):
        return ""
    if not error.column:
        return f" Add --raw {shlex.quote(error.values[0])}, for example."
    return f" Add --only {shlex.quote(error.column + '=' + error.values[0])}, for example, or --only all."


def visible(text: str) -> str:
    r"""Text for a terminal: what would move the cursor or reorder the line is spelled out.

    >>> visible("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def readable(evaluation: Evaluation, numbers: dict[str, Any], *, quiet: bool = False) -> str:
    """Return the report for a person: warnings, how the files were read, the metrics, the findings, every class."""
    title = (
        f"{visible(evaluation.name)}: {rows(numbers['n_rows'])}{_lines(evaluation)}, {numbers['n_scored']:,} scored, "
        f"{rows(len(numbers['classes']), 'class')} ({numbers['task']})"
    )
    parts = [
        [title],
        _listed("Warnings:", numbers["warnings"]),
        [] if quiet else _listed("How we read your file:", _how_read(evaluation, numbers)),
        [] if quiet else _listed("Notes:", file_reading.notes(evaluation.receipt)),
        _metrics(numbers),
        _listed("What the accuracy hides:", [f"{f['severity']:<8} {f['text']}" for f in numbers["findings"]]),
        _classes(numbers),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _listed(heading: str, sentences: Sequence[str]) -> list[str]:
    return [heading, *(f"  {visible(text)}" for text in sentences)] if sentences else []


def _how_read(evaluation: Evaluation, numbers: dict[str, Any]) -> list[str]:
    """Return what was understood, as the page has it, and what became of answers."""
    lines = file_reading.reading_lines(evaluation)
    if "parser" in numbers:
        outcomes = ", ".join(f"{name} {n:,}" for name, n in numbers["outcomes"].items())
        lines.append(f"Parser: {numbers['parser']['name']} ({outcomes})")
    if numbers.get("n_unparsed"):
        lines.append(f"Unparseable: {numbers['n_unparsed']:,} ({percent(numbers['n_unparsed'] / numbers['n_scored'])})")
    return lines


def _metrics(numbers: dict[str, Any]) -> list[str]:
    """Return the single numbers, and the counts at the threshold where there is one."""
    lines = [f"{title:<36}{_number(numbers[key])}{_why(numbers, key)}" for key, title in head(numbers)]
    lines += clipping(numbers).values()
    gap = numbers.get("macro_gap", {}).get("text", "")
    lines += [] if not gap or any(f["text"] == gap for f in numbers["findings"]) else [visible(gap)]
    if "at_threshold" in numbers and not math.isnan(numbers["threshold"]):
        at = numbers["at_threshold"]
        lines.append(
            f"{'At score >= ' + format(numbers['threshold'], '.6g'):<36}tp {at['tp']:,} "
            f" fp {at['fp']:,}  fn {at['fn']:,}  tn {at['tn']:,}"
        )
    if "never_predicted" not in numbers:  # scores on a scale of their own
        best = numbers.get("best_thresholds", {}).get("f1", {}).get("threshold", math.nan)
        such = (
            "" if math.isnan(best) else f", such as --threshold {best:.6g} (recommended: the highest F1 on these rows)"
        )
        lines.append(f"Nothing is predicted yet: give a threshold with --threshold{such}.")
    return lines


def _classes(numbers: dict[str, Any]) -> list[str]:
    """Return a table with a line a class."""
    lines = [f"{'class':<36}{'precision':>10}{'recall':>10}{'f1':>10}{'support':>10}{'predicted':>10}"]
    for name, row in numbers["per_class"].items():
        shown = visible(name)
        cells = "".join(f"{_number(row[key]):>10}" for key in ("precision", "recall", "f1"))
        counted = "".join(f"{_count(row[key]):>10}" for key in ("support", "predicted"))
        lines.append(f"{shown if len(shown) < 35 else shown[:34] + '…':<36}{cells}{counted}")
    return lines


def _lines(evaluation: Evaluation) -> str:
    return "" if evaluation.weights is None else f" in {rows(evaluation.n_lines, 'line')}"


def _count(n: float) -> str:
    return "undefined" if math.isnan(n) else f"{n:,}"


def _why(numbers: dict[str, Any], key: str) -> str:
    """Return why a number is undefined, where the scores' scale is the reason."""
    reason = numbers.get("undefined_because", {}).get(key)
    return f": {reason}" if reason else ""


def _number(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.4f}"


if __name__ == "__main__":
    sys.exit(main())
