"""Run a job in a short-lived process with limits: whatever happens there is a result or one sentence here.

`run_limited` starts `python -m data.process.worker`, follows its progress, and ends it when its time is up. Whatever
happens to it becomes what the job returned, or one `DataError`.
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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

from data.bad_rows import read_error
from data.environment import VARIABLES, raise_it
from data.errors import DataError, NotNow
from data.limits import MAX_CHILD_ANSWER_BYTES, MAX_CHILD_LOG_BYTES, MAX_CHILD_WAIT_SECONDS, QUEUE_SECONDS
from data.process.limits import Limits, Progress, ignore_progress
from text.quoting import write_line

_ROOT = Path(__file__).resolve().parents[2]
_LOG = logging.getLogger(__name__)
_NO_MEMORY_FOR_THREAD = 127  # the C library's way to end when a new thread's memory is refused
_NO_MEMORY_SAID = (b"std::bad_alloc", b"memory allocation of")  # the last words of C++ and of Rust
_MEMORY_SHARE = 0.6
_ARENA_KIB = "65536"
_started_ahead: dict[str, _Waiting] = {}  # by job
_ahead = threading.Lock()
_HINTS = {"seconds_hint": raise_it("BLINDSPOT_SECONDS"), "memory_hint": raise_it("BLINDSPOT_READING_MB")}
_SETTINGS = tuple(name for name, variable in VARIABLES.items() if variable.unit)  # numbers only: no address, no secret


class _Waiting(NamedTuple):
    """A child that waits for a job: since when, and the environment that it was started in."""

    child: subprocess.Popen[bytes]
    since: float
    environment: dict[str, str]


@dataclass(frozen=True)
class Words:
    """The sentences that a job may end in; `{what}` stands for what it works on.

    too_long, too_much_cpu : `{seconds}` and `{seconds_hint}` besides. memory : `{memory_hint}` besides.
    full : the disk is full. busy : as many of these jobs run as may.
    """

    too_long: str
    too_much_cpu: str
    memory: str
    killed: str
    crashed: str
    failed: str
    garbled: str
    silent: str
    full: str
    busy: str


def run_limited(
    job: str,
    arguments: Mapping[str, Any],
    *,
    what: str,
    words: Words,
    places: threading.BoundedSemaphore,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Any:
    """Run a job in a child process and return its result, as JSON.

    Parameters
    ----------
    job : "module:function" that the child calls with the arguments, the limits and a progress; never from a user.
    arguments : JSON-able.
    what : what the job works on, for the sentences.
    places : how many of these jobs run at once; others wait for up to a minute.
    progress : called with a stage and the share done, 0 to 1, from this thread.

    Raises
    ------
    DataError
        One sentence of at most 400 characters: what the job refused, or how it ended.
    """
    bounds = _fitting(limits or Limits.from_environment())
    request = {"arguments": dict(arguments), "limits": dataclasses.asdict(bounds)}
    with _turn(places, words.busy):
        return _Run(what, words, bounds, progress or ignore_progress).answer_to(job, request)


def _fitting(limits: Limits) -> Limits:
    """Return the limits, with memory cut to what this machine has."""
    try:
        machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return limits
    return dataclasses.replace(limits, memory_bytes=min(limits.memory_bytes, int(machine * _MEMORY_SHARE)))


@contextlib.contextmanager
def _turn(places: threading.BoundedSemaphore, busy: str) -> Iterator[None]:
    if not places.acquire(timeout=QUEUE_SECONDS):
        raise NotNow(busy)
    try:
        yield
    finally:
        places.release()


class _Run:
    """One child from start to end."""

    def __init__(self, what: str, words: Words, limits: Limits, progress: Progress) -> None:
        self._what = what
        self._words = words
        self._limits = limits
        self._progress = progress
        self._final: dict[str, Any] | None = None
        self._log = b""
        self._garbled = False

    def answer_to(self, job: str, request: dict[str, Any]) -> Any:
        """Return what the job returned, or raise the DataError that fits how the child ended."""
        child = _take_started(job) or _start(job)
        try:
            in_time = self._follow(child, json.dumps(request).encode())
        finally:
            _end(child)
        if self._log:
            _LOG.warning("child process: %s", self._log.decode(errors="replace")[-MAX_CHILD_LOG_BYTES:])
        if not in_time:
            raise self._error(self._words.too_long, seconds=self._limits.wall_seconds)
        return self._done(child.returncode)

    def _error(self, text: str, **values: object) -> DataError:
        return DataError(write_line(text.format(what=self._what, **_HINTS, **values)))

    def _follow(self, child: subprocess.Popen[bytes], request: bytes) -> bool:
        """Send the request and hear the child out; False if it did not come to an end in time."""
        assert child.stdin and child.stdout and child.stderr
        deadline = time.monotonic() + self._limits.wall_seconds
        with contextlib.suppress(BrokenPipeError):
            child.stdin.write(request)
            child.stdin.close()
        with selectors.DefaultSelector() as selector:
            selector.register(child.stdout, selectors.EVENT_READ, _Lines(self._read_message))
            selector.register(child.stderr, selectors.EVENT_READ, self._note)
            while selector.get_map() and not self._garbled:
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                for key, _ in selector.select(left):
                    if not _drain(key.fileobj, key.data):  # type: ignore[arg-type]
                        selector.unregister(key.fileobj)
        return self._garbled or _has_ended(child, deadline)

    def _note(self, part: bytes) -> None:
        self._log = (self._log + part)[-MAX_CHILD_LOG_BYTES:]

    def _read_message(self, line: bytes | None) -> None:
        """Read one line from the child; None if it says more than it should."""
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

    def _done(self, status: int) -> Any:
        final = self._final or {}
        if self._garbled:
            raise self._error(self._words.garbled)
        if status < 0:
            raise self._ended_by(-status)
        if final.get("full"):
            _LOG.warning("child process: the disk is full")
            raise self._error(self._words.full)
        if final.get("memory"):
            raise self._error(self._words.memory)
        if "refused" in final:
            raise self._refusal(final)
        if status == _NO_MEMORY_FOR_THREAD:
            raise self._error(self._words.memory)
        if status != 0:
            raise self._error(self._words.failed)
        if "done" not in final:
            raise self._error(self._words.silent if not final else self._words.garbled)
        return final["done"]

    def _refusal(self, final: dict[str, Any]) -> DataError:
        try:
            return read_error(write_line(str(final["refused"])), final["details"])
        except (KeyError, TypeError, ValueError):
            return self._error(self._words.garbled)

    def _ended_by(self, number: int) -> DataError:
        if number == signal.SIGXCPU:
            return self._error(self._words.too_much_cpu, seconds=self._limits.cpu_seconds)
        if number == signal.SIGALRM:
            return self._error(self._words.too_long, seconds=self._limits.wall_seconds)
        if number == signal.SIGABRT and any(text in self._log for text in _NO_MEMORY_SAID):
            return self._error(self._words.memory)
        return self._error(self._words.killed if number == signal.SIGKILL else self._words.crashed)


class _Lines:
    """Cuts what a child writes into lines; calls back with None if that is far too large."""

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
        if self._n_bytes > MAX_CHILD_ANSWER_BYTES or (not part and self._rest):
            self._hear(None)


def _drain(pipe: IO[bytes], take: Any) -> bool:
    part = os.read(pipe.fileno(), 1 << 16)
    take(part)
    return bool(part)


def start_ahead(job: str, rehearsal: str | None = None) -> None:
    """Start the child of a job that will follow, so that it has imported by then; one waits for a job at most.

    It ends with this process, or when it has waited for `MAX_CHILD_WAIT_SECONDS`.

    rehearsal : what the child runs before it waits, so that nothing of the job runs for the first time.
    """
    with _ahead:
        if _waits(job):
            return
        try:
            _started_ahead[job] = _Waiting(_start(job, rehearsal), time.monotonic(), _environment())
        except OSError:  # too many processes, or too little memory: whoever has a job finds out
            _LOG.warning("no child process could be started ahead", exc_info=True)


def _take_started(job: str) -> subprocess.Popen[bytes] | None:
    """Return the child that was started ahead for a job, or None where none waits."""
    with _ahead:
        return _started_ahead.pop(job).child if _waits(job) else None


def _waits(job: str) -> bool:
    """Return whether a child waits for a job, and will for a while; end one that is of no use any more."""
    waiting = _started_ahead.get(job)
    if waiting is None:
        return False
    is_young = time.monotonic() < waiting.since + MAX_CHILD_WAIT_SECONDS / 2
    if is_young and waiting.child.poll() is None and waiting.environment == _environment():
        return True
    _end(_started_ahead.pop(job).child)
    return False


def _start(job: str, rehearsal: str | None = None) -> subprocess.Popen[bytes]:
    """Start the child of a job: the project's own code only (-E, -s), a bare environment, a session of its own."""
    functions = [job] if rehearsal is None else [job, rehearsal]
    return subprocess.Popen(
        [sys.executable, "-E", "-s", "-X", "utf8", "-m", "data.process.worker", *functions],
        cwd=_ROOT,
        env=_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _environment() -> dict[str, str]:
    keep = ("PATH", "SYSTEMROOT", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", *_SETTINGS)
    environment = {name: os.environ[name] for name in keep if name in os.environ}
    environment |= {"LC_ALL": "C.UTF-8", "MALLOC_ARENA_MAX": "2", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "4"}
    environment["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"  # fewer, larger pages: a tenth of the time of a large file
    environment["MIMALLOC_ARENA_RESERVE"] = _ARENA_KIB  # unasked it takes 1 GiB of the address space that it may use
    return environment


def _has_ended(child: subprocess.Popen[bytes], deadline: float) -> bool:
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
