"""A judge's rate is corrected for its errors; the interval allows for rows that count twice."""

import math

import numpy as np
import pytest

from metrics.agreement.corrected_rate import corrected_rate


def judged(random, n, rated, rate, sensitivity, specificity):
    true = random.random(n) < rate
    judge = np.where(true, random.random(n) < sensitivity, random.random(n) >= specificity).astype(int)
    return np.where(np.arange(n) < rated, true.astype(int), -1), judge


def test_rate_is_rogan_and_gladens():
    truth, judge = judged(np.random.default_rng(1), 900, 300, 0.3, 0.8, 0.9)
    found = corrected_rate(truth, judge, 1)
    p, both = (judge == 1).mean(), truth >= 0
    sensitivity, specificity = (judge[both & (truth == 1)] == 1).mean(), (judge[both & (truth == 0)] == 0).mean()
    assert found.value == pytest.approx((p + specificity - 1) / (sensitivity + specificity - 1))
    assert found.low < found.value < found.high and (found.n, found.n_positive + found.n_negative) == (900, 300)


def test_fully_rated_rows_give_the_peoples_rate():
    truth, judge = judged(np.random.default_rng(2), 400, 400, 0.4, 0.8, 0.9)
    found, own = corrected_rate(truth, judge, 1), (truth == 1).mean()
    assert found.value == pytest.approx(own)
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * math.sqrt(own * (1 - own) / 400), rel=0.02)


def test_few_rated_rows_have_an_interval():
    """A part of the variance was below 0 here: the interval began at the value, or was undefined."""
    for hits, missed, alarms, others in ((1, 0, 5, 24), (3, 1, 6, 20)):
        truth = np.repeat([1, 1, 0, 0], (hits, missed, alarms, others))
        found = corrected_rate(truth, np.repeat([1, 0, 1, 0], (hits, missed, alarms, others)), 1)
        assert found.value == pytest.approx((hits + missed) / 30)
        assert 0 <= found.low < found.value - 0.01 and found.value + 0.05 < found.high < 0.4


def test_interval_is_as_wide_as_rates_differ():
    random = np.random.default_rng(3)
    drawn = [corrected_rate(*judged(random, 600, 150, 0.3, 0.85, 0.9), 1) for _ in range(300)]
    inside = np.mean([one.low <= 0.3 <= one.high for one in drawn])
    assert 0.93 <= inside <= 0.99
    assert np.mean([one.high - one.low for one in drawn]) / 3.92 == pytest.approx(
        np.std([d.value for d in drawn]), rel=0.15
    )


def test_interval_of_a_rare_category_covers():
    """Near 0 the interval misses on either side about as often; before, it missed above in one file of ten."""
    random, drawn = np.random.default_rng(6), []
    while len(drawn) < 250:
        found = corrected_rate(*judged(random, 1000, 200, 0.05, 0.8, 0.9), 1)
        drawn += [] if math.isnan(found.low) else [found]
    assert np.mean([one.low <= 0.05 <= one.high for one in drawn]) > 0.93
    assert np.mean([one.low > 0.05 for one in drawn]) < 0.05 and min(one.high - one.low for one in drawn) > 0.01


@pytest.mark.parametrize(
    ("truth", "judge", "why"),
    [
        ([1, 1, -1], [1, 0, 1], "people rated no row of the category, or none of the others"),
        ([1, 1, 0, 0], [1, 0, 1, 0], "the judge tells the category apart no better than chance"),
        ([1] * 9 + [0] * 40 + [-1] * 400, [1] * 9 + [1, 0] * 20 + [0] * 400, "the rated rows do not fit the others"),
    ],
)
def test_rate_that_cannot_be_known_says_why(truth, judge, why):
    found = corrected_rate(np.array(truth), np.array(judge), 1)
    assert math.isnan(found.value) and math.isnan(found.low) and found.method == f"undefined: {why}"
