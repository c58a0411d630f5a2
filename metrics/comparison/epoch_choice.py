"""Choose the best of several epochs, and say what such a choice is worth on rows that it was not made on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

FOLDS, SEED = 5, 0


def best_epoch(values: np.ndarray, *, higher: bool = True) -> int | None:
    """Return the place of the best value, of equal ones the first; None where all are undefined.

    >>> best_epoch(np.array([0.5, 0.8, np.nan, 0.8])), best_epoch(np.array([0.4, 0.2]), higher=False)
    (1, 1)
    """
    if np.isnan(values).all():
        return None
    return int(np.nanargmax(values) if higher else np.nanargmin(values))


def draw_folds(n: int) -> np.ndarray:
    """Return one of `FOLDS` folds for each of n rows, drawn at random; the folds differ by one row at most.

    >>> np.bincount(draw_folds(12)).tolist()
    [3, 3, 2, 2, 2]
    """
    return np.random.default_rng(SEED).permutation(np.arange(n) % FOLDS)


def choose_on_other_folds(
    folds: np.ndarray, n_epochs: int, value: Callable[[int, np.ndarray], float], *, higher: bool = True
) -> np.ndarray | None:
    """Return for every row the epoch that is best on the rows of the other folds; None where one has none.

    Predictions taken so are judged on rows that had no part in the choice (cross-validation; Stone 1974): their metric
    lacks the optimism of the best of several.

    value : the metric of an epoch, on the rows where a mask is True.
    """
    chosen = np.zeros(len(folds), dtype=np.int64)
    for fold in np.unique(folds):
        others = folds != fold
        best = best_epoch(np.array([value(epoch, others) for epoch in range(n_epochs)]), higher=higher)
        if best is None:
            return None
        chosen[~others] = best
    return chosen
