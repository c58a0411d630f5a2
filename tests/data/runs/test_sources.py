"""Sources of a list: found by name only, counted once, their rows asked for; refused with one sentence once changed."""

import dataclasses
import math
import re
import threading
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data import environment
from data.comparison.filter_conditions import filter_rows
from data.engines.names import ENGINES, is_installed
from data.environment import SettingError
from data.errors import DataError
from data.rows.order import list_orders
from data.rows.selection import ScoreRange, Which, find_rows
from data.runs import engine_turns, source_counts, source_rows, understanding
from data.runs.load import keep
from data.runs.source_counts import count_draft_classes, read_few_rows, read_source_draft
from data.runs.source_rows import ORDERS, has_source, read_source_rows
from data.runs.sources import find_source, list_sources
from data.sharing import redaction
from data.store import access
from tests.data.runs.test_counted import same
from tests.measured_numbers import numbers_of

LABELS = ["it's", "x'; DROP TABLE t; --", None]


def nobody(share):
    """Nobody waits."""


@pytest.fixture
def listed(tmp_path, monkeypatch):
    """A list of two sources with hostile labels and names of columns."""
    rng = np.random.default_rng(1)
    truth, pred = rng.integers(0, 3, 500), rng.integers(0, 2, 500)
    labels = pa.table({
        'y"true': [LABELS[i] for i in truth], "y' pred": [LABELS[i] for i in pred], "flag": rng.random(500) < 0.5,
        "row_id": np.arange(500),
    })  # fmt: skip
    score = np.round(rng.random(500), 4)
    scores = pa.table({"y": rng.random(500) < score, "score": score, "row_id": np.arange(500)})
    for name, table in (("labels", labels), ("scores", scores)):
        (tmp_path / name).mkdir()
        for i in range(2):
            pq.write_table(table.slice(i * 250, 250), tmp_path / name / f"{i}.parquet")
    path = tmp_path / "sources.toml"
    path.write_text(
        '["Labels; DROP TABLE t"]\nfolder = "labels"\ntruth = \'y"true\'\npred = "y\' pred"\nslices = ["flag"]\n'
        '["Scores"]\nfolder = "scores"\nfor = "domain:example.org"\ntruth = "y"\nscore = "score"\npositive = "true"\n'
    )
    monkeypatch.setenv("BLINDSPOT_SOURCES", str(path))
    return tmp_path


@pytest.mark.parametrize("name", ["../labels", "labels", "/etc", "http://127.0.0.1/x", "Scores' OR '1'='1", ""])
def test_sources_are_found_by_name_only(listed, name):
    with pytest.raises(DataError, match="There is no source"):
        find_source(name, "ann@example.org")


def test_sources_open_for_their_audience(listed):
    assert [one.name for one in list_sources()] == ["Labels; DROP TABLE t"]
    assert [one.name for one in list_sources("ann@example.org")] == ["Labels; DROP TABLE t", "Scores"]
    with pytest.raises(DataError, match="does not open for you"):
        find_source("Scores", "eve@example.com")


@pytest.mark.parametrize("login", ["secrets", "header"])
def test_guest_of_a_login_reads_no_source(listed, login, monkeypatch):
    evaluation = read_source_draft(find_source("Labels; DROP TABLE t"), nobody)[1]
    lines = np.arange(evaluation.n_lines)
    assert len(read_source_rows(evaluation, lines, nobody)) == 200  # where nobody logs in
    if login == "header":
        monkeypatch.setenv("BLINDSPOT_USER_HEADER", "X-User")
    else:
        monkeypatch.setattr(access, "LOGINS", ["secrets"])
    assert not list_sources()
    with pytest.raises(DataError, match="does not open for you"):
        read_source_rows(evaluation, lines, nobody)
    assert len(read_source_rows(evaluation, lines, nobody, person="eve@example.com")) == 200
    path = listed / "sources.toml"
    path.write_text(path.read_text().replace('folder = "labels"', 'folder = "labels"\nfor = "anyone"'))
    assert len(read_source_rows(evaluation, lines, nobody)) == 200  # whoever runs the server says so


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[a]\nfolder = 'http://host/x'", "is no folder; write its path, or s3://bucket/folder"),
        ("[a]\nfolder = 's3://key:secret@bucket/x'", "is no folder"),
        ("[a]\nengine = 'duckdb'", "folder is missing"),
        ("[a]\ntable = 'x'\nengine = 'duckdb'", "a table has a database and engine duckdb, or engine spark"),
        ("[a]\nfolder = 'x'\npassword = 'y'", "'password' is none of its keys"),
        ("[a]\nfolder = 'x'\nmemory = 'lots'", "no size of memory"),
        ("[a]\nfolder = 'x'\nengine = 'shell'", "engine is auto"),
        ('["a\\u0007"]\nfolder = "x"', "printable"),
        ("[a", "no TOML"),
    ],
)
def test_list_that_cannot_be_used_is_one_sentence(tmp_path, monkeypatch, text, said):
    (tmp_path / "s.toml").write_text(text)
    monkeypatch.setenv("BLINDSPOT_SOURCES", str(tmp_path / "s.toml"))
    with pytest.raises(SettingError, match=said):
        list_sources()


