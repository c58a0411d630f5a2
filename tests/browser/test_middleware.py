"""Test what the server lets in and out: headers, errors, requests, and every address on its own."""

import re
import shutil
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import ROOT, Server, Watch, rerun, show, start_server, visit
from tests.browser.test_menu import opened_cleanly
from tests.ceiling import CEILING_SECONDS


@pytest.fixture(scope="session")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The real `server.py` and configuration in front of `stub_app.py`."""
    folder = tmp_path_factory.mktemp("stub")
    for name in (".streamlit", "assets", "web", "data", "text"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "server.py", folder)
    shutil.copy(Path(__file__).with_name("stub_app.py"), folder / "app.py")
    with start_server(folder, folder / "store") as running:
        yield running


def headers_of(url: str) -> Message:
    try:
        with urllib.request.urlopen(url, timeout=CEILING_SECONDS) as answer:
            return answer.headers
    except urllib.error.HTTPError as error:
        return error.headers


@pytest.mark.parametrize("path", ["/", "/overview", "/_stcore/health", "/media/none.csv", "/x/_stcore/health"])
def test_every_answer_carries_the_security_headers(stub, path):
    headers = headers_of(stub.url + path)
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "microphone=()" in headers["Permissions-Policy"]
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "'unsafe-eval'" not in policy
    assert "http" not in policy and "*" not in policy, "the policy names no other host"


def test_everything_streamlit_draws_works_under_the_policy(stub, page):
    visit(page, stub.url)
    expect(page.get_by_test_id("stPlotlyChart").locator(".main-svg").first).to_be_visible()
    expect(page.get_by_test_id("stPlotlyChart").locator(".heatmaplayer").first).to_be_attached()
    expect(page.get_by_test_id("stDataFrame").locator("canvas").first).to_be_visible()
    expect(page.locator(".katex").first).to_be_visible()
    expect(page.get_by_test_id("stGraphVizChart").locator("svg").first).to_be_visible()
    with rerun(page):
        page.get_by_role("button", name="component is ready").click()
    expect(page.get_by_text("clicks: 1")).to_be_visible()
    # The `page` fixture asserts that nothing was refused on the way.


def test_rerun_waits_for_fragments_and_pages_alike(stub, page):
    show(page, stub.url)
    for wanted in [True, False] * 5:
        with rerun(page):
            page.get_by_text("toggle", exact=True).click()
        assert page.get_by_text("toggled: ").inner_text() == f"toggled: {wanted}"


def test_what_the_page_fixture_forbids_it_also_sees(stub, page, watch):
    show(page, stub.url)
    assert watch.complaints == []
    page.evaluate("document.body.appendChild(document.createElement('script')).textContent = 'window.ran = 1'")
    page.evaluate("document.body.appendChild(new Image()).src = 'http://example.com/pixel.png'")
    with page.context.expect_event("weberror"):
        page.evaluate("setTimeout(() => { throw new Error('planted') })")
    with page.expect_console_message(lambda message: message.text == "planted too"):
        page.evaluate("console.error('planted too')")
    assert page.evaluate("window.ran") is None, "an inline script ran in spite of the policy"
    seen = "\n".join(watch.complaints)
    assert "inline script" in seen
    assert "example.com" in seen
    assert "uncaught: planted" in seen
    assert "console error: planted too" in seen
    watch.complaints.clear()


def fail_on_load(page: Page, stub: Server) -> None:
    show(page, f"{stub.url}/?fail=page")


def fail_in(where: str):
    def act(page: Page, stub: Server) -> None:
        show(page, f"{stub.url}/?fail={where}")
        with rerun(page):
            page.get_by_role("button", name=f"fail in a {where}").click()

    return act


@pytest.mark.parametrize("act", [fail_on_load, fail_in("callback"), fail_in("fragment")])
def test_error_shows_a_reference_in_the_log(stub, page, act):
    act(page, stub)
    alert = page.get_by_test_id("stAlert")
    expect(alert).to_contain_text("Something went wrong inside Blindspot")
    found = re.search(r"report the reference ([2-9A-Z]{6})\.", alert.inner_text())
    assert found
    log = stub.wait_for_output(f"Error reference {found[1]}: ValueError at ")
    before = log[: log.index(found[1])]
    assert "Traceback" in before and "ValueError: a secret detail" in before
    shown = page.get_by_test_id("stApp").inner_text()
    for private in ("secret detail", "Traceback", "ValueError", "stub", str(ROOT)):
        assert private not in shown.replace("Stub", "")


def test_the_app_has_its_own_name_and_icon(server, page):
    show(page, server.url)
    expect(page).to_have_title(re.compile("Blindspot"))
    icon = page.locator('link[rel="shortcut icon"]')
    expect(icon).to_have_attribute("href", re.compile("/media/"))
    with urllib.request.urlopen(icon.get_attribute("href") or "", timeout=CEILING_SECONDS) as answer:
        assert answer.read() == (ROOT / "assets" / "favicon.png").read_bytes()


# How much of the window has moved since the page was asked for (cumulative layout shift).
MOVED = """
() => new Promise(done => {
  const add = list => done(list.getEntries().reduce((sum, entry) => sum + entry.value, 0));
  new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(0), 100);
})
"""


@pytest.mark.parametrize("path", ["", "thresholds"])
def test_address_opens_its_page_and_nothing_moves(server, page, path):
    visit(page, f"{server.url}/{path}")
    opened_cleanly(page)
    assert page.url == f"{server.url}/{path}"
    assert page.evaluate(MOVED) < 0.02


FIRST_RUN = """
<link rel="modulepreload"><style id="later-fonts"></style>
<div data-test-script-state="running"><div data-testid="stMainBlockContainer">
<div data-testid="stMarkdownContainer"><p>Reading the evaluation …</p></div></div></div>
"""


def test_first_page_shows_when_ready_however_late(colleague):
    page, watch = colleague, Watch(colleague.context)
    address = "http://localhost/"
    script = (ROOT / "assets" / "start.js").read_text(encoding="utf-8")
    page.route(
        address, lambda route: route.fulfill(body=FIRST_RUN + f"<script>{script}</script>", content_type="text/html")
    )
    page.clock.install()
    page.goto(address)

    def is_shown_after(change: str) -> bool:
        page.evaluate(change)
        page.clock.run_for(30_000)
        return page.evaluate("'shown' in document.documentElement.dataset")

    assert not is_shown_after("document.querySelector('link').dispatchEvent(new Event('error'))"), "no title"
    assert not is_shown_after("document.querySelector('p').outerHTML = '<h1>Title</h1>'"), "the run goes on"
    skeleton = "<i data-testid=stSkeleton style='display: block; height: 9px'></i>"
    assert not is_shown_after(
        f"document.querySelector('h1').insertAdjacentHTML('afterend', `{skeleton}`);"
        "document.querySelector('div').dataset.testScriptState = 'notRunning'"
    ), "a script is missing"
    assert is_shown_after("document.querySelector('i').remove()")
    assert watch.complaints == []


def test_refused_upload_shows_why_and_next_passes(page, watch, tmp_path, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_SESSION_MB", "1")
    rows = "true,predicted\n" + "cat,dog\n" * 50
    with start_server(ROOT, tmp_path / "store") as small:
        visit(page, small.url)
        field = page.locator('[data-testid="stFileUploaderDropzoneInput"]').first
        field.set_input_files({"name": "large.csv", "mimeType": "text/csv", "buffer": rows.encode() * 8_000})
        expect(page.get_by_text("Request failed with status code 413")).to_be_visible()
        small.wait_for_output("One tab may hold at most 1 MB of files")
        assert [text for text in watch.complaints if "413" not in text] == []
        watch.complaints.clear()
        with rerun(page):
            field.set_input_files({"name": "small.csv", "mimeType": "text/csv", "buffer": rows.encode()})
        page.wait_for_url(re.compile("run="))
        page.goto("about:blank")
    told = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    assert "`Request failed with status code 413`" in told, "the documentation says what the number means"
