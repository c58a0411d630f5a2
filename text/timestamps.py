"""Write moments for machines and lists, in UTC; `ui.text.local_time` writes them for the person who looks."""

from __future__ import annotations

import time


def write_day(seconds: float) -> str:
    """Write a day as it is written in a list.

    >>> write_day(0)
    '1970-01-01'
    """
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


def write_moment(seconds: float) -> str:
    """Write a moment as JSON has it: ISO 8601 to the second.

    >>> write_moment(0)
    '1970-01-01T00:00:00Z'
    """
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
