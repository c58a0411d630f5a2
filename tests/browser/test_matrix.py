"""The matrix in a real browser, from 2 to 1,000 classes: click, drag, keys, search, zoom, groups, picture.

Served by a page of its own, so that what is counted is known cell by cell.
"""

import itertools
import random
import re
import shutil
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from metrics.confusion.axis import Group
from metrics.confusion.counts import UNPARSEABLE, ConfusionCounts, confusion_counts
from metrics.confusion.matrix import Block, arrange
from tests.browser.driver import ROOT, Server, new_visitor, rerun, show, start_server, wait_until_idle
from tests.browser.gestures import matrix_plane

pytestmark = pytest.mark.one_session

SIZES = (2, 77, 1000)
VISITS = itertools.count()
HOSTILE = "<img src=x onerror=alert(1)>"
HELD = int(
    re.findall(r"HOLD_MS = (\d+)", (ROOT / "ui/matrix/matrix_component/pointer.js").read_text(encoding="utf-8"))[0]
)

# The wait after which a finger has rested is over when the test says so: on a busy machine no finger moves at once.
HOLD_TIMERS = """
rests => {
  const { setTimeout, clearTimeout } = window, held = window.held = new Map();
  let last = 0;
  window.setTimeout = (act, wait, ...rest) => {
    if (wait !== rests) return setTimeout(act, wait, ...rest);
    held.set(--last, act);
    return last;
  };
  window.clearTimeout = id => held.delete(id) || clearTimeout(id);
}
"""
APP = """
import streamlit as st
from tests.browser.test_matrix import block_of, counts_of
from ui.matrix.matrix_view import matrix_view

st.set_page_config(page_title="Matrix", page_icon="assets/favicon.png", layout="wide")
query = st.query_params.to_dict()
st.html("<h1 hidden>Matrix</h1>")  # a page shows once it has a title
visit = query.pop("visit")  # what a test chose is not the next one's

@st.cache_resource
def made(**query):
    counts = counts_of(int(query["k"]))
    return counts, block_of(counts, query)

counts, block = made(**query)

@st.fragment
def matrix():
    chosen = st.session_state.setdefault(f"chosen {visit}", {})
    matrix_view(
        block, counts.labels, fingerprint="x", normalise=query.get("norm", "row"), key=f"m {visit}",
        errors_only=st.session_state.get(f"errors only {visit}", False),
        log=st.session_state.get(f"log {visit}", False),
        selected=chosen.get("picked"), pictures=chosen.get("pictures", 0),
        on_pick=lambda true, pred: chosen.update(picked=(true, pred)),
        on_toggle=lambda name: chosen.update(toggled=name),
    )
    st.toggle("errors only", key=f"errors only {visit}")
    st.toggle("log", key=f"log {visit}")
    st.button("picture", on_click=lambda: chosen.update(pictures=chosen.get("pictures", 0) + 1))
    st.text(f"picked {chosen.get('picked')}")
    st.text(f"toggled {chosen.get('toggled')}")

matrix()
st.container(height=500)  # something to scroll to
"""


def counts_of(k: int) -> ConfusionCounts:
    """A file with right answers, wrong ones near the diagonal and far from it, and some that cannot be parsed."""
    rng = np.random.default_rng(k)
    y_true = rng.integers(0, k, 40 * k)
    far, near = rng.integers(0, k, 40 * k), (y_true + rng.integers(0, 3, 40 * k)) % k
    kind = rng.random(40 * k)
    y_pred = np.select([kind < 0.7, kind < 0.85, kind < 0.98], [y_true, near, far], UNPARSEABLE)
    names = [f"{word} {i}" for i, word in zip(range(k), ["refund", "card", "billing", "transfer"] * k, strict=False)]
    names[1] = HOSTILE
    return confusion_counts(y_true, y_pred, labels=tuple(names))


def block_of(counts: ConfusionCounts, query: dict[str, str]) -> Block:
    groups = (Group("first", (0, 2, 3, 4)), Group("second", (5, 6, 7), True)) if "groups" in query else ()
    return arrange(counts, worst=int(query["worst"]) if "worst" in query else None, groups=groups)


