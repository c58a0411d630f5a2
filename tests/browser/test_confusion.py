"""The confusion page in a real browser: a click or a group in the matrix, its rows beside it, the link to it."""

import csv
import random
import re
from collections import Counter

import pytest
from playwright.sync_api import expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.driver import new_visitor, rerun, show, visit, wait_until_idle
from tests.browser.gestures import keep, matrix_plane, settled

pytestmark = pytest.mark.one_session

LABELS = ["card:lost", "card:stolen", "refund", "top-up"]
CELLS = {
    ("card:lost", "card:lost"): 30, ("card:lost", "card:stolen"): 9, ("card:stolen", "card:stolen"): 20,
    ("card:stolen", "card:lost"): 4, ("card:lost", "refund"): 3, ("refund", "refund"): 25,
    ("refund", "card:stolen"): 2, ("top-up", "top-up"): 8, ("top-up", "refund"): 7,
}  # fmt: skip


def rows_of(true: set[str] | None = None, pred: set[str] | None = None) -> int:
    """Return how many rows of the file have one of these truths and one of these predictions; None = any."""
    return sum(n for (t, p), n in CELLS.items() if (true is None or t in true) and (pred is None or p in pred))


@pytest.fixture(scope="module")
def cards(server, tmp_path_factory) -> str:
    """The run of the file above."""
    folder = tmp_path_factory.mktemp("cards")
    path = folder / "cards.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text", "label", "prediction"])
        pairs = [pair for pair, n in CELLS.items() for _ in range(n)]
        writer.writerows([i, f"message {i}", true, pred] for i, (true, pred) in enumerate(pairs))
    return keep(server, path)


def open_matrix(page, server, run: str) -> None:
    show(page, f"{server.url}/confusion?run={run}")
    matrix_plane(page)


def plane(page):
    return page.locator(".matrix .plane")


def place(page, i: float, j: float) -> dict[str, float]:
    """The middle of the cell in row i and column j; below zero, beside the matrix where the names stand."""
    data = plane(page).evaluate("element => ({...element.dataset})")
    size = float(data["cell"])
    left, top = (float(part) for part in data["origin"].split())
    return {
        "x": left + (j + 0.5) * size if j >= 0 else left - 12,
        "y": top + (i + 0.5) * size if i >= 0 else top - 12,
    }


def click(page, i: float, j: float) -> None:
    with rerun(page):
        plane(page).click(position=place(page, i, j))


def assert_said(page, text: str | re.Pattern) -> None:
    expect(page.get_by_text(text).first).to_be_visible()


def headline(true: str, pred: str, n: int, support: int) -> str:
    """Return what the title says of a chosen cell."""
    end = "correctly" if true == pred else f"as {pred}"
    return f"{n} of {support} {true} rows {'was' if n == 1 else 'were'} predicted {end}"


def panel(page):
    return page.locator('[class*="st-key-panel-"]').first