def test_counts_are_kept_and_open_again(listed, monkeypatch):
    draft, evaluation = read_source_draft(find_source("Scores", "a@example.org"), nobody)
    again = understanding.open_draft(draft)
    assert again.fingerprint == evaluation.fingerprint and again.receipt.notes == evaluation.receipt.notes
    same(numbers_of(again), numbers_of(evaluation))
    monkeypatch.setattr(source_counts, "count_source", None)  # a second person is not counted for again
    assert read_source_draft(find_source("Scores", "a@example.org"), nobody)[0] == draft
    assert keep(draft)


@pytest.mark.parametrize("engine", ENGINES)
def test_rows_are_those_behind_the_number(listed, engine, monkeypatch):
    monkeypatch.setattr(source_rows, "_DEEP", 150)
    if not is_installed(engine):
        pytest.skip(f"the package of {engine} is not installed")
    path = listed / "sources.toml"
    path.write_text(path.read_text().replace("folder", f'engine = "{engine}"\nfolder'))
    person = {"person": "a@example.org"}
    for name, choices in (
        ("Labels; DROP TABLE t", [Which(), Which(only="errors"), Which(true=(0,), pred=(1,)), Which(only="missing")]),
        ("Scores", [Which(only="errors"), Which(true=(1,), score=ScoreRange(1, 0.3, 0.5)), Which(only="correct")]),
    ):
        source = find_source(name, "a@example.org")
        evaluation = read_source_draft(source, nobody)[1]
        whole = source.open_folder().dataset().to_table().to_pylist()
        for which in choices:
            lines = find_rows(evaluation, which)
            wanted = expected(whole, evaluation, which)
            assert evaluation.count_rows(lines) == len(wanted), which
            found = [
                row["row_id"]
                for part in range(0, len(wanted), 200)
                for row in read_source_rows(evaluation, lines, nobody, offset=part, **person).to_pylist()
            ]
            assert found == wanted, which
    keys = {"highest": lambda s: -s, "lowest": lambda s: s, "closest": lambda s: abs(s - 0.5), "file": lambda s: 0}
    assert keys.keys() == ORDERS.keys()
    for order, key in keys.items():
        rows = sorted((row for row in whole if row["row_id"] in wanted), key=lambda row: key(row["score"]))
        asked = [read_source_rows(evaluation, lines, nobody, order=order, offset=at, **person) for at in (0, 200)]
        assert pa.concat_tables(asked).to_pylist() == rows[:400]


def test_filtered_rows_are_those_behind_the_number(listed):
    for name, conditions, inside in (
        ("Scores", [("score", "0.2 to 0.4")], lambda row: 0.2 <= row["score"] <= 0.4),
        ("Labels; DROP TABLE t", [("flag", "true")], lambda row: row["flag"]),
    ):
        source = find_source(name, "a@example.org")
        part = filter_rows(read_source_draft(source, nobody)[1], conditions)
        rows = source.open_folder().dataset().to_table().to_pylist()
        wanted = [row["row_id"] for row in rows if inside(row)]
        assert part.n_rows == len(wanted)
        lines = np.arange(part.n_lines)
        asked = [read_source_rows(part, lines, nobody, offset=at, person="a@example.org") for at in range(0, 600, 200)]
        assert pa.concat_tables(asked)["row_id"].to_pylist() == wanted


def expected(rows, evaluation, which):
    """Ids of the rows behind a number, from the rows themselves."""
    found = []
    for row in rows:
        if "score" in row:
            true, pred = str(row["y"]).lower(), "true" if row["score"] >= 0.5 else "false"
        else:
            true, pred = row['y"true'], row["y' pred"]
        known = true is not None and pred is not None
        kind = {"errors": known and true != pred, "correct": known and true == pred, "missing": not known}
        chosen = kind.get(which.only, True)
        chosen &= not which.true or true == evaluation.labels[which.true[0]]
        chosen &= not which.pred or pred == evaluation.labels[which.pred[0]]
        chosen &= which.score is None or which.score.low <= row["score"] < which.score.high
        found += [row["row_id"]] if chosen else []
    return found


def test_rows_of_a_changed_source_are_refused(listed):
    source = find_source("Labels; DROP TABLE t")
    draft, evaluation = read_source_draft(source, nobody)
    lines = np.arange(evaluation.n_lines)
    pq.write_table(
        pa.table({'y"true': ["a"], "y' pred": ["a"], "flag": [True], "row_id": [1]}), listed / "labels/1.parquet"
    )
    for asked, prevented in (
        (lambda: read_source_rows(evaluation, lines, nobody), "rows are not shown"),
        (lambda: read_few_rows(evaluation), "rows are not read"),
        (lambda: count_draft_classes(draft, nobody), "scores are not counted"),
    ):
        with pytest.raises(DataError, match=f"since it was counted, so its {prevented}: open the source again"):
            asked()
    for file in (listed / "labels").iterdir():
        file.unlink()
    with pytest.raises(DataError, match="cannot be opened"):
        read_source_rows(evaluation, lines, nobody)
    same(numbers_of(understanding.open_draft(draft)), numbers_of(evaluation))  # the numbers stay


