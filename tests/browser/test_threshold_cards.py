"""The steps Choose and Calibration in the hand: a choice put into force, undecided rows, and the rows of a bin."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from metrics.findings.tables import count_scores
from metrics.scores.curves import score_counts
from metrics.scores.reliability import reliability
from metrics.thresholds.threshold_metrics import rates_at
from tests.browser.driver import rerun, show
from tests.browser.gestures import click_drawn, settled
from tests.browser.test_lab import field, lab, shown, slider
from tests.browser.test_label_thresholds import query
from tests.opened_runs import open_run
from text.numbers import write_threshold

pytestmark = pytest.mark.one_session


@pytest.fixture(scope="module", autouse=True)
def screening(tmp_path_factory):
    """Truth and score of a sample."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLINDSPOT_STORE", str(tmp_path_factory.mktemp("store")))
        found = open_run("screening")
        yield found.y_true == found.positive, found.y_score[:, 0]


def fill(page, name: str, value: str) -> None:
    place = page.get_by_label(name, exact=True)
    with rerun(page):
        place.fill(value)
        place.press("Enter")


def choose_by(page, name: str) -> None:
    with rerun(page):
        page.get_by_role("radiogroup", name="What must the threshold do?").get_by_text(name).first.click()


def use(page) -> float:
    with rerun(page):
        page.get_by_role("button", name="Use this threshold").click()
    expect(page.get_by_role("button", name="In use", exact=True)).to_be_disabled()
    return float(query(page)["t"])


def compared(page, column: str) -> list[int]:
    """The four counts of a column of the table: TP, FN, FP, TN."""
    return [int(text.replace(",", "")) for text in lab(page).locator(f".compared td.{column}").all_inner_texts()]


def test_typed_constraint_puts_its_threshold_in_use(page, server, screening):
    show(page, f"{server.url}/thresholds?run=screening&tab=choose")
    choose_by(page, "Reach a minimum")
    fill(page, "at least", "0.9")
    y_true, y_score = screening
    every = [rates_at(score_counts(y_true, y_score), score) for score in np.unique(y_score)]
    best = max((now for now in every if now.recall >= 0.9), key=lambda now: now.precision)
    counts = [best.tp, best.fn, best.fp, best.tn]
    assert compared(page, "used") == [7, 93, 16, 9884] and compared(page, "now") == counts, "seen before it is used"
    threshold = use(page)
    assert query(page)["floor"] == "recall:0.9" and compared(page, "now") == counts
    assert compared(page, "used") == [7, 93, 16, 9884], "the default stands beside the threshold in use"
    now = rates_at(score_counts(y_true, y_score), threshold)
    assert [now.tp, now.fn, now.fp, now.tn] == counts


def test_the_coverage_slider_moves_both_thresholds(page, server, screening):
    show(page, f"{server.url}/thresholds?run=screening&t=0.1&tab=choose")
    choose_by(page, "Leave uncertain rows undecided")
    cover = page.get_by_role("slider", name=re.compile("^Decide at least"))
    cover.focus()
    with rerun(page):
        cover.press("ArrowLeft")
    low, high = (float(query(page)[name]) for name in ("low", "t"))
    _, y_score = screening
    decided = (y_score >= high) | (y_score < low)
    assert 0.89 <= decided.mean() < 1 and high != 0.1
    expect(page.get_by_text(f"{(~decided).sum():,} rows undecided")).to_be_visible()
    expect(page.get_by_text(re.compile(r"on new data\. There the best pair"))).to_be_visible()


@pytest.mark.parametrize("by", ["thumb", "picture"])
def test_drag_changes_one_labels_own_threshold(page, server, by):
    show(page, f"{server.url}/thresholds?run=movie-genres&class=drama&t=-0.25&each=0:0.5,4:0.75")
    assert field(page).input_value() == "0.75"
    grip = lab(page).locator(".thumb.t" if by == "thumb" else ".roc .handle")
    box = settled(grip)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y + 25, steps=5)
    with rerun(page):
        page.mouse.up()
    moved = float(field(page).input_value())
    assert moved != 0.75
    assert query(page)["each"] == f"0:0.5,4:{moved!r}" and query(page)["t"] == "-0.25"
    counts = count_scores(open_run("movie-genres"), 4)
    assert shown(page, "f1") == rates_at(counts, moved).f1
    show(page, page.url.replace("class=drama", "class=action"))
    assert field(page).input_value() == "0.5", "the other label's own threshold is as it was"


