"""Shifts have scipy's p values and keep to their null; a change of accuracy is the sum of its parts."""

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency, f

from metrics.drift.change import split_change
from metrics.drift.grouped_rows import ClusterRows, WeightedRows
from metrics.drift.shift import share_shift, shift
from metrics.intervals.joint_counts import Weighing


@pytest.fixture
def rng():
    """Random numbers of one test: the same whichever tests ran before."""
    return np.random.default_rng(4)


def test_p_is_that_of_pearsons_test():
    before, after = np.array([120, 60, 30, 90]), np.array([60, 70, 40, 30])
    found = shift(before, after)
    assert found.p == pytest.approx(chi2_contingency([before, after], correction=False).pvalue)
    assert found.by_chance == pytest.approx((1 / 300 + 1 / 200) * chi2.ppf(0.95, 3))
    assert (found.largest, found.before, found.after) == (3, 0.3, 0.15)


def test_index_keeps_to_its_null_without_shift(rng):
    shares = np.array([0.4, 0.3, 0.2, 0.1])
    found = [shift(rng.multinomial(400, shares), rng.multinomial(300, shares)) for _ in range(2000)]
    beyond = np.mean([one.psi > one.by_chance for one in found])
    assert 0.03 < beyond < 0.07 and 0.035 < np.mean([one.p < 0.05 for one in found]) < 0.065


def test_rare_values_are_put_together():
    before, after = np.append([200, 200], np.ones(30)).astype(int), np.append([100, 100], np.zeros(30)).astype(int)
    found = shift(before, after)
    pooled = [[200, 200, 30], [100, 100, 0]]
    assert found.p == pytest.approx(chi2_contingency(pooled, correction=False).pvalue)
    assert np.isnan(shift(np.array([30]), np.array([20])).p) and np.isnan(shift(np.array([3]), np.array([0])).psi)


def test_a_share_has_newcombes_interval():
    found = share_shift((56, 48), (70, 80))
    assert (found.low, found.high) == pytest.approx((-0.3339, -0.0524), abs=5e-5)
    assert found.p == pytest.approx(chi2_contingency([[56, 14], [48, 32]], correction=False).pvalue)
    assert share_shift((0, 0), (9, 9)).p == 1 and np.isnan(share_shift((0, 1), (0, 9)).p)


def test_the_parts_of_a_change_add_up():
    rows = np.array([300, 100, 50]), np.array([100, 200, 0])
    right = np.array([270, 60, 10]), np.array([85, 110, 0])
    found = split_change(right, rows)
    assert found.mix.value + found.rest.value == pytest.approx(found.after - found.before)
    shares, accuracy = np.array([2 / 3, 2 / 9, 1 / 9]), np.array([0.9, 0.6, 0.2])
    then, now = np.array([1 / 3, 2 / 3, 0]), np.array([0.85, 0.55, 0.2])
    assert found.mix.value == pytest.approx(((then - shares) * (accuracy + now) / 2).sum())


@pytest.mark.parametrize("then", [[0.5, 0.5, 0.0], [0.2, 0.4, 0.4]])
def test_intervals_of_the_parts_cover(then, rng):
    """A class of one side only counts whole for the mix, with the error of its accuracy."""
    shares, accuracy = (np.array([0.6, 0.4, 0.0]), np.array(then)), (np.array([0.9, 0.7, 0.5]), [0.85, 0.75, 0.5])
    true_mix = ((shares[1] - shares[0]) * (accuracy[0] + accuracy[1]) / 2).sum()
    true_rest = ((shares[0] + shares[1]) / 2 * (accuracy[1] - accuracy[0])).sum()
    held = np.zeros(2)
    for _ in range(1000):
        rows = rng.multinomial(400, shares[0]), rng.multinomial(300, shares[1])
        found = split_change(tuple(rng.binomial(n, a) for n, a in zip(rows, accuracy, strict=True)), rows)
        held += [part.low <= value <= part.high for part, value in ((found.mix, true_mix), (found.rest, true_rest))]
    assert (held / 1000 > 0.93).all() and (held / 1000 < 0.97).all()


