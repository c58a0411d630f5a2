"""Intervals of the numbers of every class, rows being independent: from the four counts of a class alone."""

from __future__ import annotations

import math

import numpy as np

from metrics.intervals.joint_counts import joint_counts
from metrics.intervals.rates import of_class
from metrics.intervals.statistic import METHODS, Interval, interval
from metrics.outcomes import CountedOutcomes, Formula, Ratio
from metrics.shares import critical_value, wilson_bounds


def class_interval(counts: CountedOutcomes, formula: Formula, code: int, level: float = 0.95) -> Interval:
    """Return the interval of a number of one class.

    >>> from metrics.intervals.joint_counts import Totals
    >>> from metrics.outcomes import YOUDEN_J
    >>> totals = Totals(np.array([30.0]), np.array([40.0]), np.array([50.0]), 90.0, 1)
    >>> [round(bound, 3) for bound in class_interval(totals, YOUDEN_J, 0)[:3]]
    [0.35, 0.146, 0.526]
    """
    rows = np.array([each[code] for each in (counts.tp, counts.fp, counts.fn, counts.tn)], dtype=np.int64)
    cells = joint_counts(np.array([1, 0, 1, 0]), [np.array([1, 1, 0, 0])], n_labels=2, weights=rows)
    return interval(of_class(cells, formula=formula), cells, level=level)


def share_intervals(counts: CountedOutcomes, ratio: Ratio, level: float = 0.95) -> list[Interval]:
    """Return the intervals of a share, or of F1, of every class at once: it matters with a thousand classes.

    >>> from metrics.intervals.joint_counts import Totals
    >>> from metrics.outcomes import RECALL
    >>> [recall] = share_intervals(Totals(np.array([3.0]), np.array([4.0]), np.array([5.0]), 9.0, 1), RECALL)
    >>> round(recall.low, 3), round(recall.high, 3)
    (0.301, 0.954)
    """
    part, whole = ratio.share(counts)
    share = part / np.where(whole > 0, whole, np.nan)
    shares = share, *wilson_bounds(part, whole, critical_value(level))
    columns = [*map(ratio.from_share, shares), _standard_errors(counts, ratio), whole]
    intervals = []
    for value, low, high, se, n in zip(*(column.tolist() for column in columns), strict=True):
        method = "undefined" if math.isnan(value) else METHODS[ratio.scale]
        intervals.append(Interval(value, low, high, se, method, level, int(n), None))
    return intervals


def _standard_errors(counts: CountedOutcomes, ratio: Ratio) -> np.ndarray:
    """Return the standard error of every class by the slopes of the ratio; NaN where it is undefined."""
    slopes, rows_by_outcome = ratio.slopes(counts), (counts.tp, counts.fp, counts.fn, counts.tn)
    variance = sum(rows * slope**2 for rows, slope in zip(rows_by_outcome, slopes, strict=True))
    undefined = np.isnan(ratio.value(counts)) | (counts.n < 2)
    return np.where(undefined, math.nan, np.sqrt(variance * counts.n / max(counts.n - 1, 1)))
