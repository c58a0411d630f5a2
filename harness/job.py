"""One model's run over the questions: from prompts to the file of predictions and its manifest."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from data.errors import DataError
from data.parser.parser import STANDARD, Parser
from data.reading.dispatch import hash_file
from harness.answers import ASKED_AGAIN, Answer
from harness.labels import LabelReader, LabelSets, LargestLogit, LogitsFromZero, ParsedLabels, ParsedSets
from harness.models import Model
from harness.predictions import (
    path_beside,
    predictions_table,
    versions,
    write_manifest,
    write_predictions,
)
from harness.prompts import Prompts
from harness.questions import Questions
from harness.records import Records
from harness.runner import Run
from harness.tally import Price, Progress, Tally
from text.numbers import count, write_moment
from text.quoting import cut

RECORDS = "records.jsonl"
MANIFEST = "manifest.json"


class Follow(Protocol):
    """Whoever watches a run while it goes on."""

    def is_due(self, rows: int) -> bool:
        """Return whether the predictions of so many rows shall be written now."""

    def show(self, path: Path, rows: int, total: int) -> None:
        """Show the predictions that were written."""


@dataclass(frozen=True)
class Job:
    """Describe what is asked, and what is made of the answers.

    prompts : None for a classifier, which reads the text alone.
    labels : the label list. until : stop once accuracy is known to ± this.
    order : places of the questions in the order in which they are asked; empty = file order.
    follow : who watches the predictions grow; None = nobody. several : whether an answer may hold several labels.
    about : what the manifest says of the data and of the sample.
    """

    questions: Questions
    prompts: Prompts | None
    labels: tuple[str, ...]
    output: Path
    parser: Parser = STANDARD
    price: Price | None = None
    until: float | None = None
    order: Sequence[int] = ()
    about: dict[str, Any] = field(default_factory=dict)
    follow: Follow | None = None
    several: bool = False


@dataclass(frozen=True)
class Result:
    """Sum up a run.

    problem : why it ended before all rows had an answer; "" = it did not.
    """

    output: Path
    tally: Tally
    notes: tuple[str, ...] = ()
    problem: str = ""


def run_job(job: Job, model: Model, name: str) -> Result:
    """Ask a model what is not recorded yet, and write the predictions.

    Raises
    ------
    DataError
        nothing could be asked or written at all.
    """
    begun, identity = time.time(), identity_of(job, model)
    with Records(path_beside(job.output, RECORDS), identity) as records:
        hashes = [] if job.prompts is None else job.questions.hashes(without=job.prompts.hidden)
        run = Run(render_of(job), len(job.questions.table), model, records, identity, job.order, hashes)
        read = reader_of(job, model)
        truths = job.questions.truths()
        truths = read.truths(truths) if isinstance(read, LabelSets) else truths
        writer = _Writer(job, model, run, read, truths, begun)
        n_known = run.n_known
        follow = None if job.follow is None else lambda tally: _show_so_far(job, writer, tally)
        tally, problem = ask_rows(run, Tally(truths, read), Progress(name, run.n, job.price), job.until, follow)
        writer.write(tally, whole=not problem)
        return Result(job.output, tally, tuple(_notes(job, run, tally, n_known)), problem)


def _show_so_far(job: Job, writer: _Writer, tally: Tally) -> None:
    """Write the predictions of a run in progress, if whoever watches it wants them now."""
    if job.follow is not None and job.follow.is_due(tally.rows):
        writer.write(tally, whole=False)
        job.follow.show(job.output, tally.rows, writer.run.n)


def ask_rows(
    run: Run,
    tally: Tally,
    progress: Progress,
    until: float | None = None,
    follow: Callable[[Tally], None] | None = None,
) -> tuple[Tally, str]:
    """Ask what is not recorded yet, counting; returns the counts, and why it ended early, or "".

    until : stop once accuracy is known to ± this. follow : told the counts after every answer.

    Raises
    ------
    DataError
        not one row has an answer.
    """
    answers, problem = run.records.answers, ""

    def watch(places: list[int], recorded: bool) -> bool:
        tally.add([(place, answers[run.keys[place]]) for place in places], recorded=recorded)
        progress.show(tally)
        if follow is not None:
            follow(tally)
        return until is None or not tally.is_known_to(until)

    try:
        run.start(watch)
    except KeyboardInterrupt:
        problem = "Stopped by you; the same command continues from here."
    except DataError as error:
        if not tally.rows:
            raise
        problem = str(error)
    known = [(place, answer) for place in range(run.n) if (answer := run.answer(place)) is not None]
    tally.recount(known)
    progress.show(tally, last=True)
    if known and not problem and not any(answer.is_final for _, answer in known):
        problem = _describe_silence(run.identity, known[0][1])
    return tally, problem


def _describe_silence(identity: dict[str, Any], answer: Answer) -> str:
    """Return why no row has an answer, although nothing ended the run."""
    model = identity.get("server", identity["model"])
    reason = f"{answer.error}: {cut(answer.detail, 80)}"
    return f"No row was answered as a model does by {model} ({reason}). Check it, then run the same command again."


def identity_of(job: Job, model: Model) -> dict[str, Any]:
    """Return what makes an answer another answer: the model, its settings, the prompt, the label list, the shots."""
    return {**model.identity, **(job.prompts.digests if job.prompts is not None else {})}


def reader_of(job: Job, model: Model) -> LabelReader:
    """Return what reads labels from this model's answers."""
    if model.labels is None:
        return (ParsedSets if job.several else ParsedLabels)(job.labels, job.parser)
    return LogitsFromZero(model.labels) if model.multilabel else LargestLogit(model.labels)


