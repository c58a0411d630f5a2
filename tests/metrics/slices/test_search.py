"""A search finds what was planted, says it once, and counts every slice as a slow loop does."""

import itertools

import numpy as np
import pytest
from scipy.stats import false_discovery_control, fisher_exact

from metrics.intervals.joint_counts import Cells, Weighing, sliced_joint_counts
from metrics.intervals.statistic import interval, share_of_rows
from metrics.shares import critical_value, wilson, wilson_bounds
from metrics.slices.search import Cut, RowShare, search
from metrics.slices.share_tests import share_p_values
from metrics.slices.slices import SliceCounts, search_slices
from metrics.slices.two_samples import difference_to_rest
from metrics.slices.worst import find_worse


def made(n=4000, n_cuts=5, seed=1):
    rng = np.random.default_rng(seed)
    cuts = [Cut(rng.integers(0, size, n), size) for size in (3, 4, 5, 6, 7)[:n_cuts]]
    return rng, cuts


def test_many_p_values_are_those_of_fishers_test():
    rng = np.random.default_rng(0)
    whole_a, whole_b = rng.integers(1, 30, 60), rng.integers(1, 3000, 60)
    part_a, part_b = (rng.binomial(n, rng.beta(1, 1, 60) * rng.choice([0.01, 1], 60)) for n in (whole_a, whole_b))
    p, exact = share_p_values(part_a, whole_a, part_b, whole_b)
    tables = np.stack([part_a, whole_a - part_a, part_b, whole_b - part_b]).T.reshape(-1, 2, 2)
    assert exact.sum() > 20
    assert p[exact] == pytest.approx([fisher_exact(table).pvalue for table in tables[exact]], rel=1e-9)
    rare = [[3, 99_997], [40, 899_960]], [[990, 10], [500, 0]]
    for table in rare:
        one, _ = share_p_values(*(np.array([x]) for a, b in table for x in (a, a + b)))
        assert one[0] == pytest.approx(fisher_exact(table).pvalue, rel=1e-8)


def test_many_intervals_are_wilsons():
    part, whole = np.array([0.0, 3, 10, 0]), np.array([5.0, 9, 10, 0])
    found = wilson_bounds(part, whole, critical_value(0.95))
    one_by_one = [wilson(*pair, critical_value(0.95)) for pair in zip(part, whole, strict=True)]
    assert pytest.approx(np.array(one_by_one), nan_ok=True) == np.stack(found).T


@pytest.mark.parametrize("weighted", [False, True])
def test_every_slice_is_counted(weighted):
    rng, cuts = made(500)
    whole = rng.random(500) < 0.7
    share = RowShare(whole & (rng.random(500) < 0.6), whole, weights=rng.integers(0, 4, 500) if weighted else None)
    rows = np.ones(500) if share.weights is None else share.weights
    found = search(cuts, share)
    assert [table.cuts for table in found.tables] == [*((i,) for i in range(5)), *itertools.combinations(range(5), 2)]
    for table in found.tables:
        shape = tuple(cuts[i].n_slices for i in table.cuts)
        for place, at in enumerate(np.ndindex(shape)):
            inside = np.all([cuts[i].codes == code for i, code in zip(table.cuts, at, strict=True)], axis=0)
            expected = [rows[inside].sum(), rows[inside & share.is_part].sum(), rows[inside & whole].sum()]
            assert [table.n[place], table.part[place], table.whole[place]] == expected
    every = np.concatenate([table.p for table in found.tables])
    known = ~np.isnan(every)
    assert np.concatenate(found.p_adjusted)[known] == pytest.approx(false_discovery_control(every[known]))
    assert found.n_slices == known.sum()


def test_a_planted_slice_is_said_once():
    rng, cuts = made()
    right = rng.random(4000) < 0.85
    right &= ~((cuts[1].codes == 2) & (rng.random(4000) < 0.4))
    found = find_worse(search(cuts, RowShare(right, np.ones(4000, dtype=bool))))
    (line,) = found.lines
    assert line.place == (1, 2) and len(line.folded) == found.n_worse - 1 > 3


def test_a_planted_pair_takes_its_columns_in():
    rng, cuts = made(8000, seed=2)
    right = rng.random(8000) < 0.85
    inside = (cuts[0].codes == 1) & (cuts[3].codes == 5)
    right &= ~(inside & (rng.random(8000) < 0.8))
    search_ = search(cuts, RowShare(right, np.ones(8000, dtype=bool)))
    lines = find_worse(search_).lines
    assert search_.tables[lines[0].place.table].cuts == (0, 3) and lines[0].place.slice == 1 * 6 + 5
    assert {(0, 1), (3, 5)} <= set(lines[0].folded) and len(lines) == 1


