"""Area under the first part of the ROC curve, checked against scikit-learn and small files by hand."""

import math

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from metrics.intervals.joint_counts import Cells
from metrics.intervals.score_statistics import partial_auc_statistic
from metrics.intervals.statistic import interval
from metrics.scores.binning import error_bounds
from metrics.scores.curves import roc_auc, score_counts
from metrics.scores.partial_area import partial_area, partial_auc

TRUTH = np.random.default_rng(5).random(300) < 0.3
SCORE = np.round(np.random.default_rng(6).normal(size=300) + TRUTH, 1)  # with ties
WEIGHTS = np.random.default_rng(7).integers(1, 5, 300)


@pytest.mark.parametrize("max_fpr", [0.001, 0.05, 0.1, 0.5, 0.999, 1.0])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_partial_auc_equals_scikit_learn(max_fpr, weights):
    wanted = roc_auc_score(TRUTH, SCORE, sample_weight=weights, max_fpr=max_fpr)
    counts = score_counts(TRUTH, SCORE, weights)
    assert partial_auc(counts, max_fpr=max_fpr) == pytest.approx(wanted, abs=1e-12)
    if max_fpr == 1:
        assert wanted == pytest.approx(roc_auc(counts))


def test_partial_area_holds_by_hand():
    """Two of four positives stand above the first of ten negatives, one between it and the second."""
    truth = np.array([True, True, False, True, False, True, *[False] * 8])
    found = partial_area(score_counts(truth, -np.arange(14.0)), 0.2)
    assert found.area == pytest.approx(0.1 * 2 / 4 + 0.1 * 3 / 4) and found.recall == pytest.approx(3 / 4)
    assert found.standardised == pytest.approx(0.5 * (1 + (0.125 - 0.02) / 0.18))


@pytest.mark.parametrize("truth", [[True, True], [False, False], []])
def test_partial_auc_needs_both_classes(truth):
    assert math.isnan(partial_auc(score_counts(np.array(truth, dtype=bool), np.arange(float(len(truth))))))


def test_tied_scores_guess():
    assert partial_auc(score_counts(TRUTH, np.zeros(300))) == pytest.approx(0.5)


def test_partial_auc_influence_is_its_derivative():
    """The value moves by the influence where a row weighs a little more; scikit-learn gives both values."""
    influence, small = partial_auc_statistic(TRUTH, SCORE).influence, 1e-6
    assert influence.sum() == pytest.approx(0, abs=1e-12)
    for row in (0, 7, *np.argsort(-SCORE)[:40:4]):
        weights = np.ones(300)
        values = []
        for weights[row] in (1 - small, 1 + small):
            values.append(roc_auc_score(TRUTH, SCORE, sample_weight=weights, max_fpr=0.1))
        assert influence[row] == pytest.approx((values[1] - values[0]) / (2 * small), abs=1e-7)


def test_bins_bound_the_partial_auc():
    low = np.floor(SCORE)
    high = np.array([SCORE[low == value].max() for value in low])
    low = np.array([SCORE[low == value].min() for value in low])
    bound = error_bounds(TRUTH, low, high, np.ones(300, dtype=np.int64))["partial_auc"]
    exact, binned = (partial_auc(score_counts(TRUTH, score)) for score in (SCORE, low))
    assert 0 < abs(exact - binned) <= bound


@pytest.mark.parametrize(("negatives", "has_bounds"), [(99, False), (100, True)])
def test_partial_auc_of_few_negatives_has_no_bounds(negatives, has_bounds):
    rng = np.random.default_rng(7)
    is_true = np.arange(negatives + 50) < 50
    statistic = partial_auc_statistic(is_true, rng.normal(size=len(is_true)) + is_true)
    found = interval(statistic, Cells(np.ones(len(is_true), dtype=np.int64), None, 0, 0))
    assert math.isfinite(found.value) and math.isfinite(found.low) == has_bounds
    assert has_bounds or found.method == "undefined: too few rows to tell"
