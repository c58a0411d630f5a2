"""Test that what is taken along as JSON and CSV holds every number, and no spreadsheet runs any of it."""

import csv
import dataclasses
import io
import json
import math
import subprocess
import sys
import zipfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

import metrics.findings.tables
from data.rows import exports, made_files
from data.rows.limited_export import make_file
from data.runs.draft import Given
from data.runs.load import read_evaluation
from data.samples import FOLDER
from data.version import VERSION
from export.files import are_small, csv_files, every_file, name_files, svg_files, zip_files
from export.measurement import measure
from export.numbers import numbers, numbers_json, values
from export.report.page import html_report
from tests.ceiling import CEILING_SECONDS
from tests.export.evaluations import HOSTILE, hostile, sample

ROOT = Path(__file__).resolve().parents[2]


def test_the_json_says_what_it_is_of():
    e = sample("screening")
    found = json.loads(numbers_json(measure(e), view={"t": "0.5"}, made=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)))
    assert found["blindspot"] == VERSION and found["made"] == "2026-01-02T03:04:05Z"
    assert found["fingerprint"] == e.fingerprint and found["settings"]["truth"] == "truth"
    assert found["files"] == [{"name": "screening.csv", "sha256": e.receipt.files[0].sha256}]
    assert found["view"] == {"t": "0.5"} and found["threshold"] == 0.5


@pytest.mark.parametrize("key", ["screening", "support-intents", "movie-genres", "support-intents-llm"])
def test_json_holds_every_number_and_null(key):
    e = sample(key)

    def same(a, b):
        if isinstance(b, dict):
            return set(a) == {str(name) for name in b} and all(same(a[str(name)], value) for name, value in b.items())
        if isinstance(b, list | tuple):
            return len(a) == len(b) and all(map(same, a, b))
        return a is None if isinstance(b, float) and not math.isfinite(b) else a == b

    wanted = values(measure(e))
    found = json.loads(numbers_json(measure(e)))["numbers"]
    assert same({name: found[name] for name in wanted}, wanted)


def test_the_command_line_prints_the_same_numbers():
    run = [sys.executable, "cli.py", "score", str(FOLDER / "screening.csv"), "--json"]
    printed = json.loads(subprocess.run(run, cwd=ROOT, capture_output=True, check=True, timeout=CEILING_SECONDS).stdout)
    assert printed.pop("intervals")["accuracy"]["method"]
    assert printed == numbers(measure(sample("screening")))["numbers"]


def test_files_hold_intervals_at_the_level_in_view():
    found = measure(sample("triage"), level=0.9)
    told = json.loads(numbers_json(found))["intervals"]["recall"]
    assert (told["level"], told["clusters"]) == (0.9, 22) and told["low"] < values(found)["recall"] < told["high"]
    table = csv_files(found)["classes.csv"].decode("utf-8-sig")
    assert "recall_low,recall_high" in table.splitlines()[0]
    said = html_report(sample("triage"), view={"ci": "0.9"}).decode()
    assert "90 % interval" in said and f"{told['low']:.3f} to {told['high']:.3f}" in said and "22 clusters" in said


def test_no_cell_of_a_csv_is_a_formula():
    for name, content in csv_files(measure(hostile())).items():
        cells = [cell for row in csv.reader(io.StringIO(content.decode())) for cell in row]
        assert len(cells) > 10, name
        assert [cell for cell in cells if cell[:1] in ("=", "@", "\t", "\r")] == []
    assert any("'" + HOSTILE[2] in cell for cell in cells) or HOSTILE[2] in str(csv_files(measure(hostile())))


def test_reports_script_guards_cells_as_files_do():
    script = (ROOT / "export" / "report" / "script.js").read_text(encoding="utf-8")
    for pattern in (exports._FORMULA, exports._INSIDE):
        assert f"/{pattern.pattern}/" in script


