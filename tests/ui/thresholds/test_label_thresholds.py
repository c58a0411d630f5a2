"""Thresholds for several labels on the page: scikit-learn's numbers, and buttons that change every page."""

import numpy as np
import pytest
from sklearn.metrics import f1_score
from streamlit.testing.v1 import AppTest

from data.runs.written_options import read_each
from tests.ceiling import CEILING_SECONDS
from tests.opened_pages import run_app, shown_tables
from tests.opened_runs import open_run
from ui.thresholds.label_choices import Choices, choices, judge_on_other_rows
from ui.view import url


@pytest.fixture(scope="module")
def genres():
    return open_run("movie-genres")


def script():
    import streamlit as st

    from ui.frame import loaded
    from ui.thresholds import label_thresholds
    from ui.view import state
    from ui.view.address import begin_page, end_page

    begin_page("thresholds")
    state.evaluation()  # as the sidebar does, before the page
    evaluation = loaded.need_evaluation("")
    st.session_state["predicted"] = evaluation.y_pred, evaluation.fingerprint
    st.session_state["own"] = state.own_thresholds(evaluation)
    if evaluation.task == "multilabel":
        label_thresholds.section(evaluation)
    end_page("thresholds")


def opened(run="movie-genres", **query):
    return run_app(AppTest.from_function(script, default_timeout=CEILING_SECONDS), run=run, **query)


def said(app):
    return "\n".join(str(part.value) for part in [*app.markdown, *app.caption, *app.text, *app.info])


def predicted(app):
    return app.session_state["predicted"][0]


def press(app, key):
    next(button for button in app.button if button.key == key).click().run()
    assert not app.exception


def macro_f1(evaluation, guess):
    return np.mean([f1_score(evaluation.y_true[:, i], guess[:, i]) for i in range(len(evaluation.labels))])


def test_every_ways_numbers_are_scikit_learns(genres):
    app, found = opened(), choices(genres)
    text = said(app)
    for thresholds in (0.0, found.micro.threshold, found.macro.threshold, np.array(list(found.each.values()))):
        guess = genres.y_score >= thresholds
        assert f"{f1_score(genres.y_true, guess, average='micro'):.3f}" in text
        assert f"{macro_f1(genres, guess):.3f}" in text
        assert f"{100 * (genres.y_true == guess).all(axis=1).mean():.1f}" in text
        assert f"{100 * (genres.y_true == guess).mean():.1f}" in text
        assert f"{guess.sum(axis=1).mean():.2f}" in text
    held_out = judge_on_other_rows(genres)
    assert f"{2 * held_out.each.tp.sum() / (held_out.each.support + held_out.each.predicted).sum():.3f}" in text


def test_every_label_stands_in_one_table(genres):
    table = shown_tables(opened(each="0:0.3"))["Every label's threshold"]
    best = choices(genres).each
    for place, (code, line) in enumerate(zip(genres.score_codes, table, strict=True)):
        truth, scores = genres.y_true[:, code], genres.y_score[:, place]
        used, own = (f1_score(truth, scores >= cut) for cut in (0 if code else 0.3, best[code]))
        texts = [cell["text"] for cell in line]
        assert texts[0] == genres.labels[code] and texts[1] == f"{truth.sum():,}"
        assert texts[3:5] == ["0.0" if code else "0.3", f"{used:.3f}"]
        assert texts[-2:] == [f"{best[code]:.3f}".replace("-", "−"), f"{own:.3f}"]


def test_best_per_label_is_used_everywhere(genres):
    app = opened()
    press(app, "label_thresholds.use.the best F1 of each")
    each = read_each(app.query_params["each"], genres)
    assert each == choices(genres).each
    assert (predicted(app) == (genres.y_score >= np.array([each[code] for code in genres.score_codes]))).all()
    assert "In use" in [button.label for button in app.button]


