"""Measure how long a person waits for a 50 MB CSV: from the file chosen in Chromium to its numbers on the screen.

The upload goes through the real server: the browser sends the file, and a child process reads it. The roles are
found, the evaluation is built from the stored copy, and the first page is drawn. Beside it a bare read of the same
file.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

import pyarrow.csv as pacsv
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.driver import COUNT_RUNS, FLAGS, ROOT, chromium_path, start_server, visit

CLASSES = ("refund", "card_lost", "limit", "address", "fees")
BYTES = 50_000_000
ROUNDS = 5
PATIENCE = 120_000  # milliseconds


def measure(n_bytes: int = BYTES) -> dict[str, float]:
    """Median seconds of the whole way and of `pyarrow.csv.read_csv`, over rounds in turns; every round a new file."""
    waits, reads = [], []
    with tempfile.TemporaryDirectory() as name, sync_playwright() as tool:
        folder = Path(name)
        browser = tool.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        with start_server(ROOT, folder / "store") as server:
            page = browser.new_page()
            page.add_init_script(COUNT_RUNS)
            for turn in range(ROUNDS):
                path = folder / f"predictions-{turn}.csv"
                _write(path, n_bytes, seed=turn)
                start = perf_counter()
                pacsv.read_csv(path)
                reads.append(perf_counter() - start)
                waits.append(_wait(page, server.url, path))
                path.unlink()
        browser.close()
    return {
        "megabytes": n_bytes / 1e6,
        "bare_read_s": median(reads),
        "file_chosen_to_numbers_s": median(waits),
        "longest_s": max(waits),
        "file_chosen_to_numbers_times": median(waits) / median(reads),
    }


def _write(path: Path, n_bytes: int, seed: int) -> None:
    """Messages with a true class, a predicted class and its confidence: some 85 bytes a row."""
    draw = random.Random(seed)
    with path.open("w", encoding="utf-8") as file:
        written, row = file.write("id,message,label,prediction,confidence\n"), 0
        while written < n_bytes:
            words = " ".join(draw.choices(("card", "please", "money", "when", "account", "wrong", "help"), k=7))
            true, pred = draw.choices(CLASSES, k=2)
            pred = true if draw.random() < 0.8 else pred
            written += file.write(f"m{row:07d},{words},{true},{pred},{draw.random():.4f}\n")
            row += 1


def _wait(page: Page, url: str, path: Path) -> float:
    visit(page, url)
    chooser = page.locator('[data-testid="stFileUploaderDropzoneInput"]').first
    start = perf_counter()
    chooser.set_input_files(path)
    expect(page.locator(".st-key-heading h1").filter(has_text="accurate")).to_be_visible(timeout=PATIENCE)
    return perf_counter() - start
