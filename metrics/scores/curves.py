"""Scores and truths in, score counts out; score counts in, curves and the areas under them out.

Everything here and in `metrics/thresholds/` is a function of one small table, the `ScoreCounts` of one class:
how many positives and negatives score at least this much, at every distinct score. It costs one sort.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from text.numbers import percent

_TINY = 1e-9
"""By so much a number may be below a whole one through rounding; of units of weight, by such a part of it."""
_STEPS = 10_000
"""Of scores from 0 to 1 with four decimals, as files often hold them; fewer rows than steps are sorted faster."""


class ScoreCounts(NamedTuple):
    """Count the rows of each kind that score at least this much, at every distinct score.

    score : float64 (m,), the distinct scores, **descending**; 0.0 and -0.0 are one score.
    tp, fp : int64 (m,), positives and negatives with score >= score[i].
    n_pos, n_neg : positives and negatives that have a score.
    n_without_score : rows whose score is NaN; they are in none of the other counts.
    unit : the weight of one count, where counts are units of weight; 1 = they are rows.
    """

    score: np.ndarray
    tp: np.ndarray
    fp: np.ndarray
    n_pos: int
    n_neg: int
    n_without_score: int = 0
    unit: float = 1.0

    @property
    def n(self) -> int:
        """Return rows with a score."""
        return self.n_pos + self.n_neg

    def in_weights(self, unit: float) -> ScoreCounts:
        """Return units of weight as weights, float64: numbers for a formula."""
        return ScoreCounts(self.score, *(counts * unit for counts in self[1:6]))  # type: ignore[arg-type]

    def above(self, threshold: float) -> int:
        """Count the distinct scores >= threshold, in O(log m)."""
        if math.isnan(threshold):
            raise ValueError("A threshold of NaN separates nothing: give a number, or inf for 'nothing is positive'.")
        return len(self.score) - int(self.score[::-1].searchsorted(threshold))

    def at(self, threshold: float) -> tuple[int, int]:
        """Count the positives and the negatives with a score >= threshold, in O(log m)."""
        above = self.above(threshold)
        return (self.tp.item(above - 1), self.fp.item(above - 1)) if above else (0, 0)


class NamedScores(NamedTuple):
    """Scores that are drawn as a curve: of a class or a run, by its name.

    threshold : the one in use; NaN = none is.
    """

    name: str
    counts: ScoreCounts
    threshold: float = math.nan


def round_down(counts: float, unit: float) -> int:
    """Return whole counts; what is below a whole number by rounding alone is that number.

    unit : of the counts, as `ScoreCounts` has it. Weights such as 0.1 are rounded to a unit, and so are their sums.

    >>> round_down(0.29 * 100, 1.0), round_down(2.5, 2.0)
    (29, 2)
    """
    return int(np.floor(counts + (_TINY if unit >= 1 else _TINY * max(1.0, counts))))


def describe_roc(counts: ScoreCounts) -> str:
    """Say the shape of a ROC curve: the false positives with which half, and nine tenths, of the positives are found.

    >>> counts = score_counts(np.array([True, True, False, True, False]), np.array([0.9, 0.8, 0.7, 0.6, 0.5]))
    >>> describe_roc(counts)
    'Half of the positives are found with 0.0 % of the negatives as false positives, nine in ten with 50.0 %.'
    """
    if not (counts.n_pos and counts.n_neg):
        return ""
    places = np.searchsorted(counts.tp, [0.5 * counts.n_pos, 0.9 * counts.n_pos])
    half, most = (percent(float(fp) / counts.n_neg) for fp in counts.fp[places])
    return f"Half of the positives are found with {half} of the negatives as false positives, nine in ten with {most}."


def score_counts(y_true: np.ndarray, y_score: np.ndarray, weights: np.ndarray | None = None) -> ScoreCounts:
    """Count positives and negatives at or above every distinct score, with one sort at most.

    Parameters
    ----------
    y_true : bool (n,), True for a row of the positive class.
    y_score : numbers (n,), higher = more likely positive; probabilities, logits, anything. Float32 and integers
        are taken as float64 (exact up to 2**53). Infinite scores are scores like others and stand at the ends.
        NaN = no score.
    weights : int64 (n,), how many rows each line stands for; None = one.

    Raises
    ------
    TypeError : `y_true` is not bool or `y_score` does not hold numbers.
    ValueError : they are not one-dimensional or not equally long.

    Examples
    --------
    >>> counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.4, 0.4, np.nan]))
    >>> counts.score, counts.tp, counts.fp
    (array([0.9, 0.4]), array([1, 2]), array([0, 1]))
    >>> counts.n_pos, counts.n_neg, counts.n_without_score
    (2, 1, 1)
    """
    y_true, y_score = _check_lengths(y_true, y_score)
    if weights is not None:
        return _count_lines(y_true, y_score, weights)
    n_rows, lowest = len(y_true), y_score.min(initial=np.inf)
    if np.isnan(lowest):
        has_score = ~np.isnan(y_score)
        y_true, y_score = y_true[has_score], y_score[has_score]
        lowest = y_score.min(initial=np.inf)
    n_without_score = n_rows - len(y_true)
    if len(y_true) >= _STEPS and lowest >= 0 and _are_steps(y_score[:_STEPS]) and _are_steps(y_score):
        return _count_steps(y_true, y_score, n_without_score)
    key, n_not_negative = _sorted_keys(y_true, y_score, any_negative=lowest < 0)
    return _tally(key, n_not_negative, n_without_score)


def _are_steps(y_score: np.ndarray) -> bool:
    """Return whether scores that are not negative are 1 at most and have four decimals at most."""
    return bool(y_score.max() <= 1 and np.array_equal(np.rint(y_score * _STEPS) / _STEPS, y_score))


def _count_steps(y_true: np.ndarray, y_score: np.ndarray, n_without_score: int) -> ScoreCounts:
    """Count what `_tally` does, without a sort: `y_score` holds steps, and no NaN."""
    below_one = np.rint((1 - y_score) * _STEPS).astype(np.int64)  # the highest score comes first
    rows = np.bincount(below_one, minlength=_STEPS + 1)
    positives = np.bincount(below_one[y_true], minlength=_STEPS + 1)
    held = np.flatnonzero(rows)
    tp = np.cumsum(positives)[held]
    n_pos = int(positives.sum())
    return ScoreCounts(
        (_STEPS - held) / _STEPS, tp, np.cumsum(rows)[held] - tp, n_pos, len(y_true) - n_pos, n_without_score
    )


def _count_lines(y_true: np.ndarray, y_score: np.ndarray, weights: np.ndarray) -> ScoreCounts:
    """Count lines that stand for many rows each; a line of no rows has no score."""
    known = np.flatnonzero(~np.isnan(y_score) & (weights > 0))
    order = known[np.argsort(-y_score[known])]
    score, rows = y_score[order] + 0.0, weights[order].astype(np.int64)  # -0.0 becomes 0.0
    tp = np.cumsum(np.where(y_true[order], rows, 0))
    fp = np.cumsum(rows) - tp
    last = np.flatnonzero(score != np.append(score[1:], np.nan))  # of every distinct score
    n_pos, n_neg = int(tp[-1:].sum()), int(fp[-1:].sum())  # 0 without lines
    return ScoreCounts(score[last], tp[last], fp[last], n_pos, n_neg, int(weights.sum()) - n_pos - n_neg)


def _check_lengths(y_true: np.ndarray, y_score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    y_true, y_score = np.asarray(y_true), np.asarray(y_score)
    if y_true.dtype != np.bool_:
        raise TypeError(f"y_true must be bool (True = positive class), not {y_true.dtype}.")
    if y_score.dtype.kind not in "biuf":
        raise TypeError(f"y_score must hold numbers, not {y_score.dtype}.")
    if y_true.ndim != 1 or y_true.shape != y_score.shape:
        raise ValueError(f"y_true and y_score must be equally long lists, not {y_true.shape} and {y_score.shape}.")
    return y_true, y_score.astype(np.float64, copy=False)


def _sorted_keys(y_true: np.ndarray, y_score: np.ndarray, *, any_negative: bool) -> tuple[np.ndarray, int]:
    """Return score bits and label in one uint64, highest score first, and how many are scores >= 0.

    A non-negative double needs no sign bit, so shifting it out makes room for the label and no bit is lost: one
    plain integer sort orders scores and labels together. Signs and labels of mixed scores would need 65 bits,
    so negative scores are sorted apart, by magnitude, and follow the others.
    """
    key: np.ndarray = np.abs(y_score).view(np.uint64)  # abs also makes -0.0 the same bits as 0.0
    np.add(key, key, out=key)  # a shift, faster
    np.bitwise_or(key, y_true, out=key)
    n_above = len(key)
    if any_negative:
        negative = y_score < 0
        n_above -= int(np.count_nonzero(negative))
        key = np.concatenate([key[np.flatnonzero(~negative)], key[np.flatnonzero(negative)]])
    above, below = key[:n_above], key[n_above:]
    np.invert(above, out=above)  # so that the largest comes first
    above.sort()
    np.invert(above, out=above)
    below.sort()
    return key, n_above


def _tally(key: np.ndarray, n_not_negative: int, n_without_score: int) -> ScoreCounts:
    is_true = (key & np.uint64(1)).view(np.int64)
    tp = np.cumsum(is_true, out=is_true)
    magnitude = np.right_shift(key, 1, out=key)
    is_last = np.ones(len(key), dtype=bool)  # of its distinct score
    np.not_equal(magnitude[1:], magnitude[:-1], out=is_last[:-1])
    if 0 < n_not_negative < len(key):
        is_last[n_not_negative - 1] = True  # 0.5 and -0.5 have one magnitude
    n_pos = int(tp[-1]) if len(key) else 0
    n_above, n_so_far = n_not_negative, np.arange(1, len(key) + 1)
    if not is_last.all():
        last = np.flatnonzero(is_last)
        magnitude, tp, n_so_far = magnitude[last], tp[last], n_so_far[last]
        n_above = int(np.searchsorted(last, n_not_negative))
    score = magnitude.view(np.float64)
    np.negative(score[n_above:], out=score[n_above:])
    return ScoreCounts(score, tp, np.subtract(n_so_far, tp, out=n_so_far), n_pos, len(key) - n_pos, n_without_score)


class RocCurve(NamedTuple):
    """False positive rate and true positive rate at every threshold; thresholds descend from inf."""

    fpr: np.ndarray
    tpr: np.ndarray
    threshold: np.ndarray


def roc_curve(counts: ScoreCounts) -> RocCurve:
    """Return the receiver operating characteristic: what share of each class is called positive, at every distinct
    score.

    Arrays of m + 1 points, thresholds descending. Both rates ascend from (0, 0) at threshold inf ("nothing is
    positive") to (1, 1) at the lowest score. Undefined (NaN) are `tpr` without positives and `fpr` without negatives.
    Equal to scikit-learn's `roc_curve(..., drop_intermediate=False)`.

    >>> roc_curve(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4])))
    RocCurve(fpr=array([0., 0., 1.]), tpr=array([0. , 0.5, 1. ]), threshold=array([inf, 0.9, 0.4]))
    """
    fpr, tpr = _rate_from_zero(counts.fp, counts.n_neg), _rate_from_zero(counts.tp, counts.n_pos)
    return RocCurve(fpr, tpr, np.concatenate([[np.inf], counts.score]))


def _rate_from_zero(cumulative: np.ndarray, total: int) -> np.ndarray:
    rate = np.empty(len(cumulative) + 1)
    rate[0] = 0.0 if total else np.nan
    with np.errstate(invalid="ignore"):
        np.divide(cumulative, total, out=rate[1:])
    return rate


class PrecisionRecallCurve(NamedTuple):
    """Precision and recall at every distinct score; thresholds descend, recall ascends."""

    precision: np.ndarray
    recall: np.ndarray
    threshold: np.ndarray


def precision_recall_curve(counts: ScoreCounts) -> PrecisionRecallCurve:
    """Return precision and recall when the rows with score >= threshold are called positive, at every distinct score.

    Arrays of m points, thresholds descending, recall ascending to 1. Only points a threshold can reach: where
    nothing is called positive precision is 0/0, so there is no point at recall 0. Recall is undefined (NaN) without
    positives. scikit-learn's curve is this one back to front, plus a made-up end point (recall 0, precision 1); and
    without positives it calls recall 1 and warns.

    >>> curve = precision_recall_curve(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4])))
    >>> curve.recall.tolist(), curve.precision.round(3).tolist(), curve.threshold.tolist()
    ([0.5, 1.0], [1.0, 0.667], [0.9, 0.4])
    """
    hit = counts.tp.astype(np.float64)  # converted once: two columns of integers divide much slower
    called = hit + counts.fp
    precision = np.divide(hit, called, out=called)
    with np.errstate(invalid="ignore"):
        recall = np.divide(hit, counts.n_pos, out=hit)
    return PrecisionRecallCurve(precision, recall, counts.score)


def roc_auc(counts: ScoreCounts) -> float:
    """Return the area under the ROC curve: how often a random positive outscores a random negative, ties counting half.

    Range 0..1, 0.5 is chance whatever the balance. Undefined (NaN) if either class is missing. Summed in
    integers, so it is exact up to one division; from some 4 billion rows on in floats.

    Source: Hanley & McNeil 1982, "The meaning and use of the area under a ROC curve", Radiology 143.

    >>> roc_auc(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4])))
    0.75
    """
    if counts.n_pos == 0 or counts.n_neg == 0:
        return float("nan")
    is_whole = counts.tp.dtype.kind == "i" and products_fit(counts.n_pos, counts.n_neg)
    kind = np.int64 if is_whole else np.float64
    # twice the area: of every step the width by the sum of both heights
    area: float = counts.tp[0].item() * counts.fp[0].item()
    for start in range(0, len(counts.tp) - 1, _BLOCK):
        block = slice(start, start + _BLOCK + 1)
        tp, fp = counts.tp[block].astype(kind, copy=False), counts.fp[block].astype(kind, copy=False)
        area += np.dot(fp[1:] - fp[:-1], tp[1:] + tp[:-1]).item()
    return area / (2 * counts.n_pos * counts.n_neg)


def products_fit(n_pos: float, n_neg: float) -> bool:
    """Return whether products of positives and negatives fit into int64: up to some 4 billion rows.

    >>> products_fit(10**9, 10**9), products_fit(10**10, 10**10)
    (True, False)
    """
    return n_pos * n_neg < 2**62


_BLOCK = 8_192
"""Distinct scores that stay in the processor's cache together."""


