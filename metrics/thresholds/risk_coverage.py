"""Leave the least confident rows to people: the share of wrong rows among those decided, for any number of classes.

Everything is counted from "the prediction is right" against the confidence in it, as score counts.

Sources: El-Yaniv & Wiener 2010, On the foundations of noise-free selective classification, JMLR 11; Geifman, Uziel &
El-Yaniv 2019, Bias-reduced uncertainty estimation for deep neural classifiers, ICLR (AURC); Angelopoulos, Bates,
Candès, Jordan & Lei 2021, Learn then test (the promised risk).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from metrics.scores.curves import ScoreCounts, round_down

_STARTS, _EACH = 10, 19
"""Sequences of thresholds, and thresholds of each: they are fixed before any row is seen."""
_ENDS = (-6.0, 12.9)
"""Log-odds of the lowest and the highest threshold."""


class Decided(NamedTuple):
    """Rows with at least a confidence: how many are decided, and how many of these are wrong; or units of weight."""

    threshold: float
    rows: int
    wrong: int


def decide_share(counts: ScoreCounts, coverage: float) -> Decided:
    """Return the highest confidence that decides at least a share of the rows; rows of one confidence stay together.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, True, False, True]), np.array([0.9, 0.8, 0.8, 0.4]))
    >>> decide_share(counts, 0.5)
    Decided(threshold=0.8, rows=3, wrong=1)
    """
    decided = counts.tp + counts.fp
    enough = counts.n - round_down((1 - coverage) * counts.n, counts.unit)
    place = min(int(np.searchsorted(decided, enough)), len(decided) - 1)
    return Decided(float(counts.score[place]), int(decided[place]), int(counts.fp[place]))


def area_under_risk(counts: ScoreCounts, rows: ScoreCounts | None = None) -> float:
    """Return the mean share of wrong rows among the k most confident, over every k (AURC); NaN without rows.

    Rows of one confidence are in random order: it is the mean over all their orders. By weight, both the share and the
    mean are weighted, and rows of one confidence share their weight evenly.

    rows : the same in rows, where `counts` are units of weight.

    >>> from metrics.scores.curves import score_counts
    >>> area_under_risk(score_counts(np.array([True, False]), np.array([0.9, 0.2])))
    0.25
    """
    if not counts.n:
        return math.nan
    rows = counts if rows is None else rows
    last, decided, wrong = rows.tp + rows.fp, counts.tp + counts.fp, counts.fp
    size, weight, errors = (np.diff(total, prepend=0) for total in (last, decided, wrong))
    step = np.arange(1, rows.n + 1) - np.repeat(last - size, size)
    errors_so_far, weight_so_far = (
        np.repeat(total - gain, size) + np.repeat(gain / size, size) * step
        for total, gain in ((wrong, errors), (decided, weight))
    )
    return float(np.average(errors_so_far / weight_so_far, weights=np.repeat(weight / size, size)))


def promise_risk(counts: ScoreCounts, risk: float, level: float = 0.95) -> Decided | None:
    """Return the lowest confidence from which at most a share of new rows is wrong, at a level; None where none is.

    Thresholds are tested from high to low in ten sequences, each until the first that chance could explain. A test is
    binomial: that so few of the decided rows are wrong although more than `risk` are. Each sequence takes a tenth of
    1 - `level`, so that the promise holds although a threshold was searched.
    """
    from scipy.special import bdtr  # it takes longer to import than a small file to measure

    thresholds = 1 / (1 + np.exp(-np.linspace(*_ENDS, _STARTS * _EACH)))[::-1].reshape(_STARTS, _EACH)
    kept: Decided | None = None
    for start, _ in enumerate(thresholds):
        for threshold in thresholds[start:].ravel():
            right, wrong = counts.at(float(threshold))
            if not right + wrong or risk <= 0 or bdtr(wrong, right + wrong, risk) > (1 - level) / _STARTS:
                break
            if kept is None or threshold < kept.threshold:
                kept = Decided(float(threshold), right + wrong, wrong)
    return kept
