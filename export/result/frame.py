"""Write a typed table as a frame for CSV and Parquet: numbers in full precision, an empty cell is undefined."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from export.result.kinds import Cell, Difference, Number, Share, Table
from export.result.written import write_cell

_WITH_ENDS = (Number, Share, Difference)


def to_frame(table: Table) -> pd.DataFrame:
    """Return the columns of a table; those of intervals are followed by their ends, where any line has one.

    >>> from export.result.kinds import Column, Label, Number, Table, Unknown
    >>> rows = ((Label("a"), Number(0.5, 0.25, 0.75)), (Label("b"), Unknown("too few")))
    >>> print(to_frame(Table("t", "", (Column("class", Label), Column("recall", Number)), rows)))
      class  recall  recall low  recall high
    0     a     0.5        0.25         0.75
    1     b     NaN         NaN          NaN
    """
    columns: dict[str, list[str] | list[float]] = {}
    for place, column in enumerate(table.columns):
        title = write_cell(column.title, str).text
        cells = [row[place] for row in table.rows]
        if column.is_text:
            columns[title] = [write_cell(cell, str).text for cell in cells]
            continue
        columns[title] = [_value(cell) for cell in cells]
        columns |= _ends(title, cells)
    return pd.DataFrame(columns)


def _ends(title: str, cells: Sequence[Cell]) -> dict[str, list[str] | list[float]]:
    """Return the ends of the intervals of a column; nothing where no cell has one."""
    pairs = [(cell.low, cell.high) if isinstance(cell, _WITH_ENDS) else (math.nan, math.nan) for cell in cells]
    if all(math.isnan(low) for low, _ in pairs):
        return {}
    return {
        f"{title} low": [low for low, _ in pairs],
        f"{title} high": [high for _, high in pairs],
    }


def _value(cell: Cell) -> float:
    value = write_cell(cell, str).value
    return math.nan if value is None else value
