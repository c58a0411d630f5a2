"""The limited process: `python -m data.child`, started by `data.child_process`, the only place that parses uploads.

It takes one request (JSON) on standard input, confines itself, runs the job that the request names, and says what
happens as JSON lines on standard output: {"stage", "share"} while it works, at the end one of {"done": anything},
{"refused": sentence}, {"memory": true}, {"full": true} (the disk).
"""

from __future__ import annotations

import dataclasses
import errno
import importlib
import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any, TextIO

_MAX_REQUEST = 1 << 20
_OPEN_FILES = 64
_CPU_THREADS = 4
_SECONDS_TO_SAY = 5  # at the softer CPU limit a process is told which limit it was, at the harder it is killed
_STEP = 0.01
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


def main() -> int:
    """Read one request and answer it. Exit status 0 with an answer, 1 without."""
    request = json.loads(sys.stdin.buffer.read(_MAX_REQUEST))
    answers = _private_streams()
    confine(request["limits"])
    try:
        _say(answers, done=_work(request, answers))
    except MemoryError:
        _say(answers, memory=True)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _DISK_FULL:
            _say(answers, full=True)
        elif _is_refusal(error):
            _say(answers, refused=str(error))
        else:
            raise
    return 0


def _work(request: dict[str, Any], answers: TextIO) -> Any:
    """Run the job: a function of (arguments, limits, progress)."""
    from data.readers.limits import Limits

    said = ("", 0.0)

    def progress(stage: str, share: float) -> None:
        nonlocal said
        done = min(max(share, 0.0), 1.0)
        if stage != said[0] or done - said[1] >= _STEP:
            said = stage, done
            _say(answers, stage=stage, share=round(done, 3))

    return function_of(request["job"])(request["arguments"], Limits(**request["limits"]), progress)


def function_of(name: str) -> Any:
    """Return the function that "module:function" names; such a name never comes from a user."""
    module, function = name.split(":")
    return getattr(importlib.import_module(module), function)


class _WithoutPandas:
    """Arrow asks pandas about every Python value it is given, and importing pandas takes half a second."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Say that pandas is not there; leave everything else to others."""
        if name == "pandas":
            raise ModuleNotFoundError(name)


def _private_streams() -> TextIO:
    """Answers go where nothing else is printed: a library that prints writes to standard error. Nothing is read."""
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


def read_all(arguments: dict[str, Any], limits: Any, progress: Any) -> list[dict[str, Any]]:
    """Read files and write each as canonical Parquet; return the facts of every file."""
    sys.meta_path.insert(0, _WithoutPandas())
    import pyarrow as pa

    pa.set_cpu_count(min(_CPU_THREADS, os.cpu_count() or 1))
    return [_read_one(index, arguments, limits, progress) for index in range(len(arguments["files"]))]


def _read_one(index: int, arguments: dict[str, Any], limits: Any, progress: Any) -> dict[str, Any]:
    from data.readers.options import ReadOptions
    from data.store import write_canonical

    n_files = len(arguments["files"])
    path, name = arguments["files"][index]

    def of_all(stage: str, share: float) -> None:
        progress(stage, (index + min(max(share, 0.0), 1.0) * 0.9) / n_files)

    wishes = {"options": ReadOptions.from_json(arguments["options"][index])} if arguments.get("options") else {}
    table, facts = function_of(arguments["reader"])(path, name, limits=limits, progress=of_all, **wishes)
    of_all("writing", 1.0)
    write_canonical(table, Path(arguments["out"]) / f"{index}.parquet")
    return dataclasses.asdict(facts)


def _is_refusal(error: Exception) -> bool:
    from data.evaluation import DataError

    return isinstance(error, DataError)


if __name__ == "__main__":
    status = main()
    sys.stderr.flush()
    os._exit(status)  # nothing is left to tidy up, and taking a million rows apart takes its time