def test_click_is_answered_in_title_and_panel(page, server, cards):
    page.set_viewport_size({"width": 1280, "height": 800})
    open_matrix(page, server, cards)
    matrix, beside = plane(page).bounding_box(), panel(page).bounding_box()
    assert matrix["y"] < 150 and matrix["y"] + matrix["height"] <= 800, "it fits the window"
    assert page.evaluate("(m => m.scrollHeight <= m.clientHeight)(document.querySelector('[data-testid=stMain]'))")
    assert beside["x"] >= matrix["x"] + matrix["width"] and abs(beside["width"] - 328) < 10
    for i, j in ((0, 1), (2, 2), (3, 2)):
        click(page, i, j)
        true, pred = LABELS[i], LABELS[j]
        assert_said(page, headline(true, pred, rows_of({true}, {pred}), rows_of({true})))
        assert f"true={true}&pred={pred}".replace(":", "%3A") in page.url
    with rerun(page):
        panel(page).get_by_role("button", name="message").first.click()
    expect(panel(page).get_by_text(re.compile(r"1 of 7"))).to_be_visible()
    for name in ("The rows", "What stands out"):
        with rerun(page):
            panel(page).get_by_role("button", name=name).click()
    assert_said(page, "Most frequent confusions")
    for width, height in ((1000, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert panel(page).bounding_box()["y"] > plane(page).bounding_box()["y"] + 200, "it stands below"
        click(page, 0, 1)
        box = panel(page).bounding_box()
        assert abs(box["x"] + box["width"] - width) <= 1 and abs(box["y"] + box["height"] - height) <= 1
        with rerun(page):
            panel(page).get_by_role("button", name="What stands out").click()
    controls = page.locator('[class*="st-key-toolbar-"] :is([role="group"], [data-testid="stPopoverButton"])').all()
    assert controls and all(one.bounding_box()["height"] >= 40 for one in controls), "a finger needs 40 pixels"


def test_click_lists_the_rows_of_its_cell(page, server, tmp_path):
    k = 1000  # clicks among fewer classes: test_matrix.py
    draw = random.Random(k)
    pairs = [(f"c{i:04d}", f"c{(i + draw.choice([0, 0, 1, 7])) % k:04d}") for i in range(k) for _ in range(8)]
    cells = Counter(pairs)
    path = tmp_path / "many.csv"
    path.write_text("label,prediction\n" + "".join(f"{true},{pred}\n" for true, pred in pairs), encoding="utf-8")
    open_matrix(page, server, keep(server, path))
    assert len({true for true, _ in pairs} | {pred for _, pred in pairs}) == k
    for true, pred in draw.sample(sorted(cells), 3):
        click(page, int(true[1:]), int(pred[1:]))
        assert_said(page, headline(true, pred, cells[true, pred], 8))


def test_click_reruns_a_fragment_only(new_tab, server, cards):
    page, ends = new_tab, set[int]()

    def note(payload: bytes | str) -> None:
        if isinstance(payload, bytes):
            message = ForwardMsg.FromString(payload)
            if message.WhichOneof("type") == "script_finished":
                ends.add(message.script_finished)

    page.on("websocket", lambda socket: socket.on("framereceived", note))
    visit(page, f"{server.url}/confusion?run={cards}")
    matrix_plane(page)
    ends.clear()
    click(page, 0, 1)
    assert_said(page, headline("card:lost", "card:stolen", 9, 42))
    page.get_by_text("Errors only").click()
    page.wait_for_url(re.compile("errors=1"))
    wait_until_idle(page)
    assert ends == {ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY}


def test_drag_and_name_list_all_their_rows(page, server, cards):
    open_matrix(page, server, cards)
    box = settled(plane(page))
    start, end = place(page, 0, 0), place(page, 1, 1)
    with rerun(page):
        page.mouse.move(box["x"] + start["x"], box["y"] + start["y"])
        page.mouse.down()
        page.mouse.move(box["x"] + end["x"], box["y"] + end["y"], steps=4)
        page.mouse.up()
    assert_said(
        page, f"{rows_of({LABELS[0], LABELS[1]}, {LABELS[0], LABELS[1]})} rows: true class card:lost or card:stolen"
    )
    assert "block=0-1%2F0-1" in page.url
    click(page, 3, -1)
    assert_said(page, f"All {rows_of({'top-up'})} rows")
    plane(page).press("Escape")
    assert_said(page, "Most frequent confusions")
    page.wait_for_function("() => !location.search.includes('true=')")


def test_groups_collapse_and_list_all_their_rows(page, server, cards):
    open_matrix(page, server, f"{cards}&group=prefix")
    expect(plane(page)).to_have_attribute("aria-rowcount", "4")
    strip = {"x": 6, "y": place(page, 0, 0)["y"]}
    with rerun(page):
        plane(page).click(position=strip)
    expect(plane(page)).to_have_attribute("aria-rowcount", "3")
    assert "closed=0" in page.url
    cards = {"card:lost", "card:stolen"}
    click(page, 0, 0)
    assert_said(
        page,
        f"{rows_of(cards, cards)} rows: true class card:lost or card:stolen, predicted as card:lost or card:stolen",
    )
    click(page, 1, 0)
    assert_said(page, f"{rows_of({'refund'}, cards)} rows: true class refund, predicted as card:lost or card:stolen")
    with rerun(page):
        plane(page).click(position={"x": 6, "y": place(page, 0, 0)["y"]})
    expect(plane(page)).to_have_attribute("aria-rowcount", "4")
    assert "closed" not in page.url


def test_link_opens_the_same_matrix_and_rows(page, server, cards, browser):
    open_matrix(page, server, f"{cards}&group=prefix&closed=0&order=support&log=1")
    click(page, 0, 1)
    n = rows_of({"card:lost", "card:stolen"}, {"refund"})
    assert_said(page, f"{n} rows: true class card:lost or card:stolen, predicted as refund")
    with rerun(page):
        page.get_by_role("button", name="Share", exact=True).click()
    with rerun(page):
        page.get_by_role("button", name="Make the link").click()
    link = page.get_by_role("dialog").get_by_test_id("stCode").first.inner_text().strip()
    assert link.split("&")[1:] == page.url.split("&")[1:]
    with rerun(page):
        page.get_by_role("button", name="Done", exact=True).click()
    other = new_visitor(browser)
    elsewhere = other.new_page()
    elsewhere.goto(link)
    expect(elsewhere.get_by_text(f"{n} rows: true class card:lost or card:stolen, predicted as refund")).to_be_visible()
    expect(elsewhere.locator(".matrix .plane")).to_have_attribute("aria-rowcount", "3")
    other.close()


def test_line_and_table_lead_to_their_rows(page, server, cards):
    open_matrix(page, server, cards)
    with rerun(page):
        panel(page).get_by_role("button", name="top-up as refund").click()
    assert_said(page, headline("top-up", "refund", 7, 15))
    page.get_by_role("button", name="More", exact=True).click()
    with rerun(page):
        page.get_by_role("button", name="All confusions as a table").click()
    box = settled(page.get_by_role("dialog").get_by_test_id("stDataFrame").locator("canvas").first)
    with rerun(page):
        page.mouse.click(box["x"] + 18, box["y"] + 35 + 17)  # the box before the first line
    assert_said(page, headline("card:lost", "card:stolen", 9, 42))
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_click_on_a_labels_table_shows_its_outcome(page, server):
    open_matrix(page, server, "movie-genres&true=comedy")
    expect(plane(page)).to_have_attribute("aria-label", re.compile("2 true labels by 2 predicted labels"))
    for i, j, outcome, words in (
        (0, 1, "fp", "Predicted, not true: 55 rows"),
        (1, 1, "tp", "True and predicted: 362 rows"),
    ):
        click(page, i, j)
        assert_said(page, words)
        assert f"only={outcome}" in page.url
    with rerun(page):
        plane(page).press("Escape")
    assert_said(page, "True, not predicted: 134 rows")


def test_lines_pasted_by_a_person_become_groups(page, server, cards):
    open_matrix(page, server, cards)
    page.get_by_role("button", name="More", exact=True).click()
    with rerun(page):
        page.get_by_text("By a list of mine").click()
    page.get_by_role("textbox", name="One class a line").fill("refund,money\ntop-up,money\nfees,money")
    with rerun(page):
        page.get_by_role("button", name="Group by these lines").click()
    assert_said(page, "1 line names no label of this file: fees.")
    with rerun(page):
        page.get_by_role("button", name="Collapse all groups").click()
    expect(plane(page)).to_have_attribute("aria-rowcount", "3")
    assert Counter(re.findall(r"map=[^&]*", page.url)) == Counter(["map=money%3D2-3"])


def test_legend_names_hollow_squares_once_drawn(new_tab, server):
    page = new_tab
    page.add_init_script(
        "window.written = []; const fill = CanvasRenderingContext2D.prototype.fillText;"
        "CanvasRenderingContext2D.prototype.fillText = function (text, ...at)"
        " { window.written.push(text); fill.call(this, text, ...at) }"
    )
    for run, n in (("support-intents", 1), ("digits", 0)):
        visit(page, f"{server.url}/confusion?run={run}")
        matrix_plane(page)
        written = set(page.evaluate("window.written"))
        assert len([text for text in written if text.startswith("Hollow square: the class is never predicted")]) == n
        assert "Correct" in written and "Share of the true class." not in written, "the box Colour says it"


def test_dark_matrix_prints_light_above_its_panel(page, server):
    page.emulate_media(color_scheme="dark")
    open_matrix(page, server, "digits&true=8&pred=1")
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 703, "height": 1000})
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    darkest = """canvas => {
        const names = canvas.getContext("2d").getImageData(0, 0, 60, canvas.height).data
        const reds = names.filter((_, place) => place % 4 === 0 && names[place + 3] > 200)
        return reds.length ? Math.min(...reds) : NaN
    }"""
    names = plane(page).locator("canvas.base").element_handle()
    page.wait_for_function(f"canvas => ({darkest})(canvas) < 120", arg=names)
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", "rgb(255, 255, 255)")
    matrix, panel = plane(page).bounding_box(), page.get_by_text("The most confident mistakes first").bounding_box()
    assert panel["y"] > matrix["y"] + matrix["height"]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.wait_for_function(f"canvas => ({darkest})(canvas) > 180", arg=names)


def test_free_width_goes_to_names_of_rows(page, server, tmp_path):
    names = [f"a customer asks when contract {i} ends" for i in range(30)]
    lines = [f"{true},{pred}\n" for true in names for pred in (true, names[0])]
    (tmp_path / "long.csv").write_text("label,prediction\n" + "".join(lines))
    page.set_viewport_size({"width": 1920, "height": 700})
    open_matrix(page, server, keep(server, tmp_path / "long.csv"))
    measure = "(c, name) => Object.assign(c.getContext('2d'), { font: '12px sans-serif' }).measureText(name).width"
    longest = page.locator(".matrix canvas.base").evaluate(measure, names[-1])
    left = float(plane(page).get_attribute("data-origin").split()[0])
    assert left > longest, "the width that the cells leave free is beside names that are cut"
