"""The exported report, opened from disk with the network off, in a real Chromium."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from export.report.page import html_report
from tests.export.evaluations import HOSTILE, hostile, sample
from text.visible import show

INSIDE = ("file:", "blob:", "data:")


@pytest.fixture
def offline(browser: Browser) -> Iterator[Page]:
    """A tab without a network; the test fails if it asks for anything, says an error, or opens a dialog."""
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900}, accept_downloads=True)
    page, complaints = context.new_page(), list[str]()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.on("request", lambda r: complaints.extend([] if r.url.startswith(INSIDE) else [r.url]))
    yield page
    context.close()
    assert complaints == []


def opened(page: Page, content: bytes, folder: Path) -> Page:
    path = folder / "report.html"
    path.write_bytes(content)
    page.goto(path.as_uri())
    return page


def test_hostile_names_are_shown_as_themselves(offline, tmp_path):
    page = opened(offline, html_report(hostile(), with_rows=True), tmp_path)
    names = page.locator("#classes tbody th").all_inner_texts()
    assert sorted(names) == sorted(show(label) for label in HOSTILE)
    assert page.locator("img").count() == 0 and page.locator("script").count() == 2
    axis = page.locator("svg#matrix text").all_text_contents()
    assert [name for label in HOSTILE if not any((name := show(label, 26)) in text for text in axis)] == []


def test_heading_click_sorts_numbers_with_undefined_last(offline, tmp_path):
    page = opened(offline, html_report(sample("support-intents")), tmp_path)

    def column() -> list[str]:
        return page.locator("#classes tbody tr td:nth-child(2)").all_inner_texts()

    known = sorted((text for text in column() if text != "undefined"), key=float)
    gone = ["undefined"] * (len(column()) - len(known))
    assert gone and len(known) > 50
    heading = page.locator("#classes thead th", has_text="precision")
    heading.get_by_role("button").click()
    assert column() == [*reversed(known), *gone] and heading.get_attribute("aria-sort") == "descending"
    heading.get_by_role("button").click()
    assert column() == [*known, *gone] and heading.get_attribute("aria-sort") == "ascending"


@pytest.mark.parametrize("name", ["matrix", "roc"])
def test_a_picture_is_saved_as_svg_and_png(offline, tmp_path, name):
    page = opened(offline, html_report(sample("screening")), tmp_path)
    saved = {}
    for kind in ("svg", "png"):
        with page.expect_download() as waiting:
            page.locator(f'button[data-save="{kind}"][data-of="{name}"]').click()
        assert waiting.value.suggested_filename == f"{name}.{kind}"
        saved[kind] = tmp_path / f"saved.{kind}"
        waiting.value.save_as(saved[kind])
    text = saved["svg"].read_text(encoding="utf-8")
    assert text.startswith("<svg") and "svg.chart text" in text
    # the PNG is the picture, not an empty canvas: it has the model's blue, and paper around it
    png = page.evaluate(
        """async bytes => {
          const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], {type: "image/png"}));
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), ink = canvas.getContext("2d");
          ink.drawImage(bitmap, 0, 0);
          const data = ink.getImageData(0, 0, bitmap.width, bitmap.height).data;
          let blue = 0;
          for (let i = 0; i < data.length; i += 4)
            blue += data[i] < 110 && data[i + 2] > 150;
          return [bitmap.width, blue, ...data.slice(0, 4)];
        }""",
        list(saved["png"].read_bytes()),
    )
    assert png[0] > 400 and png[1] > 500 and png[2:] == [255, 255, 255, 255]


def test_table_is_saved_as_safe_csv(offline, tmp_path):
    page = opened(offline, html_report(hostile()), tmp_path)
    with page.expect_download() as waiting:
        page.locator('button[data-save="csv"][data-of="classes"]').click()
    waiting.value.save_as(tmp_path / "classes.csv")
    lines = (tmp_path / "classes.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 1 + len(HOSTILE)
    assert not any(line.startswith(("=", '"=')) for line in lines) and any("'=cmd" in line for line in lines)


def test_nothing_is_wider_than_the_window(offline, tmp_path):
    content = html_report(sample("support-intents"))
    for width in (1280, 1920, 400):
        offline.set_viewport_size({"width": width, "height": 900})
        page = opened(offline, content, tmp_path)
        assert page.evaluate("document.documentElement.scrollWidth") == width
    heights = page.locator("#classes tbody tr").evaluate_all("rows => rows.map(row => row.clientHeight)")
    assert max(heights) < 4 * 20, "words of a cell stay whole where the table can scroll"


def test_words_of_pictures_are_readable_on_phones(offline, tmp_path):
    offline.set_viewport_size({"width": 390, "height": 844})
    for name in ("screening", "digits", "support-intents"):
        page = opened(offline, html_report(sample(name)), tmp_path)
        sizes = page.locator("svg.chart").evaluate_all(
            "charts => charts.map(chart => 12 * chart.getBoundingClientRect().width / chart.viewBox.baseVal.width)"
        )
        assert sizes and min(sizes) >= 8, name
        assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_names_stay_while_a_table_scrolls(offline, tmp_path):
    offline.set_viewport_size({"width": 400, "height": 900})
    page = opened(offline, html_report(sample("support-intents")), tmp_path)
    heads = page.locator("#classes :is(tbody th, thead th:first-child)")
    left = "cells => cells.map(cell => cell.getBoundingClientRect().left)"
    before = heads.evaluate_all(left)
    moved = page.locator("#classes").evaluate(
        "table => { const box = table.closest('.scroll'); box.scrollLeft = 100; return box.scrollLeft }"
    )
    assert moved == 100 and heads.evaluate_all(left) == before


def test_lines_of_tables_are_whole_on_paper(offline, tmp_path):
    page = opened(offline, html_report(sample("digits")), tmp_path)
    page.emulate_media(media="print")
    heads = page.locator("table :is(tbody th, thead th)")
    grounds = heads.evaluate_all("cells => cells.map(cell => getComputedStyle(cell).backgroundColor)")
    assert set(grounds) == {"rgba(0, 0, 0, 0)"}, "a ground would cover the lines, which neighbours share"


def test_on_paper_everything_is_open_and_light(offline, tmp_path):
    offline.emulate_media(color_scheme="dark")
    page = opened(offline, html_report(sample("digits")), tmp_path)
    colour = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(colour) == "rgb(20, 24, 31)"
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("details:not([open])").count() == 0
    assert page.evaluate(colour) == "rgb(255, 255, 255)"
    assert not page.locator(".save").first.is_visible()
    shown = "button => getComputedStyle(button).display"
    buttons = page.locator("thead button")
    assert buttons.count() and {*buttons.evaluate_all(f"buttons => buttons.map({shown})")} == {"contents"}, (
        "Chromium repeats no head of a table that holds a button's box on the next sheet"
    )
    first_row = page.locator("#classes tbody tr").first
    assert first_row.evaluate("row => getComputedStyle(row).breakBefore") == "avoid"
    sentence = page.locator("#calibration h2 + p")
    assert sentence.evaluate("words => getComputedStyle(words).breakAfter") == "avoid", "a picture follows"
    assert page.get_by_text("The 10 classes of the label list").is_visible()
    assert not page.locator("details:has(caption) summary").first.is_visible(), "a table has its title"
