"""Every page runs with every sample and with nothing loaded, and shows the numbers that scikit-learn gives."""

import pytest

from data.samples import SAMPLES
from export.report.facts import short
from tests.opened_pages import open_page, texts
from tests.opened_runs import keep_text, open_run
from ui.view.pages import PAGES

KEYS = [sample.key for sample in SAMPLES]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_with_nothing_loaded_invites(page):
    app = open_page(page)
    assert not app.exception
    if PAGES[page].needs_file and page != "links":
        assert {f"sample.{sample.key}" for sample in SAMPLES} <= {b.key for b in app.button}


@pytest.mark.parametrize("sample", KEYS)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_runs_with_every_sample(page, sample):
    app = open_page(page, run=sample)
    assert not app.exception
    assert not app.error


@pytest.mark.parametrize("page", [page for page in PAGES if PAGES[page].needs_file])
@pytest.mark.parametrize("run", ["no-such-run", "A" * 32])
def test_a_link_that_leads_nowhere_says_so(page, run):
    app = open_page(page, run=run)
    assert not app.exception
    assert "leads nowhere" in texts(app)


def test_charts_that_count_rows_alone_say_so():
    """The triage sample has clusters, and its calibration diagram does not count them."""
    said = texts(open_page("thresholds", run="triage", tab="calibration"))
    assert "The intervals of the bins count every row by itself, although rows with the same `template`" in said


def test_receipt_names_roles_as_pages_do():
    shown = open_page("overview", run="support-intents", reading="1")
    roles = next(frame.value for frame in shown.dataframe if "because" in frame.value)
    assert dict(zip(roles["column"], roles["role"], strict=True)) == {
        "target": "true label", "prediction": "predicted label", "id": "id", "confidence": "confidence",
    }  # fmt: skip


@pytest.mark.usefixtures("own_store")
def test_bar_and_report_name_a_numbered_class_once(tmp_path):
    run = keep_text(tmp_path / "p.csv", "y_true,y_pred\n" + "1,1\n0,0\n" * 10)
    assert "binary · positive: `class 1`" in texts(open_page("confusion", run=run))
    assert 'binary · positive: <span class="label">class 1<' in short(open_run(run))
