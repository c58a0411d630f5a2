"""Sharing between two browser profiles, until it is taken back."""

import re
from itertools import product

from playwright.sync_api import Page, Route, expect

from data.sharing import share as sharing
from data.store.links import View
from tests.browser.driver import rerun, show, visit, wait_until_idle
from tests.browser.gestures import choose, keep, link_and_key, open_options, settled
from tests.browser.test_main_job import go, metric, write_predictions

DEAD = "This link opens nothing. It is wrong, has expired or was revoked. Ask whoever sent it for a new one."


def press(page: Page, name: str) -> None:
    with rerun(page):
        page.get_by_role("button", name=name, exact=True).click()


def share(page: Page) -> tuple[str, str]:
    """Share what is on screen; returns the link and its owner key."""
    press(page, "Share")
    press(page, "Make the link")
    codes = link_and_key(page)
    expect(codes).to_have_count(2)
    link, key = (code.inner_text().strip() for code in codes.all())
    press(page, "Done")
    expect(page.get_by_role("dialog")).to_have_count(0)
    return link, key


def run_of(address: str) -> str:
    return address.partition("run=")[2].partition("&")[0]


def dead(page: Page) -> None:
    expect(page.get_by_text(DEAD, exact=True)).to_be_visible()


def test_link_opens_until_it_is_revoked(page, colleague, server, tmp_path):
    write_predictions(tmp_path / "p.csv")
    draft = keep(server, tmp_path / "p.csv")
    visit(page, f"{server.url}/confusion?run={draft}&norm=column")
    link, _ = share(page)
    assert link.startswith(f"{server.url}/confusion?run=") and run_of(link) != draft
    go(page, "Overview")
    accuracy = metric(page, "Accuracy")
    visit(colleague, link)
    expect(colleague.get_by_role("combobox", name="Colour")).to_have_value("Share of predicted class")
    expect(colleague.get_by_text("Shared link, read-only").first).to_be_visible()
    go(colleague, "Overview")
    assert metric(colleague, "Accuracy") == accuracy
    go(colleague, "Confusion")
    go(page, "Shared links")
    press(page, "Revoke")
    press(page, "Revoke it")
    expect(page.get_by_text("The link was revoked: it opens nothing any more.")).to_be_visible()

    with rerun(colleague):  # the next click is in a part of the page that runs by itself
        choose(colleague, "Colour", "Number of rows")
    dead(colleague)
    colleague.reload()
    dead(colleague)


def test_shared_links_lists_what_this_browser_made(page, server, tmp_path):
    write_predictions(tmp_path / "p.csv")
    visit(page, f"{server.url}/overview?run={keep(server, tmp_path / 'p.csv')}")
    press(page, "Share")
    press(page, "Make the link")
    dialog = page.get_by_role("dialog")
    expect(link_and_key(page)).to_have_count(2)
    link, key = (code.inner_text().strip() for code in link_and_key(page).all())
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for name, text in (("Copy the link", link), ("Copy the owner key", key)):
        dialog.get_by_role("button", name=name, exact=True).click()
        expect(dialog.get_by_role("status").filter(has_text="Copied").last).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == text
    with rerun(page):  # nothing is lost: the browser remembers both
        page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    page.reload()
    wait_until_idle(page)
    go(page, "Shared links")
    expect(page.get_by_role("heading", name="1 link works; it expires in 30 days")).to_be_visible()
    popover = page.get_by_role("button", name="Link and key")
    popover.click()
    codes = page.get_by_test_id("stPopoverBody").get_by_test_id("stCode")
    expect(codes).to_have_count(2)
    assert [code.inner_text().strip() for code in codes.all()] == [link, key]
    press(page, "Forget this key")
    press(page, "Forget it")
    expect(page.get_by_text("This browser has forgotten the link and its key.")).to_be_visible()
    page.reload()
    wait_until_idle(page)
    expect(page.get_by_role("heading", name="You have shared nothing yet")).to_be_visible()
    assert page.evaluate("() => Object.keys(localStorage).filter(key => key.startsWith('blindspot.'))") == []


def test_missing_clipboard_selects_the_text(new_tab, server):
    page = new_tab
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    visit(page, f"{server.url}/overview?run=digits")
    page.evaluate(
        """() => { const copy = document.execCommand.bind(document)
        document.execCommand = name => {
          globalThis.selected = [...document.querySelectorAll("*")].map(one => one.shadowRoot?.activeElement?.value)
            .find(text => text)
          return globalThis.works && copy(name) } }"""
    )
    press(page, "Share")
    dialog = page.get_by_role("dialog")
    for works, said in ((True, "Copied"), (False, "Select the text and copy it")):
        page.evaluate("works => { globalThis.works = works; delete globalThis.selected }", works)
        dialog.get_by_role("button", name="Copy the link").click()
        expect(dialog.get_by_role("status")).to_have_text(said)
        assert page.evaluate("globalThis.selected") == f"{server.url}/overview?run=digits"


