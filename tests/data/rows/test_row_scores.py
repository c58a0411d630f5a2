"""Confidence, margin and loss of a row are what a person works out from its scores."""

import math

import numpy as np
import pytest
from sklearn.metrics import log_loss

from data.evaluation import Settings
from data.rows.row_scores import CONFIDENCE, confidence, has_truth, loss, margin, probability_of, score_of, top_scores
from tests.data.few_rows import BINARY, EVERY, LOGIT, MANY, RAW, SCORED_SETS, SETS, evaluate


def assert_same(found, wanted):
    assert np.allclose(found, [math.nan if w is None else w for w in wanted], equal_nan=True)


def test_confidence_is_the_score_of_the_predicted_side():
    assert BINARY.positive == 1
    assert_same(confidence(BINARY, np.arange(7)), [0.9, 0.55, 0.9, 0.8, 0.7, None, None])
    assert LOGIT.y_pred.tolist() == [0, 0, 1, 1]
    assert_same(confidence(LOGIT, np.arange(4)), [3.0, 0.5, 2.0, 0.0])
    assert_same(confidence(MANY, np.arange(6)), [0.6, 0.8, 0.7, 0.7, None, 0.9])
    assert confidence(RAW, np.arange(4)) is None and confidence(SETS, np.arange(5)) is None


def test_a_label_outside_the_two_has_no_confidence():
    e = evaluate({"y_true": ["0", "1"], "y_pred": ["2", "1"], "score": [0.1, 0.9]}, label_set=["0", "1"])
    assert e.task == "binary"
    assert_same(confidence(e, np.arange(2)), [None, 0.9])


def test_label_score_is_its_column_or_complement():
    assert_same(score_of(BINARY, 1), BINARY.y_score[:, 0])
    assert_same(score_of(BINARY, 0), 1 - BINARY.y_score[:, 0])
    assert_same(score_of(LOGIT, 0), [3.0, 0.5, -2.0, 0.0])
    assert_same(probability_of(LOGIT, 1), [1 / (1 + math.exp(-x)) for x in LOGIT.y_score[:, 0]])
    assert_same(score_of(MANY, 1, np.array([3, 0])), [0.7, 0.3])
    assert_same(score_of(MANY, CONFIDENCE), confidence(MANY, np.arange(6)))
    for e, code in ((MANY, 3), (MANY, 99), (MANY, -2), (RAW, 0), (SETS, 0), (SCORED_SETS, CONFIDENCE), (BINARY, 2)):
        assert np.isnan(score_of(e, code)).all() and len(score_of(e, code)) == e.n_rows
        assert np.isnan(score_of(e, code, np.array([1]))).all()


# -- margin -----------------------------------------------------------------------------------------


def test_margin_is_the_two_highest_scores_difference():
    assert_same(margin(MANY, np.arange(6)), [0.3, 0.7, 0.5, 0.5, 0.1, 0.85])
    assert_same(margin(BINARY, np.arange(7)), [0.8, 0.1, 0.8, 0.6, 0.4, 0.2, None])
    p = probability_of(LOGIT, 1)
    assert_same(margin(LOGIT, np.arange(4)), np.abs(p - (1 - p)))
    assert margin(RAW, np.arange(4)) is None


def test_margin_of_several_labels_is_the_closest_decision():
    nearest = [None if np.isnan(row).all() else np.nanmin(np.abs(row - 0.5)) for row in SCORED_SETS.y_score]
    assert_same(margin(SCORED_SETS, np.arange(6)), nearest)


def test_margin_follows_ties_gaps_and_column_order():
    e = evaluate(
        {
            "y_true": list("abca"),
            "p_a": [0.4, 0.1, None, 0.0],
            "p_b": [0.4, 0.6, 0.5, 0.0],
            "p_c": [0.2, 0.3, 0.5, 1.0],
        },
        Settings(truth="y_true", scores=(("p_c", "c"), ("p_a", "a"), ("p_b", "b"))),
    )
    assert_same(margin(e, np.array([3, 2, 1, 0])), [1.0, None, 0.3, 0.0])


