"""Test that exports are made and downloaded by one click, and rows only leave where they may."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from data.errors import DataError
from data.process.limits import format_size
from data.rows import made_files, row_files
from data.sharing import share
from data.store.links import View
from export.files import every_file
from export.measurement import measure
from export.report.part import Part
from tests.ceiling import CEILING_SECONDS
from tests.export.evaluations import sample
from tests.opened_pages import open_page
from tests.opened_runs import keep_text
from ui.share import exporting
from ui.view.pages import PAGES


def page(run: str) -> None:
    from data.samples import is_sample
    from tests.export.evaluations import sample
    from tests.opened_runs import open_run
    from ui.share import exporting

    exporting.panel(sample(run) if is_sample(run) else open_run(run))


def shown(run: str = "screening") -> AppTest:
    app = AppTest.from_function(page, args=(run,), default_timeout=CEILING_SECONDS).run()
    assert not app.exception
    return app


@pytest.mark.parametrize(
    ("about", "stem"),
    [
        ("churn2.csv", "churn2-"),
        ("Support intents", "Support-intents-"),
        ("../../etc/passwd.csv", "etc-passwd-"),
        ('a"b\r\nc\u202e.csv', "a-b-c-"),
        ("\u9884\u6d4b.csv", ""),
        ("x" * 300 + ".csv", "x" * 40 + "-"),
    ],
)
def test_download_has_the_files_plain_name(about, stem):
    assert exporting.file_name(about, "report.html") == f"blindspot-{stem}report.html"


def labels(app: AppTest) -> list[str]:
    return [button.proto.label for button in app.get("download_button")]


def started(app: AppTest) -> list[str]:
    """Return the containers whose download the page starts by itself."""
    return [json.loads(one.proto.json)["place"] for one in app.get("bidi_component") if "place" in one.proto.json]


def test_click_after_the_menu_makes_the_file():
    app = open_page("overview", run="screening", t=0.4)
    app.query_params.clear()  # the menu names a page alone
    app.switch_page(PAGES["export"].script).run()
    app.button(key="exporting.numbers.json.make").click().run()
    assert not app.exception and any(label.startswith("numbers.json") for label in labels(app))


def test_report_compares_the_runs_of_its_own_link(own_store, tmp_path, monkeypatch):
    compared: list[str] = []

    def write(*_: object, parts: list[Part], **__: object) -> bytes:
        compared.append(str(parts))
        return b""

    monkeypatch.setattr("export.report.page.html_report", write)
    rows = [f"{row},{'ab'[row % 2]}" for row in range(40)]
    first = keep_text(tmp_path / "first.csv", "\n".join(["id,label,pred", *(f"{row},a" for row in rows)]))
    for name in ("second", "third"):
        other = keep_text(tmp_path / f"{name}.csv", "\n".join(["id,label,pred", *(f"{row},b" for row in rows)]))
        made = share.share(first, views=[View("compare", {"with": f"run.{other}"})])
        app = open_page("export", run=made.token, **made.views[0].query)
        app.button(key="exporting.report.html.make").click().run()
        assert not app.exception
    assert [name for text in compared for name in ("second.csv", "third.csv") if name in text] == [
        "second.csv", "third.csv"
    ]  # fmt: skip


def test_one_click_makes_the_report_and_downloads_it():
    app = shown()
    assert labels(app) == [] and started(app) == [], "nothing is made before it is asked for"
    app.button(key="exporting.report.html.make").click().run()
    (label,) = labels(app)
    assert label.startswith("report.html · ") and label.endswith("kB")
    assert started(app) == ["made-report-html"]
    app.checkbox(key="exporting.rows").check().run()
    assert labels(app) == started(app) == [], "the report with rows has not been asked for"
    app.button(key="exporting.report.html.make").click().run()
    assert len(labels(app)) == 1
    assert "Holds 200 of 10,000 rows." in [caption.value for caption in app.caption]


@pytest.mark.parametrize(("maker", "file"), [("_report", "report.html"), ("_files", "classes.csv")])
def test_failed_file_starts_no_later_download(monkeypatch, maker, file):
    def fail(*_: object) -> bytes:
        raise DataError("It cannot be written.")

    monkeypatch.setattr(exporting, maker, fail)
    app = shown("digits")
    app.button(key=f"exporting.{file}.make").click().run()
    assert "It cannot be written." in [one.value for one in app.text] and not app.exception
    assert "exporting.started" not in app.session_state


def test_left_out_rows_cannot_be_ticked():
    app = shown(share.share("screening", counts_only=True).token)
    assert len(app.checkbox) == 0
    app.button(key="exporting.report.html.make").click().run()
    assert len(labels(app)) == 1


def test_every_file_has_its_button_with_its_size():
    app = shown("movie-genres")
    app.button(key="exporting.classes.csv.make").click().run()
    wanted = [
        f"{name} · {format_size(len(content))}" for name, content in every_file(measure(sample("movie-genres"))).items()
    ]
    # the time of making is as long as any other, so that sizes agree
    assert labels(app)[1:] == wanted and labels(app)[0].startswith("everything.zip · ")
    assert started(app) == ["made-classes-csv"]
    assert started(app.run()) == [], "a later run starts no download"


@pytest.mark.parametrize(("metric", "value"), [("accuracy", "98.9 %"), ("recall", "0.070")])
def test_code_of_a_number_stands_below_it(metric, value):
    app = shown()
    assert len(app.code) == 0
    app.selectbox(key="exporting.metric").set_value(metric).run()
    assert not app.exception
    assert 'read_prepared("prepared.parquet")' in app.code[0].value
    assert any(f"**{value}**" in text.value for text in app.markdown)


def test_labels_without_rows_offer_no_code():
    app = shown(share.share("movie-genres", counts_only=True).token)
    assert len(app.code) == 0 and any("left the rows out" in caption.value for caption in app.caption)


def many_rows() -> None:
    from tests.data.rows.test_row_files import repeated
    from ui.share import exporting
    from ui.view.address import begin_page

    begin_page("export")
    exporting.panel(repeated(300))


def test_report_of_many_rows_comes_from_disk(own_store, monkeypatch):
    monkeypatch.setattr(row_files, "SMALL", 300 * 1_000)  # bytes of rows: these are more
    app = AppTest.from_function(many_rows, default_timeout=CEILING_SECONDS).run()
    app.checkbox(key="exporting.rows").check().run()
    app.number_input(key="exporting.n.300").set_value(300).run()
    app.button(key="exporting.report.make").click().run()
    assert not app.exception and labels(app) == []
    (link,) = app.get("link_button")
    assert link.proto.label.startswith("Download report.html · ") and started(app) == ["made-exporting-report"]
    made = made_files.find(link.proto.url.rpartition("/")[2])
    assert made.name == "blindspot-t-report.html" and "All 300 rows of the file." in made.path.read_text()
    made_files.drop_all()
