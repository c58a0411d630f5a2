"""Readers that misbehave, for the sandbox to contain. No upload can name them: only the caller of `read_files` can."""

import json
import os
import signal
import sys
import time
from typing import Any, NoReturn


def crash(path: str, name: str, **_: Any) -> NoReturn:
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError


def abort_for_memory(path: str, name: str, **_: Any) -> NoReturn:
    os.write(2, b"memory allocation of 549755813888 bytes failed\n")
    os.abort()


def be_killed(path: str, name: str, **_: Any) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def sleep(path: str, name: str, **_: Any) -> NoReturn:
    time.sleep(600)
    raise AssertionError


def leave_a_child(path: str, name: str, **_: Any) -> NoReturn:
    child = os.fork()
    if child:
        with open(path, "w", encoding="utf-8") as file:
            file.write(str(child))
    time.sleep(600)
    raise AssertionError


def spin(path: str, name: str, **_: Any) -> NoReturn:
    while True:
        pass


def hoard(path: str, name: str, **_: Any) -> NoReturn:
    hoarded = []
    while True:
        hoarded.append(bytearray(64 << 20))


def write_garbage(path: str, name: str, *, progress: Any, **_: Any) -> NoReturn:
    os.write(_answer_pipe(), b"\xff\xfe{]\n")
    time.sleep(600)
    raise AssertionError


def write_without_end(path: str, name: str, **_: Any) -> NoReturn:
    while True:
        os.write(_answer_pipe(), b"x" * 65536)


def promise_too_much(path: str, name: str, **_: Any) -> NoReturn:
    os.write(_answer_pipe(), b'{"done": [{"name": "x"}]}\n')
    os._exit(0)


def say_nothing(path: str, name: str, **_: Any) -> NoReturn:
    os._exit(0)


def fail(path: str, name: str, **_: Any) -> NoReturn:
    raise KeyError(f"secret of {path}")


def print_and_read(path: str, name: str, **options: Any) -> Any:
    from data.reading.dispatch import read_table

    print("a library that prints")
    print("and complains", file=sys.stderr)
    return read_table(path, name, **options)


def look_around(path: str, name: str, **_: Any) -> NoReturn:
    from data.errors import DataError

    stdin_is_empty = os.read(0, 1) == b""
    raise DataError(
        json.dumps([sorted(os.environ), os.getsid(0) == os.getpid(), stdin_is_empty, sys.flags.no_user_site])
    )


def refuse_at_length(path: str, name: str, **_: Any) -> NoReturn:
    from data.errors import DataError

    raise DataError("line\none \u202e\x00" + "z" * 9_000)


def _answer_pipe() -> int:
    """The file descriptor that answers go out by: the one that is a pipe and neither 0, 1 nor 2."""
    for number in range(3, 64):
        try:
            os.fstat(number)
        except OSError:
            continue
        if os.readlink(f"/proc/self/fd/{number}").startswith("pipe:"):
            return number
    raise AssertionError
