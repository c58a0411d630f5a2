"""Measure what the hand feels, in headless Chromium: pages of the menu, a drag of the threshold, a cell, a big matrix.

Beside the drag a plain slider on the server (`plain_slider.py`), as the page worked before, over the same scores.
"""

from __future__ import annotations

import os
import shutil
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

from data.runs import load
from data.runs.draft import Given
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
                click = _clicks(_tab(browser), f"{server.url}/confusion?run={confused}")
                draw = _first_draw(_tab(browser), server.url, many)
                files = {"sample_of_77_classes": "support-intents", "binary_rows": scored, "classes_1000": many}
                pages = _pages(_tab(browser), server, files)
            plain = _plain(_tab(browser), folder)
            browser.close()
    return {"rows": ROWS, **drag, **plain, **click, **draw, **pages}


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
    page.add_init_script(STAMPS + COUNT_RUNS)
    return page


def _keep(folder: Path, columns: Mapping[str, np.ndarray], name: str) -> str:
    path = folder / f"{name}.parquet"
    pq.write_table(pa.table(dict(columns)), path)
    return load.keep(load.read_draft([(path, path.name)], Given()))


def _scored(folder: Path) -> str:
    """A million rows of two classes, every score different."""
    draw = np.random.default_rng(0)
    y_true = draw.random(ROWS) < 0.2
    y_score = 1 / (1 + np.exp(-(draw.normal(size=ROWS) + 1.6 * y_true - 1.5)))
    assert len(np.unique(y_score)) > 0.999 * ROWS
    np.savez(folder / "scores.npz", y_true=y_true, y_score=y_score)
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
        "drag_frame_scripting_s": median(waits),
        "drag_longest_frame_scripting_s": max(waits),
        "drag_messages_to_the_server": messages,
        "release_to_address_s": released,
        "threshold_page_in_all_mb": loaded / 1e6,
        "threshold_page_largest_message_mb": largest / 1e6,
    }


def _plain(page: Page, folder: Path) -> dict[str, float]:
    """From the release of the plain slider (a key moves it one step) to its numbers, with the same scores."""
    home = folder / "plain"
    home.mkdir()
    for name in (".streamlit", "metrics", "data", "text", "web"):
        (home / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "server.py", home)  # not a link: it serves what stands beside it
    shutil.copy(ROOT / "tests" / "benchmarks" / "plain_slider.py", home / "app.py")
    os.environ["PLAIN_SLIDER_SCORES"] = str(folder / "scores.npz")
    waits = []
    with start_server(home, folder / "plain-store") as server:
        visit(page, server.url)
        slider = page.get_by_role("slider")
        slider.focus()
        for move in range(CLICKS):
            runs = page.evaluate("window.asked")
            start = perf_counter()
            slider.press("ArrowRight" if move % 2 else "ArrowLeft")
            wait_until_idle(page, runs + 1)
            waits.append(perf_counter() - start)
    return {"plain_slider_release_to_numbers_s": median(waits)}


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
    const rows = said ? inside(document, ".panel-list li") : [];
    rows.length && rows.every(row => row.innerText.includes(wanted.true)) && clicked
      ? done(performance.now() - clicked) : requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})
