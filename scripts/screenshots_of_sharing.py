"""Draws what a person sees who shares, walks a review, takes a report along or meets a dead link.

The pictures go to screenshots/. Ends with status 1 if a page logged an error or asked another host for something.
The server believes a header about who is logged in, as behind a proxy: the list of one's own links is drawn, too.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from data.sharing import share
from data.store import links
from scripts.screenshots import DOCUMENTED, HEIGHT, add_folder_options, documented, saved
from tests.browser.driver import COUNT_RUNS, FLAGS, ROOT, Watch, chromium_path, rerun, start_server, visit

PERSON, HEADER = "ann@example.org", "X-Forwarded-User"
LOOKS = (("light", 1280), ("dark", 1920))
STEPS = (
    links.View("overview", title="99 % accuracy, and nobody is found", note="Look at macro F1, then at the baseline."),
    links.View("thresholds", {"t": "0.105"}, "A lower threshold finds a third of them"),
    links.View("rows", {"only": "fn"}, "The people who were missed"),
)
Draw = Callable[[str], None]


def walk(page: Page, url: str, folder: Path, draw: Draw) -> None:
    """Go through all of it once in one browser; `draw` takes a picture under a name."""
    made = share.share("support-intents", title="Nightly 412", views=[links.View("overview")], person=PERSON)
    review = share.share("screening", title="Why accuracy is not enough", views=STEPS, person=PERSON)
    _share_dialog(page, url, draw)
    visit(page, f"{url}/links")
    draw("links-shared-by-me")
    visit(page, f"{url}/overview?run={made.token}")
    draw("overview-shared-link")
    for step in (1, 2):
        view = STEPS[step - 1]
        visit(page, f"{url}/{view.page}?{urlencode({'run': review.token, 'step': step, **view.query})}")
        draw(f"review-step-{step}")
    links.revoke(links.id_of(made.token), person=PERSON)
    visit(page, f"{url}/overview?run={made.token}")
    draw("overview-revoked-link")
    _report(page, url, folder, draw)


def _share_dialog(page: Page, url: str, draw: Draw) -> None:
    visit(page, url)
    page.locator('[data-testid="stFileUploaderDropzoneInput"]').first.set_input_files(
        ROOT / "data/samples/movie-genres.csv"
    )
    page.wait_for_url("**/*run=*")
    with rerun(page):
        page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Make the link").wait_for()
    draw("open-share")
    with rerun(page):
        page.get_by_role("button", name="Make the link").click()
    page.get_by_text("The link is ready").wait_for()
    draw("open-link-is-ready")
    with rerun(page):
        page.get_by_role("button", name="Done").click()  # until then every page of the tab shows it


def _report(page: Page, url: str, folder: Path, draw: Draw) -> None:
    """Draw the exported file, opened from the disk with the network off."""
    visit(page, f"{url}/export?run=support-intents")
    with page.expect_download() as download:
        page.get_by_role("button", name="report.html").click()
    draw("export-support-intents")
    file = folder / "report.html"
    download.value.save_as(file)
    page.context.set_offline(True)
    page.goto(file.as_uri())
    draw("report-from-disk")
    page.context.set_offline(False)


def visitor(browser: Browser, theme: str, width: int) -> BrowserContext:
    """Return a browser profile whose requests come through a proxy that says who is logged in."""
    context = browser.new_context(
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
        viewport={"width": width, "height": HEIGHT},
        extra_http_headers={HEADER: PERSON},
    )
    context.set_default_timeout(60_000)
    context.add_init_script(COUNT_RUNS)
    return context


def draw_all(browser: Browser, url: str, into: Path, folder: Path, wanted: set[str] | None) -> Iterator[str]:
    """Draw all pictures, or the wanted ones, in every look; yield what is wrong."""
    for theme, width in LOOKS:
        context = visitor(browser, theme, width)
        watch, page = Watch(context), context.new_page()

        def draw(name: str, page: Page = page, ending: str = f"{theme}-{width}") -> None:
            file = f"{name}-{ending}.png"
            if wanted is None or file in wanted:
                print(file, flush=True)
                saved(page, into / file)

        walk(page, url, folder, draw)
        yield from (
            complaint for complaint in watch.complaints if "file:" not in complaint
        )  # the report is opened from the disk
        context.close()


def main() -> int:
    """Start the server and the browser, draw, and say what was wrong."""
    parser = argparse.ArgumentParser(description="Draw what sharing looks like.")
    add_folder_options(parser)
    options = parser.parse_args()
    into: Path = DOCUMENTED if options.documented else options.into
    wanted = documented() if options.documented else None
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= {"BLINDSPOT_STORE": str(folder / "store"), "BLINDSPOT_USER_HEADER": HEADER}
        with start_server(ROOT, folder / "store") as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
            wrong = list(draw_all(browser, server.url, into, folder, wanted))
            browser.close()
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
