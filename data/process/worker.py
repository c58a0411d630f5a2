"""Run one job in this limited process: `python -m data.process.worker JOB [REHEARSAL]`.

`data.process.child_process` starts it. It imports the job and rehearses it, takes one request (JSON) on standard input,
confines itself, and runs the job. It says what happens as JSON lines on standard output: {"stage", "share"} while it
works, at the end one of {"done": anything}, {"refused": sentence, "details": what its error holds besides},
{"memory": true}, {"full": true} (the disk).
"""

from __future__ import annotations

import errno
import gc
import importlib
import json
import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any, TextIO

from data.limits import MAX_CHILD_REQUEST_BYTES, MAX_CHILD_WAIT_SECONDS

_OPEN_FILES = 64
_SECONDS_TO_SAY = 5  # at the soft CPU limit a process gets a signal that names it, at the hard one it is killed
_STEP = 0.01
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


def main() -> int:
    """Read one request and answer it. Exit status 0 with an answer, 1 without."""
    signal.alarm(MAX_CHILD_WAIT_SECONDS)  # `confine` sets another
    job, *rehearsals = map(function_of, sys.argv[1:])
    for rehearse in rehearsals:
        _rehearse(rehearse)
    gc.freeze()  # no collection goes through all that was imported again
    content = sys.stdin.buffer.read(MAX_CHILD_REQUEST_BYTES)
    if not content:  # whoever started this had no job after all
        return 0
    request = json.loads(content)
    answers = _private_streams()
    confine(request["limits"])
    try:
        _say(answers, done=_work(job, request, answers))
    except MemoryError:
        _say(answers, memory=True)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _DISK_FULL:
            _say(answers, full=True)
        elif _is_refusal(error):
            _say(answers, refused=str(error), details=error.details())  # type: ignore[attr-defined]
        else:
            raise
    return 0


def _rehearse(rehearsal: Callable[[], None]) -> None:
    """Run what goes before a job; what fails there is logged with the job, which may well succeed."""
    try:
        rehearsal()
    except Exception:
        traceback.print_exc()


def _work(job: Any, request: dict[str, Any], answers: TextIO) -> Any:
    """Run the job: a function of (arguments, limits, progress)."""
    from data.process.limits import Limits

    reported = ("", 0.0)

    def progress(stage: str, share: float) -> None:
        nonlocal reported
        done = min(max(share, 0.0), 1.0)
        if stage != reported[0] or done - reported[1] >= _STEP:
            reported = stage, done
            _say(answers, stage=stage, share=round(done, 3))

    return job(request["arguments"], Limits(**request["limits"]), progress)


def function_of(name: str) -> Any:
    """Return the function that "module:function" names; such a name never comes from a user."""
    module, function = name.split(":")
    return getattr(importlib.import_module(module), function)


def _private_streams() -> TextIO:
    """Send answers where nothing else is printed: a library that prints writes to standard error."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _say(answers: TextIO, **message: Any) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()


def confine(limits: dict[str, Any]) -> None:
    """Bound what this process may use; what exceeds it fails or is killed by the system.

    Address space is not bounded on macOS, where the wall and CPU limits remain.
    """
    memory, cpu = int(limits["memory_bytes"]), int(limits["cpu_seconds"])
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: cpu,
        resource.RLIMIT_FSIZE: 4 * int(limits["expanded_bytes"]),
        resource.RLIMIT_NOFILE: _OPEN_FILES,
    }
    if sys.platform != "darwin":
        wanted[resource.RLIMIT_AS] = memory
    for which, value in wanted.items():
        hard = resource.getrlimit(which)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        more = bound
        if which == resource.RLIMIT_CPU and bound == value:
            more += _SECONDS_TO_SAY
        if which == resource.RLIMIT_AS:
            more += int(limits.get("building_bytes", 0))
        resource.setrlimit(which, (bound, more if hard == resource.RLIM_INFINITY else min(more, hard)))
    signal.alarm(int(limits["wall_seconds"]) + 10)  # should the parent be gone


def allow_building(limits: Any) -> None:
    """Allow the memory that building an evaluation may take, once the uploads are read."""
    if sys.platform != "darwin":
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = soft + limits.building_bytes
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def _is_refusal(error: Exception) -> bool:
    from data.errors import DataError

    return isinstance(error, DataError)


if __name__ == "__main__":
    status = main()
    sys.stderr.flush()
    os._exit(status)  # nothing is left to tidy up, and taking a million rows apart takes its time
