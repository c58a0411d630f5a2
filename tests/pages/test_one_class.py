"""A truth with one class, or with one row, opens on every page, and says why AUC is undefined."""

import pytest

from tests.opened_pages import open_page, texts
from tests.opened_runs import keep_file
from ui.view.pages import PAGES

FILES = {
    "no positives": "y_true,score\n" + "".join(f"0,0.{i}\n" for i in range(1, 9)),
    "all positive": "y_true,score\n" + "".join(f"1,0.{i}\n" for i in range(1, 9)),
    "one row": "y_true,score\n0,0.1\n",
    "one row of labels": "y_true,y_pred\na,a\n",
}


@pytest.fixture(scope="module")
def runs(_store, tmp_path_factory):
    """The files as kept drafts: name -> run."""
    found = {}
    for name, text in FILES.items():
        path = tmp_path_factory.mktemp("one") / "p.csv"
        path.write_text(text, encoding="utf-8")
        found[name] = keep_file(path)
    return found


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_with_one_class(runs, page, name):
    app = open_page(page, run=runs[name])
    assert not app.exception and not app.error
    assert "cannot be used yet" not in texts(app)


@pytest.mark.parametrize(("name", "what"), [("no positives", "negative"), ("all positive", "positive")])
def test_the_thresholds_page_says_why_auc_is_undefined(runs, name, what):
    shown = texts(open_page("thresholds", run=runs[name]))
    assert f"Every row is {what} here, so curves and ROC AUC are undefined." in shown


@pytest.mark.parametrize(
    ("name", "why"), [("no positives", "no row is positive"), ("all positive", "every row is positive")]
)
def test_the_overview_says_why_auc_is_undefined(runs, name, why):
    shown = texts(open_page("overview", run=runs[name]))
    assert f"ROC AUC undefined : {why}" in shown and "0.5 is guessing" not in shown
