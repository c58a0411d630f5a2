"""Log loss and Brier score equal scikit-learn's, stay finite on logits, and are undefined on what is no probability."""

import numpy as np
import pytest
import sklearn.metrics as oracle
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

from metrics.catalogue.registry import REGISTRY
from metrics.scores.probabilities import brier_skill

log_loss, brier_score = (REGISTRY["binary", key].function for key in ("log_loss", "brier"))


@st.composite
def binary_rows(draw):
    n = draw(st.integers(1, 40))
    return draw(hnp.arrays(bool, n)), draw(hnp.arrays(np.float64, n, elements=st.floats(0, 1)))


@given(binary_rows())
def test_binary_figures_equal_scikit_learn(rows):
    y_true, probability = rows
    expected = oracle.log_loss(y_true, probability, labels=[False, True])
    assert log_loss(y_true, probability) == pytest.approx(expected, abs=1e-12)
    if len(set(y_true)) == 2:
        expected = oracle.brier_score_loss(y_true, probability, pos_label=True)
        assert brier_score(y_true, probability) == pytest.approx(expected, abs=1e-12)


@given(st.integers(2, 6), st.integers(1, 40), st.integers(0, 2**32 - 1), st.booleans())
def test_multiclass_figures_equal_scikit_learn(n_classes, n, seed, certain):
    rng = np.random.default_rng(seed)
    y_true = rng.integers(0, n_classes, n)
    proba = np.eye(n_classes)[rng.integers(0, n_classes, n)] if certain else rng.dirichlet(np.ones(n_classes), n)
    labels = list(range(n_classes))
    assert log_loss(y_true, proba) == pytest.approx(oracle.log_loss(y_true, proba, labels=labels), abs=1e-12)
    expected = oracle.brier_score_loss(y_true, proba, labels=labels)
    assert brier_score(y_true, proba) == pytest.approx(expected, abs=1e-12)


def test_one_certain_mistake_costs_36_and_not_infinity():
    assert log_loss(np.array([True]), np.array([0.0])) == pytest.approx(-np.log(np.finfo(float).eps))


@given(hnp.arrays(np.float64, st.integers(1, 30), elements=st.floats(-20, 20)), st.randoms())
def test_logits_give_what_their_probabilities_give(logit, random):
    y_true = np.array([random.random() < 0.5 for _ in logit])
    probability = 1 / (1 + np.exp(-logit))
    assert log_loss(y_true, logit, from_logits=True) == pytest.approx(log_loss(y_true, probability), rel=1e-6)
    assert brier_score(y_true, logit, from_logits=True) == pytest.approx(brier_score(y_true, probability), abs=1e-12)


def test_logits_equal_their_softmax():
    rng = np.random.default_rng(0)
    logits, y_true = rng.normal(0, 3, (50, 4)), rng.integers(0, 4, 50)
    proba = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    assert log_loss(y_true, logits, from_logits=True) == pytest.approx(oracle.log_loss(y_true, proba, labels=range(4)))
    assert brier_score(y_true, logits, from_logits=True) == pytest.approx(brier_score(y_true, proba), abs=1e-12)


@pytest.mark.filterwarnings("error")
def test_huge_logits_neither_overflow_nor_are_clipped():
    assert log_loss(np.array([True, False]), np.array([-1000.0, -1000.0]), from_logits=True) == 500.0
    assert brier_score(np.array([True, False]), np.array([-1000.0, 1000.0]), from_logits=True) == 1.0
    assert log_loss(np.array([1]), np.array([[1e4, 0.0, -1e4]]), from_logits=True) == 1e4
    assert brier_score(np.array([1]), np.array([[1e4, 0.0, -1e4]]), from_logits=True) == 2.0


def test_column_belongs_to_its_code():
    y_true, proba = np.array([7, 2, 7]), np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.5, 0.25, 0.25]])
    assert log_loss(y_true, proba, score_codes=(7, 2, 5)) == pytest.approx(log_loss(np.array([0, 1, 0]), proba))
    assert brier_score(y_true, proba, score_codes=(7, 2, 5)) == pytest.approx(brier_score(np.array([0, 1, 0]), proba))


def test_true_class_without_score_leaves_both_undefined():
    proba = np.array([[0.6, 0.4], [0.2, 0.8]])
    assert np.isnan([log_loss(np.array([0, 2]), proba), brier_score(np.array([0, 2]), proba)]).all()
    assert np.isnan(log_loss(np.array([0, -1]), proba))


def test_rows_not_summing_to_1_are_undefined():
    y_true = np.array([0, 1])
    wrong, rounded = np.array([[0.6, 0.42], [0.2, 0.8]]), np.array([[0.6, 0.405], [0.2, 0.8]])
    assert np.isnan([log_loss(y_true, wrong), brier_score(y_true, wrong)]).all()
    assert np.isfinite([log_loss(y_true, rounded), brier_score(y_true, rounded)]).all()


@pytest.mark.parametrize("outside", [-0.01, 1.01, 55.0])
def test_what_is_no_probability_leaves_both_undefined(outside):
    y_true, score = np.array([True, False]), np.array([0.5, outside])
    assert np.isnan([log_loss(y_true, score), brier_score(y_true, score)]).all()


def test_rows_without_a_score_are_left_out():
    y_true = np.array([True, False, True])
    assert log_loss(y_true, np.array([0.8, 0.4, np.nan])) == log_loss(y_true[:2], np.array([0.8, 0.4]))
    proba = np.array([[0.8, 0.2], [0.3, 0.7], [np.nan, 0.1]])
    assert brier_score(np.array([0, 1, 1]), proba) == pytest.approx((0.04 + 0.09) / 2)


def test_one_column_is_the_positive_class():
    y_true, score = np.array([True, False]), np.array([0.8, 0.4])
    assert log_loss(y_true, score[:, None]) == log_loss(y_true, score)


def test_brier_score_has_two_class_and_sum_forms():
    assert brier_score(np.array([1, 0]), np.array([[0.2, 0.8], [0.6, 0.4]])) == pytest.approx(0.1)
    assert brier_score(np.array([2]), np.array([[1.0, 0.0, 0.0]])) == 2.0


def test_no_rows_are_undefined():
    assert np.isnan([log_loss(np.array([], bool), np.array([])), brier_score(np.array([], bool), np.array([]))]).all()
    assert np.isnan(log_loss(np.array([], int), np.empty((0, 3))))


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="1-dimensional"):
        log_loss(np.array([True, False]), np.array([[0.5, 0.5], [0.1, 0.9]]))
    with pytest.raises(ValueError, match="score codes"):
        log_loss(np.array([0]), np.array([[0.5, 0.5]]), score_codes=(0, 1, 2))


def test_brier_skill_compares_with_the_shares(rng):
    truth, score = rng.random(200) < 0.3, rng.random(200)
    of_shares = oracle.brier_score_loss(truth, np.full(200, truth.mean()))
    assert brier_skill(truth, score) == pytest.approx(1 - oracle.brier_score_loss(truth, score) / of_shares)
    three, scores = rng.integers(0, 3, 200), rng.dirichlet(np.ones(3), 200)
    shares = np.tile(np.bincount(three) / 200, (200, 1))
    expected = 1 - oracle.brier_score_loss(three, scores, labels=[0, 1, 2]) / oracle.brier_score_loss(
        three, shares, labels=[0, 1, 2]
    )
    assert brier_skill(three, scores) == pytest.approx(expected)
    assert np.isnan(brier_skill(np.ones(5, bool), np.full(5, 0.9))), "one class: the shares are always right"
