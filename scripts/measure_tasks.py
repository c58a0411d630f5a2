"""Do what a new user would, in headless Chromium, and print the clicks and the seconds of each.

A click is one press of the mouse or the pen, a choice in a list two; typing and giving a file count as one each.
Seconds are those of the app alone: nobody reads or thinks here. A task that cannot be done ends the script with a 1.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter

from playwright.sync_api import Locator, Page, expect, sync_playwright
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tests.browser.driver import FLAGS, LAPTOP, ROOT, chromium_path, new_visitor, rerun, start_server, wait_until_idle
from tests.browser.gestures import menu, open_options


class Person:
    """Whoever tries the app: a tab, and what was done in it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url, self.clicks = page, url, 0
        page.goto(url)
        wait_until_idle(page)

    def press(self, element: Locator, *, asks: bool = True) -> None:
        """Click something; `asks` = the server answers it."""
        self.clicks += 1
        if not asks:
            return element.click()
        with rerun(self.page):
            element.click()

    def button(self, name: str | re.Pattern[str], *, asks: bool = True) -> None:
        """Click a button by its name."""
        self.press(self.page.get_by_role("button", name=name, exact=isinstance(name, str)).first, asks=asks)

    def visit(self, name: str) -> None:
        """Go to a page by the menu."""
        self.press(menu(self.page).get_by_role("link", name=name, exact=True))

    def pick(self, label: str, option: str) -> None:
        """Pick from a list."""
        self.clicks += 2
        open_options(self.page, label)
        self.page.get_by_role("option", name=re.compile(f"^{re.escape(option)}( — |$)")).click()
        wait_until_idle(self.page)

    def upload(self, file: Path) -> None:
        """Give a file on the first page."""
        self.clicks += 1
        with rerun(self.page):
            self.page.locator('[data-testid="stFileUploaderDropzoneInput"]').first.set_input_files(file)
        wait_until_idle(self.page)

    def open_sample(self, title: str) -> None:
        """Open a sample from the first page."""
        card = self.page.get_by_test_id("stColumn").filter(has=self.page.get_by_text(title, exact=True))
        self.press(card.get_by_role("button", name="Open this sample"))
        self.page.wait_for_url("**/overview*")
        wait_until_idle(self.page)

    def sees(self, text: str | re.Pattern[str]) -> None:
        """Wait until a text is on screen."""
        expect(self.page.get_by_test_id("stMain").get_by_text(text).first).to_be_visible()


def low_macro_f1(person: Person, folder: Path) -> None:
    """Find out why macro F1 is low, and which rows show it."""
    person.open_sample("Support intents")
    person.sees("classes with 277 true rows in total are never predicted")
    person.press(person.page.locator(".finding").get_by_role("link", name="277 rows"))
    person.sees(re.compile("277 rows"))


def recall_threshold(person: Person, folder: Path) -> None:
    """Choose a threshold for a recall of at least 0.9, and export it."""
    person.open_sample("Screening")
    person.visit("Thresholds")
    person.button("Choose a threshold")
    person.press(person.page.get_by_text("Reach a minimum"))
    least = person.page.get_by_test_id("stMain").get_by_role("spinbutton").first
    if float(least.input_value()) != 0.9:
        person.clicks += 1
        with rerun(person.page):
            least.fill("0.9")
            least.press("Tab")
    person.button("Use this threshold")
    person.visit("Export")
    with person.page.expect_download() as download:
        person.button("everything.zip", asks=False)
    assert download.value.path().stat().st_size > 1000


