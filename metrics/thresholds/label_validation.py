"""Thresholds of several labels chosen on some rows and judged on the others: how optimistic a choice is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from metrics.multilabel.set_counts import MultilabelCounts, multilabel_counts
from metrics.progress import Report, nobody, part
from metrics.thresholds.cross_validation import FOLDS, dealt
from metrics.thresholds.label_thresholds import LabelScores, best_each, best_for_all, label_scores


class CrossFitted(NamedTuple):
    """What each way of choosing gives on rows that took no part in the choice; counts over all rows once.

    each, micro, macro : the best threshold of every label; the one of best micro F1; of best macro F1.
    """

    each: MultilabelCounts
    micro: MultilabelCounts
    macro: MultilabelCounts
    folds: int
    seed: int


def cross_fitted(
    y_true: np.ndarray,
    y_score: np.ndarray,
    score_codes: Sequence[int],
    *,
    otherwise: float,
    folds: int = FOLDS,
    seed: int = 0,
    report: Report = nobody,
) -> CrossFitted:
    """Choose thresholds on all folds but one and predict that one with them; every fold in turn.

    The folds are drawn at random, of equal size to a row; of fewer rows than folds each is one by itself. Thresholds
    chosen and judged on the same rows look better than they are, the more so the fewer true rows a label has: compare
    with these counts.

    otherwise : the threshold of a label without a true row in the folds it would be chosen on.
    report : told before every fold, and within it, which share is done, from 0; what it raises ends the work.

    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random((500, 3)) < 0.1
    >>> noise = rng.random((500, 3))
    >>> best_f1 = best_each(label_scores(truth, noise, range(3))).f1.mean()
    >>> fitted = cross_fitted(truth, noise, range(3), otherwise=0.5).each
    >>> held_out = (2 * fitted.tp / (2 * fitted.tp + fitted.fp + fitted.fn)).mean()
    >>> bool(held_out < best_f1)
    True
    """
    n, codes = len(y_true), list(score_codes)
    folds = min(folds, n)
    fold = dealt(n, folds, np.random.default_rng(seed))
    predicted = {name: np.zeros(y_true.shape, dtype=bool) for name in ("each", "micro", "macro")}
    for held_out in range(folds):
        told = part(report, held_out, folds)
        told(0.0)
        inside, outside = np.flatnonzero(fold == held_out), fold != held_out
        chosen = _chosen(label_scores(y_true[outside], y_score[outside], codes), otherwise, told)
        for name, thresholds in chosen.items():
            predicted[name][inside[:, None], codes] = y_score[inside] >= thresholds
    names = tuple(map(str, range(y_true.shape[1])))
    return CrossFitted(**{name: multilabel_counts(y_true, guess, names) for name, guess in predicted.items()},
                       folds=folds, seed=seed)  # fmt: skip


def _chosen(scores: LabelScores, otherwise: float, report: Report) -> dict[str, np.ndarray]:
    found = {
        "each": best_each(scores).threshold,
        "micro": np.array(best_for_all(scores, "micro", report=part(report, 0, 2)).threshold),
        "macro": np.array(best_for_all(scores, "macro", report=part(report, 1, 2)).threshold),
    }
    return {name: np.where(np.isnan(threshold), otherwise, threshold) for name, threshold in found.items()}
