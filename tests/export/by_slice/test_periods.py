"""A metric over time is drawn the same on the page and in the report, and its title says when it fell."""

import pyarrow as pa
import pytest

from charts.over_time import over_time_figure
from charts.theme import ACCENT
from data.building.build import build
from data.evaluation import Settings
from export.by_slice.period_result import find_periods
from export.pictures.periods import periods_picture

RIGHT = {"2026-01": 90, "2026-02": 88, "2026-03": 60, "2026-04": 55}


def find(since, right=RIGHT, weights=None):
    days = [f"{month}-{1 + row % 28:02}" for month in right for row in range(100)] + [None]
    pred = [label for n in right.values() for label in ["a"] * n + ["b"] * (100 - n)] + ["b"]
    table = pa.table({"y": ["a"] * len(pred), "p": pred, "day": days, "w": weights or [1.0] * len(pred)})
    settings = Settings(truth="y", pred="p", weights="w" if weights else "")
    evaluation = build(table, settings, name="d", content_sha256="0")
    return find_periods(evaluation, "day", since, level=0.95, clusters=None)


def test_title_names_levels_and_first_worse():
    periods = find("2026-03")
    assert [(mark.name, mark.n, mark.value) for mark in periods.marks] == [(m, 100, n / 100) for m, n in RIGHT.items()]
    assert periods.spans == [(-0.5, 1.5, pytest.approx(1.78 / 2)), (1.5, 3.5, pytest.approx(1.15 / 2))]
    first = "2026-03 is the first of 2 periods that are clearly worse"
    assert periods.title == f"Accuracy is 89.0 % before 2026-03, 57.5 % from then on: {first}"


def test_time_within_a_period_has_one_level():
    right = RIGHT | {"2026-03": 90, "2026-04": 90}
    periods = find("2026-03-11", right)
    share = sum(right.values()) / 401  # the row without a date is wrong, and in no period
    assert periods.spans == [(-0.5, 3.5, pytest.approx(share * 401 / 400))]
    assert periods.title == "Accuracy is 89.5 % over all periods: no single period is clearly worse"


@pytest.mark.parametrize(("since", "cut"), [("2026-03-01", 2), ("2026-01", 0), ("2026-05", 0), ("2025-12", 0)])
def test_time_between_two_periods_cuts_there(since, cut):
    assert find(since).cut == cut


def test_period_without_rows_cuts_before_the_next():
    right = RIGHT | {"2026-05": 50, "2026-06": 55}
    del right["2026-03"]
    assert find("2026-03", right).cut == 2


def test_undefined_level_is_not_drawn():
    periods = find("2026-03")._replace(levels=(float("nan"), 0.5))
    assert [shape.y0 for shape in over_time_figure(periods).layout.shapes if shape.line.dash == "dot"] == [0.5]


def test_both_pictures_mark_the_worse_periods():
    periods = find("2026-03", RIGHT | {"2026-04": 87})
    assert periods.title.endswith(": 2026-03 is clearly worse than the others")
    (worse,) = (trace for trace in over_time_figure(periods).data if trace.marker.color == ACCENT)
    assert list(worse.x) == [2] and list(worse.y) == [0.6]
    drawn = periods_picture(periods).drawn("over-time")
    assert drawn.count(f'stroke="{ACCENT}"') == 2 and "2026-03: 60.0 %" in drawn and "from 2026-03 on" in drawn


def test_periods_are_weighted():
    """Right rows weigh 3: of January, where 90 of 100 are right, 270 of 280."""
    weights = [3.0 if place < n else 1.0 for n in RIGHT.values() for place in range(100)] + [1.0]
    periods = find("2026-03", weights=weights)
    assert [mark.value for mark in periods.marks] == pytest.approx([3 * n / (100 + 2 * n) for n in RIGHT.values()])
    assert [mark.n for mark in periods.marks] == [100] * 4
    assert periods.levels == pytest.approx((3 * 178 / (200 + 2 * 178), 3 * 115 / (200 + 2 * 115)))
