"""Cross-fitting on the counts, against cross-fitting on the rows, and against rows drawn anew."""

import numpy as np
import pytest

from metrics.scores.curves import score_counts
from metrics.thresholds.choose import Rule, choose, measure
from metrics.thresholds.cross_validation import RowWeights
from metrics.thresholds.optimism import optimism
from metrics.thresholds.threshold_metrics import ThresholdRates, rates_at
from tests.metrics.noise import noise, rows_in_folds


def by_rows(y_true, y_score, rule, folds, repeats, seed, weights=None):
    """The same, row by row: the rows of each class in order of their score are split, then every part is counted."""
    values = []
    rows = y_true, y_score
    w = np.ones(len(y_true), int) if weights is None else weights[np.argsort(-y_score, kind="stable")]
    for y_true, y_score, fold in rows_in_folds(*rows, folds, repeats, seed):
        tp = fp = 0
        for held in range(folds):
            out = fold == held
            best = choose(score_counts(y_true[~out], y_score[~out], w[~out]), rule)
            pred = y_score[out] >= best.threshold
            tp, fp = tp + w[out][pred & y_true[out]].sum(), fp + w[out][pred & ~y_true[out]].sum()
        sums = ThresholdRates(np.array([0.0]), np.array([tp]), np.array([fp]), w[y_true].sum(), w[~y_true].sum())
        values.append(measure(sums, rule)[0])
    return np.mean(values)


RULES = [
    Rule("f1"),
    Rule("fbeta", beta=0.5),
    Rule("youden_j"),
    Rule("accuracy"),
    Rule("cost", cost_fn=4.0),
    Rule("cost", cost_fn=4.0, prevalence=0.1),
    Rule("at_least", metric="recall", floor=0.9, then="precision"),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.by}-{rule.prevalence}")
@pytest.mark.parametrize("digits", [12, 1])
def test_the_counts_give_what_the_rows_give(rule, digits):
    y_true, y_score = noise(300, 1, shift=0.8, digits=digits)
    found = optimism(score_counts(y_true, y_score), rule, folds=4, repeats=3, seed=5)
    assert found.cross_fitted == pytest.approx(by_rows(y_true, y_score, rule, 4, 3, 5), abs=1e-12)
    assert found.apparent == choose(score_counts(y_true, y_score), rule).value
    assert (found.folds, found.repeats, found.seed) == (4, 3, 5)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.by}-{rule.prevalence}")
def test_weights_count_in_every_fold(rule):
    y_true, y_score = noise(200, 2, shift=0.8, digits=1)
    weights = np.random.default_rng(3).integers(1, 50, 200)
    order = np.argsort(-y_score, kind="stable")
    given = RowWeights(*(weights[order][y_true[order] == side] for side in (True, False)), unit=0.25)
    found = optimism(score_counts(y_true, y_score), rule, weights=given, folds=4, repeats=3, seed=5)
    assert found.cross_fitted == pytest.approx(by_rows(y_true, y_score, rule, 4, 3, 5, weights), abs=1e-12)
    assert found.apparent == choose(score_counts(y_true, y_score, weights), rule).value


def test_estimate_equals_the_worth_on_new_rows():
    rule, gaps = Rule("youden_j"), []
    fresh = score_counts(*noise(200_000, 999, shift=0.5))
    for seed in range(60):
        counts = score_counts(*noise(150, seed, shift=0.5))
        found = optimism(counts, rule, repeats=5, seed=seed)
        truth = rates_at(fresh, choose(counts, rule).threshold).youden_j
        gaps.append((found.apparent - truth, found.cross_fitted - truth))
    apparent, cross_fitted = np.mean(gaps, axis=0)
    assert apparent > 0.05 and abs(cross_fitted) < 0.02


def test_lower_cost_than_true_is_optimism():
    found = optimism(score_counts(*noise(200, 3, shift=0.3)), Rule("cost", cost_fn=2.0))
    assert found.cross_fitted > found.apparent
    assert found.optimism == pytest.approx(found.cross_fitted - found.apparent)


def test_floor_is_told_as_on_other_rows():
    found = optimism(
        score_counts(*noise(200, 4, shift=1.0)), Rule("at_least", metric="recall", floor=0.9, then="precision")
    )
    assert 0.8 < found.kept < 0.9
    assert np.isnan(optimism(score_counts(*noise(200, 4, shift=0.0)), Rule("f1")).kept)


def test_seed_decides_the_numbers():
    counts = score_counts(*noise(200, 6, shift=0.5))
    np.testing.assert_equal(optimism(counts, Rule("f1"), seed=1), optimism(counts, Rule("f1"), seed=1))
    assert optimism(counts, Rule("f1"), seed=1).cross_fitted != optimism(counts, Rule("f1"), seed=2).cross_fitted


@pytest.mark.parametrize("n_pos", [0, 1])
def test_fewer_than_two_rows_are_undefined(n_pos):
    counts = score_counts(np.arange(20) < n_pos, np.arange(20.0))
    assert np.isnan(optimism(counts, Rule("accuracy")).cross_fitted)


def test_folds_are_limited_by_the_smaller_class():
    assert optimism(score_counts(np.arange(20) < 3, np.arange(20.0)), Rule("f1")).folds == 3


def test_choice_missing_in_a_fold_is_undefined():
    y_true = np.array([True] + [False] * 10 + [True] * 5)
    rule = Rule("at_least", metric="precision", floor=0.99, then="recall")
    assert np.isnan(optimism(score_counts(y_true, -np.arange(16.0)), rule).cross_fitted)


def test_perfect_separation_stays_within_one_row():
    counts = score_counts(np.arange(200) < 100, -np.arange(200.0))
    assert optimism(counts, Rule("f1")).cross_fitted > 0.98


def test_the_more_rows_the_fewer_repeats():
    assert optimism(score_counts(*noise(50_000, 7, shift=0.0)), Rule("f1")).repeats == 20
    assert optimism(score_counts(*noise(400_000, 7, shift=0.0)), Rule("f1")).repeats == 5
