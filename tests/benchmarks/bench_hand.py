"""Measure what the hand feels, in headless Chromium: a drag of the threshold, a cell, a big matrix, pages."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, median
from time import perf_counter

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from playwright.sync_api import CDPSession, Page, WebSocket, expect, sync_playwright

from tests.benchmarks import subject
from tests.benchmarks.stopwatch import server_seconds
from tests.browser.driver import COUNT_RUNS, FLAGS, ROOT, Server, chromium_path, start_server, visit, wait_until_idle
from tests.browser.gestures import menu

ROWS = 1_000_000
MOVES = 60
CLICKS = 15
ROUNDS = 5
PATIENCE = 120_000  # milliseconds
SIZE = {"width": 1280, "height": 900}


def measure() -> dict[str, float]:
    """All of it, one after the other, each in a tab of its own."""
    with tempfile.TemporaryDirectory() as name, _store(Path(name) / "store") as store:
        folder = Path(name)
        scored, confused, many = _scored(folder), _confused(folder, 77, ROWS), _confused(folder, 1000, ROWS)
        with sync_playwright() as tool:
            browser = tool.chromium.launch(executable_path=chromium_path(), args=FLAGS)
            with start_server(ROOT, store) as server:
                drag = _drag(_tab(browser), f"{server.url}/thresholds?run={scored}")
                click = _clicks(_tab(browser), server, confused)
                draw = _first_draw(_tab(browser), server.url, many)
                files = {"sample of 77 classes": "support-intents", "1M rows of 2 classes": scored,
                         "1M rows of 1,000 classes": many}  # fmt: skip
                pages = [_pages(_tab(browser), server, *file) for file in files.items()]
            browser.close()
    return {"rows": ROWS, **drag, **click, **draw, **{key: value for one in pages for key, value in one.items()}}


@contextmanager
def _store(path: Path) -> Iterator[Path]:
    before = os.environ.get("BLINDSPOT_STORE")
    os.environ["BLINDSPOT_STORE"] = str(path)
    try:
        yield path
    finally:
        os.environ.pop("BLINDSPOT_STORE")
        if before is not None:
            os.environ["BLINDSPOT_STORE"] = before


def _tab(browser) -> Page:
    page = browser.new_context(viewport=SIZE, reduced_motion="reduce").new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(COUNT_RUNS)
    return page


def _keep(folder: Path, columns: Mapping[str, np.ndarray], name: str) -> str:
    path = folder / f"{name}.parquet"
    pq.write_table(pa.table(dict(columns)), path)
    return subject.keep(path)


def _scored(folder: Path) -> str:
    """A million rows of two classes, every score different."""
    draw = np.random.default_rng(0)
    y_true = draw.random(ROWS) < 0.2
    y_score = 1 / (1 + np.exp(-(draw.normal(size=ROWS) + 1.6 * y_true - 1.5)))
    assert len(np.unique(y_score)) > 0.999 * ROWS
    return _keep(folder, {"label": np.where(y_true, "yes", "no"), "p_yes": y_score}, "scored")


def _confused(folder: Path, n_classes: int, n_rows: int) -> str:
    """Rows of many classes, a fifth of them wrong, with a text and the confidence."""
    draw = np.random.default_rng(1)
    names = np.array([f"intent_{i:04d}" for i in range(n_classes)])
    true = draw.integers(n_classes, size=n_rows)
    pred = np.where(draw.random(n_rows) < 0.8, true, draw.integers(n_classes, size=n_rows))
    texts = np.array([f"message about {name}" for name in names])
    columns = {"text": texts[true], "label": names[true], "prediction": names[pred], "confidence": draw.random(n_rows)}
    return _keep(folder, columns, f"confused-{n_classes}")


class _Traffic:
    """Bytes and messages over the page's socket, counted from here on."""

    def __init__(self, page: Page) -> None:
        self.sent = self.received = self.largest = 0
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda _: self._count_sent())
        socket.on("framereceived", lambda payload: self._count_received(len(payload)))

    def _count_sent(self) -> None:
        self.sent += 1

    def _count_received(self, n: int) -> None:
        self.received += n
        self.largest = max(self.largest, n)


def _scripting(session: CDPSession) -> float:
    found = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return float(found["ScriptDuration"])


FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


def _drag(page: Page, url: str) -> dict[str, float]:
    """Scripting seconds of each move of a drag and what went over the wire; then from the release to the address."""
    traffic = _Traffic(page)
    visit(page, url)
    slider = page.get_by_role("slider", name="Threshold").first
    expect(slider).to_be_visible()
    wait_until_idle(page)
    loaded, largest = traffic.received, traffic.largest
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    box = slider.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    sent, waits = traffic.sent, []
    for move in range(MOVES):
        before = _scripting(session)
        page.mouse.move(x + 3 * (move % 20) - 30, y)
        page.evaluate(FRAME)
        waits.append(_scripting(session) - before)
    messages = traffic.sent - sent
    start = perf_counter()
    page.mouse.up()
    page.wait_for_url("**t=*")
    released = perf_counter() - start
    wait_until_idle(page)
    return {
        "drag of the threshold: scripting of a frame, seconds": median(waits),
        "drag of the threshold: scripting of the longest frame, seconds": max(waits),
        "drag of the threshold: messages to the server": messages,
        "release of the threshold to the address, seconds": released,
        "page Thresholds of different scores, in all, megabytes": loaded / 1e6,
        "page Thresholds of different scores, largest message, megabytes": largest / 1e6,
    }


