"""Probabilities of several classes at other shares are those of Bayes' rule, row by row; EM is a plain loop."""

import numpy as np
import pytest

from metrics.thresholds.deployed.priors import estimate_priors, shift_priors


def drawn(shares, n=4_000, seed=0):
    """Rows of classes with these shares, and exact probabilities under equal shares: one normal score a class."""
    random = np.random.default_rng(seed)
    truth = random.choice(len(shares), n, p=shares)
    score = random.normal(size=(n, len(shares))) + 1.5 * np.eye(len(shares))[truth]
    likelihood = np.exp(1.5 * score)
    return truth, likelihood / likelihood.sum(axis=1, keepdims=True)


def test_shifted_probabilities_are_those_of_bayes():
    _, probabilities = drawn([0.2, 0.3, 0.5], n=30)
    before, there = np.array([0.25, 0.25, 0.5]), np.array([0.6, 0.4, 0.0])
    shifted = shift_priors(probabilities, before, there)
    for row, got in zip(probabilities, shifted, strict=True):
        raised = [p * new / old for p, new, old in zip(row, there, before, strict=True)]
        assert got == pytest.approx([value / sum(raised) for value in raised])
    assert shift_priors(probabilities, before, before) == pytest.approx(probabilities)
    assert np.isnan(shift_priors(np.array([[0.0, 0.0, 1.0]]), before, there)).all()


def test_estimated_shares_are_those_of_a_loop():
    shares = [0.7, 0.2, 0.1]
    truth, probabilities = drawn(shares)
    before = np.full(3, 1 / 3)
    found = before
    for _ in range(500):
        sums = np.zeros(3)
        for row in probabilities[:300]:
            raised = row * found / before
            sums += raised / raised.sum()
        found = sums / 300
    assert estimate_priors(probabilities[:300], np.ones(300), before).shares == pytest.approx(found, abs=1e-5)
    whole = estimate_priors(probabilities, np.ones(len(truth)), before)
    assert whole.is_settled and whole.shares == pytest.approx(np.bincount(truth) / len(truth), abs=0.02)
