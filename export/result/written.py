"""Write the cells, the sentences and the parts of a result as text: once for every renderer that a person reads."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from export.result.kinds import Cell, Column, Label, Name, Number, P, Result, RunName, Sentence, Table, Words, Written
from text.numbers import count
from text.quoting import quote
from text.visible import make_visible, show

_LINES = 30
"""So many lines of a table are listed at most, but of those that are listed whole."""


class Format(NamedTuple):
    """Write each part of a result: every field gets text in which `name` made the names of the file safe.

    name : of a name of the file in a sentence. headline, title : of the first line; it is the title without a headline.
    table : of its title, a table of the lines that are listed, and what is said below it. gap : between two parts.
    """

    name: Callable[[Label], str]
    headline: Callable[[str], str]
    title: Callable[[str], str]
    sentence: Callable[[str], str]
    table: Callable[[str, Table, Sequence[str]], str]
    note: Callable[[str], str]
    gap: str

    def write(self, result: Result) -> str:
        """Write the headline or title, the sentences, the tables, and the notes one below the other."""
        headline, title = self._words(result.headline), self._words(result.title)
        first = self.headline(headline) if headline else self.title(title)
        parts = [first]
        parts += [self.sentence(self._words(sentence)) for sentence in result.sentences]
        parts += [self._table(table) for table in result.tables]
        if result.notes:
            parts.append("\n".join(self.note(self._words(note)) for note in result.notes))
        return self.gap.join(parts)

    def _table(self, table: Table) -> str:
        listed = table.rows if table.is_whole else table.rows[:_LINES]
        left_out = len(table.rows) - len(listed)
        below = [f"and {count(left_out, f'more {table.noun}')}, all in the JSON"] if left_out else []
        few = explain_few(listed)
        below += [few] if few else []
        below += [self._words(table.note)] if table.note else []
        return self.table(self._words(table.words), table._replace(rows=listed), below)

    def _words(self, words: Words) -> str:
        return write_words(words, self.name)


def write_cell(cell: Cell, name: Callable[[str], str]) -> Written:
    """Write one cell; `name` makes a name of the file safe for the renderer's syntax.

    >>> from export.result.kinds import Difference, Number, P, Share, Unknown
    >>> write_cell(Number(0.52, 0.4, 0.6), str).whole, write_cell(Difference(-0.1), str).text
    ('0.520 (0.400 to 0.600)', '−0.100')
    >>> write_cell(P(0.0002), str).text, write_cell(Share(0.5), str).text, write_cell(Unknown("too few"), str).text
    ('< 0.001', '50.0 %', 'too few')
    """
    if isinstance(cell, str):
        return Written(cell)
    if isinstance(cell, Label):
        return Written(name(cell.name))
    return cell.written


def mark_few(cell: Cell) -> str:
    """Return the sign of a number whose rows are too few, where there is no grey; a difference has words for it.

    >>> from export.result.kinds import Number
    >>> mark_few(Number(0.5, few="too few rows to tell")), mark_few(Number(0.5))
    (' †', '')
    """
    return " †" if _is_few(cell) else ""


def explain_few(rows: Iterable[Sequence[Cell]]) -> str:
    """Say what the sign of numbers means in lines of a table; empty where none has it."""
    reasons = {cell.few: None for row in rows for cell in row if isinstance(cell, Number) and _is_few(cell)}
    return f"† {', or '.join(reasons)}." if reasons else ""


def _is_few(cell: Cell) -> bool:
    """Return whether a number is defined and its rows are too few."""
    return isinstance(cell, Number) and bool(cell.few) and not math.isnan(cell.value)


def write_words(words: Iterable[str | Label], name: Callable[[Label], str], escape: Callable[[str], str] = str) -> str:
    """Write a sentence; `name` marks names of the file, `escape` makes our words safe for the renderer's syntax.

    >>> write_words(("Rows of ", Label("a"), " moved."), plain_name)
    "Rows of 'a' moved."
    """
    return "".join(name(part) if isinstance(part, Label) else escape(part) for part in words)


def plain_name(part: Label) -> str:
    """Write a name of the file where nothing is markup: in quotes, but for names of runs and whole sentences."""
    return make_visible(part.name) if isinstance(part, RunName | Sentence) else quote(part.name)


def write_head(column: Column) -> str:
    """Write the title of a column by itself: our words begin with a capital, names of the file stay as they are.

    >>> from export.result.kinds import Count
    >>> write_head(Column("true rows", Count)), write_head(Column("p", P)), write_head(Column(Label("age"), Label))
    ('True rows', 'p', 'age')
    >>> write_head(Column(Sentence("recall of urgent"), Count))
    'Recall of urgent'
    """
    title = write_cell(column.title, show).text
    is_name = isinstance(column.title, Label) and not isinstance(column.title, Sentence)
    return title if is_name or column.kind is P else title[:1].upper() + title[1:]


def write_heads(columns: Sequence[Column], name: Callable[[str], str]) -> list[str]:
    """Write the titles of columns whose intervals stand in brackets."""
    heads = (write_cell(column.title, name).text for column in columns)
    return [f"{head} ({column.ends})" if column.ends else head for head, column in zip(heads, columns, strict=True)]


def list_reasons(what: str, reasons: Sequence[tuple[str, str]], named: int | None = None) -> list[Words]:
    """Say in a sentence which columns something was not done with, and why; [] without any.

    named : at most so many are named; None = all.
    """
    if not reasons:
        return []
    parts = [part for name, why in reasons[:named] for part in (", ", Name(name), f" ({why})")]
    more = len(reasons) - len(reasons[:named])
    end = f" and {count(more, 'more column')}." if more else "."
    return [(f"{what}: ", *parts[1:], end)]
