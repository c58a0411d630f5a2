"""Ask language models for verdicts on answers, and write them beside the rows."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from command.file_options import add_skip_option
from command.option_files import label_set, parser_file
from command.run import add_model_options, model_names, model_options, short_names, tell
from data.errors import DataError
from data.parser.parser import STANDARD
from harness.backends.loading import open_model
from harness.estimate import dry_run
from harness.judging import PAIR_LABELS, Judging, ask_judge, check_columns, write_verdicts
from harness.predictions import check_output, path_beside
from harness.prompts import Prompts, read_template
from harness.questions import RANDOM, Questions, read_questions, sample
from harness.tally import read_price
from text.numbers import count
from text.visible import make_visible


def add_command(commands: Any) -> None:
    """Add `judge` to the command line."""
    parser = commands.add_parser(
        "judge",
        help="ask models for verdicts on answers",
        description="Ask language models for a verdict on every row and write it beside the row. With --pairs two "
        "answers are compared in both orders. The same command continues where an earlier run ended.",
    )
    parser.add_argument("file", metavar="FILE", help="the file of answers, such as one that the command run wrote")
    parser.add_argument(
        "--rubric", metavar="FILE", required=True, help="a Jinja2 template over row, labels, first, second"
    )
    parser.add_argument(
        "--labels", metavar="FILE|a,b,c", help="the verdicts, such as good,bad (pairs: first,second,tie)"
    )
    parser.add_argument("--pairs", metavar="COL,COL", help="two columns of answers to compare, asked in both orders")
    parser.add_argument(
        "--human", metavar="COL", help="column of people's verdicts to compare with; it never reaches a prompt"
    )
    add_skip_option(parser)
    add_model_options(parser)
    parser.add_argument("-o", "--output", metavar="FILE", default="judged.parquet", help=".parquet or .csv")
    parser.add_argument("--parser", metavar="FILE", help="a JSON file of rules that read verdicts from answers")
    parser.add_argument("--limit", metavar="N", type=int, help="judge a random sample of N rows")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the random sample")
    parser.add_argument("--dry-run", action="store_true", help="print three prompts and an estimate; ask no model")
    parser.set_defaults(run=judge)


def judge(options: argparse.Namespace) -> tuple[str, str]:
    """Return what the judges said, and why one ended early, if one did.

    Raises
    ------
    DataError
        one sentence about a file, an option, a model or its server.
    """
    begun = time.time()
    models, asked = model_names(options), model_options(options)
    judging = _judging(options)
    names = short_names(models)
    check_columns(judging, names)
    prompts = [judging.prompt(place) for place in range(judging.n_prompts)]
    _warn(judging, prompts)
    if options.dry_run:
        paths = [path_beside(judging.output, f"{name}.records.jsonl") for name in names]
        parts = [dry_run(prompts, model, asked, path, judging.price) for model, path in zip(models, paths, strict=True)]
        return "\n".join(parts), ""
    opened = [open_model(model, asked) for model in models]
    verdicts_of_models = [ask_judge(judging, model, name) for model, name in zip(opened, names, strict=True)]
    write_verdicts(judging, verdicts_of_models, opened, begun)
    lines = [f"{judging.output}: {count(len(judging.questions.table))}"]
    lines += [f"  {line}" for verdicts in verdicts_of_models for line in verdicts.sentences]
    return "\n".join(map(make_visible, lines)), " ".join(
        verdicts.problem for verdicts in verdicts_of_models if verdicts.problem
    )


def _judging(options: argparse.Namespace) -> Judging:
    """Return what the options ask of the judges."""
    output, rubric = Path(options.output), Path(options.rubric)
    check_output(output)
    if options.limit is not None and options.limit < 1:
        raise DataError("--limit must be 1 or more; leave it out to judge every row.")
    pairs = _pairs(options.pairs) if options.pairs else None
    whole = read_questions(Path(options.file), skip_bad_rows=options.skip_bad_rows)
    tell(whole.facts.list_repairs())
    hidden = (options.human,) if options.human else ()
    for column in (*(pairs or ()), *hidden):
        whole.require(column)
    labels = _labels(options, pairs is not None)
    questions = sample(whole, options.limit, RANDOM, options.seed)
    return Judging(
        questions=questions,
        prompts=Prompts(read_template(rubric, "rubric"), labels, name=rubric.name, hidden=hidden),
        labels=labels,
        output=output,
        pairs=pairs,
        human=options.human,
        parser=parser_file(options.parser) if options.parser else STANDARD,
        price=read_price(Path(options.prices), model_names(options)[0].name) if options.prices else None,
        about=_about(whole, questions, options.seed),
    )


def _labels(options: argparse.Namespace, pairs: bool) -> tuple[str, ...]:
    if not options.labels:
        if not pairs:
            raise DataError("There are no verdicts; list them with --labels, such as --labels good,bad.")
        return PAIR_LABELS
    labels = label_set(options.labels)
    if len(labels) < 2:
        raise DataError("--labels needs two verdicts or more, such as good,bad.")
    return labels


def _pairs(text: str) -> tuple[str, str]:
    columns = text.split(",")
    if len(columns) != 2 or not all(columns) or columns[0] == columns[1]:
        raise DataError(f"--pairs {text!r} is no pair of columns; write --pairs answer_a,answer_b.")
    return columns[0], columns[1]


def _about(whole: Questions, questions: Questions, seed: int) -> dict[str, Any]:
    """Describe the file and the sample of it, for the file of verdicts: {"data": {…}, "sample": {…}}."""
    n = len(questions.table)
    return {
        "data": {"name": whole.facts.name, "sha256": whole.facts.sha256, "rows": whole.n_file},
        "sample": {"rows": n, "how": RANDOM if n < whole.n_file else "all", "seed": seed},
    }


def _warn(judging: Judging, prompts: Sequence[str]) -> None:
    if len(prompts) > 2 and len(set(prompts)) == 1:
        names = "{{ first }} and {{ second }}" if judging.pairs else "{{ row.answer }}"
        tell([f"Every prompt is the same: the rubric names no column; write {names} into it."])
