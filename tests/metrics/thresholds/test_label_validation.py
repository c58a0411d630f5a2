"""Thresholds judged on rows that did not choose them, against the same in plain loops."""

import numpy as np
import pytest
from sklearn.metrics import f1_score

from metrics.thresholds.label_thresholds import best_each, cross_fitted, label_scores


def rows(seed, n=60, n_labels=2):
    rng = np.random.default_rng(seed)
    truth = rng.random((n, n_labels)) < np.array([0.5, 0.3])
    return truth, np.round(np.clip(0.3 * truth + rng.random((n, n_labels)) * 0.7, 0, 1), 2)


def best_of_all(truth, score, weights, average="binary"):
    more = {"average": average, "zero_division": 0, "sample_weight": weights}
    tried = {t: f1_score(truth, score >= t, **more) for t in [*np.unique(score), np.inf]}
    return max(t for t, f1 in tried.items() if f1 >= max(tried.values()) - 1e-12)


def slow_cross_fit(truth, score, folds, seed, average, weights):
    """The same in plain loops: thresholds tried one by one on the other folds, predictions pooled."""
    fold = np.random.default_rng(seed).permutation(np.arange(len(truth)) % folds)
    guess = np.zeros_like(truth)
    for held_out in range(folds):
        rest, here = fold != held_out, fold == held_out
        if average == "each":
            best = [best_of_all(truth[rest, i], score[rest, i], weights[rest]) for i in range(truth.shape[1])]
        else:
            best = best_of_all(truth[rest], score[rest], weights[rest], average)
        guess[here] = score[here] >= np.array(best)
    return guess


@pytest.mark.parametrize("way", ["each", "micro", "macro"])
@pytest.mark.parametrize("most", [1, 9])
def test_every_row_is_judged_without_itself(way, most):
    """Also by weight, here up to 9."""
    truth, score = rows(3)
    weights = np.random.default_rng(4).integers(1, most + 1, 60)
    given = {"otherwise": 0.5, "folds": 4, "seed": 9, "weights": None if most == 1 else weights}
    counts = getattr(cross_fitted(truth, score, range(2), **given), way)
    guess = slow_cross_fit(truth, score, 4, 9, way, weights)
    assert counts.tp.tolist() == (weights @ (truth & guess)).tolist()
    assert counts.fp.tolist() == (weights @ (~truth & guess)).tolist()
    assert counts.n == weights.sum()


def test_noise_looks_better_on_its_own_rows():
    rng = np.random.default_rng(0)
    truth, noise = rng.random((300, 5)) < 0.05, rng.random((300, 5))
    apparent = best_each(label_scores(truth, noise, range(5))).f1.mean()
    counts = cross_fitted(truth, noise, range(5), otherwise=0.5).each
    fitted = (2 * counts.tp / (2 * counts.tp + counts.fp + counts.fn)).mean()
    assert fitted < apparent - 0.02


def test_label_without_true_rows_takes_the_other_threshold():
    truth = np.zeros((10, 1), dtype=bool)
    score = np.linspace(0, 1, 10)[:, None]
    found = cross_fitted(truth, score, (0,), otherwise=0.7, folds=5)
    assert found.each.predicted.tolist() == found.micro.predicted.tolist() == [(score >= 0.7).sum()]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_rows_are_judged_leave_one_out(n):
    truth = np.array([[True, False], [True, True], [False, True]])[:n]
    score = np.array([[0.9, 0.2], [0.4, 0.8], [0.6, 0.7]])[:n]
    found = cross_fitted(truth, score, range(2), otherwise=0.5)
    guess = np.zeros_like(truth)
    for row in range(n):
        rest = np.arange(n) != row
        for i in range(2):
            chosen = best_of_all(truth[rest, i], score[rest, i], None) if truth[rest, i].any() else 0.5
            guess[row, i] = score[row, i] >= chosen
    assert found.folds == n and found.each.n == n
    assert found.each.tp.tolist() == (truth & guess).sum(axis=0).tolist()
    assert found.each.fp.tolist() == (~truth & guess).sum(axis=0).tolist()
