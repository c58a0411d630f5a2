"""A running server, a browser, and a page that fails the test on anything it should not do."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.driver import (
    COUNT_RUNS,
    FLAGS,
    LAPTOP,
    QUICK,
    ROOT,
    Server,
    Watch,
    chromium_path,
    forget,
    forget_history,
    new_visitor,
    start_server,
)
from tests.ceiling import CEILING_SECONDS

collect_ignore = ["stub_app.py"]  # a Streamlit script, not a module to look for examples in


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app as `make run` starts it, for the whole session, with an empty store."""
    with start_server(ROOT, tmp_path_factory.mktemp("store")) as running:
        yield running


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[Server]:
    """The app as `make run` starts it, never visited before. Ask for it before `new_tab`, which has to end first."""
    with start_server(ROOT, tmp_path / "store") as running:
        yield running


@pytest.fixture(scope="session")
def profile(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """One Chromium window with one profile for the session: its caches outlive the tests, nothing else does.

    Its first tab stays open so that the process lives on in which every later tab finds the scripts compiled.
    """
    with sync_playwright() as playwright:
        shared = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"),
            executable_path=chromium_path(),
            args=[*FLAGS, *QUICK],
            viewport=LAPTOP,
            reduced_motion="reduce",
        )
        shared.add_init_script(COUNT_RUNS)
        shared.pages[0].goto(f"{server.url}/_stcore/health")
        yield shared
        shared.close()


@pytest.fixture
def browser(profile: BrowserContext) -> Browser:
    """The Chromium itself, for a test that needs a second visitor with a profile of his own."""
    assert profile.browser is not None
    return profile.browser


@pytest.fixture
def colleague(browser: Browser) -> Iterator[Page]:
    """A tab in a profile of its own."""
    profile = new_visitor(browser)
    yield profile.new_page()
    profile.close()


@pytest.fixture
def context(profile: BrowserContext) -> Iterator[BrowserContext]:
    """A visitor who has never been here, at a laptop's size and with a reduced-motion preference."""
    profile.set_default_timeout(CEILING_SECONDS * 1000)
    yield profile
    forget(profile)


@pytest.fixture
def watch(context: BrowserContext) -> Iterator[Watch]:
    """Return what the visitor's browser has complained about so far; clear the list to accept it."""
    watching = Watch(context)
    yield watching
    watching.stop()


@pytest.fixture(scope="module")
def first_tab(profile: BrowserContext, server: Server) -> Iterator[Page]:
    """The first tab, in which the tests of a module may go from address to address in one session."""
    yield profile.pages[0]
    profile.pages[0].goto(f"{server.url}/_stcore/health")


@pytest.fixture
def page(
    first_tab: Page, context: BrowserContext, watch: Watch, server: Server, request: pytest.FixtureRequest
) -> Iterator[Page]:
    """The tab that all tests share; the test fails if it asks abroad, logs an error or violates the policy.

    Each test begins a session, but in modules marked `one_session`: there `show` goes on in that of the test before.
    """
    first_tab.set_viewport_size(LAPTOP)
    goes_on = request.node.get_closest_marker("one_session") is not None
    if not goes_on or not context.cookies():  # a tab of another test took the cookie along: uploads need it
        first_tab.goto(f"{server.url}/_stcore/health")
    forget_history(first_tab)
    failed = request.session.testsfailed
    yield first_tab
    first_tab.emulate_media(media="null", color_scheme="null")
    first_tab.unroute_all()
    if request.session.testsfailed > failed:
        first_tab.goto(f"{server.url}/_stcore/health")
    assert watch.complaints == []


@pytest.fixture
def new_tab(context: BrowserContext, watch: Watch) -> Iterator[Page]:
    """A tab of the test's own, watched as `page` is: for one that changes the tab itself, or whose server ends."""
    yield context.new_page()
    assert watch.complaints == []
