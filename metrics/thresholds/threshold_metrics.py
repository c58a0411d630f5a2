"""Score counts in, what happens at a threshold out: every rate at every distinct score, look-ups, best points."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from metrics.scores.curves import ScoreCounts, reachable


class ThresholdRates(NamedTuple):
    """Hold what predicting `score >= threshold` as positive gives: arrays from `rates`, plain numbers from `rates_at`.

    tp, fp, fn, tn are rows; the rest are shares in 0..1 (youden_j and mcc: -1..1), NaN where they are 0/0:

    precision tp / (tp + fp), npv tn / (tn + fn), recall tp / (tp + fn), specificity tn / (tn + fp),
    fpr 1 - specificity, accuracy, balanced_accuracy (recall + specificity) / 2, f1 2tp / (2tp + fp + fn),
    youden_j recall + specificity - 1, mcc the Matthews correlation (0 where everything or nothing is positive,
    as scikit-learn), predicted_positive_rate (tp + fp) / n.
    """

    threshold: Any
    tp: Any
    fp: Any
    fn: Any
    tn: Any
    precision: Any
    recall: Any
    specificity: Any
    fpr: Any
    npv: Any
    accuracy: Any
    balanced_accuracy: Any
    f1: Any
    youden_j: Any
    mcc: Any
    predicted_positive_rate: Any


_SHARES = ThresholdRates._fields[5:]
_BLOCK = 16_384  # thresholds whose intermediate results stay in the processor's cache: twice as fast as all at once


def rates(counts: ScoreCounts, *, nothing_too: bool = False) -> ThresholdRates:
    """Return every count and rate at every distinct score, as arrays (m,), thresholds descending.

    nothing_too : begin with "nothing is positive" (threshold inf) where a threshold can do that, see `reachable`.

    >>> from metrics.scores.curves import score_counts
    >>> table = rates(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4])))
    >>> table.threshold, table.tp, table.tn, table.recall
    (array([0.9, 0.4]), array([1, 2]), array([1, 0]), array([0.5, 1. ]))
    """
    threshold, tp, fp = reachable(counts) if nothing_too else (counts.score, counts.tp, counts.fp)
    return rates_of(threshold, tp, fp, counts.n_pos, counts.n_neg)


def rates_of(threshold: np.ndarray, tp: np.ndarray, fp: np.ndarray, n_pos: int, n_neg: int) -> ThresholdRates:
    """Return every rate of given counts, arrays (m,): tp of `n_pos` positives and fp of `n_neg` negatives are called
    positive.

    >>> rates_of(np.array([0.5]), np.array([1]), np.array([1]), 2, 4).precision
    array([0.5])
    """
    m = len(threshold)
    if m <= _BLOCK:
        return _rates(threshold, tp, fp, n_pos, n_neg)
    found = ThresholdRates(threshold, tp, fp, *np.empty((2, m), np.int64), *np.empty((len(_SHARES), m)))
    for start in range(0, m, _BLOCK):
        block = slice(start, start + _BLOCK)
        piece = _rates(threshold[block], tp[block], fp[block], n_pos, n_neg)
        for whole, part in zip(found[3:], piece[3:], strict=True):
            whole[block] = part
    return found


def rates_at(counts: ScoreCounts, threshold: float) -> ThresholdRates:
    """Return every count and rate at one threshold, which need not be a score; int and float, in O(log m).

    A threshold above every score calls nothing positive, one at or below the lowest score everything.

    Raises
    ------
    ValueError : the threshold is NaN.

    >>> from metrics.scores.curves import score_counts
    >>> at = rates_at(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4])), 0.5)
    >>> at.tp, at.fp, at.fn, at.tn, at.precision, at.recall
    (1, 0, 1, 1, 1.0, 0.5)
    """
    above = counts.above(threshold)
    tp, fp = (counts.tp[above - 1], counts.fp[above - 1]) if above else (np.int64(0), np.int64(0))
    found = _rates(np.float64(threshold), tp, fp, counts.n_pos, counts.n_neg)
    return ThresholdRates(*(value.item() for value in found))


def _rates(threshold: Any, tp: Any, fp: Any, n_pos: int, n_neg: int) -> ThresholdRates:
    fn, tn = n_pos - tp, n_neg - fp
    hit, rejected = tp.astype(np.float64), tn.astype(np.float64)  # converted once: every rate divides them
    pos, neg, n = np.float64(n_pos), np.float64(n_neg), np.float64(n_pos + n_neg)
    called = hit + fp
    rest = n - called
    with np.errstate(divide="ignore", invalid="ignore"):
        recall, fpr = hit / pos, fp / neg
        youden_j = recall - fpr
        return ThresholdRates(
            threshold,
            tp,
            fp,
            fn,
            tn,
            precision=hit / called,
            recall=recall,
            specificity=rejected / neg,
            fpr=fpr,
            npv=rejected / rest,
            accuracy=(hit + rejected) / n,
            balanced_accuracy=(youden_j + 1) / 2,
            f1=2 * hit / (called + pos),
            youden_j=youden_j,
            # the numerator is 0 wherever the denominator is: 0 then, as scikit-learn says (NaN without rows)
            mcc=_lift(tp, fp, n_pos, n_neg) / np.maximum(np.sqrt(called * rest) * np.sqrt(pos * neg), float(n > 0)),
            predicted_positive_rate=called / n,
        )


def _lift(tp: Any, fp: Any, n_pos: int, n_neg: int) -> Any:
    """Return the integer tp * tn - fp * fn: the numerator of MCC, and of Youden's J over n_pos * n_neg (n < 4e9)."""
    return tp * n_neg - fp * n_pos


