"""Measure how long something takes: at its best, in turns with others, or of a server's processor."""

import os
import resource
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple, TypeVar

Result = TypeVar("Result")


def fastest(work: Callable[[], Result], *, times: int) -> tuple[float, Result]:
    """Seconds of the quickest of several runs, and what the last of them gave."""
    seconds = []
    for _ in range(times):
        start = perf_counter()
        result = work()
        seconds.append(perf_counter() - start)
    return min(seconds), result


class Time(NamedTuple):
    """Hold seconds of the clock, and seconds of the processor with those of child processes that have ended."""

    wall: float
    cpu: float


def take_turns(*works: Callable[[], object], rounds: int) -> list[Time]:
    """Return the median times of each work; they run in turns, so that a busy moment of the machine meets all of them.

    On a machine with other work the clock says how busy it was: ratios of the processor's seconds compare.
    """
    times: list[list[Time]] = [[] for _ in works]
    for _ in range(rounds):
        for taken, work in zip(times, works, strict=True):
            wall, cpu = perf_counter(), cpu_seconds()
            work()
            taken.append(Time(perf_counter() - wall, cpu_seconds() - cpu))
    return [Time(median(one.wall for one in taken), median(one.cpu for one in taken)) for taken in times]


def cpu_seconds() -> float:
    """Return the processor seconds of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def server_seconds(pid: int) -> float:
    """Return the processor seconds of another process and of its children, living or ended, in steps of 10 ms."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    seconds = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return seconds + sum(server_seconds(child) for child in _children(pid))


def _children(pid: int) -> list[int]:
    children: list[int] = []
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread may end while we look
            children += map(int, (thread / "children").read_text().split())
    return children
