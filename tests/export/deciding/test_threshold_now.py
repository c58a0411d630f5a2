"""The threshold in use is the one from which the file's predictions follow, where there is one."""

import dataclasses
import math

import numpy as np
import pytest

from export.deciding.decision import Asked, decide
from export.deciding.decision_result import decision_result
from export.deciding.threshold_now import Now, find_threshold_now
from export.measurement import measure
from export.result.terminal import write_terminal
from tests.export.test_weights import binary, evaluate
from tests.opened_runs import open_run

SCORE = np.array([0.1, 0.3, 0.62, 0.617, 0.9, 0.4] * 5)


def opened(called, score=SCORE, **more):
    return evaluate(binary(len(score), s=score, p=np.where(called, "yes", "no"), **more))


def test_threshold_of_the_predictions_is_now():
    """Of all thresholds above 0.4, up to 0.617, the one of fewest digits."""
    e = opened(SCORE >= 0.617)
    assert find_threshold_now(e, e.positive) == Now(0.6, "predictions")
    assert find_threshold_now(dataclasses.replace(e, threshold=0.3), e.positive) == Now(0.3)


@pytest.mark.parametrize("called", [SCORE < 0.5, SCORE >= 0, np.arange(30) % 2 == 0])
def test_other_predictions_leave_the_default(called):
    e = opened(called)
    assert find_threshold_now(e, e.positive) == Now(0.5, "default")


def test_equal_scores_on_both_sides_leave_the_default():
    score = np.where(np.arange(30) < 15, 0.7, SCORE.min())
    e = opened(np.arange(30) < 14, score)
    assert find_threshold_now(e, e.positive).source == "default"


def test_highest_score_of_several_is_no_threshold():
    e = open_run("digits")
    now = find_threshold_now(e, 8)
    predicted, score = e.y_pred == 8, e.y_score[:, 8]
    assert predicted.any() and score[predicted].min() <= score[~predicted].max() and now == Now(0.5, "default")


def test_scale_of_its_own_has_no_default():
    e = dataclasses.replace(opened(np.arange(30) % 2 == 0), scale="score")
    assert math.isnan(find_threshold_now(e, e.positive).threshold)


@pytest.mark.parametrize(
    ("called", "said"),
    [
        (SCORE >= 0.617, "Now means score ≥ 0.6: the predictions of this file follow from it."),
        (
            np.arange(30) % 2 == 0,
            "The predictions of this file follow no threshold of its scores, so now means score ≥ 0.5.",
        ),
    ],
)
def test_sheet_says_what_now_means(called, said):
    measured = measure(opened(called))
    e = measured.evaluation
    scores = measured.weighted_scores(e.positive)
    text = write_terminal(
        decision_result(measured, decide(measured, e.positive, scores, Asked(), find_threshold_now(e, e.positive)))
    )
    assert said in text
    given = decide(measured, e.positive, scores, Asked(), Now(0.5))
    assert "now means" not in write_terminal(decision_result(measured, given)).lower()
