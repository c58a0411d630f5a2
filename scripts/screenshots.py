"""Draw every page of Blindspot for every sample, light and dark, at two widths, into screenshots/, which git ignores.

`--documented` draws anew the pictures that the documentation shows, into docs/screenshots/.
All of it takes some minutes; a part of it: make screenshots SHOTS="--pages overview,rows --samples digits".
Ends with status 1 if a page showed an error, logged one, or asked another host for something.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.driver import COUNT_RUNS, FLAGS, ROOT, Watch, chromium_path, start_server, visit, wait_until_idle
from ui.view.pages import PAGES

DRAWN_PAGES = tuple(page.name for page in PAGES.values() if page.section != "Share")
SAMPLES = (
    "screening",
    "digits",
    "support-intents",
    "support-intents-first-400",
    "support-intents-llm",
    "support-intents-several",
    "movie-genres",
    "triage",
    "nothing",  # what a first visitor sees
)
THEMES = ("light", "dark")
WIDTHS = ("1280", "1920")
STATES = {  # a page of a sample as somebody left it: name of the state, page, sample, what the address says of it
    "moved": ("thresholds", "screening", "t=0.105&bands=1"),
    "floor": ("thresholds", "screening", "by=at_least&floor=recall:0.9"),
    "open-rows": ("thresholds", "screening", "t=0.3&low=0.02"),
    "one-class": ("thresholds", "digits", "class=8&cal=class"),
    "each-label": ("thresholds", "movie-genres", "each=0:0.3,1:0.4"),
    "two-models": ("compare", "triage", "with=score.p_urgent_v2"),
    "clustered": ("confusion", "support-intents", "order=cluster&errors=1"),
    "groups": ("confusion", "support-intents", "group=prefix&sep=_"),
    "cell": ("confusion", "digits", "true=8&pred=1"),
    "worst": ("confusion", "support-intents", "worst=12&norm=none&order=recall"),
    "label-errors": ("rows", "digits", "sort=issue"),
    "one-cell": ("rows", "support-intents", "true=plan_downgrade&pred=plan_upgrade&marks=5,9"),
}
INTO = ROOT / "screenshots"
DOCUMENTED = ROOT / "docs" / "screenshots"
HEIGHT = 900
HIGHEST = 6000  # a longer page is cut here
DRAWN = """
() => {
  // what lies in a closed expander is not drawn before somebody opens it
  const open = name => [...document.querySelectorAll(`[data-testid="${name}"]`)].filter(
    element => element.checkVisibility({contentVisibilityAuto: true}) && !element.closest("details:not([open])"));
  return open("stPlotlyChart").every(chart => chart.querySelector(".main-svg"))
    && open("stDataFrame").every(table => table.querySelector("canvas"))
    && document.fonts.status === "loaded";
}
"""


class Shot(NamedTuple):
    """One picture: what is on it."""

    page: str
    sample: str
    theme: str
    width: str
    state: str = ""
    query: str = ""

    def file(self) -> str:
        """Name of the picture's file.

        >>> Shot("overview", "digits", "light", "1280").file()
        'overview-digits-light-1280.png'
        >>> Shot("rows", "digits", "dark", "1920", "label-errors", "sort=issue").file()
        'rows-digits-label-errors-dark-1920.png'
        """
        return "-".join(filter(None, (self.page, self.sample, self.state, self.theme, self.width))) + ".png"

    def address(self, url: str) -> str:
        """Return the address of the page; the default page has no name of its own.

        >>> Shot("open", "nothing", "light", "1280").address("http://x"), Shot("rows", "digits", "dark", "1280").address("http://x")
        ('http://x/', 'http://x/rows?run=digits')
        """
        path = "" if self.page == "open" else self.page
        view = f"&{self.query}" if self.query else ""
        return f"{url}/{path}" + ("" if self.sample == "nothing" else f"?run={self.sample}{view}")


def selection(arguments: list[str]) -> tuple[list[Shot], Path]:
    """Return the pictures asked for, those of one visitor (theme and width) together, and the folder they go to."""
    parser = argparse.ArgumentParser(description="Draw Blindspot's pages.")
    chosen = []
    for name, known in (("themes", THEMES), ("widths", WIDTHS), ("samples", SAMPLES), ("pages", DRAWN_PAGES)):
        parser.add_argument(f"--{name}", default=",".join(known), help=f"default: {','.join(known)}")
        chosen.append((name, known))
    add_folder_options(parser)
    options = parser.parse_args(arguments)
    picked = []
    for name, known in chosen:
        values = getattr(options, name).split(",")
        if unknown := [value for value in values if value not in known and name != "widths"]:
            parser.error(f"--{name} knows {', '.join(known)}, not {', '.join(unknown)}")
        picked.append(values)
    shots = []
    for theme, width in itertools.product(*picked[:2]):
        pages = itertools.product(*picked[2:])
        shots += [Shot(page, sample, theme, width) for sample, page in pages]
        shots += [
            Shot(page, sample, theme, width, state, query)
            for state, (page, sample, query) in STATES.items()
            if page in picked[3] and sample in picked[2]
        ]
    if options.documented:
        return [shot for shot in shots if shot.file() in documented()], DOCUMENTED
    return shots, options.into


def add_folder_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where the pictures go."""
    parser.add_argument("--into", type=Path, default=INTO, help="the folder of the pictures (default: screenshots)")
    parser.add_argument("--documented", action="store_true", help="draw only what docs/screenshots holds, there")


