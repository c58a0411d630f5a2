"""Search every column and every pair of columns for slices that are worse than the other rows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from metrics.comparison.differences import Difference
from metrics.comparison.multiple_tests import benjamini_hochberg
from metrics.intervals.joint_counts import Weighing
from metrics.intervals.statistic import Interval
from metrics.limits import MAX_PAIRED_COLUMNS, TOO_FEW, few_by_weight
from metrics.shares import ManyBounds, critical_value, difference_bounds, wilson_bounds
from metrics.slices.clustered_search import SliceRows, cluster_rows, compare_clustered, meet_clusters
from metrics.slices.share_tests import share_p_values

_CELLS = 20_000
"""Cells of one pass: they stay in the processor's cache."""
_COUNTING = 0.2
"""Share of the work that counting is, where clusters follow."""
Say = Callable[[float], None]
"""Told the share of the work that is done."""


@dataclass(frozen=True, eq=False)
class RowShare:
    """A metric that is a share of rows.

    is_part, is_whole : bool (n,), the rows above and below the line; a part lies in the whole.
    scale : "f1" = the F1 of a class, whose Jaccard index is the share.
    weights : int64 (n,), rows that a line stands for, or units of weight; None = one.
    cluster : int64 (n,), from 0; None = every row stands for itself.
    weighing : of each line, where `weights` are units; None = no row has a weight.
    """

    is_part: np.ndarray
    is_whole: np.ndarray
    scale: Literal["share", "f1"] = "share"
    weights: np.ndarray | None = None
    cluster: np.ndarray | None = None
    weighing: Weighing | None = None

    @property
    def outcome(self) -> np.ndarray:
        """Return 0 = outside the whole, 1 = in it, 2 = in the part, too; int64 (n,)."""
        return np.where(self.is_whole, 1 + self.is_part, 0).astype(np.int64)


class Cut(NamedTuple):
    """A column cut into slices: the slice of every row, int64 (n,) from 0, and how many there are.

    is_cluster : whether the slices are the clusters themselves; their rows then count as independent.
    """

    codes: np.ndarray
    n_slices: int
    is_cluster: bool = False


class SliceTable(NamedTuple):
    """Every slice of a column, or of two crossed (the second changes fastest), against the other rows.

    cuts : places of the columns. n : rows. weight : of these rows, in units where rows have weights, as are `part` and
    `whole` of the metric. n_whole : rows of the whole. value : NaN = undefined.
    difference : to the rest, NaN where either is undefined. p : NaN = not tested, too few rows.
    effect : how many rows, or units, count as one, since they lie in clusters or have weights; 1 without.
    effective_n : how many rows of equal weight tell as much as those of the slice; None where no row has a weight.
    few_decide, rest_few_decide : whether few rows decide the metric of the slice, or of the rest, by their weights;
    None where no row has a weight.
    """

    cuts: tuple[int, ...]
    n: np.ndarray
    weight: np.ndarray
    part: np.ndarray
    whole: np.ndarray
    n_whole: np.ndarray
    value: np.ndarray
    bounds: ManyBounds
    difference: np.ndarray
    difference_bounds: ManyBounds
    p: np.ndarray
    effect: np.ndarray
    effective_n: np.ndarray | None = None
    few_decide: np.ndarray | None = None
    rest_few_decide: np.ndarray | None = None

    def effective_of(self, place: int) -> float | None:
        """Return the effective rows of one slice; None where no row has a weight."""
        return None if self.effective_n is None else float(self.effective_n[place])

    def interval_of(self, place: int, level: float) -> Interval:
        """Return the metric of one slice with its interval."""
        few_decide = self.few_decide is not None and bool(self.few_decide[place])
        value, low, high = (float(each[place]) for each in (self.value, *self.bounds))
        n = int(self.n_whole[place])
        return Interval(value, low, high, math.nan, "", level, n, None, few_decide=few_decide)

    def difference_of(self, place: int) -> Difference:
        """Return the difference of one slice to the rest."""
        few = [each for each in (self.few_decide, self.rest_few_decide) if each is not None]
        few_decide = any(bool(each[place]) for each in few)
        low, high = float(self.difference_bounds.low[place]), float(self.difference_bounds.high[place])
        return Difference(float(self.difference[place]), low, high, math.nan, float(self.p[place]), "", few_decide)


class SliceSearch(NamedTuple):
    """Hold all that was searched: a table a column and a pair, p after Benjamini–Hochberg over all, and its size.

    not_crossed : columns that were left out of the pairs. level : of the intervals.
    """

    tables: tuple[SliceTable, ...]
    p_adjusted: tuple[np.ndarray, ...]
    n_slices: int
    not_crossed: int
    level: float


