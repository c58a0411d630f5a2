"""The one table of the pages by hand: sorted, searched, walked through with keys, opened."""

from playwright.sync_api import expect

from tests.browser.driver import rerun, show


def test_a_table_sorts_and_opens_by_keys(page, server):
    show(page, f"{server.url}/classes?run=digits")
    names = page.locator(".result tbody .named")
    worst = names.first.inner_text()
    page.get_by_role("button", name="True rows").click()
    column = page.get_by_role("columnheader", name="True rows")
    assert column.get_attribute("aria-sort") == "descending"
    rows = [int(text) for text in page.locator(".result tbody td:nth-child(5)").all_inner_texts()]
    assert rows == sorted(rows, reverse=True) and len(rows) == 10
    page.get_by_role("button", name="F1").click()
    expect(names.first).to_have_text(worst)
    names.first.focus()
    page.keyboard.press("ArrowDown")
    expect(names.nth(1)).to_be_focused()
    chosen = names.nth(1).inner_text()
    with rerun(page):
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=chosen)).to_be_visible()
    expect(names.nth(1)).to_have_attribute("aria-expanded", "true")


def test_words_find_lines_of_a_long_table(page, server):
    show(page, f"{server.url}/slices?run=triage&column=template")
    assert page.locator(".result tbody tr").count() > 20
    page.get_by_role("searchbox", name="Find a slice").fill("heating")
    shown = page.locator(".result tbody .named").all_inner_texts()
    assert shown and all("heating" in name for name in shown)
    page.get_by_role("searchbox", name="Find a slice").fill("no such slice")
    expect(page.get_by_text("No slice matches.")).to_be_visible()
