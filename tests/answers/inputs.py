"""Write the files that both trees are asked about, and the questions: samples, corpus and folders of one's own."""

import csv
import io
import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from data.samples import FOLDER, SAMPLES
from tests.corpus.case import SMALL
from tests.corpus.every import all_cases

JOBS = "jobs.json"
"""The list of jobs beside the files."""


class Job(NamedTuple):
    """One question to both trees: a command, or the pages of a sample.

    name : the path of its answers, without an ending. arguments : what is typed behind `cli.py`, in the folder of
    the files; none = the pages of the sample with this name. small : read with the limits of the corpus.
    """

    name: str
    arguments: tuple[str, ...] = ()
    small: bool = False


class _Sample(NamedTuple):
    """Options for one file: those of the reading, the column of predictions to change for a second run, columns
    to slice by, and a column of groups.
    """

    file: str
    options: tuple[str, ...] = ()
    changed: str = ""
    slices: tuple[str, ...] = ()
    group: str = ""


_LABELS = ("--label-set", "support-intents.labels.json")
_SAMPLES = (
    _Sample("screening.csv", ("--score", "p_cancer"), "p_cancer", ("age_band", "site,density"), "site"),
    _Sample("digits.csv", (), "predicted", ("ink",)),
    _Sample("support-intents.csv", _LABELS, "prediction"),
    _Sample("support-intents-first-400.csv", _LABELS, "prediction"),
    _Sample("movie-genres.csv", ("--scale", "logit"), "logit_drama"),
    _Sample("triage.csv", ("--score", "p_urgent_v1"), "p_urgent_v1", ("channel", "date"), "speaker"),
    _Sample("support-intents-llm.jsonl", _LABELS),
    _Sample("support-intents-run.parquet", _LABELS),
)
_RATERS = "anna,ben,chloe,dmitri,judge_large"


def write_inputs(folder: Path, extra: Sequence[Path] = (), wanted: Sequence[str] = ()) -> list[Job]:
    """Write every file below `folder`, and the list of jobs.

    extra : folders or files outside the repository. wanted : beginnings of names of jobs; none = every job.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pages = [Job(f"pages/{sample.key}") for sample in SAMPLES]
    jobs = [*_of_samples(folder), *pages, *_of_corpus(folder / "corpus"), *_of_folders(folder, extra)]
    if wanted:
        jobs = [job for job in jobs if job.name.startswith(tuple(wanted))]
    (folder / JOBS).write_text(json.dumps(jobs), encoding="utf-8")
    return jobs


def read_jobs(folder: Path) -> list[Job]:
    """Read back what `write_inputs` wrote."""
    lines = json.loads((folder / JOBS).read_text(encoding="utf-8"))
    return [Job(name, tuple(arguments), small) for name, arguments, small in lines]


def _of_samples(folder: Path) -> Iterator[Job]:
    for path in sorted(FOLDER.iterdir()):
        if path.suffix != ".py" and path.is_file():
            shutil.copy(path, folder)
    for sample in _SAMPLES:
        stem = f"samples/{sample.file}"
        slices = tuple(part for column in sample.slices for part in ("--slice", column))
        group = ("--group", sample.group) if sample.group else ()
        worst = ("--worst-slices", *slices, *group)
        yield from _both(f"{stem}/score", ("score", sample.file, *sample.options))
        yield from _both(f"{stem}/slices", ("score", sample.file, *sample.options, *worst))
        report = ("report", sample.file, *sample.options, *worst, "--output", "report.html")
        if sample.changed:
            other = f"changed-{sample.file}"
            (folder / other).write_text(change_column(folder / sample.file, sample.changed), encoding="utf-8")
            compared = ("compare", sample.file, other, *sample.options)
            yield from _both(f"{stem}/compare", compared)
            yield Job(f"{stem}/compare-markdown", (*compared, "--markdown"))
            report = (*report, "--compare", other)
        yield Job(f"{stem}/report", report)
    triage = ("score", "triage.csv", "--score", "p_urgent_v1", "--since", "date=2026-02-01")
    yield from _both("samples/triage.csv/drift", triage)
    ratings = ("agree", "answer-ratings.csv", "--raters", _RATERS, "--judge", "judge_large")
    yield from _both("samples/answer-ratings.csv/agree", ratings)
    yield from _both("samples/plan", ("plan", "--accuracy", "0.85", "--difference", "0.02"))


def _both(name: str, arguments: tuple[str, ...]) -> Iterator[Job]:
    """Ask for a person and for a program."""
    yield Job(name, arguments)
    yield Job(f"{name}-json", (*arguments, "--json"))


def change_column(path: Path, column: str) -> str:
    """Return a file in which every seventh row has the value of the row above in one column: a second model."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    place = rows[0].index(column)
    values = [row[place] for row in rows]
    for number in range(2, len(rows)):
        if number % 7 == 0:
            rows[number][place] = values[number - 1]
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _of_corpus(folder: Path) -> Iterator[Job]:
    for number, case in enumerate(all_cases()):
        content = case.made()
        if len(content) <= SMALL.n_bytes:
            place = folder / f"{number:03}"
            place.mkdir(parents=True)
            (place / case.upload).write_bytes(content)
            file = f"corpus/{number:03}/{case.upload}"
            yield Job(f"corpus/{number:03}", ("score", file, "--json", *case.options), small=True)


def _of_folders(folder: Path, extra: Sequence[Path]) -> Iterator[Job]:
    for top in extra:
        files = sorted(path for path in top.rglob("*") if path.is_file()) if top.is_dir() else [top]
        for path in files:
            name = f"files/{path.relative_to(top.parent)}"
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
            yield from _both(f"{name}/score", ("score", name))
