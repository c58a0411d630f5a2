"""Write a result as Markdown that fits a pull request: names of the file stand in code spans."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence

from export.result.kinds import Cell, Column, Label, Sentence, Table, Verdict
from export.result.written import Format, mark_few, plain_name, write_cell, write_words
from text.quoting import cut
from text.visible import make_visible

_NAME = 60


def _table(title: str, table: Table, below: Sequence[str]) -> str:
    """Return a table below its title; one that is folded opens by a click."""
    lines = "\n".join([*_lines(table), *(f"\n{sentence}" for sentence in below)])
    if not table.folded:
        return f"**{title}**\n\n{lines}"
    summary = html.escape(_mention_nobody(write_words(table.words, plain_name)))
    return f"<details><summary>{summary}</summary>\n\n{lines}\n\n</details>"


def _lines(table: Table) -> Iterator[str]:
    """Yield a line of heads, one below it that says where numbers are, and the lines of cells."""
    yield _line(list(map(_head, table.columns)))
    yield _line(["---" if column.is_text else "--:" for column in table.columns])
    for row in table.rows:
        yield _line([_cell(cell) for cell in row])


def _head(column: Column) -> str:
    title = write_words((column.title,), _name)
    return f"{title} ({column.ends})" if column.ends else title


def _cell(cell: Cell) -> str:
    shown = write_cell(cell, _code).whole + mark_few(cell)
    return f"**{shown}**" if isinstance(cell, Verdict) and cell.is_sure else shown


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


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


write_markdown = Format(
    name=_name,
    headline="### {}".format,
    title="### {}".format,
    sentence=str,
    table=_table,
    note="- {}".format,
    gap="\n\n",
).write
