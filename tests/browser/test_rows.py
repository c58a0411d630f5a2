"""The list of rows in a real browser: scrolling, the keyboard, opening, marking, notes, links and downloads."""

import csv
import io
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import expect

from tests.browser.driver import rerun, show, visit, wait_until_idle
from tests.browser.gestures import choose, click_drawn, keep, settled

MANY = 300_000
"""Rows enough that a pixel of the scroll bar stands for more than one."""


@pytest.fixture(scope="module")
def small(server, tmp_path_factory) -> str:
    """The run of 60 rows with a text each; every third is wrong."""
    path = tmp_path_factory.mktemp("rows") / "small.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        lines = [[f"m{i}", f"message {i} <b>bold</b>", "ab"[i % 2], "abb"[i % 3]] for i in range(1, 61)]
        csv.writer(file).writerows([["id", "text", "label", "prediction"], *lines])
    return keep(server, path)


@pytest.fixture(scope="module")
def large(server, tmp_path_factory) -> str:
    """The run of rows whose text says their number."""
    path = tmp_path_factory.mktemp("rows") / "large.csv"
    numbers = range(1, MANY + 1)
    table = {
        "text": [f"the text of row {i}" for i in numbers],
        "label": ["ab"[i % 2] for i in numbers],
        "prediction": ["ab"[i % 2] for i in numbers],
    }
    pa_csv.write_csv(pa.table(table), path)
    return keep(server, path)


def shown(page) -> list[list[str]]:
    """The cells of the rows in sight, from top to bottom."""
    found = page.locator(".layer .row").evaluate_all(
        """rows => rows.filter(row => row.style.display !== "none")
            .map(row => [row.getBoundingClientRect().top, [...row.children].map(cell => cell.textContent)])
            .sort((a, b) => a[0] - b[0]).map(([, cells]) => cells)"""
    )
    return found


def wait_for_rows(page) -> None:
    """Every row in sight has come from the server."""
    page.wait_for_function(
        """() => {
            const inside = root => [...root.querySelectorAll("*")].flatMap(
                element => element.shadowRoot ? [...element.shadowRoot.querySelectorAll(".layer .row")] : []);
            const rows = inside(document).filter(row => row.style.display !== "none");
            return rows.length > 0 && rows.every(row => !row.className.includes("waiting"));
        }"""
    )


def card(page):
    return page.locator(".card .title strong")


def opened(page) -> str:
    """The number of the row in the card."""
    return card(page).inner_text()


def cursor(page) -> str:
    """The number of the highlighted row of the list."""
    return page.locator(".layer .row.open .number").inner_text()


def go_rows(page, server, run: str, query: str = "") -> None:
    show(page, f"{server.url}/rows?run={run}{query}")
    wait_for_rows(page)


def test_long_lists_load_only_visible_rows(page, server, large):
    go_rows(page, server, large, "&sort=file")
    assert [cells[0] for cells in shown(page)][:3] == ["1", "2", "3"]
    assert page.locator(".grid").get_attribute("aria-rowcount") == str(MANY + 1), "the head counts as a row"
    assert page.locator(".layer .row").count() < 40
    for share in (0.5, 0.97, 0.2):
        page.locator(".scroller").evaluate(
            """(box, share) => new Promise(drawn => {
                box.scrollTop = share * box.scrollHeight
                requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(drawn)))
            })""",
            share,
        )
        wait_for_rows(page)
        rows = shown(page)
        numbers = [int(cells[0].replace(",", "")) for cells in rows]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "no row is left out"
        assert abs(numbers[0] / MANY - share) < 0.02
        assert all(cells[-1] == f"the text of row {number}" for cells, number in zip(rows, numbers, strict=True))
    page.locator(".grid").focus()
    page.keyboard.press("End")
    wait_for_rows(page)
    expect(page.locator(".layer .row.open .number")).to_have_text(f"{MANY:,}")
    expect(card(page)).to_have_text(f"Row {MANY:,}")
    page.keyboard.press("Home")
    expect(page.locator(".layer .row.open .number")).to_have_text("1")


def test_wheel_moves_by_rows_in_long_lists(page, server, large):
    go_rows(page, server, large, "&sort=file")
    box = settled(page.locator(".scroller"))
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.wheel(0, 300)  # ten rows of 30 pixels
    expect(page.locator(".layer .row[aria-rowindex='12'] .number")).to_have_text("11")
    wait_for_rows(page)
    tops = [cells[0] for cells in shown(page)]
    assert "11" in tops[:2] and "1" not in tops


