"""The convex hull of a ROC curve, against a walk over every pair of points and the costs it is there for."""

import numpy as np
from hypothesis import given, strategies as st

from metrics.scores.curves import score_counts, separating_thresholds
from metrics.thresholds.roc_hull import upper_hull

STEP = st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(any)  # every distinct score has a row


@st.composite
def staircases(draw):
    steps = draw(st.lists(STEP, min_size=0, max_size=40))
    fp, tp = np.cumsum(np.array([(0, 0), *steps], np.int64), axis=0).T
    return fp, tp


def is_corner(points, place):
    """Return whether no line from a point before to a point after passes through this one or above it."""
    x, y = points[place]
    return not any(
        (y - y0) * (x1 - x) <= (y1 - y) * (x - x0) for x0, y0 in points[:place] for x1, y1 in points[place + 1 :]
    )


@given(staircases())
def test_corners_lie_under_no_line(curve):
    fp, tp = curve
    points = list(zip(fp.tolist(), tp.tolist(), strict=True))
    assert upper_hull(fp, tp).tolist() == [place for place in range(len(points)) if is_corner(points, place)]


@given(staircases())
def test_hull_sides_grow_flatter(curve):
    fp, tp = curve
    hull = upper_hull(fp, tp)
    assert hull[0] == 0 and (fp[hull[-1]], tp[hull[-1]]) == (fp[-1], tp[-1])
    side_fp, side_tp = np.diff(fp[hull]), np.diff(tp[hull])
    assert (side_tp[:-1] * side_fp[1:] > side_tp[1:] * side_fp[:-1]).all()


def test_million_scores_have_the_hull_of_costs():
    random = np.random.default_rng(0)
    y_true = random.random(200_000) < 0.3
    counts = score_counts(y_true, random.normal(size=200_000) + y_true)
    hull = upper_hull(counts.fp, counts.tp)
    assert len(hull) < 500
    for slope in np.geomspace(0.01, 100, 50):
        assert (counts.tp - slope * counts.fp)[hull].max() == (counts.tp - slope * counts.fp).max()


def test_inverted_curve_leaves_its_two_ends():
    along = np.arange(2000, dtype=np.int64)
    assert upper_hull(along, along**2).tolist() == [0, 1999]


def test_a_perfect_arc_is_all_corners():
    along = np.arange(500, dtype=np.int64)
    assert len(upper_hull(along, along * 1000 - along**2)) == 500


def test_threshold_above_infinity_cannot_be_reached():
    counts = score_counts(np.array([True, False]), np.array([np.inf, 0.5]))
    assert separating_thresholds(counts)[0].tolist() == [np.inf, 0.5]
    assert separating_thresholds(counts)[1].tolist() == [1, 1]
