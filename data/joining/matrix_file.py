"""A confusion matrix as a file: a line a label, a column a label, cells how many rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from data.columns.column import distinct
from data.columns.count_columns import read_row_counts
from data.columns.name_ranks import rank
from data.columns.table_metadata import with_notes, with_warnings
from data.joining.matrix_axes import read_rows_side
from text.numbers import count
from text.quoting import quote

TRUE, PREDICTED, COUNT = "true label", "predicted label", "count"
TURNED = "true class", "predicted class"
"""Names of the labels where the lines are the predicted ones; older links know them by the names above."""


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
    of_lines = pa.array([true[line] for line in lines.tolist()], pa.string())
    of_columns = pa.array([names[column] for column in columns.tolist()], pa.string())
    side, n_rows = read_rows_side(first), pa.array(rows[lines, columns], pa.int64())
    if side == "prediction":
        cells = dict(zip((*TURNED, COUNT), (of_columns, of_lines, n_rows), strict=True))
    else:
        cells = {_title(first): of_lines, PREDICTED: of_columns, COUNT: n_rows}
    table = with_notes(pa.table(cells), [_note(len(names), len(lines), first, side)])
    return table if side else with_warnings(table, [_ASSUMED])


_ASSUMED = (
    "Nothing in the confusion matrix says which labels are the true ones: its lines were taken as the true labels, its "
    "columns as the predicted ones. If it is the other way round, swap the two columns of labels. To say it in the "
    "file, write actual or predicted into its first cell."
)


def _title(corner: str) -> str:
    """Return the name of the column of true labels: what the corner says, if it is about them alone."""
    return corner if rank(corner, "truth") is not None else TRUE


def _note(n_classes: int, n_lines: int, corner: str, side: str | None) -> str:
    lines, columns = ("predicted", "true") if side == "prediction" else ("true", "predicted")
    why = f"by the word in its corner, {quote(corner, 40)}" if side else "as scikit-learn writes it"
    return (
        f"The file is a confusion matrix of {count(n_classes, 'class')}. Its lines are the {lines} labels and its "
        f"columns the {columns} ones, {why}. If it is the other way round, swap the two columns of labels. It is shown "
        f"as {count(n_lines, 'line')}, one a cell with rows."
    )


def with_older_names(table: pa.Table, truth: str | None, pred: str | None) -> pa.Table:
    """Return the lines of a matrix under the names that an older link has for its labels, whichever way it took them.

    >>> table = pa.table({"true class": ["a"], "predicted class": ["b"], "count": [1]})
    >>> with_older_names(table, "predicted label", "true label").column_names
    ['predicted label', 'true label', 'count']
    """
    names = table.column_names
    if truth is None or pred is None or PREDICTED not in (truth, pred) or tuple(names[:2]) != TURNED:
        return table
    return table.rename_columns([truth, pred, *names[2:]])
