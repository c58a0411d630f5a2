"""Ask models about the rows of a file, and write their predictions."""

from __future__ import annotations

import argparse
import dataclasses
import math
import os
import random
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from command import push
from command.file_options import add_skip_option
from command.open_file import LiveView
from command.option_files import label_set, parser_file
from data.errors import DataError
from data.labels.spelling import sort_labels
from data.parser.parser import STANDARD
from data.runs.draft import Given
from data.sharing.push_fields import Wanted
from data.version import COMMAND
from harness.backends.loading import import_ahead, open_model
from harness.estimate import dry_run
from harness.job import RECORDS, Job, Result, render_of, run_job
from harness.labels import label_sets
from harness.models import INSTALL, ModelName, Options, parse_model
from harness.predictions import check_output, path_beside
from harness.prompts import Prompts, Shot, check_text_used, draw_shots, read_template, single_braces, truth_in_prompts
from harness.questions import RANDOM, SAMPLES, Questions, read_questions, sample, warnings_of
from harness.tally import Price, read_price
from text.numbers import count
from text.quoting import quote
from text.visible import make_visible

_LOOKED_AT = 200
"""Rows whose prompts are looked at for warnings."""
_N_SHOTS = 5
"""Solved examples in a prompt, where nobody says how many."""


def add_command(commands: Any) -> None:
    """Add `run` to the command line."""
    parser = commands.add_parser(
        "run",
        help="ask a model about every row and write its predictions",
        description="Ask models about the rows of a file and write their predictions. The same command continues where "
        f"an earlier run ended. Models need {INSTALL}. docs/harness.md has examples.",
    )
    parser.add_argument("file", metavar="FILE", help="the rows to ask about: CSV, JSON lines, Parquet, Excel")
    parser.add_argument("--text", metavar="COL", required=True, help="column of the text to classify")
    parser.add_argument("--truth", metavar="COL", help="column of the true labels; it never reaches a prompt")
    parser.add_argument("--id", metavar="COL", help="column of the row's id (default: detected, else the row number)")
    parser.add_argument(
        "--label-set", metavar="FILE|a,b,c", help="the label list (default: the true labels of the whole file)"
    )
    parser.add_argument("--prompt", metavar="FILE", help="a Jinja2 template over text, row, labels and shots")
    parser.add_argument(
        "--shots", metavar="FILE", help="file of solved examples, with the same columns --text and --truth"
    )
    parser.add_argument(
        "--several",
        action="store_true",
        help="an answer may hold several labels, as a JSON list or with commas or lines between",
    )
    parser.add_argument(
        "--n-shots", metavar="N", type=int, help=f"number of examples to draw from it (default: {_N_SHOTS})"
    )
    add_skip_option(parser)
    add_model_options(parser)
    parser.add_argument("-o", "--output", metavar="FILE", default="predictions.parquet", help=".parquet or .csv")
    parser.add_argument("--limit", metavar="N", type=int, help="ask about N rows only")
    parser.add_argument("--sample", choices=SAMPLES, default=RANDOM, help=f"which N rows (default: {RANDOM})")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the sample and of the few shots")
    parser.add_argument("--parser", metavar="FILE", help="a JSON file of rules that read labels from answers")
    parser.add_argument(
        "--until-interval", metavar="W", type=float, help="stop once accuracy is known to ± W (0.03), at 95 %%"
    )
    parser.add_argument("--dry-run", action="store_true", help="print three prompts and an estimate; ask no model")
    parser.add_argument("--open", action="store_true", help="show the predictions in the browser while they grow")
    parser.add_argument("--push", metavar="URL", dest="to", help="send the predictions to a server and print the link")
    parser.add_argument("--name", default="", help="title of the link")
    parser.set_defaults(run=run, key=None, key_file=None, labels=None)  # `push` has options for these


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Add which models are asked, and how."""
    parser.add_argument(
        "--model",
        metavar="KIND:NAME",
        action="append",
        required=True,
        help="hf:NAME, openai:NAME@URL or classifier:NAME; repeatable, one file each. The key of a server comes from "
        "OPENAI_API_KEY",
    )
    parser.add_argument(
        "--max-tokens", metavar="N", type=int, default=16, help="the most tokens of one answer (default: 16)"
    )
    parser.add_argument("--concurrency", metavar="N", type=int, default=8, help="calls at a time (openai; default: 8)")
    parser.add_argument("--batch", metavar="N", type=int, default=32, help="rows at a time (hf and classifier)")
    parser.add_argument("--timeout", metavar="S", type=float, default=60.0, help="seconds for one call (default: 60)")
    parser.add_argument(
        "--prices", metavar="FILE", help='prices of a million tokens: {"NAME": {"input": 0.15, "output": 0.6}}'
    )
    parser.add_argument("--insecure", action="store_true", help="send the key over plain http to another machine")


def run(options: argparse.Namespace) -> tuple[str, str]:
    """Return what came out, model by model, and why a run ended early, if one did.

    Raises
    ------
    DataError
        one sentence about a file, an option, a model or its server.
    """
    names = model_names(options)
    outputs = output_files(Path(options.output), names)
    how_asked = model_options(options)
    _check(options)
    import_ahead(names)
    whole = _read_file(options, options.file, id=options.id)
    questions = sample(whole, options.limit, options.sample, options.seed)
    labels, notes = _labels(options, whole)
    prompts = _prompts(options, names, questions, labels)
    if not options.several:
        notes += warnings_of(questions, labels, whole.truths())
    if prompts is not None:
        notes += _check_prompts(prompts, questions, options)
    jobs = [
        _job(options, name, output, questions, prompts, labels) for name, output in zip(names, outputs, strict=True)
    ]
    if options.dry_run:
        notes += [_dry_run(job, name, how_asked) for job, name in zip(jobs, names, strict=True)]
        return "\n".join(notes), ""
    tell(notes)
    with ExitStack() as servers:
        live = LiveView(_reading_settings(options, labels), tell, servers) if options.open else None
        results = [
            run_job(dataclasses.replace(job, follow=live), open_model(name, how_asked), name.short)
            for job, name in zip(jobs, names, strict=True)
        ]
        lines, problem = _describe_results(options, results, jobs, labels)
        if live is None:
            return "\n".join(lines), problem
        tell([*lines, problem] if problem else lines)
        return live.end(results[0].output, results[0].tally.rows, len(questions.table)), problem


def _describe_results(
    options: argparse.Namespace, results: Sequence[Result], jobs: Sequence[Job], labels: tuple[str, ...]
) -> tuple[list[str], str]:
    """Return what came out, with the links of files that were pushed, and why a run ended early."""
    lines = [line for result, job in zip(results, jobs, strict=True) for line in describe_result(result, job.price)]
    problem = " ".join(result.problem for result in results if result.problem)
    if options.to and not problem:
        lines += [_push(options, result.output, labels) for result in results]
    return lines, problem


def _check(options: argparse.Namespace) -> None:
    """Refuse numbers that mean nothing, before a file is read."""
    if options.limit is not None and options.limit < 1:
        raise DataError("--limit must be 1 or more; leave it out to ask about every row.")
    if options.until_interval is not None and not 0 < options.until_interval < 0.5:
        raise DataError("--until-interval must lie between 0 and 0.5; write 0.03 for ± 3 points.")
    if options.until_interval is not None and options.truth is None:
        raise DataError("--until-interval needs the true labels; name their column with --truth.")
    if options.open and len(options.model) > 1:
        raise DataError(f"--open shows one file; name one --model, or show the files with {COMMAND} open FILE.")
    if options.n_shots is not None and not options.shots:
        raise DataError("--n-shots needs solved examples; name their file with --shots.")
    if options.n_shots is not None and options.n_shots < 1:
        raise DataError("--n-shots must be 1 or more; leave out --shots for none.")
    if options.to and not options.dry_run:
        push.require_server(options)


def model_options(options: argparse.Namespace) -> Options:
    """Return how models are asked; DataError where a number means nothing."""
    for name in ("max_tokens", "concurrency", "batch"):
        if getattr(options, name) < 1:
            raise DataError(f"--{name.replace('_', '-')} must be 1 or more.")
    if not (options.timeout > 0 and math.isfinite(options.timeout)):
        raise DataError("--timeout must be a number of seconds above 0.")
    return Options(options.max_tokens, options.concurrency, options.batch, options.timeout, options.insecure)


def model_names(options: argparse.Namespace) -> list[ModelName]:
    """Return the models, each once; DataError where one is none."""
    return list(dict.fromkeys(parse_model(text) for text in options.model))


def output_files(path: Path, names: Sequence[ModelName]) -> list[Path]:
    """Return a file for every model: the one that was named, or one beside it with the model's name in it.

    >>> [p.name for p in output_files(Path("p.csv"), [ModelName("hf", "a/b"), ModelName("hf", "c/b")])]
    ['p.b.csv', 'p.b-2.csv']
    """
    check_output(path)
    if len(names) == 1:
        return [path]
    return [path.with_name(f"{path.stem}.{short}{path.suffix}") for short in short_names(names)]


def short_names(models: Sequence[ModelName]) -> list[str]:
    """Return a short name for every model, each once.

    >>> short_names([ModelName("hf", "a/b"), ModelName("hf", "c/b")])
    ['b', 'b-2']
    """
    names: list[str] = []
    for model in models:
        name, place = model.short, 2
        while name in names:
            name, place = f"{model.short}-{place}", place + 1
        names.append(name)
    return names


def _labels(options: argparse.Namespace, whole: Questions) -> tuple[tuple[str, ...], list[str]]:
    """Return the label list, and the notes about it."""
    if options.label_set:
        return label_set(options.label_set), []
    if options.truth is None:
        raise DataError("There is no label list; name a file with --label-set, or the true labels with --truth.")
    truths = whole.truths()
    names = set(truths)
    if options.several:
        names = {name for members in label_sets(truths) for name in members or ()}
    labels = tuple(sort_labels(names - {""}))
    if not labels:
        raise DataError(
            f"Column {quote(options.truth)} is empty; name the column of the true labels, or a --label-set."
        )
    return labels, [f"The label list is the {count(len(labels), 'true label')} of the file; --label-set names another."]


def _prompts(
    options: argparse.Namespace, names: Sequence[ModelName], questions: Questions, labels: tuple[str, ...]
) -> Prompts | None:
    """Return the prompts, None where only classifiers are asked."""
    if all(name.kind == "classifier" for name in names):
        for option in ("prompt", "shots", "parser"):
            if getattr(options, option):
                raise DataError(f"--{option} is for language models, and a classifier gives no text; leave it out.")
        return None
    if not options.prompt:
        raise DataError("A language model needs a prompt; name the file of its template with --prompt.")
    hidden = () if options.truth is None else (options.truth,)
    path = Path(options.prompt)
    return Prompts(read_template(path), labels, _shots(options, questions), path.name, hidden)


def _read_file(options: argparse.Namespace, name: str, *, id: str | None = None) -> Questions:
    """Read rows to ask about, or solved examples, and tell which rows of the file were left out."""
    rows = read_questions(
        Path(name), text=options.text, truth=options.truth, id=id, skip_bad_rows=options.skip_bad_rows
    )
    tell(rows.facts.list_repairs())
    return rows


def _shots(options: argparse.Namespace, questions: Questions) -> tuple[Shot, ...]:
    if not options.shots:
        return ()
    if options.truth is None:
        raise DataError("Few shots need their labels; name the column with --truth.")
    solved = _read_file(options, options.shots)
    shots = list(map(Shot, solved.texts(), solved.truths()))
    drawn, left_out = draw_shots(shots, questions.texts(), options.n_shots or _N_SHOTS, options.seed)
    if left_out:
        tell([f"Left out of the few shots, because they are asked: {count(left_out, 'example')}."])
    return drawn


def _check_prompts(prompts: Prompts, questions: Questions, options: argparse.Namespace) -> list[str]:
    """Return warnings about the prompts of the first rows; DataError where they do not use the text."""
    texts = questions.texts()[:_LOOKED_AT]
    rows = [(questions.row(place), text) for place, text in enumerate(texts)]
    check_text_used(prompts, rows, options.text)
    warnings = [single_braces(prompts)]
    if not options.several:
        solved = zip(rows, questions.truths(), strict=False)
        warnings.append(truth_in_prompts(prompts, [(*row, truth) for row, truth in solved]))
    return [warning for warning in warnings if warning]


def _job(
    options: argparse.Namespace,
    name: ModelName,
    output: Path,
    questions: Questions,
    prompts: Prompts | None,
    labels: tuple[str, ...],
) -> Job:
    n = len(questions.table)
    about = {
        "data": {"name": questions.facts.name, "sha256": questions.facts.sha256, "rows": questions.n_file},
        "columns": {"text": questions.text, "truth": questions.truth, "id": questions.id},
        "sample": {"rows": n, "how": options.sample if n < questions.n_file else "all", "seed": options.seed},
    }
    price: Price | None = read_price(Path(options.prices), name.name) if options.prices else None
    order = random.Random(options.seed).sample(range(n), n) if options.until_interval else ()
    parser = parser_file(options.parser) if options.parser else STANDARD
    used = None if name.kind == "classifier" else prompts
    return Job(
        questions, used, labels, output, parser, price, options.until_interval, order, about,
        several=options.several and used is not None,
    )  # fmt: skip


def _dry_run(job: Job, name: ModelName, options: Options) -> str:
    prompts = list(map(render_of(job), range(len(job.questions.table))))
    return dry_run(prompts, name, options, path_beside(job.output, RECORDS), job.price)


def tell(sentences: Sequence[str]) -> None:
    """Print sentences to stderr before the run begins."""
    for sentence in sentences:
        print(make_visible(sentence), file=sys.stderr, flush=True)


def describe_result(result: Result, price: Price | None) -> list[str]:
    """Return the result of a run in words: its file, its counts, its notes."""
    head = f"{result.output}: {count(result.tally.rows)}, {result.tally.text(price)}".rstrip(", ")
    return [make_visible(line) for line in (head, *(f"  {note}" for note in result.notes))]


def _reading_settings(options: argparse.Namespace, labels: tuple[str, ...]) -> Given:
    """Return how the predictions are read, as if the file had been opened with the run's labels and parser."""
    parser = parser_file(options.parser) if options.parser and not options.several else None
    return Given(label_set=labels, parser=parser)


def _push(options: argparse.Namespace, path: Path, labels: tuple[str, ...]) -> str:
    """Send a file of predictions, and return the link."""
    wanted = Wanted(_reading_settings(options, labels), options.name or path.stem)
    made = push.push_file(options, os.fspath(path), wanted)
    return " ".join(push.describe_link(made)).strip()
