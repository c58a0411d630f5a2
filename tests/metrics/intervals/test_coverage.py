"""Intervals hold the true value about as often as their level says; `scripts.measure_coverage` does more."""

import math

import numpy as np
import pytest

from metrics.intervals.joint_counts import Cells, Weighing
from metrics.intervals.statistic import interval, share_of_rows
from metrics.scores.curves import score_counts
from metrics.scores.reliability import reliability, weigh_bins
from scripts.measure_coverage import bin_coverage, coverage, fixed_coverage, weighted_coverage

FILES = 150


@pytest.fixture(scope="module")
def measured():
    return list(coverage(FILES, seed=5, population=200_000))


def test_intervals_cover_about_95_percent(measured):
    """Within three standard deviations of so many draws below 95 %, and of the clusters' own 1.5 %."""
    margin = 3 * math.sqrt(0.95 * 0.05 / FILES) + 0.015
    for one in measured:
        assert min(one.value, one.difference) >= 0.95 - margin, one


def test_intervals_are_not_always_right(measured):
    assert sum(one.value for one in measured) / len(measured) < 0.985


def test_intervals_of_weighted_rows_cover():
    margin = 3 * math.sqrt(0.95 * 0.05 / FILES)
    for one in weighted_coverage(FILES, sizes=(500,), population=200_000):
        assert all(share >= 0.935 - margin for pair in one.held.values() for share in pair), one


def test_bins_of_weighted_rows_cover_their_share():
    """Weights may follow the outcome: Kish's effective rows alone missed it in up to 73 % of the files of a bin."""
    for one in bin_coverage(100, n_settings=8, sizes=(1_500, 5_000), population=100_000, seed=4):
        margin = 3 * math.sqrt(0.95 * 0.05 / max(1, 1_000 * one.told))
        assert one.held >= 0.935 - margin and one.told <= 1, one


def test_weights_of_a_file_are_covered_or_grey():
    """The weights stay, who is right is drawn anew: the excess where weights follow it is stated, no shortfall is."""
    margin, n_files, told = 3.5 * math.sqrt(0.95 * 0.05 / 150), 150, 0
    for one in fixed_coverage(n_files, sizes=(800,), shares=(0.8,), seed=8):
        assert one.told < 0.5 or one.held >= 0.935 - margin, one
        assert one.heavier or one.told < 0.5 or one.held <= 0.965 + margin, one
        assert one.bin_told < 0.5 or one.bin_held >= 0.935 - margin, one
        told += one.told > 0.5
    assert 10 < told < 30, "some weights are grey, some are not"


def test_few_heavy_rows_are_grey():
    """Six of 300 rows weigh 50 times as much: bins held their share in 65 % of files."""
    weights = np.where(np.arange(300) < 6, 50, 1)
    rows, random = np.ones(300, np.int64), np.random.default_rng(0)
    cells = Cells(weights, None, 0, 0, weighing=Weighing.of_units(weights, rows))
    for _ in range(50):
        score = random.random(300)
        is_right = random.random(300) < score
        number = interval(share_of_rows(cells, is_right), cells)
        assert number.few_decide and number.too_few
        bins = reliability(score_counts(is_right, score, weights))
        squares = weights.astype(float) ** 2
        is_heavy = np.unique(np.searchsorted(bins.edges[1:-1], score[:6], side="right"))
        assert weigh_bins(bins, is_right, score, squares, rows, 1.0).is_few[is_heavy].all()
