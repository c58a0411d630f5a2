"""Overview, report and JSON say of slices, groups and calibration the same as the pages about them."""

import json
import re

import numpy as np
import pytest

from cli import main
from data.samples import SAMPLES
from export.measurement import measure_evaluation
from export.report.page import html_report
from metrics.findings.worst_parts import head_of, headline
from tests.opened_pages import open_page, texts
from tests.opened_runs import keep_file, keep_text, open_run
from ui.overview import finding_list
from ui.overview.finding_places import place_of
from ui.slices import worst_parts


def block(app) -> dict:
    parts = [part.proto for part in app.get("bidi_component")]
    return next(json.loads(part.json) for part in parts if part.component_name == "blindspot_overview")


def said(words) -> str:
    return "".join(f"`{text}`" if kind == "label" else text for kind, text, *_ in words)


def shown_findings(app) -> list[str]:
    return [f"{said(one['head'])}. {said(one['more'])}" for one in block(app)["findings"]]


def plain(text: str) -> str:
    return text.replace("`", "").replace("\xa0", " ").replace("“", "").replace("”", "")


@pytest.fixture(scope="module")
def made(_store, tmp_path_factory) -> dict[str, str]:
    """Files whose parts differ: two groups, three with missing values and rows per line, several classes."""
    rng, n = np.random.default_rng(8), 1200
    folder = tmp_path_factory.mktemp("files")

    def keep(name: str, columns: dict) -> str:
        rows = zip(*(map(str, values) for values in columns.values()), strict=True)
        return keep_text(folder / f"{name}.csv", "\n".join([",".join(columns), *map(",".join, rows)]))

    truth, sex, age = rng.integers(0, 2, n), rng.integers(0, 2, n), rng.integers(18, 80, n)
    found = rng.random(n) < np.where(sex == 1, 0.58, 0.81)
    score = np.clip(np.where(truth == 1, np.where(found, 0.8, 0.3), np.where(rng.random(n) < 0.1, 0.7, 0.2)), 0, 1)
    loan = {"id": range(n), "label": truth, "score": score, "sex": np.where(sex == 1, "f", "m"), "age": age}
    region = rng.choice(["north", "south", ""], n)
    missed = rng.random(n) < np.where(region == "", 0.5, 0.1)
    lines = {"label": truth, "prediction": np.where(missed, 1 - truth, truth), "region": region,
             "rows": rng.integers(1, 9, n)}  # fmt: skip
    classes = rng.integers(0, 4, n)
    wrong = rng.random(n) < np.where(age > 60, 0.6, 0.1)
    predicted = np.where(wrong, (classes + 1) % 4, classes)
    several = {"label": [f"c{c}" for c in classes], "prediction": [f"c{c}" for c in predicted], "age": age}
    template = np.repeat(np.arange(60), 20)
    device = rng.integers(0, 2, n)
    missed = rng.random(n) < np.where(device == 1, 0.5, 0.1)
    devices, templates = [f"d{i}" for i in device], [f"m{i}" for i in template]
    found = np.where(missed, 1 - truth, truth)
    clustered = {"label": truth, "prediction": found, "template": templates, "device": devices}
    sets = rng.choice(["a|b", "a", "b|c", "c", "a|c"], n)
    spoiled = np.where(rng.random(n) < np.where(device == 1, 0.5, 0.1), "b", sets)
    label_sets = {"labels": sets, "predictions": spoiled, "device": devices}
    files: dict[str, dict] = {
        "loan": loan,
        "lines": lines,
        "several": several,
        "clustered": clustered,
        "sets": label_sets,
    }
    return {name: keep(name, columns) for name, columns in files.items()}


MADE = ("loan", "lines", "several", "clustered", "sets")
RUNS = [*(one.key for one in SAMPLES), *MADE]


