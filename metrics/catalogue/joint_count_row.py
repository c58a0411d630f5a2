"""The registry row of a number that one function gives with its influence, from joint counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from metrics.catalogue.metric import Metric
from metrics.catalogue.worked_examples import result
from metrics.confusion.counts import ConfusionCounts
from metrics.intervals.joint_counts import JointCounts
from metrics.intervals.ordered import cells_of_counts
from metrics.intervals.statistic import Statistic


def joint_count_row(
    key: str,
    title: str,
    statistic: Callable[[JointCounts], Statistic],
    write: Callable[[ConfusionCounts], str],
    **texts: Any,
) -> Metric:
    """Return the row of a number whose value and influence one function gives; `write` writes its fraction in LaTeX."""

    def value(counts: ConfusionCounts) -> float:
        if not row.fits_labels(counts.ranks, counts.paths):
            return math.nan
        return statistic(cells_of_counts(counts)).value

    def worked(counts: ConfusionCounts) -> str:
        return result(write(counts), value(counts))

    row = Metric(key, title, value, worked, eats="confusion counts", influence=statistic, **texts)
    return row
