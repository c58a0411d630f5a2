"""The same numbers without a browser: python cli.py score preds.csv [--json]."""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import shlex
import sys
from pathlib import Path
from typing import Any, NoReturn

from data import intake
from data.asking import ALL_ROWS
from data.errors import ChoiceNeeded
from data.evaluation import DataError, Evaluation
from data.parsed_answers import outcome_counts
from data.parser import MAX_BYTES, Parser, parser_from_text
from data.readers.options import DETECT, ReadOptions
from metrics.finding import percent
from metrics.report import report


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0, or 2 with one sentence on stderr."""
    options = _parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal may lack the letters of a label
    try:
        evaluation = read(options)
        if not evaluation.n_scored:
            raise DataError(
                f"{Path(options.file).name}: no row has both a truth and a prediction, so there is nothing to score."
            )
        receipt = evaluation.receipt
        said = {"warnings": list(receipt.warnings), "receipt": receipt.to_json()}
        numbers = report(evaluation) | parsing(evaluation) | said
    except DataError as error:
        print(visible(str(error) + how_to_choose(error)), file=sys.stderr)
        return 2
    try:
        if options.json:
            # ASCII: no encoding of a pipe can break it, and no label can speak to a terminal
            print(json.dumps(plain(numbers), allow_nan=False, indent=1), flush=True)
        else:
            print(readable(evaluation, numbers), flush=True)
    except BrokenPipeError:
        # whoever read has seen enough; what is left in the buffer must not fail again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with an option in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(
            2, visible(f"{message[:1].upper()}{message[1:]}; python cli.py score --help lists the options.") + "\n"
        )


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="cli.py", description="Blindspot's numbers without a browser.")
    commands = parser.add_subparsers(dest="command", required=True)
    score = commands.add_parser("score", help="score a predictions file", description="Score a predictions file.")
    score.add_argument(
        "file", metavar="FILE", help="predictions: CSV, JSON lines, Excel, Parquet, NumPy, or an evaluation tool's log"
    )
    score.add_argument("--labels", metavar="FILE", help="a second file that holds the true labels")
    score.add_argument(
        "--join",
        metavar="COL,…",
        help="the columns that both files share, a=b where they are called differently, '' for row order (default: "
        "found, or row order)",
    )
    score.add_argument("--truth", metavar="COL", help="column of the true labels")
    score.add_argument("--pred", metavar="COL", help="column of the predicted labels")
    score.add_argument("--raw", metavar="COL", help="column of raw answers to parse into labels")
    score.add_argument("--parser", metavar="FILE", help="how raw answers become labels: a JSON file of rules")
    score.add_argument("--score", metavar="COL", help="column of the positive class's score")
    score.add_argument("--scores", metavar="COL,COL,…", help="columns of the scores, one a class")
    score.add_argument("--positive", metavar="LABEL", help="the positive class of a binary task")
    score.add_argument(
        "--label-set", metavar="FILE|a,b,c", help="the label space: a file (JSON list, or a label a line) or a list"
    )
    score.add_argument(
        "--merge",
        metavar="'Cat=cat'|FILE",
        action="append",
        default=[],
        help="count the label before the = as the one after it; repeatable, or a JSON file of such pairs",
    )
    score.add_argument(
        "--threshold", metavar="T", type=float, help="predict score >= T instead of using the file's predictions"
    )
    _add_reading(score)
    score.add_argument(
        "--only", metavar="COL=VALUE", help="the rows to evaluate of a file with several evaluations; all = every row"
    )
    score.add_argument("--json", action="store_true", help="print JSON; null means undefined")
    return parser


def _add_reading(score: argparse.ArgumentParser) -> None:
    """How text files are read, where what is found by itself is wrong; it holds for both files."""
    score.add_argument("--encoding", metavar="NAME", help="of text files, such as Windows-1252 (default: found)")
    score.add_argument("--delimiter", metavar="NAME", help="comma, semicolon, tab, bar or none (default: found)")
    score.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="whether the first line of text files holds the column names (default: found)",
    )


def reading(options: argparse.Namespace) -> tuple[ReadOptions, ...]:
    """How the person wants text files to be read; nothing, where nothing was said."""
    wanted = ReadOptions(options.encoding, options.delimiter, options.header)
    return () if wanted == DETECT else (wanted,)


def read(options: argparse.Namespace) -> Evaluation:
    """The evaluation that the command's options describe."""
    if options.threshold is not None and not math.isfinite(options.threshold):
        raise DataError(f"The threshold {options.threshold} separates nothing; give a number, such as 0.5.")
    given = intake.Given(
        truth=options.truth,
        pred=options.pred,
        raw=options.raw,
        scores=tuple(options.scores.split(",")) if options.scores else (options.score,) if options.score else (),
        positive=options.positive,
        label_set=label_set(options.label_set) if options.label_set else None,
        threshold=options.threshold,
        key=options.join,
        only=only(options.only) if options.only else None,
        merge=tuple(pair for text in options.merge for pair in merged_labels(text)),
        reading=reading(options),
        parser=parser_file(options.parser) if options.parser else None,
    )
    evaluation = intake.read_evaluation([Path(f) for f in (options.file, options.labels) if f], given)
    if given.parser is not None and evaluation.answers is None:
        raise DataError(
            f"{Path(options.parser).name} was not used: the predictions are labels or scores of the file; name the "
            "column of raw answers with --raw."
        )
    return evaluation


