"""The rows that a plan asks for do show the difference as often as its power says."""

import math

import numpy as np
import pytest

from metrics.comparison.flips import mcnemar
from metrics.comparison.planning import paired_rows, plan, smallest_difference, unpaired_rows


def test_planned_rows_have_their_power():
    n = math.ceil(paired_rows(0.06, 0.2))
    random = np.random.default_rng(0)
    drawn = random.multinomial(n, [0.13, 0.07, 0.8], size=2000)
    found = np.mean([mcnemar(int(fixed), int(broken)).mid_p < 0.05 for fixed, broken, _ in drawn])
    assert 0.77 < found < 0.83


def test_the_smallest_difference_is_the_plan_turned_around():
    for n in (100, 1_000, 50_000):
        smallest = smallest_difference(n, 0.25)
        assert paired_rows(smallest, 0.25) == pytest.approx(n, rel=1e-6)


def test_impossible_differences_are_undefined():
    assert math.isnan(paired_rows(0.3, 0.2)) and math.isnan(paired_rows(0.0, 0.2))
    assert math.isnan(smallest_difference(0, 0.2)) and math.isnan(smallest_difference(100, 0.0))
    assert math.isnan(smallest_difference(3, 0.01)) and math.isnan(unpaired_rows(0.5, 0.5))


def test_less_disagreement_needs_fewer_rows():
    found = [plan(0.85, 0.02, disagreement=share).paired for share in (0.05, 0.1, 0.2)]
    assert found == sorted(found)
    assert plan(0.85, 0.02).unpaired == plan(0.85, 0.02, disagreement=0.05).unpaired
