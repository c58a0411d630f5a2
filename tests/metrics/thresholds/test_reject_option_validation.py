"""Cross-fitting a band on the counts, against cross-fitting it on the rows, and against rows drawn anew."""

import numpy as np
import pytest

from metrics.scores.curves import score_counts
from metrics.thresholds.cross_validation import RowWeights
from metrics.thresholds.reject_option import band_at, best_band, fitted_band
from tests.metrics.noise import noise, rows_in_folds


def by_rows(y_true, y_score, coverage, folds, repeats, seed, weights=None):
    """The same, row by row: accuracy and coverage on the rows held out."""
    accuracy, covered = [], []
    rows = y_true, y_score
    w = np.ones(len(y_true), int) if weights is None else weights[np.argsort(-y_score, kind="stable")]
    for y_true, y_score, fold in rows_in_folds(*rows, folds, repeats, seed):
        right = decided = 0
        for held in range(folds):
            out = fold == held
            band = best_band(score_counts(y_true[~out], y_score[~out], w[~out]), coverage)
            called, left = y_score[out] >= band.high, y_score[out] < band.low
            right += w[out][(called & y_true[out]) | (left & ~y_true[out])].sum()
            decided += w[out][called | left].sum()
        accuracy.append(right / decided)
        covered.append(decided / w.sum())
    return np.mean(accuracy), np.mean(covered)


@pytest.mark.parametrize("coverage", [0.3, 0.8, 1.0])
@pytest.mark.parametrize("digits", [12, 1])
def test_the_counts_give_what_the_rows_give(coverage, digits):
    y_true, y_score = noise(300, 1, shift=0.8, digits=digits)
    found = fitted_band(score_counts(y_true, y_score), coverage, folds=4, repeats=3, seed=5)
    assert (found.accuracy, found.coverage) == pytest.approx(by_rows(y_true, y_score, coverage, 4, 3, 5), abs=1e-12)
    assert found.apparent == best_band(score_counts(y_true, y_score), coverage).accuracy
    assert (found.folds, found.repeats, found.seed) == (4, 3, 5)


def test_weights_count_in_every_fold():
    y_true, y_score = noise(200, 2, shift=0.8, digits=1)
    weights = np.random.default_rng(3).integers(1, 50, 200)
    order = np.argsort(-y_score, kind="stable")
    given = RowWeights(*(weights[order][y_true[order] == side] for side in (True, False)), unit=0.25)
    found = fitted_band(score_counts(y_true, y_score), 0.7, weights=given, folds=4, repeats=3, seed=5)
    assert (found.accuracy, found.coverage) == pytest.approx(by_rows(y_true, y_score, 0.7, 4, 3, 5, weights), abs=1e-12)
    assert found.apparent == best_band(score_counts(y_true, y_score, weights), 0.7).accuracy


def test_estimate_equals_the_worth_on_new_rows():
    new = score_counts(*noise(200_000, 99, shift=0.8))
    said, there = [], []
    for seed in range(40):
        counts = score_counts(*noise(120, seed, shift=0.8))
        band = best_band(counts, 0.6)
        said.append(fitted_band(counts, 0.6, repeats=4))
        there.append(band_at(new, band.low, band.high).accuracy)
    assert np.mean([one.apparent for one in said]) > np.mean(there) + 0.01
    assert np.mean([one.accuracy for one in said]) == pytest.approx(np.mean(there), abs=0.012)


@pytest.mark.parametrize(("y_true", "folds"), [([True, False], 1), ([True] * 9, 0), ([], 0)])
def test_too_few_rows_of_a_class_are_undefined(y_true, folds):
    found = fitted_band(score_counts(np.array(y_true, bool), np.arange(len(y_true), dtype=float)), 0.5)
    assert np.isnan(found.accuracy) and np.isnan(found.coverage) and found.folds == folds


def test_at_a_million_rows_they_are_dealt_once():
    counts = score_counts(*noise(1_000_000, 0, shift=0.8, digits=3))
    assert fitted_band(counts, 0.9).repeats == 1
