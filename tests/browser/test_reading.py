"""Test that a page stays as it is while a file is read: nothing moves, and nothing makes way for the bar."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import Server, show, wait_until_idle
from tests.browser.gestures import upload

pytestmark = pytest.mark.one_session

N_ROWS = 50_000
"""So many are read for longer than the browser takes to draw the bar."""
BAR = '[data-testid="stProgress"]'
STANDS = ", ".join(("h1", "button", "summary", '[data-testid="stCaptionContainer"]', '[data-testid="stFileUploader"]'))
# Look at every frame: at what stood on the page before, while there is a bar, and at the title of the page after it.
WATCH = """
([wanted, bar]) => {
  const again = element => // an element that was drawn anew with the same words is the same to the eye
    [...document.querySelectorAll(wanted)].find(other => other.textContent === element.textContent);
  const top = element => {
    const there = element.isConnected ? element : again(element);
    return there ? Math.round(there.getBoundingClientRect().top) : "gone";
  };
  const main = document.querySelector('[data-testid="stMain"]');
  const kept = '[data-testid="stFileUploaderDropzone"] *'; // there, the name of the file takes the place of the button
  const before = [...main.querySelectorAll(`:is(${wanted})`)].filter(element => !element.matches(kept));
  const places = new Map(before.map(element => [element, top(element)]));
  const title = main.querySelector("h1").textContent;
  const watch = window.watch = { moved: new Set(), titles: new Set(), frames: 0 }; // that of an earlier test goes on
  const look = () => {
    const drawn = main.querySelector("h1");
    const stays = drawn?.textContent === title; // the next page is drawn under the address of this one, for some frames
    if (stays && document.querySelector(bar)) {
      watch.frames += 1;
      for (const [element, place] of places)
        if (top(element) !== place) watch.moved.add(`${element.textContent.slice(0, 40)}: ${place}, ${top(element)}`);
    }
    if (drawn && !stays && drawn.checkVisibility()) watch.titles.add(top(drawn));
    requestAnimationFrame(look);
  };
  look();
}
"""
# Wait for both, and look at both in one frame.
FREE = """
([bar, chip]) => {
  const [over, file] = [bar, chip].map(place => document.querySelector(place)?.getBoundingClientRect());
  return over && file && { free: over.left > file.right || over.top > file.bottom };
}
"""
# Look in one frame whether the buttons at the foot of the form lie under what is under way.
COVERED = """
bar => {
  const over = document.querySelector(bar)?.closest('[class*="st-key-progress"] > *').getBoundingClientRect();
  const foot = document.querySelector(".st-key-correct-foot")?.getBoundingClientRect();
  return over && foot && { covered: foot.bottom > over.top && foot.top < over.bottom };
}
"""


def write_rows(path: Path, last: str = "") -> Path:
    path.write_text("id,label,prediction\n" + "".join(f"{i},a,{'ab'[i % 3 == 0]}\n" for i in range(N_ROWS)) + last)
    return path


def assert_nothing_moved(page: Page) -> None:
    assert page.evaluate("window.watch.frames"), "there was nothing to look at"
    assert page.evaluate("[...window.watch.moved]") == []


def assert_overview_follows(page: Page) -> None:
    page.wait_for_url(re.compile("/overview"))
    wait_until_idle(page)
    assert_nothing_moved(page)
    assert len(page.evaluate("[...window.watch.titles]")) == 1, "the title of the next page moves"


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_nothing_moves_while_an_upload_is_read(page: Page, server: Server, tmp_path: Path, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    show(page, server.url)
    page.evaluate(WATCH, [STANDS, BAR])
    file = write_rows(tmp_path / "predictions.csv", f"{width},a,a\n")
    page.locator('[data-testid="stFileUploaderDropzoneInput"]').first.set_input_files(file)
    assert_overview_follows(page)


def test_nothing_moves_while_rows_are_left_out(page: Page, server: Server, tmp_path: Path) -> None:
    upload(page, server, write_rows(tmp_path / "predictions.csv", "1,a\n"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("cannot be read")
    page.evaluate(WATCH, [STANDS, BAR])
    page.get_by_role("button", name="Leave out this row").click()
    assert_overview_follows(page)


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_bar_covers_no_file_that_is_compared(page: Page, server: Server, tmp_path: Path, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    show(page, f"{server.url}/compare?run=digits")
    file = write_rows(tmp_path / "other.csv", f"{width},a,b\n")
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
    assert page.wait_for_function(FREE, arg=[BAR, '[data-testid="stFileChip"]']).json_value() == {"free": True}
    wait_until_idle(page)


@pytest.mark.parametrize("width", [390, 800])
def test_bar_covers_no_button_of_a_form(page: Page, server: Server, tmp_path: Path, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    rows = "".join(f"{i},{'ab'[i % 3 == 0]}\n" for i in range(N_ROWS))
    (tmp_path / "predictions.csv").write_text("id,prediction\n" + rows + f"{width},a\n")
    upload(page, server, tmp_path / "predictions.csv")
    expect(page.get_by_role("button", name="Apply")).to_be_visible()
    labels = write_rows(tmp_path / "labels.csv")
    page.locator('[data-testid="stFileUploaderDropzoneInput"]').first.set_input_files(labels)
    assert page.wait_for_function(COVERED, arg=BAR).json_value() == {"covered": False}
    wait_until_idle(page)
