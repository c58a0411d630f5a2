"""Log in at a provider and come back. For whom links open, `tests/access` tries on every page without a browser."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from data.sharing import share as sharing
from data.store import links
from tests.browser.driver import ROOT, Watch, visit, wait_until_healthy, wait_until_idle
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


def test_login_leads_back_to_the_link(provider, colleague, tmp_path, monkeypatch):
    watch = Watch(colleague.context)
    made = share(tmp_path, monkeypatch)
    with server_with_login(tmp_path, provider, BLINDSPOT_LINKS_FOR="domain:example.org") as url:
        visit(colleague, f"{url}/confusion?run={made.token}&norm=all")
        expect(colleague.get_by_role("heading", name=GATE)).to_be_visible()
        log_in(colleague, provider, "bob@example.org")
        assert "/confusion?" in colleague.url and "norm=all" in colleague.url, "back to the link, not to the first page"
        expect(colleague.get_by_role("heading", name="What stands out")).to_be_visible()
        with colleague.expect_navigation():
            colleague.get_by_role("button", name="Log out").click()
        expect(colleague.get_by_role("heading", name=GATE)).to_be_visible()
        visit(colleague, f"{url}/overview?run={made.token}")
        log_in(colleague, provider, "ann@example.org", verified=False)  # an address of the domain, if it were hers
        expect(colleague.get_by_text("Links open for members of example.org here")).to_be_visible()
        colleague.goto("about:blank")
    assert watch.complaints == []
