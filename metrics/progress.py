"""Report how far a long computation is, as a share of the whole; who receives it may end the work by raising."""

from __future__ import annotations

from collections.abc import Callable

Report = Callable[[float], object]
"""Told which share is done, from 0 to 1."""


def nobody(share: float) -> None:
    """Ignore the progress."""


def part(report: Report, place: int, of: int) -> Report:
    """Return the report of one of several equal parts of a computation.

    >>> told = []
    >>> part(told.append, 1, 2)(0.5)
    >>> told
    [0.75]
    """
    return lambda share: report((place + share) / of)
