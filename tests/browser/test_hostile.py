"""Uploaded text is never markup: on no page, in no dialog, hover text, option or error, and no request leaves the page.

Which function guards which sink:

====================================================  ==========================================================
sink                                                  guarded by
====================================================  ==========================================================
headings, sentences, captions, button and link        `ui.text.markdown.md`: a code span
labels, badges, toasts (Streamlit's Markdown)
sentences that quote a file, titles, notes, errors    `text.visible.show` into `st.text` and `st.code`: plain text
options of selectboxes and multiselects               `text.visible.show` as `format_func`: plain text
tables (`st.dataframe`), the chosen class             `text.visible.show` in the cells: a canvas, and plain text
axes, legends and titles of Plotly                    `text.visible.plotly_text`: entities
hover text of Plotly                                  `text.visible` in `customdata`, never in a template
matrix, curves, rows, flowchart (own components)      `text.visible.show`, then `textContent`
formulas (KaTeX)                                      numbers only; names beside them, by `ui.text.markdown.md`
the exported report                                   `export.report.markup`: `html.escape(show(…))`
the code that repeats a number                        `ascii()`: a class in a comment
downloads as CSV                                      `data.rows.exports.safe_csv`: no cell begins as a formula
the tab's title                                       `text.visible.show`: plain text
names of downloads                                    fixed words of ours, and plain letters and digits
====================================================  ==========================================================
"""

import csv
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from data.sharing import share
from data.store import links
from tests.browser import hostile_files as hostile
from tests.browser.driver import Server, rerun, show as show_view, visit, wait_until_idle
from tests.browser.gestures import link_and_key, open_options, run_of, settled
from text.visible import show

LABELS = hostile.LABELS
GOOD = b"label,prediction\n" + b"a,a\nb,b\na,b\n" * 9
BROKEN = "![mk40](x).csv"  # a longer name is cut in the list of uploaded files
# Each mark in what was uploaded, and all that stands in front of it when that is shown as itself.
BEFORE = {
    found[0]: shown[: found.start()]
    for text in (*LABELS, hostile.NAME, hostile.TRUTH, hostile.PRED, hostile.RAW, hostile.TEXT, hostile.ID,
                 hostile.OTHER, hostile.TITLE, *hostile.NOTE.splitlines(), *hostile.GROUPS, BROKEN)
    for shown in (show(text, None),)
    for found in re.finditer(r"mk\d\d", shown)
}  # fmt: skip
# Every text, spoken or drawn, of the page and of the components in it; and every element that text may have become.
LOOK = """
() => {
  const texts = [], made = [];
  const spoken = ["title", "alt", "placeholder", "aria-label", "aria-description", "aria-valuetext"];
  const leading = ["src", "srcset", "href", "xlink:href", "action", "data", "poster"];
  const outside = value => {
    const address = new URL(value, location.href);
    return address.protocol === "javascript:"
      || (!["blob:", "data:"].includes(address.protocol) && address.origin !== location.origin);
  };
  const look = root => {
    texts.push(root.textContent);
    for (const element of root.querySelectorAll("*")) {
      if ("value" in element && typeof element.value === "string") texts.push(element.value);
      for (const {name, value} of element.attributes) {
        if (spoken.includes(name)) texts.push(value);
        const leads = leading.includes(name) && (value === "x" || outside(value));
        if (leads || name.startsWith("on") || (name === "style" && /evil|90em/.test(value))) made.push(element);
      }
      const text = element.textContent;
      if (element.matches("script") && text.includes("hostile")) made.push(element);
      if (element.matches(".katex") && /mk\\d\\d|rule/.test(text)) made.push(element);
      if (text === "skull" || text === "😄") made.push(element);
      if (element.shadowRoot) look(element.shadowRoot);
    }
  };
  look(document.documentElement);
  const marks = texts.flatMap(text => [...text.matchAll(/mk\\d\\d/g)].map(
    found => [found[0], text.slice(Math.max(found.index - 12, 0), found.index)]));
  return {marks, made: made.map(element => element.outerHTML.slice(0, 300)), ran: "hostile" in window,
          title: document.title};
}
"""


