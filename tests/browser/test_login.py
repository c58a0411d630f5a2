"""Logging in with a provider, and for whom links open then: two people, two browsers, one server."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from data.sharing import share as sharing
from data.store import links
from tests.browser.driver import ROOT, Watch, new_visitor, visit, wait_until_healthy, wait_until_idle
from tests.browser.provider import Provider, start_provider
from tests.ceiling import CEILING_SECONDS
from tests.free_port import free_port

pytest.importorskip("authlib", reason="requirements-login.txt is not installed")
SECRETS = """
[auth]
redirect_uri = "{url}/oauth2callback"
cookie_secret = "only-for-this-test-and-long-enough-to-sign-with"
client_id = "blindspot"
client_secret = "secret"
server_metadata_url = "{provider}/.well-known/openid-configuration"
"""


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with start_provider() as running:
        yield running


@contextlib.contextmanager
def server_with_login(folder: Path, provider: Provider, **environment: str) -> Iterator[str]:
    """The real server with the provider's login; yields its address. The port stands in the secrets beforehand."""
    url = f"http://127.0.0.1:{free_port()}"
    secrets = folder / "home/.streamlit/secrets.toml"
    secrets.parent.mkdir(parents=True)
    secrets.write_text(SECRETS.format(url=url, provider=provider.url), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "server.py", "--port", url.rpartition(":")[2]],
        cwd=ROOT,
        env={**os.environ, "BLINDSPOT_STORE": str(folder / "store"), "HOME": str(folder / "home"), **environment},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None and any("Press Ctrl+C" in line for line in process.stdout)
        wait_until_healthy(url)
        yield url
    finally:
        process.terminate()
        process.communicate(timeout=CEILING_SECONDS)


@pytest.fixture
def start(provider: Provider, tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Starts the server with the provider's login and some environment variables; returns its address."""
    with contextlib.ExitStack() as running:
        yield lambda **environment: running.enter_context(server_with_login(tmp_path, provider, **environment))


@pytest.fixture
def tab(browser: Browser, start: object) -> Iterator[Callable[[], Page]]:
    """Opens tabs, each in a browser profile of its own; none may complain."""
    opened = []

    def open_tab() -> Page:
        visitor = new_visitor(browser)
        opened.append((visitor, Watch(visitor)))
        return visitor.new_page()

    yield open_tab
    for visitor, watch in opened:
        visitor.close()
        assert watch.complaints == []


def share(folder: Path, monkeypatch: pytest.MonkeyPatch, person: str = "ann@example.org") -> links.Shared:
    monkeypatch.setenv("BLINDSPOT_STORE", str(folder / "store"))
    return sharing.share("screening", title="nightly", views=[links.View("overview")], person=person)


def log_in(page: Page, provider: Provider, person: str, *, verified: bool = True) -> None:
    provider.person, provider.verified = person, verified
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(lambda url: "oauth" not in url and "authorize" not in url)
    expect(page.get_by_test_id("stSidebar").get_by_text(person, exact=verified)).to_be_visible()
    wait_until_idle(page)


GATE = "Log in to Blindspot"


def test_link_opens_after_the_login_only(provider, start, tab, tmp_path, monkeypatch):
    made = share(tmp_path, monkeypatch)
    url = start(BLINDSPOT_LINKS_FOR="members")
    stranger = tab()
    for path in ("/", "/overview?run=screening", f"/overview?run={made.token}", "/links", "/rows?run=digits"):
        visit(stranger, url + path)
        expect(stranger.get_by_role("heading", name=GATE)).to_be_visible()
        shown = stranger.get_by_test_id("stApp").inner_text()
        assert "Screening" not in shown and "Accuracy" not in shown, path
    member = tab()
    visit(member, f"{url}/confusion?run={made.token}&norm=all")
    log_in(member, provider, "bob@example.org")
    assert "/confusion?" in member.url and "norm=all" in member.url, "back to the link, not to the first page"
    expect(member.get_by_role("heading", name="What stands out")).to_be_visible()
    with member.expect_navigation():
        member.get_by_role("button", name="Log out").click()
    expect(member.get_by_role("heading", name=GATE)).to_be_visible()


def test_links_open_for_the_domain_only(provider, start, tab, tmp_path, monkeypatch):
    made = share(tmp_path, monkeypatch)
    url = start(BLINDSPOT_LINKS_FOR="domain:example.org")
    outsider = tab()
    visit(outsider, f"{url}/overview?run={made.token}")
    log_in(outsider, provider, "eve@elsewhere.example")
    expect(outsider.get_by_text("Links open for members of example.org here")).to_be_visible()
    owner = tab()
    visit(owner, f"{url}/links?run={made.token}")
    log_in(owner, provider, "ann@example.org")
    expect(owner.get_by_text("nightly").first).to_be_visible()
    visit(outsider, f"{url}/links")
    assert "nightly" not in outsider.get_by_test_id("stApp").inner_text()
    pretender = tab()  # the provider's subject looks like an address of the domain, and none was verified
    visit(pretender, f"{url}/overview?run={made.token}")
    log_in(pretender, provider, "ann@example.org", verified=False)
    expect(pretender.get_by_text("Links open for members of example.org here")).to_be_visible()
    visit(pretender, f"{url}/links")
    assert "nightly" not in pretender.get_by_test_id("stApp").inner_text()


def test_link_for_anyone_opens_without_login(provider, start, tab, tmp_path, monkeypatch):
    made = share(tmp_path, monkeypatch)
    url = start()
    stranger = tab()
    visit(stranger, f"{url}/overview?run={made.token}")
    expect(stranger.get_by_role("heading", name="Findings", exact=True)).to_be_visible()
    visit(stranger, f"{url}/overview?run=digits")
    expect(stranger.get_by_role("heading", name=GATE)).to_be_visible()
