"""A threshold chosen by a rule: the overview judges by it, and whoever opens the shared link reads the same."""

from playwright.sync_api import Page, expect

from data.samples import FOLDER
from tests.browser.driver import rerun, visit
from tests.browser.gestures import go, metric, upload
from tests.browser.test_share import press, share

EXPECTED = "Expect slightly worse on new data: recall about 0.893, not 0.900"


def said(page: Page) -> None:
    """The overview says the rule, both mistakes and what new data will give."""
    expect(page.get_by_text("Your rule: recall at least 0.9").first).to_be_visible()
    expect(page.get_by_role("heading", name="10 of 100 cancer rows were predicted as healthy")).to_be_visible()
    expect(page.get_by_text(EXPECTED)).to_be_visible()
    expect(page.get_by_text("Your rule, recall at least 0.9, is met")).to_be_visible()
    expect(page.get_by_text("it would be 0.245")).to_have_count(0)
    assert (metric(page, "Recall"), metric(page, "Precision")) == ("0.900", "0.048")


def test_shared_link_keeps_rule(page, colleague, server):
    upload(page, server, FOLDER / "screening.csv")
    run = page.url.partition("run=")[2].partition("&")[0]
    visit(page, f"{server.url}/thresholds?run={run}&by=at_least&floor=recall:0.9")
    press(page, "Use this threshold")
    go(page, "Overview")
    assert "rule=recall%3A0.9" in page.url or "rule=recall:0.9" in page.url
    said(page)
    link, _ = share(page)
    visit(colleague, link)
    said(colleague)
    with rerun(colleague):
        colleague.get_by_role("button", name="Back to score ≥ 0.5").click()
    expect(colleague.get_by_text("Your rule")).to_have_count(0)
    assert "rule=" not in colleague.url
