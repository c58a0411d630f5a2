"""Marks and notes: in the link as ranges, in the tab with their notes, file by file."""

import pytest
from hypothesis import given, strategies as st
from streamlit.testing.v1 import AppTest

from tests.ceiling import CEILING_SECONDS
from tests.opened_pages import run_app
from ui.limits import MAX_MARKS
from ui.rows.marks import IN_LINK, marks_for_link, read_numbers
from ui.view.url import write_ranges

pytestmark = pytest.mark.usefixtures("own_store")


@given(st.sets(st.integers(1, 3000)))
def test_numbers_survive_the_way_through_the_link(numbers):
    assert read_numbers(write_ranges(numbers)) == sorted(numbers)


@given(st.sets(st.integers(1, 10**9), max_size=400))
def test_long_marks_are_cut_between_numbers(numbers):
    text, held = marks_for_link(numbers)
    assert len(text) <= IN_LINK
    assert read_numbers(text) == sorted(numbers)[:held]
    assert held == len(numbers) or len(write_ranges(numbers)) > IN_LINK


@pytest.mark.parametrize(
    "text", ["a", "1-", "-3", "1,,2", "1.5", "1-2-3", "٣-", f"1-{MAX_MARKS + 1}", f"1-{10**12}", "9" * 40]
)
def test_a_link_with_other_marks_is_refused(text):
    with pytest.raises(ValueError, match=r"wanted|at most"):
        read_numbers(text)


def test_backward_ranges_hold_nothing():
    assert read_numbers("7-3") == []


APP = """
import streamlit as st
from data.samples import load_sample_paths
from ui.rows import marks
from ui.view import state, url
from ui.view.address import begin_page, end_page

begin_page("rows")
evaluation = state.evaluation()
for number, on in st.session_state.pop("do", []):
    marks.mark(number, on)
for number, text in st.session_state.pop("notes", []):
    marks.write_note(number, text)
st.session_state["seen"] = dict(marks.marks_in_view(evaluation))
end_page("rows")
"""


def opened(**query: str) -> AppTest:
    return run_app(AppTest.from_string(APP, default_timeout=CEILING_SECONDS), **query)


def seen(app: AppTest) -> dict[int, str]:
    return app.session_state["seen"]


def did(app: AppTest, **what) -> AppTest:
    for name, value in what.items():
        app.session_state[name] = value
    app.run()
    assert not app.exception
    return app


def test_marks_in_a_link_are_marked():
    assert seen(opened(run="digits", marks="3-5,12")) == {3: "", 4: "", 5: "", 12: ""}


def test_marks_and_notes_go_into_the_link():
    app = did(opened(run="digits"), do=[(7, True), (2, True), (8, True)], notes=[(7, " odd "), (9, "new")])
    assert seen(app) == {2: "", 7: "odd", 8: "", 9: "new"}
    assert app.session_state["view.values"]["marks"] == "2,7-9"
    assert seen(did(app, do=[(7, False)])) == {2: "", 8: "", 9: "new"}


def test_an_emptied_note_keeps_its_mark():
    app = did(opened(run="digits"), notes=[(7, "odd")])
    assert seen(did(app, notes=[(7, "  ")])) == {7: ""}


def test_other_links_marks_are_added():
    app = did(opened(run="digits"), notes=[(7, "odd")])
    app.query_params["marks"] = "1,7"
    app.query_params["only"] = "errors"
    assert seen(did(app)) == {1: "", 7: "odd"}


def test_a_link_without_marks_takes_none_away():
    app = did(opened(run="digits"), notes=[(7, "odd")])
    app.query_params.clear()
    app.query_params["run"] = "digits"
    app.query_params["only"] = "errors"
    assert seen(did(app)) == {7: "odd"}
    assert app.session_state["view.values"]["marks"] == "7"


def test_marks_belong_to_their_file():
    app = did(opened(run="screening"), notes=[(7, "odd")])
    app.query_params["t"] = "0.25"
    assert seen(did(app)) == {7: "odd"}
    app.query_params.clear()
    app.query_params["run"] = "digits"
    assert seen(did(app)) == {}
    app.query_params.clear()
    app.query_params["run"] = "screening"
    assert seen(did(app)) == {7: "odd"}


@pytest.mark.parametrize(
    ("marks", "said"),
    [("1,999999999", "1 of the 2 rows that the link marks are not in this file."), ("x", "row numbers such as 3-7,12")],
)
def test_marks_that_cannot_be_used_are_said(marks, said):
    assert said in "\n".join(text.value for text in opened(run="digits", marks=marks).text)
