"""Score columns to one array, and what is made of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from data.columns.column import Column, written_numbers
from data.evaluation import DataError
from text.numbers import count_marked
from text.quoting import list_items, quote

TOLERANCE = 1e-6  # float32 softmax overshoots 1 by about 1e-7


def sample_sums(columns: Sequence[Column]) -> np.ndarray:
    """Row sums over a sample of the rows, NaN rows left out."""
    sums = np.sum([column.sample_numbers for column in columns], axis=0)
    return np.asarray(sums[~np.isnan(sums)])


def sums_to(columns: Sequence[Column], total: float) -> bool:
    """Whether nearly all rows of two or more columns add up to `total` (rounded scores allowed for)."""
    sums = sample_sums(columns) if len(columns) > 1 else np.array([])
    slack = total * max(0.002, 0.0006 * len(columns))
    return len(sums) > 0 and bool(np.mean(np.abs(sums - total) <= slack) > 0.98)


def score_matrix(table: pa.Table, names: Sequence[str]) -> np.ndarray:
    """The score columns as float64 (n, S), Fortran order, NaN = no score; DataError names a cell that is no number."""
    matrix = np.empty((len(table), len(names)), dtype=np.float64, order="F")
    for position, name in enumerate(names):
        matrix[:, position] = Column(table, name).numbers
    return matrix


def as_written(columns: Iterable[Column]) -> list[str]:
    """A warning on score columns that are not written as plain numbers, or nothing."""
    found: dict[str, list[str]] = {}
    for column in columns:
        written = written_numbers(column.distinct.values) if column.is_written_number else None
        if written:
            found.setdefault(written[1], []).append(column.name)
    return [
        f"{list_items(names, 3)} {'is' if len(names) == 1 else 'are'} written with {how}: read as numbers"
        f"{', divided by 100' if 'per cent' in how else ''}."
        for how, names in found.items()
    ]


def softmax(logits: np.ndarray) -> np.ndarray:
    """Rows of logits (or log-probabilities) as probabilities, float64 (n, S), Fortran order; NaN rows stay NaN.

    >>> softmax(np.array([[0.0, 0.0]])).tolist()
    [[0.5, 0.5]]
    """
    result = np.array(logits, dtype=np.float64, order="F")
    result -= result.max(axis=1, keepdims=True)
    np.exp(result, out=result)
    result /= result.sum(axis=1, keepdims=True)
    return result


def one_score_a_label(
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

    >>> one_score_a_label(np.array([[0.5, 0.25, 0.25]]), (0, 1, 0), ["p_cat", "p_dog", "p_Cat"], ["cat", "dog"])[:2]
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
                f"{summed[row, place]:.6g}, which is no probability; take the merge back, or leave all but one out."
            )
        notes.append(f"The scores in {added} are added up: their labels are one, {quote(labels[code])}.")
    return np.minimum(summed, 1.0), kept, notes


def argmax(scores: np.ndarray) -> np.ndarray:
    """The column of the highest score of every row, the first one on a tie; -1 where a score is NaN.

    >>> argmax(np.array([[0.2, 0.8], [0.5, 0.5], [np.nan, 1.0]])).tolist()
    [1, 0, -1]
    """
    best = scores[:, 0].copy()
    place = np.zeros(len(scores), dtype=np.int32)
    for column in range(1, scores.shape[1]):
        higher = scores[:, column] > best
        place[higher] = column
        np.maximum(best, scores[:, column], out=best)  # a NaN stays
    place[np.isnan(best)] = -1
    return place


def without_score(scores: np.ndarray) -> list[str]:
    """A warning on rows in which a score is missing, or nothing."""
    holes = np.isnan(scores).any(axis=1)
    if not holes.any():
        return []
    return [f"{count_marked(holes)} no score: left out of curves and thresholds."]
