"""Name the other runs of a comparison, as they stand in an address."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from data.limits import MAX_OTHER_RUNS
from data.roles.search import names_in_block

COLUMNS = ("pred", "raw", "score", "scores")
"""Kinds of a run in the first run's file: a column of predicted labels, of raw answers or of one class's score;
or a block of columns, a score of every class, named by what their names share, such as b_p_*."""
RUN, PART = "run", "part"
"""A sample, an upload or a share link, by its token; and a run that a share link of a comparison holds, by place."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")


class RunName(NamedTuple):
    """One other run: its kind, and the column, token or place."""

    kind: str
    name: str


def names_column(run: RunName, column: str) -> bool:
    """Return whether a run is made of a column.

    >>> names_column(RunName("scores", "b_p_*"), "b_p_cat"), names_column(RunName("pred", "b"), "c")
    (True, False)
    """
    if run.kind != "scores":
        return run.kind in COLUMNS and run.name == column
    return bool(names_in_block(run.name, [column]))


def write_runs(runs: Sequence[RunName]) -> str:
    """Write runs for an address.

    >>> write_runs([RunName("pred", "model, b"), RunName("run", "digits")])
    'pred.model%2C%20b,run.digits'
    """
    return ",".join(f"{run.kind}.{quote(run.name, safe='')}" for run in runs)


def read_runs(text: str) -> tuple[RunName, ...]:
    """Read back what `write_runs` wrote; each run once.

    Raises
    ------
    ValueError
        a part names no run, or there are more than nine.
    """
    runs = []
    for part in filter(None, text.split(",")):
        kind, _, name = part.partition(".")
        run = RunName(kind, unquote(name))
        if not _is_run(run):
            raise ValueError("runs such as pred.COLUMN or run.LINK were wanted")
        runs.append(run)
    if len(runs) > MAX_OTHER_RUNS:
        raise ValueError(f"at most {MAX_OTHER_RUNS} other runs were wanted")
    return tuple(dict.fromkeys(runs))


def _is_run(run: RunName) -> bool:
    if run.kind == PART:
        return run.name.isascii() and run.name.isdigit() and len(run.name) < 3
    if run.kind == RUN:
        return bool(_TOKEN.fullmatch(run.name))
    return run.kind in COLUMNS and 0 < len(run.name) <= 1000
