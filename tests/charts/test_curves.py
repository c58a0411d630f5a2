"""The pictures of a score show the numbers of `metrics`, and say what they leave out."""

import html

import numpy as np
import pytest
from sklearn import metrics as sk

from charts.curves import (
    DRAWN_POINTS,
    precision_recall_figure,
    roc_figure,
    score_histogram_figure,
    threshold_figure,
)
from charts.theme import ACCENT, MODEL, REFERENCE
from metrics.curves import average_precision, precision_recall_curve, roc_auc, roc_curve, score_counts
from metrics.thresholds import best_thresholds, rates, rates_at


def rows(n: int = 400, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    y_true = random.random(n) < 0.3
    return y_true, np.round(1 / (1 + np.exp(-random.normal(size=n) - 2 * y_true + 1)), 2 if n < 5000 else 12)


Y_TRUE, Y_SCORE = rows()
SCORES = score_counts(Y_TRUE, Y_SCORE)


def title(fig) -> str:
    return html.unescape(fig.layout.title.text or "").replace("<br>", " ")


def trace(fig, name: str):
    return next(trace for trace in fig.data if (trace.name or "").startswith(name))


def words(fig) -> str:
    return " ".join(html.unescape(note.text) for note in fig.layout.annotations).replace("<br>", " ")


def test_the_roc_curve_is_that_of_scikit_learn_and_the_point_lies_on_it():
    fig = roc_figure(roc_curve(SCORES), auc=roc_auc(SCORES), point=rates_at(SCORES, 0.5))
    fpr, tpr, _ = sk.roc_curve(Y_TRUE, Y_SCORE, drop_intermediate=False)
    np.testing.assert_allclose(trace(fig, "model").x, fpr)
    np.testing.assert_allclose(trace(fig, "model").y, tpr)
    point = trace(fig, "threshold 0.5")
    assert point.x[0] == pytest.approx(((Y_SCORE >= 0.5) & ~Y_TRUE).sum() / (~Y_TRUE).sum())
    assert point.y[0] == pytest.approx(((Y_SCORE >= 0.5) & Y_TRUE).sum() / Y_TRUE.sum())
    assert "threshold 0.5" in words(fig)


def test_the_title_of_the_roc_curve_says_what_the_area_means():
    auc = sk.roc_auc_score(Y_TRUE, Y_SCORE)
    said = title(roc_figure(roc_curve(SCORES), auc=roc_auc(SCORES)))
    assert said == f"AUC {auc:.3f}: a random positive outranks a random negative {auc:.1%} of the time"


def test_no_skill_is_the_diagonal_of_one_curve_and_the_prevalence_of_the_other():
    roc = trace(roc_figure(roc_curve(SCORES), auc=0.9), "no skill")
    assert tuple(roc.x) == tuple(roc.y) == (0, 1)
    fig = precision_recall_figure(precision_recall_curve(SCORES), average_precision=0.9, prevalence=0.3)
    assert set(trace(fig, "no skill").y) == {0.3}
    assert {roc.line.color, trace(fig, "no skill").line.color} == {REFERENCE}
    assert {roc.line.dash, trace(fig, "no skill").line.dash} == {"dash"}


def test_the_precision_recall_curve_is_that_of_scikit_learn_without_its_made_up_end():
    fig = precision_recall_figure(
        precision_recall_curve(SCORES), average_precision=average_precision(SCORES), prevalence=0.3
    )
    precision, recall, _ = sk.precision_recall_curve(Y_TRUE, Y_SCORE)
    np.testing.assert_allclose(trace(fig, "model").x, recall[-2::-1])
    np.testing.assert_allclose(trace(fig, "model").y, precision[-2::-1])
    assert f"{sk.average_precision_score(Y_TRUE, Y_SCORE):.3f}" in title(fig)


def test_the_area_under_the_drawn_steps_is_the_average_precision():
    line = trace(precision_recall_figure(precision_recall_curve(SCORES), average_precision=1, prevalence=0.3), "model")
    assert line.line.shape == "vh", "up or down to the new precision first, then along"
    assert np.sum(np.diff(line.x, prepend=0) * line.y) == pytest.approx(sk.average_precision_score(Y_TRUE, Y_SCORE))


@pytest.mark.parametrize("which", ["roc", "pr", "threshold"])
def test_a_long_curve_is_drawn_with_fewer_points_and_says_how_many(which):
    counts = score_counts(*rows(30_000))
    fig = {
        "roc": lambda: roc_figure(roc_curve(counts), auc=0.9),
        "pr": lambda: precision_recall_figure(precision_recall_curve(counts), average_precision=0.9, prevalence=0.3),
        "threshold": lambda: threshold_figure(rates(counts), threshold=0.5, best=best_thresholds(counts)),
    }[which]()
    drawn = max(len(trace.x) for trace in fig.data)
    assert drawn <= DRAWN_POINTS
    total = len(counts.score) + (which == "roc")
    assert f"Drawn with {drawn:,} of {total:,} points" in words(fig)


def test_a_short_curve_does_not_speak_of_points():
    assert "Drawn with" not in words(roc_figure(roc_curve(SCORES), auc=0.9))


def test_a_missing_class_is_said_and_not_drawn():
    only_positive = score_counts(np.array([True, True]), np.array([0.2, 0.8]))
    fig = roc_figure(roc_curve(only_positive), auc=roc_auc(only_positive), point=rates_at(only_positive, 0.5))
    assert not fig.data and "undefined" in title(fig) and "both classes" in words(fig)
    no_positive = score_counts(np.array([False]), np.array([0.2]))
    fig = precision_recall_figure(
        precision_recall_curve(no_positive), average_precision=average_precision(no_positive), prevalence=0.0
    )
    assert not fig.data and "undefined" in title(fig)


def test_above_every_score_there_is_no_precision_and_so_no_point():
    point = rates_at(SCORES, np.inf)
    curve = precision_recall_curve(SCORES)
    fig = precision_recall_figure(curve, average_precision=0.9, prevalence=0.3, point=point)
    assert not any((trace.name or "").startswith("threshold") for trace in fig.data)
    roc = roc_figure(roc_curve(SCORES), auc=0.9, point=point)
    assert trace(roc, "threshold above every score").x[0] == 0


def test_the_histogram_shows_each_side_as_shares_of_its_own_rows():
    fig = score_histogram_figure(SCORES, threshold=0.5, bins=10)
    up, down = trace(fig, "positives"), trace(fig, "negatives")
    expected, _ = np.histogram(Y_SCORE[Y_TRUE], bins=10, range=(0, 1))
    np.testing.assert_allclose(up.y, expected / Y_TRUE.sum())
    assert sum(up.y) == pytest.approx(1) and sum(down.y) == pytest.approx(-1)
    assert up.customdata[3][2] == f"{expected[3]:,}"
    assert up.marker.color == MODEL and down.marker.pattern.shape == "/", "told apart without colour"


def test_the_histogram_says_what_lies_above_the_threshold():
    said = title(score_histogram_figure(SCORES, threshold=0.5))
    above = Y_SCORE >= 0.5
    assert f"{(above & Y_TRUE).sum() / Y_TRUE.sum():.1%} of the positives" in said
    assert f"{(above & ~Y_TRUE).sum() / (~Y_TRUE).sum():.1%} of the negatives" in said
    assert score_histogram_figure(SCORES, threshold=0.5).layout.shapes[0].x0 == 0.5


def test_the_ticks_of_the_mirrored_axis_have_no_minus():
    fig = score_histogram_figure(SCORES, threshold=0.5)
    assert min(fig.layout.yaxis.tickvals) < 0 and not any("-" in text for text in fig.layout.yaxis.ticktext)


def test_every_metric_is_a_line_over_all_thresholds():
    table = rates(SCORES)
    fig = threshold_figure(table, threshold=0.5, best=best_thresholds(SCORES))
    np.testing.assert_allclose(trace(fig, "recall").x, table.threshold)
    np.testing.assert_allclose(trace(fig, "recall").y, table.recall)
    dashes = [line.line.dash for line in fig.data if line.mode == "lines"]
    assert len(set(dashes)) == len(dashes) == 4, "told apart without colour"


def test_the_best_points_lie_on_their_lines():
    best = best_thresholds(SCORES, cost_fn=3)
    fig = threshold_figure(rates(SCORES), threshold=0.5, best=best)
    star, line = trace(fig, "best F1"), trace(fig, "F1")
    assert star.x[0] == best["f1"].threshold
    assert (
        star.y[0]
        == max(line.y)
        == pytest.approx(max(sk.f1_score(Y_TRUE, threshold <= Y_SCORE) for threshold in np.unique(Y_SCORE)))
    )
    assert (trace(fig, "lowest cost").x[0], trace(fig, "lowest cost").y[0]) == (best["cost"].threshold, 0)


def test_the_title_compares_the_threshold_in_force_with_the_best():
    said = title(threshold_figure(rates(SCORES), threshold=0.9, best=best_thresholds(SCORES)))
    assert said.endswith(f"at this threshold it is {sk.f1_score(Y_TRUE, Y_SCORE >= 0.9):.3f}")
    above_all = title(threshold_figure(rates(SCORES), threshold=2, best=best_thresholds(SCORES)))
    assert above_all.endswith("it is 0.000")


def test_infinite_scores_and_thresholds_do_not_stretch_the_axis():
    counts = score_counts(np.array([True, False, True]), np.array([np.inf, 0.2, 0.4]))
    fig = threshold_figure(rates(counts), threshold=np.inf, best=best_thresholds(counts))
    assert np.isfinite(np.concatenate([np.asarray(trace.x, dtype=float) for trace in fig.data])).all()


def test_no_scores_at_all_is_said():
    nothing = score_counts(np.array([True]), np.array([np.nan]))
    assert "No row has a score" in words(score_histogram_figure(nothing))
    assert "No row has a finite score" in words(threshold_figure(rates(nothing), threshold=0.5, best={}))


def test_the_threshold_is_the_accent_everywhere():
    point = rates_at(SCORES, 0.5)
    assert trace(roc_figure(roc_curve(SCORES), auc=0.9, point=point), "threshold").marker.color == ACCENT
    assert score_histogram_figure(SCORES, threshold=0.5).layout.shapes[0].line.color == ACCENT
