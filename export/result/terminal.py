"""Write a result as lines for a terminal: below the headline or title everything is indented."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from export.result.kinds import Cell, Column, Label, Table
from export.result.written import Format, mark_few, plain_name, write_cell, write_heads
from text.quoting import cut
from text.visible import make_visible

_NAME = 53
"""Characters of a name at most."""


def _table(title: str, table: Table, below: Sequence[str]) -> str:
    """Return the title, the heads of the columns, the lines and what stands below them, indented."""
    lines = [f"{title}:", *(f"  {line}" for line in (*_lines(table), *below))]
    return "\n".join(f"  {line}".rstrip() for line in lines)


def _lines(table: Table) -> Iterator[str]:
    heads = [cut(head, _NAME) for head in write_heads(table.columns, make_visible)]
    cells = [[_write(cell) for cell in row] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    for line in (heads, *cells):
        aligned = map(_align, line, widths, table.columns)
        yield "  ".join(aligned)


def _align(text: str, width: int, column: Column) -> str:
    """Fill a cell up to the width of its column: words on the right, numbers on the left."""
    return text.ljust(width) if column.is_text else text.rjust(width)


def _write(cell: Cell) -> str:
    whole = write_cell(cell, make_visible).whole + mark_few(cell)
    return cut(whole, _NAME) if isinstance(cell, Label) else whole


write_terminal = Format(
    name=plain_name,
    headline=str,
    title="{}:".format,
    sentence="  {}".format,
    table=_table,
    note="  {}".format,
    gap="\n",
).write