def review_of_three(person: Person, folder: Path) -> None:
    """Share a view; make a review of three steps and walk it."""
    person.open_sample("Digits")
    person.button("Share")
    person.button("Copy the link", asks=False)
    person.button("Close", asks=False)
    person.page.get_by_test_id("stDialog").wait_for(state="detached")
    for page in ("Confusion", "Classes", "Rows"):
        person.visit(page)
        person.button(re.compile("^Add to review"))
        person.button("Add")
    person.visit("Review")
    person.button("Make the review link")
    made = person.page.get_by_test_id("stDialog")
    link = made.get_by_role("textbox").first
    address = link.input_value() if link.count() else made.get_by_role("link").first.get_attribute("href")
    assert address
    person.page.goto(address)
    person.press(person.page.get_by_role("link", name="Open it live"), asks=False)
    wait_until_idle(person.page)
    person.sees("1 of 3")
    for step in (2, 3):
        person.press(person.page.locator(".st-key-review-next").get_by_role("link"))
        person.sees(f"{step} of 3")


def fix_parser(person: Person, folder: Path) -> None:
    """Repair the parser of raw answers, so that fewer rows have no label."""
    person.open_sample("Support intents, raw LLM answers")
    person.press(person.page.locator(".finding").get_by_role("link", name="Parsing"))
    person.button("Preview")
    person.button(re.compile("^Apply"))
    person.sees(re.compile("No label was found in 39 of 600 rows"))


def choose_metric(person: Person, folder: Path) -> None:
    """Find out which metric to report, with its value."""
    person.open_sample("Screening")
    person.visit("Choose a metric")
    person.press(person.page.get_by_test_id("stMain").get_by_role("button", name="No, only their order").first)
    person.sees(re.compile("Your metric: .* on this file"))


def repair_roles(person: Person, folder: Path) -> None:
    """Open a file whose score no name tells, and say which column is what."""
    file, draw = folder / "unclear.csv", Random(0)
    sick = [draw.random() < 0.3 for _ in range(200)]
    rows = [f"{i},{'yes' if ill else 'no'},{draw.gauss(9 + 4 * ill, 3):.0f}" for i, ill in enumerate(sick)]
    file.write_text("\n".join(["nr,sick,points", *rows]))
    person.upload(file)
    person.sees("This file cannot be used yet")
    person.pick("True label", "sick")
    person.pick("Scores", "points")
    person.page.keyboard.press("Escape")  # the list stays open for more
    person.pick("Scores are", "on a scale of their own (such as 1 to 10)")
    person.button("Apply")
    person.page.wait_for_url("**/overview*")


def name_the_classes(person: Person, folder: Path) -> None:
    """Give two numbered classes their names, and share them."""
    file = folder / "fraud.csv"
    rows = (f"{int(i % 9 == 0)},{int((i % 9 == 0) != (i % 11 == 0))}" for i in range(200))
    file.write_text("\n".join(["is_fraud,predicted", *rows]))
    person.upload(file)
    person.sees("is_fraud = 1")
    person.button("Name the classes")
    for label, name in (("is_fraud = 0", "genuine"), ("is_fraud = 1", "fraud")):
        person.clicks += 1
        person.page.get_by_role("textbox", name=label).fill(name)
    person.button("Use these names")
    expect(person.page.get_by_role("heading", level=1)).to_contain_text("fraud rows were predicted as genuine")


def repair_broken_row(person: Person, folder: Path) -> None:
    """Open a file of which one row has a value too many: leave the row out."""
    file = folder / "broken.csv"
    rows = [f"{i},{'ab'[i % 2]},{'ab'[i % 3 % 2]}" for i in range(400)]
    rows[200] += ",a"
    file.write_text("\n".join(["id,y_true,y_pred", *rows]))
    person.upload(file)
    person.button(re.compile("^Leave out"))
    person.page.wait_for_url("**/overview*")
    person.sees(re.compile("399 rows"))


