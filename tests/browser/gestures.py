"""What a person does on the pages again and again: give a file, pick from a list, go to another page, read a tile."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page

from tests.browser.driver import Server, rerun, visit, wait_until_idle

# Twenty frames in the same place: what an expander or a scroll still moves is missed by a click.
SETTLED = """
element => new Promise(resolve => {
  let last = "", frames = 0;
  const look = () => {
    const box = JSON.stringify(element.getBoundingClientRect());
    frames = box === last ? frames + 1 : 0;
    last = box;
    frames > 20 ? resolve() : requestAnimationFrame(look);
  };
  look();
})
"""


def run_of(page: Page) -> str:
    """The run that the address names."""
    return parse_qs(urlsplit(page.url).query)["run"][0]


def upload(page: Page, server: Server, predictions: Path, labels: Path | None = None) -> str:
    """Give a file on a fresh start page, or one of labels and then one of predictions; returns the run."""
    visit(page, server.url)
    places = page.locator('[data-testid="stFileUploaderDropzoneInput"]')
    for place, file in ((1, labels), (0, predictions)):
        if file is not None:
            with rerun(page):
                places.nth(place).set_input_files(file)
    page.wait_for_url(re.compile("run="))
    wait_until_idle(page)
    return run_of(page)


def choose(page: Page, name: str, option: str) -> None:
    """Pick from a list; one that is still moving (an expander opens, the page scrolls) would close at once."""
    box = page.get_by_role("combobox", name=re.compile(name)).first
    box.scroll_into_view_if_needed()
    box.focus()
    box.evaluate(SETTLED)
    box.press("ArrowDown")
    page.get_by_role("option", name=option).click()


def menu(page: Page) -> Locator:
    """The menu of the pages."""
    return page.get_by_role("navigation", name="App pages")


def go(page: Page, name: str) -> None:
    """Go to another page through the menu."""
    with rerun(page):
        menu(page).get_by_role("link", name=name, exact=True).click()


def metric(page: Page, label: str) -> str:
    """The number on a tile."""
    tile = page.get_by_test_id("stMetric").filter(has_text=label).first
    return tile.get_by_test_id("stMetricValue").inner_text()