def average_precision(counts: ScoreCounts) -> float:
    """Return the mean of the precision over the positives, each at its own score: the step area under the PR curve.

    Range 0..1; chance is the share of positives, not 0.5. Undefined (NaN) without positives (scikit-learn: 0 and a
    warning). Steps are not interpolated: a straight line between PR points is too optimistic (Davis & Goadrich 2006,
    "The relationship between precision-recall and ROC curves").

    >>> round(average_precision(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4]))), 4)
    0.8333
    """
    if counts.n_pos == 0:
        return float("nan")
    worth, before = np.empty(len(counts.tp)), 0.0
    for start in range(0, len(worth), _BLOCK):
        block = slice(start, start + _BLOCK)
        hit, called = counts.tp[block].astype(np.float64), counts.fp[block].astype(np.float64)
        called += hit
        gained = np.divide(hit, called, out=worth[block])
        gained[0] *= hit[0] - before
        gained[1:] *= hit[1:] - hit[:-1]
        before = hit[-1]
    # summed without BLAS, whose threads wait for each other longer than this takes
    return float(worth.sum() / counts.n_pos)


def separating_thresholds(counts: ScoreCounts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return every threshold that separates the rows differently, descending, with tp and fp there.

    "Nothing is positive" (threshold inf) comes first, unless a score is infinite: then no threshold does that.

    >>> separating_thresholds(score_counts(np.array([True, False]), np.array([0.9, 0.4])))
    (array([inf, 0.9, 0.4]), array([0, 1, 1]), array([0, 0, 1]))
    """
    if len(counts.score) and counts.score[0] == np.inf:
        return counts.score, counts.tp, counts.fp
    return np.append(np.inf, counts.score), np.append(0, counts.tp), np.append(0, counts.fp)
