"""Overview leads with what differs most, and every surface names a class alike."""

import re

import numpy as np
import pytest

from cli import main
from export.report.page import html_report
from tests.opened_pages import open_page, texts
from tests.opened_runs import keep_file, open_run
from tests.walk.inputs import keep_made
from ui.overview import finding_list
from ui.slices import worst_parts


@pytest.fixture(scope="module")
def made(_store, tmp_path_factory) -> dict[str, str]:
    return keep_made(tmp_path_factory.mktemp("files"))


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
    assert title == f"Recall of `class 1` is {women:.3f} where `sex` = `f`, {men:.3f} where it is `m`"


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
