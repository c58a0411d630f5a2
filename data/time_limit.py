"""Stop work in this process that takes too long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic

_limit: ContextVar[tuple[float, Exception | None]] = ContextVar("limit", default=(float("inf"), None))


@contextmanager
def time_limit(seconds: float, error: Exception) -> Iterator[None]:
    """Have `check_time` raise an error from so many seconds from now on."""
    token = _limit.set((monotonic() + seconds, error))
    try:
        yield
    finally:
        _limit.reset(token)


def check_time() -> None:
    """Raise the error of the innermost `time_limit` once its time is over; called often."""
    end, error = _limit.get()
    if error is not None and monotonic() > end:
        raise error
