"""Numbers of statsmodels 0.15.0, fairlearn 0.15.0 and confidenceinterval 1.0.5 on made-up rows, computed once.

The packages are no requirement; the rows follow from arithmetic, so that anybody can compute the numbers again.
"""

import numpy as np
import pytest

from metrics.agreement.coefficients import coefficients, marginal_homogeneity
from metrics.agreement.ratings import Ratings
from metrics.catalogue.registry import over_joint_counts
from metrics.comparison.flips import cochran_q, mcnemar
from metrics.comparison.multiple_tests import benjamini_hochberg, holm
from metrics.intervals.joint_counts import Cells, joint_counts, sliced_joint_counts
from metrics.intervals.statistic import interval, share_of_rows, standard_error
from metrics.scores.curves import score_counts
from metrics.scores.intervals import auc_standard_error
from metrics.slices.fairness import gaps, group_rates
from metrics.slices.slices import SliceCounts
from metrics.slices.two_samples import unpaired_difference

AT = np.arange(240)
TRUTH = (AT * 7 % 10 < 4).astype(int)
SCORE = np.round(AT * 37 % 101 / 101 * 0.6 + TRUTH * 0.3, 6)
A = (SCORE >= 0.45).astype(int)
B = (AT * 53 % 97 / 97 * 0.5 + TRUTH * 0.4 >= 0.42).astype(int)
C = (AT * 29 % 89 / 89 * 0.55 + TRUTH * 0.35 >= 0.44).astype(int)
GROUP = np.where(AT % 3 == 0, 0, 1)
RIGHT = [pred == TRUTH for pred in (A, B, C)]


def test_statsmodels_gives_the_same_tests():
    """Of contingency_tables.cochrans_q, .mcnemar and multitest.multipletests."""
    cochran = cochran_q(RIGHT)
    assert (cochran.q, cochran.p) == pytest.approx((13.923076923076923, 0.000947637548580094))
    assert mcnemar(46, 16).exact_p == pytest.approx(0.00017632711255144299)
    p = [0.001, 0.012, 0.02, 0.04, 0.3]
    assert holm(p) == pytest.approx([0.005, 0.048, 0.06, 0.08, 0.3])
    assert benjamini_hochberg(p) == pytest.approx([0.005, 0.03, 1 / 30, 0.05, 0.3])


def test_statsmodels_gives_the_same_intervals():
    """Of proportion_confint, confint_proportions_2indep (newcomb) and OLS with clusters, times G / (G - 1)."""
    cells = joint_counts(TRUTH, [A], n_labels=2)
    accuracy = interval(share_of_rows(cells, cells.right()), cells)
    assert (accuracy.low, accuracy.high) == pytest.approx((0.7180762387253761, 0.8232591053067666))
    inside, outside = GROUP == 1, GROUP == 0
    cells_inside = Cells(np.ones(int(inside.sum()), int), None, 0, 0)
    cells_outside = Cells(np.ones(int(outside.sum()), int), None, 0, 0)
    share_inside = share_of_rows(cells_inside, RIGHT[0][inside])
    share_outside = share_of_rows(cells_outside, RIGHT[0][outside])
    moved = unpaired_difference(share_inside, cells_inside, share_outside, cells_outside)
    assert (moved.low, moved.high) == pytest.approx((-0.3991391140989638, -0.16284496452839858))
    clustered = Cells(np.ones(240, int), AT // 6, 0, 0)
    assert standard_error(share_of_rows(clustered, RIGHT[0]), clustered) == pytest.approx(0.03298428357510533)


def test_statsmodels_gives_the_same_agreement():
    """Of inter_rater.fleiss_kappa, cohens_kappa (with its error) and SquareTable.homogeneity (Stuart–Maxwell)."""
    first = AT * 7 % 10 // 4
    second = np.where(AT % 4 == 0, (first + 1) % 3, first)
    third = np.where(AT % 7 == 0, 0, second)
    ratings = Ratings(tuple("abc"), tuple("xyz"), np.stack([first, second, third], axis=1), None, False)
    agreement = coefficients(ratings, np.ones(240, int))
    assert agreement.fleiss_kappa == pytest.approx(0.6632166032069502)
    tested = marginal_homogeneity(first, third, np.ones(240, int), 3)
    assert (tested.statistic, tested.p, tested.df) == pytest.approx((4.330985915492964, 0.11469338166835819, 2))
    cells = joint_counts(TRUTH, [A], n_labels=2)
    kappa = over_joint_counts(cells)["cohen_kappa"].statistic(cells, 0)
    assert kappa.value == pytest.approx(0.5423728813559323)
    assert standard_error(kappa, cells) == pytest.approx(0.05432004444599807, rel=0.003)  # n - 1 here


def test_fairlearn_gives_the_same_groups():
    """Of MetricFrame: by group, its difference and its ratio."""
    cells, slice_of = sliced_joint_counts(TRUTH, A, GROUP, n_labels=2)
    counts = SliceCounts(cells, slice_of, 2, 1)
    wanted = {
        "selection_rate": (0.3125, 0.53125), "tpr": (0.375, 1.0), "fpr": (0.2708333333333333, 0.21875),
        "ppv": (0.48, 0.7529411764705882),
    }  # fmt: skip
    rates, gap_of = group_rates(counts), gaps(counts)
    for name, of_groups in wanted.items():
        assert [group.rates[name].value for group in rates] == pytest.approx(of_groups)
        assert gap_of[name].difference == pytest.approx(max(of_groups) - min(of_groups))
        assert gap_of[name].ratio == pytest.approx(min(of_groups) / max(of_groups))


def test_confidenceinterval_gives_the_same_errors():
    """Of roc_auc_score (DeLong, on the plain scale) and f1_score of all classes together (takahashi)."""
    assert auc_standard_error(score_counts(TRUTH == 1, SCORE)) == pytest.approx(0.01934130256536017, rel=1e-5)
    cells = joint_counts(TRUTH, [A], n_labels=2)
    micro = over_joint_counts(cells)["micro_f1"].statistic(cells, 0)
    assert standard_error(micro, cells) == pytest.approx(0.026954823316059754, rel=0.003)  # n - 1 here