def test_parts_at_an_edge_have_a_width():
    change = split_change((np.array([40, 9]), np.array([20, 30])), (np.array([40, 9]), np.array([20, 30])))
    assert change.mix.value == change.rest.value == 0 and change.mix.low < 0 < change.rest.high


def clustered(rng, n_clusters=40, size=6):
    """Rows of clusters that lie before or after, alike within a cluster: value, side, cluster, and a draw a row."""
    cluster = np.repeat(np.arange(n_clusters), size)
    shares = rng.dirichlet([0.6, 0.6, 0.6], n_clusters).cumsum(axis=1)
    draw = rng.random(len(cluster))
    return (shares[cluster] < draw[:, None]).sum(axis=1).clip(0, 2), (cluster >= n_clusters // 2) * 1, cluster, draw


def test_a_shift_by_clusters_is_rao_and_scotts(rng):
    value, side, cluster, _ = clustered(rng)
    counts = [np.bincount(value[side == which], minlength=3) for which in (0, 1)]
    found = shift(*counts, cells=ClusterRows(value, side, cluster, np.ones(len(value))))
    one_hot, own = np.eye(3)[value], [side == 0, side == 1]
    shares = [one_hot[rows].mean(axis=0) for rows in own]
    covariance = np.zeros((3, 3))  # slowly: cluster by cluster
    for which, rows in enumerate(own):
        members = np.unique(cluster[rows])
        sums = [(one_hot[rows & (cluster == one)] - shares[which]).sum(axis=0) / rows.sum() for one in members]
        covariance += sum(np.outer(one, one) for one in sums) * len(members) / (len(members) - 1)
    weights = np.linalg.eigvals(covariance / one_hot.mean(axis=0)).real
    degrees = weights.sum() ** 2 / (weights**2).sum()
    moved = ((shares[1] - shares[0]) ** 2 / one_hot.mean(axis=0)).sum() / weights.sum()
    assert found.p == pytest.approx(f.sf(moved, degrees, degrees * 19))
    assert found.by_chance == pytest.approx(weights.sum() * f.ppf(0.95, degrees, degrees * 19))


def test_rows_as_clusters_are_nearly_independent(rng):
    value, side, _, draw = clustered(rng, 100)
    counts = [np.bincount(value[side == which], minlength=3) for which in (0, 1)]
    by_row = ClusterRows(value, side, np.arange(len(value)), np.ones(len(value)))
    assert shift(*counts, cells=by_row).p == pytest.approx(shift(*counts).p, rel=0.1)
    right = draw < 0.7
    rows = tuple(counts)
    hits = tuple(np.bincount(value[(side == which) & right], minlength=3) for which in (0, 1))
    cells = by_row._replace(value=2 * value + right)
    assert np.array(split_change(hits, rows, cells=cells)[2:]) == pytest.approx(
        np.array(split_change(hits, rows)[2:]), abs=2e-3
    )


def test_one_cluster_on_a_side_tells_nothing(rng):
    value, side, _, _ = clustered(rng)
    counts = [np.bincount(value[side == which], minlength=3) for which in (0, 1)]
    found = shift(*counts, cells=ClusterRows(value, side, side, np.ones(len(value))))
    assert np.isnan([found.p, found.by_chance]).all() and found.psi > 0


def test_clusters_keep_the_null_of_a_shift(rng):
    found = []
    for _ in range(400):
        value, side, cluster, _ = clustered(rng)
        counts = [np.bincount(value[side == which], minlength=3) for which in (0, 1)]
        by_cluster = shift(*counts, cells=ClusterRows(value, side, cluster, np.ones(len(value))))
        found.append((by_cluster.p < 0.05, shift(*counts).p < 0.05))
    assert np.mean(found, axis=0)[0] < 0.075 < 0.3 < np.mean(found, axis=0)[1]


def test_clusters_all_alike_tell_no_shift():
    alike = [(5 * n, 5 * n) for n in (7, 6, 3)] + [(4 * n, n) for n in (20, 10, 3)]
    value = np.concatenate([np.repeat([0, 1], n) for n in alike])
    sizes = [70, 60, 30, 100, 50, 15]
    cluster, side = np.repeat(np.arange(6), sizes), np.repeat([0, 0, 0, 1, 1, 1], sizes)
    counts = [np.bincount(value[side == which], minlength=2) for which in (0, 1)]
    found = shift(*counts, cells=ClusterRows(value, side, cluster, np.ones(len(value))))
    assert np.isnan([found.p, found.by_chance]).all()


def weighted(value, side, weights):
    """Rows with weights in units of 2 ** -20, and the sum of these units by value, before and after."""
    units = np.rint(weights * 2.0**20).astype(np.int64)
    cells = WeightedRows(value, side, units, Weighing.of_units(units, np.ones(len(units), dtype=np.int64)))
    counts = [cells.cells(which, value.max() + 1).rows for which in (0, 1)]
    return cells, counts


def test_equal_weights_move_as_rows_do(rng):
    value, side, _, draw = clustered(rng, 100)
    cells, counts = weighted(value, side, np.full(len(value), 2.5))
    rows = [np.bincount(value[side == which], minlength=3) for which in (0, 1)]
    found, expected = shift(*counts, cells=cells), shift(*rows)
    assert (found.psi, found.after) == pytest.approx((expected.psi, expected.after))
    assert (found.p, found.by_chance) == pytest.approx((expected.p, expected.by_chance), rel=0.1)
    right = draw < 0.7
    whole, hits = cells._replace(value=2 * value + right), weighted(value, side, 2.5 * right)[1]
    of_rows = [np.bincount(value[(side == which) & right], minlength=3) for which in (0, 1)]
    parts = split_change(tuple(hits), tuple(counts), cells=whole)
    assert np.array(parts[2:]) == pytest.approx(np.array(split_change(tuple(of_rows), tuple(rows))[2:]), abs=2e-3)


def test_covariance_of_weighted_shares_is_the_sandwich(rng):
    """Heavy rows are of the second value: the sandwich is larger than Kish's variance there, here row by row."""
    value, side = rng.integers(0, 3, 400), rng.integers(0, 2, 400)
    weights = np.array([1.0, 3.0, 1.0])[value] * rng.choice([1.0, 2.0], 400)
    cells, _ = weighted(value, side, weights)
    expected = np.zeros((3, 3))
    for which in (0, 1):
        w, one_hot = weights[side == which], np.eye(3)[value[side == which]]
        share = w @ one_hot / w.sum()
        away = (one_hot - share) * (w / w.sum())[:, None]
        few = w.sum() ** 2 / (w**2).sum()
        kish = (np.diag(share) - np.outer(share, share)) / few
        larger = max(away.T @ away, kish, key=np.trace)
        expected += larger * few / (few - 1)
    np.testing.assert_allclose(cells.covariance(3), expected)


@pytest.mark.parametrize("follow", [False, True])
def test_weights_keep_the_null_of_a_shift(rng, follow):
    """Weights follow the value, or nothing; counted as rows they would find a shift in a quarter of the files."""
    found = []
    for _ in range(400):
        value, side = rng.choice(3, 400, p=[0.5, 0.3, 0.2]), np.arange(400) % 2
        weights = np.array([1.0, 2.0, 8.0])[value] if follow else np.exp(rng.normal(size=400))
        cells, counts = weighted(value, side, weights)
        found.append(shift(*counts, cells=cells).p < 0.05)
    assert np.mean(found) < 0.075


def test_bins_of_few_effective_rows_are_put_together(rng):
    """Of 100 rows the last 30 have nearly no weight: their bin expects under 5 effective rows."""
    value, side = np.tile(np.repeat([0, 1, 2], [40, 30, 30]), 2), np.repeat([0, 1], 100)
    cells, counts = weighted(value, side, np.array([1.0, 1.0, 0.01])[value])
    together, counts_together = weighted(np.minimum(value, 1), side, np.array([1.0, 1.0, 0.01])[value])
    expected = shift(*counts_together, cells=together)
    assert shift(*counts, cells=cells).by_chance == pytest.approx(expected.by_chance)
