"""Effects of a threshold at another prevalence, against rows that are repeated, and intervals against simulation."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from metrics.scores.curves import score_counts
from metrics.shares import Bounds, critical_value, square_and_add, wilson
from metrics.thresholds.deployed.in_use import (
    UNDEFINED,
    Estimate,
    Place,
    Rates,
    compute_use,
    divide,
    saving,
    useful_prevalence,
)

Z = critical_value(0.95)


def rates_of(tp: float, fp: float, n_pos: int, n_neg: int) -> Rates:
    """Both rates with Wilson's 95 % intervals; NaN without rows of the side."""
    shares = (tp, n_pos), (fp, n_neg)
    return Rates(*(Estimate(part / n, *wilson(part, n, Z)) if n else UNDEFINED for part, n in shares))


def test_use_equals_rows_repeated_to_the_prevalence():
    """Of 100 positives 80 are found, of 900 negatives 45 flagged; negatives nine times as often give 1 %."""
    use = compute_use(rates_of(80, 45, 100, 900), Place(100 / 9_000, 9_000, cost_fp=2, cost_fn=30))
    tp, fn, fp, tn = 80, 20, 45 * 8_900 / 900, 855 * 8_900 / 900
    assert use.found.value == pytest.approx(tp) and use.missed.value == pytest.approx(fn)
    assert use.false_alarms.value == pytest.approx(fp) and use.predicted.value == pytest.approx(tp + fp)
    assert use.precision.value == pytest.approx(tp / (tp + fp)) and use.npv.value == pytest.approx(tn / (tn + fn))
    assert use.cost.value == pytest.approx(2 * fp + 30 * fn)
    assert use.missed[1:] == pytest.approx([100 * end for end in wilson(20, 100, Z)])


def test_own_prevalence_gives_precision_of_the_rows():
    use = compute_use(rates_of(7, 3, 10, 40), Place(0.2, 50, 1, 1))
    assert [use.precision.value, use.npv.value] == pytest.approx([0.7, 37 / 40])


@pytest.mark.parametrize(
    ("a", "b"),
    [((0.8, 0.7, 0.9), (0.2, 0.1, 0.3)), ((0.05, 0.01, 0.2), (0.9, 0.85, 0.93)), ((1.0, 0.9, 1.0), (0.3, 0.2, 0.5))],
)
def test_ratio_bounds_invert_the_interval_of_a_difference(a, b):
    """A ratio r lies inside where the interval of a - r * b holds 0."""

    def end(ratio: float, side: int) -> float:
        scaled = [ratio * number for number in b]
        return square_and_add(scaled[0], Bounds(*scaled[1:]), a[0], Bounds(*a[1:]))[side]

    ratio = divide(Estimate(*a), Estimate(*b))
    assert ratio.value == a[0] / b[0]
    assert ratio.low == pytest.approx(brentq(end, 1e-9, ratio.value, args=(0,), xtol=1e-14))
    assert ratio.high == pytest.approx(brentq(end, ratio.value, 1e6, args=(1,), xtol=1e-12))


@pytest.mark.parametrize("prevalence", [0.0, 0.1, 1.0])
@pytest.mark.parametrize(("recall", "fpr"), [(0.8, 0.2), (1.0, 0.2), (0.8, 0.0)])
def test_undefined_bounds_stay_undefined(prevalence, recall, fpr):
    """As of rows of one cluster: rates have values and no bounds."""
    rates = Rates(Estimate(recall, math.nan, math.nan), Estimate(fpr, math.nan, math.nan))
    for number in compute_use(rates, Place(prevalence, 100)):
        assert math.isnan(number.low) and math.isnan(number.high)
    useful = useful_prevalence(rates, 1, 2)
    assert all(math.isnan(bound) for number in useful for bound in number[1:])


