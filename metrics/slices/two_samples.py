"""The difference of a metric between two sets of rows that share none."""

from __future__ import annotations

import math

import numpy as np

from metrics.comparison.differences import Difference, two_sided_p, undefined_difference
from metrics.intervals.joint_counts import Cells
from metrics.intervals.statistic import Statistic, count_denominator, effective_share, interval, standard_error
from metrics.limits import TOO_FEW
from metrics.shares import Bounds, square_and_add
from metrics.slices.share_tests import share_p_values


def difference_to_rest(
    inside: Statistic, of_inside: Cells, rest: Statistic, of_rest: Cells, *, level: float = 0.95
) -> Difference:
    """Return how much the metric of a slice is above that of the other rows; undefined with too few rows of it."""
    sizes = count_denominator(inside, of_inside).rows, count_denominator(rest, of_rest).rows
    if min(sizes) < TOO_FEW:
        return undefined_difference("too few to tell")
    shared = shared_covariance(inside, of_inside, rest, of_rest)
    return unpaired_difference(rest, of_rest, inside, of_inside, level=level, shared=shared)


def unpaired_difference(
    a: Statistic, of_a: Cells, b: Statistic, of_b: Cells, *, level: float = 0.95, shared: float = 0.0
) -> Difference:
    """Return the difference b - a of two samples.

    Newcombe's interval of two shares, and its likes for other metrics (Zou & Donner 2008). Shares are tested by the
    pooled z test, or Fisher's exact test where a cell of the two-by-two table expects fewer than 5 rows; of rows with
    weights, these are effective rows. Other metrics, and all by clusters, are tested by the delta method.

    shared : covariance of the two estimates, where clusters lie in both samples.
    """
    if math.isnan(a.value) or math.isnan(b.value):
        return undefined_difference()
    ends = [interval(statistic, cells, level=level) for statistic, cells in ((a, of_a), (b, of_b))]
    errors = [standard_error(statistic, cells) for statistic, cells in ((a, of_a), (b, of_b))]
    product = errors[0] * errors[1]
    correlation = min(1.0, max(-1.0, shared / product)) if product > 0 else 0.0
    bounds = square_and_add(
        a.value, Bounds(ends[0].low, ends[0].high), b.value, Bounds(ends[1].low, ends[1].high), correlation
    )
    se = math.sqrt(max(0.0, errors[0] ** 2 + errors[1] ** 2 - 2 * shared))
    value = b.value - a.value
    if of_a.cluster is None and a.scale == b.scale == "share":
        p, how = _share_p(a, of_a, b, of_b)
    else:
        clusters = [cells.n_clusters for cells in (of_a, of_b) if cells.n_clusters is not None]
        p, how = two_sided_p(value, se, min(clusters) if clusters else None), "delta method"
    return Difference(value, *bounds, se, p, f"squares of the two intervals added; {how}")


def _share_p(a: Statistic, of_a: Cells, b: Statistic, of_b: Cells) -> tuple[float, str]:
    """Return the two-sided p of two shares, and the test that gave it."""
    counts = (*effective_share(a, of_a), *effective_share(b, of_b))
    p, exact = share_p_values(*(np.array([rows]) for rows in counts))
    test = "Fisher's exact test" if exact[0] else "pooled z test"
    return float(p[0]), test if of_a.weighing is None else f"{test} of effective rows (Rao & Scott)"


def shared_covariance(a: Statistic, of_a: Cells, b: Statistic, of_b: Cells) -> float:
    """Return the covariance of two estimates by the clusters that lie in both samples; 0 without clusters."""
    if of_a.cluster is None or of_b.cluster is None:
        return 0.0
    n = int(max(of_a.cluster.max(initial=0), of_b.cluster.max(initial=0))) + 1
    of_each = (np.bincount(of_a.cluster, of_a.rows * a.influence, minlength=n),
               np.bincount(of_b.cluster, of_b.rows * b.influence, minlength=n))  # fmt: skip
    return float((of_each[0] * of_each[1]).sum())
