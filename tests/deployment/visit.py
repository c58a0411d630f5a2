"""Do what a person does at an address, whatever stands in front of the server."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.driver import rerun, visit, wait_until_idle
from tests.browser.gestures import go, menu
from tests.ceiling import CEILING_SECONDS
from tests.deployment.proxies import Proxied

# Far larger than any buffer on the way, so that a proxy has to let a body through; 3 of 4 rows are right.
ROWS = 40_000


def predictions(folder: Path) -> Path:
    path = folder / "predictions.csv"
    lines = (f"{i},message {i},{'cat' if i % 2 else 'dog'},{'cat' if i % 4 else 'dog'}" for i in range(ROWS))
    path.write_text("\n".join(["id,text,label,prediction", *lines]) + "\n", encoding="utf-8")
    assert path.stat().st_size > 1_000_000
    return path


def use(page: Page, url: str, folder: Path) -> str:
    """Open a deep link, upload a file (over HTTP), walk to another page (over the websocket), leave; its address."""
    visit(page, f"{url}/glossary")
    expect(menu(page).get_by_role("link", name="Glossary")).to_have_attribute("aria-current", "page")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    go(page, "Open")
    with rerun(page):
        page.locator('[data-testid="stFileUploaderDropzoneInput"]').first.set_input_files(predictions(folder))
    page.wait_for_url(re.compile("run="))
    wait_until_idle(page)
    go(page, "Overview")
    assert page.url.startswith(f"{url}/overview?")
    expect_accuracy(page)
    address = page.url
    page.goto("about:blank")  # a page that stays would complain of a proxy that stops
    return address


def open_on_the_other(page: Page, proxied: Proxied, address: str) -> None:
    """Take one replica away: whichever it was, the address opens on the one that is left."""
    proxied.servers[0].process.terminate()
    proxied.servers[0].process.wait(CEILING_SECONDS)
    visit(page, address)
    expect_accuracy(page)
    page.goto("about:blank")
    for _ in range(6):  # as new visitors, of whom some are sent to the one that is gone first
        assert proxied.ask("/_stcore/health")[0] == 200


def expect_accuracy(page: Page) -> None:
    lens = page.locator(".lens").filter(has_text="Accuracy").first
    expect(lens.locator(".figure")).to_have_text(re.compile(r"0\.75|75"))