def test_edges_keep_an_interval():
    nothing_wrong = compute_use(rates_of(8, 0, 10, 50), Place(0.1, 100))
    assert nothing_wrong.precision.value == nothing_wrong.precision.high == 1.0
    assert 0 < nothing_wrong.precision.low < 1
    nothing_found = compute_use(rates_of(0, 2, 10, 50), Place(0.1, 100))
    assert nothing_found.precision.value == nothing_found.precision.low == 0.0 < nothing_found.precision.high
    assert math.isnan(compute_use(rates_of(0, 0, 10, 50), Place(0.1, 100)).precision.value)
    assert math.isnan(compute_use(rates_of(0, 2, 0, 50), Place(0.1, 100)).found.value)


@pytest.mark.parametrize(("n_pos", "n_neg", "recall", "fpr"), [(100, 1900, 0.7, 0.05), (300, 300, 0.9, 0.02)])
def test_intervals_cover_the_truth(n_pos, n_neg, recall, fpr):
    """95 % intervals, 1,500 draws: the share that covers lies within 93.3 to 97.3 %."""
    random, place = np.random.default_rng(29), Place(0.01, 10_000, 1, 40)
    truth = compute_use(Rates(*(Estimate(rate, rate, rate) for rate in (recall, fpr))), place)
    draws = zip(random.binomial(n_pos, recall, 1500), random.binomial(n_neg, fpr, 1500), strict=True)
    every = [compute_use(rates_of(int(tp), int(fp), n_pos, n_neg), place) for tp, fp in draws]
    for place_of, wanted in enumerate(truth):
        covered = np.mean([use[place_of].low <= wanted.value <= use[place_of].high for use in every])
        assert 0.933 <= covered <= 0.973, (truth._fields[place_of], covered)


def test_interval_of_net_benefit_covers_the_truth():
    random, place, n_pos, n_neg = np.random.default_rng(1), Place(0.1, 1.0, cost_fp=1, cost_fn=4), 120, 400
    truth, covered = 0.7 * 0.1 - 0.25 * 0.15 * 0.9, 0
    for tp, fp in zip(random.binomial(n_pos, 0.7, 4_000), random.binomial(n_neg, 0.15, 4_000), strict=True):
        benefit = compute_use(rates_of(tp, fp, n_pos, n_neg), place).benefit
        covered += benefit.low <= truth <= benefit.high
    assert 0.935 <= covered / 4_000 <= 0.965


def test_useful_prevalence_is_where_costs_are_equal():
    rates, costs = rates_of(80, 45, 100, 900), (2, 60)
    low, high = useful_prevalence(rates, *costs)

    def cost(prevalence: float) -> float:
        return compute_use(rates, Place(prevalence, 1.0, *costs)).cost.value

    assert cost(low.value) == pytest.approx(low.value * 60)  # of predicting no row as positive
    assert cost(high.value) == pytest.approx((1 - high.value) * 2)  # of predicting every row as positive
    assert low.low < low.value < low.high < high.low < high.value < high.high
    nothing = useful_prevalence(rates_of(0, 0, 100, 900), *costs)
    assert math.isnan(nothing.low.value)


def test_saving_is_the_difference_of_both_costs():
    random = np.random.default_rng(3)
    is_true = random.random(400) < 0.3
    counts = score_counts(is_true, random.normal(is_true * 1.0, 1.0).round(1))
    place = Place(0.05, 1_000, cost_fp=3, cost_fn=50)

    def cost(threshold: float) -> float:
        tp, fp = counts.at(threshold)
        return compute_use(rates_of(tp, fp, counts.n_pos, counts.n_neg), place).cost.value

    (tp, fp), (tp_above, fp_above) = counts.at(0.2), counts.at(1.0)
    between = rates_of(tp - tp_above, fp - fp_above, counts.n_pos, counts.n_neg)
    less = saving(between, place, is_lower=True)
    assert less.value == pytest.approx(cost(1.0) - cost(0.2)) and less.low < less.value < less.high
    back = saving(between, place, is_lower=False)
    assert back == pytest.approx((-less.value, -less.high, -less.low))
    assert saving(rates_of(0, 0, counts.n_pos, counts.n_neg), place, is_lower=True).value == 0
