"""The calibration card: its numbers are those of `metrics`, a bin leads to its rows, undefined says why."""

import html

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss
from streamlit.testing.v1 import AppTest

from data.rows.selection import confidence
from metrics.findings.tables import count_scores
from metrics.scores import calibration
from metrics.scores.curves import score_counts
from metrics.scores.reliability import reliability
from tests.ceiling import CEILING_SECONDS
from tests.opened_pages import run_app
from tests.opened_runs import keep_file, open_run

CARD = """
from unittest.mock import patch
import streamlit as st
from ui.thresholds import calibration, own_scale, threshold
from ui.view import state, url
from ui.view.address import begin_page, end_page

begin_page("thresholds")
evaluation = own_scale.evaluation_for_thresholds(state.original())
code = evaluation.score_codes[0]
def keep(evaluation, which, **options):
    st.session_state.update(which=which)

with patch("ui.thresholds.calibration.rows_behind.draw_rows_behind", keep):
    calibration.section(evaluation, code, threshold.scores_of(evaluation, code))
end_page("thresholds")
"""
N = 300
P, CHANCE = np.random.default_rng(0).random((2, N))
Y = np.where(CHANCE < P, "spam", "ham")


def card(run: str, **query: str) -> AppTest:
    return run_app(AppTest.from_string(CARD, default_timeout=CEILING_SECONDS), run=run, **query)


def file(tmp_path, **columns) -> str:
    path = tmp_path / "preds.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return keep_file(path)


def words(app: AppTest) -> str:
    return html.unescape("\n".join(str(one.value) for one in [*app.markdown, *app.caption, *app.text]))


def tiles(app: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def bin_picker(app: AppTest):
    return next(box for box in app.selectbox if box.label == "Rows of a bin")


@pytest.mark.parametrize(("by", "bins"), [("mass", "10"), ("width", "5")])
def test_binary_tiles_are_of_the_positive_class(by, bins):
    evaluation = open_run("screening")
    counts = count_scores(evaluation, evaluation.positive)
    found = reliability(counts, by=by, bins=int(bins))
    shown = tiles(card("screening", bins=by, nbins=bins))
    assert shown == {
        "ECE": f"{calibration.expected_calibration_error(found):.3f}",
        "MCE": f"{calibration.maximum_calibration_error(found):.3f}",
        "Brier score": f"{np.mean((evaluation.y_score[:, 0] - (evaluation.y_true == evaluation.positive)) ** 2):.3f}",
        "Log loss": f"{calibration.log_loss(counts):.3f}",
    }


def test_several_classes_are_asked_for_their_prediction_first():
    evaluation = open_run("digits")
    rows = np.flatnonzero(evaluation.scored)
    right = evaluation.y_true == evaluation.y_pred
    counts = score_counts(right, evaluation.y_score.max(axis=1))
    app = card("digits")
    assert tiles(app)["Log loss"] == f"{calibration.log_loss(counts):.3f}"
    assert (confidence(evaluation, rows) == evaluation.y_score.max(axis=1)).all()
    every = log_loss(evaluation.y_true, evaluation.y_score, labels=evaluation.score_codes)
    assert f"Over all classes: {every:.3f}." in words(app)


def test_one_class_can_be_chosen_instead():
    evaluation = open_run("digits")
    app = card("digits")
    app.segmented_control(key="view.cal").set_value("class").run()
    expected = calibration.log_loss(count_scores(evaluation, evaluation.score_codes[0]))
    assert tiles(app)["Log loss"] == f"{expected:.3f}" and "striped: not" in words(app)


def test_logits_are_compared_by_their_sigmoid():
    evaluation = open_run("movie-genres")
    counts = count_scores(evaluation, evaluation.score_codes[0])
    assert tiles(card("movie-genres"))["Brier score"] == f"{calibration.brier_score(counts, from_logits=True):.3f}"


@pytest.mark.parametrize("run", ["screening", "digits", "movie-genres"])
@pytest.mark.parametrize("by", ["mass", "width"])
def test_choosing_a_bin_opens_exactly_its_rows(run, by):
    evaluation = open_run(run)
    app = card(run, bins=by, nbins="7")
    picker = bin_picker(app)
    place = len(picker.options) // 2
    picker.select_index(place).run()
    score = app.session_state["which"].score
    every = np.flatnonzero(evaluation.scored)
    values = confidence(evaluation, every) if score.code == -1 else evaluation.y_score[every, 0]
    n = int(((values >= score.low) & (values < score.high)).sum())
    assert n > 0 and f": {n:,} row" in picker.options[place]


def test_bins_go_into_the_link_and_back():
    app = card("screening", bins="width", nbins="4")
    assert app.segmented_control(key="view.bins").value == "width"
    app.number_input(key="view.nbins").set_value(20).run()
    assert (app.query_params["bins"], app.query_params["nbins"]) == ("width", "20")


def test_ties_that_leave_fewer_bins_are_said(tmp_path):
    assert "1 of 10 bins: rows of one score are never split." in words(card(file(tmp_path, label=Y, p_spam=[0.5] * N)))


def test_points_have_no_calibration_unless_logits(tmp_path):
    app = card(file(tmp_path, label=Y, logit=(P * 1000).round()))
    assert "Calibration is undefined" in words(app) and not app.metric
    app.toggle(key="calibration.sigmoid").set_value(True).run()
    assert not app.exception and "ECE" in tiles(app)


def test_two_rows_are_enough(tmp_path):
    shown = tiles(card(file(tmp_path, label=["spam", "ham"], p_spam=[0.9, 0.2])))
    assert shown["Brier score"] == f"{(0.1**2 + 0.2**2) / 2:.3f}"


def test_predictions_below_the_highest_score_are_counted(tmp_path, rng):
    names = np.array(["a", "b", "c"])
    proba = rng.dirichlet(np.ones(3), N)
    truth, pred = names[rng.integers(0, 3, N)], names[rng.integers(0, 3, N)]
    columns = {f"p_{name}": proba[:, i] for i, name in enumerate(names)}
    app = card(file(tmp_path, label=truth, prediction=pred, **columns))
    own = proba[np.arange(N), np.searchsorted(names, pred)]
    assert f"In {int((own < proba.max(axis=1)).sum())} rows the file's prediction is not the class" in words(app)
    assert tiles(app)["Brier score"] == f"{np.mean((own - (truth == pred)) ** 2):.3f}"


def test_unnormalised_scores_leave_overall_figures_undefined(tmp_path, rng):
    names = np.array(["a", "b", "c"])
    columns = {f"p_{name}": rng.random(N) for name in names}
    truth = names[rng.integers(0, 3, N)]
    app = card(file(tmp_path, label=truth, prediction=truth, **columns))
    assert "Over all classes: undefined." in words(app)
