"""Ask language models for verdicts on answers: one verdict a row, or two for a pair, in both orders."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from data.errors import DataError
from data.parser.parser import STANDARD, Parser
from data.reading.dispatch import hash_file
from harness.answers import Answer
from harness.job import MANIFEST, ask_rows, run_notes
from harness.labels import ParsedLabels
from harness.models import Model
from harness.predictions import path_beside, versions, write_manifest, write_predictions
from harness.prompts import Prompts
from harness.questions import Questions
from harness.records import Records
from harness.runner import Run
from harness.tally import Price, Progress, Tally
from metrics.shares import critical_value, wilson
from text.numbers import count, percent, write_moment
from text.quoting import quote

PAIR_LABELS = ("first", "second", "tie")
TIE, INCONSISTENT = "tie", "inconsistent"


@dataclass(frozen=True)
class Judging:
    """Describe what judges are asked.

    prompts : the rubric, a template over `row`, `labels` and, for pairs, `first` and `second`.
    labels : the verdicts; of pairs, the first two prefer the first and the second answer, any other is a tie.
    pairs : the two columns of answers; None = one verdict a row.
    human : the column of people's verdicts, to count agreement with.
    """

    questions: Questions
    prompts: Prompts
    labels: tuple[str, ...]
    output: Path
    pairs: tuple[str, str] | None = None
    human: str | None = None
    parser: Parser = STANDARD
    price: Price | None = None
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def n_prompts(self) -> int:
        """Return the prompts of one judge."""
        return len(self.questions.table) * (1 if self.pairs is None else 2)

    def prompt(self, place: int) -> str:
        """Return a prompt: of pairs, the rows in the order of the columns, then all of them in the other order."""
        n = len(self.questions.table)
        row = self.questions.row(place % n)
        if self.pairs is None:
            return self.prompts.render(row)
        first, second = self.pairs if place < n else self.pairs[::-1]
        return self.prompts.render(row, first=row[first], second=row[second])


@dataclass(frozen=True)
class Verdicts:
    """Hold what one judge said.

    labels : the verdict of every prompt; None = it was not asked, or its answer holds none.
    columns : what the file of verdicts gets. sentences : sentences on what came out. problem : why it
        ended early; empty = it did not.
    """

    name: str
    labels: list[str | None]
    columns: dict[str, pa.Array]
    sentences: tuple[str, ...]
    problem: str = ""


def ask_judge(judging: Judging, model: Model, name: str) -> Verdicts:
    """Ask one judge for every verdict that is not recorded yet.

    Raises
    ------
    DataError
        not one verdict could be had; or the model is a classifier.
    """
    if model.labels is not None:
        raise DataError("A judge is a language model; name hf:NAME or openai:NAME@URL.")
    read = ParsedLabels(judging.labels, judging.parser)
    identity = {**model.identity, **judging.prompts.digests, "pairs": list(judging.pairs or ())}
    with Records(path_beside(judging.output, f"{name}.records.jsonl"), identity) as records:
        run = Run(judging.prompt, judging.n_prompts, model, records, identity)
        n_known = run.n_known
        tally = Tally([""] * run.n, read)
        tally, problem = ask_rows(run, tally, Progress(name, run.n, judging.price))
        answers = [run.answer(place) for place in range(run.n)]
        read_labels = read([answer or Answer() for answer in answers])
        labels = [label if label in judging.labels else None for label in read_labels]
        columns, sentences = _columns(judging, name, labels, answers)
        head = f"{name}: {tally.text(judging.price)}"
        return Verdicts(name, labels, columns, (head, *sentences, *run_notes(run, tally, n_known)), problem)


def _columns(
    judging: Judging, name: str, labels: Sequence[str | None], answers: Sequence[Answer | None]
) -> tuple[dict[str, pa.Array], list[str]]:
    """Return the columns of one judge, and what came out."""
    n, verdict = len(judging.questions.table), f"verdict_{name}"
    if judging.pairs is None:
        columns = {verdict: labels, **_raw(verdict, answers)}
        final, sentences = list(labels), [_shares(labels)]
    else:
        first_model, second_model = judging.pairs
        ways = {f"{verdict}_{first_model}_first": slice(0, n), f"{verdict}_{second_model}_first": slice(n, 2 * n)}
        final = [_winner(judging, a, b) for a, b in zip(labels[:n], labels[n:], strict=True)]
        columns = {verdict: final}
        for way, part in ways.items():
            columns |= {way: labels[part], **_raw(way, answers[part])}
        sentences = [_shares(final), *_position(judging, labels)]
    if judging.human is not None:
        sentences += _agreement(judging.human, judging.questions.cells(judging.human), final)
    return {column: pa.array(values, pa.string()) for column, values in columns.items()}, sentences


def _raw(verdict: str, answers: Sequence[Answer | None]) -> dict[str, Sequence[str | None]]:
    texts = [answer.raw if answer else None for answer in answers]
    errors = [answer.error if answer and answer.error else None for answer in answers]
    return {f"{verdict}_answer": texts, f"{verdict}_error": errors}


def _winner(judging: Judging, in_order: str | None, swapped: str | None) -> str | None:
    """Return the column whose answer won in both orders; None where a verdict is missing.

    in_order, swapped : the verdicts with the first column's answer first, and with the second's.
    """
    if in_order is None or swapped is None or judging.pairs is None:
        return None
    first_model, second_model = judging.pairs
    first, second = judging.labels[:2]
    a = {first: first_model, second: second_model}.get(in_order, TIE)
    b = {first: second_model, second: first_model}.get(swapped, TIE)
    return a if a == b else INCONSISTENT


def _shares(verdicts: Sequence[str | None]) -> str:
    """Return how often each verdict came."""
    counts = Counter(verdict for verdict in verdicts if verdict is not None)
    n, missing = sum(counts.values()), sum(verdict is None for verdict in verdicts)
    parts = [f"{quote(label)} {k:,} ({percent(k / n)})" for label, k in counts.most_common()]
    return f"Verdicts: {', '.join(parts) or 'none'}" + (f"; {count(missing)} without one." if missing else ".")


def _position(judging: Judging, labels: Sequence[str | None]) -> list[str]:
    """Return how often a judge preferred whichever answer stood first, over both orders: without a bias, half."""
    first, second = judging.labels[:2]
    k, n = labels.count(first), labels.count(first) + labels.count(second)
    if not n:
        return []
    low, high = wilson(k, n, critical_value(0.95))
    wins = f"{k:,} of {n:,} preferences ({percent(k / n)}, 95 % interval {percent(low)} to {percent(high)})"
    if low > 0.5 or high < 0.5:
        way = "first" if k / n > 0.5 else "second"
        return [f"Position bias: the answer that stood first won {wins}; this judge favours the {way} place."]
    return [f"No position bias found: the answer that stood first won {wins}."]


def _agreement(human: str, people: Sequence[str], verdicts: Sequence[str | None]) -> list[str]:
    """Return how often a judge says what people say, where both say something."""
    both = [(rating, other) for rating, other in zip(people, verdicts, strict=True) if rating and other is not None]
    same = sum(rating == other for rating, other in both)
    if not both:
        return [f"No row has both a verdict and a label in {quote(human)}."]
    return [f"Agrees with {quote(human)} in {same:,} of {count(len(both))} ({percent(same / len(both))})."]


def write_verdicts(judging: Judging, judges: Sequence[Verdicts], models: Sequence[Model], begun: float) -> None:
    """Write the rows with every judge's columns behind their own, and the manifest.

    Raises
    ------
    DataError
        the file cannot be written.
    """
    table = judging.questions.table
    for verdicts in judges:
        for column, values in verdicts.columns.items():
            table = table.append_column(column, values)
    write_predictions(table, judging.output, None)
    manifest = {
        "format": "blindspot judge 1",
        "judges": [model.identity for model in models],
        "names": [verdicts.name for verdicts in judges],
        "rubric": judging.prompts.source,
        "labels": list(judging.labels),
        "pairs": list(judging.pairs or ()),
        "parser": judging.parser.to_json(),
        **judging.about,
        "versions": versions(),
        "begun": write_moment(begun),
        "written": write_moment(time.time()),
        "whole": not any(verdicts.problem for verdicts in judges),
        "verdicts": {"name": judging.output.name, "sha256": hash_file(judging.output)},
    }
    write_manifest(path_beside(judging.output, MANIFEST), manifest)


def check_columns(judging: Judging, names: Sequence[str]) -> None:
    """Raise DataError where the file has a column that a judge would write."""
    taken = [c for c in judging.questions.table.column_names for name in names if c.startswith(f"verdict_{name}")]
    if taken:
        file = judging.questions.facts.name
        raise DataError(f"{file} has a column {quote(taken[0])} already; rename it, or judge another file.")
