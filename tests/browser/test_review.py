"""A review made in one browser is walked in another: with the keys, in full screen, and Back is the step before."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.driver import Watch, new_visitor, rerun, visit, wait_until_idle

NOTE = "Two averages, far apart.\n![](http://evil.example/x.png) <b>bold</b>"


def add(page: Page, note: str = "") -> None:
    """Add the view on screen to the review."""
    with rerun(page):
        page.get_by_role("button", name="Add to review").click()
    page.get_by_label("Note", exact=True).fill(note)
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("dialog").wait_for(state="detached")
    wait_until_idle(page)


def tiles(page: Page) -> list[str]:
    return page.locator(".lens .figure").all_inner_texts()


def press(page: Page, key: str, step: int) -> None:
    """Press a key and wait until the step that it leads to is on screen."""
    with rerun(page):
        page.keyboard.press(key)
    expect(page).to_have_url(re.compile(rf"[?&]step={step}(&|$)"))


@pytest.fixture
def colleague(browser: Browser) -> Iterator[Page]:
    """Another visitor with a clean profile; the test fails on a complaint or a foreign request of theirs."""
    visitor = new_visitor(browser)
    watch = Watch(visitor)
    yield visitor.new_page()
    assert watch.complaints == []
    visitor.close()


def test_review_survives_f5_and_answers_keys(page, server, colleague):
    visit(page, f"{server.url}/overview?run=digits")
    numbers = tiles(page)
    add(page, NOTE)
    visit_inside(page, "Confusion")
    add(page)
    visit_inside(page, "Classes")
    add(page)
    visit_inside(page, "Review")
    note = page.get_by_label("Note of step 2")
    note.fill("Read the diagonal first.")
    with rerun(page):
        note.blur()
    page.reload()  # F5 loses nothing
    expect(note).to_have_value("Read the diagonal first.")
    expect(page.get_by_label("Note of step 1")).to_have_value(re.compile(r"Two averages, far apart\."))
    wait_until_idle(page)
    with rerun(page):
        page.get_by_role("button", name="Make the review link").click()
    link = page.get_by_role("dialog").get_by_test_id("stCode").first.inner_text().strip()

    visit(colleague, link)
    expect(colleague.get_by_test_id("stSidebar")).to_be_hidden()
    expect(colleague.get_by_test_id("stHeader")).to_be_hidden()
    expect(colleague.get_by_text("95 % intervals")).to_be_hidden()
    expect(colleague.get_by_text(NOTE)).to_be_visible()
    assert tiles(colleague) == numbers and len(numbers) > 2

    controls = colleague.locator("[data-testid=stLayoutWrapper]:has(> .st-key-review-controls)")
    expect(controls).to_have_css("opacity", "0")  # nobody moves
    colleague.mouse.move(300, 300)
    expect(controls).to_have_css("opacity", "1")
    press(colleague, "ArrowRight", 2)
    expect(colleague.locator(".matrix .plane")).to_be_visible()
    colleague.get_by_role("grid").first.focus()
    for _ in range(3):  # the picture has arrow keys of its own
        colleague.keyboard.press("ArrowRight")
    expect(colleague).to_have_url(re.compile("step=2"))
    colleague.evaluate("document.activeElement.blur()")

    press(colleague, "PageDown", 3)  # a clicker
    expect(colleague.get_by_role("columnheader", name="Precision")).to_be_visible()
    expect(colleague.get_by_label("Find a class")).to_be_hidden()  # the page's own controls
    colleague.keyboard.press(" ")  # the last step has none after it
    with rerun(colleague):
        colleague.go_back()
    expect(colleague).to_have_url(re.compile("/confusion.*step=2"))
    press(colleague, "PageUp", 1)
    press(colleague, " ", 2)
    press(colleague, "ArrowLeft", 1)
    assert tiles(colleague) == numbers
    with colleague.expect_popup() as opened:
        colleague.keyboard.press("n")
    expect(opened.value.get_by_text("Read the diagonal first.")).to_have_count(0)
    expect(opened.value.get_by_text(NOTE)).to_be_visible()
    expect(colleague.get_by_text(NOTE)).to_be_hidden()
    with rerun(colleague):
        opened.value.keyboard.press("PageDown")
    expect(opened.value.get_by_text("Read the diagonal first.")).to_be_visible()
    opened.value.close()
    expect(colleague.get_by_text("Read the diagonal first.")).to_be_visible()

    with rerun(colleague):
        colleague.keyboard.press("Escape")
    expect(colleague.get_by_test_id("stSidebar")).to_be_visible()
    assert "step" not in colleague.url


def visit_inside(page: Page, name: str) -> None:
    """Go to a page by the menu."""
    with rerun(page):
        page.get_by_test_id("stSidebar").get_by_role("link", name=name, exact=True).click()
