"""Confusion counts of many rows, three in five right and some unparseable."""

import numpy as np

from metrics.confusion.counts import UNPARSEABLE, ConfusionCounts, confusion_counts


def random_counts(k: int, n: int = 3000, labels=None) -> ConfusionCounts:
    random = np.random.default_rng(k)
    y_true = random.integers(0, k, n)
    y_pred = np.where(random.random(n) < 0.4, random.integers(0, k, n), y_true)
    y_pred[::50] = UNPARSEABLE
    return confusion_counts(y_true, y_pred, labels=labels or tuple(f"class {i}" for i in range(k)))
