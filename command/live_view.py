"""Show a run in progress in the app: its predictions so far become drafts, and the page goes on to the newest."""

from __future__ import annotations

import dataclasses
import secrets
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from command import open_file
from data.errors import DataError
from data.runs import load
from data.runs.draft import Given, pack_draft
from data.store.run_progress import RunProgress, write_progress

_SOONEST, _LATEST, _GROWTH = 5.0, 60.0, 1.1
"""Seconds between two drafts, at least and at most, and how much longer the newer one is in between."""


class LiveView:
    """Publish the predictions of one run; the browser opens with the first of them.

    given : how the predictions are read. tell : prints sentences. servers : what it is left with, a server ends.
    """

    def __init__(self, given: Given, tell: Callable[[Sequence[str]], None], servers: ExitStack) -> None:
        self._given, self._tell, self._servers, self._upload = given, tell, servers, secrets.token_hex(16)
        self._rows, self._time = 0, 0.0
        self._shown: tuple[str, subprocess.Popen[bytes] | None] | None = None
        self.problem = ""
        open_file.require_server()

    def is_due(self, rows: int) -> bool:
        """Return whether the predictions shall be written now: soon at first, then as the file grows."""
        waited = time.monotonic() - self._time
        grown = rows >= _GROWTH * self._rows and waited >= _SOONEST
        return not self.problem and rows > self._rows and (not self._rows or grown or waited >= _LATEST)

    def show(self, path: Path, rows: int, total: int, *, ended: bool = False) -> None:
        """Keep the predictions as the newest draft; what fails is told, and the run goes on without a page."""
        try:
            draft = load.read_draft([(path, path.name)], self._given)
            kept = dataclasses.replace(draft, upload=self._upload)
            write_progress(self._upload, RunProgress(pack_draft(kept.to_json()), rows, total, ended, time.time()))
            if self._shown is None:
                self._shown = self._servers.enter_context(open_file.server_for(load.keep(kept), browser=True))
                self._tell([f"The run is shown at {self._shown[0]} while it goes on."])
        except DataError as error:
            self.problem = str(error)
            self._tell([f"The page is not kept up to date: {error}"])
        self._rows, self._time = rows, time.monotonic()

    def end(self, path: Path, rows: int, total: int) -> str:
        """Publish the last predictions, and wait until the server is stopped; returns the address where one ran."""
        self.show(path, rows, total, ended=True)
        return "" if self._shown is None else open_file.wait_for_end(*self._shown)
