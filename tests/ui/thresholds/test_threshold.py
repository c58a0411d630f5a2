"""The rows behind the lab's numbers are as many as the numbers say."""

import json
from dataclasses import replace

import numpy as np
import pytest

from data.evaluation import MISSING
from data.rows.selection import find_rows
from metrics.outcomes import F1
from metrics.thresholds.threshold_metrics import best_thresholds, rates_at
from tests.opened_pages import open_page, texts
from tests.opened_runs import open_run
from ui.thresholds.own_scale import evaluation_for_thresholds
from ui.thresholds.threshold import rows_on_side
from ui.view import cache


@pytest.mark.parametrize("threshold", [-0.7, 0.0, 0.3, 0.5, 1.1])
def test_each_side_holds_its_count_of_rows(evaluation, threshold):
    for code in {evaluation.score_codes[0], evaluation.score_codes[-1]}:
        now = rates_at(cache.scores(evaluation, code), threshold)
        found = {side: find_rows(evaluation, rows_on_side(code, threshold, side)) for side in ("tp", "fp", "fn", "tn")}
        assert {side: len(rows) for side, rows in found.items()} == {side: getattr(now, side) for side in found}


def test_side_holds_its_own_rows_only(evaluation):
    code = evaluation.score_codes[-1]
    score = evaluation.y_score[:, evaluation.score_codes.index(code)]
    is_true = evaluation.y_true[:, code] if evaluation.task == "multilabel" else evaluation.y_true == code
    for side, called, positive in (("tp", 1, 1), ("fp", 1, 0), ("fn", 0, 1), ("tn", 0, 0)):
        found = find_rows(evaluation, rows_on_side(code, 0.2, side))
        assert ((score[found] >= 0.2) == called).all() and (is_true[found] == positive).all()


def test_a_row_without_a_score_takes_no_part(evaluation):
    code = evaluation.score_codes[-1]
    bare = replace(evaluation, y_score=np.full_like(evaluation.y_score, np.nan))
    assert not any(len(find_rows(bare, rows_on_side(code, 0.2, side))) for side in ("tp", "fp", "fn", "tn"))


@pytest.mark.parametrize(("run", "name"), [("digits", "8"), ("movie-genres", None)])
def test_lab_opens_on_the_weakest_true_class(run, name):
    app = open_page("thresholds", run=run)
    assert not app.exception
    evaluation = open_run(run)
    counts = cache.counts_of_classes(evaluation)
    weakest = evaluation.labels[int(np.argmin(np.where(counts.support > 0, F1.value(counts), 2)))]
    assert app.query_params["class"] == weakest and name in (None, weakest)


def test_page_without_scores_leads_to_samples():
    app = open_page("thresholds", run="support-intents-llm")
    assert "Curves and thresholds need a score" in texts(app)
    assert "Open another file" in [link.proto.label for link in app.get("page_link")]
    app = app.button(key="way.digits").click().run()
    assert not app.exception and app.query_params["run"] == "digits"


def test_one_confidence_has_calibration_but_no_threshold():
    app = open_page("thresholds", run="support-intents", tab="choose")
    assert not app.exception and not app.error
    right, sure = _right_and_sure("support-intents")
    said = f"Confidence is too high: {sure.mean():.1%} on average, but {right.mean():.1%} of rows are right"
    assert app.title[0].value == said.replace("%", "\u00a0%")
    assert "`confidence` scores the predicted class only" in texts(app) and "one column for each class" in texts(app)
    assert app.metric[2].value == f"{((sure - right) ** 2).mean():.3f}", "the Brier score of being right"


def _right_and_sure(run):
    table = open_run(run).rows
    right = np.array(table["target"].to_pylist()) == np.array(table["prediction"].to_pylist())
    return right, table["confidence"].to_numpy()


def test_scores_are_checked_on_predicted_rows(evaluation):
    assert evaluation_for_thresholds(evaluation) is evaluation, "every row has a prediction: nothing changes"
    if evaluation.task != "binary":
        return
    y_pred, scored = evaluation.y_pred.copy(), evaluation.scored.copy()
    y_pred[:5], scored[:5] = MISSING, False
    gaps = replace(evaluation, y_pred=y_pred, scored=scored, fingerprint="with gaps")
    assert evaluation_for_thresholds(gaps).scored.sum() == gaps.scored.sum() + 5


@pytest.mark.parametrize(
    ("query", "step"),
    [
        ({}, "explore"), ({"bands": "1", "by": "mcc"}, "explore"), ({"by": "mcc"}, "choose"), ({"cfn": "3"}, "choose"),
        ({"low": "0.1"}, "choose"), ({"nbins": "5"}, "calibration"), ({"cal": "class"}, "calibration"),
        ({"tab": "classes"}, "classes"), ({"tab": "explore", "by": "mcc"}, "explore"),
    ],
)  # fmt: skip
def test_link_opens_step_it_means(query, step):
    app = open_page("thresholds", run="digits", **query)
    assert app.segmented_control(key="thresholds.step").value == step
    assert app.query_params.get("tab", "explore") == step


def test_step_stays_while_its_controls_change():
    app = open_page("thresholds", run="screening", nbins="5")
    app.number_input(key="view.nbins").set_value(10).run()
    assert app.query_params["tab"] == "calibration" and "nbins" not in app.query_params


def test_binary_file_has_no_step_of_all_classes():
    app = open_page("thresholds", run="screening", tab="classes")
    assert "scores of one class only" in texts(app)
    assert app.segmented_control(key="thresholds.step").options == ["Explore", "Choose", "Calibration"]


def test_class_of_several_opens_at_its_best_f1():
    app = open_page("thresholds", run="digits", t="0.9", **{"class": "8"})
    app.selectbox(key="thresholds.class").set_value(1).run()
    assert "t" not in app.query_params and app.query_params["class"] == "1"
    evaluation = open_run("digits")
    best = best_thresholds(cache.scores(evaluation, 1))["f1"]
    assert app.title[0].value.startswith(f"At score ≥ {best.threshold:.5f} the model finds")


def test_title_follows_threshold_in_force():
    app = open_page("thresholds", run="screening", t="0.1", rule="f1")
    assert app.title[0].value == "At score ≥ 0.1 the model finds only 34 of 100 `cancer` rows"
    assert open_page("thresholds", run="screening", t="2").title[0].value == (
        "Above every score the model finds none of 100 `cancer` rows"
    )


def test_rows_of_a_count_are_listed_once_chosen():
    assert "93 rows" not in texts(open_page("thresholds", run="screening"))
    app = open_page("thresholds", run="screening", side="fn")
    assert "**93 rows**" in texts(app)
    app.button(key="threshold.close").click().run()
    assert "93 rows" not in texts(app) and "side" not in app.query_params


def test_shape_of_the_curve_stands_below_it():
    evaluation = open_run("screening")
    is_true, score = evaluation.y_true == evaluation.positive, evaluation.y_score[:, 0]
    shares = []
    for part in (0.5, 0.9):
        found = [threshold for threshold in np.unique(score) if (score[is_true] >= threshold).mean() >= part]
        shares.append(100 * (score[~is_true] >= max(found)).mean())
    parts = [part.proto for part in open_page("thresholds", run="screening").get("bidi_component")]
    drawn = [json.loads(part.mixed.json) for part in parts if part.WhichOneof("data") == "mixed"]
    assert [curves["shape"] for curves in drawn if "shape" in curves] == [
        f"Half of the positives are found with {shares[0]:.1f} % of the negatives as false positives, "
        f"nine in ten with {shares[1]:.1f} %."
    ]
