"""Keep how far a run in progress is: its newest draft, under the id of the upload that all its drafts stem from.

No token is kept: whoever looks at an older draft of the run makes a link of their own of the newest one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from data.errors import DataError
from data.store import records, store

FOLDER = "progress"
_UPLOAD = re.compile(r"[0-9a-f]{32}", re.ASCII)


class RunProgress(NamedTuple):
    """Tell how far a run is.

    draft : its newest draft, as a link holds it. done, total : rows that have an answer, and all that are asked.
    ended : whether the run has come to its end, or was stopped. written : when, in seconds since 1970.
    """

    draft: Mapping[str, Any]
    done: int
    total: int
    ended: bool
    written: float


def write_progress(upload: str, progress: RunProgress) -> None:
    """Keep how far a run is.

    Raises
    ------
    DataError
        the store cannot be written, or the draft takes more than 64 kB.
    """
    with store.disk_errors():
        store.draft_place().write(_name(upload), records.encode(progress._asdict()))


def read_progress(upload: str) -> RunProgress | None:
    """Return how far the run of an upload is; None where it is no run in progress."""
    if not _UPLOAD.fullmatch(upload):
        return None
    try:
        return RunProgress(**records.decode(store.draft_place().read(_name(upload))))
    except (FileNotFoundError, DataError, TypeError):
        return None


def _name(upload: str) -> str:
    return f"{FOLDER}/{upload}.json"
