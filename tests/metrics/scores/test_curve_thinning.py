"""A thinned curve draws the same line with fewer points, and says how many."""

import numpy as np
import pytest

from metrics.scores.curve_thinning import thin
from metrics.scores.curves import RocCurve, precision_recall_curve, roc_curve, score_counts


@pytest.fixture(scope="module")
def counts():
    rng = np.random.default_rng(2)
    y_true = rng.random(200_000) < 0.01
    return score_counts(y_true, rng.normal(size=200_000) + 2 * y_true)


def test_kept_line_stays_within_a_pixel(counts):
    curve = roc_curve(counts)
    thinned = thin(curve, 500)
    # along fpr + tpr both coordinates are functions, even where the curve is vertical
    drawn_at, asked_at = thinned.curve.fpr + thinned.curve.tpr, curve.fpr + curve.tpr
    assert abs(np.interp(asked_at, drawn_at, thinned.curve.fpr) - curve.fpr).max() < 1e-3
    assert abs(np.interp(asked_at, drawn_at, thinned.curve.tpr) - curve.tpr).max() < 1e-3


def test_it_says_how_many_points_of_how_many(counts):
    thinned = thin(roc_curve(counts), 500)
    assert thinned.shown == len(thinned.curve.fpr) == 500
    assert thinned.total == 200_001


@pytest.mark.parametrize("make", [roc_curve, precision_recall_curve])
def test_kept_points_are_curve_points(counts, make):
    curve = make(counts)
    kept = thin(curve, 50).curve
    place = len(curve.threshold) - np.searchsorted(curve.threshold[::-1], kept.threshold, side="right")
    assert place[0] == 0 and place[-1] == len(curve.threshold) - 1
    assert (np.diff(place) > 0).all()
    for whole, part in zip(curve, kept, strict=True):
        np.testing.assert_array_equal(np.asarray(whole)[place], part)


def test_the_corner_of_a_perfect_classifier_is_kept():
    counts = score_counts(np.arange(5000) >= 2500, np.arange(5000.0))
    thinned = thin(roc_curve(counts), 3)
    assert list(zip(thinned.curve.fpr, thinned.curve.tpr, strict=True)) == [(0, 0), (0, 1), (1, 1)]


def test_a_staircase_keeps_all_of_its_corners():
    steps = np.repeat(np.arange(11.0), 100)
    stairs = RocCurve(np.arange(1100.0) / 1099, steps / 10, -np.arange(1100.0))
    kept = thin(stairs, 30).curve
    assert set(range(100, 1100, 100)) <= set((-kept.threshold).astype(int))
    assert set(range(99, 1099, 100)) <= set((-kept.threshold).astype(int))


def test_straight_line_needs_only_its_ends():
    line = RocCurve(np.linspace(0, 1, 5000), np.linspace(0, 1, 5000), np.linspace(1, 0, 5000))
    assert thin(line, 100).shown == 2


def test_a_short_curve_comes_back_as_it_is():
    curve = roc_curve(score_counts(np.array([True, False]), np.array([0.6, 0.2])))
    thinned = thin(curve, 10)
    assert thinned.curve is curve and thinned.shown == thinned.total == 3


def test_undefined_and_infinite_values_do_not_matter():
    curve = RocCurve(
        np.full(3000, np.nan), np.sqrt(np.linspace(0, 1, 3000)), np.append(np.inf, np.arange(2999.0)[::-1])
    )
    kept = thin(curve, 10).curve
    assert kept.tpr[0] == 0 and kept.tpr[-1] == 1
    infinite = thin(
        roc_curve(score_counts(np.ones(3000, bool), np.append(np.arange(2998.0), [np.inf, -np.inf]))), 10
    ).curve
    assert infinite.threshold[0] == np.inf and infinite.threshold[-1] == -np.inf


def test_fewer_points_than_two_ends_are_refused(counts):
    with pytest.raises(ValueError, match="two ends"):
        thin(roc_curve(counts), 1)
