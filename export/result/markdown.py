"""Write a result as Markdown that fits a pull request: names of the file stand in code spans."""

from __future__ import annotations

import html
from collections.abc import Iterator

from export.result.kinds import Cell, Column, Label, Result, Sentence, Table, Verdict, Words
from export.result.written import plain_name, write_cell, write_words
from text.numbers import count
from text.quoting import cut
from text.visible import make_visible

_LINES = 30
_NAME = 60


def write_markdown(result: Result) -> str:
    """Return the headline or title as a heading, then sentences, tables and notes."""
    parts = [f"### {_words(result.headline or result.title)}", *map(_words, result.sentences)]
    parts += [_table(table) for table in result.tables]
    parts += ["\n".join(f"- {_words(note)}" for note in result.notes)] if result.notes else []
    return "\n\n".join(parts)


def _table(table: Table) -> str:
    """Return a table below its title; one that is folded opens by a click."""
    lines = "\n".join(_table_lines(table))
    if not table.folded:
        return f"**{_words(table.words)}**\n\n{lines}"
    title = html.escape(_mention_nobody(write_words(table.words, plain_name)))
    return f"<details><summary>{title}</summary>\n\n{lines}\n\n</details>"


def _table_lines(table: Table) -> Iterator[str]:
    """Yield a line of heads, one below it that says where numbers are, and at most 30 lines of cells."""
    yield _line(list(map(_head, table.columns)))
    yield _line(["---" if column.is_text else "--:" for column in table.columns])
    shown = table.rows if table.is_whole else table.rows[:_LINES]
    for row in shown:
        yield _line([_cell(cell) for cell in row])
    if len(shown) < len(table.rows):
        yield f"\nand {count(len(table.rows) - len(shown), f'more {table.noun}')}, all in the JSON"
    if table.note:
        yield f"\n{_words(table.note)}"


def _head(column: Column) -> str:
    title = _words((column.title,))
    return f"{title} ({column.ends})" if column.ends else title


def _cell(cell: Cell) -> str:
    shown = write_cell(cell, _code).whole
    return f"**{shown}**" if isinstance(cell, Verdict) and cell.is_sure else shown


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _words(words: Words) -> str:
    return write_words(words, _name)


def _name(part: Label) -> str:
    return _plain(part.name) if isinstance(part, Sentence) else _code(part.name)


def _code(text: str) -> str:
    """Return a text as a code span, in which nothing is markup."""
    return "`" + make_visible(cut(text, _NAME)).replace("`", "'").replace("|", "¦") + "`"


def _plain(text: str) -> str:
    """Return a sentence in which names of a file are no markup, no link and nobody's name."""
    shown = make_visible(text)
    for sign in "\\`*_[]<>#|!~":
        shown = shown.replace(sign, "\\" + sign)
    return _mention_nobody(shown)


def _mention_nobody(text: str) -> str:
    """Return a text with an invisible space where GitHub would see a person, a link or another issue."""
    for sign in ("@", "://", "www", "#", "GH-"):
        text = text.replace(sign, f"{sign[0]}\u200b{sign[1:]}")
    return text
