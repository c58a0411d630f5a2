"""axe-core finds nothing of ours on any page, in the light and the dark theme, whatever kind of file is open."""

import re
import subprocess
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import LAPTOP, ROOT, Server, show, wait_until_idle
from tests.ceiling import CEILING_SECONDS
from ui.view.pages import PAGES

# A page is looked at with each kind of file that it draws differently, the others with one. Slices are drawn alike, as
# are rows of one label; of answers of a language model, Parsing and the rows differ.
OF_A_FILE = ("overview", "confusion", "classes", "thresholds")
VISITS = {
    "screening": (*OF_A_FILE, "slices", "open", "choose", "glossary"),
    "support-intents": (*OF_A_FILE, "compare", "export"),
    "movie-genres": (*OF_A_FILE, "rows", "review"),
    "support-intents-llm": ("rows", "parsing", "links"),
    "answer-ratings": ("agreement",),
}
PART = {
    "compare": "&with=run.support-intents-llm",
    "glossary": "&q=recall",  # its entries are drawn alike: all of them hold 17,000 elements
}
# The menu is the same on every page: it is checked once. Formulas are drawn by KaTeX. In the second theme only colours
# differ. Four rules are not about us: links of Streamlit's menu are no children of its list; its toasts have no name,
# its field for files has a role too many (streamlit 1.67); and a list of rows is scrolled by the keys of its grid.
CHECK = """
async ([rules, withMenu]) => {
  const menu = '[data-testid="stSidebarNav"]';
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: { type: "rule", values: rules } }) };
  const exclude = [[".katex"], ...(withMenu ? [] : [[menu]])];
  const { violations } = await axe.run({ exclude }, { ...options, elementRef: true });
  const isAllowed = (id, { element }) => ["list", "listitem"].includes(id) ? element.closest(menu)
    : id === "aria-dialog-name" ? element.closest('[data-testid="stToast"]')
    : id === "presentation-role-conflict" ? element.closest('[data-testid="stFileUploader"]')
    : id === "scrollable-region-focusable" && element.closest('[role="grid"][tabindex="0"]');
  return violations.flatMap(
    ({ id, nodes }) => nodes.filter(node => !isAllowed(id, node)).map(node => `${id}: ${node.html.slice(0, 200)}`));
}
"""
# Names of links of the page that lead to more than one address; the links beside headings are Streamlit's.
AMBIGUOUS = """
() => {
  const addresses = {};
  const walk = root => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) walk(element.shadowRoot);
      if (element.tagName !== "A" || !element.checkVisibility()) continue;
      const name = element.ariaLabel || element.textContent.trim();
      if (name !== "Link to heading") (addresses[name] ??= new Set()).add(element.href);
    }
  };
  walk(document.querySelector('[data-testid="stMain"]'));
  return Object.keys(addresses).filter(name => addresses[name].size > 1);
}
"""


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core; without npm, which fetches it, there is nothing to test with."""
    found = subprocess.run(
        ["sh", "scripts/find_axe.sh"], cwd=ROOT, capture_output=True, text=True, timeout=CEILING_SECONDS, check=False
    )
    if found.returncode == 3:
        pytest.skip(found.stderr.strip())
    assert found.returncode == 0, found.stderr
    return Path(ROOT / found.stdout.strip()).read_text(encoding="utf-8")


def violations(page: Page, axe: str, *rules: str, with_menu: bool = False) -> list[str]:
    """Return what axe finds on the page: the rule and the markup of each place."""
    if not page.evaluate("Boolean(window.axe)"):  # the page's policy refuses a script element, not the driver
        page.evaluate(axe)
    found: list[str] = page.evaluate(CHECK, [list(rules) or None, with_menu])
    return found


def test_every_page_is_visited():
    assert {page for pages in VISITS.values() for page in pages} == set(PAGES)


Theme = Literal["light", "dark"]


@pytest.mark.parametrize("sample", VISITS)
def test_pages_have_no_violation(page: Page, server: Server, axe: str, sample: str):
    found: list[str] = []
    for place, name in enumerate(VISITS[sample]):
        show(page, f"{server.url}/{'' if name == 'open' else name}?run={sample}{PART.get(name, '')}")
        first: Theme = "light" if place % 2 == 0 else "dark"  # each change draws the page anew
        second: Theme = "dark" if first == "light" else "light"
        expect(page.locator("body")).to_have_css("color-scheme", first)  # dialogs hang below it
        found += [f"{name}, {first}: {one}" for one in violations(page, axe, with_menu=not place)]
        found += [f"{name}: two addresses of the link {one}" for one in page.evaluate(AMBIGUOUS)]
        icons = page.get_by_role("button", name=re.compile("^[a-z_]+ icon$")).all()
        found += [f"{name}: only its icon names the button {icon.inner_text()}" for icon in icons]
        page.emulate_media(color_scheme=second)
        wait_until_idle(page)
        expect(page.locator("body")).to_have_css("color-scheme", second)
        found += [f"{name}, {second}: {one}" for one in violations(page, axe, "color-contrast")]
    assert not found, "\n".join(found)


def test_choose_and_tables_of_phones_have_no_violation(page: Page, server: Server, axe: str):
    show(page, f"{server.url}/thresholds?run=triage&tab=choose")
    found = violations(page, axe)
    page.set_viewport_size({"width": 390, "height": 844})
    show(page, f"{server.url}/slices?run=triage&mode=groups&column=speaker")
    expect(page.get_by_role("region", name="Gaps between groups")).to_have_attribute("tabindex", "0")
    assert not found + violations(page, axe)


def test_dialogs_and_review_have_no_violation(page: Page, server: Server, axe: str):
    def look(what: str) -> list[str]:
        page.get_by_test_id("stDialog").wait_for()
        wait_until_idle(page)
        return [f"{what}: {one}" for one in violations(page, axe)]

    show(page, f"{server.url}/confusion?run=digits")
    page.get_by_role("button", name="Share").click()
    found = look("share")
    page.get_by_role("button", name="Close").click()
    page.get_by_test_id("stDialog").wait_for(state="detached")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="All confusions as a table").click()
    found += look("table")
    page.get_by_role("button", name="Close").click()
    page.get_by_test_id("stDialog").wait_for(state="detached")
    page.get_by_role("button", name="Add to review").click()
    found += look("add to review")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_test_id("stDialog").wait_for(state="detached")
    wait_until_idle(page)
    for address, button in (("classes", "95 % intervals"), ("rows", "Download")):
        show(page, f"{server.url}/{address}?run=digits")
        page.get_by_role("button", name=button).click()
        wait_until_idle(page)
        found += [f"{address}, {button}: {one}" for one in violations(page, axe)]
    page.set_viewport_size({"width": 1000, "height": 800})  # the panel slides over
    show(page, f"{server.url}/confusion?run=digits&true=8&pred=1")
    found += [f"panel: {one}" for one in violations(page, axe)]
    page.set_viewport_size(LAPTOP)
    show(page, f"{server.url}/confusion?run=digits&step=1")
    page.locator(".st-key-review-bar").wait_for()
    page.mouse.move(300, 300)  # the controls fade while nobody moves
    expect(page.locator("[data-testid=stLayoutWrapper]:has(> .st-key-review-controls)")).to_have_css("opacity", "1")
    found += [f"review step: {one}" for one in violations(page, axe)]
    assert not found, "\n".join(found)
