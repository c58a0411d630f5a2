"""Scores that tell little, for tests of what is chosen on them."""

import numpy as np


def noise(n, seed, *, shift, digits=12):
    """Truth, three rows in ten positive, and normal scores, those of positives higher by `shift`."""
    random = np.random.default_rng(seed)
    y_true = random.random(n) < 0.3
    return y_true, (random.normal(size=n) + shift * y_true).round(digits)


def rows_in_folds(y_true, y_score, folds, repeats, seed):
    """Yield the rows in order of their score with their folds, split class by class, once a repeat."""
    random = np.random.default_rng(seed)
    order = np.argsort(-y_score, kind="stable")
    y_true, y_score = y_true[order], y_score[order]
    for _ in range(repeats):
        fold = np.empty(len(y_true), int)
        for side in (True, False):
            fold[y_true == side] = random.permutation((np.arange((y_true == side).sum()) % folds).astype(np.uint8))
        yield y_true, y_score, fold
