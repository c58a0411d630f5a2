"""The best of several epochs is optimistic; chosen on other rows it is not."""

import numpy as np
import pytest

from metrics.comparison.epoch_choice import best_epoch, choose_on_other_folds, draw_folds


def test_undefined_epochs_are_never_best():
    assert best_epoch(np.array([np.nan, np.nan])) is None
    assert best_epoch(np.array([np.nan, 0.1, 0.1]), higher=False) == 1


def test_every_fold_is_chosen_for_by_the_others():
    right = np.random.default_rng(0).random((4, 50)) < 0.5
    folds = draw_folds(50)
    chosen = choose_on_other_folds(folds, 4, lambda epoch, rows: right[epoch, rows].mean())
    for fold in range(5):
        shares = [right[epoch, folds != fold].mean() for epoch in range(4)]
        assert set(chosen[folds == fold]) == {int(np.argmax(shares))}
    assert choose_on_other_folds(folds, 4, lambda epoch, rows: np.nan) is None


def test_chance_is_found_out():
    """Twenty epochs that guess: the best looks better than a half, on other rows it does not."""
    random, best, honest = np.random.default_rng(1), [], []
    for _ in range(60):
        right = random.random((20, 100)) < 0.5
        chosen = choose_on_other_folds(draw_folds(100), 20, lambda epoch, rows, right=right: right[epoch, rows].mean())
        best.append(right.mean(axis=1).max())
        honest.append(right[chosen, np.arange(100)].mean())
    assert np.mean(best) > 0.57 and np.mean(honest) == pytest.approx(0.5, abs=0.03)
