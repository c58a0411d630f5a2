"""Write a file of an evaluation in a limited process of its own, and keep it until it was downloaded."""

from __future__ import annotations

import dataclasses
import errno
import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from data import environment
from data.errors import DataError
from data.evaluation import Evaluation
from data.process.child_process import Words, run_limited
from data.process.limits import Limits, Progress
from data.rows.made_files import MadeFile, keep
from data.store import store
from data.store.evaluation_file import read_evaluation, write_evaluation

_AT_ONCE = threading.BoundedSemaphore(2)
_OUT, _OPTIONS, _ROWS = "out", "options.json", "rows.npy"

EXPORTING = Words(
    too_long="Writing {what} took longer than {seconds:,.0f} seconds and was stopped; choose fewer rows, or "
    "{seconds_hint}.",
    too_much_cpu="Writing {what} took more than {seconds:,} seconds of computing and was stopped; choose fewer rows, "
    "or {seconds_hint}.",
    memory="Writing {what} needs more memory than one download may use; choose fewer rows, or {memory_hint}.",
    killed="Writing {what} was stopped by the system, so there is no file; try again, or choose fewer rows.",
    crashed="Writing {what} crashed, so there is no file; choose fewer rows, or another kind of file.",
    failed="{what} could not be written because of a mistake in Blindspot; it was noted in the server's log.",
    garbled="Writing {what} gave an answer that makes no sense, so there is no file; try again.",
    silent="Writing {what} ended without an answer, so there is no file; try again.",
    full="The server's disk is full, so {what} could not be written; try again, or tell whoever runs the server.",
    busy="The server is writing other files at the moment; try again in a minute.",
)
"""Sentences for every failure of writing."""


def make_file(
    evaluation: Evaluation,
    writer: str,
    name: str,
    *,
    run: str,
    rows: np.ndarray | None = None,
    options: Mapping[str, Any] | None = None,
) -> MadeFile:
    """Have a file written in a child process, and keep it on the disk for a while.

    Parameters
    ----------
    writer : "module:function" called with (evaluation, path, options, rows, progress); never from a user.
    name : what the file is called when it is downloaded.
    run : the link in view; once it opens nothing any more, the file is not handed out either.
    rows : positions of the rows that go in; None = none are chosen.
    options : JSON-able.

    Raises
    ------
    DataError
        one sentence: the file would be too large, or how writing it ended. Nothing is left behind then.
    """
    try:
        with store.scratch() as folder:
            write_evaluation(evaluation, folder)
            np.save(folder / _ROWS, np.arange(0) if rows is None else rows, allow_pickle=False)
            (folder / _OPTIONS).write_text(json.dumps(dict(options or {})), encoding="ascii")
            run_limited(
                "data.rows.limited_export:work",
                {"folder": str(folder), "writer": writer},
                what=name,
                words=EXPORTING,
                places=_AT_ONCE,
                limits=_limits(),
            )
            return keep(folder / _OUT, name, run)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise DataError(EXPORTING.full.format(what=name)) from None


def _limits() -> Limits:
    """Return the limits of reading, with the size of the file in place of that of an upload."""
    seconds, most = environment.value("BLINDSPOT_SECONDS"), environment.value("BLINDSPOT_EXPORT_MB") << 20
    return dataclasses.replace(Limits.from_environment(), cpu_seconds=seconds, expanded_bytes=most)


def work(arguments: dict[str, Any], limits: Limits, progress: Progress) -> int:
    """Write the file, in the child; returns its size."""
    from data.process.worker import function_of

    folder = Path(arguments["folder"])
    evaluation, rows = read_evaluation(folder), np.load(folder / _ROWS, allow_pickle=False)
    options = json.loads((folder / _OPTIONS).read_text(encoding="ascii"))
    function_of(arguments["writer"])(evaluation, folder / _OUT, options, rows, progress)
    return (folder / _OUT).stat().st_size
