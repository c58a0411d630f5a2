"""Count the links that one person makes in an hour, and the files that upload, in this process."""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import Literal

from data import environment
from data.errors import DataError
from data.limits import MAX_COUNTED_PEOPLE
from text.numbers import count

_HOUR = 3600.0
_LIMITS = {
    "links": ("BLINDSPOT_SAVES_PER_HOUR", "make", "link"),
    "files": ("BLINDSPOT_UPLOADS_PER_HOUR", "upload", "file"),
}
_made: dict[tuple[str, str], deque[float]] = {}
_lock = threading.Lock()


class TooMany(DataError):
    """A refusal: one more than may be made in an hour."""


def take(who: str, what: Literal["links", "files"] = "links") -> None:
    """Count one more link or file of a person (or of an address, where nobody is logged in).

    Raises
    ------
    TooMany
        it is one more than BLINDSPOT_SAVES_PER_HOUR or BLINDSPOT_UPLOADS_PER_HOUR.

    Examples
    --------
    >>> take("somebody")
    """
    setting, verb, noun = _LIMITS[what]
    most, now = environment.value(setting), time.monotonic()
    with _lock:
        times = _made.setdefault((what, who), deque())
        while times and now - times[0] >= _HOUR:
            times.popleft()
        if len(times) >= most:
            minutes = int((_HOUR - (now - times[0])) // 60) + 1
            raise TooMany(
                f"One person may {verb} at most {count(most, noun)} an hour. Try again in {count(minutes, 'minute')}, "
                f"or {environment.raise_it(setting)}."
            )
        times.append(now)
        if len(_made) > MAX_COUNTED_PEOPLE:
            for name in [name for name, kept in _made.items() if not kept or now - kept[-1] >= _HOUR]:
                del _made[name]