def parser_file(name: str) -> Parser:
    """The parser of a JSON file; an error names the file."""
    path = Path(name)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DataError(f"The parser is larger than {MAX_BYTES >> 10} kB: write fewer rules, aliases or labels.")
        return parser_from_text(path.read_bytes().decode("utf-8-sig"), path.name)
    except DataError as error:
        raise intake.in_file(path.name, error) from None
    except FileNotFoundError:
        raise DataError(f"{path.name}: there is no such file; name the JSON file of the parser.") from None
    except (OSError, ValueError):
        raise DataError(f"{path.name}: the parser could not be read; a JSON file in UTF-8 was wanted.") from None


def parsing(evaluation: Evaluation) -> dict[str, Any]:
    """Which parser read the answers, and scored rows of every outcome; nothing where no answers were parsed."""
    if evaluation.answers is None:
        return {}
    parser = evaluation.answers.parser.to_json()
    counts = outcome_counts(evaluation.answers, evaluation.scored)
    return {"parser": {"name": parser["name"], "rules": parser["rules"]}, "outcomes": counts}


def only(text: str) -> tuple[str, str]:
    """(column, value) of the rows that count.

    >>> only("filter=strict-match"), only("all")
    (('filter', 'strict-match'), ('', ''))
    """
    if text == "all":
        return ALL_ROWS
    column, equals, value = text.partition("=")
    if not column or not equals:
        raise DataError(f"--only {text!r} says no value; write filter=strict-match, or all for every row.")
    return column, value


def how_to_choose(error: DataError) -> str:
    """What the command line adds to a question: how to answer it."""
    if not isinstance(error, ChoiceNeeded):
        return ""
    if not error.column:
        return f" Add --raw {shlex.quote(error.values[0])}, for example."
    return f" Add --only {shlex.quote(error.column + '=' + error.values[0])}, for example, or --only all."


def label_set(text: str) -> tuple[str, ...]:
    """Labels from a file (a JSON list, or one a line), or from a comma-separated or JSON list.

    >>> label_set("spam, ham"), label_set('["spam", "ham"]')
    (('spam', 'ham'), ('spam', 'ham'))
    """
    path = Path(text)
    if not os.path.isfile(text):  # unlike Path's, it takes a list longer than a file name may be
        if path.suffix in (".json", ".txt") and "," not in text:
            raise DataError(f"{path.name}: there is no such file; name the file of the label set, or list the labels.")
        return intake.label_set_from_text(text if text.lstrip().startswith("[") else text.replace(",", "\n"))
    try:
        return intake.label_set_from_text(path.read_text(encoding="utf-8-sig"))
    except DataError as error:
        raise intake.in_file(path.name, error) from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            f"{path.name}: the label set could not be read; a JSON list or one label a line, in UTF-8, was wanted."
        ) from error


def merged_labels(text: str) -> tuple[tuple[str, str], ...]:
    """(label, label that it counts as), from one pair with a = or a JSON file of them.

    >>> merged_labels("Cat=cat")
    (('Cat', 'cat'),)
    """
    path = Path(text)
    if os.path.isfile(text):
        try:
            read = json.loads(path.read_text(encoding="utf-8-sig"))
        except (OSError, ValueError, RecursionError):
            read = None
        pairs = list(read.items()) if isinstance(read, dict) else read
        if not isinstance(pairs, list) or not all(_is_pair(pair) for pair in pairs):
            raise DataError(f'{path.name}: pairs of labels in JSON were wanted, such as {{"Cat": "cat"}}; write it so.')
        return tuple((one, other) for one, other in pairs)
    one, equals, other = text.partition("=")
    if not equals or not one or not other:
        raise DataError(
            f"--merge {text!r} is no pair of labels; write 'Cat=cat' (Cat counts as cat), or name a JSON file of pairs."
        )
    return ((one, other),)


