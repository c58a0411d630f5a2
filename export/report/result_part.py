"""Write a result as a section of the HTML report."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from export.interval_text import GREY
from export.pictures.svg import Canvas
from export.pictures.words import name, text
from export.report import markup
from export.report.part import CHAPTERS, Part
from export.result.kinds import Cell, Column, Difference, Label, Lead, Number, Result, Sentence, Table, Words, Written
from export.result.written import write_cell, write_head, write_words
from text.numbers import count
from text.visible import keep_together, show

_ROWS = 1_000
"""So many lines are listed at most; how many more there are is said."""
_SENTENCE = 1_000
"""Characters of a warning at most."""


def report_part(result: Result) -> Part:
    """Return the section: the headline, sentences, pictures, tables and notes."""
    headline = f'<p class="takeaway">{write_html(result.headline)}</p>' if result.headline else ""
    sentences = "".join(
        f"<p>{write_html(sentence)}{_way(lead)}</p>" for sentence, lead in zip_longest(result.sentences, result.leads)
    )
    tables = "".join(map(table_html, result.tables))
    notes = markup.item_list(map(write_html, result.notes)) if result.notes else ""
    whole = headline + sentences + _pictures(result.pictures) + tables + notes
    return Part(result.name, _plain(result.title), whole, dict(result.numbers))


def _pictures(pictures: Mapping[str, Canvas]) -> str:
    """Draw the pictures; several stand side by side where there is room."""
    drawn = "".join(markup.picture(canvas, name) for name, canvas in pictures.items())
    return f'<div class="pair">{drawn}</div>' if len(pictures) > 1 else drawn


def _way(lead: Lead | None) -> str:
    """Link to the chapter that shows what a page of the app shows; nothing where a sentence leads nowhere."""
    if lead is None:
        return ""
    chapter, title = CHAPTERS[lead.page]
    return f' <a href="#{chapter}">{title}</a>'


def write_html(words: Iterable[str | Label]) -> str:
    """Write a sentence; names are marked, and a number stays on the line of its per cent sign."""
    return write_words(words, _name, lambda text: html.escape(keep_together(text)))


def _plain(words: Words) -> str:
    return write_words(words, lambda part: show(part.name, 60))


def _name(part: Label) -> str:
    return text(part.name, _SENTENCE) if isinstance(part, Sentence) else name(part.name)


def table_html(table: Table) -> str:
    """Write a table, or its lines as tiles; nothing where it has no lines."""
    if not table.rows:
        return ""
    if table.tiled:
        return f'<div class="tiles">{"".join(map(_tile, table.rows))}</div>'
    titles = [title for column in table.columns for title in _titles(column)]
    body = (list(_cells(table.columns, row)) for row in table.rows[:_ROWS])
    left_out = len(table.rows) - _ROWS
    notes = [f"{count(left_out, f'more {table.noun}')} in the JSON."] if left_out > 0 else []
    notes += [GREY] if any(_is_few(cell) for row in table.rows for cell in row) else []
    notes += [write_html(table.note)] if table.note else []
    below = "".join(f'<p class="note">{note}</p>' for note in notes)
    are_numbers = [not column.is_text for column in table.columns for _ in _titles(column)]
    numbers = {place for place, is_number in enumerate(are_numbers) if is_number}
    title = _plain(table.words)
    whole = markup.table(table.name, title, titles, body, sort=not table.in_order, numbers=numbers) + below
    return markup.fold(title, whole) if table.folded else whole


def _tile(row: Sequence[Cell]) -> str:
    title, value, words = (_escape(cell, write_cell(cell, text).text) for cell in row)
    return markup.tile(title, value, words)


def _is_few(cell: Cell) -> bool:
    return isinstance(cell, Number | Difference) and bool(cell.few)


def _titles(column: Column) -> list[str]:
    return [write_head(column), column.ends] if column.ends else [write_head(column)]


def _cells(columns: Sequence[Column], row: Sequence[Cell]) -> Iterator[markup.Cell]:
    for column, cell in zip(columns, row, strict=True):
        written = write_cell(cell, text)
        shown = written.text if column.ends else written.whole
        bar = _bar(written) if column.is_drawn else None
        yield markup.Cell(_escape(cell, shown), written.value, bar, _is_few(cell))
        if column.ends:
            yield markup.Cell(html.escape(keep_together(written.ends)))


def _bar(written: Written) -> markup.Bar | None:
    """Return a number as a bar; None where it is undefined."""
    if written.value is None or math.isnan(written.value):
        return None
    return markup.Bar(written.value, (written.low, written.high))


def _escape(cell: Cell, shown: str) -> str:
    """Escape what is not a name: names are escaped when they are written."""
    return shown if isinstance(cell, Label) else html.escape(keep_together(shown))
