"""Numbers of binned scores with their bounds; lines that stand for many rows count like these rows."""

import numpy as np
import pytest

from metrics.catalogue.registry import with_influence
from metrics.scores.binning import bins_of, error_bounds
from metrics.scores.calibration import expected_calibration_error, maximum_calibration_error
from metrics.scores.calibration_binning import calibration_bounds
from metrics.scores.curves import average_precision, roc_auc, score_counts
from metrics.scores.probabilities import read_probabilities
from metrics.scores.reliability import reliability
from metrics.thresholds.threshold_metrics import rates_at

ROWS = with_influence("probabilities")
LOSSES = {key: row.function for key, row in ROWS.items()}


def random_lines(rng, n=60):
    score = np.round(rng.random(n), rng.integers(1, 4))
    score[rng.random(n) < 0.1] = np.nan
    return rng.random(n) < rng.random(), score, rng.integers(0, 6, n)


@pytest.mark.parametrize("seed", range(20))
def test_weighted_lines_equal_repeated_rows(seed):
    y, score, weights = random_lines(np.random.default_rng(seed))
    rows, lines = score_counts(np.repeat(y, weights), np.repeat(score, weights)), score_counts(y, score, weights)
    for one, other in zip(rows, lines, strict=True):
        assert np.array_equal(one, other)
    for loss in LOSSES.values():
        for logits in (False, True):
            expected = loss(np.repeat(y, weights), np.repeat(score, weights), from_logits=logits)
            assert loss(y, score, from_logits=logits, weights=weights) == pytest.approx(expected, nan_ok=True)
    once = read_probabilities(np.repeat(y, weights), np.repeat(score, weights))
    found = read_probabilities(y, score, weights=weights)
    for row in ROWS.values():
        one, other = row.statistic(once), row.statistic(found)
        assert one.value == pytest.approx(other.value, nan_ok=True)
        assert one.influence == pytest.approx(np.repeat(other.influence, weights))


def numbers(y, score, logits):
    counts = score_counts(y, score)
    losses = [loss(y, score, from_logits=logits) for loss in LOSSES.values()]
    return roc_auc(counts), average_precision(counts), *losses


@pytest.mark.parametrize("seed", range(60))
def test_exact_numbers_lie_inside_the_bounds(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 300))
    digits = int(rng.integers(1, 6))
    logits = bool(rng.random() < 0.3)
    score = np.round(rng.normal(size=n) if logits else rng.beta(*rng.uniform(0.3, 3, 2), n), digits)
    y = rng.random(n) < rng.choice([0.02, 0.5, rng.random()])
    edges = np.sort(rng.choice(score, int(rng.integers(1, 12))))
    place = np.searchsorted(edges, score, side="right")
    low, high = (np.array([end(score[place == i]) for i in place]) for end in (np.min, np.max))
    bounds = error_bounds(y, low, high, np.ones(n, int), from_logits=logits, losses=LOSSES)
    names = [bounds[key] for key in ("roc_auc", "average_precision", *LOSSES)]
    for exact, binned, bound in zip(numbers(y, score, logits), numbers(y, low, logits), names, strict=True):
        assert np.isnan(exact) == np.isnan(binned) == np.isnan(bound)
        assert np.isnan(exact) or abs(exact - binned) <= bound
    exact, binned = score_counts(y, score), score_counts(y, low)
    for threshold in (*score, *(score + 1e-7)):
        one, other = rates_at(exact, threshold), rates_at(binned, threshold)
        for rate, bound in (("recall", bounds["recall"]), ("fpr", bounds["fpr"])):
            pair = getattr(one, rate), getattr(other, rate)
            assert np.isnan(bound) == np.isnan(pair[0])
            assert np.isnan(bound) or abs(pair[0] - pair[1]) <= bound + 1e-12


@pytest.mark.parametrize("seed", range(120))
def test_exact_calibration_errors_lie_inside_the_bounds(seed):
    rng = np.random.default_rng(seed)
    n, logits = int(rng.integers(1, 400)), bool(rng.random() < 0.3)
    score = rng.normal(size=n) if logits else rng.beta(*rng.uniform(0.3, 3, 2), n)
    score = np.round(score, int(rng.integers(1, 6)))
    y = rng.random(n) < rng.choice([0.02, 0.5, rng.random()])
    edges = np.sort(rng.choice(score, int(rng.integers(1, 60))))
    place = np.searchsorted(edges, score, side="right")
    low, high = (np.array([end(score[place == i]) for i in place]) for end in (np.min, np.max))
    lines = bins_of(y, low, high, np.ones(n, int))
    for by in ("mass", "width"):
        for bins in (2, 5, 10, 40):
            bounds = calibration_bounds(lines, bins=bins, by=by, from_logits=logits)
            exact, binned = (
                reliability(score_counts(y, of), bins=bins, by=by, from_logits=logits) for of in (score, low)
            )
            for error, bound in zip((expected_calibration_error, maximum_calibration_error), bounds, strict=True):
                assert abs(error(exact) - error(binned)) <= bound, (by, bins, error)


def test_exact_scores_have_no_error():
    y, score = np.array([True, False, True]), np.array([0.2, 0.2, 0.7])
    found = error_bounds(y, score, score, np.array([5, 6, 7]), losses=LOSSES)
    assert max(found.values()) <= 1e-11
    lines = bins_of(y, score, score, np.array([5, 6, 7]))
    assert all(max(calibration_bounds(lines, bins=bins, by=by)) <= 1e-11 for bins in (2, 9) for by in ("mass", "width"))
