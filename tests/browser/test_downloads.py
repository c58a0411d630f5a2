"""Every download of every page in a real browser: the file comes, and a reader of its kind reads it."""

import ast
import io
import json
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Locator, Page

from tests.browser.driver import Server, rerun, show, wait_until_idle
from tests.browser.gestures import keep
from tests.training import write_training, zip_folder

READERS: dict[str, Callable[[bytes], object]] = {
    "csv": lambda content: pd.read_csv(io.BytesIO(content)),
    "html": lambda content: content.index(b"</html>"),
    "json": json.loads,
    "md": lambda content: content.index(b"| metric |"),
    "parquet": lambda content: pq.read_table(io.BytesIO(content)),
    "py": ast.parse,
    "svg": ET.fromstring,
    "zip": lambda content: zipfile.ZipFile(io.BytesIO(content)).read("numbers.json"),
}
# An address, what is clicked there first, and the files that the page then hands out.
VISITS = [
    ("overview?run={epochs}", (), "epochs.csv"),
    ("overview?run=movie-genres", (), "labels_per_row.csv"),
    ("confusion?run=digits", (".st-key-matrix-more button", ".st-key-matrix-list button"), "confusions.csv"),
    ("confusion?run=digits", (".st-key-matrix-more button", ".st-key-matrix-whole button"), "confusion_matrix.csv"),
    ("classes?run=digits", (), "classes.csv"),
    ("rows?run=digits&marks=1", ("text=1 marked",), "rows.csv rows.parquet marked_rows.csv marked_rows.parquet"),
    ("thresholds?run=screening&tab=choose", ("text=All columns",), "threshold_choices.csv"),
    ("thresholds?run=screening&tab=choose&by=reject", (), "abstain_bands.csv"),
    ("thresholds?run=screening&tab=calibration", (), "reliability.csv"),
    ("thresholds?run=digits&tab=calibration", (), "reliability.csv confidence_curve.csv"),
    ("thresholds?run=digits&tab=classes", (), "every_class_against_the_rest.csv"),
    ("thresholds?run=movie-genres&tab=classes", (), "label_thresholds.csv every_class_against_the_rest.csv"),
    ("slices?run=triage&mode=groups", (), "groups.csv"),
    ("slices?run=triage&mode=time", (), "drift.csv"),
    (
        "compare?run=triage&with=score.p_urgent_v2",
        (".st-key-compare-more button",),
        "compared-rows.csv classes-compared.csv comparison.md comparison.json",
    ),
    ("parsing?run=support-intents-llm", (), "outcomes.csv parser.json"),
    (
        "export?run=screening",
        (),
        "report.html everything.zip numbers.json classes.csv findings.csv confusion_matrix.csv confusion_matrix.svg "
        "roc.svg precision_recall.svg prepared.parquet recompute.py",
    ),
]


@pytest.fixture(scope="module")
def epochs(server: Server, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A run of a training's epochs."""
    return keep(server, zip_folder(write_training(tmp_path_factory.mktemp("training") / "t")))


def press(page: Page, button: Locator) -> str:
    """Press a button that hands out a file, have the file read by its kind, and return its name."""
    with page.expect_download() as waiting:
        button.evaluate("button => button.click()")  # some lie in a table's box that is closed
    name = waiting.value.suggested_filename
    READERS[name.rpartition(".")[2]](Path(waiting.value.path()).read_bytes())
    return name


def downloads(page: Page) -> set[str]:
    """The names of all files that the page hands out, each of them read."""
    unmade = page.locator("[class*=st-key-exporting-][class*=-make] button")
    names = set()
    while unmade.count():  # one click makes several files, and downloads the one it names
        with rerun(page):
            names.add(press(page, unmade.first))
    ready = reversed(page.get_by_test_id("stDownloadButton").all())  # a click beside what has popped up closes it
    return names | {press(page, place.locator("button").first) for place in ready}


def test_every_download_of_every_page_can_be_read(page: Page, server: Server, epochs: str):
    wrong = {}
    for address, clicked, names in VISITS:
        show(page, f"{server.url}/{address.format(epochs=epochs)}")
        for place in clicked:
            page.locator(place).first.click()
            wait_until_idle(page)
        found = {name.removeprefix("blindspot-Screening-") for name in downloads(page)}
        if found != set(names.split()):
            wrong[address] = found
    assert wrong == {}
