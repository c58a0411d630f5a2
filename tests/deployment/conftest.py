"""A browser of its own, whose visitors trust a certificate made on the spot."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from tests.browser.driver import FLAGS, Watch, chromium_path, new_visitor


class WatchBehindAProxy(Watch):
    """Hold what a visitor's browser complains about, where a proxy stands before the server."""

    def _console(self, message: ConsoleMessage) -> None:
        # Chromium gives up one of several requests for the same thing when a busy proxy ends their connection; whether
        # the page has what it needs is seen on the page.
        if "ERR_TOO_MANY_RETRIES" not in message.text:
            super()._console(message)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tab; the test fails if it makes an external request, logs an error or violates the policy."""
    visitor = new_visitor(browser, ignore_https_errors=True)
    watch = WatchBehindAProxy(visitor)
    yield visitor.new_page()
    complaints = list(watch.complaints)
    visitor.close()
    assert complaints == []