def test_one_for_all_replaces_label_thresholds(genres):
    app = opened(each="0:0.5,3:-1.2")
    assert app.session_state["own"] == {0: 0.5, 3: -1.2} and "2 labels apart" in said(app)
    press(app, "label_thresholds.use.best micro F1")
    best = choices(genres).micro.threshold
    assert "each" not in app.query_params and float(app.query_params["t"]) == best
    assert (predicted(app) == (genres.y_score >= best)).all()
    press(app, "label_thresholds.use.the default")
    assert not {"t", "each"} & set(app.query_params) and (predicted(app) == genres.y_pred).all()


def test_label_threshold_is_typed_set_and_removed(genres):
    app = opened(t="-0.5", **{"class": "drama"})
    code = genres.labels.index("drama")
    field = app.number_input(key=f"label_thresholds.own.{code}")
    assert field.value == -0.5
    field.set_value(1.25).run()
    assert app.query_params["each"] == f"{code}:1.25"
    column = genres.score_codes.index(code)
    expected = genres.y_score >= np.where(np.arange(genres.y_score.shape[1]) == column, 1.25, -0.5)
    assert (predicted(app) == expected).all()
    f1 = f1_score(genres.y_true[:, code], expected[:, code])
    assert f"F1 {f1:.3f}" in said(app)
    press(app, "label_thresholds.best")
    assert app.session_state["own"] == {code: choices(genres).each[code]}
    press(app, "label_thresholds.others")
    assert "each" not in app.query_params and (predicted(app) == (genres.y_score >= -0.5)).all()


@pytest.mark.parametrize("each", ["nonsense", "0:x", "99:0.5", "0:0.5,0:0.6"])
def test_unreadable_thresholds_are_named_once(genres, each):
    app = opened(each=each)
    assert "Ignored each in the link:" in said(app)
    assert (predicted(app) == genres.y_pred).all() and "each" not in app.query_params
    app.run()
    assert "Ignored each" not in said(app)


def test_other_tasks_ignore_thresholds_of_single_labels():
    app = opened("digits", each="0:0.5")
    assert (predicted(app) == open_run("digits").y_pred).all()


def test_too_many_thresholds_for_a_link_are_refused(monkeypatch):
    def short(text):
        if len(text) > 30:
            raise ValueError("it is longer than 30 characters")
        return text

    monkeypatch.setitem(url.PARAMETERS, "each", url.Parameter("", short))
    app = opened()
    button = next(b for b in app.button if b.key == "label_thresholds.use.the best F1 of each")
    assert button.disabled and "A link cannot hold so many" in button.help


def test_large_files_are_cross_fitted_only_when_asked(monkeypatch, genres):
    monkeypatch.setattr("ui.thresholds.label_choices._CELLS", 10)
    app = opened()
    assert "held-out" not in said(app)
    press(app, "label_thresholds.ask")
    assert "on held-out rows" in said(app)


def test_choices_hold_what_the_scores_decide(genres):
    found = choices(genres)
    assert isinstance(found, Choices) and found.n_true == len(genres.labels)
    assert found.n_distinct == sum(len(np.unique(column)) for column in genres.y_score.T)


def lab_script():
    import streamlit as st

    from ui.view import state
    from ui.view.address import begin_page, end_page

    begin_page("thresholds")
    evaluation = state.original()
    st.session_state["of"] = [state.threshold_of(evaluation, code) for code in (0, 1)]
    st.button("own", on_click=state.put_threshold, args=(evaluation, 0, 0.75))
    st.button("all", on_click=state.put_threshold, args=(evaluation, 1, -0.25))
    end_page("thresholds")


def test_label_threshold_goes_to_label_or_all():
    app = AppTest.from_function(lab_script, default_timeout=CEILING_SECONDS)
    app.query_params["run"], app.query_params["each"] = "movie-genres", "0:0.5"
    assert app.run().session_state["of"] == [0.5, 0.0]
    app.button[0].click().run()
    assert app.session_state["of"] == [0.75, 0.0] and app.query_params["each"] == "0:0.75"
    app.button[1].click().run()
    assert app.session_state["of"] == [0.75, -0.25] and app.query_params["t"] == "-0.25"
