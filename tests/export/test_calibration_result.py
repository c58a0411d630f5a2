"""Page and report get one table of calibration errors and one of bins; undefined calibration gives none."""

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import log_loss

from export.evaluation.calibration_result import BinnedScores, bins_table, calibration_errors, calibration_result
from export.measurement import measure
from export.result.frame import to_frame
from metrics.scores.curves import score_counts
from metrics.scores.reliability import reliability
from tests.opened_runs import open_run


def binned(truth, score, **how):
    counts = score_counts(np.array(truth), np.array(score, float))
    return BinnedScores(counts, reliability(counts, **how), "right")


def test_bins_equal_those_of_scikit_learn():
    rng = np.random.default_rng(3)
    score = rng.random(500)
    truth = rng.random(500) < score**2
    table = to_frame(bins_table(binned(truth, score, by="width", bins=20)))
    share, mean = calibration_curve(truth, score, n_bins=20)
    np.testing.assert_allclose(table["share right"], share)
    np.testing.assert_allclose(table["mean probability"], mean)
    np.testing.assert_allclose(table["gap"], mean - share)
    assert table["rows"].sum() == 500 and table["right"].sum() == truth.sum()
    assert (table["share right low"] <= share).all() and (table["share right high"] >= share).all()


def test_report_writes_scores_and_shares_alike():
    result = calibration_result(measure(open_run("screening")))
    drawn = result.pictures["reliability-diagram"].drawn("diagram")
    assert drawn.count(">10 %<") == 2 and ">0.1<" not in drawn
    line = result.tables[1].rows[-1]
    assert [cell.written.text for cell in line[4:]] == ["8.2 %", "8.1 %", "+0.1 points"]


def test_empty_bins_have_no_line():
    table = to_frame(bins_table(binned([True, False], [0.9, 0.2], by="width", bins=100)))
    assert len(table) == 2 and not table.isna().any(axis=None)


def test_errors_equal_those_by_hand():
    errors = {row[0]: (row[1].value, row[2]) for row in calibration_errors(binned([True, False], [0.9, 0.2])).rows}
    assert errors["ECE"][0] == pytest.approx((0.1 + 0.2) / 2)
    assert errors["MCE"][0] == pytest.approx(0.2) and "1 row scored around 20.0 %" in errors["MCE"][1]
    assert errors["Brier score"][0] == pytest.approx((0.1**2 + 0.2**2) / 2)
    assert errors["Log loss"][0] == pytest.approx(-(np.log(0.9) + np.log(0.8)) / 2)
    assert "it would be 0.693." in errors["Log loss"][1]


def test_predictions_have_losses_over_all_classes():
    evaluation = open_run("digits")
    errors = calibration_result(measure(evaluation)).tables[0]
    every = log_loss(evaluation.y_true, evaluation.y_score, labels=evaluation.score_codes)
    assert f"Over all classes: {every:.3f}." in errors.rows[3][2]


@pytest.mark.parametrize("sample", ["screening", "support-intents"])
def test_every_bin_is_drawn_and_listed(sample):
    result = calibration_result(measure(open_run(sample)))
    drawn = result.pictures["reliability-diagram"].drawn("diagram")
    assert drawn.count("<circle") == len(result.tables[1].rows) == 10


def test_label_sets_have_no_one_calibration():
    assert calibration_result(measure(open_run("movie-genres"))) is None