# From the click, seen by the page itself, to the frame in which the sentence and the list name the cell's rows.
ROWS_OF_CELL = """
wanted => new Promise(done => {
  let clicked = 0;
  addEventListener("pointerup", () => { clicked = performance.now(); }, { capture: true, once: true });
  const inside = (root, selector) => [...root.querySelectorAll("*")].flatMap(element => [
    ...(element.matches(selector) ? [element] : []),
    ...(element.shadowRoot ? inside(element.shadowRoot, selector) : []),
  ]);
  const look = () => {
    const said = document.querySelector('[data-testid="stMain"]').innerText.includes(wanted.said);
    const rows = said ? inside(document, wanted.rows) : [];
    rows.some(row => row.innerText.includes(wanted.true)) && clicked
      ? done(performance.now() - clicked) : requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})
"""


def _clicks(page: Page, server: Server, run: str) -> dict[str, float]:
    """Seconds from a click on a cell of the 77-class matrix to its rows, of a file of a million."""
    visit(page, f"{server.url}/confusion?run={run}")
    plane = page.locator(".matrix .plane")
    waits = []
    before = server_seconds(server.process.pid)
    for i in range(CLICKS):
        true, pred = 3 + i, 5 + 2 * i
        data = plane.evaluate("element => ({...element.dataset})")
        size, (left, top) = float(data["cell"]), map(float, data["origin"].split())
        plane.scroll_into_view_if_needed()
        names = {"true": f"intent_{true:04d}", "pred": f"intent_{pred:04d}"}
        wanted = {**names, "said": subject.CELL_SENTENCE.format(**names), "rows": subject.CELL_ROWS}
        page.evaluate(f"wanted => {{ window.found = ({ROWS_OF_CELL})(wanted) }}", wanted)
        plane.click(position={"x": left + (pred + 0.5) * size, "y": top + (true + 0.5) * size})
        waits.append(page.evaluate("() => window.found") / 1000)
        wait_until_idle(page)
    return {
        "click on a cell of 77 classes to its rows, seconds": median(waits),
        "click on a cell, processor of the server, seconds": (server_seconds(server.process.pid) - before) / CLICKS,
    }


def _first_draw(page: Page, url: str, run: str) -> dict[str, float]:
    """Seconds to the drawn matrix of 1,000 classes: a page switch to it, for the first time, within a visit."""
    traffic = _Traffic(page)
    visit(page, f"{url}/overview?run={run}")
    loaded = traffic.received
    start = perf_counter()
    menu(page).get_by_role("link", name="Confusion").click()
    plane = page.locator(".matrix .plane")
    page.wait_for_function("element => element.dataset.cell", arg=plane.element_handle())
    page.evaluate(FRAME)
    drawn = perf_counter() - start
    wait_until_idle(page)
    return {
        "first draw of a matrix of 1,000 classes, seconds": drawn,
        "page Confusion of 1,000 classes, in all, megabytes": (traffic.received - loaded) / 1e6,
    }


# From the click on a page of the menu to the frame in which that page's title is drawn.
NEXT_TITLE = """
link => new Promise(done => {
  const title = () => document.querySelector('[data-testid="stMain"] h1')?.innerText;
  const before = title(), start = performance.now();
  const look = () => title() && title() !== before ? done(performance.now() - start) : requestAnimationFrame(look);
  link.click();
  requestAnimationFrame(look);
})
"""
PAGES = (
    "Confusion", "Classes", "Rows", "Thresholds", "Slices", "Compare", "Agreement", "Parsing", "Review", subject.EXPORT,
    "Shared links", "Choose a metric", "Glossary", "Overview",
)  # fmt: skip
MAIN = {"Overview", "Confusion", "Classes", "Rows", "Thresholds", "Glossary"}


def _pages(page: Page, running: Server, name: str, run: str) -> dict[str, float]:
    """Time each page of the menu from the click to its title, and the server's processor.

    The first round computes what later ones find kept. Other work on the machine does not lengthen the seconds of the
    processor.
    """
    visit(page, f"{running.url}/overview?run={run}")
    links = {one: menu(page).get_by_role("link", name=one, exact=True) for one in PAGES}
    links = {one: link for one, link in links.items() if link.count()}
    titles: dict[str, list[float]] = {one: [] for one in links}
    worked: dict[str, list[float]] = {one: [] for one in links}
    for _ in range(ROUNDS + 1):
        for one, link in links.items():
            before = server_seconds(running.process.pid)
            titles[one].append(link.evaluate(NEXT_TITLE) / 1000)
            wait_until_idle(page)
            worked[one].append(server_seconds(running.process.pid) - before)
    title = [median(values[1:]) for values in titles.values()]
    cpu = {one: mean(values[1:]) for one, values in worked.items()}  # the system counts in steps of 10 ms
    head = f"{name}, {len(links)} pages"
    return {
        f"{head}: click in the menu to the title, median, seconds": median(title),
        f"{head}: click in the menu to the title, slowest page, seconds": max(title),
        f"{name}, six main pages: processor of the server for a page, mean, seconds": mean(cpu[one] for one in MAIN),
    }
