"""Scores of groups against slow counts of the rows themselves."""

import numpy as np
import pytest
from scipy.stats import t
from sklearn.metrics import f1_score

from metrics.intervals.joint_counts import Weighing
from metrics.scores.curves import score_counts
from metrics.slices.group_thresholds import equalise, group_scores, line_residuals


def made(seed, n, shift):
    rng = np.random.default_rng(seed)
    is_true = rng.random(n) < 0.4
    return is_true, np.round(np.clip(rng.normal(0.35 + 0.3 * is_true + shift, 0.2, n), 0, 1), 2)


GROUPS = [made(0, 300, 0.0), made(1, 200, 0.1), made(2, 120, -0.1)]


def test_the_own_threshold_has_the_best_f1():
    for is_true, score in GROUPS:
        found = group_scores(score_counts(is_true, score), 0.5, probabilities=True)
        every = {at: f1_score(is_true, score >= at) for at in np.unique(score)}
        assert found.f1_there == pytest.approx(max(every.values())) == pytest.approx(every[found.threshold])
        assert found.f1_now == pytest.approx(f1_score(is_true, score >= 0.5))
        off = score - is_true
        assert (found.bias, found.high - found.bias) == pytest.approx(
            (off.mean(), 1.96 * off.std(ddof=1) / np.sqrt(len(off))), rel=1e-4
        )
    few = group_scores(score_counts(np.ones(5, dtype=bool), np.ones(5)), 0.5, probabilities=True)
    assert np.isnan(few).all()


@pytest.mark.parametrize("n_positive", [9, 10])
def test_own_threshold_needs_ten_positive_rows(n_positive):
    """Whatever they weigh."""
    is_true, weights = np.arange(40) < n_positive, np.full(40, 100)
    weighing = Weighing(np.full(40, 100.0**2), np.full(40, 100.0**4), np.ones(40, dtype=np.int64))
    residuals = line_residuals(is_true, is_true * 0.4, None, weights, weighing)
    found = group_scores(score_counts(is_true, is_true * 0.4, weights), 0.5, probabilities=True, residuals=residuals)
    assert np.isfinite(found.bias)
    known = (0.4, 1.0, 0.0) if n_positive == 10 else (np.nan,) * 3
    assert found[3:] == pytest.approx(known, nan_ok=True)


def test_the_interval_of_bias_follows_clusters():
    is_true, score = made(3, 60, 0.1)
    score[5] = np.nan
    rng = np.random.default_rng(4)
    cluster, weights = rng.integers(0, 12, 60) * 3, rng.integers(0, 4, 60)
    counts, residuals = score_counts(is_true, score, weights), line_residuals(is_true, score, cluster, weights)
    found = group_scores(counts, 0.5, probabilities=True, residuals=residuals)
    lines = np.repeat(np.arange(60), weights)
    lines = lines[~np.isnan(score[lines])]
    off, of = score[lines] - is_true[lines], cluster[lines]
    sums = np.array([(off - off.mean())[of == one].sum() for one in np.unique(of)])
    g = len(sums)
    reach = t.ppf(0.975, g - 1) * np.sqrt(g / (g - 1) * (sums**2).sum()) / len(off)
    assert found[:3] == pytest.approx((off.mean(), off.mean() - reach, off.mean() + reach))
    one_cluster = line_residuals(is_true, score, np.zeros(60, dtype=np.int64))
    alone = group_scores(counts, 0.5, probabilities=True, residuals=one_cluster)
    assert np.isfinite(alone.bias) and np.isnan([alone.low, alone.high]).all()


def test_bias_without_variation_keeps_a_width():
    """Rows of one class do not show how the share varies; Wilson's bound of 0 of 12 is 0.2425."""
    low_of_all = 0.2425
    none, perfect = np.zeros(12, dtype=bool), np.arange(12) < 6
    assert group_scores(score_counts(none, np.full(12, 0.3)), 0.5, probabilities=True)[:3] == pytest.approx(
        (0.3, 0.3 - low_of_all, 0.3), abs=1e-4
    )
    sure = group_scores(score_counts(perfect, perfect.astype(float)), 0.5, probabilities=True)
    assert sure[:3] == pytest.approx((0, -low_of_all, low_of_all), abs=1e-4)


@pytest.mark.parametrize("rate", ["recall", "selection_rate"])
def test_equal_rates_cost_what_the_rows_say(rate):
    found = equalise([score_counts(*group) for group in GROUPS], 0.5, rate)
    is_true, score = (np.concatenate(part) for part in zip(*GROUPS, strict=True))
    above = score >= 0.5
    assert found.target == pytest.approx(above[is_true].mean() if rate == "recall" else above.mean())
    assert found.wrong_now == (above != is_true).sum() and found.n == 620
    then = [score >= at for (_, score), at in zip(GROUPS, found.thresholds, strict=True)]
    assert found.wrong_then == sum((called != truth).sum() for called, (truth, _) in zip(then, GROUPS, strict=True))
    for called, (truth, score), at in zip(then, GROUPS, found.thresholds, strict=True):
        inside = truth if rate == "recall" else np.ones(len(truth), dtype=bool)
        assert called[inside].mean() >= found.target - 1e-12
        assert (score > at)[inside].mean() < found.target
    assert equalise([score_counts(*GROUPS[0]), score_counts(GROUPS[1][0][:9], GROUPS[1][1][:9])], 0.5, rate) is None
