"""Reading uploads in a short-lived process of their own: a bomb or a crash there is a sentence here.

`read_files` starts `python -m data.child`, follows its progress, ends it when its time is up, and turns whatever
happens to it into a result or one `DataError`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from data.environment import raise_it
from data.errors import NotNow
from data.evaluation import DataError, FileFacts
from data.readers.limits import Limits, Progress, no_progress
from data.readers.options import ReadOptions
from data.readers.wording import file_name, sentence
from data.store import read_canonical

__all__ = ["Limits", "ReadResult", "read_canonical", "read_files"]

READER = "data.readers:read_table"
_ROOT = Path(__file__).resolve().parent.parent
_LOG = logging.getLogger(__name__)
_AT_ONCE = threading.BoundedSemaphore(4)
_QUEUE_SECONDS = 60.0
_MAX_ANSWER = 32 << 20
_MAX_LOGGED = 8 << 10
_NAME_CHARS = 255
_NO_MEMORY_FOR_THREAD = 127  # the C library's way to end when a new thread's memory is refused
_NO_MEMORY_SAID = (b"std::bad_alloc", b"memory allocation of")  # the last words of C++ and of Rust
_MEMORY_SHARE = 0.6

_TOO_LONG = (
    "Reading {files} took longer than {seconds:,.0f} seconds and was stopped; upload a smaller file, or {seconds_hint}."
)
_TOO_MUCH_CPU = (
    "Reading {files} took more than {seconds:,} seconds of computing and was stopped; upload less, or {seconds_hint}."
)
_MEMORY = "Reading {files} needs more memory than one upload may use; upload fewer rows or columns, or {memory_hint}."
_KILLED = "Reading {files} was stopped by the system, most likely for lack of memory; upload a smaller file."
_CRASHED = "{files} made the reader crash, so nothing of it was kept; write the file again, best as plain CSV."
_FAILED = "{files} could not be read because of a mistake in the reader; it was noted in the server's log."
_GARBLED = "The reader of {files} gave an answer that makes no sense, so nothing was kept; try again."
_SILENT = "The reader of {files} ended without an answer, so nothing was kept; try again."
_BUSY = "The server is reading other files at the moment; try again in a minute."
_HINTS = {"seconds_hint": raise_it("BLINDSPOT_SECONDS"), "memory_hint": raise_it("BLINDSPOT_READING_MB")}


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
    reader : "module:function" that the child calls; only tests choose another than `read_table`.

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
    bounds = _fitting(limits or Limits.from_environment())
    run = _Run(", ".join(file_name(name) for _, name in paths), bounds, progress or no_progress)
    request = {
        "files": [(os.path.abspath(path), name[-_NAME_CHARS:]) for path, name in paths],
        "out": os.path.abspath(out_dir),
        "limits": dataclasses.asdict(bounds),
        "options": [one.to_json() for one in options],
        "reader": reader,
    }
    with _turn():
        facts = run.answer_to(request)
    return [ReadResult(Path(out_dir) / f"{index}.parquet", found) for index, found in enumerate(facts)]


def _fitting(limits: Limits) -> Limits:
    """The limits, with memory cut to what this machine has."""
    try:
        machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return limits
    return dataclasses.replace(limits, memory_bytes=min(limits.memory_bytes, int(machine * _MEMORY_SHARE)))


@contextlib.contextmanager
def _turn() -> Iterator[None]:
    if not _AT_ONCE.acquire(timeout=_QUEUE_SECONDS):
        raise NotNow(_BUSY)
    try:
        yield
    finally:
        _AT_ONCE.release()


class _Run:
    """One child from start to end."""

    def __init__(self, files: str, limits: Limits, progress: Progress) -> None:
        self._files = files
        self._limits = limits
        self._progress = progress
        self._final: dict[str, Any] | None = None
        self._log = b""
        self._garbled = False

    def answer_to(self, request: dict[str, Any]) -> list[FileFacts]:
        """The facts of every file, or the DataError that fits how the child ended."""
        child = _start()
        try:
            in_time = self._follow(child, json.dumps(request).encode())
        finally:
            _end(child)
        if self._log:
            _LOG.warning("reader: %s", self._log.decode(errors="replace")[-_MAX_LOGGED:])
        if not in_time:
            raise self._error(_TOO_LONG, seconds=self._limits.wall_seconds)
        return self._facts(child.returncode)

    def _error(self, text: str, **values: object) -> DataError:
        return DataError(sentence(text.format(files=self._files, **_HINTS, **values)))

    def _follow(self, child: subprocess.Popen[bytes], request: bytes) -> bool:
        """Send the request and hear the child out; False if it did not come to an end in time."""
        assert child.stdin and child.stdout and child.stderr
        deadline = time.monotonic() + self._limits.wall_seconds
        with contextlib.suppress(BrokenPipeError):
            child.stdin.write(request)
            child.stdin.close()
        with selectors.DefaultSelector() as selector:
            selector.register(child.stdout, selectors.EVENT_READ, _Lines(self._hear))
            selector.register(child.stderr, selectors.EVENT_READ, self._note)
            while selector.get_map() and not self._garbled:
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                for key, _ in selector.select(left):
                    if not _drain(key.fileobj, key.data):  # type: ignore[arg-type]
                        selector.unregister(key.fileobj)
        return self._garbled or _ended(child, deadline)

    def _note(self, part: bytes) -> None:
        self._log = (self._log + part)[-_MAX_LOGGED:]

    def _hear(self, line: bytes | None) -> None:
        """One line from the child; None if it says more than it should."""
        step = None
        try:
            message = json.loads(line or b"")
            if self._final is not None or not isinstance(message, dict):
                raise ValueError
            if "stage" in message:
                step = str(message["stage"])[:40], min(max(float(message["share"]), 0.0), 1.0)
            else:
                self._final = message
        except (ValueError, KeyError, TypeError, RecursionError):
            self._garbled = True
        if step:
            self._progress(*step)

    def _facts(self, status: int) -> list[FileFacts]:
        final = self._final or {}
        if self._garbled:
            raise self._error(_GARBLED)
        if status < 0:
            raise self._ended_by(-status)
        if "refused" in final:
            raise DataError(sentence(str(final["refused"])))
        if final.get("memory") or status == _NO_MEMORY_FOR_THREAD:
            raise self._error(_MEMORY)
        if status != 0:
            raise self._error(_FAILED)
        if "done" not in final:
            raise self._error(_SILENT if not final else _GARBLED)
        try:
            return [_facts_from(values) for values in final["done"]]
        except (TypeError, ValueError, KeyError):
            raise self._error(_GARBLED) from None

    def _ended_by(self, number: int) -> DataError:
        if number == signal.SIGXCPU:
            return self._error(_TOO_MUCH_CPU, seconds=self._limits.cpu_seconds)
        if number == signal.SIGALRM:
            return self._error(_TOO_LONG, seconds=self._limits.wall_seconds)
        if number == signal.SIGABRT and any(text in self._log for text in _NO_MEMORY_SAID):
            return self._error(_MEMORY)
        return self._error(_KILLED if number == signal.SIGKILL else _CRASHED)


class _Lines:
    """Cuts what a child writes into lines; calls back with None if that is beyond all measure."""

    def __init__(self, hear: Any) -> None:
        self._hear = hear
        self._rest = bytearray()
        self._n_bytes = 0

    def __call__(self, part: bytes) -> None:
        self._n_bytes += len(part)
        *lines, rest = part.split(b"\n")
        for line in lines:
            self._hear(bytes(self._rest + line))
            self._rest.clear()
        self._rest += rest
        if self._n_bytes > _MAX_ANSWER or (not part and self._rest):
            self._hear(None)


def _drain(pipe: IO[bytes], take: Any) -> bool:
    part = os.read(pipe.fileno(), 1 << 16)
    take(part)
    return bool(part)


def _start() -> subprocess.Popen[bytes]:
    """The child: the project's own code only (-E, -s), a bare environment, a session of its own."""
    keep = ("PATH", "SYSTEMROOT", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
    environment = {name: os.environ[name] for name in keep if name in os.environ}
    environment |= {"LC_ALL": "C.UTF-8", "MALLOC_ARENA_MAX": "2", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "4"}
    environment["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"  # fewer, larger pages: a tenth of the time of a large file
    return subprocess.Popen(
        [sys.executable, "-E", "-s", "-X", "utf8", "-m", "data.child"],
        cwd=_ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _ended(child: subprocess.Popen[bytes], deadline: float) -> bool:
    try:
        child.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return False
    return True


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the child and everything it started, and collect it. Until it is collected its number stays its own."""
    if child.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()


def _facts_from(values: dict[str, Any]) -> FileFacts:
    lists = {"columns", "notes", "warnings"}
    tupled: dict[str, Any] = {key: tuple(value) if key in lists else value for key, value in values.items()}
    return FileFacts(**tupled)
