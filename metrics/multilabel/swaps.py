"""Pairs of labels: one was missed in a row while the other was predicted there and is not true."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

_BLOCK_CELLS = 1 << 20  # cells whose pairs are listed at a time, so that they fit into memory


class Swaps(NamedTuple):
    """Pairs of a missed label and one predicted instead, the most rows first; int64 arrays of one length.

    A row with two missed labels and three predicted instead is in six pairs, so pairs add up to more than their rows.
    """

    missed: np.ndarray
    predicted: np.ndarray
    rows: np.ndarray


def count_swaps(y_true: np.ndarray, y_pred: np.ndarray, weights: np.ndarray | None = None) -> Swaps:
    """Count the rows of each pair that occurs; the arrays are those of `multilabel_counts`.

    Source: the cells of the multi-label confusion matrix of Heydarian, Doyle and Samavi (2022), IEEE Access 10,
    before they are weighted.

    >>> truth = np.array([[1, 0, 0], [1, 1, 0]], dtype=bool)
    >>> count_swaps(truth, np.array([[0, 1, 1], [0, 1, 1]], dtype=bool))
    Swaps(missed=array([0, 0]), predicted=array([2, 1]), rows=array([2, 1]))
    """
    n, n_labels = y_true.shape
    step = max(1, _BLOCK_CELLS // max(1, n_labels))
    each = np.ones(n, np.int64) if weights is None else weights
    pairs, rows = np.zeros((2, 0), np.int64)
    for start in range(0, n, step):
        block = slice(start, start + step)
        more = _add_up(*_list_pairs(y_true[block] & ~y_pred[block], y_pred[block] & ~y_true[block], each[block]))
        pairs, rows = _add_up(*map(np.concatenate, zip((pairs, rows), more, strict=True)))
    pairs, rows = pairs[rows > 0], rows[rows > 0]  # a line may stand for no row
    order = np.lexsort((pairs, -rows))
    return Swaps(*np.divmod(pairs[order], max(1, n_labels)), rows[order])


def _list_pairs(missed: np.ndarray, invented: np.ndarray, each: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return every pair of every row as missed label times labels plus the other, and the rows that it stands for."""
    missed_rows, missed_codes = np.nonzero(missed)
    _, invented_codes = np.nonzero(invented)
    per_row = np.count_nonzero(invented, axis=1)
    first = np.cumsum(per_row) - per_row
    n_pairs = per_row[missed_rows]
    within = np.arange(n_pairs.sum()) - np.repeat(np.cumsum(n_pairs) - n_pairs, n_pairs)
    others = invented_codes[np.repeat(first[missed_rows], n_pairs) + within]
    return np.repeat(missed_codes, n_pairs) * missed.shape[1] + others, np.repeat(each[missed_rows], n_pairs)


def _add_up(pairs: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each pair once, and all of its rows."""
    seen, place = np.unique(pairs, return_inverse=True)
    return seen, np.bincount(place, rows, len(seen)).astype(np.int64)
