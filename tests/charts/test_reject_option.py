"""The picture of coverage and accuracy shows the bands of the reject option, and says what it leaves out."""

import html

import numpy as np
import pytest

from charts.reject_option import DRAWN_POINTS, coverage_accuracy_figure
from charts.theme import ACCENT, MODEL, REFERENCE
from metrics.scores.curves import score_counts
from metrics.thresholds.reject_option import band_at, frontier


def truth_and_score():
    rng = np.random.default_rng(0)
    y_true = rng.random(800) < 0.4
    return y_true, (rng.normal(size=800) + 1.5 * y_true).round(2)


Y_TRUE, Y_SCORE = truth_and_score()
SCORES = score_counts(Y_TRUE, Y_SCORE)


def drawn(low=0.5, high=1.0, scores=SCORES):
    return coverage_accuracy_figure(frontier(scores), band_at(scores, low, high), band_at(scores, high, high))


def positive_at(threshold, score=Y_SCORE):
    return score >= threshold


def title(fig):
    return html.unescape(fig.layout.title.text).replace("<br>", " ")


def trace(fig, name):
    return next(one for one in fig.data if one.name == name)


def test_every_corner_is_what_its_two_thresholds_give():
    line = trace(drawn(), "best bands")
    for coverage, accuracy, (low, high, *_) in zip(line.x, line.y, line.customdata, strict=True):
        lower, upper = (
            np.inf if text == "above every score" else float(text.replace("−", "-")) for text in (low, high)
        )
        positive, negative = positive_at(upper), ~positive_at(lower)
        decided = positive | negative
        assert coverage == pytest.approx(decided.mean())
        assert accuracy == pytest.approx((positive == Y_TRUE)[decided].mean())


def test_band_in_use_is_a_diamond():
    positive, negative = Y_SCORE >= 1.0, Y_SCORE < 0.5
    decided = positive | negative
    mark = trace(drawn(), "band in force")
    assert mark.marker.symbol == "diamond"
    assert mark.x[0] == pytest.approx(decided.mean())
    assert mark.y[0] == pytest.approx((positive == Y_TRUE)[decided].mean())


def test_the_title_says_what_leaving_rows_open_brings():
    positive = Y_SCORE >= 1.0
    decided = positive | (Y_SCORE < 0.5)
    before, after = (positive == Y_TRUE).mean(), (positive == Y_TRUE)[decided].mean()
    left = f"Leaving {1 - decided.mean():.1%} of the rows undecided"
    said = f"{left} lifts accuracy from {before:.1%} to {after:.1%} of the rest"
    assert title(drawn()) == said.replace("%", " %")
    assert title(drawn(1.0, 1.0)) == f"No row is left undecided: {before:.1%} are right".replace("%", " %")


def test_deciding_every_row_is_the_dashed_line():
    line = trace(drawn(), "all decided")
    assert line.line.dash == "dash" and line.y[0] == pytest.approx(((Y_SCORE >= 1.0) == Y_TRUE).mean())


def test_the_colours_are_those_of_the_house():
    fig = drawn()
    assert trace(fig, "best bands").line.color == MODEL
    assert trace(fig, "band in force").marker.color == ACCENT
    assert trace(fig, "all decided").line.color == REFERENCE


def test_undefined_accuracy_is_not_drawn():
    fig = drawn(-100.0, 100.0)
    assert title(fig) == "Every row is left undecided"
    assert not [one for one in fig.data if one.name == "band in force"]


def test_no_rows_are_said_to_be_none():
    fig = drawn(scores=score_counts(np.array([], bool), np.array([])))
    assert "No row has a score" in html.unescape(fig.layout.annotations[0].text).replace("<br>", " ")


def test_long_frontier_is_thinned_and_says_so():
    sides = [(a, b) for a in range(1, 90) for b in range(1, 90) if np.gcd(a, b) == 1]
    sides.sort(key=lambda side: -side[1] / side[0])
    truth = np.concatenate([[True] * b + [False] * a for a, b in sides])
    score = np.repeat(np.arange(len(sides))[::-1], [a + b for a, b in sides]).astype(float)
    fig = drawn(float(len(sides)) / 3, float(len(sides)) / 2, score_counts(truth, score))
    assert len(trace(fig, "best bands").x) <= DRAWN_POINTS
    said = " ".join(html.unescape(note.text) for note in fig.layout.annotations)
    assert f"of {len(frontier(score_counts(truth, score)).low) - 1:,} points" in said
