"""The report of a notebook: one page in a frame, of a file or of columns that are there already."""

import html
import re

import pandas as pd
import pyarrow as pa
import pytest

from blindspot_eval import report
from blindspot_eval.reporting import Report, read_columns
from blindspot_eval.viewing import Shown, explain_no_frame

HOSTILE = '</iframe><script>alert("x")</script>'
COLUMNS = {"id": list(range(40)), "y_true": ["a", HOSTILE] * 20, "y_pred": ["a", "a", HOSTILE, HOSTILE] * 10}


@pytest.fixture(scope="module")
def made() -> Report:
    return report(COLUMNS, rows=5, options=["--positive=a"])


def test_report_stands_whole_in_its_frame(made):
    drawn = made._repr_html_()
    (frame,) = re.findall(r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts allow-popups"', drawn)
    assert html.unescape(frame) == made.content and drawn.count("<iframe") == 1 and "<script" not in drawn
    assert "50.0 %" in made.content and "http-equiv" in made.content
    assert re.match(r"Blindspot report: \d+ kB, 5 rows at most\.<br>", drawn)
    assert drawn.startswith(f"{made!r}<br>"), "a notebook saves the text, too"


def test_report_is_saved_as_one_file(made, tmp_path):
    assert made.save(tmp_path / "r.html").read_text(encoding="utf-8") == made.content


def test_report_refuses_to_overwrite_its_sources(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"id": range(18), "y_pred": ["a"] * 18}).to_csv("p.csv", index=False)
    pd.DataFrame({"id": range(18), "y_true": ["a", "b"] * 9}).to_csv("t.csv", index=False)
    for options in (["--labels", "t.csv"], ["--labels=t.csv"]):
        made = report("p.csv", options=options)
        for name in ("p.csv", tmp_path / "t.csv"):
            before = (tmp_path / name).read_bytes()
            with pytest.raises(ValueError, match="the report was made of this file, which would be lost"):
                made.save(name)
            assert (tmp_path / name).read_bytes() == before
        assert made.save("r.html").read_text(encoding="utf-8") == made.content
        assert made.save("r.html").exists(), "an earlier report is no source"


def test_rows_stay_out_unless_asked_for(tmp_path):
    path = tmp_path / "p.csv"
    pd.DataFrame({"y_true": ["a", "b"] * 9, "y_pred": ["a"] * 18, "text": ["secret"] * 18}).to_csv(path, index=False)
    silent, told = report(path), report(path, rows=3)
    assert "secret" not in silent.content and told.content.count("secret") == 3 and "no rows" in str(silent)


@pytest.mark.parametrize("rows", [-1, 1001])
def test_too_many_rows_are_refused(rows):
    with pytest.raises(ValueError, match="holds 0 to 1,000"):
        report(COLUMNS, rows=rows)


def test_file_that_cannot_be_read_is_one_sentence(tmp_path):
    with pytest.raises(ValueError, match=r"gone\.csv"):
        report(tmp_path / "gone.csv")
    with pytest.raises(ValueError, match="save_predictions makes a file"):
        report(7)


def test_columns_come_from_any_frame():
    frame = pd.DataFrame({"y_true": ["a", "b"]}, index=[5, 7])
    wanted = {"y_true": ["a", "b"]}
    batches = [frame.iloc[:1], pa.record_batch({"y_true": ["b"]})]
    for data in (wanted, frame, pa.table(wanted), pa.record_batch(wanted), batches):
        assert read_columns(data).to_pydict() == wanted


def test_texts_of_a_row_are_no_columns():
    """Words of four letters were four rows of a letter each."""
    rows = [{"y_true": "spam", "y_pred": "eggs"}, {"y_true": "eggs", "n": 3}]
    wanted = {"y_true": ["spam", "eggs"], "y_pred": ["eggs", None], "n": [None, 3]}
    assert read_columns(rows).to_pydict() == wanted
    with pytest.raises(ValueError, match="a list of rows; dict came"):
        read_columns(rows[0])


def test_notebook_elsewhere_says_why_there_is_no_frame(monkeypatch):
    monkeypatch.setenv("KAGGLE_KERNEL_RUN_TYPE", "Interactive")
    why = explain_no_frame("http://localhost:1")
    assert "use report()" in why
    assert "<iframe" not in Shown("http://localhost:1", why, 800)._repr_html_()
    monkeypatch.delenv("KAGGLE_KERNEL_RUN_TYPE")
    assert "does not answer" in explain_no_frame("http://127.0.0.1:9")
    assert "<iframe" in Shown("http://localhost:1", "", 800)._repr_html_()
