"""Lines and columns of totals in a confusion matrix, or in a file of counts: they are left out, and named."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from data.columns.name_ranks import names_counts
from data.columns.role_names import fold
from data.limits import MAX_MATRIX_CELLS
from data.reading.csv.closing_lines import list_texts
from data.reading.csv.total_rows import TOTALS
from text.numbers import count, verb
from text.quoting import list_items

_TOTAL_WORDS = frozenset([*map(fold, TOTALS), "all", "alle", "tous", "todos"])
"""Names of totals in confusion matrices and files of counts, folded."""


def without_total_cells(table: pa.Table) -> tuple[pa.Table, list[str]]:
    """Return a table without lines and columns of totals that add up the others, and a warning about each kind.

    A class may be called so: what does not add up stays.

    >>> matrix = pa.table({"actual": ["cat", "dog"], "cat": [5, 1], "dog": [2, 7], "Total": [7, 8]})
    >>> without_total_cells(matrix)[0].column_names
    ['actual', 'cat', 'dog']
    >>> counts = pa.table({"actual": ["a", "b", "All"], "predicted": ["a", "b", "All"], "count": ["2", "3", "5"]})
    >>> without_total_cells(counts)[0].num_rows
    2
    """
    if table.num_columns < 3 or table.num_rows < 2 or table.num_rows * table.num_columns > MAX_MATRIX_CELLS:
        return table, []
    names = [name for name in table.column_names if names_counts(name)]
    if table.num_columns == 3 and len(names) == 1:
        return _without_total_lines(table, names[0])
    return _without_margins(table)


def _is_total_word(text: str) -> bool:
    return fold(text.rstrip(":")) in _TOTAL_WORDS


def _rows(column: pa.ChunkedArray) -> np.ndarray | None:
    """Return whole numbers from 0 as int64; None where a cell is anything else."""
    try:
        values = [float(text) for text in list_texts(column)]
    except ValueError:
        return None
    if not all(value >= 0 and value.is_integer() and value < 2**53 for value in values):
        return None
    return np.array(values, dtype=np.int64)


def _without_total_lines(table: pa.Table, name: str) -> tuple[pa.Table, list[str]]:
    """Return the table of counts without the lines that add up others."""
    rows = _rows(table.column(name))
    first, second = (list_texts(table.column(other)) for other in table.column_names if other != name)
    totals = np.array([_is_total_word(a) or _is_total_word(b) for a, b in zip(first, second, strict=True)])
    if rows is None or not totals.any() or totals.all():
        return table, []
    for place in np.flatnonzero(totals).tolist():
        adds = ~totals
        for cells in (first, second):
            if not _is_total_word(cells[place]):
                adds = adds & np.array([cell == cells[place] for cell in cells])
        if int(rows[adds].sum()) != int(rows[place]):
            return table, []
    n, words = int(totals.sum()), sorted({cell for cells in (first, second) for cell in cells if _is_total_word(cell)})
    note = f"{count(n, 'line')} {verb(n, 'adds')} up others ({list_items(words)}): left out, no class."
    return table.filter(pa.array(~totals)), [note]


def _without_margins(table: pa.Table) -> tuple[pa.Table, list[str]]:
    """Return the matrix without the column and the line that add up its classes."""
    first, *names = table.column_names
    last = names[-1]
    has_line, has_column = _is_total_word(list_texts(table.column(0)[-1:])[0]), _is_total_word(last)
    classes = names[:-1] if has_column else names
    if not (has_line or has_column) or not 2 <= len(classes) == table.num_rows - has_line:
        return table, []
    labels = list_texts(table.column(0))
    inner = labels[:-1] if has_line else labels
    if sorted(inner) != sorted(name.strip() for name in classes):
        return table, []
    columns = [_rows(table.column(name)) for name in names]
    if any(column is None for column in columns):
        return table, []
    cells = np.column_stack(columns)  # type: ignore[arg-type]
    if has_column and not np.array_equal(cells[:, :-1].sum(axis=1), cells[:, -1]):
        return table, []
    if has_line and not np.array_equal(cells[:-1].sum(axis=0), cells[-1]):
        return table, []
    gone = [f"the line {list_items([labels[-1]])}"] * has_line + [f"the column {list_items([last])}"] * has_column
    kept = table.select([first, *classes]).slice(0, len(inner))
    adds = "add" if len(gone) > 1 else "adds"
    margins = " and ".join(gone)
    return kept, [f"{margins[0].upper()}{margins[1:]} of the matrix {adds} up its classes: left out, no class."]
