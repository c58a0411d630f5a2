"""The histogram of scores, against numpy's."""

import warnings

import numpy as np
from hypothesis import given, strategies as st

from metrics.scores.curves import score_counts
from metrics.scores.score_histogram import score_histogram
from tests.metrics.thresholds.test_threshold_metrics import scored_rows


@given(scored_rows(), st.integers(1, 12))
def test_the_histogram_is_numpys(rows, bins):
    y_true, y_score = rows
    found = score_histogram(score_counts(y_true, y_score), bins)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert found.positives.tolist() == np.histogram(y_score[y_true], found.edges)[0].tolist()
        assert found.negatives.tolist() == np.histogram(y_score[~y_true], found.edges)[0].tolist()
    assert found.positives.sum() + found.negatives.sum() == len(y_true)


def test_scores_are_shown_over_their_own_span():
    truth = np.array([True, False, True])
    assert score_histogram(score_counts(truth, np.array([0.4, 0.5, 0.6])), 2).edges.tolist() == [0, 0.5, 1]
    assert score_histogram(score_counts(truth, np.array([-1.0, 0.0, 3.0])), 2).edges.tolist() == [-1, 1, 3]
    assert score_histogram(score_counts(truth, np.full(3, 7.0)), 2).edges.tolist() == [6.5, 7, 7.5]


def test_infinite_scores_are_in_the_outermost_bins():
    truth, score = np.array([True, False, True, False]), np.array([np.inf, -np.inf, np.nan, 2.0])
    found = score_histogram(score_counts(truth, np.append(score[:3], 2.0)), 2)
    assert (found.positives.tolist(), found.negatives.tolist(), found.n_without_score) == ([0, 1], [1, 1], 1)


def test_a_histogram_without_rows_is_empty():
    found = score_histogram(score_counts(np.array([], bool), np.array([])), 3)
    assert found.positives.tolist() == found.negatives.tolist() == [0, 0, 0]
