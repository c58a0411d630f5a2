"""Slices have the metrics of their own rows; tests against the rest keep their level over all that is searched."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import binomtest, false_discovery_control, fisher_exact, ttest_rel
from sklearn.metrics import f1_score

from metrics.intervals.joint_counts import Cells, joint_counts, label_joint_counts, sliced_joint_counts
from metrics.intervals.statistic import share_of_rows
from metrics.shares import critical_value, wilson
from metrics.slices.fairness import DIFFERS, MAY_BE_CHANCE, TOO_FEW_TO_TELL, gaps, group_rates, surest_gap
from metrics.slices.slices import SliceCounts, search_slices
from metrics.slices.two_samples import shared_covariance, unpaired_difference
from tests.metrics.intervals.made import predictions, sets


def counted(truth, pred, slices, k, positive=None, cluster=None):
    cells, slice_of = sliced_joint_counts(truth, pred, slices, n_labels=k, cluster=cluster)
    return SliceCounts(cells, slice_of, int(slices.max()) + 1, positive)


def made(seed=0, n=900, s=4, cluster=None):
    truth, pred = predictions(seed, n, 3)
    slices = np.random.default_rng(seed).integers(0, s, n)
    return truth, pred, slices, counted(truth, pred, slices, 3, cluster=cluster)


def test_metrics_are_those_of_the_rows():
    truth, pred, slices, counts = made()
    (found,) = search_slices([counts]).slices
    assert sum(one.n for one in found) == 900
    for one in found:
        own = slices == one.place
        assert one.metrics["accuracy"].value == pytest.approx((truth == pred)[own].mean())
        assert one.metrics["macro_f1"].value == pytest.approx(f1_score(truth[own], pred[own], average="macro"))
        rest = (truth == pred)[~own].mean()
        assert one.difference_to_rest["accuracy"].value == pytest.approx((truth == pred)[own].mean() - rest)


def test_missing_rows_and_weights_are_counted_right():
    truth, pred, slices, _ = made()
    pred[:50] = -1
    weights = np.arange(900) % 3
    cells, _ = sliced_joint_counts(truth, pred, slices, n_labels=3, weights=weights)
    assert cells.n == weights[50:].sum()


def test_p_values_are_corrected_over_everything():
    _, _, _, counts = made()
    _, _, _, more = made(s=7)
    found = search_slices([counts, more])
    every = [
        (one.difference_to_rest[name].p, one.p_adjusted[name])
        for slices in found.slices
        for one in slices
        for name in one.metrics
    ]
    assert found.n_tests == len(every) == 22 and found.n_slices == 11
    assert [p for _, p in every] == pytest.approx(false_discovery_control([p for p, _ in every]))


def test_small_slices_are_not_tested():
    truth, pred, slices, _ = made()
    slices = np.where(np.arange(900) < 6, 4, slices)
    (found,) = search_slices([counted(truth, pred, slices, 3)]).slices
    assert found[4].n == 6 and math.isnan(found[4].difference_to_rest["accuracy"].p)
    assert found[4].difference_to_rest["accuracy"].method == "too few to tell"
    assert not math.isnan(found[4].metrics["accuracy"].low)


def shares(*pairs):
    cells = [joint_counts(np.zeros(n, int), [np.repeat([0, 1], [k, n - k])], n_labels=2) for k, n in pairs]
    return [(share_of_rows(own, own.right()), own) for own in cells]


def test_two_samples_take_newcombes_interval():
    """Newcombe 1998, Statistics in Medicine 17, page 873: 56/70 less 48/80 gives 0.0524 to 0.3339."""
    (a, of_a), (b, of_b) = shares((48, 80), (56, 70))
    found = unpaired_difference(a, of_a, b, of_b)
    assert (found.value, found.low, found.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=6e-5)
    pooled = 104 / 150
    z = 0.2 / math.sqrt(pooled * (1 - pooled) * (1 / 70 + 1 / 80))
    assert found.p == pytest.approx(math.erfc(z / math.sqrt(2)))


def test_few_expected_rows_take_fishers_test():
    (a, of_a), (b, of_b) = shares((30, 40), (11, 12))
    found = unpaired_difference(a, of_a, b, of_b)
    assert found.p == pytest.approx(fisher_exact([[30, 10], [11, 1]]).pvalue) and "Fisher" in found.method


@pytest.mark.parametrize(("of_old", "of_new", "few"), [(7, 300, False), (4, 3, True)])
def test_slice_beside_few_errors_is_tested(of_old, of_new, few):
    truth, slices = np.arange(2000) % 3, np.repeat([0, 1], 1000)
    wrong = np.arange(2000) % 1000 < np.where(slices == 0, of_old, of_new)
    (parts,) = search_slices([counted(truth, np.where(wrong, (truth + 1) % 3, truth), slices, 3)]).slices
    for part in parts:
        moved = part.difference_to_rest["macro_f1"]
        assert moved.few_decide == math.isnan(moved.p) == few
        assert few or moved.p < 0.001


def test_random_columns_seldom_show_a_worse_slice():
    random, false = np.random.default_rng(0), 0
    for seed in range(40):
        truth, pred = predictions(seed, 300, 2)
        ways = [counted(truth, pred, random.integers(0, 4, 300), 2) for _ in range(15)]
        found = search_slices(ways)
        worse = [
            one for slices in found.slices for one in slices
            if any(p < 0.05 and one.difference_to_rest[name].value < 0 for name, p in one.p_adjusted.items())
        ]  # fmt: skip
        false += bool(worse)
    assert false <= 4


def test_clusters_widen_the_difference_to_the_rest():
    truth, pred = predictions(0, 300, 3)
    slices = np.arange(300) // 3 % 2
    three = (np.tile(one, 3) for one in (truth, pred, slices))
    apart = counted(*three, 3, cluster=np.tile(np.arange(300), 3))
    (once,), (thrice,) = (
        search_slices([one]).slices for one in (counted(truth, pred, slices, 3, cluster=np.arange(300)), apart)
    )
    one, two = (found[0].difference_to_rest["accuracy"] for found in (once, thrice))
    assert (two.low, two.high, two.se) == pytest.approx((one.low, one.high, one.se))


def test_label_sets_are_sliced():
    truth, pred = sets(0, 200, 3)
    slices = np.arange(200) % 2
    (found,) = search_slices([SliceCounts(label_joint_counts(truth, [pred]), slices, 2)]).slices
    right = (truth == pred).all(axis=1)
    assert [one.metrics["subset_accuracy"].value for one in found] == [right[slices == s].mean() for s in (0, 1)]


def grouped(rates, n=400):
    """Groups with a share of positives predicted positive (TPR) and of negatives (FPR)."""
    truth = np.tile(np.repeat([1, 0], n // 2), len(rates))
    hits = [round(share * n / 2) for pair in rates for share in pair]
    pred = np.concatenate([np.repeat([1, 0], [k, n // 2 - k]) for k in hits])
    return truth, pred, np.repeat(np.arange(len(rates)), n)


def test_rates_of_groups_are_those_of_their_rows():
    truth, pred, group = grouped([(0.8, 0.1), (0.6, 0.3)])
    found = group_rates(counted(truth, pred, group, 2, positive=1))
    one = found[1].rates
    assert (one["tpr"].value, one["fpr"].value, one["selection_rate"].value) == pytest.approx((0.6, 0.3, 0.45))
    assert one["ppv"].value == pytest.approx(0.6 / 0.9) and one["base_rate"].value == 0.5
    assert (one["tpr"].low, one["tpr"].high) == pytest.approx(wilson(120, 200, critical_value(0.95)))


def test_gaps_name_the_two_groups():
    truth, pred, group = grouped([(0.8, 0.1), (0.6, 0.1), (0.79, 0.1)])
    found = gaps(counted(truth, pred, group, 2, positive=1))
    gap = found["tpr"]
    assert (gap.lower, gap.higher, gap.verdict) == (1, 0, DIFFERS)
    assert gap.difference == pytest.approx(0.2) and gap.low > 0.05
    assert gap.ratio == pytest.approx(0.75) and gap.ratio_low < 0.75 < gap.ratio_high < 1
    assert found["fpr"].verdict == MAY_BE_CHANCE and found["fpr"].low < 0 < found["fpr"].high


def test_gaps_have_newcombes_interval_of_their_level():
    """Three pairs of groups are looked at: a third of 5 % each, also where a group has no hit at all."""
    truth, pred, group = grouped([(0.0, 0.1), (0.3, 0.1), (0.2, 0.1)], n=40)
    found = gaps(counted(truth, pred, group, 2, positive=1))["tpr"]
    of_a, of_b = (binomtest(k, 20).proportion_ci(1 - 0.05 / 3, method="wilson") for k in (0, 6))
    low = 0.3 - np.hypot(0.3 - of_b.low, of_a.high)
    assert (found.lower, found.higher) == (0, 1) and found.low == pytest.approx(low)


def test_gap_is_the_surest_of_all_pairs(rng):
    group, truth = rng.integers(0, 7, 2000), rng.integers(0, 2, 2000)
    pred = np.where(rng.random(2000) < 0.5 + 0.05 * group, truth, 1 - truth)
    found = gaps(counted(truth, pred, group, 2, positive=1))["tpr"]
    lows = []
    for pair in itertools.combinations(range(7), 2):
        kept = np.isin(group, pair)
        alone = counted(truth[kept], pred[kept], group[kept], 2, positive=1)
        lows.append(gaps(alone, level=1 - 0.05 / 21)["tpr"].low)
    assert found.low == pytest.approx(max(lows))


def test_error_rates_lead_the_surest_gap():
    gap = gaps(counted(*grouped([(0.3, 0.3), (0.4, 0.4)]), 2, positive=1))["tpr"]
    clear = {name: gap._replace(low=low, verdict=DIFFERS) for name, low in
             (("selection_rate", 0.5), ("tpr", 0.1), ("fpr", 0.2), ("ppv", 0.05), ("accuracy", 0.9))}  # fmt: skip
    assert surest_gap(clear)[0] == "fpr"
    unclear = {name: one._replace(verdict=MAY_BE_CHANCE) for name, one in clear.items()}
    assert surest_gap(unclear | {"selection_rate": clear["selection_rate"]})[0] == "selection_rate"
    assert surest_gap(unclear | {"accuracy": clear["accuracy"]}) is None


def test_clusters_in_both_groups_are_pairs():
    """With as many rows of every cluster on each side, the error is that of the paired t test over clusters."""
    random = np.random.default_rng(4)
    skill, cluster = random.normal(0, 1, 9), np.repeat(np.arange(9), 8)
    right = random.logistic(size=(2, 72)) < skill[cluster] + 0.5
    sides = [Cells(np.ones(72, int), cluster, 2, 2) for _ in right]
    statistics = [share_of_rows(cells, rows) for cells, rows in zip(sides, right, strict=True)]
    shared = shared_covariance(statistics[0], sides[0], statistics[1], sides[1])
    moved = unpaired_difference(statistics[0], sides[0], statistics[1], sides[1], shared=shared)
    means = right.reshape(2, 9, 8).mean(axis=2)
    paired = ttest_rel(means[1], means[0])
    assert moved.se == pytest.approx(np.std(means[1] - means[0], ddof=1) / 3)
    assert moved.p == pytest.approx(paired.pvalue)


def test_clusters_in_two_groups_count_for_both():
    """Groups within every patient: what is alike in a patient cancels, and the gap is surer."""
    random, patients = np.random.default_rng(0), 40
    mood = np.repeat(random.normal(0, 2, patients), 20)
    group, truth = np.arange(800) % 2, np.ones(800, int)
    pred = (mood + random.logistic(size=800) > np.where(group, 0.8, -0.8)).astype(int)
    cluster = np.repeat(np.arange(patients), 20)
    ends = [
        gaps(counted(truth, pred, group, 2, positive=1, cluster=own))["tpr"]
        for own in (cluster, 2 * cluster + group)  # the same rows, and as if no patient were in both groups
    ]
    assert ends[0].high - ends[0].low < 0.8 * (ends[1].high - ends[1].low)


def test_tiny_groups_do_not_decide():
    truth, pred, group = grouped([(0.8, 0.1), (0.5, 0.1)])
    tiny = np.array([1] * 4 + [0] * 20)
    truth, pred = np.append(truth, tiny), np.append(pred, np.zeros(24, int))
    found = gaps(counted(truth, pred, np.append(group, np.full(24, 2)), 2, positive=1))
    assert found["tpr"].left_out == (2,) and (found["tpr"].lower, found["tpr"].higher) == (1, 0)
    assert found["fpr"].left_out == ()


def test_one_group_has_no_gap():
    truth, pred, group = grouped([(0.8, 0.1)])
    found = gaps(counted(truth, pred, group, 2, positive=1))["tpr"]
    assert found.verdict == TOO_FEW_TO_TELL and math.isnan(found.difference)


def test_groups_need_a_positive_class():
    with pytest.raises(ValueError, match="positive"):
        group_rates(made()[3])


@pytest.mark.parametrize("rights", [(7, 4), (5, 5)])
def test_difference_to_one_cluster_has_no_error(rights):
    """One cluster tells nothing of how clusters vary, also where both shares are alike."""
    of_one, of_ten = (
        joint_counts(np.zeros(10, int), [np.arange(10) >= right], n_labels=2, cluster=cluster)
        for right, cluster in zip(rights, (np.zeros(10, int), np.arange(10)), strict=True)
    )
    for a, b, sign in ((of_one, of_ten, 1), (of_ten, of_one, -1)):
        difference = unpaired_difference(share_of_rows(a, a.right()), a, share_of_rows(b, b.right()), b)
        assert difference.value == pytest.approx(sign * (rights[1] - rights[0]) / 10)
        assert all(map(math.isnan, (difference.se, difference.p, difference.low, difference.high)))
