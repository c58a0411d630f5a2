"""A threshold for each label in a real browser: chosen on one page, used on every other; a class into the lab."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.driver import rerun, show

pytestmark = pytest.mark.one_session


def query(page):
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


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


@pytest.mark.parametrize("place", [0, 1], ids=["small curve", "line of the table"])
def test_class_opens_in_the_lab(page, server, place):
    show(page, f"{server.url}/thresholds?run=digits&tab=classes")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as PNG: ROC curves, one-vs-rest").click()
    assert download.value.suggested_filename == "roc_curves_one_vs_rest.png"
    with rerun(page):
        page.get_by_role("button", name="class 9", exact=True).nth(place).click()
    assert query(page)["class"] == "9"
    assert "tab" not in query(page) or query(page)["tab"] == "explore"
