"""Test what became of free text answers as a picture."""

import html

from charts.outcomes import Outcome, outcome_bars
from charts.theme import ACCENT, MODEL, REFERENCE

FOUND = [
    Outcome("exact", "label", 60, 8),
    Outcome("normalised", "label", 20, 11),
    Outcome("outside the label space", "not listed", 5, 2),
    Outcome("refusal", "nothing", 12, 7),
    Outcome("empty", "nothing", 3, 1),
]


def title(fig) -> str:
    return html.unescape(fig.layout.title.text).replace("<br>", " ")


def test_every_outcome_has_its_bar_in_order():
    fig = outcome_bars(FOUND)
    drawn = [bar for trace in fig.data for bar in zip(trace.y, trace.x, trace.customdata, strict=True)]
    bars = {int(place): (int(rows), data[0]) for place, rows, data in drawn}
    assert [bars[place] for place in range(5)] == [(one.rows, one.name) for one in FOUND]
    assert list(fig.layout.yaxis.ticktext) == [one.name for one in FOUND]
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1], "the first bar is at the top"


def test_kinds_differ_in_colour_and_form():
    fig = outcome_bars(FOUND)
    assert [trace.marker.color for trace in fig.data] == [MODEL, REFERENCE, ACCENT]
    assert len({trace.marker.pattern.shape for trace in fig.data}) == 3
    assert fig.layout.showlegend


def test_the_title_counts_what_could_not_be_read():
    expected = "15 rows without a label: refusal 12, empty 3"
    assert title(outcome_bars(FOUND)) == expected
    assert title(outcome_bars(FOUND[:3])) == ("A label was found in all 85 rows; in 5 it is not in the label list")
    assert title(outcome_bars(FOUND[:1] + FOUND[4:])) == "3 rows without a label: empty"


def test_tiny_share_is_not_shown_as_zero():
    fig = outcome_bars([Outcome("exact", "label", 9_999, 1), Outcome("empty", "nothing", 1, 1)])
    assert [html.unescape(text) for trace in fig.data for text in trace.text] == ["9,999 (> 99.9 %)", "1 (< 0.1 %)"]


def test_no_scored_row_is_said():
    fig = outcome_bars([])
    assert not fig.data and "No scored rows" in fig.layout.annotations[0].text
