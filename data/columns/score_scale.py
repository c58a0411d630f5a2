"""Read score columns as one array: checked, per cent divided by 100, classes that were merged added up."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np
import pyarrow as pa

from data.columns.column import Column
from data.columns.scale_choice import (
    TOLERANCE,
    find_bad_cell,
    find_score_range,
    has_per_cent_signs,
    is_per_cent,
    says_per_cent,
)
from data.errors import DataError
from data.evaluation import default_threshold
from text.numbers import count, count_marked
from text.quoting import list_items, quote


def read_scores(table: pa.Table, names: Sequence[str]) -> np.ndarray:
    """Return the score columns as float64 (n, S), Fortran order; DataError names a cell that is no number."""
    matrix = np.empty((len(table), len(names)), dtype=np.float64, order="F")
    for position, name in enumerate(names):
        matrix[:, position] = Column(table, name).numbers
    return matrix


def merge_scores(
    scores: np.ndarray, codes: tuple[int, ...], names: Sequence[str], labels: Sequence[str]
) -> tuple[np.ndarray, tuple[int, ...], list[str]]:
    """Add up the probabilities of columns that are of one label, because labels were merged.

    Parameters
    ----------
    scores : float64 (n, S), probabilities of classes of which a row has one.
    codes, names : the label and the name of every column. labels : names of the labels.

    Returns
    -------
    scores, codes, notes; unchanged where every label has one column.

    Raises
    ------
    DataError
        a sum above 1, named by columns and row: what is added up is no probability of one class among others.

    >>> merge_scores(np.array([[0.5, 0.25, 0.25]]), (0, 1, 0), ["p_cat", "p_dog", "p_Cat"], ["cat", "dog"])[:2]
    (array([[0.75, 0.25]]), (0, 1))
    """
    kept = tuple(dict.fromkeys(codes))
    if len(kept) == len(codes):
        return scores, codes, []
    summed = np.empty((len(scores), len(kept)), dtype=np.float64, order="F")
    notes = []
    for place, code in enumerate(kept):
        columns = [column for column, own in enumerate(codes) if own == code]
        summed[:, place] = scores[:, columns].sum(axis=1)
        if len(columns) == 1:
            continue
        added = list_items(names[column] for column in columns)
        if (summed[:, place] > 1 + TOLERANCE).any():
            row = int(np.argmax(summed[:, place] > 1 + TOLERANCE))
            raise DataError(
                f"The score columns {added}, row {row + 1:,}: they are of labels that you merged, and add up to "
                f"{summed[row, place]:.6g}, which is no probability. Take the merge back, or leave all but one out."
            )
        notes.append(f"The scores in {added} are added up: their labels are one, {quote(labels[code])}.")
    return np.minimum(summed, 1.0), kept, notes


def argmax(scores: np.ndarray) -> np.ndarray:
    """Return the column of the highest score of every row, the first one on a tie; -1 where a score is NaN.

    >>> argmax(np.array([[0.2, 0.8], [0.5, 0.5], [np.nan, 1.0]])).tolist()
    [1, 0, -1]
    """
    place: np.ndarray = scores.argmax(axis=1).astype(np.int32)
    place[np.isnan(scores).any(axis=1)] = -1
    return place


def warn_of_missing_scores(scores: np.ndarray, weights: np.ndarray | None = None) -> list[str]:
    """Warn of rows in which a score is missing; weights int64 (n,): the rows of every line, None = one.

    Where a line stands for many rows, its place is no row of the source: none is named.

    >>> warn_of_missing_scores(np.array([[0.5], [np.nan]]), np.array([7, 2]))
    ['2 rows have no score: left out of curves and thresholds.']
    """
    holes = np.isnan(scores).any(axis=1)
    if not holes.any():
        return []
    found = count_marked(holes)
    if weights is not None:
        n = int(weights[holes].sum())
        found = f"{count(n)} {'has' if n == 1 else 'have'}"
    return [f"{found} no score: left out of curves and thresholds."]


def check_probabilities(
    table: pa.Table, names: Sequence[str], matrix: np.ndarray
) -> tuple[np.ndarray, bool, list[str]]:
    """Check that scores are probabilities, and divide per cent by 100.

    Returns
    -------
    matrix, whether it was per cent, notes.

    Raises
    ------
    DataError
        a value outside 0 to 1 that is not per cent, or outside 0 to 100 where they are; it names column and row.
    """
    columns = [Column(table, name) for name in names]
    low, high = find_score_range(columns)
    if low >= 0 and high <= 1:
        return matrix, False, []
    if low >= -TOLERANCE and high <= 1 + TOLERANCE:
        return np.clip(matrix, 0, 1), False, ["Scores that leave 0 to 1 by rounding were cut to 0 and 1."]
    if says_per_cent(columns):
        refuse_per_cent(columns)
    if is_per_cent(low, high, columns) and find_bad_cell(columns) is None:
        return matrix / 100, True, ["The scores are per cent: they were divided by 100."]
    row, column = np.argwhere((matrix < -TOLERANCE) | (matrix > 1 + TOLERANCE))[0]
    raise DataError(
        f"Column {quote(names[column])}, row {row + 1:,}: {matrix[row, column]:.6g} is not a probability between 0 "
        "and 1. Correct the cell, choose the scale 'score' or 'logit', or choose another score column."
    )


def refuse_per_cent(columns: Sequence[Column]) -> None:
    """Refuse per cent values outside 0 to 100, the first five by name.

    Raises
    ------
    DataError
        a cell that is no per cent value, by column, row and what it holds.
    """
    named = []
    for column in columns:
        high = 1.0 if has_per_cent_signs(column) else 100.0
        rows = np.flatnonzero((column.numbers < -TOLERANCE) | (column.numbers > high * (1 + TOLERANCE)))
        named += [(column, int(row)) for row in rows.tolist()]
    if not named:
        return
    cells = "; ".join(
        f"column {quote(column.name)}, row {row + 1:,}: {quote(str(column.array[row].as_py()))}"
        for column, row in named[:5]
    )
    more = f" and {count(len(named) - 5, 'more cell')}" if len(named) > 5 else ""
    verb = "is" if len(named) == 1 else "are"
    raise DataError(
        f"{cells[0].upper()}{cells[1:]}{more} {verb} not per cent between 0 and 100. Correct the cells, or choose the "
        "scale 'score' if these are no per cent values."
    )


def find_source_cut(scale: str, threshold: float | None, high: float | None) -> float | None:
    """Return a threshold on the scale of a source's files; None where there is none.

    threshold : on the scale of evaluations; None = the default one. high : the highest score of the files.

    >>> find_source_cut("probability", 0.55, 87.0), find_source_cut("probability", None, 0.9)
    (55.0, 0.5)
    """
    cut = default_threshold(scale) if threshold is None else threshold
    if np.isnan(cut):
        return None
    return float(Decimal(str(cut)) * 100) if is_source_per_cent(scale, high) and cut <= 1 else float(cut)


def is_source_per_cent(scale: str, high: float | None) -> bool:
    """Return whether the probabilities of a source are written as per cent; high : the highest of them.

    >>> is_source_per_cent("probability", 87.0), is_source_per_cent("probability", 1.0000002)
    (True, False)
    """
    return scale == "probability" and high is not None and high > 1 + TOLERANCE