@pytest.mark.parametrize("name", RUNS)
def test_overview_says_what_the_pages_show(made, name):
    run = made.get(name, name)
    evaluation = open_run(run)
    measured = measure_evaluation(evaluation)
    by_code = {finding.code: finding for finding in measured.named_findings}
    assert name not in MADE or "worst_slice" in by_code
    app = open_page("overview", run=run)
    shown = [plain(text) for text in shown_findings(app)]
    assert len(shown) == len(measured.findings)
    report = re.sub(r"<[^>]+>", "", html_report(evaluation, worst=measured.worst_parts).decode()).replace("\xa0", " ")
    assert [one["text"] for one in measured.numbers["findings"]] == [one.text for one in measured.findings]
    for metric, code in (("", "worst_slice"), ("recall", "worst_slice_recall")):
        if not metric or evaluation.positive is not None:
            title = open_page("slices", run=run, metric=metric).title[0].value
            told = by_code.get(code)
            if told is None and code == "worst_slice_recall" and "group_gap" in by_code:
                continue  # the gap between two groups says it
            clear = " where " in title
            assert clear == (told is not None), title
            assert told is None or any(text.startswith(plain(title)) for text in shown), title
    if evaluation.positive is not None and measured.worst_parts.slices:
        groups = open_page("slices", run=run, mode="groups")
        assert groups.title[0].value.startswith("No gap") == ("group_gap" not in by_code), groups.title[0].value
    if evaluation.y_score is not None and "miscalibrated" in by_code:
        title = plain(open_page("thresholds", run=run, tab="calibration").title[0].value)
        assert any(text.startswith(title) for text in shown)
    leading = headline(measured.named_findings)
    if leading is not None:
        first = plain("".join(part if isinstance(part, str) else part.name for part in head_of(leading)))
        assert first.partition(" is ")[2] in plain(app.title[0].value) and first in plain(report), first
    for code in ("worst_slice", "worst_slice_recall", "group_gap", "miscalibrated"):
        if code in by_code:
            place = place_of(evaluation, by_code[code])
            assert place.page in ("slices", "thresholds")
            head = by_code[code].text.split(". ")[0].replace("'", "")
            assert head in plain(report).replace("&#x27;", ""), head


def test_numbered_classes_are_named_alike(tmp_path, capsys):
    """Pages, report and terminal name a class by the column of the true labels; JSON keeps its label."""
    path = tmp_path / "p.csv"
    rows = (f"{int(i % 9 == 0)},{int((i % 9 == 0) != (i % 11 == 0))}" for i in range(200))
    path.write_text("\n".join(["is_fraud,predicted", *rows]))
    run = keep_file(path)
    names = ("is_fraud = 1", "is_fraud = 0")
    said = [texts(open_page("overview", run=run)), texts(open_page("confusion", run=run))]
    said.append(re.sub(r"<[^>]+>", "", html_report(open_run(run)).decode().split("<script")[0]))
    assert not main(["score", str(path)])
    said.append(capsys.readouterr().out)
    assert [name in text and "class 1" not in text for text in said for name in names] == [True] * 8
    assert not main(["score", "--json", str(path)])
    assert not any(name in capsys.readouterr().out for name in names)


def test_loan_file_leads_with_the_gap_between_groups(made):
    e = open_run(made["loan"])
    sex, found = np.array(e.rows.column("sex").to_pylist()), e.y_pred == e.y_true
    women, men = (found[(sex == one) & (e.y_true == e.positive)].mean() for one in "fm")
    title = open_page("overview", run=made["loan"]).title[0].value
    assert title == f"Recall of `class 1` is {women:.2f} where `sex` = `f`, {men:.2f} where it is `m`"


def test_large_file_is_drawn_before_its_search(made, monkeypatch):
    drawn = []
    search = worst_parts.worst_parts
    monkeypatch.setattr(worst_parts, "_AT_ONCE", 0)
    draw = finding_list._block
    monkeypatch.setattr(
        finding_list, "_block", lambda **given: drawn.append(len(given["data"]["findings"])) or draw(**given)
    )
    monkeypatch.setattr(worst_parts, "worst_parts", lambda evaluation: drawn.append("searched") or search(evaluation))
    worst_parts._found.clear()
    app = open_page("overview", run=made["loan"])
    without, searched, whole = drawn
    assert searched == "searched" and without < whole
    assert app.title[0].value.startswith("Recall of `class 1` is 0.6") and not app.exception
