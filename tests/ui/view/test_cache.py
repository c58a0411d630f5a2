"""Test that what takes too long is stopped and says so in its place; the rest of the page is there."""

from itertools import count

import pytest
import streamlit as st

from data.errors import DataError
from tests.opened_pages import open_page, texts
from ui.view.cache import limit_time, result_or_reason

STOPPED = "took longer than 180 seconds and was stopped; open fewer rows of the file, or whoever runs the server can "


@pytest.fixture
def no_time(monkeypatch, tmp_path):
    """Whatever asks for the time learns that more has passed than is allowed."""
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path))
    clock = count(step=200.0)
    monkeypatch.setattr("ui.view.cache.monotonic", lambda: next(clock))
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


def test_report_passes_the_share_on():
    told = []
    report = limit_time("Counting", told.append)
    report(0.0)
    report(0.5)
    assert told == [0.0, 0.5]


def test_it_ends_with_a_sentence_of_advice(no_time):
    with pytest.raises(DataError) as stopped:
        limit_time("Counting", instead="count less")(0.5)
    assert str(stopped.value) == (
        "Counting took longer than 180 seconds and was stopped; count less, or whoever runs the server can raise it "
        "with BLINDSPOT_SECONDS."
    )


def test_stop_reason_is_kept_without_the_work(no_time):
    found = result_or_reason("Counting", lambda report: report(0.0))
    assert isinstance(found, DataError) and found.__traceback__ is None


def opened(**view):
    app = open_page("thresholds", **view)
    assert not app.exception
    return app


def test_slow_part_of_a_class_is_missing_alone(no_time, monkeypatch):
    views = {
        "Drawing the bands": {"bands": "1"},
        "Estimating what new data will give": {"by": "f1", "tab": "choose"},
        "Judging the two thresholds on other rows": {"low": "0.02", "t": "0.1"},
    }
    short = {what: opened(run="screening", **view) for what, view in views.items()}
    assert all(texts(app).count(f"{what} {STOPPED}") == 1 for what, app in short.items())
    monkeypatch.setattr("ui.view.cache.monotonic", lambda: 0.0)
    st.cache_resource.clear()
    for what, view in views.items():
        whole = opened(run="screening", **view)
        assert STOPPED not in texts(whole) and whole.title[0].value == short[what].title[0].value
        assert len(short[what].dataframe) == len(whole.dataframe)


def test_stopped_work_is_not_begun_again(no_time, monkeypatch):
    app = opened(run="screening", tab="choose")
    monkeypatch.setattr("ui.view.cache.monotonic", lambda: 0.0)
    assert "Estimating what new data will give " + STOPPED in texts(app.run())


def test_slow_label_thresholds_leave_the_page(no_time):
    app = opened(run="movie-genres", tab="classes")
    said = texts(app)
    assert f"Looking for the best thresholds {STOPPED}" in said
    assert "The ROC AUC and interval of every label took longer than 180 seconds and was stopped; load the page" in said
    assert "One threshold for all labels, or one for each" in [part.value for part in app.header]


def test_label_thresholds_show_without_slow_judging(no_time, monkeypatch):
    monkeypatch.setattr("ui.view.cache.monotonic", lambda: 0.0)
    opened(run="movie-genres", tab="classes")  # the thresholds are found, and kept
    from ui.thresholds import label_choices

    label_choices._fit.clear()
    clock = count(step=200.0)
    monkeypatch.setattr("ui.view.cache.monotonic", lambda: next(clock))
    said = texts(opened(run="movie-genres", tab="classes"))
    assert f"Judging the thresholds by cross-validation {STOPPED}" in said
    assert "A threshold for each label gives macro F1" in said and "held-out" not in said
    assert "takes some seconds" not in said
