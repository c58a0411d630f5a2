"""The result of an analysis: a title, sentences in parts and typed tables. Renderers know the kinds of cells alone.

>>> rows = ((Label("refund"), Count(12), Number(0.5, 0.2, 0.8), P(0.0001)),)
>>> columns = (Column("class", Label), Column("rows", Count), Column("recall", Number), Column("p", P))
>>> Table("classes", "Recall of 1 class", columns, rows, noun="class").numeric_from
1
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from export.pictures.svg import Canvas
from metrics.finding import Label, Name

__all__ = ["Label", "Name"]


class RunName(Name):
    """The name of a run inside a sentence: it stands without quotes where nothing is markup."""


class Sentence(Name):
    """Words that hold names of the file, such as a warning or the metric of a class; they stand without quotes."""


Words = tuple[str | Label, ...]
"""A sentence: our words, and names of the file as `Label` or `Name`."""


class Count(NamedTuple):
    """A number of rows."""

    n: float


class Number(NamedTuple):
    """A metric, with the ends of its interval; NaN = undefined, or no interval.

    without : why there is no interval. about : how the interval was made. few : whether its rows are too few to tell.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    without: str = ""
    about: str = ""
    few: bool = False


class Share(NamedTuple):
    """A share that is written as per cent, with the ends of its interval; about and few : as of a number."""

    value: float
    low: float = math.nan
    high: float = math.nan
    about: str = ""
    few: bool = False


class Difference(NamedTuple):
    """A difference, written with its sign, with the ends of its interval.

    about : as of a number. is_share : whether it is one of shares, and so written in points.
    is_sure : whether it is more than chance, and so stands out.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    without: str = ""
    about: str = ""
    is_share: bool = False
    is_sure: bool = False


class P(NamedTuple):
    """A p value; below 0.001 only that is said."""

    p: float


class Threshold(NamedTuple):
    """A score from which a row is predicted, or one of its groups' own best ones."""

    score: float


class Verdict(NamedTuple):
    """A word that judges the line; is_sure : whether it is more than chance, and so stands out."""

    word: str
    is_sure: bool


class Unknown(NamedTuple):
    """A cell without a number, and why: too few rows, or 0/0; word : what stands for it where hovering says why."""

    why: str
    word: str = ""


Numeric = Count | Number | Share | Difference | P | Threshold
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
    """

    name: str
    title: str | Words
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    noun: str = "row"
    in_order: bool = False
    note: Words = ()
    folded: bool = False

    @property
    def words(self) -> Words:
        """Return the title in parts."""
        return (self.title,) if isinstance(self.title, str) else self.title

    @property
    def numeric_from(self) -> int:
        """Return the place of the first column of numbers."""
        return next((place for place, column in enumerate(self.columns) if not column.is_text), 1)


class Result(NamedTuple):
    """Hold what an analysis found.

    name : its id. title : in words. sentences : what was found. notes : how, and what was left out.
    numbers : all of it in full precision, by the keys of the JSON. headline : the finding that leads, if one does.
    pictures : what stands before the tables, in a format that shows pictures.
    """

    name: str
    title: Words
    sentences: Sequence[Words]
    tables: Sequence[Table]
    notes: Sequence[Words]
    numbers: Mapping[str, Any]
    headline: Words = ()
    pictures: Sequence[Canvas] = ()