def test_key_moves_all_labels_without_own_threshold(page, server):
    show(page, f"{server.url}/thresholds?run=movie-genres&class=comedy&t=-0.25&each=4:0.75")
    slider(page).focus()
    with rerun(page):
        slider(page).press("ArrowRight")
    assert query(page)["each"] == "4:0.75"
    assert float(query(page)["t"]) == float(field(page).get_attribute("title")) > -0.25


@pytest.mark.parametrize(("what", "place"), [("mark", 3), ("bar", 0)])
def test_bin_of_the_reliability_diagram_opens_rows(page, server, what, place):
    show(page, f"{server.url}/thresholds?run=digits&class=8&cal=class&bins=width&nbins=4")
    digits = open_run("digits")
    found = reliability(count_scores(digits, digits.labels.index("8")), bins=4, by="width")
    chart = page.get_by_test_id("stPlotlyChart").first
    if what == "bar":  # first the bars of the positives
        target = chart.locator(".bars .point path").nth(place)
    else:  # first the circles, then the diamonds: the bins that are off by more than chance
        low, high = found.interval(0.95)
        off = (found.mean_score < low) | (found.mean_score > high)
        target = chart.locator(".points path.point").nth([*np.flatnonzero(~off), *np.flatnonzero(off)].index(place))
    click_drawn(page, target)
    low, high, n = found.score_low[place], found.score_high[place], found.n[place]
    chosen = page.get_by_role("combobox", name="Rows of a bin")
    expect(chosen).to_have_value(re.compile(rf"^score {write_threshold(low)} to {write_threshold(high)}: {n} rows"))
    expect(page.get_by_role("grid", name=f"{n} rows")).to_be_visible()


def test_nothing_lies_over_the_titles_of_the_charts(page, server):
    for view, n in (("class=8&tab=calibration", 2), ("class=8&low=0.2&t=0.6", 1)):
        show(page, f"{server.url}/thresholds?run=digits&{view}")
        charts = page.get_by_test_id("stPlotlyChart")
        for place in range(n):
            charts.nth(place).scroll_into_view_if_needed()
            charts.nth(place).hover()
            title, button = page.locator(".chart-title").nth(place), charts.nth(place).locator(".modebar-btn")
            expect(charts.nth(place).locator(".gtitle")).to_be_hidden()  # of the file of the picture
            assert settled(button)["x"] >= settled(title)["x"] + settled(title)["width"]
            expect(button).to_have_accessible_name(f"Download as PNG: {title.inner_text()}")


def test_hovering_a_curve_shows_threshold_and_counts(page, server):
    show(page, f"{server.url}/thresholds?run=digits&class=8")
    counts = count_scores(open_run("digits"), open_run("digits").labels.index("8"))
    picture = lab(page).locator(".roc .plot")
    box = settled(picture)
    page.mouse.move(box["x"] + 52, box["y"] + 40)
    tip = lab(page).locator(".roc .tip")
    expect(tip).to_be_visible()
    said = tip.inner_text()
    threshold = float(re.search(r"threshold ([\d.]+)", said)[1])
    near = counts.score[np.abs(counts.score - threshold).argmin()]
    assert round(near, 5) == threshold
    assert f"found {rates_at(counts, near).tp} of {counts.n_pos}" in said


def test_no_text_leaves_the_lab(page, server):
    for size in (1280, 1920):
        page.set_viewport_size({"width": size, "height": 900})
        for view in ("run=screening&t=0.2", "run=digits&class=8&t=0.6&tab=choose", "run=movie-genres"):
            show(page, f"{server.url}/thresholds?{view}")
            over = lab(page).evaluate(
                """lab => [...lab.querySelectorAll(".numbers table, figure, .side, .compared")]
                .filter(part => part.getBoundingClientRect().right > lab.getBoundingClientRect().right + 1)
                .map(part => part.className)"""
            )
            assert over == [], (size, view)