@pytest.fixture(scope="module")
def runs(server: Server, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The hostile evaluations, written straight into the server's store."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLINDSPOT_STORE", str(server.store))
        return {task: hostile.keep(make(), tmp_path_factory.mktemp(task)) for task, make in hostile.CASES.items()}


def marks(page: Page) -> set[str]:
    """The marks on the page, each of which stands in a text that is shown as itself; nothing was made of any."""
    found = page.evaluate(LOOK)
    assert found["made"] == [] and not found["ran"]
    assert len(found["title"]) < 80
    names = [f" · {show(name, 40)} · Blindspot" for name in (hostile.NAME, BROKEN)]
    assert "mk" not in found["title"] or any(name in found["title"] for name in names)
    assert [(mark, before) for mark, before in found["marks"] if not shows_itself(mark, before)] == []
    assert page.get_by_text("Something went wrong").count() == 0
    return {mark for mark, _ in found["marks"]}


def shows_itself(mark: str, before: str) -> bool:
    """Return whether what was uploaded stands before a mark: whole, cut in its middle, or less the start of a path."""
    whole, (_, cut, end) = BEFORE[mark], before.rpartition("…")
    _, path, last = whole.rpartition("/")
    is_cut = bool(cut) and whole.endswith(end)
    is_last_part = bool(path) and before.endswith(last)
    return before.endswith(whole[-8:]) or is_cut or is_last_part


def unfold(page: Page) -> None:
    """Open everything that can be opened on a page."""
    page.evaluate("for (const one of document.querySelectorAll('details:not([open]) > summary')) one.click()")
    wait_until_idle(page)


def look(page: Page, server: Server, address: str) -> set[str]:
    """Open a page and everything on it; returns the marks that it shows."""
    go = visit if address.startswith("?") else show_view  # within a session, the start page stays the start page
    go(page, f"{server.url}/{address}")
    unfold(page)
    return marks(page)


def hover(page: Page, plot: Locator) -> list[str]:
    """Rest the pointer on every dot of a picture's first trace in turn; returns the hover texts."""
    texts = []
    for dot in plot.locator(".scatterlayer .trace").first.locator(".points path").all():
        box = settled(dot)
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        shown = plot.locator(".hoverlayer .hovertext .nums")
        shown.wait_for()
        marks(page)
        texts.append(shown.text_content() or "")
        page.mouse.move(0, 0)
        shown.wait_for(state="detached")
    return texts


def options(page: Page, name: str) -> set[str]:
    """Open a list of options, look at it, and close it."""
    open_options(page, name)
    seen = marks(page)
    page.keyboard.press("Escape")
    return seen


def of(*names: str) -> set[str]:
    """The marks in texts."""
    return {mark for name in names for mark in re.findall(r"mk\d\d", name)}


def button(page: Page, name: str) -> None:
    with rerun(page):
        page.get_by_role("button", name=name, exact=True).click()


def test_the_search_finds_what_it_looks_for(new_tab: Page) -> None:
    for text in (
        "<img src=x>",
        "<a href=javascript:1>",
        f"<a href={hostile.ABROAD}>",
        "<p onclick=1>",
        "mk08]",
        "b>mk04",
    ):
        new_tab.set_content(f"<main>{text}</main>")
        with pytest.raises(AssertionError):
            marks(new_tab)
    new_tab.set_content("<main>:red[mk08]</main>")
    assert marks(new_tab) == {"mk08"}


ALL = of(*LABELS)
COLUMNS = of(hostile.TRUTH, hostile.PRED, hostile.TEXT, hostile.ID, hostile.OTHER)


def test_many_classes(page: Page, server: Server, runs: dict[str, str]) -> None:
    run, picture, icon = runs["multiclass"], quote(LABELS[3]), quote(LABELS[8])
    name = of(hostile.NAME)
    assert look(page, server, f"?run={run}") >= ALL | COLUMNS | name
    assert options(page, "Predicted label") >= COLUMNS
    assert look(page, server, f"overview?run={run}") > name
    assert look(page, server, f"confusion?run={run}&true={picture}&pred={icon}") >= of(LABELS[3], LABELS[8]) | name
    page.locator(".matrix .plane").hover()
    page.locator(".matrix .tip", has_text="mk").wait_for()
    page.get_by_role("combobox", name="Find a class").fill("mk")
    page.get_by_role("option").first.wait_for()
    assert marks(page) > name
    assert look(page, server, f"classes?run={run}&class={picture}") >= ALL | name
    assert look(page, server, f"rows?run={run}&row=4&marks=r4&sort=file") >= ALL | COLUMNS | name
    assert look(page, server, f"thresholds?run={run}&class={icon}") >= of(LABELS[8]) | name
    assert look(page, server, f"thresholds?run={run}&tab=classes") > name
    assert look(page, server, f"choose?run={run}") >= name
    assert look(page, server, f"glossary?run={run}&class={quote(LABELS[6])}") >= of(LABELS[6]) | name


def test_two_classes_with_a_threshold(page: Page, server: Server, runs: dict[str, str]) -> None:
    run, both = runs["binary"], of(LABELS[1], LABELS[7], hostile.NAME)
    assert look(page, server, f"?run={run}") >= both | COLUMNS | of(hostile.RAW)
    assert look(page, server, f"thresholds?run={run}&side=fp") >= both
    assert look(page, server, f"overview?run={run}&t=0.4") >= both
    assert look(page, server, f"slices?run={run}&mode=groups&column={quote(hostile.OTHER)}") >= of(hostile.OTHER)


def test_hover_over_groups_shows_names_as_text(page: Page, server: Server, runs: dict[str, str]) -> None:
    """Plotly reads HTML, templates and formulas in the hover text of a chart."""
    look(page, server, f"slices?run={runs['groups']}&mode=groups&column=group")
    texts = hover(page, page.locator(".js-plotly-plot").first)
    long_name = "mk38 " + "long " * 14 + "long…"
    names = ["<b>mk35</b>", "%{y} mk36", "$mk37$", long_name, "a\\u202emk39"]
    assert texts == [f"{name}: 0.667 (0.467 to 0.820), 24 rows" for name in names]


def test_several_labels_a_row(page: Page, server: Server, runs: dict[str, str]) -> None:
    run, label = runs["multilabel"], quote(LABELS[7])
    all_12 = of(*LABELS[:12], hostile.NAME)
    assert look(page, server, f"confusion?run={run}&true={label}") >= all_12
    assert look(page, server, f"classes?run={run}&class={label}") >= all_12
    assert look(page, server, f"thresholds?run={run}&class={label}") >= of(LABELS[7], hostile.NAME)
    assert look(page, server, f"thresholds?run={run}&tab=classes") > of(hostile.NAME)


def test_answers_of_a_language_model(page: Page, server: Server, runs: dict[str, str]) -> None:
    run = runs["answers"]
    all_10 = of(*LABELS[:10], hostile.NAME)
    assert look(page, server, f"parsing?run={run}") >= all_10 | of(hostile.RAW)
    assert look(page, server, f"rows?run={run}&only=unparseable&row=1") >= of(LABELS[15], hostile.RAW, hostile.NAME)


def test_sharing_and_the_list_of_links(page: Page, server: Server, runs: dict[str, str]) -> None:
    visit(page, f"{server.url}/overview?run={runs['multiclass']}")
    button(page, "Share")
    with rerun(page):
        page.get_by_role("dialog").get_by_text("Without some columns", exact=True).click()
    assert options(page, "Columns to hide") >= of(hostile.TEXT, hostile.ID, hostile.OTHER)
    with rerun(page):
        page.get_by_role("dialog").get_by_text("Everything", exact=True).click()
    page.get_by_label("Title", exact=True).fill(hostile.TITLE)
    button(page, "Make the link")
    codes = link_and_key(page)
    expect(codes).to_have_count(2)
    link = codes.first.inner_text().strip()
    assert marks(page) and of(link) == set(), "no address holds a title or a name of a file"
    visit(page, f"{server.url}/links")
    assert marks(page) >= of(hostile.TITLE), "this browser has kept the key"
    button(page, "Revoke")
    assert marks(page) >= of(hostile.TITLE)


def test_a_review_is_walked_and_arranged(
    page: Page, server: Server, runs: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLINDSPOT_STORE", str(server.store))
    views = [links.View(name, {}, hostile.TITLE, hostile.NOTE) for name in ("overview", "glossary")]
    run = share.share(runs["binary"], title=hostile.TITLE, views=views).token
    written = of(hostile.TITLE, hostile.NOTE)
    visit(page, f"{server.url}/overview?run={run}&step=1")
    assert marks(page) > written
    page.get_by_role("button", name="Steps").click()
    page.get_by_role("link", name=re.compile("^2. ")).wait_for()
    assert marks(page) > written
    visit(page, f"{server.url}/review?run={run}")
    assert marks(page) >= of(hostile.TITLE)
    button(page, "Make a new one of these steps")
    assert marks(page) >= written
    with rerun(page):
        page.get_by_role("button", name="Walk through now").click()
    assert marks(page) >= written


def test_files_that_are_taken_along(page: Page, server: Server, runs: dict[str, str], tmp_path: Path) -> None:
    visit(page, f"{server.url}/export?run={runs['multiclass']}")
    for name in ("report.html", "classes.csv"):  # one click makes the file and downloads it
        with page.expect_download() as waiting:
            button(page, name)
    assert of(hostile.NAME) <= marks(page)
    assert re.fullmatch(r"blindspot-[A-Za-z0-9_-]{4,40}-classes\.csv", waiting.value.suggested_filename)
    safe(waiting.value.path())
    visit(page, f"{server.url}/classes?run={runs['multiclass']}")
    with page.expect_download() as waiting:
        page.get_by_test_id("stDownloadButton").get_by_role("button", name="CSV").click()
    safe(waiting.value.path())
    visit(page, f"{server.url}/confusion?run={runs['multiclass']}")
    page.get_by_role("button", name="More", exact=True).click()
    button(page, "Matrix as a table")
    table = page.get_by_test_id("stDataFrame").first
    table.hover()
    assert table.get_by_role("button", name=re.compile("Search", re.IGNORECASE)).count(), "the tools are in sight"
    assert page.get_by_role("button", name="Download as CSV").count() == page.get_by_test_id("stDownloadButton").count()


def safe(path: Path) -> None:
    """No cell of a table is a formula, and the one that was is there."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]
    assert [cell for cell in cells if "=cmd|" in cell and cell.startswith("'=")]


def test_unreadable_file_and_readable_file(page: Page, server: Server) -> None:
    visit(page, server.url)
    place = page.locator('[data-testid="stFileUploaderDropzoneInput"]').first
    with rerun(page):
        place.set_input_files({"name": BROKEN, "mimeType": "text/csv", "buffer": b"label,prediction\na,a\nb\n"})
    assert marks(page) >= of(BROKEN)
    page.get_by_role("button", name="Open another file or sample").click()
    place.set_input_files({"name": BROKEN, "mimeType": "text/csv", "buffer": GOOD})
    page.wait_for_url(re.compile("/overview"))
    wait_until_idle(page)
    assert marks(page) >= of(BROKEN)
    page.wait_for_url(re.compile("run="))
    query = f"norm={quote(LABELS[1])}&order={quote(LABELS[11])}&true={quote(LABELS[3])}&pred={quote(LABELS[7])}"
    visit(page, f"{server.url}/confusion?run={run_of(page)}&{query}")
    assert marks(page) >= of(BROKEN, LABELS[1], LABELS[11])
