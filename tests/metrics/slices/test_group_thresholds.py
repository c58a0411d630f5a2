"""Scores of groups against slow counts of the rows themselves."""

import numpy as np
import pytest
from sklearn.metrics import f1_score

from metrics.scores.curves import score_counts
from metrics.slices.group_thresholds import equalise, group_scores, score_bias


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
    assert np.isnan(score_bias(score_counts(np.ones(5, dtype=bool), np.ones(5)))).all()


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
