"""A threshold for each label in a real browser: chosen on one page, used on every other; a class into the lab."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.driver import rerun, show, visit
from tests.browser.gestures import menu, metric

pytestmark = pytest.mark.one_session


def query(page):
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def subset_accuracy(page):
    """As the overview shows it."""
    return metric(page, "Subset accuracy")


def test_label_thresholds_change_every_page_and_the_link(page, server):
    show(page, f"{server.url}/overview?run=movie-genres")
    before = subset_accuracy(page)
    with rerun(page):
        menu(page).get_by_role("link", name="Thresholds").click()
    with rerun(page):
        page.get_by_text("All labels", exact=True).click()
    with rerun(page):
        page.get_by_role("button", name="Use each").click()
    each = query(page)["each"]
    assert len(each.split(",")) == 10
    with rerun(page):
        page.get_by_role("link", name="Overview").click()
    after = subset_accuracy(page)
    assert after == "52.8 %" != before and query(page)["each"] == each
    visit(page, page.url)  # a link opened elsewhere
    assert subset_accuracy(page) == after


def test_typed_label_threshold_is_in_the_link(page, server):
    show(page, f"{server.url}/thresholds?run=movie-genres&class=drama&tab=classes")
    field = page.get_by_label("Its threshold")
    with rerun(page):
        field.fill("0.75")
        field.press("Enter")
    assert query(page)["each"] == "4:0.75"
    with rerun(page):
        page.get_by_role("button", name="Same as all others: 0").click()
    assert "each" not in query(page)


def test_small_curve_opens_its_class_in_the_lab(page, server):
    show(page, f"{server.url}/thresholds?run=digits&tab=classes")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as PNG: ROC curves, one-vs-rest").click()
    assert download.value.suggested_filename == "roc_curves_one_vs_rest.png"
    with rerun(page):
        page.get_by_role("button", name="class 9", exact=True).click()
    assert query(page)["class"] == "9"
    assert "tab" not in query(page) or query(page)["tab"] == "explore"
