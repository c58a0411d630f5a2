"""A running server, a browser, and a page that fails the test on anything it should not do."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.driver import COUNT_RUNS, FLAGS, ROOT, Server, Watch, chromium_path, start_server

collect_ignore = ["stub_app.py"]  # a Streamlit script, not a module to look for examples in


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app as `make run` starts it, for the whole session, with an empty store."""
    with start_server(ROOT, tmp_path_factory.mktemp("store")) as running:
        yield running


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[Server]:
    """The app as `make run` starts it, never visited before."""
    with start_server(ROOT, tmp_path / "store") as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the session; every test gets a context (a visitor) of its own."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A visitor with a clean profile and a reduced-motion preference, at a laptop's size."""
    visitor = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    visitor.set_default_timeout(30_000)
    visitor.add_init_script(COUNT_RUNS)
    yield visitor
    visitor.close()


@pytest.fixture
def watch(context: BrowserContext) -> Watch:
    """What the visitor's browser has complained about so far; clear the list to accept it."""
    return Watch(context)


@pytest.fixture
def page(context: BrowserContext, watch: Watch) -> Iterator[Page]:
    """A tab; the test fails if it makes an external request, logs an error or violates the policy."""
    yield context.new_page()
    assert watch.complaints == []