def f_beta(at: ThresholdRates, beta: float) -> Any:
    """F-beta at one threshold or at all: recall counts beta times as much as precision. NaN where it is 0/0.

    Source: van Rijsbergen 1979, "Information Retrieval", chapter 7. Range 0..1; beta 1 is F1, to the last digit.

    >>> from metrics.scores.curves import score_counts
    >>> at = rates_at(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4])), 0.5)
    >>> round(float(f_beta(at, 2.0)), 4), bool(f_beta(at, 1.0) == at.f1)
    (0.5556, True)
    """
    if not 0 < beta < np.inf:
        raise ValueError(f"Beta must be finite and above 0, not {beta}.")
    squared = np.float64(beta) * beta
    weighed = (1 + squared) * at.tp
    with np.errstate(invalid="ignore"):
        return weighed / (weighed + squared * at.fn + at.fp)


def expected_cost(at: ThresholdRates, *, cost_fp: float, cost_fn: float, prevalence: float | None = None) -> Any:
    """Return what mistakes cost on average per row, at one threshold or at all.

    Parameters
    ----------
    cost_fp, cost_fn : cost of one false positive and one false negative, finite and not negative.
    prevalence : the share of positives where the model will be used, 0..1; None = as in this file. Recall and the
        false positive rate are taken to be the same there (only the mix of the classes differs).

    Returns
    -------
    (cost_fp * fp + cost_fn * fn) / n, NaN without rows; with a prevalence,
    (1 - prevalence) * cost_fp * fp / negatives + prevalence * cost_fn * fn / positives, NaN without either class.

    >>> from metrics.scores.curves import score_counts
    >>> at = rates_at(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4])), 0.5)
    >>> round(float(expected_cost(at, cost_fp=1, cost_fn=5)), 4)
    1.6667
    >>> float(expected_cost(at, cost_fp=1, cost_fn=5, prevalence=0.1))
    0.25
    """
    if not (0 <= cost_fp < np.inf and 0 <= cost_fn < np.inf):
        raise ValueError(f"Costs must be finite and not negative, not {cost_fp} and {cost_fn}.")
    if prevalence is not None and not 0 <= prevalence <= 1:
        raise ValueError(f"A prevalence lies in 0 to 1, not {prevalence}.")
    false_alarms, missed = np.float64(cost_fp) * at.fp, np.float64(cost_fn) * at.fn
    with np.errstate(divide="ignore", invalid="ignore"):
        if prevalence is None:
            return (false_alarms + missed) / (at.tp + at.fn + at.fp + at.tn)
        return (1 - prevalence) * (false_alarms / (at.fp + at.tn)) + prevalence * (missed / (at.tp + at.fn))


class Best(NamedTuple):
    """A threshold that is best by some measure, and the measure there. Both NaN: undefined on these rows."""

    threshold: float
    value: float


def best_thresholds(counts: ScoreCounts, *, cost_fp: float = 1.0, cost_fn: float = 1.0) -> dict[str, Best]:
    """Return the best threshold by F1, Youden's J, balanced accuracy and cost, searched over every distinct score.

    Exact: there is no grid. "Nothing is positive" (threshold inf) is a candidate too, unless a score is infinite,
    because then no threshold does that. Of several best thresholds the highest is taken (fewest rows positive).
    A threshold chosen on the rows it is then judged on looks better than it will be.

    Parameters
    ----------
    cost_fp, cost_fn : cost of one false positive and one false negative, finite and not negative.

    Returns
    -------
    "f1" (undefined without positives), "youden_j" and "balanced_accuracy" (without either class; they share their
    threshold), "cost" = lowest cost per row, the mean of cost_fp * fp + cost_fn * fn (undefined without rows).

    Source: Youden 1950, "Index for rating diagnostic tests", Cancer 3.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.4, 0.4, 0.1]))
    >>> best_thresholds(counts)["f1"]
    Best(threshold=0.4, value=0.8)
    >>> best_thresholds(counts, cost_fp=3.0)["cost"]
    Best(threshold=0.9, value=0.25)
    """
    if not (0 <= cost_fp < np.inf and 0 <= cost_fn < np.inf):
        raise ValueError(f"Costs must be finite and not negative, not {cost_fp} and {cost_fn}.")
    threshold, tp, fp = reachable(counts)
    n_pos, n_neg = counts.n_pos, counts.n_neg
    with np.errstate(invalid="ignore"):
        f1 = _highest(threshold, 2 * tp / (tp + fp + np.float64(n_pos)), defined=n_pos > 0)
        lift = _highest(threshold, _lift(tp, fp, n_pos, n_neg), defined=n_pos > 0 and n_neg > 0)
        cost = _highest(threshold, -(cost_fp * fp + cost_fn * (n_pos - tp)), defined=counts.n > 0)
    youden_j = lift.value / (n_pos * n_neg or 1)
    return {
        "f1": f1,
        "youden_j": Best(lift.threshold, youden_j),
        "balanced_accuracy": Best(lift.threshold, (youden_j + 1) / 2),
        "cost": Best(cost.threshold, abs(cost.value) / (counts.n or 1)),
    }


