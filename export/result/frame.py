"""Write a typed table as a frame for CSV and Parquet: numbers in full precision, an empty cell is undefined."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from export.result.kinds import Table, Written
from export.result.written import write_cell


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
        cells = [write_cell(row[place], str) for row in table.rows]
        if column.is_text:
            columns[title] = [cell.text for cell in cells]
            continue
        columns[title] = [math.nan if cell.value is None else cell.value for cell in cells]
        columns |= _ends(title, cells)
    return pd.DataFrame(columns)


def _ends(title: str, cells: Sequence[Written]) -> dict[str, list[str] | list[float]]:
    """Return the ends of the intervals of a column; nothing where no cell has one."""
    if all(math.isnan(cell.low) for cell in cells):
        return {}
    return {f"{title} low": [cell.low for cell in cells], f"{title} high": [cell.high for cell in cells]}
