"""Do what a person does again and again: give a file, pick from a list, go to another page, read a tile."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from data.runs import load
from data.runs.draft import Given
from tests.browser.driver import Server, rerun, show, wait_until_idle

# No animation is under way and ten frames show it in the same place: what an expander or a scroll still moves is missed
# by a click.
SETTLED = """
element => new Promise(resolve => {
  let last = "", frames = 0;
  const moves = one => one.playState === "running" && one.effect.getComputedTiming().endTime < Infinity;
  const look = () => {
    const box = JSON.stringify(element.getBoundingClientRect());
    frames = box === last && !document.getAnimations().some(moves) ? frames + 1 : 0;
    last = box;
    frames > 10 ? resolve() : requestAnimationFrame(look);
  };
  look();
})
"""


def link_and_key(page: Page) -> Locator:
    """The boxes of a link just made and of its owner key; a third holds the command that lets others in."""
    return page.get_by_role("dialog").get_by_test_id("stCode").filter(has_not_text="BLINDSPOT_ADDRESS")


def run_of(page: Page) -> str:
    """The run that the address names."""
    return parse_qs(urlsplit(page.url).query)["run"][0]


def upload(page: Page, server: Server, predictions: Path, labels: Path | None = None) -> str:
    """Give a file on the start page, or one of labels and then one of predictions; returns the run."""
    show(page, server.url)
    places = page.locator('[data-testid="stFileUploaderDropzoneInput"]')
    for place, file in ((1, labels), (0, predictions)):
        if file is not None:
            with rerun(page):
                places.nth(place).set_input_files(file)
    page.wait_for_url(re.compile("run="))
    wait_until_idle(page)
    return run_of(page)


def settled(element: Locator) -> FloatRect:
    """Bring an element into sight and wait until it moves no more; returns where it is."""
    element.scroll_into_view_if_needed()
    element.evaluate(SETTLED)
    box = element.bounding_box()
    assert box is not None
    return box


def click_drawn(page: Page, element: Locator) -> None:
    """Click what is drawn, such as a bar, and wait for the run that it asks for.

    Near its upper edge: on a logarithmic axis a bar begins far below the chart.
    """
    with rerun(page):
        box = settled(element)
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + min(box["height"] / 2, 6))


def open_options(page: Page, name: str) -> None:
    """Open a list of options; one that is still moving (an expander opens, the page scrolls) would close at once."""
    box = page.get_by_role("combobox", name=re.compile(name)).first
    settled(box)
    box.focus()
    box.press("ArrowDown")
    page.get_by_role("option").first.wait_for()


def keep(server: Server, path: Path) -> str:
    """Write a file straight into the server's store, for tests that are not about uploads; returns its run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLINDSPOT_STORE", str(server.store))
        draft = load.read_draft([(path, path.name)], Given())
        assert not draft.problem, draft.problem
        return load.keep(draft)


def choose(page: Page, name: str, option: str) -> None:
    """Pick from a list of options."""
    open_options(page, name)
    page.get_by_role("option", name=option).click()


def matrix_plane(page: Page) -> Locator:
    """The matrix, once it has its size and the names beside it are drawn in their own font."""
    plane = page.locator(".matrix .plane")
    expect(plane).to_have_attribute("data-cell", re.compile(r"\d"))
    page.wait_for_function("document.fonts.ready.then(() => document.fonts.status === 'loaded')")
    wait_until_idle(page)
    return plane


def menu(page: Page) -> Locator:
    """The menu of the pages."""
    return page.get_by_role("navigation", name="App pages")


def go(page: Page, name: str) -> None:
    """Go to a page through the menu, unless it is there."""
    link = menu(page).get_by_role("link", name=name, exact=True)
    if link.get_attribute("aria-current"):
        return
    with rerun(page):
        link.click()


def open_reading(page: Page) -> None:
    """Open how the file was read, in place on Overview, unless it is open."""
    if "reading=" in page.url:
        return
    with rerun(page):
        page.get_by_test_id("stMain").get_by_role("button", name="Change", exact=True).click()


def metric(page: Page, label: str) -> str:
    """The number on a tile or a lens."""
    tile = page.locator(".lens, [data-testid=stMetric]").filter(has_text=label).first
    return tile.locator(".figure, [data-testid=stMetricValue]").inner_text()


def expect_accuracy(page: Page, share: str) -> None:
    """Wait until Overview shows an accuracy."""
    expect(page.locator(".lens").filter(has_text="Accuracy").first.locator(".figure")).to_have_text(share)