def documented() -> set[str]:
    """Return the names of the pictures that the documentation shows."""
    return {path.name for path in DOCUMENTED.iterdir()}


def saved(page: Page, file: Path) -> None:
    """Keep a picture of what is on screen: 256 colours are enough for a page, and a third of the size."""
    page.screenshot(path=file, animations="disabled")
    with Image.open(file) as picture:
        picture.convert("RGB").quantize(256).save(file, optimize=True)


def draw(page: Page, url: str, shot: Shot, file: Path) -> list[str]:
    """Take one picture of the whole page; the answer is what is wrong on it."""
    page.set_viewport_size({"width": int(shot.width), "height": HEIGHT})
    visit(page, shot.address(url))
    page.wait_for_function(DRAWN)
    inside = page.evaluate("document.querySelector('[data-testid=\"stMain\"]').scrollHeight")
    page.set_viewport_size({"width": int(shot.width), "height": min(max(inside, HEIGHT), HIGHEST)})
    page.wait_for_function(DRAWN)
    wait_until_idle(page)
    saved(page, file)
    errors = (
        page.get_by_test_id("stException").all_inner_texts()
        + page.get_by_text("Something went wrong").all_inner_texts()
    )
    return [f"{file.name}: {text}" for text in errors]


def draw_all(browser: Browser, url: str, shots: list[Shot], into: Path) -> Iterator[str]:
    """Take all pictures, one visitor for each theme and width; yields what is wrong."""
    for (theme, _), group in itertools.groupby(shots, key=lambda shot: (shot.theme, shot.width)):
        visitor = browser.new_context(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
        visitor.set_default_timeout(60_000)
        visitor.add_init_script(COUNT_RUNS)
        watch, page = Watch(visitor), visitor.new_page()
        for shot in group:
            print(shot.file(), flush=True)
            yield from draw(page, url, shot, into / shot.file())
            yield from (f"{shot.file()}: {complaint}" for complaint in watch.complaints)
            watch.complaints.clear()
        visitor.close()


def main() -> int:
    """Start the server and the browser, draw, and say what was wrong."""
    shots, into = selection(sys.argv[1:])
    into.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as store,
        start_server(ROOT, Path(store)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        wrong = list(draw_all(browser, server.url, shots, into))
        browser.close()
    print(f"{len(shots)} pictures in {into}")
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
