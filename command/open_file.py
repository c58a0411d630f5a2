"""The command line's `open`: show a file, or a run in progress, in the server of this machine, without an upload."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import secrets
import subprocess
import sys
import time
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from command.file_options import add_file_options, read_given_options
from command.statistic_options import add_grouping_options
from data import environment
from data.errors import DataError
from data.local_addresses import is_loopback
from data.reading.epochs import pack_epochs
from data.runs import load
from data.runs.draft import Given, pack_draft
from data.store.run_progress import RunProgress, write_progress
from data.version import COMMAND
from web.limits import START_SECONDS
from web.site import this_site

SERVER = Path(__file__).resolve().parents[1] / "server.py"
_SOONEST, _LATEST, _GROWTH = 5.0, 60.0, 1.1
"""Seconds between two drafts, at least and at most, and how much longer the newer one is in between."""


def add_command(commands: Any) -> None:
    """Add `open` to the command line."""
    parser = commands.add_parser(
        "open",
        help="show a file in the browser",
        description="Show a predictions file in the browser, without an upload. Starts the server if none runs; "
        "Ctrl+C stops that server.",
    )
    add_file_options(parser)
    add_grouping_options(parser)
    parser.add_argument("labels_file", metavar="LABELS", nargs="?", help="a second file that holds the true labels")
    parser.add_argument("--no-browser", action="store_true", help="print the address only")
    parser.set_defaults(run=lambda options: (show(options), ""))


def show(options: argparse.Namespace) -> str:
    """Read the file, keep it where the server looks, and open its overview; returns the address.

    Raises
    ------
    DataError
        the file cannot be read, or no server of this machine can be handed it.
    """
    require_server()
    labels = options.labels or options.labels_file
    with pack_epochs(Path(options.file)) as predictions:
        files = [predictions, *([Path(labels)] if labels else [])]
        run = load.keep(load.read_draft([(path, path.name) for path in files], read_given_options(options)))
    with server_for(run, browser=not options.no_browser) as (address, server):
        return wait_for_end(address, server)


def require_server() -> None:
    """Refuse where no server of this machine can be handed a file, and take the store that it uses."""
    _require_local_server()
    _share_store()


@contextmanager
def server_for(run: str, *, browser: bool) -> Iterator[tuple[str, subprocess.Popen[bytes] | None]]:
    """Give the address of a run, and the server that was started for it; None = one ran. It ends with the block."""
    port = environment.value("PORT")
    page = "overview" if not load.draft_of(run).problem else ""
    address = f"{this_site().local_url(port)}/{page}?{urlencode({'run': run})}"
    if is_ours(port):
        _open(address, browser)
        yield address, None
        return
    start = [sys.executable, str(SERVER), "--port", str(port)]
    # in a session of its own: Ctrl+C or SIGTERM ends this command, which ends the server
    with subprocess.Popen(start, cwd=SERVER.parent, stdout=subprocess.DEVNULL, start_new_session=True) as server:
        try:
            _wait_for(server, port)
            _open(address, browser)
            yield address, server
        finally:
            server.terminate()


def wait_for_end(address: str, server: subprocess.Popen[bytes] | None) -> str:
    """Wait until Ctrl+C, where a server was started; returns the address where one ran."""
    if server is None:
        return address
    with suppress(KeyboardInterrupt):
        print(f"{address}\nPress Ctrl+C to stop the server.", flush=True)
        server.wait()
    return ""


def is_ours(port: int) -> bool:
    """Return whether a Blindspot answers at the port of this machine.

    Raises
    ------
    DataError
        another program has the port.
    """
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(f"{this_site().local_url(port)}/api/health", timeout=5) as answer:
            return "version" in json.loads(answer.read(10_000))
    except ConnectionRefusedError:
        return False
    except (OSError, ValueError) as error:
        if isinstance(getattr(error, "reason", None), ConnectionRefusedError):
            return False
        raise DataError(
            f"Another program answers at port {port}. Choose another one: PORT={port + 1} {COMMAND} open FILE"
        ) from None


def _share_store() -> None:
    """Take the store of the server, which runs in the project's folder, wherever the command is run."""
    store = environment.value("BLINDSPOT_STORE")
    if "://" not in store:
        os.environ["BLINDSPOT_STORE"] = str(SERVER.parent / store)


def _require_local_server() -> None:
    """Refuse where a server could not find what is kept here, or would open it to a network."""
    if environment.value("BLINDSPOT_DRAFT_HOURS") == 0:
        raise DataError(
            "Uploads are held in the server's memory only (BLINDSPOT_DRAFT_HOURS=0), so no file can be handed to it. "
            "Upload the file on the page Open."
        )
    if not is_loopback(this_site().address):
        raise DataError(
            f"The server listens at {this_site().address}, not on this machine only. Upload the file on the page Open."
        )


def _wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    """Wait until the server that was started answers."""
    last = time.monotonic() + START_SECONDS
    while not is_ours(port):
        if server.poll() is not None:
            raise DataError("The server did not start; its message stands above.")
        if time.monotonic() > last:
            raise DataError(
                f"The server did not answer within {START_SECONDS} seconds; look at the log above, or try again."
            )
        time.sleep(0.1)


def _open(address: str, browser: bool) -> None:
    if browser:
        webbrowser.open(address)


class LiveView:
    """Publish the predictions of one run; the browser opens with the first of them.

    given : how the predictions are read. tell : prints sentences. servers : what it is left with, a server ends.
    """

    def __init__(self, given: Given, tell: Callable[[Sequence[str]], None], servers: ExitStack) -> None:
        self._given, self._tell, self._servers, self._upload = given, tell, servers, secrets.token_hex(16)
        self._rows, self._time = 0, 0.0
        self._shown: tuple[str, subprocess.Popen[bytes] | None] | None = None
        self.problem = ""
        require_server()

    def is_due(self, rows: int) -> bool:
        """Return whether the predictions shall be written now: soon at first, then as the file grows."""
        waited = time.monotonic() - self._time
        grown = rows >= _GROWTH * self._rows and waited >= _SOONEST
        return not self.problem and rows > self._rows and (not self._rows or grown or waited >= _LATEST)

    def show(self, path: Path, rows: int, total: int, *, ended: bool = False) -> None:
        """Keep the predictions as the newest draft; if that fails, say so and go on without a page."""
        try:
            draft = load.read_draft([(path, path.name)], self._given)
            kept = dataclasses.replace(draft, upload=self._upload)
            write_progress(self._upload, RunProgress(pack_draft(kept.to_json()), rows, total, ended, time.time()))
            if self._shown is None:
                self._shown = self._servers.enter_context(server_for(load.keep(kept), browser=True))
                self._tell([f"The run is shown at {self._shown[0]} while it goes on."])
        except DataError as error:
            self.problem = str(error)
            self._tell([f"The page is not kept up to date: {error}"])
        self._rows, self._time = rows, time.monotonic()

    def end(self, path: Path, rows: int, total: int) -> str:
        """Publish the last predictions, and wait until the server is stopped; returns the address where one ran."""
        self.show(path, rows, total, ended=True)
        return "" if self._shown is None else wait_for_end(*self._shown)
