"""One class from both sides."""

import html

import numpy as np
import pytest

from charts.classes import taken_for, taken_for_table, taken_from, taken_from_table
from charts.theme import ACCENT, MODEL
from metrics.confusion.counts import UNPARSEABLE, confusion_counts

LABELS = ("refund", "<b>billing</b>", "card $x$", "never", "absent")
COUNTS = confusion_counts(
    np.array([0] * 10 + [1] * 5 + [3]),
    np.array([0] * 6 + [1] * 2 + [UNPARSEABLE, 2] + [1] * 4 + [0] + [1]),
    labels=LABELS,
)


def title(fig) -> str:
    return html.unescape(fig.layout.title.text).replace("<br>", " ")


def test_what_a_class_is_taken_for_fullest_first():
    fig = taken_for(COUNTS, 0)
    (bars,) = fig.data
    assert list(bars.x) == [6, 2, 1, 1]
    assert [html.unescape(text) for text in fig.layout.yaxis.ticktext][:2] == ["refund", "<b>billing</b>"]
    assert title(fig) == "6 of the 10 rows of refund are recognised (60%)"
    assert fig.layout.yaxis.autorange == "reversed", "the first bar is at the top"


def test_what_is_taken_for_a_class():
    fig = taken_from(COUNTS, 1)
    assert list(fig.data[0].x) == [4, 2, 1]
    assert [html.unescape(text) for text in fig.layout.yaxis.ticktext] == ["<b>billing</b>", "refund", "never"]
    assert title(fig) == "4 of the 7 rows called <b>billing</b> are it (57%)"


def test_right_rows_look_unlike_mistakes_in_colour_and_in_form():
    marker = taken_from(COUNTS, 1).data[0].marker
    assert list(marker.color) == [MODEL, ACCENT, ACCENT]
    assert list(marker.pattern.shape) == ["", "/", "/"]


@pytest.mark.parametrize(("chart", "code", "words"), [(taken_for, 4, "no true row"), (taken_from, 3, "never predicts")])
def test_nothing_to_draw_is_said(chart, code, words):
    fig = chart(COUNTS, code)
    assert not fig.data and words in fig.layout.annotations[0].text.replace("<br>", " ")


def test_bars_beyond_the_limit_are_added_up():
    y_pred = np.repeat(np.arange(30), np.arange(30, 0, -1))
    counts = confusion_counts(np.zeros_like(y_pred), y_pred, labels=tuple(f"c{i}" for i in range(30)))
    fig = taken_for(counts, 0, bars=5)
    assert sum(fig.data[0].x) == counts.support[0]
    assert fig.layout.yaxis.ticktext[-1] == "<i>25 more</i>"


def test_hostile_labels_are_inert():
    text = taken_for(COUNTS, 1).to_json() + taken_for(COUNTS, 0).to_json()
    assert "<b>billing" not in text and "$x$" not in text


def test_the_tables_hold_all_rows_with_the_labels_as_they_are():
    table = taken_for_table(COUNTS, 0)
    assert table["rows"].sum() == 10 and table["share"].sum() == pytest.approx(1)
    assert table["predicted"].tolist()[1] == "<b>billing</b>"
    assert taken_from_table(COUNTS, 1)["true"].tolist() == ["<b>billing</b>", "refund", "never"]
    assert len(taken_for_table(COUNTS, 4)) == 0