def search(cuts: Sequence[Cut], share: RowShare, *, level: float = 0.95, say: Say = lambda _: None) -> SliceSearch:
    """Compare every slice of every cut, and of every pair of the first cuts, with the other rows."""
    places = [*((i,) for i in range(len(cuts))), *itertools.combinations(range(min(len(cuts), MAX_PAIRED_COLUMNS)), 2)]
    alone, weighing = share.cluster is None, share.weighing
    counts = rows = _count(cuts, share, say if alone else lambda done: say(_COUNTING * done))
    squares: _Counts = {}
    fourths: _Counts = {}
    if weighing is not None:
        sums = weighing.rows, weighing.squares, weighing.fourths
        rows, squares, fourths = (_count(cuts, replace(share, weights=weights)) for weights in sums)
    tables = tuple(
        _compare(place, counts[place], rows[place], squares.get(place), share.scale, level) for place in places
    )
    if weighing is not None:
        tables = tuple(_with_deciding(table, squares[table.cuts], fourths[table.cuts]) for table in tables)
    if not alone:
        tables = tuple(_by_clusters(tables, counts, cuts, share, level, say))
    adjusted = adjust_tables([table.p for table in tables])
    n_tested = sum(int((~np.isnan(p)).sum()) for p in adjusted)
    return SliceSearch(tables, adjusted, n_tested, max(0, len(cuts) - MAX_PAIRED_COLUMNS), level)


