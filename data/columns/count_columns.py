"""Files of counts: a line stands for as many rows as one of its cells says, as in a confusion matrix.

What is about single rows (scores, answers) is not in such a file; what is about counts is exact.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa

from data.columns.column import distinct
from data.errors import DataError
from data.evaluation import MISSING, Evaluation, Settings
from data.limits import MAX_COUNTED_ROWS
from text.numbers import count
from text.quoting import quote

_WHOLE = re.compile(r"\d{1,18}(?:\.0*)?", re.ASCII)
_EXPONENT = re.compile(r"\d+(\.\d+)?[eE]\+?\d{1,2}", re.ASCII)


def check_counted(settings: Settings, *, counted: bool = False) -> None:
    """Refuse settings that a file of counts cannot have.

    counted : whether an engine counted the rows, which groups scores, too.

    Raises
    ------
    DataError
        raw answers, no column of predicted labels, or the counts in another role.
    """
    column = settings.counts
    if column is None:
        return
    where = f"{quote(column)} says how many rows a line stands for"
    predicted = settings.pred is not None or settings.pred_columns
    if not predicted and not (counted and settings.scores):
        raise DataError(
            f"{where}, which needs a column of predicted labels beside it: choose that column, or no rows per line."
        )
    pairs = (*settings.truth_columns, *settings.pred_columns)
    if column in (settings.truth, settings.pred, *(name for name, _ in pairs)):
        raise DataError(f"{where} and is a column of labels at once: choose two different columns.")


def read_row_counts(table: pa.Table, column: str) -> np.ndarray:
    """Return how many rows every line stands for, int64 (n,).

    Raises
    ------
    DataError
        a cell that is empty or no whole number from 0, named by its row; more than `MAX_COUNTED_ROWS` rows.

    >>> read_row_counts(pa.table({"n": ["3", "0", "12.0"]}), "n")
    array([ 3,  0, 12])
    """
    cells = distinct(table.column(column))
    if (cells.codes == MISSING).any():
        row = int(np.argmax(cells.codes == MISSING)) + 1
        raise _no_count_error(column, row, "an empty cell")
    counts = [_count(text) for text in cells.values]
    wrong = [code for code, count in enumerate(counts) if not 0 <= count <= MAX_COUNTED_ROWS]
    if wrong:
        code = min(wrong, key=cells.first_row)
        raise _no_count_error(column, cells.first_row(code), quote(cells.values[code]))
    total = sum(count * lines for count, lines in zip(counts, cells.counts.tolist(), strict=True))
    if total > MAX_COUNTED_ROWS:
        raise DataError(
            f"The counts in {quote(column)} add up to {total:,} rows, at most {MAX_COUNTED_ROWS:,} are counted "
            "exactly. Divide them, or give a part of the file."
        )
    return cells.spread(counts, 0, np.int64)


def _count(text: str) -> int:
    """Return the whole number that is written there; -1 if none is."""
    text = text.strip()
    if _WHOLE.fullmatch(text):
        return int(text.split(".")[0])
    value = float(text) if _EXPONENT.fullmatch(text) else 0.5
    return int(value) if value.is_integer() else -1


def _no_count_error(column: str, row: int, came: str) -> DataError:
    return DataError(
        f"Column {quote(column)}, row {row:,}: {came} is no number of rows. A whole number from 0 to "
        f"{MAX_COUNTED_ROWS:,} was wanted: correct the cell, or choose no rows per line if every line is one row."
    )


def warn_of_counts(column: str, weights: np.ndarray) -> str:
    """Return the warning about a file of counts."""
    return (
        f"This file holds counts, not rows: {quote(column)} says how many rows each line stands for, so its "
        f"{count(len(weights), 'line')} are {count(int(weights.sum()), 'row')}. Every number that follows from "
        "counts is exact; scores, curves and everything about a single row are switched off. If every line is one "
        "row, choose no rows per line."
    )


def describe_lines(evaluation: Evaluation, lines: np.ndarray) -> str:
    """Say how many lines a file of counts has, and how many rows they stand for.

    >>> from data.building.build import build
    >>> table = pa.table({"y": ["a", "b"], "y_pred": ["a", "a"], "n": ["30", "12"]})
    >>> found = build(table, Settings(truth="y", pred="y_pred", counts="n"), name="demo", content_sha256="0")
    >>> describe_lines(found, np.array([0, 1]))
    '42 rows in 2 lines'
    """
    assert evaluation.weights is not None
    return f"{count(int(evaluation.weights[lines].sum()), 'row')} in {count(len(lines), 'line')}"
