"""Tests of flips are those of scipy and of published examples."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom, binomtest, chi2, false_discovery_control, norm

from metrics.comparison.flips import clustered_mcnemar, cochran_q, count_flips, mcnemar
from metrics.comparison.multiple_tests import benjamini_hochberg, holm


@pytest.mark.parametrize(("fixed", "broken"), [(1, 7), (10, 10), (0, 5), (190, 124), (0, 0)])
def test_exact_mcnemar_is_the_binomial_test(fixed, broken):
    n = fixed + broken
    wanted = binomtest(fixed, n).pvalue if n else 1.0
    assert mcnemar(fixed, broken).exact_p == pytest.approx(wanted)
    assert mcnemar(fixed, broken).mid_p <= mcnemar(fixed, broken).exact_p


@pytest.mark.parametrize("changed", [2, 4, 5, 12])
def test_mid_p_counts_what_is_as_far_half(changed):
    fixed = np.arange(changed + 1)
    chance, away = binom.pmf(fixed, changed, 0.5), np.abs(2 * fixed - changed)
    for k in fixed:
        wanted = chance[away > away[k]].sum() + chance[away == away[k]].sum() / 2
        assert mcnemar(int(k), int(changed - k)).mid_p == pytest.approx(wanted)


def test_mid_p_is_fagerlands_published_one():
    """Fagerland, Lydersen & Laake 2013, table 3 and 5: airway hyper-responsiveness, 1 and 7 changed of 21."""
    assert mcnemar(1, 7).mid_p == pytest.approx(0.0391, abs=5e-5)
    assert mcnemar(7, 1).mid_p == mcnemar(1, 7).mid_p


def false_alarms(changed: int) -> float:
    """Return how often mid-p is below 0.05 with so many changed rows, when fixed and broken are equally likely."""
    fixed = np.arange(changed + 1)
    below = np.array([mcnemar(int(k), int(changed - k)).mid_p < 0.05 for k in fixed])
    return float(binom.pmf(fixed, changed, 0.5)[below].sum())


def test_mid_p_keeps_its_level():
    """Exact over all files of 50 to 200 rows: the share of files with a false difference is at most 5.5 %."""
    errs = np.array([false_alarms(changed) for changed in range(151)])
    for n in (50, 100, 200):
        for disagreement in (0.05, 0.1, 0.2, 0.3, 0.5):
            chance = binom.pmf(np.arange(151), n, disagreement)
            assert (chance * errs).sum() <= 0.055, (n, disagreement)


def test_cochran_q_of_two_models_equals_mcnemar():
    random = np.random.default_rng(0)
    a, b = random.random(300) < 0.7, random.random(300) < 0.8
    fixed, broken = (~a & b).sum(), (a & ~b).sum()
    found = cochran_q([a, b])
    assert found.q == pytest.approx((fixed - broken) ** 2 / (fixed + broken))
    assert found.df == 1


def test_cochran_q_is_the_textbooks():
    """Cochran 1950, table 1: growth on four media (A, B, C, D) of 69 specimens gives Q 8.05 with 3 degrees."""
    patterns = {(1, 1, 1, 1): 4, (1, 1, 0, 1): 2, (0, 1, 1, 1): 3, (0, 1, 0, 1): 1, (0, 0, 0, 0): 59}
    rows = np.array(list(patterns.values()))
    right = np.array(list(patterns)).T.astype(bool)
    found = cochran_q(list(right), rows)
    assert (found.q, found.df) == (pytest.approx(8.05, abs=0.005), 3)


@pytest.mark.parametrize("net", [[3, -1, 2, 0, 5], [4, 4, -1], [2, -2], [1, 1, 1, -1, 1, 1], [7]])
def test_clusters_change_places_in_every_way(net):
    sums = np.array([np.dot(signs, net) for signs in product((-1, 1), repeat=len(net))])
    beyond, here = (abs(sums) > abs(sum(net))).mean(), (abs(sums) == abs(sum(net))).mean()
    found = clustered_mcnemar(np.array(net))
    assert (found.mid_p, found.exact_p) == pytest.approx((beyond + here / 2, beyond + here))


def test_a_row_a_cluster_is_mcnemars_test():
    random = np.random.default_rng(1)
    for n in (8, 60, 3000):
        net = random.choice([-1, 1], n, p=[0.4, 0.6])
        fixed = int((net > 0).sum())
        assert clustered_mcnemar(net)[:2] == pytest.approx(mcnemar(fixed, n - fixed)[:2], rel=1e-6)


def test_many_rows_take_the_normal_distribution():
    net = np.random.default_rng(2).integers(-90, 100, 1000)
    z = net.sum() / np.sqrt((net.astype(float) ** 2).sum())  # Obuchowski 1998
    found = clustered_mcnemar(net)
    assert found.mid_p == pytest.approx(2 * norm.sf(abs(z))) and "normal" in found.method


def test_clusters_keep_the_error_of_both_tests():
    """Rows of a cluster are alike: by rows far more than 5 % of files show a false difference."""
    random, false = np.random.default_rng(3), np.zeros(4)
    cluster = np.repeat(np.arange(40), 8)
    for _ in range(400):
        chance = 1 / (1 + np.exp(-random.normal(1, 1, (3, 40))))
        right = random.random((3, 320)) < chance[:, cluster]
        moved = right[1].astype(int) - right[0]
        net = np.bincount(cluster, moved).astype(int)
        false += [
            p < 0.05
            for p in (
                clustered_mcnemar(net).mid_p, cochran_q(list(right), None, cluster).p,
                mcnemar(int((moved > 0).sum()), int((moved < 0).sum())).mid_p, cochran_q(list(right)).p,
            )
        ]  # fmt: skip
    assert (false[:2] / 400 < 0.08).all() and (false[2:] / 400 > 0.1).all()


def test_cochran_q_takes_clusters_as_blocks():
    random = np.random.default_rng(4)
    right, cluster = random.random((3, 200)) < [[0.6], [0.7], [0.75]], np.repeat(np.arange(50), 4)
    every_row = cochran_q(list(right), None, np.arange(200))
    assert every_row.q == pytest.approx(cochran_q(list(right)).q)
    sums = np.array([right[:, cluster == one].sum(axis=1) for one in range(50)]).astype(float)
    away = sums - sums.mean(axis=1, keepdims=True)
    found = cochran_q(list(right), None, cluster)
    assert found.q == pytest.approx(2 * (away.sum(axis=0) ** 2).sum() / (away**2).sum())
    values = np.linalg.eigvalsh(away.T @ away)
    epsilon = values.sum() ** 2 / (values**2).sum() / 2
    assert found.df == 2 and found.p == pytest.approx(chi2.sf(epsilon * found.q, 2 * epsilon))


def test_flips_add_up():
    rows = np.array([5, 3, 2, 7, 1])
    a, b = np.array([1, 1, 0, 0, 0], bool), np.array([1, 0, 1, 0, 0], bool)
    found = count_flips(rows, a, b, np.array([1, 0, 0, 1, 0], bool))
    assert found == (2, 3, 5, 8, 7)
    assert found.n == 18 and found.disagreement == pytest.approx(5 / 18)


def test_models_that_never_differ_have_p_1():
    right = np.ones(10, bool)
    assert cochran_q([right, right, right])[:3] == (0.0, 2, 1.0)
    assert mcnemar(0, 0)[:2] == clustered_mcnemar(np.zeros(3, dtype=int))[:2] == (1.0, 1.0)


def slow_holm(p):
    order = sorted(range(len(p)), key=lambda i: p[i])
    found, highest = [0.0] * len(p), 0.0
    for place, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p) - place) * p[i]))
        found[i] = highest
    return found


def test_adjusted_p_values_are_right():
    random = np.random.default_rng(0)
    for n in (1, 2, 7, 40):
        p = random.random(n) ** 2
        assert benjamini_hochberg(p) == pytest.approx(false_discovery_control(p))
        assert holm(p) == pytest.approx(slow_holm(p))


def test_undefined_p_values_count_for_none():
    nan = float("nan")
    assert holm([0.01, nan, 0.04]) == pytest.approx([0.02, nan, 0.04], nan_ok=True)
    assert benjamini_hochberg([nan]) == pytest.approx([nan], nan_ok=True)
