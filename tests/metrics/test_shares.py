"""Intervals of shares are those of scipy and of the published examples."""

import math

import pytest
from scipy.special import ndtri
from scipy.stats import binomtest

from metrics.shares import NO_BOUNDS, Bounds, critical_value, paired_difference, square_and_add, wilson

Z = critical_value(0.95)


@pytest.mark.parametrize(("part", "whole"), [(0, 1), (0, 20), (1, 29), (15, 148), (10, 10), (81, 263), (5_000, 10_000)])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_wilson_is_that_of_scipy(part, whole, level):
    wanted = binomtest(part, whole).proportion_ci(level, method="wilson")
    assert wilson(part, whole, critical_value(level)) == pytest.approx((wanted.low, wanted.high), abs=1e-12)


def test_wilson_is_undefined_for_no_rows():
    assert wilson(0, 0, Z) == pytest.approx((float("nan"), float("nan")), nan_ok=True)


# Newcombe 1998, Statistics in Medicine 17, table III, method 10; (both, only a, only b, neither), a - b there.
@pytest.mark.parametrize(
    ("cells", "low", "high"),
    [((36, 12, 2, 0), 0.0569, 0.3404), ((36, 14, 0, 0), 0.1528, 0.4167)],
)
def test_paired_difference_is_newcombes_published_one(cells, low, high):
    found = paired_difference(*cells, Z)
    assert (-found.high, -found.low) == pytest.approx((low, high), abs=6e-5)


def test_paired_difference_turns_with_the_models():
    there, back = paired_difference(30, 12, 5, 8, Z), paired_difference(30, 5, 12, 8, Z)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))


@pytest.mark.parametrize("part", [1, 1 / 11, 0.1, 0.3])
def test_paired_difference_is_known_without_common_rows(part):
    """Rows of weights are parts of rows, by which the correlation may end a little below -1."""
    for only_a, only_b in ((15, 12), (12, 6), (3, 1)):
        bounds = paired_difference(0, only_a * part, only_b * part, 0, Z)
        assert -1 <= bounds.low < (only_b - only_a) / (only_a + only_b) < bounds.high <= 1


# Newcombe 1998, Statistics in Medicine 17, page 873: 56/70 less 48/80, his method 10 of two samples
def test_two_samples_give_newcombes_published_interval():
    found = square_and_add(48 / 80, wilson(48, 80, Z), 56 / 70, wilson(56, 70, Z))
    assert found == pytest.approx((0.0524, 0.3339), abs=6e-5)


def test_the_correlation_narrows_a_difference():
    ends = Bounds(0.7, 0.9)
    wide, narrow = (square_and_add(0.8, ends, 0.8, ends, at) for at in (0.0, 0.9))
    assert narrow.high - narrow.low < (wide.high - wide.low) / 3


def test_critical_values_are_normal_or_students():
    assert [critical_value(level) for level in (0.8, 0.9, 0.95, 0.99)] == ndtri([0.9, 0.95, 0.975, 0.995]).tolist()
    assert critical_value(0.95, 5) == pytest.approx(2.7764, abs=1e-4)  # any table of t with 4 degrees
    assert critical_value(0.95, 100_000) == pytest.approx(Z, abs=1e-4)


def test_difference_to_an_unknown_share_has_no_interval():
    found = square_and_add(0.5, NO_BOUNDS, 0.75, Bounds(0.4, 0.9))
    assert math.isnan(found.low) and math.isnan(found.high)


@pytest.mark.parametrize("correlation", [0.0, 0.5, 1.0])
def test_ends_without_limit_leave_the_difference_one(correlation):
    """A loss of which nothing is known has no upper end; the difference keeps the end that is known."""
    found = square_and_add(0.5, Bounds(0.4, 0.7), 1.0, Bounds(0.0, math.inf), correlation)
    assert math.isfinite(found.low) and found.high == math.inf
    large = square_and_add(0.0, Bounds(-3e200, 3e200), 0.0, Bounds(-4e200, 4e200))
    assert large == pytest.approx((-5e200, 5e200))