def render_of(job: Job) -> Callable[[int], str]:
    """Return what makes the prompt of the row at a place; of a classifier it is the text alone."""
    texts = job.questions.texts()
    if job.prompts is None:
        return texts.__getitem__
    questions, prompts = job.questions, job.prompts
    return lambda place: prompts.render(questions.row(place), texts[place])


def _notes(job: Job, run: Run, tally: Tally, n_known: int) -> list[str]:
    """Return what was done besides asking."""
    notes = run_notes(run, tally, n_known)
    if job.until is not None and tally.rows < run.n and tally.is_known_to(job.until):
        left = run.n - tally.rows
        notes.append(f"Accuracy is known to ± {job.until:g} after {count(tally.rows)}; {left:,} were not asked.")
    return notes


def run_notes(run: Run, tally: Tally, n_known: int) -> list[str]:
    """Return what became of the prompts: recorded before, torn, shared, failed, cut.

    n_known : prompts that an earlier run had answered.
    """
    notes = []
    if n_known:
        notes.append(f"Answered by an earlier run and not asked again: {count(n_known)}.")
    if run.records.n_torn:
        notes.append(f"Left out of the records, because a crash had cut them: {count(run.records.n_torn, 'line')}.")
    if run.n_shared:
        notes.append(f"{count(run.n_shared)} shared the prompt of another row: each prompt was asked once.")
    for reason, n in sorted(tally.errors.items()):
        again = "; the same command asks again" if reason in ASKED_AGAIN else ""
        notes += [f"{count(n)} without a usable answer: {reason}{again}."] if reason else []
    answers = [answer for place in range(run.n) if (answer := run.answer(place)) is not None]
    if n_cut := sum(answer.finish == "length" for answer in answers):
        notes.append(f"{count(n_cut, 'answer')} ended at --max-tokens; a label may be cut off.")
    return notes


@dataclass
class _Writer:
    """Write the file of predictions and the manifest, as far as the run has come."""

    job: Job
    model: Model
    run: Run
    read: LabelReader
    truths: Sequence[str]
    begun: float

    def write(self, tally: Tally, *, whole: bool) -> None:
        """Write both; `whole` : whether the run came to its end."""
        known = [(place, answer) for place in range(self.run.n) if (answer := self.run.answer(place)) is not None]
        if not known:
            return
        answers = [answer for _, answer in known]
        table = predictions_table(
            self.job.questions, [place for place, _ in known], answers, self.read(answers),
            truths=self.truths, logits_of=self.model.labels, several=self.job.several,
        )  # fmt: skip
        write_predictions(table, self.job.output, self._inside())
        write_manifest(path_beside(self.job.output, MANIFEST), self._manifest(tally, answers, whole))

    def _inside(self) -> dict[str, Any]:
        """Return what is the same whenever the same is run."""
        job = self.job
        labels = list(self.model.labels or job.labels)
        record = {"identity": identity_of(job, self.model), "labels": labels, **job.about}
        if job.prompts is not None:
            read = {} if job.several else {"parser": job.parser.to_json()}  # the file holds what was read
            record |= {"template": job.prompts.source, **read}
            record["few_shots"] = [shot._asdict() for shot in job.prompts.shots]
        return record

    def _manifest(self, tally: Tally, answers: Sequence[Answer], whole: bool) -> dict[str, Any]:
        price, models = self.job.price, Counter(answer.model for answer in answers if answer.model)
        return {
            "format": "blindspot run 1",
            **self._inside(),
            "model_facts": self.model.facts,
            "answered_by": dict(models),
            "versions": versions(),
            "begun": write_moment(self.begun),
            "written": write_moment(time.time()),
            "whole": whole and tally.rows == self.run.n,
            "rows": self.run.n,
            "rows_answered": len(answers),
            "errors": {reason: n for reason, n in tally.errors.items() if reason},
            "input_tokens": tally.input_tokens,
            "output_tokens": tally.output_tokens,
            "cost": None if price is None else price.cost(tally.input_tokens, tally.output_tokens),
            "currency": None if price is None else price.currency,
            "predictions": {"name": self.job.output.name, "sha256": hash_file(self.job.output)},
        }
