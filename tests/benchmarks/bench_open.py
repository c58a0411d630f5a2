"""Measure how long a person waits for a 50 MB CSV: from the file chosen in Chromium to its numbers on the screen.

The upload goes through the real server: the browser sends the file, and a child process reads it. The roles are
found, the evaluation is built from the stored copy, and the first page is drawn. Beside it a bare read of the same
file.
"""

import random
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

import pyarrow.csv as pacsv
from playwright.sync_api import Page, expect, sync_playwright

from tests.benchmarks import subject
from tests.benchmarks.stopwatch import Time, server_seconds, take_turns
from tests.browser.driver import COUNT_RUNS, FLAGS, ROOT, Server, chromium_path, start_server, visit, wait_until_idle

CLASSES = ("refund", "card_lost", "limit", "address", "fees")
BYTES = 50_000_000
ROUNDS = 5
PATIENCE = 120_000  # milliseconds


def measure(n_bytes: int = BYTES) -> dict[str, float]:
    """Time the whole way and `pyarrow.csv.read_csv`, medians of rounds in turns; every round a new file."""
    opened: list[Time] = []
    reads: list[Time] = []
    with tempfile.TemporaryDirectory() as name, sync_playwright() as tool:
        folder = Path(name)
        browser = tool.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        with start_server(ROOT, folder / "store") as server:
            page = browser.new_page()
            page.add_init_script(COUNT_RUNS)
            path = folder / "predictions.csv"
            _write(path, n_bytes)
            for turn in range(ROUNDS):
                with path.open("a", encoding="utf-8") as file:  # no file of this content was opened before
                    file.write(f"one more {turn},message,fees,fees,0.5\n")
                reads += take_turns(partial(pacsv.read_csv, path), rounds=1)
                opened.append(_open(page, server, path))
        browser.close()
    wall, cpu, bare = (median(values) for values in (*zip(*opened, strict=True), [one.cpu for one in reads]))
    return {
        "bare read of 50 MB of CSV, seconds": median(one.wall for one in reads),
        "file chosen to its numbers on the screen, seconds": wall,
        "file chosen to its numbers, processor of the server, seconds": cpu,
        "file chosen to its numbers, processor of the server: times as long as the bare read": cpu / bare,
    }


def _write(path: Path, n_bytes: int) -> None:
    """Messages with a true class, a predicted class and its confidence: some 85 bytes a row."""
    draw = random.Random(0)
    with path.open("w", encoding="utf-8") as file:
        written, row = file.write("id,message,label,prediction,confidence\n"), 0
        while written < n_bytes:
            words = " ".join(draw.choices(("card", "please", "money", "when", "account", "wrong", "help"), k=7))
            true, pred = draw.choices(CLASSES, k=2)
            pred = true if draw.random() < 0.8 else pred
            written += file.write(f"m{row:07d},{words},{true},{pred},{draw.random():.4f}\n")
            row += 1


def _open(page: Page, server: Server, path: Path) -> Time:
    visit(page, server.url)
    _wait_until_still(server.process.pid)
    chooser = page.locator('[data-testid="stFileUploaderDropzoneInput"]').first
    start, cpu = perf_counter(), server_seconds(server.process.pid)
    chooser.set_input_files(path)
    expect(page.locator(subject.OVERVIEW).first).to_be_visible(timeout=PATIENCE)
    wall = perf_counter() - start
    wait_until_idle(page)
    return Time(wall, server_seconds(server.process.pid) - cpu)


def _wait_until_still(pid: int) -> None:
    """Wait until the server and its children compute nothing: somebody who chooses a file takes longer."""
    before = -1.0
    while (now := server_seconds(pid)) != before:
        before = now
        sleep(0.2)
