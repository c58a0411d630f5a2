"""The result of an analysis: a title, sentences in parts and typed tables. Renderers know the kinds of cells alone.

>>> rows = ((Label("refund"), Count(12), Number(0.5, 0.2, 0.8), P(0.0001)),)
>>> columns = (Column("class", Label), Column("rows", Count), Column("recall", Number), Column("p", P))
>>> table = Table("classes", "Recall of 1 class", columns, rows, noun="class")
>>> [column.is_text for column in table.columns], rows[0][2].written.whole
([True, False, False, False], '0.500 (0.200 to 0.800)')
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from export.pictures.svg import Canvas
from metrics.finding import Label, Name
from text.intervals import bounds, write_amounts
from text.numbers import (
    UNDEFINED,
    number,
    p_value,
    percent,
    signed,
    write_amount,
    write_bound,
    write_points,
    write_threshold,
)

__all__ = ["Label", "Name"]


class RunName(Name):
    """The name of a run inside a sentence: it stands without quotes where nothing is markup."""


class Sentence(Name):
    """Words that hold names of the file, such as a warning or the metric of a class; they stand without quotes."""


Words = tuple[str | Label, ...]
"""A sentence: our words, and names of the file as `Label` or `Name`."""


class Written(NamedTuple):
    """A cell as text: what it shows, the ends of its interval, and what it is sorted by (None = its text).

    low, high : the ends in full precision, NaN = none.
    """

    text: str
    ends: str = ""
    value: float | None = None
    low: float = math.nan
    high: float = math.nan

    @property
    def whole(self) -> str:
        """Return the cell with its interval in brackets."""
        return f"{self.text} ({self.ends})" if self.ends else self.text


class Count(NamedTuple):
    """A number of rows."""

    n: float

    @property
    def written(self) -> Written:
        """Write it with thousands apart."""
        return Written(UNDEFINED if math.isnan(self.n) else f"{self.n:,}", value=self.n)


class Amount(NamedTuple):
    """An expected number of rows, or a cost, with the ends of its interval."""

    value: float
    low: float = math.nan
    high: float = math.nan

    @property
    def written(self) -> Written:
        """Write it whole, or with two digits below 10."""
        return Written(write_amount(self.value), write_amounts(self.low, self.high), self.value, self.low, self.high)


class Number(NamedTuple):
    """A metric, with the ends of its interval; NaN = undefined, or no interval.

    without : why there is no interval. about : how the interval was made. few : why its rows are too few, then grey.
    bound : how far it may lie from that of exact scores, where scores were grouped into bins.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    without: str = ""
    about: str = ""
    few: str = ""
    bound: float = 0.0

    @property
    def is_share(self) -> bool:
        """Return whether it is written as per cent."""
        return False

    @property
    def written(self) -> Written:
        """Write it with three decimals, as its interval, so that a column has one number of them; or as per cent."""
        binned = f" ± {write_bound(self.bound)} from binning" if self.bound > 0 else ""
        ends = bounds(self.low, self.high, share=self.is_share) or self.without
        text = percent(self.value) if self.is_share else number(self.value)
        return Written(text + binned, ends, self.value, self.low, self.high)


class Share(Number):
    """A share that is written as per cent, such as accuracy."""

    @property
    def is_share(self) -> bool:
        """Return whether it is written as per cent: always."""
        return True


class Difference(NamedTuple):
    """A difference, written with its sign, with the ends of its interval.

    about : as of a number. is_share : whether it is one of shares of rows, and so written in points.
    is_sure : whether it is more than chance, and so stands out. few : as of a number, written after the interval.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    without: str = ""
    about: str = ""
    is_share: bool = False
    is_sure: bool = False
    few: str = ""

    @property
    def written(self) -> Written:
        """Write it with its sign."""
        shown = write_points(self.value) if self.is_share else signed(self.value)
        within = bounds(self.low, self.high, share=self.is_share).removesuffix(" %") or self.without
        ends = ", ".join(filter(None, (within, self.few)))
        return Written(shown, ends, self.value, self.low, self.high)


class P(NamedTuple):
    """A p value; below 0.001 only that is said."""

    p: float

    @property
    def written(self) -> Written:
        """Write it with three decimals."""
        return Written(p_value(self.p, ""), value=self.p)


class Threshold(NamedTuple):
    """A score from which a row is predicted, or one of its groups' own best ones.

    in_column : it as `write_thresholds` writes its column; empty = alone, as `write_threshold` writes it.
    """

    score: float
    in_column: str = ""

    @property
    def written(self) -> Written:
        """Write it as its column, or alone."""
        return Written(self.in_column or write_threshold(self.score), value=self.score)


class Verdict(NamedTuple):
    """A word that judges the line; is_sure : whether it is more than chance, and so stands out."""

    word: str
    is_sure: bool

    @property
    def written(self) -> Written:
        """Write its word."""
        return Written(self.word)


class Unknown(NamedTuple):
    """A cell without a number, and why: too few rows, or 0/0; word : what stands for it where hovering says why."""

    why: str
    word: str = ""

    @property
    def written(self) -> Written:
        """Write why; it is sorted last."""
        return Written(self.why, value=math.nan)


Numeric = Count | Amount | Number | Share | Difference | P | Threshold
Cell = str | Label | Verdict | Numeric | Unknown
"""A cell: our own text, a name of the file, a verdict, one of the kinds of numbers, or why there is none."""


class Column(NamedTuple):
    """A column of cells of one kind; any of them may be `Unknown`.

    title : our words, or the name of a column of the file.
    ends : title of the ends of the interval where they stand in a column of their own; "" = in brackets.
    is_drawn : whether a bar from 0 to 1 stands beside the number, where there are pictures. about : what it means.
    """

    title: str | Label
    kind: type[Cell]
    ends: str = ""
    is_drawn: bool = False
    about: str = ""

    @property
    def is_text(self) -> bool:
        """Return whether its cells are words, and no numbers."""
        return issubclass(self.kind, str | Label | Verdict)


class Table(NamedTuple):
    """Lines of cells under columns.

    name : its id. title : our words, or parts where it holds names of the file. noun : of one line.
    in_order : whether the order of the lines says something, so that nobody sorts them otherwise.
    note : what a reader has to know, below the table. folded : whether it opens by a click, where there are clicks.
    is_whole : whether all its lines are listed where long tables are cut.
    tiled : whether each line is a tile of its title, its number and its words, where there are pictures.
    """

    name: str
    title: str | Words
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    noun: str = "row"
    in_order: bool = False
    note: Words = ()
    folded: bool = False
    tiled: bool = False
    is_whole: bool = False

    @property
    def words(self) -> Words:
        """Return the title in parts."""
        return (self.title,) if isinstance(self.title, str) else self.title


class Lead(NamedTuple):
    """Lead from a sentence to the page that shows it: its name, and the parameters of the view there."""

    page: str
    view: Mapping[str, str]


class Result(NamedTuple):
    """Hold what an analysis found.

    name : its id. title : in words. sentences : what was found. notes : how, and what was left out.
    leads : where each sentence leads, in a format with links; none = nowhere.
    numbers : all of it in full precision, by the keys of the JSON. headline : the finding that leads, if one does.
    pictures : what stands before the tables, by an id of each, in a format that shows pictures.
    """

    name: str
    title: Words
    sentences: Sequence[Words]
    tables: Sequence[Table]
    notes: Sequence[Words]
    numbers: Mapping[str, Any]
    headline: Words = ()
    pictures: Mapping[str, Canvas] = MappingProxyType({})
    leads: Sequence[Lead] = ()
