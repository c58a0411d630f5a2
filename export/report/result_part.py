"""Write a result as a section of the HTML report."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence

from export.pictures.periods import Period, periods_picture
from export.pictures.words import name, text
from export.report import markup
from export.report.part import Part
from export.result.kinds import Cell, Column, Count, Label, Name, Number, Result, Sentence, Table, Words
from export.result.written import write_cell, write_words
from text.numbers import count, number
from text.visible import keep_together, show

_ROWS = 1_000
"""So many lines are listed at most; how many more there are is said."""
_SENTENCE = 1_000
"""Characters of a warning at most."""


def report_part(result: Result, picture: str = "") -> Part:
    """Return the section; picture : HTML that stands before those of the result and the tables."""
    headline = f'<p class="takeaway">{write_html(result.headline)}</p>' if result.headline else ""
    sentences = "".join(f"<p>{write_html(sentence)}</p>" for sentence in result.sentences)
    tables = "".join(map(table_html, result.tables))
    notes = markup.item_list(map(write_html, result.notes)) if result.notes else ""
    drawn = [markup.picture(canvas, f"{result.name}-{place}") for place, canvas in enumerate(result.pictures, 1)]
    whole = headline + sentences + picture + "".join(drawn) + tables + notes
    return Part(result.name, _plain(result.title), whole, dict(result.numbers))


def write_html(words: Words) -> str:
    """Write a sentence; names are marked, and a number stays on the line of its per cent sign."""
    return write_words(words, _name, lambda own: html.escape(keep_together(own)))


def _plain(words: Words) -> str:
    return write_words(words, lambda part: show(part.name, 60))


def _name(part: Label) -> str:
    return text(part.name, _SENTENCE) if isinstance(part, Sentence) else name(part.name)


def table_html(table: Table) -> str:
    """Write a table; nothing where it has no lines."""
    if not table.rows:
        return ""
    titles = [title for column in table.columns for title in _titles(column)]
    body = (list(_cells(table.columns, row)) for row in table.rows[:_ROWS])
    left_out = len(table.rows) - _ROWS
    notes = [f"{count(left_out, f'more {table.noun}')} in the JSON."] if left_out > 0 else []
    notes += [write_html(table.note)] if table.note else []
    below = "".join(f'<p class="note">{note}</p>' for note in notes)
    sort, numeric_from = not table.in_order, table.numeric_from
    title = _plain(table.words)
    whole = markup.table(table.name, title, titles, body, sort=sort, numeric_from=numeric_from) + below
    return markup.fold(title, whole) if table.folded else whole


def _titles(column: Column) -> list[str]:
    head = write_cell(column.title, show).text
    return [head, column.ends] if column.ends else [head]


def _cells(columns: Sequence[Column], row: Sequence[Cell]) -> Iterator[markup.Cell]:
    for column, cell in zip(columns, row, strict=True):
        written = write_cell(cell, text)
        shown = written.text if column.ends else written.whole
        yield markup.Cell(_escape(cell, shown), written.value, written.value if column.is_drawn else None)
        if column.ends:
            yield markup.Cell(html.escape(keep_together(written.ends)))


def _escape(cell: Cell, shown: str) -> str:
    """Escape what is not a name: names are escaped when they are written."""
    return shown if isinstance(cell, Label) else html.escape(keep_together(shown))


def periods_html(metric: str, periods: Sequence[Period]) -> str:
    """Draw a metric over time, and the same as a table; nothing without periods."""
    if not periods:
        return ""
    known = [period for period in periods if not math.isnan(period.value)]
    ends = f": from {number(known[0].value)} to {number(known[-1].value)}" if known else " is undefined"
    picture = markup.picture(periods_picture(periods, f"{metric} over time{ends}"), "over-time")
    columns = (Column("period", Name), Column("rows", Count), Column(Sentence(metric), Number, "interval"))
    rows = [(Name(period.name), Count(period.n), Number(period.value, period.low, period.high)) for period in periods]
    table = Table("over-time-table", (Sentence(metric), " of every period"), columns, rows, noun="period")
    return picture + markup.fold("The same as a table", table_html(table))
