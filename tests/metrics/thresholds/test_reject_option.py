"""Bands of rows left open, against counting rows and trying every pair of thresholds."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

from metrics.scores.curves import score_counts
from metrics.thresholds.reject_option import band_at, best_band, frontier, widest_below

SCORE = st.sampled_from([-np.inf, -1.0, 0.0, 0.25, 0.5, 0.75, 1.0, np.inf]) | st.floats(-2, 2)


@st.composite
def scored_rows(draw, min_size=1):
    n = draw(st.integers(min_size, 14))
    return draw(hnp.arrays(bool, n)), draw(hnp.arrays(np.float64, n, elements=SCORE))


def by_hand(y_true, y_score, low, high):
    positive, negative = y_score >= high, y_score < low
    open_ = ~positive & ~negative
    kinds = (
        positive & y_true,
        positive & ~y_true,
        negative & y_true,
        negative & ~y_true,
        open_ & y_true,
        open_ & ~y_true,
    )
    return tuple(int(kind.sum()) for kind in kinds)


def pairs(y_score):
    every = sorted({np.inf, *y_score.tolist()})
    return [(low, high) for high in every for low in every if low <= high]


@given(scored_rows(), st.floats(-3, 3), st.floats(-3, 3))
def test_band_counts_rows_above_between_and_below(rows, a, b):
    low, high = min(a, b), max(a, b)
    found = band_at(score_counts(*rows), low, high)
    assert found[2:] == by_hand(*rows, low, high)
    assert found.decided + found.n_open == len(rows[0])


@given(scored_rows(), st.sampled_from([0.0, 0.2, 0.5, 0.71, 0.9, 1.0]))
def test_best_band_has_the_fewest_errors(rows, coverage):
    found = best_band(score_counts(*rows), coverage)
    assert found[2:] == by_hand(*rows, found.low, found.high) and found.low <= found.high
    tried = []
    for low, high in pairs(rows[1]):
        tp, fp, fn, tn, *_ = by_hand(*rows, low, high)
        if tp + fp + fn + tn >= coverage * len(rows[0]) - 1e-9:
            tried.append((fp + fn, -(tp + fp + fn + tn)))
    assert (found.fp + found.fn, -found.decided) == min(tried)


@given(scored_rows())
def test_no_pair_beats_a_corner_of_the_frontier(rows):
    y_true, y_score = rows
    best = frontier(score_counts(y_true, y_score))
    tried = [by_hand(y_true, y_score, low, high) for low, high in pairs(y_score)]
    for coverage, accuracy, low, high in zip(*best, strict=True):
        tp, fp, fn, tn, *_ = by_hand(y_true, y_score, low, high)
        decided = tp + fp + fn + tn
        assert low <= high and coverage == decided / len(y_true)
        assert (accuracy == (tp + tn) / decided) if decided else np.isnan(accuracy)
        assert not any(b + c < fp + fn for a, b, c, d, *_ in tried if a + b + c + d >= decided)


@given(scored_rows(), st.sampled_from([0.01, 0.1, 0.25, 0.4, 0.49]))
def test_cheapest_band_is_on_the_frontier(rows, price):
    y_true, y_score = rows
    counts = score_counts(y_true, y_score)

    def cost(low, high):
        _, fp, fn, _, *open_rows = by_hand(y_true, y_score, low, high)
        return fp + fn + price * sum(open_rows)

    best = frontier(counts)
    on_it = min(cost(low, high) for low, high in zip(best.low, best.high, strict=True))
    assert on_it == pytest.approx(min(cost(low, high) for low, high in pairs(y_score)), abs=1e-9)


def test_frontier_grows_to_every_row():
    random = np.random.default_rng(0)
    y_true = random.random(20_000) < 0.3
    best = frontier(score_counts(y_true, random.normal(size=20_000) + y_true))
    assert (np.diff(best.coverage) > 0).all() and best.coverage[-1] == 1.0
    assert best.low[-1] == best.high[-1]
    assert (best.high[1:] <= best.high[:-1]).all() and (best.low[1:] >= best.low[:-1]).all()
    errors = (1 - np.nan_to_num(best.accuracy)) * best.coverage
    slopes = np.diff(errors[1:]) / np.diff(best.coverage[1:])
    assert (np.diff(slopes) >= -1e-9).all()  # each further row brings more errors than the one before


@given(scored_rows(), st.floats(-2, 2), st.sampled_from([0.0, 0.3, 0.8, 1.0]))
def test_widest_band_leaves_the_allowed_rows_open(rows, high, coverage):
    y_true, y_score = rows
    found = widest_below(score_counts(y_true, y_score), high, coverage)
    assert found.high == high and found[2:] == by_hand(y_true, y_score, found.low, high)
    lower = [low for low in {*y_score.tolist(), high} if low <= high]
    allowed = [
        sum(by_hand(y_true, y_score, low, high)[4:])
        for low in lower
        if sum(by_hand(y_true, y_score, low, high)[4:]) <= (1 - coverage) * len(y_true) + 1e-9
    ]
    assert found.n_open == max(allowed)


def test_undefined_shares_are_not_zero():
    nothing = band_at(score_counts(np.array([True, False]), np.array([0.5, 0.4])), -1.0, 2.0)
    assert nothing.coverage == 0 and np.isnan([nothing.accuracy, nothing.precision, nothing.recall]).all()
    empty = score_counts(np.array([], bool), np.array([]))
    assert np.isnan(band_at(empty, 0.2, 0.5).coverage) and np.isnan(frontier(empty).coverage).all()


def test_lower_threshold_above_the_upper_is_refused():
    with pytest.raises(ValueError, match="above"):
        band_at(score_counts(np.array([True]), np.array([0.5])), 0.6, 0.5)
