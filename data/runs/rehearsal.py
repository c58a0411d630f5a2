"""Run the reading of an upload once before one comes, in the process that waits for it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pyarrow as pa

from data.limits import COLUMN_SAMPLE_ROWS
from data.process.limits import Limits
from data.reading.reading_job import read_facts, read_tables
from data.runs.draft import Given
from data.runs.limited_reading import READER
from data.runs.understanding import understand
from data.store import store
from data.store.evaluation_file import write_evaluation

_ROWS = "m{row},refund please,refund,refund,0.75\nn{row},new card,card,refund,0.5\n"


def rehearse() -> None:
    """Read a file of our own as `data.runs.understanding:work` reads uploads; what it holds is forgotten.

    What is imported and compiled on the way is there when an upload comes. The file has more rows than are looked at
    to judge a column, so that rows are drawn as from a large one.
    """
    with tempfile.TemporaryDirectory(prefix=store.SCRATCH) as folder:
        path = Path(folder) / "rehearsal.csv"
        rows = "".join(_ROWS.format(row=row) for row in range(COLUMN_SAMPLE_ROWS // 2 + 1))
        path.write_text(f"id,message,label,prediction,score\n{rows}", encoding="utf-8")
        arguments = {"files": [(str(path), path.name)], "out": folder, "reader": READER}
        ((table, facts),) = read_tables(arguments, Limits(), _report_nothing)
        understood = understand([table], [read_facts(facts)], Given())
        assert understood.evaluation is not None, understood.problem
        write_evaluation(understood.evaluation, Path(folder))
    del table, understood
    pa.default_memory_pool().release_unused()


def _report_nothing(stage: str, share: float) -> None:
    """Take what is reported of progress; nobody waits for a rehearsal."""
