"""A confusion matrix as a file: first column the true labels, header the predicted ones, cells how many rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from data.columns.column import distinct
from data.columns.column_names import rank
from data.columns.count_columns import read_row_counts
from data.columns.table_metadata import with_notes
from text.numbers import count

PREDICTED, COUNT = "predicted label", "count"


def is_matrix(table: pa.Table) -> bool:
    """Return whether the first column names the same labels as the header does, each once.

    >>> is_matrix(pa.table({"": ["cat", "dog"], "cat": [5, 1], "dog": [2, 7]}))
    True
    """
    names = table.column_names
    if len(names) < 3 or len(table) != len(names) - 1:
        return False
    labels = distinct(table.column(0))
    if labels.n_missing or len(labels.values) != len(names) - 1:
        return False
    return set(_bare(labels.values)) == set(_bare(names[1:]))


def _bare(labels: Sequence[str]) -> Sequence[str]:
    """Return labels without the blanks at their ends, which a header line loses, unless two would become one."""
    bare = [label.strip() for label in labels]
    return bare if len(set(bare)) == len(labels) else labels


def as_lines(table: pa.Table) -> pa.Table:
    """Turn a matrix into one line a cell (true label, predicted label, count); any other table stays as it is.

    Cells without rows are left out, but for the diagonal, so that every label stays.

    Raises
    ------
    DataError
        a cell that is empty or no whole number from 0, named by its row and column.

    >>> as_lines(pa.table({"actual": ["cat", "dog"], "cat": [5, 0], "dog": [2, 7]})).to_pydict()
    {'actual': ['cat', 'cat', 'dog'], 'predicted label': ['cat', 'dog', 'dog'], 'count': [5, 2, 7]}
    """
    if not is_matrix(table):
        return table
    first, *names = table.column_names
    labels = distinct(table.column(0))
    true = [_bare(labels.values)[code] for code in labels.codes.tolist()]
    rows = np.column_stack([read_row_counts(table, name) for name in names])
    names = list(_bare(names))
    same = np.array(true, dtype=object)[:, None] == np.array(names, dtype=object)[None, :]
    lines, columns = np.nonzero((rows > 0) | same)
    title = first if rank(first, "truth") is not None else "true label"
    cells = {
        title: pa.array([true[line] for line in lines.tolist()], pa.string()),
        PREDICTED: pa.array([names[column] for column in columns.tolist()], pa.string()),
        COUNT: pa.array(rows[lines, columns], pa.int64()),
    }
    return with_notes(pa.table(cells), [_note(len(names), len(lines))])


def _note(n_classes: int, n_lines: int) -> str:
    return (
        f"The file is a confusion matrix of {count(n_classes, 'class')}. Its first column names the true "
        "labels and its header the predicted ones, as scikit-learn and most tools write it. If it is the other way "
        f"round, swap the two columns of labels. It is shown as {count(n_lines, 'line')}, one a cell with rows."
    )