def decide_on_cancer(person: Person, folder: Path) -> None:
    """Get from a file of cancer predictions to the decision sheet for a screening of 10,000 people a day."""
    file, cancer = folder / "cancer.csv", load_breast_cancer()
    model = make_pipeline(StandardScaler(), LogisticRegression())
    healthy = cross_val_predict(model, cancer.data, cancer.target, method="predict_proba")[:, 1]
    names = ["cancer", "healthy"]
    rows = [f"{names[label]},{1 - share:.6f}" for label, share in zip(cancer.target, healthy, strict=True)]
    file.write_text("\n".join(["true,prob_cancer", *rows]))
    person.upload(file)
    person.visit("Thresholds")
    person.button("Choose a threshold")
    person.press(person.page.get_by_text("As deployed", exact=True))
    asked = {"Positives among all rows, in %": "2", "Rows a day": "10000", "A missed positive costs": "100"}
    for name, value in asked.items():
        person.clicks += 1
        with rerun(person.page):
            box = person.page.get_by_test_id("stMain").get_by_role("spinbutton", name=name)
            box.fill(value)
            box.press("Tab")
    person.sees(re.compile("of 10,000 rows a day .* are predicted positive"))
    with person.page.expect_download() as download:
        person.button("Download the sheet", asks=False)
    assert "of them are `cancer`" in download.value.path().read_text()


def join_two_files(person: Person, folder: Path) -> None:
    """Open predictions without true labels, and add a file of labels in another order."""
    predictions, labels = folder / "predictions.csv", folder / "labels.csv"
    ids = [f"case {number}" for number in range(100)]
    predictions.write_text("\n".join(["case,pred", *(f"{name},{'ab'[i % 3 % 2]}" for i, name in enumerate(ids))]))
    labels.write_text(
        "\n".join(["number,label", *(f"{name},{'ab'[i % 2]}" for i, name in reversed([*enumerate(ids)]))])
    )
    person.upload(predictions)
    person.sees("Are the true labels in another file? Add it:")
    person.clicks += 1
    places = person.page.get_by_test_id("stMain").get_by_test_id("stFileUploader").filter(visible=True)
    with rerun(person.page):
        places.first.locator("input").set_input_files(labels)
    person.page.wait_for_url("**/overview*")


def join_numbers_and_words(person: Person, folder: Path) -> None:
    """Open a file whose true labels are 0 and 1, and its predictions words: name the classes."""
    file = folder / "words.csv"
    file.write_text("\n".join(["y_true,y_pred", *(f"{i % 2},{['no', 'yes'][i % 5 % 2]}" for i in range(100))]))
    person.upload(file)
    person.sees(re.compile("name the classes, such as '0=no'"))
    person.clicks += 1
    person.page.get_by_role("textbox", name="Names of classes, one a line").fill("0=no\n1=yes")
    person.page.keyboard.press("Tab")
    person.button("Apply")
    person.page.wait_for_url("**/overview*")


TASKS: tuple[Callable[[Person, Path], None], ...] = (
    low_macro_f1, recall_threshold, review_of_three, fix_parser, choose_metric, repair_roles,
    name_the_classes, repair_broken_row, decide_on_cancer, join_two_files, join_numbers_and_words,
)  # fmt: skip


def main() -> int:
    """Do each task as a visitor of its own; print what it took."""
    failed = 0
    with (
        tempfile.TemporaryDirectory() as name,
        start_server(ROOT, Path(name) / "store") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        for task in (named_task for named_task in TASKS if not sys.argv[1:] or named_task.__name__ in sys.argv[1:]):
            visitor = new_visitor(browser, viewport=LAPTOP)
            person = Person(visitor.new_page(), server.url)
            start = perf_counter()
            try:
                task(person, Path(name))
                outcome = f"{person.clicks:2} clicks {perf_counter() - start:5.1f} s"
            except Exception as error:  # whatever stops a person
                failed, outcome = 1, f"not done after {person.clicks} clicks: {str(error).splitlines()[0][:150]}"
            print(f"{task.__name__.replace('_', ' '):22} {outcome}", flush=True)
            visitor.close()
        browser.close()
    return failed


if __name__ == "__main__":
    sys.exit(main())
