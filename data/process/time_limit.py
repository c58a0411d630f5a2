"""End a computation that takes longer than BLINDSPOT_SECONDS, wherever it is at that moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic

from data.environment import raise_it, value
from data.errors import DataError

_end: ContextVar[tuple[float, str]] = ContextVar("end", default=(float("inf"), ""))


@contextmanager
def time_limit(what: str) -> Iterator[None]:
    """Have `check_time` refuse from BLINDSPOT_SECONDS from now on.

    what : the beginning of the sentence.
    """
    token = _end.set((monotonic() + value("BLINDSPOT_SECONDS"), what))
    try:
        yield
    finally:
        _end.reset(token)


def check_time() -> None:
    """Do nothing while there is time; called often.

    Raises
    ------
    DataError
        the time of the innermost `time_limit` is over.
    """
    end, what = _end.get()
    if monotonic() > end:
        raise DataError(
            f"{what} took longer than {value('BLINDSPOT_SECONDS'):,} seconds and was stopped; choose the columns, or "
            f"{raise_it('BLINDSPOT_SECONDS')}."
        )