def test_arrows_and_letters_move_the_open_row(page, server, small):
    go_rows(page, server, small, "&only=errors&sort=file")
    first = [cells[0] for cells in shown(page)][:4]
    assert opened(page) == f"Row {first[0]}"
    page.locator(".grid").focus()
    with rerun(page):
        for key in ("ArrowDown", "j", "j", "k"):
            page.keyboard.press(key)
    expect(card(page)).to_have_text(f"Row {first[2]}")
    assert cursor(page) == first[2]
    page.wait_for_url(re.compile(rf"row={first[2]}(&|$)"))
    spoken = page.locator(".rows .sr[aria-live]").inner_text()
    assert f"row {first[2]}" in spoken and "wrong" in spoken and "true" in spoken and "3 of" in spoken
    with rerun(page):
        page.get_by_role("button", name="Next").click()
    assert cursor(page) == first[3], "the button moves the list's cursor too"


def test_keys_work_anywhere_on_the_page(page, server, small):
    go_rows(page, server, small, "&sort=file")
    page.get_by_role("heading", level=1).click()
    with rerun(page):
        page.keyboard.press("j")
    assert opened(page) == "Row 2"
    page.locator(".grid").focus()
    with rerun(page):
        page.keyboard.press("j")
    assert opened(page) == "Row 3", "the button beside the list has the same key and must not move on again"


def test_opened_row_is_in_the_link(page, server, small):
    go_rows(page, server, small, "&sort=file")
    with rerun(page):
        page.locator(".layer .row[aria-rowindex='6'] .text").click()
    assert opened(page) == "Row 5"
    expect(page.locator(".card")).to_contain_text("message 5 <b>bold</b>")
    page.wait_for_url(re.compile("row=5"))
    assert cursor(page) == "5"


def test_link_to_a_far_row_scrolls_there(page, server, large):
    go_rows(page, server, large, "&sort=file&row=222222")
    expect(page.locator(".layer .row.open")).to_be_in_viewport()
    assert cursor(page) == "222,222" and opened(page) == "Row 222,222"


def test_marks_and_notes_reach_link_and_download(page, server, small):
    go_rows(page, server, small, "&sort=file")
    page.locator(".grid").focus()
    with rerun(page):
        page.keyboard.press("m")
    expect(page.locator(".layer .row[aria-rowindex='2'] .mark")).to_have_text("★")
    with rerun(page):
        page.locator(".layer .row[aria-rowindex='5'] .mark").click()
    page.wait_for_url(re.compile(r"marks=1(%2C|,)4"))
    with rerun(page):
        page.get_by_role("button", name="Next").click()
    note = page.get_by_role("textbox", name="Note")
    note.fill("=SUM(A1) is no formula here")
    with rerun(page):
        note.blur()
    page.wait_for_url(re.compile(r"marks=1-2(%2C|,)4"))
    page.reload()  # F5 loses no note
    expect(note).to_have_value("=SUM(A1) is no formula here")
    wait_for_rows(page)
    expect(page.locator(".layer .mark.on")).to_have_count(3)
    wait_until_idle(page)
    page.get_by_role("button", name="Download · 3 marked").click()
    popover = page.get_by_test_id("stPopoverBody")
    expect(popover).to_contain_text("3 marked rows of the file, with notes")
    with page.expect_download() as download:
        popover.get_by_role("button", name="CSV").nth(1).click()
    lines = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8"))))
    assert [line["row"] for line in lines] == ["1", "2", "4"]
    assert [line["note"] for line in lines] == ["", "'=SUM(A1) is no formula here", ""]
    with page.expect_download() as download:
        popover.get_by_role("button", name="Parquet").nth(1).click()
    table = pq.read_table(download.value.path())
    assert table.column("note").to_pylist()[1] == "=SUM(A1) is no formula here"
    assert table.column("text").to_pylist() == [f"message {i} <b>bold</b>" for i in (1, 2, 4)]


def test_two_quick_marks_are_both_kept(page, server, small):
    visit(page, f"{server.url}/rows?run={small}&sort=file")  # the session before has marks
    wait_for_rows(page)
    page.locator(".grid").focus()
    for key in ("m", "j", "m", "j", "m"):
        page.keyboard.press(key)
    page.wait_for_url(re.compile(r"marks=1-3(&|$)"))
    expect(page.locator(".layer .mark.on")).to_have_count(3)


def test_slash_focuses_the_search(page, server, small):
    go_rows(page, server, small)
    page.locator(".grid").focus()
    page.keyboard.press("/")
    box = page.get_by_role("textbox", name="Search")
    expect(box).to_be_focused()
    box.fill("message 17")
    with rerun(page):
        box.press("Enter")
    expect(page.get_by_text("1 row: containing message 17")).to_be_visible()
    wait_for_rows(page)
    assert [cells[0] for cells in shown(page)] == ["17"]