"""


def _clicks(page: Page, url: str) -> dict[str, float]:
    """Seconds from a click on a cell of the 77-class matrix to its rows, of a file of a million."""
    visit(page, url)
    plane = page.locator(".matrix .plane")
    waits = []
    for i in range(CLICKS):
        true, pred = 3 + i, 5 + 2 * i
        data = plane.evaluate("element => ({...element.dataset})")
        size, (left, top) = float(data["cell"]), map(float, data["origin"].split())
        plane.scroll_into_view_if_needed()
        names = {"true": f"intent_{true:04d}", "pred": f"intent_{pred:04d}"}
        wanted = {**names, "said": f"{names['true']} rows were predicted as {names['pred']}"}
        page.evaluate(f"wanted => {{ window.found = ({ROWS_OF_CELL})(wanted) }}", wanted)
        plane.click(position={"x": left + (pred + 0.5) * size, "y": top + (true + 0.5) * size})
        waits.append(page.evaluate("() => window.found") / 1000)
        wait_until_idle(page)
    return {"click_to_rows_s": median(waits), "longest_click_to_rows_s": max(waits)}


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
        "first_draw_of_1000_classes_s": drawn,
        "confusion_page_of_1000_classes_in_all_mb": (traffic.received - loaded) / 1e6,
    }


# When the server was asked last, and when it said that it is done.
STAMPS = """
for (const [name, at] of [["asked", "askedAt"], ["answered", "answeredAt"]]) {
  let value = 0
  Object.defineProperty(window, name, {
    get: () => value,
    set: next => { value = next; window[at] = performance.now() },
  })
}
"""
# From the click on a page of the menu to the frame in which that page's title is drawn.
NEXT_TITLE = """
link => new Promise(done => {
  const title = () => document.querySelector(".st-key-heading h1")?.innerText;
  const before = title(), start = performance.now();
  const look = () => title() && title() !== before ? done(performance.now() - start) : requestAnimationFrame(look);
  link.click();
  requestAnimationFrame(look);
})
"""
PAGES = (
    "Confusion", "Classes", "Rows", "Thresholds", "Slices", "Compare", "Agreement", "Parsing", "Review", "Export",
    "Shared links", "Choose a metric", "Glossary", "Overview",
)  # fmt: skip
STEPS = ("Choose", "Calibration", "All classes", "Explore")


def _processor_seconds(running: Server) -> float:
    """Seconds that the server's process has kept a processor busy."""
    fields = Path(f"/proc/{running.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _pages(page: Page, running: Server, files: Mapping[str, str]) -> dict[str, float]:
    """Seconds from a click in the menu to the next page's title, and of the server's work: median and slowest page.

    files : runs by name. The first round computes what later ones find kept. Beside the server's seconds by the clock
    stand those of its processor, which other work on the machine does not lengthen; the steps of Thresholds count too.
    """
    url = running.url
    found: dict[str, float] = {}
    for name, run in files.items():
        titles: dict[str, list[float]] = {one: [] for one in PAGES}
        server: dict[str, list[float]] = {one: [] for one in PAGES}
        processor: dict[str, list[float]] = {one: [] for one in (*PAGES, *STEPS)}
        visit(page, f"{url}/overview?run={run}")
        for _ in range(ROUNDS + 1):
            for one in PAGES:
                link = menu(page).get_by_role("link", name=one, exact=True)
                before = _processor_seconds(running)
                titles[one].append(link.evaluate(NEXT_TITLE) / 1000)
                wait_until_idle(page)
                server[one].append(page.evaluate("answeredAt - askedAt") / 1000)
                processor[one].append(_processor_seconds(running) - before)
        visit(page, f"{url}/thresholds?run={run}")
        for _ in range(ROUNDS + 1):
            for one in STEPS:
                step = page.get_by_role("radio", name=one, exact=True)
                if step.count():
                    before, asked = _processor_seconds(running), page.evaluate("asked")
                    step.click()
                    wait_until_idle(page, asked + 1)
                    processor[one].append(_processor_seconds(running) - before)
        worked = {one: mean(values[1:]) for one, values in processor.items() if values}  # the system counts in 10 ms
        found |= {f"{name}_page_processor_s": median(worked.values()), f"{name}_most_processor_s": max(worked.values())}
        print(name, "processor", {one: round(1000 * value) for one, value in worked.items()}, flush=True)
        for what, times in (("title", titles), ("server", server)):
            kept = {one: median(values[1:]) for one, values in times.items()}
            slowest = max(kept, key=lambda one: kept[one])
            found |= {f"{name}_page_{what}_s": median(kept.values()), f"{name}_slowest_{what}_s": kept[slowest]}
            print(name, what, {one: round(1000 * value) for one, value in kept.items()}, flush=True)
    return found