def _highest(threshold: np.ndarray, value: np.ndarray, *, defined: bool) -> Best:
    if not defined:
        return Best(float("nan"), float("nan"))
    index = int(value.argmax())  # the first of equals: thresholds descend, so the highest
    return Best(float(threshold[index]), float(value[index]))


class ScoreHistogram(NamedTuple):
    """Rows by score: bin i holds edges[i] <= score < edges[i + 1] (the last bin also its upper edge).

    edges : float64 (bins + 1,); positives, negatives : int64 (bins,); n_without_score : rows in no bin.
    """

    edges: np.ndarray
    positives: np.ndarray
    negatives: np.ndarray
    n_without_score: int


def score_histogram(counts: ScoreCounts, bins: int = 40, *, edges: np.ndarray | None = None) -> ScoreHistogram:
    """Return positives and negatives in equally wide score bins, read off the score counts in O(bins log m).

    The bins span 0..1 if all scores lie there, otherwise lowest to highest finite score (half a unit to each side of
    a lone one). Scores beyond the first and last edge, infinite ones too, are counted in the outermost bins.
    edges : of other bins, ascending.

    >>> from metrics.scores.curves import score_counts
    >>> score_histogram(score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4])), bins=2)
    ScoreHistogram(edges=array([0. , 0.5, 1. ]), positives=array([1, 1]), negatives=array([1, 0]), n_without_score=0)
    """
    if bins < 1:
        raise ValueError(f"A histogram needs at least one bin, not {bins}.")
    edges = np.linspace(*score_span(counts.score), bins + 1) if edges is None else edges
    above = np.array([counts.above(edge) for edge in edges])
    above[0], above[-1] = len(counts.score), 0
    tp, fp = (np.concatenate([[0], column])[above] for column in (counts.tp, counts.fp))
    return ScoreHistogram(edges, tp[:-1] - tp[1:], fp[:-1] - fp[1:], counts.n_without_score)


def log_odds_edges(score: np.ndarray, bins: int, *, least: float = 1e-6) -> np.ndarray | None:
    """Return the edges of bins that are equally wide in log-odds; None where a score lies outside of 0..1.

    They reach over the scores strictly between 0 and 1, but no nearer to 0 and 1 than `least`. None where these are
    fewer than two.

    >>> log_odds_edges(np.array([0.9, 0.5, 0.1]), 2).round(3).tolist(), log_odds_edges(np.array([3.0]), 2)
    ([0.1, 0.5, 0.9], None)
    """
    inner = np.clip(score[(score > 0) & (score < 1)], least, 1 - least)
    if not len(score) or score[-1] < 0 or score[0] > 1 or len(inner) < 2 or inner[0] == inner[-1]:
        return None
    low, high = np.log(inner[[-1, 0]] / (1 - inner[[-1, 0]]))
    edges: np.ndarray = 1 / (1 + np.exp(-np.linspace(low, high, bins + 1)))
    edges[0], edges[-1] = inner[-1], inner[0]
    return edges


def score_span(score: np.ndarray) -> tuple[float, float]:
    """Return the ends of a score axis: 0 and 1 if all finite scores (descending) lie there, else lowest and highest
    of them.

    >>> score_span(np.array([0.9, 0.4])), score_span(np.array([3.0, -1.0])), score_span(np.array([7.0]))
    ((0.0, 1.0), (-1.0, 3.0), (6.5, 7.5))
    """
    finite = score[np.isfinite(score)]
    if not len(finite) or (finite[-1] >= 0 and finite[0] <= 1):
        return 0.0, 1.0
    low, high = float(finite[-1]), float(finite[0])
    return (low, high) if low < high else (low - 0.5, high + 0.5)
