"""Pictures of groups mark the rates of the result, the gap and four fifths; names of the file are escaped."""

import math

import numpy as np
import pyarrow as pa
import pytest

from charts.groups import rate_figure, wrong_rows_figure
from data.building.build import build
from data.comparison.slice_columns import slices_by
from data.evaluation import Settings
from export.by_slice.group_pictures import SHOWN, count_left_out, draw_groups, rate_pictures
from export.by_slice.groups import compare_groups, compare_rates

_SIZES = {"A": 400, "<b>B</b>": 300, "few": 4}


def groups_of(sizes):
    """Of A 60 % are predicted positive, of every other group 20 %; half of each group is positive."""
    region = np.repeat([*sizes], [*sizes.values()])
    place = np.concatenate([np.arange(n) for n in sizes.values()])
    pred = place % 10 < np.where(region == "A", 6, 2)
    table = pa.table({"y": np.where(place % 2, "+", "-"), "p": np.where(pred, "+", "-"), "region": region})
    evaluation = build(table, Settings(truth="y", pred="p", positive="+"), name="d", content_sha256="0")
    way, code = slices_by(evaluation.rows, "region"), evaluation.labels.index("+")
    return compare_groups(evaluation, way, compare_rates(evaluation, way, code), code)


@pytest.fixture(scope="module")
def selection():
    return next(rate_pictures(groups_of(_SIZES)))


def test_marks_are_rates_of_the_groups(selection):
    drawn = rate_figure(selection.marks, selection.gap, "t", selection.takeaway, four_fifths=True)
    enough, few, bracket = drawn.data
    assert {round(x, 12) for x in enough.x} == {0.6, 0.2} and few.marker.symbol == "circle-open"
    assert sorted(round(x, 12) for x in bracket.x) == [0.2, 0.6]
    assert drawn.layout.shapes[0].x0 == pytest.approx(0.8 * 0.6)
    assert selection.takeaway.startswith("gap 0.400 (") and "ratio 0.333, below four fifths" in selection.takeaway


def test_names_of_groups_are_escaped(selection):
    drawn = rate_figure(selection.marks, selection.gap, "t", selection.takeaway, four_fifths=True)
    assert any("&lt;b&gt;B" in name for name in drawn.layout.yaxis.ticktext)
    assert not any("<b>B" in text for text in (*drawn.data[0].customdata, *drawn.layout.yaxis.ticktext))
    svg = draw_groups(groups_of(_SIZES))["groups-selection_rate"].drawn("x")
    assert "<b>" not in svg and "&lt;b&gt;B" in svg and 'class="paper" stroke' in svg


def test_undefined_rate_is_no_mark():
    recall = [*rate_pictures(groups_of({"A": 400, "B": 300, "one": 1}))][1]
    (one,) = (mark for mark in recall.marks if mark.name == "one")
    assert math.isnan(one.rate.value) and one.few
    assert len(rate_figure(recall.marks, recall.gap, "t", "").data[1].x) == 0


def test_pictures_of_many_groups_say_so():
    found = groups_of({"A": 40} | {f"g{n:02}": 20 for n in range(19)})
    assert count_left_out(found) == 20 - SHOWN
    assert all(
        len(picture.marks) == SHOWN and "A" in {m.name for m in picture.marks} for picture in rate_pictures(found)
    )


def test_wrong_rows_stand_at_their_bars():
    drawn = wrong_rows_figure([("now", 12), ("same recall", 9)], "t")
    assert list(drawn.data[0].x) == [12, 9] and drawn.data[0].text[0] == "12"
