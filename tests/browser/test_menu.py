"""The menu: one entry of the browser's history a click, the view kept, by hand, by keyboard and by ear."""

import re
from itertools import product
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import rerun, show, visit
from tests.browser.gestures import choose, go, menu, settled
from ui.view.pages import FIRST, PAGES

PATHS = {page.title: f"/{page.name}" for page in PAGES.values() if page.name not in (FIRST, "overview")} | {"Open": "/"}


def entries(page: Page) -> int:
    return int(page.evaluate("history.length"))


def opened_cleanly(page: Page) -> None:
    """The page has its heading; there is no dialog about a page that was not found, and no error."""
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_text("Something went wrong")).to_have_count(0)


def back(page: Page) -> None:
    with rerun(page):
        page.go_back()


# Confusion, thresholds and glossary of several labels a row write the label that they show into the address, too: they
# come last, as the last three steps are gone back. Open is of no file, Slices and Rows have controls of their own.
LABEL_SETS = ["Open", "Rows", "Slices", "Confusion", "Thresholds", "Glossary"]


@pytest.mark.parametrize(("run", "names"), [("movie-genres", LABEL_SETS), ("support-intents-llm", ["Parsing", "Rows"])])
def test_each_click_is_one_history_entry(page, server, run, names):
    show(page, f"{server.url}/overview?run={run}")
    expect(menu(page).get_by_role("link")).to_have_count(len(PAGES))
    walked = [page.url]
    for name in names:
        before = entries(page)
        go(page, name)
        assert entries(page) == before + 1, name
        assert urlsplit(page.url).path == PATHS[name] and f"run={run}" in page.url
        opened_cleanly(page)
        walked.append(page.url)
    for address in walked[-2:-5:-1]:
        back(page)
        assert page.url == address


def test_choices_go_along_and_back_restores_them(page, server):
    show(page, f"{server.url}/confusion?run=digits")
    with rerun(page):
        choose(page, "Colour", "Share of predicted class")
    chosen = page.url
    assert "norm=column" in chosen
    go(page, "Rows")
    with rerun(page):
        choose(page, "^Rows$", "Wrong rows")
    errors = page.url
    assert "only=errors" in errors
    before = entries(page)
    go(page, "Confusion")
    assert entries(page) == before + 1 and "norm=column" in page.url and "only=errors" in page.url
    back(page)
    assert page.url == errors
    back(page)
    back(page)
    assert page.url == chosen
    expect(page.get_by_role("combobox", name="Colour")).to_have_value("Share of predicted class")


def test_choice_in_a_fragment_goes_along(page, server):
    show(page, f"{server.url}/confusion?run=screening")
    with rerun(page):
        page.get_by_role("button", name="cancer as healthy").click()
    chosen = re.search(r"[?&]pred=[^&]+", page.url)
    assert chosen
    before = entries(page)
    go(page, "Rows")
    assert entries(page) == before + 1 and chosen[0][1:] in page.url


def test_current_page_is_marked_for_the_keyboard(page, server):
    show(page, f"{server.url}/confusion?run=digits")
    marked = menu(page).locator("[aria-current=page]")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text("Confusion")
    link = menu(page).get_by_role("link", name="Classes", exact=True)
    link.focus()
    page.keyboard.press("Tab")
    expect(menu(page).get_by_role("link", name="Rows", exact=True)).to_be_focused()
    with rerun(page):
        page.keyboard.press("Enter")
    expect(marked).to_contain_text("Rows")
    expect(marked).to_have_count(1)
    assert urlsplit(page.url).path == "/rows"


def test_the_logo_is_one_entry_too(page, server):
    show(page, f"{server.url}/rows?run=digits")
    before = entries(page)
    with rerun(page):
        page.get_by_role("button", name="Navigate to home page").click()
    assert page.url == f"{server.url}/?run=digits" and entries(page) == before + 1


def test_narrow_menu_makes_way_for_the_page(page, server):
    page.set_viewport_size({"width": 700, "height": 720})
    show(page, f"{server.url}/overview?run=digits")
    page.get_by_test_id("stExpandSidebarButton").click()
    go(page, "Glossary")
    expect(page.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "true")
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(menu(page).locator("[aria-current=page]")).to_contain_text("Glossary")


def test_menu_opens_on_a_phone(page, server):
    page.set_viewport_size({"width": 390, "height": 844})
    show(page, f"{server.url}/overview?run=support-intents")
    menu_button = page.get_by_test_id("stExpandSidebarButton")
    share = page.get_by_role("button", name="Share", exact=True)
    for width, button in product((390, 360), (menu_button, share, page.get_by_test_id("stMainMenuButton"))):
        page.set_viewport_size({"width": width, "height": 844})
        box = settled(button)
        assert box["width"] >= 40 and box["height"] >= 40 and box["x"] + box["width"] <= width
    expect(page.get_by_role("button", name="Navigate to home page").last).to_be_visible()
    expect(page.locator(".st-key-bar").get_by_text("Support intents", exact=True)).to_be_visible()
    menu_button.click()
    go(page, "Confusion")
    assert urlsplit(page.url).path == "/confusion"


def test_menu_says_why_a_page_is_empty(page, server):
    show(page, f"{server.url}/overview?run=support-intents")
    link = menu(page).get_by_role("link", name="Parsing", exact=True)
    assert link.evaluate("link => getComputedStyle(link, '::after').content") == '"labels only" / ""'
    link.hover()
    tooltip = page.get_by_test_id("stTooltipContent").last
    expect(tooltip.get_by_text("This file holds labels, no raw answers")).to_be_visible()
    page.get_by_test_id("stMainMenuButton").click()
    shown = page.get_by_test_id("stMainMenuPopover")
    expect(shown).to_be_visible()
    expect(shown.get_by_text("Made with Streamlit")).to_be_hidden()
    expect(shown.get_by_text("Record screen")).to_be_hidden()


def test_tab_title_names_page_and_file(page, server):
    visit(page, server.url)
    expect(page).to_have_title("Open · Blindspot")
    show(page, f"{server.url}/overview?run=digits")
    expect(page).to_have_title("Overview · Digits · Blindspot")
    go(page, "Export")
    expect(page).to_have_title("Export · Digits · Blindspot")
