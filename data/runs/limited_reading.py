"""Read uploads, find what they hold and build the evaluation, all in one limited process.

The server's own process then touches only canonical tables and checked arrays that the child wrote.
"""

from __future__ import annotations

import dataclasses
import os
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from data import environment
from data.errors import ChoiceNeeded, DataError, Guess, RolesNeeded, ScoresUnusable
from data.evaluation import Evaluation, FileFacts, Settings, as_tuples
from data.limits import FILE_NAME_CHARS
from data.parser.parser import read_parser
from data.process.child_process import Words, run_limited, start_ahead
from data.process.limits import Limits, Progress
from data.reading.options import ReadOptions
from data.reading.reading_job import read_facts
from data.runs.draft import Given, Understood
from data.store import evaluation_file, store
from text.quoting import show_file_name, write_line

_UNDERSTAND = "data.runs.understanding:work"
_REHEARSE = "data.runs.rehearsal:rehearse"
READER = "data.reading.dispatch:read_table"
PLACES = threading.BoundedSemaphore(4)
"""So many uploads are read at once."""

READING = Words(
    too_long="Reading {what} took longer than {seconds:,.0f} seconds and was stopped; upload a smaller file, or "
    "{seconds_hint}.",
    too_much_cpu="Reading {what} took more than {seconds:,} seconds of computing and was stopped; upload less, or "
    "{seconds_hint}.",
    memory="Reading {what} needs more memory than one upload may use; upload fewer rows or columns, or {memory_hint}.",
    killed="Reading {what} was stopped by the system, most likely for lack of memory; upload a smaller file.",
    crashed="{what} made the reader crash, so nothing of it was kept; write the file again, best as plain CSV.",
    failed="{what} could not be read because of a mistake in the reader; it was noted in the server's log.",
    garbled="The reader of {what} gave an answer that makes no sense, so nothing was kept; try again.",
    silent="The reader of {what} ended without an answer, so nothing was kept; try again.",
    full="The server's disk is full, so {what} could not be kept; try again, or tell whoever runs the server.",
    busy="The server is reading other files at the moment; try again in a minute.",
)
"""Sentences for every failure of reading."""


def prepare_to_read() -> None:
    """Start the process of an upload that may come, so that it has imported and rehearsed by then."""
    start_ahead(_UNDERSTAND, _REHEARSE)


def read_evaluation(paths: Sequence[Path], given: Given) -> Evaluation:
    """Read one file, or predictions and labels, without keeping anything: what the command line does.

    Raises
    ------
    DataError
        one sentence about what is wrong with a file, or with an option.
    """
    for path in paths:
        if not path.is_file():
            raise DataError(f"{path.name}: there is no such file.")
    with tempfile.TemporaryDirectory(prefix=store.SCRATCH) as name:
        understood = read_and_understand([(path, path.name) for path in paths], Path(name), given)[1]
    if understood.question is not None and understood.evaluation is None:
        raise ChoiceNeeded(understood.problem, *understood.question)
    if understood.guess is not None:
        raise RolesNeeded(understood.problem, understood.guess)
    if understood.evaluation is None:
        raise ScoresUnusable(understood.problem) if understood.without_scores else DataError(understood.problem)
    return understood.evaluation


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
    limits = dataclasses.replace(
        Limits.from_environment(), building_bytes=environment.value("BLINDSPOT_EVALUATION_MB") << 20
    )
    return _read_limited(  # type: ignore[no-any-return]
        _UNDERSTAND,
        sources,
        folder,
        given.how_to_read(len(sources), first=len(before)),
        lambda done: ([read_facts(values) for values in done["facts"]], _read_understood(done, folder)),
        limits,
        progress,
        given=given.to_json(),
        before=[(os.path.abspath(path), dataclasses.asdict(facts)) for path, facts in before],
    )


def read_table_alone(path: Path, folder: Path, options: Sequence[ReadOptions] = ()) -> tuple[pa.Table, FileFacts]:
    """Read one file in a child process without finding what it holds: rows to ask a model about, or ratings.

    Raises
    ------
    DataError
        the file cannot be read, or how reading it ended.
    """
    return _read_limited(  # type: ignore[no-any-return]
        "data.reading.reading_job:read_all",
        [(path, path.name)],
        folder,
        options,
        lambda done: (store.read_canonical(folder / "0.parquet"), read_facts(done[0])),
        Limits.from_environment(),
    )


def run_reading(job: str, sources: Sequence[tuple[Path, str]], read: Callable[[Any], Any], **more: Any) -> Any:
    """Have a job read files that keeps nothing of them; errors as `read_table_alone`."""
    return _read_limited(job, sources, Path(), (), read, Limits.from_environment(), **more)


def _read_limited(
    job: str,
    sources: Sequence[tuple[Path, str]],
    folder: Path,
    options: Sequence[ReadOptions],
    read: Callable[[Any], Any],
    limits: Limits,
    progress: Progress | None = None,
    **more: Any,
) -> Any:
    """Have a job read files in a child process; return what `read` makes of its answer. more : its other arguments."""
    what = ", ".join(show_file_name(name) for _, name in sources)
    arguments = {
        "files": [(os.path.abspath(path), name[-FILE_NAME_CHARS:]) for path, name in sources],
        "out": str(folder),
        "options": [choice.to_json() for choice in options],
        "reader": READER,
        **more,
    }
    done = run_limited(job, arguments, what=what, words=READING, places=PLACES, limits=limits, progress=progress)
    try:
        return read(done)
    except (TypeError, ValueError, KeyError, IndexError, OSError, MemoryError):
        raise DataError(write_line(READING.garbled.format(what=what))) from None


def _read_understood(done: dict[str, Any], folder: Path) -> Understood:
    evaluation = evaluation_file.read_evaluation(folder) if done["built"] else None
    guess = None if done["guess"] is None else Guess(**done["guess"])
    settings = Settings.from_json(done["settings"], read_parser(done["settings"]))
    without = bool(done["without_scores"])
    problem, comma = str(done["problem"]), str(done["comma"])
    return Understood(settings, problem, as_tuples(done["question"]), evaluation, guess, without, comma)
