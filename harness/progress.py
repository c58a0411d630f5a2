"""The line that says how far a run is."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from time import monotonic
from typing import TextIO

from harness.tally import Price, Tally
from text.numbers import count
from text.visible import make_visible

_ON_A_SCREEN, _IN_A_LOG = 0.5, 30.0


@dataclass
class Timer:
    """Say when the next thing is due, so many seconds after the last."""

    seconds: float
    _last: float = field(default_factory=monotonic)

    def is_due(self) -> bool:
        """Return whether the time is over, and begin anew if it is."""
        now = monotonic()
        if now - self._last < self.seconds:
            return False
        self._last = now
        return True


class Progress:
    """Print how far a run is: on a screen in one line that is drawn anew, else a line every half minute."""

    def __init__(self, name: str, n: int, price: Price | None = None, out: TextIO | None = None) -> None:
        self._name, self._n, self._price = name, n, price
        self._out = sys.stderr if out is None else out
        self._screen = self._out.isatty()
        self._start, self._timer = monotonic(), Timer(_ON_A_SCREEN if self._screen else _IN_A_LOG)

    def show(self, tally: Tally, *, last: bool = False) -> None:
        """Print the line, if it is due."""
        if not last and not self._timer.is_due():
            return
        line = make_visible(self.line(tally, monotonic() - self._start))
        ends = "\n" if last or not self._screen else ""
        print(f"\r{line}\x1b[K" if self._screen else line, end=ends, file=self._out, flush=True)

    def line(self, tally: Tally, seconds: float) -> str:
        """Return the line, after so many seconds of this run."""
        parts = [f"{self._name}: {tally.rows:,} of {count(self._n)}"]
        if tally.asked and seconds > 0:
            rate = tally.asked / seconds
            parts.append(f"{rate:,.3g} a second")
            if tally.rows < self._n:
                parts.append(f"{duration((self._n - tally.rows) / rate)} left")
        return ", ".join([*parts, *filter(None, [tally.text(self._price)])])


def duration(seconds: float) -> str:
    """Write how long something takes.

    >>> duration(42), duration(125), duration(7300)
    ('42 s', '2 min 5 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60} min"
