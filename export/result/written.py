"""Write the cells and sentences of a result as text: once for every renderer that a person reads."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from export.result.kinds import (
    Cell,
    Column,
    Count,
    Difference,
    Label,
    Number,
    P,
    RunName,
    Sentence,
    Share,
    Threshold,
    Unknown,
    Verdict,
    Words,
)
from text.intervals import bounds
from text.numbers import UNDEFINED, number, p_value, percent, signed, write_threshold
from text.quoting import quote
from text.visible import make_visible


class Written(NamedTuple):
    """A cell as text: what it shows, the ends of its interval, and what it is sorted by (None = its text)."""

    text: str
    ends: str = ""
    value: float | None = None

    @property
    def whole(self) -> str:
        """Return the cell with its interval in brackets."""
        return f"{self.text} ({self.ends})" if self.ends else self.text


def write_cell(cell: Cell, name: Callable[[str], str]) -> Written:
    """Write one cell; `name` makes a name of the file safe for the renderer's syntax.

    A metric has three decimals, as its interval, so that a column has one number of them; files have full precision.

    >>> write_cell(Number(0.52, 0.4, 0.6), str), write_cell(Difference(-0.1), str).text
    (Written(text='0.520', ends='0.400 to 0.600', value=0.52), '−0.100')
    >>> write_cell(P(0.0002), str).text, write_cell(Share(0.5), str).text, write_cell(Unknown("too few"), str).text
    ('< 0.001', '50.0 %', 'too few')
    """
    match cell:
        case str():
            return Written(cell)
        case Label():
            return Written(name(cell.name))
        case Verdict():
            return Written(cell.word)
        case Unknown():
            return Written(cell.why, value=math.nan)
        case Count():
            return Written(UNDEFINED if math.isnan(cell.n) else f"{cell.n:,}", value=cell.n)
        case Number():
            return Written(number(cell.value), bounds(cell.low, cell.high) or cell.without, cell.value)
        case Share():
            return Written(percent(cell.value), bounds(cell.low, cell.high, share=True), cell.value)
        case Difference(is_share=True):
            return Written(signed(100 * cell.value, 1), bounds(cell.low, cell.high, share=True), cell.value)
        case Difference():
            return Written(signed(cell.value), bounds(cell.low, cell.high) or cell.without, cell.value)
        case P():
            return Written(p_value(cell.p, ""), value=cell.p)
        case Threshold():
            return Written(write_threshold(cell.score), value=cell.score)


def write_words(words: Words, name: Callable[[Label], str], own: Callable[[str], str] = str) -> str:
    """Write a sentence; `name` marks names of the file, `own` makes our words safe for the renderer's syntax.

    >>> write_words(("Rows of ", Label("a"), " moved."), plain_name)
    "Rows of 'a' moved."
    """
    return "".join(name(part) if isinstance(part, Label) else own(part) for part in words)


def plain_name(part: Label) -> str:
    """Write a name of the file where nothing is markup: in quotes, but for names of runs and whole sentences."""
    return make_visible(part.name) if isinstance(part, RunName | Sentence) else quote(part.name)


def write_heads(columns: Sequence[Column], name: Callable[[str], str]) -> list[str]:
    """Write the titles of columns whose intervals stand in brackets."""
    heads = (write_cell(column.title, name).text for column in columns)
    return [f"{head} ({column.ends})" if column.ends else head for head, column in zip(heads, columns, strict=True)]
