"""Rows left to people: against loops over orders of the rows, and the promised risk against simulation."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import binomtest

from metrics.scores.curves import score_counts
from metrics.thresholds.risk_coverage import area_under_risk, decide_share, promise_risk


def test_area_is_the_mean_over_orders_of_ties():
    right, sure = np.array([True, False, True, False, True]), np.array([0.9, 0.7, 0.7, 0.7, 0.2])
    areas = []
    for order in itertools.permutations(range(5)):
        if list(sure[list(order)]) == sorted(sure, reverse=True):
            wrong = ~right[list(order)]
            areas.append(np.mean([wrong[: k + 1].mean() for k in range(5)]))
    assert area_under_risk(score_counts(right, sure)) == pytest.approx(np.mean(areas))
    assert math.isnan(area_under_risk(score_counts(np.zeros(0, bool), np.zeros(0))))


def test_weighted_area_is_the_weighted_mean():
    """Without ties: of each row, the share of weight that is wrong so far. Ties share their weight evenly."""
    random = np.random.default_rng(4)
    right, sure, weights = random.random(40) < 0.7, random.permutation(40) / 40, random.integers(1, 9, 40)
    counts, rows = score_counts(right, sure, weights), score_counts(right, sure)
    order = np.argsort(-sure)
    so_far = np.cumsum((weights * ~right)[order]) / np.cumsum(weights[order])
    area = area_under_risk(counts, rows)
    assert area == pytest.approx(np.average(so_far, weights=weights[order]))
    assert area_under_risk(score_counts(right, sure, 3 * weights), rows) == pytest.approx(area)
    ties, twos = sure.round(1), np.full(40, 2)
    of_rows = score_counts(right, ties)
    assert area_under_risk(score_counts(right, ties, twos), of_rows) == pytest.approx(area_under_risk(of_rows))


@pytest.mark.parametrize("coverage", [0.0, 0.31, 0.5, 1.0])
def test_share_is_decided_by_the_most_confident(coverage):
    random = np.random.default_rng(2)
    sure = random.random(200).round(2)
    right = random.random(200) < sure
    found = decide_share(score_counts(right, sure), coverage)
    allowed = [at for at in np.unique(sure) if (sure >= at).mean() >= coverage]
    assert found.threshold == max(allowed) and found.rows == (sure >= found.threshold).sum()
    assert found.wrong == (~right[sure >= found.threshold]).sum()


def test_promised_risk_is_kept_on_new_rows():
    """Confidence u is right with probability u², so the true risk from t up is 1 - (1 + t + t²) / 3."""
    random, broken, found = np.random.default_rng(3), 0, []
    for _ in range(400):
        sure = random.random(2_500)
        kept = promise_risk(score_counts(random.random(2_500) < sure**2, sure), 0.2)
        found.append(kept)
        broken += kept is not None and 1 - (1 + kept.threshold + kept.threshold**2) / 3 > 0.2
    assert broken / 400 <= 0.05 and sum(kept is not None for kept in found) > 350


def test_promise_is_a_binomial_test_at_its_level():
    sure = np.random.default_rng(5).random(2_000)
    right = np.random.default_rng(6).random(2_000) < sure**0.5
    kept = promise_risk(score_counts(right, sure), 0.15)
    assert kept is not None and kept.rows == (sure >= kept.threshold).sum()
    assert binomtest(kept.wrong, kept.rows, 0.15, alternative="less").pvalue <= 0.005
    assert promise_risk(score_counts(right[:20], sure[:20]), 0.001) is None


def test_every_row_may_be_wrong():
    kept = promise_risk(score_counts(np.array([True, False]), np.array([0.9, 0.5])), 1.0)
    assert kept is not None and kept.rows == 2
