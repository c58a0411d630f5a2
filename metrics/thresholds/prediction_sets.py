"""Sets of classes that hold the true one as often as promised: split conformal prediction, of all classes or of each.

Sources: Vovk, Gammerman & Shafer 2005, Algorithmic learning in a random world; Sadinle, Lei & Wasserman 2019, Least
ambiguous set-valued classifiers with bounded error levels, JASA 114.
"""

from __future__ import annotations

import math

import numpy as np

_ROUNDING = 1e-9
"""Of a product such as 10 · 0.9, which must not become the next higher rank."""


def conformal_quantile(scores: np.ndarray, coverage: float) -> float:
    """Return the score that a new row exceeds with a chance of at most 1 - coverage; inf where no score promises it.

    scores : of rows that took no part in training. The quantile is the ⌈(n + 1) · coverage⌉-th lowest of them.

    >>> conformal_quantile(np.arange(1, 20) / 20, 0.9), conformal_quantile(np.array([0.1]), 0.9)
    (0.9, inf)
    """
    rank = max(1, math.ceil((len(scores) + 1) * coverage - _ROUNDING))
    return float(np.partition(scores, rank - 1)[rank - 1]) if rank <= len(scores) else math.inf


def set_limits(probabilities: np.ndarray, truth: np.ndarray, coverage: float, *, by_class: bool = False) -> np.ndarray:
    """Return how far the probability of each class may be from 1, so that it is in a set; float64 (K,).

    probabilities : float64 (n, K). truth : int (n,), columns. by_class : the promise holds for each class by itself;
    a class with too few rows has inf, and is in every set.
    """
    away = 1 - probabilities[np.arange(len(truth)), truth]
    n_classes = probabilities.shape[1]
    if not by_class:
        return np.full(n_classes, conformal_quantile(away, coverage))
    return np.array([conformal_quantile(away[truth == code], coverage) for code in range(n_classes)])


def predict_sets(probabilities: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """Return which classes are in the set of each row, bool (n, K)."""
    sets: np.ndarray = 1 - probabilities <= limits
    return sets