@pytest.mark.parametrize("seed", range(12))
def test_every_worse_slice_is_listed_or_folded(seed):
    rng, cuts = made(600, seed=seed)
    right = rng.random(600) < 0.9
    right &= ~((cuts[0].codes == 0) & (cuts[1].codes == 1) & (rng.random(600) < 0.5))
    search_ = search(cuts, RowShare(right, np.ones(600, dtype=bool)))
    found = find_worse(search_)
    said = [place for line in found.lines for place in (line.place, *line.folded)]
    assert sorted(said) == sorted(found.places) and len(said) == found.n_worse
    for table, place in said:
        assert search_.p_adjusted[table][place] < 0.05 and search_.tables[table].difference[place] < 0


def test_tiny_slices_are_not_tested():
    codes = np.arange(300)
    found = search([Cut(codes, 300)], RowShare(codes > 20, np.ones(300, dtype=bool)))
    assert found.n_slices == 0 and np.isnan(found.p_adjusted[0]).all() and not find_worse(found).lines
    assert not search([], RowShare(codes > 20, np.ones(300, dtype=bool))).tables


@pytest.mark.parametrize("metric", ["accuracy", "recall", "f1"])
@pytest.mark.parametrize("weighted", [True, False])
def test_clusters_count_as_in_slices(metric, weighted):
    """A search by clusters has the numbers of each slice compared alone, also of lines of one row."""
    rng, n, ones = np.random.default_rng(3), 600, np.ones(600, np.int64)
    cluster, mood = np.arange(n) % 40, rng.normal(size=40)
    truth, slices = rng.integers(0, 2, n), np.append(rng.integers(0, 3, n - 12), [3] * 12)
    pred = np.where(rng.logistic(size=n) + mood[cluster] > -1, truth, 1 - truth)
    is_part, is_whole = {
        "accuracy": (truth == pred, np.ones(n, bool)),
        "recall": ((truth == 1) & (pred == 1), truth == 1),
        "f1": ((truth == 1) & (pred == 1), (truth == 1) | (pred == 1)),
    }[metric]
    share = RowShare(is_part, is_whole, "f1" if metric == "f1" else "share", ones if weighted else None, cluster)
    (table,) = search([Cut(slices, 4)], share).tables
    cells, of_cell = sliced_joint_counts(truth, pred, slices, n_labels=2, cluster=cluster)
    for one in search_slices([SliceCounts(cells, of_cell, 4, 1)]).slices[0]:
        at, moved, own = one.place, one.difference_to_rest[metric], one.metrics[metric]
        assert (table.bounds.low[at], table.bounds.high[at]) == pytest.approx((own.low, own.high))
        if not np.isnan(moved.p):
            ends = (table.difference_bounds.low[at], table.difference_bounds.high[at])
            assert ends == pytest.approx((moved.low, moved.high))
            assert metric == "f1" or table.p[at] == pytest.approx(moved.p)
    assert np.isnan(search([Cut(cluster, 40)], share).tables[0].p).all()
    assert not np.isnan(search([Cut(cluster, 40, True)], share).tables[0].p).all() or metric != "accuracy"


@pytest.mark.parametrize("clustered", [False, True])
def test_heavy_rows_decide_a_slice_or_its_rest(clustered):
    """As an interval of the same rows has it: the heavy rows lie in one slice, or in the rest of another."""
    random = np.random.default_rng(8)
    codes, right = np.repeat([0, 1, 2], 400), random.random(1200) < 0.8
    units = np.where((codes == 1) & (np.arange(1200) % 50 == 0), 50, 1)
    weighing = Weighing.of_units(units, np.ones(1200, np.int64))
    share = RowShare(right, np.ones(1200, bool), weights=units, weighing=weighing,
                     cluster=np.arange(1200) // 4 if clustered else None)  # fmt: skip
    (table,) = search([Cut(codes, 3)], share).tables
    for place, (few, difference_few) in enumerate([(False, True), (True, True), (False, True)]):
        inside = codes == place
        cells, rest = (Cells(units[rows], None, 0, 0, weighing=weighing.of(rows)) for rows in (inside, ~inside))
        here, other = share_of_rows(cells, right[inside]), share_of_rows(rest, right[~inside])
        assert interval(here, cells).few_decide == table.interval_of(place, 0.95).few_decide == few
        moved = difference_to_rest(here, cells, other, rest)
        assert moved.few_decide == table.difference_of(place).few_decide == difference_few
