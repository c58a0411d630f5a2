"""Long computations of a page end once they take longer than BLINDSPOT_SECONDS; that is said in their place."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TypeVar

from data import environment
from data.errors import DataError
from metrics.progress import Report, nobody

Found = TypeVar("Found")


def in_time(what: str, report: Report = nobody, *, instead: str = "open fewer rows of the file") -> Report:
    """The same report, which ends a computation that takes longer than BLINDSPOT_SECONDS from now.

    what : the beginning of the sentence. instead : what a reader can do.
    """
    seconds = environment.value("BLINDSPOT_SECONDS")
    end = monotonic() + seconds

    def checked(share: float) -> None:
        if monotonic() > end:
            raise DataError(
                f"{what} took longer than {seconds:,} seconds and was stopped; {instead}, or "
                f"{environment.raise_it('BLINDSPOT_SECONDS')}."
            )
        report(share)

    return checked


def or_why_not(what: str, work: Callable[[Report], Found]) -> Found | DataError:
    """What the work gives, or why it was stopped: to be kept either way, for it would take as long again.

    >>> or_why_not("Adding", lambda report: 1 + 1)
    2
    """
    try:
        return work(in_time(what))
    except DataError as error:
        return error.with_traceback(None)  # which would keep every array of the work
