"""Feasible thresholds against trying every threshold by itself."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from metrics.scores.curves import score_counts
from metrics.thresholds.deployed.feasible import FLOORS, Limits, find_feasible
from metrics.thresholds.deployed.in_use import Place

PLACE = Place(0.1, 1_000, cost_fp=1, cost_fn=8)
rows = st.lists(st.tuples(st.booleans(), st.integers(0, 12).map(lambda n: n / 12)), min_size=2, max_size=24)
limits = st.builds(
    Limits,
    recall=st.none() | st.floats(0, 1), precision=st.none() | st.floats(0, 0.5),
    predicted=st.none() | st.floats(0, 1_000), cost=st.none() | st.floats(0, 1_500),
)  # fmt: skip


def tried(rows):
    """Every threshold with what it does in a day, from the definitions."""
    positives, negatives = ([score for is_true, score in rows if is_true == side] for side in (True, False))
    for threshold in sorted({math.inf, *(score for _, score in rows)}, reverse=True):
        recall, fpr = (np.mean([score >= threshold for score in side]) for side in (positives, negatives))
        found, alarms = 100 * recall, 900 * fpr
        precision = found / (found + alarms) if found + alarms else math.nan
        yield threshold, {
            "recall": recall, "precision": precision, "predicted": found + alarms, "cost": alarms + 8 * (100 - found),
        }  # fmt: skip


def holds(name, value, limit):
    return value >= limit - 1e-7 if name in FLOORS else value <= limit + 1e-7


@given(rows, limits)
def test_feasible_equals_every_threshold_tried(rows, limits):
    if len({is_true for is_true, _ in rows}) < 2:
        return
    every = list(tried(rows))
    wanted = [
        (threshold, day["cost"]) for threshold, day in every
        if all(holds(name, day[name], limit) for name, limit in limits.given.items())
    ]  # fmt: skip
    found = find_feasible(score_counts(*map(np.array, zip(*rows, strict=True))), PLACE, limits)
    inside = [threshold for threshold, _ in every if any(r.low <= threshold <= r.high for r in found.every)]
    assert inside == [threshold for threshold, _ in wanted]
    if wanted:
        least = min(cost for _, cost in wanted)
        assert found.threshold == max(threshold for threshold, cost in wanted if cost <= least + 1e-6)
        assert not found.loosened
    else:
        assert math.isnan(found.threshold)
        _check_ways_out(every, limits.given, found.loosened)


def _check_ways_out(every, limits, loosened):
    """The fewest limits give; one alone gives as little as it can, and is known there."""

    def rest(given):
        kept = set(limits) - set(given)
        days = [day for _, day in every if all(holds(name, day[name], limits[name]) for name in kept)]
        return [day for day in days if len(given) > 1 or not math.isnan(day[given[0]])]

    n = next(n for n in range(1, len(limits) + 1) if any(rest(names) for names in combinations(limits, n)))
    assert loosened and all(len(way.limits) == n for way in loosened)
    for way in loosened:
        days = rest([name for name, _, _ in way.limits])
        for name, wanted, reached in way.limits:
            assert wanted == limits[name]
            if n == 1:
                assert reached == pytest.approx((max if name in FLOORS else min)(day[name] for day in days))
                assert not holds(name, reached, wanted)


def test_limits_of_the_screening_example():
    """10 rows by hand: recall of 0.5 needs a threshold of 0.6 at most, two rows of ten need 0.8 at least."""
    y = np.array([1, 0, 1, 0, 0, 0, 0, 0, 0, 0], bool)
    counts = score_counts(y, np.array([0.6, 0.9, 0.5, 0.8, 0.7, 0.4, 0.3, 0.2, 0.1, 0.0]))
    found = find_feasible(counts, Place(0.2, 10), Limits(recall=0.5, predicted=2))
    assert found.every == () and found.each["recall"][0].high == 0.6 and found.each["predicted"][0].low == 0.8
    assert [way.limits for way in found.loosened] == [(("recall", 0.5, 0.0),), (("predicted", 2, pytest.approx(4)),)]
