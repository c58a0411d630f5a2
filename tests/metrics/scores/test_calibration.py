"""Errors of calibration against slow loops, scikit-learn, and the figures over the rows themselves."""

import numpy as np
import pytest
import sklearn.metrics as oracle
from hypothesis import given, strategies as st

from metrics.catalogue.registry import REGISTRY
from metrics.scores import calibration
from metrics.scores.curves import score_counts
from metrics.scores.reliability import reliability

BY = ("mass", "width")
LOG_LOSS, BRIER = (REGISTRY["binary", key].function for key in ("log_loss", "brier"))
"""Of the rows themselves."""


@st.composite
def rows(draw):
    """Truths and probabilities, a good part of them tied."""
    n, digits = draw(st.integers(1, 60)), draw(st.sampled_from([1, 2, 12]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return rng.random(n) < draw(st.floats(0, 1)), rng.random(n).round(digits)


def calibrated(n, seed):
    rng = np.random.default_rng(seed)
    score = rng.beta(2, 3, n)
    return rng.random(n) < score, score


@given(rows(), st.integers(1, 15), st.sampled_from(BY))
def test_calibration_errors_equal_a_loop(given_rows, bins, by):
    y_true, score = given_rows
    found = reliability(score_counts(y_true, score), bins=bins, by=by)
    gaps = []
    for low, high in zip(found.score_low, found.score_high, strict=True):
        inside = (score >= low) & (score <= high)
        if inside.any():
            gaps += [abs(score[inside].mean() - y_true[inside].mean())] * int(inside.sum())
    assert calibration.expected_calibration_error(found) == pytest.approx(np.mean(gaps), abs=1e-12)
    assert calibration.maximum_calibration_error(found) == pytest.approx(max(gaps), abs=1e-12)


@given(rows(), st.integers(1, 15), st.sampled_from(BY))
def test_brier_parts_add_up(given_rows, bins, by):
    y_true, score = given_rows
    counts = score_counts(y_true, score)
    parts = calibration.brier_decomposition(reliability(counts, bins=bins, by=by))
    assert parts.brier == pytest.approx(np.mean((score - y_true) ** 2), abs=1e-12)
    assert parts.brier == pytest.approx(calibration.brier_score(counts), abs=1e-12)
    assert min(parts.reliability, parts.resolution, parts.uncertainty, parts.within_variance) >= -1e-15


def test_murphys_parts_hold_for_single_score_bins():
    y_true, score = np.array([1, 0, 1, 1, 0, 0, 0, 1], bool), np.array([0.8, 0.8, 0.8, 0.8, 0.3, 0.3, 0.3, 0.3])
    parts = calibration.brier_decomposition(reliability(score_counts(y_true, score), bins=2))
    # by hand: shares 3/4 and 1/4 of four rows each, 1/2 of all
    assert parts.reliability == pytest.approx((0.05**2 + 0.05**2) / 2)
    assert parts.resolution == pytest.approx(0.25**2)
    assert parts.uncertainty == pytest.approx(0.25)
    assert parts.within_bins == pytest.approx(0, abs=1e-15)


@given(rows())
def test_losses_of_counts_equal_scikit_learn(given_rows):
    y_true, score = given_rows
    counts = score_counts(y_true, score)
    expected = oracle.log_loss(y_true, score, labels=[False, True])
    assert calibration.log_loss(counts) == pytest.approx(expected, abs=1e-12)
    assert calibration.log_loss(counts) == pytest.approx(LOG_LOSS(y_true, score), abs=1e-12)
    assert calibration.brier_score(counts) == pytest.approx(BRIER(y_true, score), abs=1e-12)
    if len(set(y_true)) == 2:
        assert calibration.brier_score(counts) == pytest.approx(oracle.brier_score_loss(y_true, score), abs=1e-12)


@given(rows(), st.floats(0.1, 400))
def test_logits_cost_what_they_cost_row_by_row(given_rows, steep):
    y_true, score = given_rows
    logit = (score - 0.5) * steep
    counts = score_counts(y_true, logit)
    assert calibration.log_loss(counts, from_logits=True) == pytest.approx(LOG_LOSS(y_true, logit, from_logits=True))
    assert calibration.brier_score(counts, from_logits=True) == pytest.approx(BRIER(y_true, logit, from_logits=True))


def test_infinite_logit_costs_nothing_or_everything():
    right = score_counts(np.array([True, False]), np.array([np.inf, -np.inf]))
    assert calibration.log_loss(right, from_logits=True) == 0
    assert calibration.log_loss(score_counts(np.array([False]), np.array([np.inf])), from_logits=True) == np.inf


def test_log_loss_of_share_is_a_constants():
    y_true = np.arange(100) < 23
    expected = oracle.log_loss(y_true, np.full(100, 0.23))
    assert calibration.log_loss_of_share(score_counts(y_true, np.linspace(0, 1, 100))) == pytest.approx(expected)
    assert calibration.log_loss_of_share(score_counts(np.ones(3, bool), np.zeros(3))) == 0


@pytest.mark.parametrize("score", [[], [np.nan], [1.5]])
def test_without_probabilities_everything_is_undefined(score):
    counts = score_counts(np.ones(len(score), bool), np.array(score, float))
    found = reliability(counts)
    figures = [
        calibration.expected_calibration_error(found),
        calibration.maximum_calibration_error(found),
        calibration.error_by_chance(found),
        calibration.brier_score(counts),
        calibration.log_loss(counts),
        *calibration.brier_decomposition(found),
    ]
    assert np.isnan(figures).all()
    assert calibration.clearest_gap(found) is None


def test_chance_error_matches_calibrated_scores():
    errors, expected = [], []
    for seed in range(200):
        found = reliability(score_counts(*calibrated(500, seed)))
        errors.append(calibration.expected_calibration_error(found))
        expected.append(calibration.error_by_chance(found))
    assert np.mean(errors) == pytest.approx(np.mean(expected), rel=0.03)


def test_clearest_gap_is_no_small_bin():
    score = np.concatenate([np.full(400, 0.2), np.full(400, 0.8), [0.95, 0.95]])
    y_true = np.concatenate([np.arange(400) < 80, np.arange(400) < 200, [False, False]])
    found = reliability(score_counts(y_true, score), by="width")
    assert calibration.clearest_gap(found) == 8  # 0.8 to 0.9, right half of the time
    assert calibration.maximum_calibration_error(found) == pytest.approx(0.95)


def test_calibrated_scores_have_no_clear_gap():
    score = np.repeat([0.1, 0.5, 0.9], 100)
    y_true = np.concatenate([np.arange(100) < k for k in (10, 50, 90)])
    assert calibration.clearest_gap(reliability(score_counts(y_true, score), by="width")) is None


def test_confidence_curve_is_accuracy_above():
    rng = np.random.default_rng(0)
    sure = rng.random(300).round(2)
    right = rng.random(300) < sure
    curve = calibration.confidence_curve(score_counts(right, sure))
    for coverage, accuracy, threshold in zip(*curve, strict=True):
        kept = sure >= threshold
        assert (coverage, accuracy) == (pytest.approx(kept.mean()), pytest.approx(right[kept].mean()))
    assert curve.coverage[-1] == 1 and curve.accuracy[-1] == pytest.approx(right.mean())
