"""The small ROC curve: the same line with fewer points."""

import re

import numpy as np
import pytest

from charts.one_vs_rest import HEIGHT, POINTS, WIDTH, small_curve, small_roc_svg
from metrics.scores.curves import roc_auc, roc_curve, score_counts


def counts(n=5000, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.3
    return score_counts(truth, rng.normal(size=n) + truth)


def drawn(svg):
    """The line of the curve as shares of both axes."""
    [line] = re.findall(r'd="M([^"]+)"[^>]+stroke-width="2"', svg)
    x, y = np.array([point.split() for point in line.split("L")], dtype=float).T
    return (x - 4) / (WIDTH - 8), (HEIGHT - 4 - y) / (HEIGHT - 8)


def test_curve_has_both_corners_and_few_points():
    found = counts()
    x, y = drawn(small_roc_svg(small_curve(roc_curve(found))))
    assert len(x) <= POINTS and (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)
    full = roc_curve(found)
    up, across = np.interp(full.fpr, x, y) - full.tpr, np.interp(full.tpr, y, x) - full.fpr
    assert np.minimum(np.abs(up), np.abs(across)).max() < 0.008  # a pixel of so small a picture
    assert np.trapezoid(y, x) == pytest.approx(roc_auc(found), abs=0.002)


def test_one_sided_class_draws_no_curve():
    svg = small_roc_svg(small_curve(roc_curve(score_counts(np.ones(3, dtype=bool), np.arange(3.0)))))
    assert svg.count("<path") == 2 and "nan" not in svg
