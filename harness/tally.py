"""Count answers while they come, and print how far a run is: right, without a label, failed, and what they cost."""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import NamedTuple, TextIO

from data.errors import DataError
from harness.answers import ASKED_AGAIN, Answer
from harness.labels import LabelReader
from metrics.shares import critical_value, wilson
from text.numbers import count, percent
from text.visible import make_visible

ENOUGH_ROWS = 30
"""An interval ends a run after this many rows at the earliest."""
_MILLION = 1_000_000
_ON_A_SCREEN, _IN_A_LOG = 0.5, 30.0


class Price(NamedTuple):
    """Give the price of a million tokens, in the currency of the file of prices."""

    input: float
    output: float
    currency: str = ""

    def cost(self, n_input: int, n_output: int) -> float:
        """Return what tokens cost.

        >>> Price(2.0, 8.0).cost(500_000, 250_000)
        3.0
        """
        return (n_input * self.input + n_output * self.output) / _MILLION

    def write(self, cost: float) -> str:
        """Return a cost with its currency.

        >>> Price(1, 1, "USD").write(0.1234), Price(1, 1).write(0.00002)
        ('0.1234 USD', '0.00002')
        """
        digits = 2 if cost >= 1 or not cost else 4 if cost >= 0.001 else 5
        return f"{cost:,.{digits}f} {self.currency}".strip()


def read_price(path: Path, model: str) -> Price | None:
    """Read a model's price from a JSON file; None where the file does not list the model.

    Raises
    ------
    DataError
        the file holds no prices.
    """
    wanted = 'a JSON object such as {"NAME": {"input": 0.15, "output": 0.6, "currency": "USD"}} was wanted'
    try:
        price_list = json.loads(path.read_text(encoding="utf-8-sig"))
        prices = {
            name: Price(float(price["input"]), float(price["output"]), str(price.get("currency", "")))
            for name, price in price_list.items()
        }
    except FileNotFoundError:
        raise DataError(f"{path.name}: there is no such file; name the file of prices.") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise DataError(f"{path.name}: the prices could not be read; {wanted}, per million tokens.") from None
    if any(not math.isfinite(p.input + p.output) or p.input < 0 or p.output < 0 for p in prices.values()):
        raise DataError(f"{path.name}: a price is no number from 0 on; {wanted}, per million tokens.")
    return prices.get(model)


@dataclass(eq=False)
class Tally:
    """Running counts of one run.

    truths : the true label of every row spelled as `read` returns it, "" where there is none.
    read : what reads labels from answers.
    """

    truths: Sequence[str]
    read: LabelReader
    rows: int = 0
    asked: int = 0
    judged: int = 0
    right: int = 0
    unread: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    _unread: list[tuple[int, Answer]] = field(default_factory=list)

    def add(self, answers: Sequence[tuple[int, Answer]], *, recorded: bool = False) -> None:
        """Count answers with the places of their rows; rows that share a prompt cost once.

        recorded : whether an earlier run asked.
        """
        self.rows += len(answers)
        self.asked += 0 if recorded else len(answers)
        self._unread += answers
        for answer in {id(answer): answer for _, answer in answers}.values():
            self.input_tokens += answer.input_tokens or 0
            self.output_tokens += answer.output_tokens or 0

    def settle(self) -> None:
        """Read the labels of the answers that came since; together, for reading one alone costs nearly as much."""
        unread, self._unread = self._unread, []
        for (place, answer), label in zip(unread, self.read([answer for _, answer in unread]), strict=True):
            self.unread += label is None
            self.errors[answer.error] += bool(answer.error)
            self.judged += self.truths[place] != ""
            self.right += label is not None and self.truths[place] == label

    def recount(self, answers: Sequence[tuple[int, Answer]]) -> None:
        """Read all answers again, together: whether free text is a made-up label depends on the others."""
        self.unread = self.judged = self.right = 0
        self.errors.clear()
        self._unread = list(answers)
        self.settle()

    @property
    def n_errors(self) -> int:
        """Return the rows that got no usable answer."""
        return sum(self.errors.values())

    @property
    def has_answers(self) -> bool:
        """Return whether some row got an answer that is not asked for again."""
        return sum(self.errors[error] for error in ASKED_AGAIN) < self.rows

    def interval(self) -> tuple[float, float, float]:
        """Return accuracy, and its Wilson interval at 95 %; NaN where no row has a true label, or none an answer."""
        judged = self.judged if self.has_answers else 0
        share = self.right / judged if judged else math.nan
        return share, *wilson(self.right, judged, critical_value(0.95))

    def is_known_to(self, half_width: float) -> bool:
        """Return whether accuracy is known this closely."""
        self.settle()
        _, low, high = self.interval()
        return self.judged >= ENOUGH_ROWS and (high - low) / 2 <= half_width

    def text(self, price: Price | None = None) -> str:
        """Return the counts as one line: accuracy, no label found, errors, tokens, cost."""
        self.settle()
        accuracy, low, high = self.interval()
        parts = []
        if not math.isnan(accuracy):
            parts.append(f"accuracy {percent(accuracy)} ({percent(low)} to {percent(high)})")
        if self.has_answers:
            parts.append(f"no label found {percent(self.unread / self.rows)}")
        if self.n_errors:
            parts.append(count(self.n_errors, "error"))
        if self.input_tokens or self.output_tokens:
            parts.append(f"{self.input_tokens + self.output_tokens:,} tokens")
        if price is not None:
            parts.append(f"cost {price.write(price.cost(self.input_tokens, self.output_tokens))}")
        return ", ".join(parts)


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
