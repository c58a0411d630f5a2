"""Measure how long the metrics of slices take beside their grouped count, and a search over 20 columns and their pairs.

Run with: python -m tests.benchmarks.bench_slices [rows]
"""

from __future__ import annotations

import sys

import numpy as np

from metrics.intervals.joint_counts import sliced_joint_counts
from metrics.slices.search import Cut, RowShare, search
from metrics.slices.slices import SliceCounts, search_slices
from metrics.slices.worst import find_worse
from tests.benchmarks.stopwatch import fastest

CLASSES, SLICES, COLUMNS = 77, 5, 20


def measure(rows: int = 1_000_000) -> dict[str, float]:
    """Seconds of the grouped count and of the search, and how many times as long as the count all metrics take."""
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
        "grouped_count_s": count_s,
        "count_and_all_metrics_times": (count_s + metrics_s) / count_s,
        "slices_searched": found.n_slices,
        "search_s": search_s,
        "folding_s": worst_s,
    }


if __name__ == "__main__":
    print(measure(*map(int, sys.argv[1:])))
