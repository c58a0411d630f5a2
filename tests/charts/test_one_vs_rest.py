"""The small ROC curve: the same line with fewer points, its number and interval in words."""

import numpy as np
import pytest

from charts.one_vs_rest import POINTS, small_curve, small_roc_figure
from metrics.scores.curves import roc_auc, roc_curve, score_counts


def counts(n=5000, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.3
    return score_counts(truth, rng.normal(size=n) + truth)


def drawn(fig):
    return fig.data[1]


def test_it_draws_the_curve_from_corner_to_corner_with_few_points():
    found = counts()
    line = drawn(small_roc_figure(small_curve(roc_curve(found)), auc=roc_auc(found), low=0.7, high=0.8))
    assert len(line.x) <= POINTS and (line.x[0], line.y[0], line.x[-1], line.y[-1]) == (0, 0, 1, 1)
    full = roc_curve(found)
    up, across = np.interp(full.fpr, line.x, line.y) - full.tpr, np.interp(full.tpr, line.y, line.x) - full.fpr
    assert np.minimum(np.abs(up), np.abs(across)).max() < 0.008  # a pixel of so small a picture
    assert np.trapezoid(line.y, line.x) == pytest.approx(roc_auc(found), abs=0.002)


def test_auc_and_interval_stand_in_the_title_and_an_interval_that_is_not_there_is_said():
    thinned = small_curve(roc_curve(counts()))
    assert small_roc_figure(thinned, auc=0.7654, low=0.71, high=0.82).layout.title.text == "AUC 0.765 (0.710 to 0.820)"
    assert "no interval" in small_roc_figure(thinned, auc=1.0, low=np.nan, high=np.nan).layout.title.text


def test_hovering_shows_the_threshold_and_the_end_where_nothing_is_positive_is_named():
    line = drawn(small_roc_figure(small_curve(roc_curve(counts(20))), auc=0.5, low=0.4, high=0.6))
    assert line.customdata[0] == "above every score" and float(line.customdata[1])
    assert "threshold %{customdata}" in line.hovertemplate


def test_a_class_without_rows_on_both_sides_says_so_and_draws_nothing():
    empty = score_counts(np.ones(3, dtype=bool), np.arange(3.0))
    fig = small_roc_figure(small_curve(roc_curve(empty)), auc=np.nan, low=np.nan, high=np.nan)
    said = fig.layout.annotations[0].text.replace("<br>", " ")
    assert not fig.data and "rows of the class and rows of the rest" in said
