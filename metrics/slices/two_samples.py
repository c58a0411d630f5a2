"""The difference of a metric between two sets of rows that share none."""

from __future__ import annotations

import math

import numpy as np

from metrics.comparison.differences import Difference, is_decided_by_few, two_sided_p, undefined_difference
from metrics.intervals.joint_counts import Cells
from metrics.intervals.statistic import Statistic, count_denominator, effective_share, interval, standard_error
from metrics.limits import FEWEST_DECIDING, TOO_FEW
from metrics.shares import Bounds, square_and_add
from metrics.slices.share_tests import share_p_values


def difference_to_rest(
    inside: Statistic, of_inside: Cells, rest: Statistic, of_rest: Cells, *, level: float = 0.95
) -> Difference:
    """Return how much the metric of a slice is above that of the other rows; undefined with too few rows of it.

    The p of a share is that of `unpaired_difference`. For other metrics the error of either side is at least that of
    the other side for as many rows. Student's t has the rows that decide the metric, less one; with too few of them,
    or where few rows decide the difference, there is no p.
    """
    sizes = count_denominator(inside, of_inside).rows, count_denominator(rest, of_rest).rows
    if min(sizes) < TOO_FEW:
        return undefined_difference("too few to tell")
    shared = shared_covariance(inside, of_inside, rest, of_rest)
    moved = unpaired_difference(rest, of_rest, inside, of_inside, level=level, shared=shared).without_untold_p()
    if math.isnan(moved.p) or inside.scale == "share":
        return moved
    few = _deciding_rows(rest, of_rest, inside, of_inside)
    if not few >= (FEWEST_DECIDING if inside.sides is None else TOO_FEW):
        return moved._replace(p=math.nan, method="too few to tell")
    clusters = [cells.n_clusters for cells in (of_inside, of_rest) if cells.n_clusters is not None]
    p = two_sided_p(moved.value, _cautious_error(rest, of_rest, inside, of_inside, shared), min([few, *clusters]))
    return moved._replace(p=p, method="no row differs from the others" if math.isnan(p) else moved.method)


def _deciding_rows(a: Statistic, of_a: Cells, b: Statistic, of_b: Cells) -> float:
    """Return how many rows of the smaller sample decide the metric.

    Of a number of one class they are the fewest of its rows, and of all others, in either sample. Of others, they are
    as many of the rows of the larger sample that do, as the smaller sample is large.
    """
    if a.sides is not None and b.sides is not None:
        return min(cells.effective_rows(side) for sides, cells in ((a.sides, of_a), (b.sides, of_b)) for side in sides)
    of_a_rows, of_b_rows = _count_sample(a, of_a), _count_sample(b, of_b)
    larger, cells = (a, of_a) if of_a_rows >= of_b_rows else (b, of_b)
    return cells.deciding_rows(larger.influence) * min(of_a_rows, of_b_rows) / max(of_a_rows, of_b_rows)


def _count_sample(statistic: Statistic, cells: Cells) -> float:
    """Return the effective rows of a sample, without those that lack a score; an F1 leaves out rows as predicted."""
    if statistic.is_whole is None or statistic.scale == "f1":
        return cells.effective_rows()
    return cells.effective_rows(statistic.is_whole)


def _cautious_error(a: Statistic, of_a: Cells, b: Statistic, of_b: Cells, shared: float) -> float:
    """Return the error of the difference, where neither sample is surer than the other is for as many rows."""
    variances = [standard_error(statistic, cells) ** 2 for statistic, cells in ((a, of_a), (b, of_b))]
    sizes = [cells.n_clusters or _count_sample(statistic, cells) for statistic, cells in ((a, of_a), (b, of_b))]
    of_a_at_least = max(variances[0], variances[1] * sizes[1] / sizes[0])
    of_b_at_least = max(variances[1], variances[0] * sizes[0] / sizes[1])
    return math.sqrt(max(of_a_at_least + of_b_at_least - 2 * shared, 0.0))  # NaN stays NaN where it comes first


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
    correlation = shared / product if product > 0 else 0.0
    bounds = square_and_add(
        a.value, Bounds(ends[0].low, ends[0].high), b.value, Bounds(ends[1].low, ends[1].high), correlation
    )
    se = math.sqrt(max(errors[0] ** 2 + errors[1] ** 2 - 2 * shared, 0.0))
    value = b.value - a.value
    if of_a.cluster is None and a.scale == b.scale == "share":
        p, how = _share_p(a, of_a, b, of_b)
    else:
        clusters = [cells.n_clusters for cells in (of_a, of_b) if cells.n_clusters is not None]
        p, how = two_sided_p(value, se, min(clusters) if clusters else None), "delta method"
    sides = (a, of_a), (b, of_b)
    few_decide = any(end.few_decide for end in ends) and is_decided_by_few(sides, _deciding_rows_of_both(sides, errors))
    return Difference(value, *bounds, se, p, f"squares of the two intervals added; {how}", few_decide)


def _deciding_rows_of_both(sides: tuple[tuple[Statistic, Cells], ...], errors: list[float]) -> float:
    """Return how many rows of two samples decide a difference; each sample's count by the variance that it adds."""
    parts = [
        (error**2, cells.deciding_rows(statistic.influence))
        for error, (statistic, cells) in zip(errors, sides, strict=True)
        if error > 0
    ]
    fourths = sum(variance**2 / rows for variance, rows in parts if rows)
    return sum(variance for variance, _ in parts) ** 2 / fourths if fourths else 0.0


def _share_p(a: Statistic, of_a: Cells, b: Statistic, of_b: Cells) -> tuple[float, str]:
    """Return the two-sided p of two shares, and the test that gave it."""
    counts = (*effective_share(a, of_a), *effective_share(b, of_b))
    p, exact = share_p_values(*(np.array([rows]) for rows in counts))
    test = "Fisher's exact test" if exact[0] else "pooled z test"
    return float(p[0]), test if of_a.weighing is None else f"{test} of effective rows (Rao & Scott)"


def shared_covariance(a: Statistic, of_a: Cells, b: Statistic, of_b: Cells) -> float:
    """Return the covariance of two estimates by the clusters that lie in both samples; 0 without clusters.

    It has G / (G - 1) as both variances have: the geometric mean of both. Where every cluster
    lies in both, the variance of the difference is the sandwich of the clusters' differences.
    """
    if of_a.cluster is None or of_b.cluster is None:
        return 0.0
    corrections = [cells.cluster_correction for cells in (of_a, of_b)]
    n = int(max(of_a.cluster.max(initial=0), of_b.cluster.max(initial=0))) + 1
    of_each = (np.bincount(of_a.cluster, of_a.rows * a.influence, minlength=n),
               np.bincount(of_b.cluster, of_b.rows * b.influence, minlength=n))  # fmt: skip
    return float((of_each[0] * of_each[1]).sum()) * math.sqrt(corrections[0] * corrections[1])
