"""A comparison, slices, groups and times in the report: the numbers of the file, and in its JSON."""

import csv
import json

import numpy as np
import pytest

from cli import main
from data.samples import FOLDER
from tests.export.report.test_page import Page
from tests.opened_pages import open_page


@pytest.fixture(scope="module")
def rows():
    with (FOLDER / "triage.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def page_of(path) -> tuple[Page, dict]:
    page = Page(path.read_bytes())
    assert page.open == []
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    return page, json.loads(next(text for of, text in page.scripts if of.get("id") == "numbers"))["numbers"]


def test_report_holds_what_its_options_ask_for(rows, tmp_path, read_here, capsys):
    file, out = FOLDER / "triage.csv", tmp_path / "r.html"
    options = ["--worst-slices", "--slice", "channel", "--group", "speaker", "--since", "date=2026-05"]
    assert main(["report", str(file), "--score", "p_urgent_v1", "--positive", "urgent", "-o", str(out), *options]) == 0
    page, numbers = page_of(out)
    assert numbers["worst_searched"] > 100 and len(page.cells["worst-slices"]) == 1 + len(numbers["worst_slices"])
    right = np.array([row["truth"] == ("urgent" if float(row["p_urgent_v1"]) >= 0.5 else "routine") for row in rows])
    for name, n, value, *_ in page.cells["slices-table"][1:]:
        inside = np.array([f"channel = {row['channel']}" == name for row in rows])
        assert (n, value) == (f"{inside.sum():,}", f"{100 * right[inside].mean():.1f}\u00a0%")
    assert [row[0] for row in page.cells["group-rates"]] == ["speaker", "first language", "second language"]
    assert numbers["fairness"]["equalised"] and "best_threshold" in numbers["fairness"]["groups"][0]
    may = np.array([row["date"].startswith("2026-05") for row in rows])
    over_time = {row[0]: row[1:3] for row in page.cells["over-time-table"]}
    assert (
        over_time["2026-05"] == [f"{may.sum()}", f"{100 * right[may].mean():.1f}\u00a0%"] and numbers["drift"]["moved"]
    )
    capsys.readouterr()


def test_report_compares_another_file(rows, tmp_path, read_here, capsys):
    said = {
        name: ["urgent" if float(row[f"p_urgent_{name}"]) >= 0.5 else "routine" for row in rows]
        for name in ("v1", "v2")
    }
    for name, predicted in said.items():
        lines = [f"{row['id']},{row['truth']},{pred}" for row, pred in zip(rows, predicted, strict=True)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["id,truth,pred", *lines]))
    files = [str(tmp_path / f"{name}.csv") for name in ("v1", "v2")]
    assert main(["report", files[0], "--compare", files[1], "--join", "id", "-o", str(tmp_path / "r.html")]) == 0
    page, numbers = page_of(tmp_path / "r.html")
    right = [np.array([row["truth"] for row in rows]) == np.array(said[name]) for name in ("v1", "v2")]
    flips = {row[0]: row[1] for row in page.cells["compared-flips"]}
    assert flips["fixed: wrong in A, right in B"] == f"{(~right[0] & right[1]).sum()}"
    assert flips["broken: right in A, wrong in B"] == f"{(right[0] & ~right[1]).sum()}"
    (pair,) = numbers["comparison"]["pairs"]
    moved = pair["differences"]["accuracy"]
    assert moved["value"] == pytest.approx(right[1].mean() - right[0].mean())
    accuracy = next(row for row in page.cells["compared-metrics"] if row[0] == "accuracy")
    low, high = (f"{100 * moved[end]:.1f}" for end in ("low", "high"))
    shares = [f"{100 * run.mean():.1f}\N{NO-BREAK SPACE}%" for run in right]
    assert accuracy[1:5] == [*shares, f"+{100 * moved['value']:.1f} points", f"{low} to {high}"]
    assert {row[0] for row in page.cells["compared-recall"][1:]} == {"urgent", "routine"}
    capsys.readouterr()


def test_report_holds_the_agreement_of_raters(monkeypatch):
    app = open_page("export", run="answer-ratings")
    assert "Agreement" in app.button_group(key="exporting.parts").value
    app.button_group(key="exporting.parts").set_value(["Agreement"]).run()
    written = {}
    monkeypatch.setattr("export.report.page.html_report", lambda _, **options: written.update(options) or b"report")
    app.button(key="exporting.report.html.make").click().run()
    (part,) = written["parts"]
    found = part.numbers["agreement"]
    assert found["n_raters"] == 7 and found["ceiling"]["judge"]["value"] == pytest.approx(0.778, abs=5e-4)
    assert part.content.count("<table") == 9 and "judge_large" in part.content


def test_periods_are_named_by_the_metric_they_hold(monkeypatch):
    app = open_page("export", run="triage", column="channel", metric="specificity")
    written = {}
    monkeypatch.setattr("export.report.page.html_report", lambda _, **options: written.update(options) or b"report")
    app.button_group(key="exporting.parts").set_value(["Slices by channel", "Over time by date"]).run()
    app.button(key="exporting.report.html.make").click().run()
    slices, periods = (part.content for part in written["parts"])
    assert "Accuracy of every period" in periods and "pecificity" not in periods, "it shows the accuracy of each"
    assert "by specificity" in slices


def test_page_export_offers_what_is_in_view():
    app = open_page("export", run="triage", column="channel", cluster="~", **{"with": "score.p_urgent_v2"})
    names = ["Comparison", "Worst slices", "Slices by channel", "Groups by channel", "Over time by date"]
    pills = app.button_group(key="exporting.parts")
    assert pills.value == names
    sizes = []
    for chosen in (names, ["Comparison"], []):
        app.button_group(key="exporting.parts").set_value(chosen).run()
        app.button(key="exporting.numbers.json.make").click().run()
        assert not app.exception
        labels = [button.proto.label for button in app.get("download_button")]
        sizes.append(float(next(one for one in labels if one.startswith("numbers.json")).split()[2]))
    assert sizes[0] > sizes[1] > sizes[2]
