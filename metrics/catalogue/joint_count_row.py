"""The registry row of a number that one function gives with its influence, from joint counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from metrics.catalogue.metric import Metric
from metrics.confusion.counts import ConfusionCounts
from metrics.intervals.joint_counts import JointCounts, cells_of_counts
from metrics.intervals.statistic import Statistic


def joint_count_row(
    key: str,
    title: str,
    statistic: Callable[[JointCounts], Statistic],
    steps: Callable[[ConfusionCounts], str],
    **texts: Any,
) -> Metric:
    """Return the row of a number whose value and influence one function gives."""

    def value(counts: ConfusionCounts) -> float:
        if not row.fits_labels(counts.ranks, counts.paths):
            return math.nan
        return statistic(cells_of_counts(counts)).value

    row = Metric(key, title, value, steps, eats="confusion counts", influence=statistic, **texts)
    return row
