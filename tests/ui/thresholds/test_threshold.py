"""The rows behind the lab's numbers are as many as the numbers say."""

from dataclasses import replace

import numpy as np
import pytest

from data.evaluation import MISSING
from data.rows.selection import rows_of
from metrics.confusion.label_metrics import per_class
from metrics.multilabel.set_metrics import per_label
from metrics.thresholds.threshold_metrics import rates_at
from tests.opened_pages import open_page
from tests.opened_runs import open_run
from ui.thresholds.threshold import judged, which_side
from ui.view import cache


@pytest.fixture(scope="module", params=["screening", "digits", "movie-genres"])
def evaluation(request, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLINDSPOT_STORE", str(tmp_path_factory.mktemp("store")))
        yield open_run(request.param)


@pytest.mark.parametrize("threshold", [-0.7, 0.0, 0.3, 0.5, 1.1])
def test_each_side_holds_as_many_rows_as_its_count(evaluation, threshold):
    for code in {evaluation.score_codes[0], evaluation.score_codes[-1]}:
        now = rates_at(cache.scores(evaluation, code), threshold)
        found = {side: rows_of(evaluation, which_side(code, threshold, side)) for side in ("tp", "fp", "fn", "tn")}
        assert {side: len(rows) for side, rows in found.items()} == {side: getattr(now, side) for side in found}


def test_a_side_holds_its_own_rows_and_no_others(evaluation):
    code = evaluation.score_codes[-1]
    score = evaluation.y_score[:, evaluation.score_codes.index(code)]
    is_true = evaluation.y_true[:, code] if evaluation.task == "multilabel" else evaluation.y_true == code
    for side, called, positive in (("tp", 1, 1), ("fp", 1, 0), ("fn", 0, 1), ("tn", 0, 0)):
        found = rows_of(evaluation, which_side(code, 0.2, side))
        assert ((score[found] >= 0.2) == called).all() and (is_true[found] == positive).all()


def test_a_row_without_a_score_takes_no_part(evaluation):
    code = evaluation.score_codes[-1]
    bare = replace(evaluation, y_score=np.full_like(evaluation.y_score, np.nan))
    assert not any(len(rows_of(bare, which_side(code, 0.2, side))) for side in ("tp", "fp", "fn", "tn"))


@pytest.mark.parametrize(("run", "name"), [("digits", "8"), ("movie-genres", None)])
def test_the_lab_opens_on_the_weakest_class_that_the_file_asks_about(run, name):
    app = open_page("thresholds", run=run)
    assert not app.exception
    evaluation = open_run(run)
    many = evaluation.task == "multilabel"
    per = per_label(cache.multilabel(evaluation)) if many else per_class(cache.confusion(evaluation))
    weakest = evaluation.labels[int(np.argmin(np.where(per.support > 0, per.f1, 2)))]
    assert app.query_params["class"] == weakest and name in (None, weakest)


def test_a_page_without_scores_leads_to_samples_that_have_them():
    app = open_page("thresholds", run="support-intents")
    assert "Open another file" in [link.proto.label for link in app.get("page_link")]
    app = app.button(key="way.digits").click().run()
    assert not app.exception and app.query_params["run"] == "digits"


def test_the_scores_are_tried_on_the_rows_that_a_threshold_predicts(evaluation):
    assert judged(evaluation) is evaluation, "every row has a prediction: nothing changes"
    if evaluation.task != "binary":
        return
    y_pred, scored = evaluation.y_pred.copy(), evaluation.scored.copy()
    y_pred[:5], scored[:5] = MISSING, False
    gaps = replace(evaluation, y_pred=y_pred, scored=scored, fingerprint="with gaps")
    assert judged(gaps).scored.sum() == gaps.scored.sum() + 5
