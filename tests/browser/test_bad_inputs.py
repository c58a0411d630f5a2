"""A sample of broken and odd files, dropped into the page: the sentence or the numbers appear, and the page goes on."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.driver import rerun, show, wait_until_idle
from tests.browser.gestures import expect_accuracy
from tests.corpus.every import all_cases
from tests.corpus.outcome import complaints, outcome_here
from tests.corpus.text import GOOD

pytestmark = pytest.mark.one_session

CASES = {str(case): case for case in all_cases()}
REFUSED = ["other names: web page"]
READ = ["names: markup", "hostile labels: a Markdown picture"]


def drop(page, name: str, content: bytes) -> None:
    """Give the first uploader a file of any name; what a browser calls its kind plays no part."""
    place = page.locator('[data-testid="stFileUploaderDropzoneInput"]').first
    with rerun(page):
        place.set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": content})


@pytest.mark.parametrize("name", REFUSED)
def test_refused_file_shows_one_sentence(page, server, tmp_path, name):
    case = CASES[name]
    sentence = outcome_here(case, tmp_path).refusal
    show(page, server.url)
    drop(page, case.upload, case.made())
    expect(page.get_by_text("This file cannot be used yet")).to_be_visible()
    expect(page.get_by_test_id("stText").get_by_text(sentence)).to_be_visible()
    assert page.get_by_test_id("stException").count() == 0
    drop(page, "good.csv", GOOD)
    page.wait_for_url(re.compile("run="))
    expect_accuracy(page, "66.7 %")


@pytest.mark.parametrize("name", READ)
def test_odd_file_is_read_with_its_warnings(page, server, tmp_path, name):
    case = CASES[name]
    assert complaints(case, outcome_here(case, tmp_path)) == []
    show(page, server.url)
    drop(page, case.upload, case.made())
    page.wait_for_url(re.compile("run="))
    wait_until_idle(page)
    expect_accuracy(page, f"{case.accuracy:.1%}".replace("%", " %"))
    assert page.get_by_test_id("stException").count() == 0
    assert page.locator('img[src*="127.0.0.1:9"], img[src="x"]').count() == 0