@pytest.mark.parametrize(
    "left",
    [{"hide": ("flag",)}, {"counts_only": True}, {"keep": ("flag",)}],
    ids=["column hidden", "numbers only", "columns kept"],
)
def test_share_that_leaves_something_out_offers_no_rows(listed, left):
    for name in ("Labels; DROP TABLE t", "Scores"):
        if name == "Scores" and "hide" in left:
            continue
        draft, evaluation = read_source_draft(find_source(name, "a@example.org"), nobody)
        assert has_source(evaluation)
        opened = understanding.open_with_table(draft)
        part = understanding.open_draft(redaction.redact_draft(draft, *opened, **({"hide": ()} | left)))
        assert not has_source(part)
        same(numbers_of(part), numbers_of(evaluation))


def test_query_ends_when_nobody_waits(listed, monkeypatch):
    class Gone(Exception):
        pass

    def leave(share):
        raise Gone

    def opened(*given, **options):
        engine = open_engine(*given, **options)
        engine.cancel = cancelled.set
        return engine

    source, cancelled, open_engine = find_source("Scores", "a@example.org"), threading.Event(), engine_turns.open_engine
    monkeypatch.setattr(engine_turns, "open_engine", opened)
    with pytest.raises(Gone), engine_turns.open_in_turn(source, source.open_folder(), leave):
        assert cancelled.wait(60)
        raise DataError("The count was cancelled.")


def test_set_ups_of_the_documentation_can_be_used(tmp_path, monkeypatch):
    text = (Path(__file__).resolve().parents[3] / "docs/scaling.md").read_text(encoding="utf-8")
    lists, settings = (re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL) for kind in ("toml", "env"))
    assert len(lists) >= 4 and len(settings) == 3
    for found in lists:
        (tmp_path / "s.toml").write_text(found)
        monkeypatch.setenv("BLINDSPOT_SOURCES", str(tmp_path / "s.toml"))
        assert list_sources("ann@example.org")
    for line in "".join(settings).splitlines():
        name, value = line.split("=", 1)
        assert name.startswith("AWS_") or environment.VARIABLES[name].parse(value)


def test_ten_billion_rows_are_multiplied_right():
    docs = Path(__file__).resolve().parents[3] / "docs"
    scaling, measured = ((docs / name).read_text(encoding="utf-8") for name in ("scaling.md", "performance.md"))
    section = scaling.partition("## Ten billion rows")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][2:]
    values = [[cell.split()[0].replace(",", "") for cell in line.split("|")[2:4]] for line in lines]
    per_row, gigabytes, files, seconds, whole, two, sixteen, store, disk, spark, many, cells, _ = values
    assert seconds == re.findall(r"^\| 100M .*?\| [\d.]+ s \| ([\d.]+) s \|", measured, re.MULTILINE)
    for kind in (0, 1):
        size, all_seconds = float(per_row[kind]) * 1e10, float(seconds[kind]) * 100
        expected = (size / 1e9, size / 128e6, all_seconds, all_seconds / 2, all_seconds / 16, size / 1.25e9, size / 1e9)
        stated = (gigabytes, files, whole, two, sixteen, store, disk)
        assert [int(found[kind]) for found in stated] == [math.floor(round(value, 6) + 0.5) for value in expected]
    assert f"{spark[0]} s" in (docs / "decisions/0006-engines-are-asked-in-plain-sql.md").read_text(encoding="utf-8")
    assert (many[0], cells[0]) == (f"{float(spark[0]) * 1000 * 2 / 200:.0f}", str(77**2))


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_sample_is_seeded_and_says_its_size(listed, engine, monkeypatch):
    if engine == "duckdb":
        pytest.importorskip("duckdb")
    monkeypatch.setattr(source_counts, "SOURCE_SAMPLE_ROWS", 200)
    source = dataclasses.replace(find_source("Scores", "a@example.org"), engine=engine)
    draft, evaluation = source_counts.read_source_sample(source, nobody)
    assert evaluation.n_rows == 200 and evaluation.weights is None and not has_source(evaluation)
    assert source_counts.is_source_sample(draft)
    assert "200 of 500 rows of the source, drawn at random (seed 0)" in " ".join(evaluation.receipt.warnings)
    ids = set(map(int, evaluation.rows["row_id"].to_pylist()))
    assert len(ids) == 200 and 60 < len([one for one in ids if one < 250]) < 140
    assert "issue" in list_orders(evaluation)
    again = source_counts.read_source_sample(source, nobody)
    assert again[0] == draft and again[1].fingerprint == evaluation.fingerprint
