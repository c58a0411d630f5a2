"""Test what the lab's page may send, and what it is told."""

import numpy as np
import pytest

from charts.lab import bars
from data.rows.selection import ScoreRange, Which, find_rows
from metrics.scores.curves import score_counts
from ui.thresholds.lab import bar_range, read_click, read_release
from ui.view import cache

COUNTS = score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.4]))


@pytest.mark.parametrize("threshold", [0.1 + 0.2, 5e-324, -1e300, float("inf")])
def test_a_threshold_arrives_to_the_last_digit(threshold):
    text = "Infinity" if threshold == float("inf") else repr(threshold)  # as JavaScript writes a double
    assert read_release({"t": text, "low": None}) == (threshold, None)


@pytest.mark.parametrize(
    "value",
    [None, 3, "0.5", [], {}, {"t": 0.5}, {"t": None}, {"t": "nan"}, {"t": "0.5x"}, {"t": "0" * 50}, {"t": {"a": 1}},
     {"t": "0.2", "low": "0.3"}, {"t": "0.2", "low": "nan"}, {"t": "0.2", "low": 0.1}],
)  # fmt: skip
def test_a_release_that_is_none_changes_nothing(value):
    assert read_release(value) is None


@pytest.mark.parametrize("side", ["fn", "fp", "tp", "tn"])
def test_a_click_on_a_count_names_it(side):
    assert read_click({"side": side}, COUNTS, 1) == side


@pytest.mark.parametrize(
    "value", [None, "fn", {}, {"side": "all"}, {"side": ["fn"]}, {"bar": -1}, {"bar": 40}, {"bar": True}, {"bar": "3"}]
)
def test_a_click_that_is_none_changes_nothing(value):
    assert read_click(value, COUNTS, 1) is None


def test_bars_hold_all_rows_of_the_histogram(evaluation):
    code = evaluation.score_codes[-1]
    scores = cache.scores(evaluation, code)
    histogram = bars(scores)
    found = [find_rows(evaluation, Which(score=read_click({"bar": bar}, scores, code))) for bar in range(40)]
    assert [len(rows) for rows in found] == (histogram.positives + histogram.negatives).tolist()
    assert len(np.unique(np.concatenate(found))) == scores.n


def test_outermost_bars_hold_scores_beyond_edges():
    counts = score_counts(np.array([True, False]), np.array([0.5, 0.5]))  # the axis is 0 to 1
    assert bar_range(counts, 0, 0) == ScoreRange(0, 0.0, 0.025)
    lone = score_counts(np.array([True, False]), np.array([7.0, 7.0]))
    holding = [bar for bar in range(40) if (span := bar_range(lone, 0, bar)).low <= 7.0 < span.high]
    assert len(holding) == 1
