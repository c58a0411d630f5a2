"""Read uploads, find what they hold and build the evaluation, all in one limited process.

The server's own process then touches only canonical tables and checked arrays that the child wrote.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from data import environment
from data.errors import DataError, Guess
from data.evaluation import Evaluation, FileFacts, Settings
from data.process.child_process import run_limited
from data.process.limits import Limits, Progress
from data.reading import sandbox
from data.runs.draft import Given
from data.store.evaluation_file import read_evaluation, write_evaluation
from data.store.store import read_canonical
from text.upload_text import file_name, sentence

_BUILDING = 0.95
"""The share of the work after which files are read."""


class Understood(NamedTuple):
    """The settings that were detected; why no evaluation can be built with them, and what to ask; or what was built.

    guess : the columns that fit best, where nothing says which is what.
    """

    settings: Settings
    problem: str
    question: tuple[str, tuple[str, ...]] | None
    evaluation: Evaluation | None
    guess: Guess | None = None


def read_and_understand(
    sources: Sequence[tuple[Path, str]],
    folder: Path,
    given: Given,
    progress: Progress | None = None,
    *,
    before: Sequence[tuple[Path, FileFacts]] = (),
) -> tuple[list[FileFacts], Understood]:
    """Read files and find what they are, in a child process.

    Parameters
    ----------
    sources : (path of the bytes, name they came under) for every file.
    folder : where the canonical tables will lie, as 0.parquet and 1.parquet; empty.
    before : canonical tables that stand before those of the files, with their facts.

    Returns
    -------
    The facts of every file that was read, and what all the tables are found to be.

    Raises
    ------
    DataError
        a file cannot be read, or how reading it ended.
    """
    what = ", ".join(file_name(name) for _, name in sources)
    options = given.how_to_read(len(sources), first=len(before))
    arguments = {
        "files": [(os.path.abspath(path), name[-sandbox.NAME_CHARS :]) for path, name in sources],
        "out": str(folder),
        "options": [one.to_json() for one in options],
        "reader": sandbox.READER,
        "given": given.to_json(),
        "before": [(os.path.abspath(path), dataclasses.asdict(facts)) for path, facts in before],
    }
    limits = dataclasses.replace(
        Limits.from_environment(), building_bytes=environment.value("BLINDSPOT_EVALUATION_MB") << 20
    )
    done = run_limited(
        "data.runs.limited_reading:work", arguments, what=what, words=sandbox.READING, places=sandbox.PLACES,
        limits=limits, progress=progress,
    )  # fmt: skip
    try:
        facts = [sandbox.facts_from(values) for values in done["facts"]]
        return facts, _understood(done, folder)
    except (TypeError, ValueError, KeyError, OSError):
        raise DataError(sentence(sandbox.READING.garbled.format(what=what))) from None


def _understood(done: dict[str, Any], folder: Path) -> Understood:
    question = None if done["question"] is None else (str(done["question"][0]), tuple(map(str, done["question"][1])))
    evaluation = read_evaluation(folder) if done["built"] else None
    guess = None if done["guess"] is None else Guess(**done["guess"])
    return Understood(Settings.from_json(done["settings"]), str(done["problem"]), question, evaluation, guess)


def work(arguments: dict[str, Any], limits: Limits, progress: Progress) -> dict[str, Any]:
    """Do it, in the child."""
    from data.process.worker import allow_building
    from data.reading.reading_job import read_all
    from data.runs.load import understood

    folder = Path(arguments["out"])
    found = read_all(arguments, limits, lambda stage, share: progress(stage, share * _BUILDING))
    progress("understanding", _BUILDING)
    allow_building(limits)
    before = [(read_canonical(path), sandbox.facts_from(values)) for path, values in arguments["before"]]
    read = [(read_canonical(folder / f"{i}.parquet"), sandbox.facts_from(values)) for i, values in enumerate(found)]
    tables, facts = zip(*before, *read, strict=True)
    said = understood(tables, facts, Given.from_json(arguments["given"]))
    if said.evaluation is not None:
        write_evaluation(said.evaluation, folder, written={"0.parquet": tables[0]} if len(tables) == 1 else {})
    return {
        "facts": found,
        "settings": said.settings.to_json(),
        "problem": said.problem,
        "question": said.question,
        "guess": said.guess and said.guess._asdict(),
        "built": said.evaluation is not None,
    }