def adjust_tables(p: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    """Return p values of several tables after Benjamini–Hochberg over all of them."""
    adjusted = np.array(benjamini_hochberg(np.concatenate(p).tolist() if p else []))
    return tuple(np.split(adjusted, np.cumsum([len(table_p) for table_p in p])[:-1])) if p else ()


def _by_clusters(
    tables: Sequence[SliceTable], counts: _Counts, cuts: Sequence[Cut], share: RowShare, level: float, say: Say
) -> Iterator[SliceTable]:
    """Give every table the intervals, p values and design effects of its clusters."""
    assert share.cluster is not None
    cluster, weights = share.cluster, share.weights
    order = np.argsort(cluster, kind="stable")
    small = [codes.astype(np.uint32)[order] for codes in (share.outcome, cluster, *(cut.codes for cut in cuts))]
    sorted_own = None if weights is None else weights[order]
    clusters = cluster_rows(cluster, share.outcome, weights)
    with_part, with_whole = (
        _count(cuts, replace(share, weights=rows[cluster] if weights is None else weights * rows[cluster]))
        for rows in (clusters.part, clusters.whole)
    )
    for done, table in enumerate(tables):
        say(_COUNTING + (1 - _COUNTING) * done / len(tables))
        if any(cuts[cut].is_cluster for cut in table.cuts):
            yield table
            continue
        columns = table.cuts
        codes = small[2 + columns[0]]
        for cut in columns[1:]:
            codes = codes * np.uint32(cuts[cut].n_slices) + small[2 + cut]
        met = meet_clusters(codes, counts[columns], small[0], small[1], sorted_own, clusters)
        compared = compare_clustered(
            counts[columns], met, with_part[columns], with_whole[columns], clusters, scale=share.scale, level=level
        )
        p = np.where(np.isnan(table.p), np.nan, compared.p)
        yield table._replace(bounds=compared.bounds, difference_bounds=compared.between, p=p, effect=compared.effect)


_Counts = dict[tuple[int, ...], SliceRows]
"""Rows of every slice of a column or of two, by the places of the columns."""


def _count(cuts: Sequence[Cut], share: RowShare, say: Say = lambda _: None) -> _Counts:
    """Return rows, part and whole of every slice of every column and pair; several columns are counted in one pass."""
    weights = share.weights
    outcome = share.outcome
    counts: _Counts = {}
    passes = _plan_passes([cut.n_slices for cut in cuts])
    for done, group in enumerate(passes):
        say(done / len(passes))
        shape, codes = [3, *(cuts[i].n_slices for i in group)], outcome
        for i in group:
            codes = codes * cuts[i].n_slices + cuts[i].codes
        cells = np.bincount(codes, weights, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)
        for size in (1, 2):
            for axes in itertools.combinations(range(len(group)), size):
                place = tuple(group[axis] for axis in axes)
                if place not in counts:
                    others = tuple(axis + 1 for axis in range(len(group)) if axis not in axes)
                    outcomes = cells.sum(axis=others).reshape(3, -1)
                    counts[place] = SliceRows(outcomes.sum(axis=0), outcomes[2], outcomes[1] + outcomes[2])
    return counts


def _plan_passes(sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """Return groups of columns, each counted in one pass, that hold every column and every pair to be crossed.

    >>> _plan_passes([5, 5, 5, 5]), _plan_passes([300, 300, 300])
    ([(0, 1, 2, 3)], [(0, 1), (0, 2), (1, 2)])
    """
    left = set(itertools.combinations(range(min(len(sizes), MAX_PAIRED_COLUMNS)), 2))
    groups: list[tuple[int, ...]] = []
    while left:
        group = list(min(left))
        while True:
            cells = int(np.prod([sizes[i] for i in group]))
            fits = [
                i for i in range(MAX_PAIRED_COLUMNS) if i < len(sizes) and i not in group and cells * sizes[i] <= _CELLS
            ]
            gains = {i: sum(tuple(sorted((i, other))) in left for other in group) for i in fits}
            best = max(gains, key=lambda i: gains[i], default=None)
            if best is None or not gains[best]:
                break
            group.append(best)
        groups.append(tuple(sorted(group)))
        left -= set(itertools.combinations(groups[-1], 2))
    held = {i for group in groups for i in group}
    return [*groups, *((i,) for i in range(len(sizes)) if i not in held)]


def _compare(
    place: tuple[int, ...], counts: SliceRows, rows: SliceRows, squares: SliceRows | None, scale: str, level: float
) -> SliceTable:
    """Compare every slice with the rest; squares : sums of the squared weights, None where no row has a weight."""
    rest = SliceRows(*map(_sum_others, counts))
    effect = of_rest = np.ones(len(rows.n))
    if squares is not None:
        effect, of_rest = weight_effect(counts, squares), weight_effect(rest, SliceRows(*map(_sum_others, squares)))
    sides = rest.part / of_rest, rest.whole / of_rest, counts.part / effect, counts.whole / effect
    z = critical_value(level)
    (rest_value, rest_bounds), (value, bounds) = (shares_of(*side, scale, z) for side in (sides[:2], sides[2:]))
    p, _ = share_p_values(*sides)
    p[np.minimum(rows.whole, rows.whole.sum() - rows.whole) < TOO_FEW] = np.nan
    between = difference_bounds(rest_value, rest_bounds, value, bounds)
    few = None if squares is None else divide(counts.n**2, squares.n, otherwise=0.0)
    return SliceTable(
        place, rows.n, counts.n, counts.part, counts.whole, rows.whole, value, bounds, value - rest_value, between, p,
        effect, few,
    )  # fmt: skip


def _with_deciding(table: SliceTable, squares: SliceRows, fourths: SliceRows) -> SliceTable:
    """Return a table that knows which slices, and which rests, few rows decide by their weights."""
    few, rest_few = (
        few_by_weight(divide(of_squares**2, of_fourths, otherwise=0.0), n)
        for of_squares, of_fourths, n in (
            (squares.whole, fourths.whole, table.n_whole),
            (_sum_others(squares.whole), _sum_others(fourths.whole), table.n_whole.sum() - table.n_whole),
        )
    )  # fmt: skip
    return table._replace(few_decide=few, rest_few_decide=rest_few, p=np.where(few | rest_few, np.nan, table.p))


def _sum_others(column: np.ndarray) -> np.ndarray:
    """Return the sum of all others for each number of a column; adding up alone keeps small ones exact.

    >>> _sum_others(np.array([1.0, 2.0, 4.0])).tolist()
    [6.0, 5.0, 3.0]
    """
    before, after = np.cumsum(column), np.cumsum(column[::-1])[::-1]
    return np.asarray(np.append(0.0, before[:-1]) + np.append(after[1:], 0.0))


def weight_effect(counts: SliceRows, squares: SliceRows) -> np.ndarray:
    """Return how many units of weight count as one row in many shares, as `metrics.intervals.statistic` has it of one.

    The variance is the larger one of the sandwich and of Kish's; a share of 0 or 1 takes Kish's effective rows.
    """
    share, few = (divide(a, b) for a, b in ((counts.part, counts.whole), (counts.whole**2, squares.whole)))
    sandwich = squares.part * (1 - share) ** 2 + (squares.whole - squares.part) * share**2
    variance = np.maximum(divide(sandwich, counts.whole**2), divide(share * (1 - share), few))
    of_all = divide(counts.n**2, squares.n)
    variance = variance * divide(of_all, np.where(of_all > 1, of_all - 1, np.nan))
    inside = (share > 0) & (share < 1) & (variance > 1e-24)
    effective = np.where(inside, divide(share * (1 - share), variance), few)
    return divide(counts.whole, effective, otherwise=1.0)


def divide(a: np.ndarray, b: np.ndarray, otherwise: float = math.nan) -> np.ndarray:
    """Return a / b, and another value where b is 0 or undefined."""
    return np.asarray(np.divide(a, b, out=np.full(len(a), otherwise), where=b > 0))


def shares_of(part: np.ndarray, whole: np.ndarray, scale: str, z: float) -> tuple[np.ndarray, ManyBounds]:
    """Return many shares, or F1 of Jaccard indices, with their intervals."""
    share = part / np.where(whole > 0, whole, np.nan)
    bounds = wilson_bounds(part, whole, z)
    if scale == "share":
        return share, bounds
    return 2 * share / (1 + share), ManyBounds(*(2 * bound / (1 + bound) for bound in bounds))
