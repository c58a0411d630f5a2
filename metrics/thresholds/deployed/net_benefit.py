"""Compute the net benefit of a model over threshold probabilities, beside treating every row and treating none.

At the threshold probability t, a false positive is worth t / (1 - t) of a true positive. Rows with a probability of at
least t are treated. Only calibrated probabilities make t a score at the same time.

Source: Vickers & Elkin 2006, Decision curve analysis, Medical Decision Making 26.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metrics.outcomes import divide
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.threshold_metrics import rates


class NetBenefit(NamedTuple):
    """Net benefit of a row at one threshold probability: of the model, and of treating every row; of none it is 0."""

    model: float
    every: float


class Span(NamedTuple):
    """Threshold probabilities from low to high."""

    low: float
    high: float


def net_benefit(counts: ScoreCounts, probability: float, *, prevalence: float | None = None) -> NetBenefit:
    """Return the net benefit at one threshold probability.

    Parameters
    ----------
    counts : of calibrated probabilities.
    probability : 0 < t < 1.
    prevalence : the share of positives where the model will run; None = as in these rows.

    TP / n - FP / n * t / (1 - t); NaN without rows, and with a prevalence without either class.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.6, 0.4, 0.1]))
    >>> found = net_benefit(counts, 0.5)
    >>> found.model, found.every
    (0.0, 0.0)
    >>> round(net_benefit(counts, 0.2).model, 4)
    0.4375
    """
    if not 0 < probability < 1:
        raise ValueError(f"A threshold probability lies between 0 and 1, not at {probability}.")
    odds = probability / (1 - probability)
    tp, fp = counts.at(probability)
    if prevalence is None:
        value, share = divide(tp - odds * fp, counts.n), divide(counts.n_pos, counts.n)
    else:
        recall, fpr, share = divide(tp, counts.n_pos), divide(fp, counts.n_neg), prevalence
        value = recall * share - odds * fpr * (1 - share)
    return NetBenefit(float(value), share - (1 - share) * odds)


def useful_probabilities(counts: ScoreCounts, *, prevalence: float | None = None) -> tuple[Span, ...]:
    """Return the threshold probabilities at which the model has more net benefit than treating every row, or none.

    Between two distinct scores both rates stand still. There the model beats treating none where t is below its
    precision. It beats treating every row where t is above the share of positives among the rows it leaves alone.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.6, 0.4, 0.1]))
    >>> [(round(low, 3), round(high, 3)) for low, high in useful_probabilities(counts)]
    [(0.1, 0.4), (0.6, 0.9)]
    """
    if not counts.n_pos or not counts.n_neg:
        return ()
    share = counts.n_pos / counts.n if prevalence is None else prevalence
    table = rates(counts)
    # rates for every threshold in (next lower score, score]; the last are those of no row above the threshold
    upper, lower = table.threshold, np.append(table.threshold[1:], 0.0)
    left = divide((1 - table.recall) * share, (1 - table.recall) * share + table.specificity * (1 - share))
    right = divide(table.recall * share, table.recall * share + table.fpr * (1 - share))
    low, high = np.maximum(lower, np.nan_to_num(left, nan=1.0)), np.minimum(upper, np.nan_to_num(right))
    low, high = np.clip(low, 0.0, 1.0)[::-1], np.clip(high, 0.0, 1.0)[::-1]
    return _join_spans(low[low < high], high[low < high])


def _join_spans(low: np.ndarray, high: np.ndarray) -> tuple[Span, ...]:
    """Return ascending spans, those that touch as one."""
    if not len(low):
        return ()
    starts = np.flatnonzero(np.append(True, low[1:] > high[:-1]))
    ends = np.append(starts[1:], len(low)) - 1
    return tuple(Span(float(low[start]), float(high[end])) for start, end in zip(starts, ends, strict=True))


def shift_probabilities(counts: ScoreCounts, prevalence: float) -> ScoreCounts:
    """Return the counts with probabilities corrected for another share of positives; only their odds are multiplied.

    Source: Saerens, Latinne & Decaestecker 2002, Adjusting the outputs of a classifier to new a priori probabilities,
    Neural Computation 14.

    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False]), np.array([0.5, 0.2]))
    >>> shift_probabilities(counts, 0.2).score.round(4).tolist()
    [0.2, 0.0588]
    """
    here = counts.n_pos / counts.n
    up, down = counts.score * (prevalence / here), (1 - counts.score) * ((1 - prevalence) / (1 - here))
    return counts._replace(score=divide(up, up + down))
