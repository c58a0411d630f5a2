"""Say whether a difference of two numbers of the same rows is clear: its 95 % interval leaves zero out."""

from __future__ import annotations

import math

import numpy as np

from metrics.confusion.counts import ConfusionCounts
from metrics.intervals.joint_counts import Joint, Weighing, cells_of_counts, joint_counts
from metrics.intervals.rates import Average, averaged, of_class
from metrics.intervals.statistic import Statistic
from metrics.outcomes import F1
from metrics.scores.curves import ScoreCounts
from metrics.shares import critical_value

_Z = critical_value(0.95)


def gap_is_clear(counts: ConfusionCounts, shrinkage: float = 1.0) -> bool:
    """Return whether macro F1 over the label space lies clearly below micro F1.

    shrinkage : effective rows for each count; 1 = counts are rows.
    """
    return gap_of_cells_is_clear(cells_of_counts(counts, _weighing(counts.rows, shrinkage)))


def gap_of_cells_is_clear(cells: Joint) -> bool:
    """Return as `gap_is_clear` of cells; of label sets, each row brings all of its labels."""
    return _is_above(cells, _f1(cells, "micro"), _f1(cells, "macro_label_space"))


def better_threshold_is_clear(scores: ScoreCounts, now: float, best: float, shrinkage: float = 1.0) -> bool:
    """Return whether F1 at one threshold is clearly above that at another, on the same rows.

    shrinkage : as in `gap_is_clear`.
    """
    low, high = min(now, best), max(now, best)
    cells = []
    for true, cumulated, whole in ((1, scores.tp, scores.n_pos), (0, scores.fp, scores.n_neg)):
        above, between = (_from(scores, cumulated, threshold) for threshold in (high, low))
        cells += [(true, 1, 1, above), (true, 0, 1, between - above), (true, 0, 0, whole - between)]
    truth, at_high, at_low, rows = (np.array(part) for part in zip(*cells, strict=True))
    preds = [at_high, at_low] if now >= best else [at_low, at_high]  # now, then best
    joint = joint_counts(truth, preds, n_labels=2, weights=rows, weighing=_weighing(rows, shrinkage))
    f1_now, f1_best = (of_class(joint, model, formula=F1) for model in (0, 1))
    if math.isnan(f1_now.value):
        f1_now = f1_now._replace(value=0.0)
    return _is_above(joint, f1_best, f1_now)


def _weighing(units: np.ndarray, shrinkage: float) -> Weighing | None:
    """Return what the weights add to cells of units, as if all rows had the same; None where counts are rows."""
    return None if shrinkage == 1 else Weighing(units / shrinkage, units / shrinkage**2, units)


def _from(scores: ScoreCounts, cumulated: np.ndarray, threshold: float) -> int:
    """Return rows with a score of at least a threshold."""
    place = int(np.searchsorted(-scores.score, -threshold, side="right"))
    return int(cumulated[place - 1]) if place else 0


def _f1(cells: Joint, average: Average) -> Statistic:
    return averaged(cells, rate=F1, average=average)


def _is_above(cells: Joint, high: Statistic, low: Statistic) -> bool:
    """Return whether the difference of two metrics of the same cells is more than its error allows."""
    apart = high.influence - low.influence
    variance = cells.variance(apart)
    variance += sum(
        float(statistic.edge_variance.sum()) for statistic in (high, low) if statistic.edge_variance is not None
    )
    return high.value - low.value > _Z * math.sqrt(max(0.0, variance))