@pytest.fixture(scope="session")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The real `server.py` and configuration in front of the page above."""
    folder = tmp_path_factory.mktemp("matrix")
    for name in (".streamlit", "assets"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("ui", "charts", "metrics", "data", "text", "web", "export", "command", "tests"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "server.py", folder)
    (folder / "app.py").write_text(APP, encoding="utf-8")
    with start_server(folder, folder / "store") as running:
        yield running


class Matrix:
    """The matrix on a page, and where its cells are."""

    def __init__(self, page: Page, stub: Server, k: int, **query: Any) -> None:
        self.page, self.counts = page, counts_of(k)
        self.block = block_of(self.counts, query)
        options = "".join(f"&{name}={value}" for name, value in query.items())
        show(page, f"{stub.url}/?k={k}&visit={next(VISITS)}{options}")
        self.plane = matrix_plane(page)

    def enter(self) -> None:
        """Put the cursor on the first cell, whether or not the browser takes the focus for one of the keyboard."""
        self.plane.press("Home")

    def geometry(self) -> tuple[float, float, float]:
        """Size of a cell, and where the first one begins, in CSS pixels of the picture."""
        data = self.plane.evaluate("element => ({...element.dataset})")
        left, top = (float(part) for part in data["origin"].split())
        return float(data["cell"]), left, top

    def at(self, i: float, j: float, off: tuple[float, float] = (0, 0)) -> tuple[float, float]:
        """A point of cell (i, j) on the page: the middle, moved by a share of the cell; below 0 the names."""
        size, left, top = self.geometry()
        box = self.box()
        y = top + (i + 0.5 + off[1]) * size if i >= 0 else top - 12
        x = left + (j + 0.5 + off[0]) * size if j >= 0 else left - 12
        return box["x"] + x, box["y"] + y

    def box(self) -> dict[str, float]:
        self.plane.scroll_into_view_if_needed()
        box = self.plane.bounding_box()
        assert box is not None
        return {"x": box["x"], "y": box["y"]}

    def click(self, i: float, j: float, off: tuple[float, float] = (0, 0), **how: Any) -> None:
        with rerun(self.page):
            self.page.mouse.click(*self.at(i, j, off), **how)

    def picked(self) -> str:
        return self.page.get_by_text("picked ").inner_text().removeprefix("picked ")

    def said(self) -> str:
        text: str = self.page.locator('.matrix > [aria-live="polite"]').text_content() or ""
        return text.replace("\u00a0", " ")

    def tip(self) -> str:
        return self.page.locator(".matrix .tip").inner_text().replace("\u00a0", " ")

    def colour(self, i: int, j: int, off: tuple[float, float] = (0, 0.3)) -> tuple[int, int, int, int]:
        """Red, green, blue and opacity of the picture in a cell."""
        size, left, top = self.geometry()
        place = [left + (j + 0.5 + off[0]) * size, top + (i + 0.5 + off[1]) * size]
        read = "([x, y]) => Array.from(c.getContext('2d').getImageData(Math.floor(x), Math.floor(y), 1, 1).data)"
        red, green, blue, opacity = self.page.locator(".matrix canvas.base").evaluate(f"(c, at) => ({read})(at)", place)
        return red, green, blue, opacity


@pytest.mark.parametrize("k", SIZES)
def test_clicks_find_their_cell(page, stub, k):
    matrix = Matrix(page, stub, k)
    chance = random.Random(k)
    for _ in range(8):
        i, j = chance.randrange(k), chance.randrange(k)
        matrix.click(i, j, (chance.uniform(-0.38, 0.38), chance.uniform(-0.38, 0.38)))
        assert matrix.picked() == f"(({i},), ({j},))"


def test_hovering_shows_names_count_and_three_shares(page, stub):
    matrix = Matrix(page, stub, 77)
    rows = matrix.block.rows
    i, j = next((i, j) for i, j in np.argwhere(rows > 1) if i != j and min(i, j) > 5)
    page.mouse.move(*matrix.at(i, j))
    expect(page.locator(".matrix .tip")).to_be_visible()
    names = matrix.counts.labels
    assert matrix.tip().splitlines() == [
        f"true class {names[i]}",
        f"predicted as {names[j]}",
        f"{rows[i, j]} rows",
        f"{100 * rows[i, j] / rows[i].sum():.1f} % of the true class",
        f"{100 * rows[i, j] / rows[:, j].sum():.1f} % of the predicted class",
        "< 0.1 % of all rows"
        if rows[i, j] / rows.sum() < 0.0005
        else f"{100 * rows[i, j] / rows.sum():.1f} % of all rows",
    ]


def test_a_name_chooses_its_whole_row_or_column(page, stub):
    matrix = Matrix(page, stub, 10)
    matrix.click(3, -1)
    assert matrix.picked() == "((3,), ())"
    matrix.click(-1, 10)
    assert matrix.picked() == f"((), ({UNPARSEABLE},))"


@pytest.mark.parametrize("k", [10, 200])
def test_dragging_chooses_a_block_with_its_rows(page, stub, k):
    matrix = Matrix(page, stub, k)
    page.mouse.move(*matrix.at(5, 2))
    page.mouse.down()
    page.mouse.move(*matrix.at(3, 7), steps=6)
    rows = int(matrix.block.rows[3:6, 2:8].sum())
    assert f"{rows:,} rows" in matrix.tip()
    with rerun(page):
        page.mouse.up()
    assert matrix.picked() == "((3, 4, 5), (2, 3, 4, 5, 6, 7))"
    assert matrix.said().startswith("Chosen: ") and matrix.said().endswith(f"{rows:,} rows")


def test_resting_finger_drags_and_moving_finger_scrolls(browser, stub):
    visitor = new_visitor(browser, has_touch=True)
    page = visitor.new_page()
    matrix = Matrix(page, stub, 10)
    hand = visitor.new_cdp_session(page)

    def touch(kind: str, i: float, j: float) -> None:
        x, y = matrix.at(i, j)
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 5, 2)
    expect(matrix.page.locator(".matrix .tip")).to_be_visible()  # the finger has rested long enough
    for i, j in ((4.5, 4), (4, 6), (3, 7)):
        touch("touchMove", i, j)
    with rerun(page):
        touch("touchEnd", 3, 7)
    assert matrix.picked() == "((3, 4, 5), (2, 3, 4, 5, 6, 7))"
    page.evaluate(HOLD_TIMERS, HELD)
    for kind, i in (("touchStart", 8), ("touchMove", 6), ("touchMove", 3), ("touchEnd", 3)):
        touch(kind, i, 2)
    page.evaluate("held.forEach(act => act())")
    wait_until_idle(page)
    assert matrix.picked() == "((3, 4, 5), (2, 3, 4, 5, 6, 7))", "a finger that moves at once chooses nothing"
    visitor.close()


def test_finger_beside_a_small_cell_chooses_it(browser, stub):
    visitor = new_visitor(browser, has_touch=True, viewport={"width": 390, "height": 844})
    page = visitor.new_page()
    matrix = Matrix(page, stub, 77)
    size, left, _ = matrix.geometry()
    assert size >= 2 and left + 77 * size <= 390, "the whole matrix fits"
    rows = matrix.block.rows[:, :77]
    i, j = (int(place) for place in np.argwhere(rows == 0)[40])
    filled = np.argwhere(rows > 0)
    distances = np.hypot(filled[:, 0] - i, filled[:, 1] - j)
    nearest = {str(((int(row),), (int(column),))) for row, column in filled[distances == distances.min()]}
    with rerun(page):
        page.touchscreen.tap(*matrix.at(i, j))
    assert matrix.picked() in nearest
    visitor.close()


def test_two_classes_need_no_search_and_no_zoom(page, stub):
    Matrix(page, stub, 2)
    expect(page.get_by_role("combobox", name="Find a class")).to_be_hidden()
    expect(page.get_by_role("button", name="Zoom in")).to_be_hidden()
    page.get_by_role("button", name="Mouse and keys").click()
    expect(page.locator(".matrix .hint")).to_be_visible()
    expect(page.locator(".matrix .hint")).not_to_contain_text("zoom")


def test_shift_click_extends_and_escape_clears(page, stub):
    matrix = Matrix(page, stub, 77)
    matrix.click(20, 30)
    page.keyboard.down("Shift")
    matrix.click(22, 29)
    page.keyboard.up("Shift")
    assert matrix.picked() == "((20, 21, 22), (29, 30))"
    with rerun(page):
        page.keyboard.press("Escape")
    assert matrix.picked() == "((), ())"


def test_the_keys_walk_speak_extend_and_choose(page, stub):
    matrix = Matrix(page, stub, 10)
    matrix.enter()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    rows = matrix.block.rows
    share = 100 * rows[1, 2] / rows[1].sum()
    said = matrix.said()
    assert said.startswith(f"true class {HOSTILE}, predicted as billing 2: {rows[1, 2]} row")
    assert f"{share:.1f} % of the true class" in said
    cell = matrix.plane.get_by_role("gridcell")
    assert cell.get_attribute("aria-colindex") == "3"
    with rerun(page):
        page.keyboard.press("Enter")
    assert matrix.picked() == "((1,), (2,))"
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowRight")
    with rerun(page):
        page.keyboard.press("Enter")
    assert matrix.picked() == "((1, 2), (2, 3))"


def test_step_beyond_the_first_column_is_the_row(page, stub):
    matrix = Matrix(page, stub, 10)
    matrix.enter()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    assert matrix.said() == f"true class {HOSTILE}, predicted as any class: {matrix.block.rows[1].sum()} rows"
    with rerun(page):
        page.keyboard.press("Enter")
    assert matrix.picked() == "((1,), ())"


@pytest.mark.parametrize("k", [77, 1000])
def test_a_class_is_found_enlarged_and_chosen(page, stub, k):
    matrix = Matrix(page, stub, k)
    matrix.enter()
    page.keyboard.press("/")
    field = page.get_by_role("combobox", name="Find a class")
    expect(field).to_be_focused()
    page.keyboard.type("billing 6")
    options = page.get_by_role("option")
    expected = [name for name in matrix.counts.labels if "billing 6" in name]
    assert options.count() == min(8, len(expected))
    expect(options.first).to_have_text("billing 6")
    page.keyboard.press("Enter")
    expect(matrix.plane).to_be_focused()
    wait_until_idle(page)
    assert matrix.geometry()[0] >= 14, "a cell that is found can be read"
    assert "billing 6: row and column 7" in matrix.said()
    with rerun(page):
        page.keyboard.press("Enter")
    assert matrix.picked() == "((6,), (6,))"


def test_a_class_inside_other_is_found_there(page, stub):
    matrix = Matrix(page, stub, 77, worst=5)
    folded = int(matrix.block.folded[3])
    page.get_by_role("combobox", name="Find a class").fill(matrix.counts.labels[folded])
    expect(page.get_by_role("option").first).to_contain_text("in other (72 classes)")
    page.keyboard.press("Enter")
    assert "is in other (72 classes)" in matrix.said()
    with rerun(page):
        page.keyboard.press("Enter")
    everything = tuple(matrix.block.folded.tolist())
    assert matrix.picked() == f"({everything}, {everything})"


@pytest.mark.parametrize("k", [77, 1000])
def test_ctrl_wheel_zooms_at_the_pointer(page, stub, k):
    matrix = Matrix(page, stub, k)
    before = matrix.geometry()[0]
    i, j = k // 3, k // 2
    page.mouse.move(*matrix.at(i, j))
    page.keyboard.down("Control")
    for _ in range(12):
        page.mouse.wheel(0, -60)
    page.keyboard.up("Control")
    wait_until_idle(page)
    size = matrix.geometry()[0]
    assert size > 5 * before and size == round(size), "whole pixels, so that every edge is sharp"
    assert f"predicted as {matrix.counts.labels[j]}" in matrix.tip().splitlines(), "what was pointed at stays there"
    for di, dj in ((0, 0), (2, -1), (-1, 2)):
        matrix.click(i + di, j + dj, (0.3, -0.3))
        assert matrix.picked() == f"(({i + di},), ({j + dj},))"
    matrix.plane.press("0")
    wait_until_idle(page)
    assert matrix.geometry()[0] == before


def test_wheel_alone_scrolls_the_page(page, stub):
    matrix = Matrix(page, stub, 77)
    before = matrix.geometry()
    page.mouse.move(*matrix.at(30, 30))
    page.mouse.wheel(0, 150)
    page.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollTop > 100")
    assert matrix.geometry() == before


@pytest.mark.parametrize("how", ["right", "middle", "space"])
def test_dragging_with_another_button_pans_and_chooses_nothing(page, stub, how):
    matrix = Matrix(page, stub, 200)
    page.get_by_role("button", name="Zoom in").click(click_count=6)
    wait_until_idle(page)
    _, left, top = matrix.geometry()
    matrix.plane.focus()
    page.mouse.move(600, 500)
    if how == "space":
        page.keyboard.down(" ")
    page.mouse.down(button="left" if how == "space" else how)
    page.mouse.move(480, 430, steps=5)
    page.mouse.up(button="left" if how == "space" else how)
    if how == "space":
        page.keyboard.up(" ")
    wait_until_idle(page)
    assert matrix.geometry()[1:] == (left - 120, top - 70)
    assert matrix.picked() == "None"


def test_the_window_follows_the_cursor_when_zoomed_in(page, stub):
    matrix = Matrix(page, stub, 200)
    matrix.enter()
    for _ in range(8):
        page.keyboard.press("+")
    page.keyboard.press("Control+End")
    wait_until_idle(page)
    x, y, w, h = (float(part) for part in (matrix.plane.get_attribute("data-window") or "").split())
    size, left, top = matrix.geometry()
    assert x <= left + 200 * size <= x + w + 0.5 and y <= top + 199 * size <= y + h + 0.5
    assert f"true class {matrix.counts.labels[199]}, predicted as no label found" in matrix.said()


def test_group_collapses_by_strip_and_by_key(page, stub):
    matrix = Matrix(page, stub, 10, groups=1)
    box = matrix.box()
    shut = matrix.block.row_codes.tolist().index(-11)
    for i, name in ((1, "first"), (shut, "second")):
        _, y = matrix.at(i, 0)
        with rerun(page):
            page.mouse.click(box["x"] + 8, y)
        expect(page.get_by_text(f"toggled {name}")).to_be_visible()
    matrix.enter()
    page.keyboard.press("Control+Home")
    with rerun(page):
        page.keyboard.press("g")
    expect(page.get_by_text("toggled first")).to_be_visible()
    matrix.click(shut, shut)
    assert matrix.picked() == "((5, 6, 7), (5, 6, 7))"


def test_errors_only_leaves_the_diagonal_empty(page, stub):
    matrix = Matrix(page, stub, 10)
    i, j = max(((i, j) for i in range(10) for j in range(10) if i != j), key=lambda at: matrix.block.rows[at])
    red, _, blue, opacity = matrix.colour(i, i)
    assert blue > red and opacity > 150
    red, _, blue, opacity = matrix.colour(i, j)
    assert red > blue and opacity > 100
    with rerun(page):
        page.get_by_text("errors only").click()
    assert matrix.colour(i, i)[3] < 30
    assert matrix.colour(i, j)[3] > 100


def test_no_cell_is_lost_below_a_pixel(page, stub):
    matrix = Matrix(page, stub, 1000)
    assert matrix.geometry()[0] < 1
    size, left, top = matrix.geometry()
    cells = random.Random(0).sample(np.argwhere(matrix.block.rows).tolist(), 300)
    places = [[int(left) + int(j * size), int(top) + int(i * size)] for i, j in cells]
    opacity = page.locator(".matrix canvas.base").evaluate(
        "(c, at) => at.map(([x, y]) => c.getContext('2d').getImageData(x, y, 1, 1).data[3])", places
    )
    empty = page.locator(".matrix canvas.base").evaluate(
        "c => { const d = c.getContext('2d').getImageData(200, 400, 300, 1).data; "
        "return Math.min(...d.filter((_, k) => k % 4 === 3)) }"
    )
    assert min(opacity) > 170 > 100 > empty


def test_lonely_error_has_a_halo(page, stub):
    matrix = Matrix(page, stub, 1000)
    size, left, top = matrix.geometry()
    rows = matrix.block.rows
    places = {(int(j * size), int(i * size)) for i, j in np.argwhere(rows).tolist()}
    around = [(-1, 0), (1, 0), (0, -1), (0, 1)]

    def alone(x: int, y: int) -> bool:
        return not any((x + u, y + v) in places for u in (-2, -1, 0, 1, 2) for v in (-2, -1, 0, 1, 2) if u or v)

    x, y = next((x, y) for x, y in sorted(places) if x > 40 and y > 40 and x != y and alone(x, y))
    read = "(c, [x, y]) => Array.from(c.getContext('2d').getImageData(x, y, 1, 1).data)"
    canvas = page.locator(".matrix canvas.base")
    cell = canvas.evaluate(read, [int(left) + x, int(top) + y])
    for u, v in around:
        red, _, blue, opacity = canvas.evaluate(read, [int(left) + x + u, int(top) + y + v])
        assert red > blue and 70 < opacity < cell[3], "weaker than the cell itself"
    assert canvas.evaluate(read, [int(left) + x + 2, int(top) + y])[3] < 30


def test_choice_sends_no_cell_again(new_tab, stub):
    page, received = new_tab, []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    matrix = Matrix(page, stub, 1000)
    assert 50_000 < sum(received) < 400_000
    received.clear()
    matrix.click(500, 500)
    assert sum(received) < 5_000
    received.clear()
    with rerun(page):
        page.get_by_text("log", exact=True).click()
    assert sum(received) < 5_000


def test_picture_is_saved_at_double_resolution(page, stub, tmp_path):
    matrix = Matrix(page, stub, 10)
    width, height = page.locator(".matrix canvas.base").evaluate("c => [c.width, c.height]")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="picture").click()
    assert waiting.value.suggested_filename == "confusion_matrix.png"
    waiting.value.save_as(tmp_path / "saved.png")
    head = (tmp_path / "saved.png").read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(head[20:24], "big") == 2 * height
    assert width < int.from_bytes(head[16:20], "big") <= 2 * width, "no wider than what is drawn"
    assert matrix.picked() == "None"


def test_long_hostile_label_is_text_drawn_whole(page, stub, watch):
    matrix = Matrix(page, stub, 40)
    measure = "(c, name) => Object.assign(c.getContext('2d'), { font: '12px sans-serif' }).measureText(name).width"
    longest = page.locator(".matrix canvas.base").evaluate(measure, HOSTILE)
    _, _, above = matrix.geometry()
    assert above < longest, "a wide picture is as high as the window: its upright names are cut"
    page.set_viewport_size({"width": 700, "height": 900})
    wait_until_idle(page)
    _, _, above = matrix.geometry()
    assert above > longest, "the height that narrow cells leave free goes to the names of columns"
    page.mouse.move(*matrix.at(1, 1))
    assert matrix.tip().splitlines()[0] == f"true class {HOSTILE}"
    page.get_by_role("combobox", name="Find a class").fill("img")
    expect(page.get_by_role("option").first).to_have_text(HOSTILE)
    assert page.locator('img[src="x"]').count() == 0
    assert watch.complaints == []


def test_theme_can_change_under_the_matrix(page, stub):
    matrix = Matrix(page, stub, 10)
    _, left, top = matrix.geometry()
    ink = (  # the lightest of the pixels of the names that are not see-through
        f"c => {{ const d = c.getContext('2d').getImageData(0, {top}, {left - 2}, 400).data; "
        "return Math.max(...d.filter((_, k) => k % 4 === 0 && d[k + 3] > 200)) }"
    )
    assert 0 <= page.locator(".matrix canvas.base").evaluate(ink) < 120
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        f"""() => {{
            const all = [...document.querySelectorAll('*')].map(e => e.shadowRoot?.querySelector('canvas.base'));
            return ({ink})(all.find(Boolean)) > 180;
        }}"""
    )


def test_printed_matrix_fits_without_controls(page, stub):
    matrix = Matrix(page, stub, 77)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 700, "height": 900})
    expect(page.locator(".matrix .bar")).to_be_hidden()
    box = page.locator(".matrix canvas.base").bounding_box()
    assert box["x"] + box["width"] <= 700
    assert matrix.plane.is_visible()