def test_class_opens_beside_the_table(page, server, small):
    show(page, f"{server.url}/classes?run={small}")
    with rerun(page):
        page.get_by_role("table").get_by_role("button", name="a", exact=True).click()
    panel = page.locator('[class*="st-key-panel-open-"]')
    wrong = sum(1 for i in range(1, 61) if "ab"[i % 2] == "a" and "abb"[i % 3] == "b")
    with rerun(page):
        panel.get_by_role("button", name=re.compile(rf"^b\s*{wrong}$")).first.click()
    with rerun(page):
        panel.get_by_role("link", name=f"All {wrong} rows").click()
    page.wait_for_url(re.compile(r"/rows\?"))
    wait_for_rows(page)
    assert "true=a" in page.url and "pred=b" in page.url
    expect(page.get_by_text(f"{wrong} rows: true class a, predicted as b")).to_be_visible()


def test_finding_and_tile_lead_to_their_rows(page, server):
    show(page, f"{server.url}/overview?run=support-intents-llm")
    expect(page.locator(".finding").filter(has_text="delivery_pickup is never predicted")).to_be_visible()
    with rerun(page):
        page.locator(".finding").filter(has_text="never predicted").get_by_role("link", name="2 rows:").click()
    expect(page.get_by_text("2 rows: true class delivery_pickup")).to_be_visible()
    show(page, f"{server.url}/overview?run=support-intents-llm")
    with rerun(page):
        page.locator(".lens").filter(has_text="Accuracy").first.click()
    expect(page.get_by_role("heading", name=re.compile("^266 of .* rows are wrong"))).to_be_visible()


def test_back_leaves_the_list_of_rows(page, server, small):
    show(page, f"{server.url}/overview?run={small}")
    with rerun(page):
        page.locator(".lens").filter(has_text="Accuracy").first.click()
    wait_for_rows(page)
    before = page.evaluate("history.length")
    page.locator(".grid").focus()
    for key in "jjjm":
        with rerun(page):
            page.keyboard.press(key)
    with rerun(page):
        page.get_by_role("button", name="Next").click()
    number = opened(page).removeprefix("Row ")
    page.wait_for_url(re.compile(rf"row={number}(&|$)"))
    assert "marks=" in page.url, "the link names the open row and the marks all the same"
    assert page.evaluate("history.length") == before
    with rerun(page):
        choose(page, "^Rows$", "Right rows")
    page.wait_for_url(re.compile("only=correct"))
    with rerun(page):
        page.go_back()
    page.wait_for_url(re.compile(rf"only=errors.*row={number}(&|$)"))
    assert opened(page) == f"Row {number}", "the row that was open there"
    with rerun(page):
        page.go_back()
    page.wait_for_url(re.compile("/overview"))


def test_link_to_the_view_names_the_open_row(page, server, small):
    go_rows(page, server, small, "&sort=file")
    page.locator(".grid").focus()
    with rerun(page):
        page.keyboard.press("j")
    with rerun(page):
        page.get_by_role("button", name="Share", exact=True).click()
    with rerun(page):
        page.get_by_role("button", name="Make the link").click()
    expect(page.get_by_role("dialog").get_by_test_id("stCode").first).to_contain_text(re.compile("row=2(&|$)"))


def test_bar_of_labels_per_row_shows_rows(page, server):
    show(page, f"{server.url}/overview?run=movie-genres")
    bar = page.locator(".st-key-per_row .bars .point").nth(3)  # the truth's bar at three labels
    click_drawn(page, bar)
    wait_for_rows(page)
    said = page.get_by_text(re.compile("^287 rows with 3 true labels$")).last
    expect(said).to_be_visible()
    expect(page.locator(".grid")).to_have_attribute("aria-rowcount", "288")
    assert all(cells[2].count("|") == 2 for cells in shown(page))


def test_nothing_is_wider_than_the_sheet_on_paper(page, server):
    show(page, f"{server.url}/overview?run=support-intents")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1000})  # A4 without its margins
    assert page.evaluate("document.documentElement.scrollWidth") <= 703
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page.locator(".st-key-bar").get_by_text("Support intents", exact=True)).to_be_visible()


def test_lens_shows_names_whole_where_they_fit(page, server):
    show(page, f"{server.url}/overview?run=support-intents")
    label = page.locator(".lens .label").first
    expect(label).to_have_text("product_availability")
    page.locator(".lenses").evaluate("lenses => { lenses.style.gridTemplateColumns = 'repeat(5, 100px)' }")
    expect(label).to_have_text("product_av…ability")
