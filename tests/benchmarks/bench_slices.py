"""Measure how long metrics of slices take beside their grouped count, and a search over 20 columns and pairs."""

import numpy as np

from metrics.intervals.joint_counts import sliced_joint_counts
from metrics.slices.search import Cut, RowShare, search
from metrics.slices.slices import SliceCounts, search_slices
from metrics.slices.worst import find_worse
from tests.benchmarks.stopwatch import fastest

CLASSES, SLICES, COLUMNS = 77, 5, 20


def measure(rows: int = 1_000_000) -> dict[str, float]:
    """Time the grouped count, all metrics of the slices, and the search."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, CLASSES, rows).astype(np.int32)
    pred = np.where(rng.random(rows) < 0.8, truth, rng.integers(0, CLASSES, rows)).astype(np.int32)
    cuts = [Cut(rng.integers(0, size, rows), size) for size in (5, 4, 10, 5) * (COLUMNS // 4)]
    count_s, (cells, slice_of) = fastest(
        lambda: sliced_joint_counts(truth, pred, cuts[0].codes, n_labels=CLASSES), times=3
    )
    metrics_s, _ = fastest(lambda: search_slices([SliceCounts(cells, slice_of, SLICES)]), times=3)
    share = RowShare(truth == pred, np.ones(rows, dtype=bool))
    search_s, found = fastest(lambda: search(cuts, share), times=2)
    worst_s, _ = fastest(lambda: find_worse(found), times=2)
    return {
        "rows": rows,
        "grouped count of five slices, seconds": count_s,
        "count and all metrics of the slices: times as long as the count": (count_s + metrics_s) / count_s,
        "search for worse ones of 6,905 slices, seconds": search_s,
        "choice among the found slices, seconds": worst_s,
    }
