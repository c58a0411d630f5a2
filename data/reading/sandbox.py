"""Read uploads in a short-lived process of their own: a bomb or a crash there is a sentence here."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data.evaluation import DataError, FileFacts
from data.process.child_process import Words, run_limited
from data.process.limits import Limits, Progress
from data.reading.options import ReadOptions
from data.store.store import read_canonical
from text.quoting import show_file_name, write_line

__all__ = ["Limits", "ReadResult", "read_canonical", "read_files"]

READER = "data.reading.dispatch:read_table"
PLACES = threading.BoundedSemaphore(4)
"""So many uploads are read at once."""
NAME_CHARS = 255

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
"""How reading may end."""


@dataclass(frozen=True)
class ReadResult:
    """One file, read: where its canonical table is, and how it was read."""

    table_path: Path
    facts: FileFacts


def read_files(
    paths: Sequence[tuple[str | os.PathLike[str], str]],
    out_dir: str | os.PathLike[str],
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
    options: Sequence[ReadOptions] = (),
    reader: str = READER,
) -> list[ReadResult]:
    """Read uploaded files in a child process.

    Parameters
    ----------
    paths : (path of the bytes, name it was uploaded under) for every file.
    out_dir : an empty folder for the canonical tables; the caller removes it.
    progress : called with a stage and the share done, 0 to 1, from this thread.
    options : how each file is to be read, as far as a person has said it: one for every file, or none at all.
    reader : "module:function" that reads one file; only tests choose another than `read_table`.

    Returns
    -------
    One result for every file, in order.

    Raises
    ------
    DataError
        One sentence of at most 400 characters: what is wrong with a file, or how reading it ended.

    Notes
    -----
    At most four files are read at once in this process; others wait for up to a minute.
    """
    what = ", ".join(show_file_name(name) for _, name in paths)
    arguments = {
        "files": [(os.path.abspath(path), name[-NAME_CHARS:]) for path, name in paths],
        "out": os.path.abspath(out_dir),
        "options": [one.to_json() for one in options],
        "reader": reader,
    }
    done = run_limited(
        "data.reading.reading_job:read_all",
        arguments,
        what=what,
        words=READING,
        places=PLACES,
        limits=limits,
        progress=progress,
    )
    try:
        facts = [facts_from(values) for values in done]
    except (TypeError, ValueError, KeyError):
        raise DataError(write_line(READING.garbled.format(what=what))) from None
    return [ReadResult(Path(out_dir) / f"{index}.parquet", found) for index, found in enumerate(facts)]


def facts_from(values: dict[str, Any]) -> FileFacts:
    """Return the facts of a file from JSON; TypeError where there are others."""
    lists = {"columns", "notes", "warnings"}
    tupled: dict[str, Any] = {key: tuple(value) if key in lists else value for key, value in values.items()}
    return FileFacts(**tupled)
