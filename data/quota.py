"""How many links one person may make in an hour, counted in this process."""

from __future__ import annotations

import threading
import time
from collections import deque

from data import environment
from data.errors import DataError

_HOUR = 3600.0
_MOST_PEOPLE = 100_000
_made: dict[str, deque[float]] = {}
_lock = threading.Lock()


class TooMany(DataError):
    """One more than may be made in an hour."""


def take(who: str) -> None:
    """Count one more link of a person (or of an address, where nobody is logged in).

    Raises
    ------
    TooMany
        it is one more than BLINDSPOT_SAVES_PER_HOUR.

    Examples
    --------
    >>> take("somebody")
    """
    most, now = environment.value("BLINDSPOT_SAVES_PER_HOUR"), time.monotonic()
    with _lock:
        times = _made.setdefault(who, deque())
        while times and now - times[0] >= _HOUR:
            times.popleft()
        if len(times) >= most:
            minutes = int((_HOUR - (now - times[0])) // 60) + 1
            raise TooMany(
                f"{most:,} links were made in the last hour, the most for one person; try again in {minutes} minutes, "
                f"or {environment.raise_it('BLINDSPOT_SAVES_PER_HOUR')}."
            )
        times.append(now)
        if len(_made) > _MOST_PEOPLE:
            for name in [name for name, kept in _made.items() if not kept or now - kept[-1] >= _HOUR]:
                del _made[name]
