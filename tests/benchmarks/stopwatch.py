"""Measure how long something takes at its best."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

Result = TypeVar("Result")


def fastest(work: Callable[[], Result], *, times: int) -> tuple[float, Result]:
    """Seconds of the quickest of several runs, and what the last of them gave."""
    seconds = []
    for _ in range(times):
        start = perf_counter()
        result = work()
        seconds.append(perf_counter() - start)
    return min(seconds), result