def test_the_matrix_as_csv_adds_up():
    e = sample("support-intents-llm")
    rows = list(csv.reader(io.StringIO(csv_files(measure(e))["confusion_matrix.csv"].decode())))
    assert rows[0][0] == "true \\ predicted" and rows[0][-1] == "(no label found)"
    counted = np.array([[int(cell) for cell in row[1:]] for row in rows[1:]])
    assert counted.sum() == e.n_scored and counted[:, -1].sum() == e.n_unparsed
    assert np.trace(counted[:, :-1]) == (e.y_true == e.y_pred)[e.scored].sum()


def test_pictures_there_are_for_every_task():
    assert set(svg_files(measure(sample("screening")))) == {
        "confusion_matrix.svg",
        "roc.svg",
        "precision_recall.svg",
    }
    assert set(svg_files(measure(sample("movie-genres")))) == {"roc.svg", "precision_recall.svg"}


@pytest.mark.parametrize("name", ["screening", "movie-genres", "support-intents-llm", "scores"])
def test_files_are_named_before_they_are_made(name, tmp_path):
    if name == "scores":  # on a scale of their own: nothing is predicted
        (tmp_path / "scores.csv").write_text("label,score\n" + "yes,7\nno,3\nyes,11\nno,5\n" * 3)
    evaluation = read_evaluation([tmp_path / "scores.csv"], Given()) if name == "scores" else sample(name)
    assert evaluation.has_predictions == (name != "scores")
    assert list(every_file(measure(evaluation))) == name_files(evaluation)


def test_the_zip_holds_every_file():
    files = every_file(measure(sample("digits")))
    assert list(files) == name_files(sample("digits"))
    with zipfile.ZipFile(io.BytesIO(zip_files(files))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files


def test_the_command_line_writes_a_report(tmp_path):
    target = tmp_path / "out.html"
    run = [sys.executable, "cli.py", "report", str(FOLDER / "digits.csv"), "-o", str(target)]
    done = subprocess.run([*run, "--rows", "20"], cwd=ROOT, capture_output=True, text=True, timeout=CEILING_SECONDS)
    assert done.returncode == 0 and "20 of 899 rows in it" in done.stdout
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>") and "20 rows of 899" in target.read_text()
    wrong = subprocess.run([*run, "--rows", "many"], cwd=ROOT, capture_output=True, text=True, timeout=CEILING_SECONDS)
    assert wrong.returncode == 2 and wrong.stderr.count("\n") == 1 and "--rows 200" in wrong.stderr


@pytest.mark.parametrize("key", ["screening", "support-intents", "movie-genres"])
def test_report_and_files_count_rows_once(monkeypatch, key):
    counted = Counter()

    def counting(name):
        count = getattr(metrics.findings.tables, name)
        monkeypatch.setattr(
            metrics.findings.tables, name, lambda *args, **more: counted.update([name]) or count(*args, **more)
        )

    for name in ("confusion_counts", "multilabel_counts", "score_counts"):
        counting(name)
    e = sample(key)
    every_file(measure(e))
    once = {"multilabel_counts" if key == "movie-genres" else "confusion_counts": 1, "score_counts": len(e.score_codes)}
    assert counted == {name: n for name, n in once.items() if n}
    html_report(e)
    assert counted == {name: 2 * n for name, n in once.items() if n}


def test_many_classes_are_no_small_files():
    assert are_small(sample("support-intents")) and are_small(sample("movie-genres"))
    labels = tuple(f"{i:04}" + "x" * 2_000 for i in range(200))
    codes = np.arange(40_000, dtype=np.int32)
    many = dataclasses.replace(
        sample("digits"), labels=labels, n_space=200, y_true=codes // 200 % 200, y_pred=codes % 200
    )
    assert not are_small(many)


def test_child_process_writes_the_same_files(own_store):
    made = make_file(sample("digits"), "export.files:write_zip", "x.zip", run="", options={"view": {"t": "0.5"}})
    wanted = every_file(measure(sample("digits")), {"t": "0.5"})
    with zipfile.ZipFile(made.path) as archive:
        assert archive.namelist() == list(wanted)
        for name in wanted:
            if name != "numbers.json":  # it says when it was made
                assert archive.read(name) == wanted[name]
    made_files.drop_all()