def test_share_is_in_reach_on_every_page(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    show(page, f"{server.url}/overview?run=digits")
    places = []
    for name in ("Confusion", "Open"):
        go(page, name)
        page.mouse.move(700, 400)
        page.mouse.wheel(0, 2000)
        button = page.get_by_role("button", name="Share", exact=True)
        button.click(trial=True)  # nothing lies over it
        places.append(button.bounding_box())
    assert places == places[:1] * len(places) and places[0]["y"] < 60


def test_made_link_fits_a_laptop_screen(page, server, tmp_path):
    page.set_viewport_size({"width": 1280, "height": 720})
    write_predictions(tmp_path / "p.csv")
    show(page, f"{server.url}/overview?run={keep(server, tmp_path / 'p.csv')}")
    press(page, "Share")
    dialog = page.get_by_role("dialog")
    with rerun(page):
        dialog.get_by_text("Without some columns", exact=True).click()
    open_options(page, "Columns to hide")
    with rerun(page):
        page.get_by_role("option").first.click()
    page.keyboard.press("Escape")
    press(page, "Make the link")
    expect(dialog.get_by_text(re.compile(r"Left out: \d columns? \(.*text"))).to_be_visible()
    for button in ("Copy the link", "Copy the owner key", "Done"):
        box = dialog.get_by_role("button", name=button, exact=True).bounding_box()
        assert box and box["y"] + box["height"] < 720, button
    link = dialog.get_by_test_id("stCode").first.inner_text().strip()
    press(page, "Done")
    show(page, link)
    expect(page.get_by_text(re.compile("shared, expires on .* · .* left out"))).to_be_visible()


def test_first_screen_says_what_is_shared(page, server, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_STORE", str(server.store))
    title = "What *the* sample <b>cannot</b> show, in a long title that has no end"
    run = sharing.share("support-intents", title=title, counts_only=True).token
    for width, name in product((1280, 700), ("confusion", "glossary")):
        page.set_viewport_size({"width": width, "height": 720})
        show(page, f"{server.url}/{name}?run={run}")
        said = page.get_by_test_id("stMain").get_by_text(re.compile("shared, expires on .* · without rows"))
        expect(said).to_contain_text("What *the* sample <b>cannot</b> show")
        box = said.bounding_box()
        assert box and box["y"] + box["height"] < 300
        assert width < 1280 or box["height"] < 40, "one line"
    show(page, f"{server.url}/confusion?run={run}&true=card_arrival")
    hint = page.locator(".matrix .hint")
    expect(hint).to_contain_text("Click a cell, a name for its whole row")
    expect(page.locator('[class*="st-key-panel-"]').get_by_role("link")).to_have_count(0)


def test_top_bar_covers_no_sidebar(page, server, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_STORE", str(server.store))
    run = sharing.share("digits", counts_only=True).token
    show(page, f"{server.url}/overview?run={run}")
    for width in (810, 900, 1024):
        page.set_viewport_size({"width": width, "height": 720})
        bar, sidebar = settled(page.locator(".st-key-share")), settled(page.get_by_test_id("stSidebar"))
        assert bar["x"] >= sidebar["x"] + sidebar["width"], width


def test_popover_closes_after_extending(page, server, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_STORE", str(server.store))
    made = sharing.share("digits", days=7)
    show(page, f"{server.url}/links")
    page.get_by_text("Another link, by its owner key").click()
    settled(page.get_by_role("button", name="Show this link"))  # it moves while the expander opens
    page.get_by_label("Link", exact=True).fill(made.token)
    page.get_by_label("Owner key").fill(made.owner_key)
    press(page, "Show this link")
    page.get_by_test_id("stPopoverButton").filter(has_text="Extend").click()
    press(page, "Set the new date")
    expect(page.get_by_text(re.compile("The link was extended. Expires on"))).to_be_visible()
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)


def test_static_page_shows_until_session_starts(page, server, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_STORE", str(server.store))
    run = sharing.share("support-intents", views=[View("overview", {"level": "0.9"})]).token
    held: list[Route] = []
    page.route("**/static/js/index.*.js", lambda route: held.append(route))
    address = f"{server.url}/overview?level=0.9&run={run}"
    finding = page.frame_locator("#splash iframe").get_by_role("heading", level=1)
    page.goto(address, wait_until="commit")
    expect(finding).to_contain_text("57.2\xa0% accurate")
    for script in held:
        script.continue_()
    wait_until_idle(page)
    expect(page.locator("#splash")).to_be_hidden()
    held.clear()
    with page.expect_response(re.compile("/shared/.*/start")):
        page.goto(address.replace("level=0.9", "level=0.95"), wait_until="commit")
    expect(page.locator("#splash")).to_be_visible()
    expect(page.locator("#splash iframe")).to_have_count(0)
