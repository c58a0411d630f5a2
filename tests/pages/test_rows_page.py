"""The page Rows and the way to it: the words over the list, the conditions of a link, the open row."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from data.rows.selection import ScoreRange, Which, find_rows
from tests.opened_pages import open_page
from ui.rows.row_choice import view_of
from ui.view.open_runs import evaluation_of


def said(app: AppTest) -> str:
    return "\n".join(str(part.value) for part in (*app.title, *app.markdown, *app.caption, *app.text, *app.info))


@pytest.mark.parametrize(
    ("sample", "which"),
    [
        ("digits", Which((3, 5), (8, 9))),
        ("digits", Which((3,), others=True, only="errors")),
        ("screening", Which(only="scored", score=ScoreRange(1, 0.25, 0.75))),
        ("screening", Which(score=ScoreRange(-1, 0.5, float(np.nextafter(1, 2))))),
        ("movie-genres", Which((2,), only="fp")),
        ("support-intents-llm", Which((4, 5, 6), (-2,))),
    ],
)
def test_link_from_a_number_names_its_rows(sample, which):
    evaluation = evaluation_of(sample)
    app = open_page("rows", run=sample, **{name: value for name, value in view_of(evaluation, which).items() if value})
    n = len(find_rows(evaluation, which))
    assert app.title[0].value.startswith(f"{n:,} row")


def test_condition_of_a_link_can_be_removed():
    app = open_page("rows", run="screening", score="1:0.25:0.75")
    button = next(button for button in app.button if button.key == "rows.without.score")
    assert "0.25 or more, below 0.75" in button.label
    button.click().run()
    assert app.title[0].value == "109 of 10,000 rows are wrong"


def test_an_empty_selection_says_what_to_do():
    app = open_page("rows", run="digits", q="nothing like it")
    assert app.title[0].value == "0 rows: containing `nothing like it`" and "Remove a condition" in said(app)


def test_orders_are_those_of_the_file():
    orders = {sample: open_page("rows", run=sample).selectbox[-1].options for sample in ("digits", "support-intents")}
    assert "The highest loss first" in orders["digits"] and "The highest loss first" not in orders["support-intents"]
    assert "Near-duplicates beside each other" in orders["support-intents"]


def test_label_errors_say_their_rule_and_its_source():
    text = said(open_page("rows", run="digits", sort="issue"))
    assert "Northcutt, Jiang & Chuang 2021" in text and "not proof" in text


def test_next_and_previous_follow_the_order():
    app = open_page("rows", run="digits", only="errors", sort="file")
    wrong = find_rows(evaluation_of("digits"), Which(only="errors")) + 1
    for _ in range(2):
        next(button for button in app.button if button.key == "rows.Next").click().run()
    assert app.session_state["view.values"]["row"] == wrong[2]
    next(button for button in app.button if button.key == "rows.Previous").click().run()
    assert app.session_state["view.values"]["row"] == wrong[1]


def test_a_note_marks_the_row():
    app = open_page("rows", run="digits", row=7)
    (note,) = app.text_area
    note.set_value("looks wrong").run()
    assert app.session_state["view.values"]["marks"] == "7"
    assert next(button for button in app.button if button.key == "rows.mark").label == "★ Marked"


def test_unlisted_row_opens_the_first():
    right = int(find_rows(evaluation_of("digits"), Which(only="correct"))[0]) + 1
    app = open_page("rows", run="digits", only="errors", sort="file", row=right)
    assert next(button for button in app.button if button.key == "rows.Previous").disabled
