"""Bins of scores that an engine made: brought to one range each, and how many pairs of rows they hide."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.engines.query import HIGH, LOW, ColumnFacts
from text.numbers import count
from text.quoting import quote

_BITS = (14, 17, 20)
"""Significant bits of the scores' bins that are tried, until the area under the ROC curve is exact enough."""
_EXACT_ENOUGH = 2e-4
"""Share of pairs of rows that may lie in one bin: the area is then exact to ± 0.0001."""


def count_in_few_bins(
    count_bins: Callable[[int], pa.Table | None], find_tied: Callable[[pa.Table], float]
) -> pa.Table | None:
    """Return counts in the fewest bins that are exact enough; None where even these are too many.

    count_bins : counts by bins of so many significant bits. find_tied : `tied_pairs` of counts.
    """
    best = None
    for bits in _BITS:
        table = count_bins(bits)
        if table is None:
            break
        best = merge_bins(table)
        if find_tied(best) <= _EXACT_ENOUGH:
            break
    return best


def merge_overlaps(low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return lines' scores as bins that do not overlap: lines that share a score become one bin.

    low, high : float64 (n,), smallest and largest score of each line; NaN = no score.

    >>> low, high = merge_overlaps(np.array([0.1, 0.3, 0.15, np.nan]), np.array([0.2, 0.3, 0.25, np.nan]))
    >>> low.tolist(), high.tolist()
    ([0.1, 0.3, 0.1, nan], [0.25, 0.3, 0.25, nan])
    """
    lows, highs = np.full(len(low), np.nan), np.full(len(low), np.nan)
    order = np.argsort(low)[: int((~np.isnan(low)).sum())]
    if not len(order):
        return lows, highs
    reach = np.maximum.accumulate(high[order])
    first = np.append(True, low[order][1:] > reach[:-1])
    group = np.cumsum(first) - 1
    starts = np.flatnonzero(first)
    lows[order] = low[order][starts][group]
    highs[order] = reach[np.append(starts[1:], len(order)) - 1][group]
    return lows, highs


def tied_pairs(low: np.ndarray, high: np.ndarray, side: np.ndarray, rows: np.ndarray) -> float:
    """Return the share of all pairs of rows of two sides that lie in one bin of several scores.

    low, high : bins as `merge_overlaps` gives them. side : int (n,), code of each line's true label; below 0 = none.
    Half of it is the most by which the area under a ROC curve of the two sides may be wrong.

    >>> tied_pairs(np.array([0.1, 0.1, 0.3]), np.array([0.2, 0.2, 0.3]), np.array([0, 1, 1]), np.array([2, 3, 1]))
    0.75
    """
    known = (side >= 0) & ~np.isnan(low)
    totals = np.bincount(side[known], rows[known].astype(np.float64))
    pairs = (totals.sum() ** 2 - (totals**2).sum()) / 2
    inside = np.flatnonzero(known & (low < high))
    bins = np.unique(low[inside], return_inverse=True)[1]
    n_sides = len(totals)
    n_bins = int(bins.max(initial=-1)) + 1
    counted = np.bincount(bins * n_sides + side[inside], rows[inside].astype(np.float64), n_bins * n_sides)
    cells = counted.reshape(n_bins, n_sides)
    tied = (cells.sum(axis=1) ** 2 - (cells**2).sum(axis=1)).sum() / 2
    return float(tied / pairs) if pairs else 0.0


def merge_bins(table: pa.Table, low: str = LOW, high: str = HIGH) -> pa.Table:
    """Return an engine's counts with one range of scores for all lines of a bin; low, high : columns of its ends."""
    ends = merge_overlaps(*(table.column(name).to_numpy(zero_copy_only=False) for name in (low, high)))
    for name, values in zip((low, high), ends, strict=True):
        table = table.set_column(table.column_names.index(name), name, pa.array(values, from_pandas=True))
    return table


def coarsen_bins(table: pa.Table, side: str, most: int, cut: float | None) -> pa.Table:
    """Return counts in at most `most` bins more than those that `cut` makes: neighbours become one, all about as heavy.

    table : bins that do not overlap; side : the column that tells the sides of a curve apart, 1 or 0. A bin weighs its
    share of either side, so that the area under the curve lies within 1 / most.

    >>> lines = {"side": [1, 0, 1], LOW: [0.1, 0.2, 0.3], HIGH: [0.1, 0.2, 0.3], "rows": [5, 5, 5]}
    >>> coarsen_bins(pa.table(lines), "side", 2, None).sort_by(LOW).to_pydict()[LOW]
    [0.1, 0.2, 0.2]
    """
    low, high, of, rows = (table.column(name).to_numpy(zero_copy_only=False) for name in (LOW, HIGH, side, "rows"))
    known = ~np.isnan(low)
    values, bins = np.unique(low[known], return_inverse=True)
    if len(values) <= most:
        return table
    totals = np.maximum(1, np.bincount(of[known], rows[known], 2))
    mass = np.cumsum(np.bincount(bins, (rows / totals[of.astype(np.int64)])[known]))
    group = np.floor(mass / mass[-1] * most * (1 - 1e-12)).astype(np.int64) * 2
    group += 0 if cut is None else (values >= cut).astype(np.int64)
    place = np.full(len(low), -1)
    place[known] = group[bins]
    coarse = pa.table({side: of, "bin": place, LOW: low, HIGH: high, "rows": rows})
    coarse = coarse.group_by([side, "bin"], use_threads=False).aggregate([(LOW, "min"), (HIGH, "max"), ("rows", "sum")])
    coarse = coarse.rename_columns([side, "bin", LOW, HIGH, "rows"])
    ends = coarse.group_by("bin", use_threads=False).aggregate([(LOW, "min"), (HIGH, "max")])
    end_index = pc.index_in(coarse.column("bin"), value_set=ends.column("bin").combine_chunks())
    return pa.table({side: coarse.column(side), LOW: ends.column(f"{LOW}_min").take(end_index),
                     HIGH: ends.column(f"{HIGH}_max").take(end_index), "rows": coarse.column("rows")})  # fmt: skip


def sampled_facts(drawn: np.ndarray, n_rows: int, most: int) -> ColumnFacts | None:
    """Return what a sample says of scores that surely have more than `most` values; None where all have to be asked.

    drawn : float64 (n,), scores of the sample; NaN = none. n_rows : of all rows.
    Of `most` values alike often, n (n - 1) / 2 / most rows of a sample would repeat another one's score, and of others
    more: half as many are taken for too few.

    >>> sampled_facts(np.arange(20_000.0), 10_000_000, 2_000_000)
    ColumnFacts(n_distinct=2000001, low=0.0, high=19999.0)
    >>> sampled_facts(np.arange(20_000.0) % 100, 10_000_000, 2_000_000)
    """
    known = drawn[~np.isnan(drawn)]
    n, n_repeated = len(known), len(known) - len(np.unique(known))
    if n_rows <= most or n_repeated >= n * (n - 1) / (4 * most):
        return None
    return ColumnFacts(most + 1, float(known.min()), float(known.max()))


def describe_bins(low: pa.ChunkedArray, upper: str) -> str:
    """Say into how many bins scores are grouped; low : the smallest score of every line, `upper` names the highest."""
    n = len(low.drop_null().unique())
    return f"The scores are grouped into {count(n, 'bin')}; {quote(upper)} is the highest score of a line's bin."
