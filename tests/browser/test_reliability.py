"""Test that what a browser loses (the page, the connection, half an upload) costs nobody their evaluation."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, Route, expect

from tests.browser.driver import ROOT, Server, Watch, rerun, show, start_server, visit, wait_until_idle
from tests.browser.gestures import choose, expect_accuracy, go, menu, metric, run_of, upload
from tests.browser.test_main_job import write

UPLOADS = re.compile("/_stcore/upload_file/")
# Streamlit keeps its socket to itself.
KEEP_SOCKET = """
window.WebSocket = class extends WebSocket {
  constructor(...options) { super(...options); window.lastSocket = this; }
};
"""


def predictions(path: Path, n_right: int = 9) -> Path:
    """Ten rows; this many are right."""
    write(path, "y_true,y_pred", (f"{'ab'[i % 2]},{'ab'[(i + (i >= n_right)) % 2]}" for i in range(10)))
    return path


def test_a_refresh_keeps_the_upload_and_the_view(page: Page, server: Server, tmp_path: Path) -> None:
    run = upload(page, server, predictions(tmp_path / "p.csv"))
    go(page, "Overview")
    assert metric(page, "Accuracy") == "90.0 %"
    for _ in range(2):
        page.reload()
        wait_until_idle(page)
        assert metric(page, "Accuracy") == "90.0 %" and run_of(page) == run


def test_lost_connection_restores_the_evaluation(new_tab: Page, server: Server, tmp_path: Path) -> None:
    page = new_tab
    page.add_init_script(KEEP_SOCKET)
    run = upload(page, server, predictions(tmp_path / "p.csv", 8))
    go(page, "Overview")
    for _ in range(2):
        page.evaluate("window.lostSocket = window.lastSocket; window.lostSocket.close()")
        page.wait_for_function("() => window.lastSocket !== window.lostSocket && window.lastSocket.readyState === 1")
        go(page, "Confusion")
        go(page, "Overview")
        assert metric(page, "Accuracy") == "80.0 %" and run_of(page) == run


def test_broken_upload_leaves_nothing_and_next_works(page: Page, server: Server, tmp_path: Path, watch: Watch) -> None:
    before = sorted((server.store / "data").iterdir()), sorted((server.store / "link").iterdir())
    file = predictions(tmp_path / "p.csv", 7)
    show(page, server.url)
    page.route(UPLOADS, lambda route: route.abort("connectionreset"))
    page.locator('[data-testid="stFileUploaderDropzoneInput"]').first.set_input_files(file)
    expect(page.get_by_test_id("stFileUploader").first.get_by_text(re.compile("error", re.IGNORECASE))).to_be_visible()
    assert before == (sorted((server.store / "data").iterdir()), sorted((server.store / "link").iterdir()))
    page.unroute(UPLOADS)
    watch.complaints.clear()  # the browser says that the connection was reset
    page.locator('[data-testid="stFileUploaderDropzoneInput"]').first.set_input_files(
        predictions(tmp_path / "again.csv", 7)
    )
    page.wait_for_url(re.compile("run="))
    expect_accuracy(page, "70.0 %")


def test_cancelled_upload_leaves_nothing(page: Page, server: Server, tmp_path: Path, watch: Watch) -> None:
    before = sorted((server.store / "data").iterdir()), sorted((server.store / "link").iterdir())
    held: list[Route] = []
    visit(page, server.url)  # the session before has files
    page.route(UPLOADS, lambda route: held.append(route))  # on its way, for as long as nobody lets it on
    page.locator('[data-testid="stFileUploaderDropzoneInput"]').first.set_input_files(predictions(tmp_path / "p.csv"))
    uploader = page.get_by_test_id("stFileUploader").first
    expect(uploader.get_by_text("p.csv")).to_be_visible()
    uploader.get_by_test_id("stFileChipDeleteBtn").get_by_role("button").click()
    expect(uploader.get_by_text("p.csv")).to_have_count(0)
    for route in held:
        route.abort()
    page.unroute(UPLOADS)
    watch.complaints.clear()  # the page tells its console that the upload was cancelled
    assert before == (sorted((server.store / "data").iterdir()), sorted((server.store / "link").iterdir()))
    assert "run=" not in page.url


def test_back_button_restores_page_and_evaluation(page: Page, server: Server, tmp_path: Path) -> None:
    run = upload(page, server, predictions(tmp_path / "p.csv"))
    go(page, "Overview")
    go(page, "Confusion")
    for _ in range(3):  # an address that was completed is a step of its own
        page.go_back()
        wait_until_idle(page)
        if "/overview" in page.url:
            break
    assert "/overview" in page.url and run_of(page) == run
    expect(page.locator(".lens").filter(has_text="Accuracy").first).to_contain_text("90.0 %")


def test_the_menu_keeps_the_evaluation_over_a_restart(page: Page, tmp_path: Path, watch: Watch) -> None:
    """Kill, restart, click: the same evaluation and numbers, with what was chosen on the page that is gone to."""
    with start_server(ROOT, tmp_path / "store") as first:
        run = upload(page, first, predictions(tmp_path / "p.csv", 6))
        go(page, "Confusion")
        with rerun(page):
            choose(page, "Colour", "Share of predicted class")
        go(page, "Overview")
        assert metric(page, "Accuracy") == "60.0 %"
        first.process.kill()
        first.process.wait()
        port = urlsplit(first.url).port
    with start_server(ROOT, tmp_path / "store", port=port):
        # The page looks alive, and the session behind it is a new one that has run nothing.
        expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-connection-state", "CONNECTED")
        menu(page).get_by_role("link", name="Confusion", exact=True).click()
        page.wait_for_url(re.compile(f"/confusion.*run={run}.*norm=column"))
        wait_until_idle(page)
        expect(page.get_by_role("combobox", name="Colour")).to_have_value("Share of predicted class")
        go(page, "Overview")
        assert metric(page, "Accuracy") == "60.0 %" and run_of(page) == run
        page.goto("about:blank")
    watch.complaints.clear()  # the page had lost its server
