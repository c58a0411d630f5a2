"""The page Compare in a real browser: a click on a class, a cell or a run shows its rows, and the address says so."""

import csv
import re

import pytest
from playwright.sync_api import expect

from data.samples import FOLDER
from tests.browser.driver import rerun, visit

pytestmark = pytest.mark.one_session


def test_click_shows_rows_of_class_and_cell(page, server):
    with (FOLDER / "triage.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    said = [
        ("urgent" if float(row["p_urgent_v1"]) >= 0.5 else "routine", row["truth"],
         "urgent" if float(row["p_urgent_v2"]) >= 0.5 else "routine")
        for row in rows
    ]  # fmt: skip
    fixed = sum(a != true == b == "urgent" for a, true, b in said)
    moved = sum(true == "urgent" and (a == "routine") != (b == "routine") for a, true, b in said)
    visit(page, f"{server.url}/compare?run=triage&with=score.p_urgent_v2")
    with rerun(page):
        page.get_by_role("button", name="urgent", exact=True).first.click()
    expect(page.get_by_role("heading", name=f"{fixed} rows of urgent wrong in A, right in B")).to_be_visible()
    expect(page).to_have_url(re.compile("class=urgent.*flip=fixed"))
    canvas = page.locator("canvas")
    inked = canvas.evaluate("""canvas => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, 14 * devicePixelRatio, canvas.height);
        return data.filter((value, at) => at % 4 === 3 && value > 0).length / (data.length / 4);
    }""")
    assert 0 < inked < 0.25, "the left edge holds the title of an axis, and no cell"
    box = canvas.bounding_box()
    with rerun(page):  # the cell of row urgent and column routine: the last row, the column before the last
        canvas.click(position={"x": box["width"] - 96, "y": box["height"] - 32})
    expect(page.get_by_role("heading", name=f"{moved} rows of urgent that only one run predicts")).to_be_visible()
    expect(page).to_have_url(re.compile("true=urgent&pred=routine"))
    with rerun(page):
        page.locator(".panel-list button.item").first.click()
    expect(page.get_by_role("region", name="The open row")).to_contain_text("Predicted by B")
    with rerun(page):
        page.get_by_role("button", name="A p_urgent_v1", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("accuracy 84.3\u00a0% → 82.1\u00a0%")
