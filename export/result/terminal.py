"""Write a result as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from export.result.kinds import Cell, Column, Label, Result, Table, Words
from export.result.written import plain_name, write_cell, write_heads, write_words
from text.numbers import count
from text.quoting import cut
from text.visible import make_visible

_LINES = 30
_NAME = 53
"""Characters of a name at most."""


def write_terminal(result: Result) -> str:
    """Return the result for a person: its headline or title, and below it sentences, tables and notes, indented."""
    lines = [_words(result.headline) or f"{_words(result.title)}:"]
    lines += [f"  {_words(sentence)}" for sentence in result.sentences]
    for table in result.tables:
        lines += [f"  {line}".rstrip() for line in _table_lines(table)]
    lines += [f"  {_words(note)}" for note in result.notes]
    return "\n".join(lines)


def _words(words: Words) -> str:
    return write_words(words, plain_name)


def _table_lines(table: Table) -> Iterator[str]:
    """Yield the title, the heads of the columns, at most 30 lines of most tables, and how many more there are."""
    yield f"{_words(table.words)}:"
    heads = [cut(head, _NAME) for head in write_heads(table.columns, make_visible)]
    shown = table.rows if table.is_whole else table.rows[:_LINES]
    cells = [[_write(cell) for cell in row] for row in shown]
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    for line in (heads, *cells):
        aligned = map(_align, line, widths, table.columns)
        yield "  " + "  ".join(aligned)
    left_out = len(table.rows) - len(cells)
    if left_out:
        yield f"  and {count(left_out, f'more {table.noun}')}, all in the JSON"
    if table.note:
        yield f"  {_words(table.note)}"


def _align(text: str, width: int, column: Column) -> str:
    """Fill a cell up to the width of its column: words on the right, numbers on the left."""
    return text.ljust(width) if column.is_text else text.rjust(width)


def _write(cell: Cell) -> str:
    whole = write_cell(cell, make_visible).whole
    return cut(whole, _NAME) if isinstance(cell, Label) else whole
