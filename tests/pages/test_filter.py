"""A filter in the address: every page is about its rows, says so, and shared links keep to what they may show."""

import json

import numpy as np
import pytest

from data.comparison.filter_conditions import filter_rows
from data.errors import DataError
from data.runs import load
from data.runs.understanding import open_draft
from data.sharing import share
from data.store.links import View, open_link
from export.measurement import measure
from export.numbers import numbers
from export.report.page import html_report
from tests.opened_pages import lenses, open_page, texts
from tests.opened_runs import keep_text
from ui.view.pages import PAGES

CHIP = "`country` = `DE`"


@pytest.fixture(scope="module")
def run(_store, tmp_path_factory) -> str:
    """A file of 60 rows, 20 of them of DE, and every one of these right."""
    folder = tmp_path_factory.mktemp("file")
    lines = ["id,text,country,label,prediction,score"]
    for i in range(60):
        right = i % 3 == 0 or i % 2 == 0
        label = "ab"[i % 2]
        lines.append(f"{i},m {i},{['DE', 'FR', 'US'][i % 3]},{label},{label if right else 'a'},{(i % 7) / 7:.3f}")
    return keep_text(folder / "p.csv", "\n".join(lines))


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ("links", "parsing")])
def test_page_shows_the_filtered_rows(page, run):
    app = open_page(page, run=run, filter="country=DE")
    chips = [button.label for button in app.button if button.key and button.key.startswith("filter.")]
    assert chips == [CHIP] and "20 of 60 rows" in texts(app)
    assert app.query_params["filter"] == "country=DE"


def test_the_chip_goes_back_to_all_rows(run):
    app = open_page("overview", run=run, filter="country=DE")
    assert lenses(app)["Accuracy"] == "100.0 %"
    app.button(key="filter.0").click().run()
    assert lenses(app)["Accuracy"] != "100.0 %" and "filter" not in app.query_params


@pytest.mark.parametrize(
    ("text", "words"),
    [("country=XX", "No row has 'XX'"), ("region=DE", "no column 'region'"), ("country", "such as country=DE")],
)
def test_a_filter_without_rows_says_so_once(run, text, words):
    app = open_page("classes", run=run, filter=text)
    assert sum(words in one.value for one in app.text) == 1 and "filter" not in app.query_params
    assert "Only rows with" not in texts(app)


def test_a_shared_link_keeps_to_what_it_shows(run):
    views = [View("classes", {"filter": "country=DE"})]
    for left_out in ({"hide": ["country"]}, {"counts_only": True}):
        with pytest.raises(DataError, match="remove the filter"):
            share.share(run, views=views, **left_out)
    token = share.share(run, views=views, hide=["text"]).token
    assert open_link(token).views[0].query["filter"] == "country=DE"
    assert "no column 'country'" in texts(
        open_page("classes", run=share.share(run, hide=["country"]).token, filter="country=DE")
    )
    part = share.share(run, counts_only=True).token
    assert "left the rows out" in texts(open_page("classes", run=part, filter="score=0.000"))


def test_a_report_and_its_numbers_name_the_filter(run):
    whole = open_draft(load.draft_of(run))
    found = filter_rows(whole, [("country", "DE")])
    assert numbers(measure(found))["filter"] == {
        "conditions": [["country", "DE"]], "rows": 20, "rows_of_the_file": 60,
    }  # fmt: skip
    page = html_report(found).decode()
    assert page.index("20 of 60 rows") < page.index("<main>")
    assert "filter" not in json.dumps(numbers(measure(whole))) and np.all(found.y_true == found.y_pred)