def _is_pair(pair: object) -> bool:
    return isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(label, str) for label in pair)


def plain(value: Any) -> Any:
    """Numbers as JSON knows them: NaN and infinities become null."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value


def visible(text: str) -> str:
    r"""Text for a terminal: what would move the cursor or reorder the line is spelled out.

    >>> visible("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


_HEAD = (
    ("accuracy", "Accuracy"),
    ("accuracy_parsed", "Accuracy over parsed rows"),
    ("baseline_accuracy", "Always saying the majority class"),
    ("balanced_accuracy", "Balanced accuracy"),
    ("subset_accuracy", "Subset accuracy (every label right)"),
    ("per_label_accuracy", "Mean per-label accuracy"),
    ("micro_f1", "Micro F1"),
    ("macro_f1", "Macro F1 (classes seen)"),
    ("macro_f1_supported", "Macro F1 (classes with true rows)"),
    ("macro_f1_label_space", "Macro F1 (whole label space)"),
    ("weighted_f1", "Weighted F1"),
    ("samples_f1", "Samples F1"),
    ("cohen_kappa", "Cohen's kappa"),
    ("mcc", "Matthews correlation"),
    ("roc_auc", "ROC AUC"),
    ("roc_auc_macro", "ROC AUC, macro"),
    ("average_precision", "Average precision"),
    ("log_loss", "Log loss"),
    ("brier", "Brier score"),
)


def readable(evaluation: Evaluation, numbers: dict[str, Any]) -> str:
    """The report for a person: what was understood, the metrics, the findings, every class."""
    lines = [
        (
            f"{visible(evaluation.name)}: {numbers['n_rows']:,} rows{_lines(evaluation)}, {numbers['n_scored']:,} "
            f"scored, {len(numbers['classes']):,} classes ({numbers['task']})"
        )
    ]
    lines += [
        f"  {visible(role.column)}: {visible(role.role)} ({visible(role.why)})"
        for role in evaluation.receipt.roles
        if role.role != "other"
    ]
    if "positive" in numbers:
        lines.append(f"  positive class: {visible(numbers['positive'])}")
    if "parser" in numbers:
        outcomes = ", ".join(f"{name} {rows:,}" for name, rows in numbers["outcomes"].items())
        lines.append(f"  parser: {visible(numbers['parser']['name'])} ({outcomes})")
    if numbers.get("n_unparsed"):
        lines.append(
            f"  unparseable: {numbers['n_unparsed']:,} ({percent(numbers['n_unparsed'] / numbers['n_scored'])})"
        )
    lines.append("")
    lines += [f"{title:<36}{_number(numbers[key])}" for key, title in _HEAD if key in numbers]
    if "at_threshold" in numbers:
        at = numbers["at_threshold"]
        lines.append(
            f"{'At score >= ' + format(numbers['threshold'], '.6g'):<36}tp {at['tp']:,} "
            f" fp {at['fp']:,}  fn {at['fn']:,}  tn {at['tn']:,}"
        )
    lines += ["", "What the accuracy hides:"] + [
        f"  {f['severity']:<8} {visible(f['text'])}" for f in numbers["findings"]
    ]
    if numbers["warnings"]:
        lines += ["", "Warnings:"] + [f"  {visible(text)}" for text in numbers["warnings"]]
    lines += ["", f"{'class':<36}{'precision':>10}{'recall':>10}{'f1':>10}{'support':>10}{'predicted':>10}"]
    for name, row in numbers["per_class"].items():
        shown = visible(name)
        cells = "".join(f"{_number(row[key]):>10}" for key in ("precision", "recall", "f1"))
        lines.append(
            f"{shown if len(shown) < 35 else shown[:34] + '…':<36}{cells}{row['support']:>10,}{row['predicted']:>10,}"
        )
    return "\n".join(lines)


def _lines(evaluation: Evaluation) -> str:
    return "" if evaluation.weights is None else f" in {evaluation.n_lines:,} lines"


def _number(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.4f}"


if __name__ == "__main__":
    sys.exit(main())