# -- loss -------------------------------------------------------------------------------------------


def test_mean_loss_is_scikit_learns_log_loss():
    rows = np.arange(5)
    assert np.isclose(loss(MANY, rows).mean(), log_loss(MANY.y_true[:5], MANY.y_score[:5], labels=[0, 1, 2]))
    known = np.array([0, 1, 2, 4, 5])
    assert np.isclose(loss(BINARY, known).mean(), log_loss(BINARY.y_true[known], BINARY.y_score[known, 0]))
    assert np.isclose(loss(LOGIT, np.arange(4)).mean(), log_loss(LOGIT.y_true, probability_of(LOGIT, 1)))
    full = np.array([0, 1, 2])
    each = [log_loss(SCORED_SETS.y_true[i].astype(int), SCORED_SETS.y_score[i], labels=[0, 1]) for i in full]
    assert_same(loss(SCORED_SETS, full), each)


def test_loss_needs_truth_and_its_score():
    assert np.isnan(loss(BINARY, np.array([3, 6]))).all() and np.isnan(loss(MANY, np.array([5]))).all()
    outside = evaluate(
        {"y_true": ["a", "b", "x"], "y_pred": ["a", "b", "a"], "p_a": [0.6, 0.1, 0.7], "p_b": [0.4, 0.9, 0.3]},
        Settings(truth="y_true", pred="y_pred", scores=(("p_a", "a"), ("p_b", "b")), label_set=("a", "b", "c")),
    )
    assert_same(loss(outside, np.arange(3)), [-math.log(0.6), -math.log(0.9), None])
    assert loss(RAW, np.arange(4)) is None


def test_multilabel_loss_covers_scored_labels():
    assert_same(loss(SCORED_SETS, np.array([4])), [(-math.log(0.1) - math.log(1 - 0.6)) / 2])
    assert_same(loss(SCORED_SETS, np.array([5])), [(-math.log(1 - 0.2) - math.log(0.8)) / 2])
    assert np.isnan(loss(SCORED_SETS, np.array([3]))).all(), "its truth is missing"


def test_certain_mistakes_cost_much():
    e = evaluate({"y_true": ["1", "0", "1"], "p": [0.0, 1.0, 1.0]}, Settings(truth="y_true", scores=(("p", "1"),)))
    assert np.allclose(loss(e, np.arange(3)), [36.04, 36.04, 0], atol=0.01)
    logit = Settings(truth="y_true", scores=(("x", "1"),), scale="logit")
    e = evaluate({"y_true": ["1", "0"], "x": [-1000.0, 700.0]}, logit)
    assert loss(e, np.arange(2)).tolist() == [1000.0, 700.0] and margin(e, np.arange(2)).tolist() == [1.0, 1.0]


# -- the highest labels -----------------------------------------------------------------------------


def test_highest_scores_come_in_order():
    assert top_scores(MANY, 3) == [(1, 0.7), (0, 0.2), (2, 0.1)]
    assert top_scores(MANY, 3, k=1) == [(1, 0.7)] and top_scores(MANY, 4) == [(2, 0.4), (0, 0.3), (1, 0.3)]
    assert top_scores(BINARY, 1) == [(0, 0.55), (1, 0.45)] and top_scores(BINARY, 6) == []
    assert top_scores(LOGIT, 0) == [(0, 3.0), (1, -3.0)]
    assert top_scores(SCORED_SETS, 4) == [(1, 0.6), (0, 0.1)] and top_scores(RAW, 0) == []


@pytest.mark.parametrize("name", EVERY)
def test_truth_is_known_by_score_or_label(name):
    e = EVERY[name]
    carries = e.y_true.any(axis=1) if e.task == "multilabel" else e.y_true >= 0
    wanted = [bool(s or c) if e.task == "multilabel" else bool(c) for s, c in zip(e.scored, carries, strict=True)]
    assert has_truth(e).tolist() == wanted and all(has_truth(e)) != (e.n_missing_truth > 0)
    assert has_truth(e, np.array([3, 1])).tolist() == [wanted[3], wanted[1]]
