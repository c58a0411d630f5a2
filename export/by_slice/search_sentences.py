"""Say what a search of slices left out."""

from __future__ import annotations

from metrics.limits import MAX_PAIRED_COLUMNS


def describe_not_crossed(n: int) -> str:
    """Return that only the first columns were crossed; n : columns that were not; empty without any.

    >>> describe_not_crossed(15)
    'Only the first 25 columns were crossed with each other; 15 more were searched alone.'
    """
    if not n:
        return ""
    return f"Only the first {MAX_PAIRED_COLUMNS} columns were crossed with each other; {n:,} more were searched alone."
