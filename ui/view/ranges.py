"""Whole numbers in an address, as ranges."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

_RANGE = re.compile(r"\d{1,15}(-\d{1,15})?", re.ASCII)


def write_ranges(numbers: Iterable[int]) -> str:
    """Numbers from 0 as ranges in ascending order, each number once.

    >>> write_ranges({12, 3, 4, 5})
    '3-5,12'
    """
    found = np.unique(np.fromiter(numbers, np.int64))
    runs = np.split(found, np.flatnonzero(np.diff(found) > 1) + 1) if len(found) else []
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def read_range(part: str) -> range | None:
    """One of the ranges between the commas; None where it is none.

    >>> read_range("3-5"), read_range("12"), read_range("-1")
    (range(3, 6), range(12, 13), None)
    """
    if not _RANGE.fullmatch(part):
        return None
    first, _, last = part.partition("-")
    return range(int(first), int(last or first) + 1)
