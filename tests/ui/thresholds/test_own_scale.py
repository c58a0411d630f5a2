"""Pages on scores of their own scale: what they say, what is undefined, and how a threshold is given."""

import numpy as np
import pandas as pd
import pytest

from metrics.scores.curves import score_counts
from metrics.thresholds.threshold_metrics import best_thresholds
from tests.opened_pages import open_page, texts
from tests.opened_runs import keep_file

pytestmark = pytest.mark.usefixtures("own_store")
N = 200


def points():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, N)
    return truth, np.clip(rng.integers(1, 9, N) + 2 * truth, 1, 10)


def points_of_sets():
    rng = np.random.default_rng(4)
    label_sets = rng.random((N, 3)) < 0.4
    return label_sets, np.round(rng.gamma(2, 2, (N, 3)) + 3 * label_sets, 3)


TRUTH, DECILES = points()
BEST = best_thresholds(score_counts(TRUTH == 1, DECILES))["f1"].threshold
SETS, SET_SCORES = points_of_sets()


def run(folder, **columns) -> str:
    path = folder / "points.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return keep_file(path)


@pytest.fixture
def without(tmp_path) -> str:
    return run(tmp_path, y_true=TRUTH, score=DECILES)


@pytest.fixture
def with_own(tmp_path) -> str:
    return run(tmp_path, y_true=TRUTH, y_pred=(DECILES > 6).astype(int), score=DECILES + 0.5)


@pytest.fixture
def sets(tmp_path) -> str:
    truth = [";".join(name for name, on in zip("abc", row, strict=True) if on) for row in SETS]
    return run(tmp_path, labels=truth, **{f"score_{name}": SET_SCORES[:, i] for i, name in enumerate("abc")})


@pytest.mark.parametrize("page", ["open", "overview", "confusion", "classes", "rows"])
def test_pages_ask_for_a_threshold(page, without):
    app = open_page(page, run=without)
    shown = texts(app)
    assert "Nothing is predicted" in shown or "choose a threshold" in shown
    assert ("0.5 is guessing" in shown) == (page in ("open", "overview"))


@pytest.mark.parametrize("page", ["export", "review", "choose", "glossary"])
def test_other_pages_open_without_predictions(page, without, sets):
    for one in (without, sets):
        assert open_page(page, run=one).title  # and no exception


def test_thresholds_opens_at_the_recommended_threshold(without):
    app = open_page("thresholds", run=without)
    shown = texts(app)
    assert f"**Recommended threshold: {BEST:.5g}** (Best F1, on these rows)" in shown and "t" not in app.query_params
    app.button(key="own_scale.use").click().run()
    assert not app.exception and float(app.query_params["t"][0]) == BEST
    assert "Recommended threshold" not in texts(app)
    shown = texts(open_page("thresholds", run=without, tab="calibration"))
    assert "Calibration, log loss and Brier score are undefined" in shown


def test_given_threshold_opens_every_page(without):
    for page in ("overview", "confusion", "classes", "rows", "thresholds", "export"):
        shown = texts(open_page(page, run=without, t="6.0"))
        assert "Nothing is predicted" not in shown and ("score ≥ 6" in shown or "score >= 6" in shown)


def test_predictions_of_the_file_need_no_threshold(with_own):
    assert "Nothing is predicted" not in texts(open_page("overview", run=with_own))
    shown = texts(open_page("thresholds", run=with_own))
    assert "Predictions are those of the file." in shown and "Recommended threshold" in shown


def test_label_thresholds_are_recommended_for_sets(sets):
    assert "Mean of the 3 labels where it is defined" in texts(open_page("overview", run=sets))
    shown = texts(open_page("thresholds", run=sets))
    assert "Recommended threshold" in shown
    assert "One for each label" in texts(open_page("thresholds", run=sets, tab="classes"))
    assert "Nothing is predicted" in texts(open_page("overview", run=sets, each="0:4.0"))
    for view in ({"each": "0:4.0,1:5.0,2:6.0"}, {"t": "5.0"}, {"t": "5.0", "each": "0:4.0"}):
        assert "Nothing is predicted" not in texts(open_page("overview", run=sets, **view))


def test_glossary_says_why_it_is_undefined(without):
    for sought, why in (("brier", "no probabilities."), ("matthews", "and no threshold is given.")):
        shown = texts(open_page("glossary", run=without, q=sought))
        assert f"Undefined: the scores are on a scale of their own, {why}" in shown


def test_refused_cell_can_use_its_own_scale(tmp_path):
    cells = [f"{value:.0f}%" for value in np.linspace(1, 99, N)]
    cells[7] = "850%"
    opened = run(tmp_path, y_true=TRUTH, score=cells)
    app = open_page("open", run=opened)
    assert "row 8: '850%' is not per cent" in texts(app)
    [scale] = [box for box in app.selectbox if box.label == "Scores are"]
    scale.set_value("score")
    next(box for box in app.selectbox if box.label == "True label").set_value("y_true")
    next(box for box in app.multiselect if box.label == "Scores").set_value(["score"])
    next(button for button in app.button if button.label == "Apply").click().run()
    assert not app.exception and "choose a threshold" in texts(app)
