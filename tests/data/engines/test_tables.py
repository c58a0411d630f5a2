"""A table of a DuckDB database or of Spark is counted like a folder of the same rows."""

import dataclasses
import sqlite3
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import numpy as np
import pyarrow.parquet as pq
import pytest

from data.engines import duckdb_table
from data.engines.duckdb_table import open_duckdb_table
from data.engines.engine import open_engine
from data.engines.parquet_folder import open_folder
from data.engines.query import DUCKDB, Condition, Grouping
from data.engines.row_query import RowQuery
from data.errors import DataError
from data.runs.source_counts import read_source_draft
from data.runs.sources import find_source
from tests.data.engines.test_engines import PRED, TRUTH, lines, random_table

GROUPINGS = (
    Grouping((TRUTH, PRED), score="score"),
    Grouping(("slice", "flag"), where=(Condition(TRUTH, ("a", None)),)),
    Grouping((TRUTH,), score="score", bits=14, cut=0.5),
)


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "rows.parquet"
    pq.write_table(random_table(np.random.default_rng(0)), path, row_group_size=150)
    return open_folder(path)


def check_same(table, folder, name):
    found, memory = open_engine(name, table), open_engine("memory", folder)
    for asked in GROUPINGS:
        assert lines(found.count(asked)) == lines(memory.count(asked)), asked
    assert found.facts(["score", TRUTH])["score"][1:] == memory.facts(["score"])["score"][1:]
    asked = RowQuery((Condition(PRED, (1, None)),), by="score", n=50)
    rows = [engine.rows(asked).to_pylist() for engine in (found, memory)]
    assert repr([row["n"] for row in rows[0]]) == repr([row["n"] for row in rows[1]])
    assert (table.n_rows, len(table.sample(50))) == (400, 50)
    found.close()


SLOW = (
    "(SELECT n AS rowid, 'a' AS label, levenshtein(repeat('a', 200 + n % 7), repeat('b', 200)) AS s "
    "FROM range(1000000) t(n))"
)


@pytest.fixture
def database(tmp_path):
    """A database with a table, and a view that takes minutes."""
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "x.duckdb")) as written:
        written.execute("CREATE TABLE own AS SELECT 1 AS rowid, 'a' AS label, n FROM range(5000) t(n)")
        written.execute(f"CREATE VIEW slow AS FROM {SLOW}")
    return tmp_path / "x.duckdb"


def test_view_is_no_table_whatever_its_columns_are(database):
    with pytest.raises(DataError, match="There is no table 'slow'"):
        open_duckdb_table(database, "slow")
    assert len(open_duckdb_table(database, "MAIN.Own").sample(50)) == 50  # a column may be called rowid


def test_statements_on_a_database_end(database, monkeypatch):
    table = open_duckdb_table(database, "own", memory_bytes=64 << 20)
    monkeypatch.setattr(duckdb_table, "name_table", lambda name: SLOW)
    engine, done = open_engine("auto", table), threading.Event()

    def keep_cancelling():
        while not done.wait(0.01):
            engine.cancel()

    helper = threading.Thread(target=keep_cancelling)
    helper.start()
    try:
        with pytest.raises(DataError, match="or was cancelled"):
            table.sample(1_000_000)
    finally:
        done.set()
        helper.join()
        engine.close()
    monkeypatch.setattr(duckdb_table, "DATABASE_SECONDS", 0.1)
    with pytest.raises(DataError, match=r"Reading 'x\.duckdb' took longer than 0 seconds"):
        table.sample(1_000_000)


def test_sample_of_a_database_keeps_to_its_memory(database):
    table = dataclasses.replace(open_duckdb_table(database, "own"), memory_bytes=1 << 20)
    with pytest.raises(DataError, match="needs more than 1 MB of memory"):
        table.sample(5_000)


class Repository(BaseHTTPRequestHandler):
    """Notes what is asked of it."""

    asked: ClassVar[list[str]] = []

    def do_GET(self):
        self.asked.append(self.path)
        self.send_error(404)

    def log_message(self, format, *args):
        """Print nothing."""


@pytest.mark.parametrize("listens", [True, False])
def test_no_extension_is_asked_for(database, tmp_path, listens):
    with closing(sqlite3.connect(tmp_path / "x.sqlite")) as other:
        other.execute("CREATE TABLE t (y)")
        other.commit()
    with ThreadingHTTPServer(("127.0.0.1", 0), Repository) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start() if listens else server.server_close()
        where = {
            "custom_extension_repository": f"http://127.0.0.1:{server.server_port}",
            "extension_directory": str(tmp_path / "extensions"),
        }
        try:
            with pytest.raises(DataError, match=r"'x\.sqlite' is no DuckDB database"):
                duckdb_table.attach(tmp_path / "x.sqlite", **where)
            with closing(duckdb_table.attach(database, **where)) as connection:
                assert connection.sql("SELECT count(*) FROM source_file.own").fetchall() == [(5000,)]
        finally:
            if listens:
                server.shutdown()
                thread.join()
    assert not Repository.asked


def test_table_of_a_database_is_counted(folder, tmp_path, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "it's.duckdb"
    with duckdb.connect(str(path)) as written:
        written.execute(f"CREATE TABLE \"my; rows\" AS FROM '{folder.root}'")
        truth = DUCKDB.name(TRUTH)
        written.execute(f"CREATE TABLE labels AS SELECT {truth} AS t, if(flag, 'a', {truth}) AS p FROM \"my; rows\"")
        written.execute(f"CREATE VIEW outside AS FROM '{folder.root}'")
    table = open_duckdb_table(path, "my; rows")
    check_same(table, folder, "duckdb")
    engine = open_engine("auto", table)
    for sql in ("FROM read_text('/etc/hostname')", "FROM outside", 'DROP TABLE source_file.main."my; rows"'):
        with pytest.raises(duckdb.Error):
            engine._connection.execute(sql).fetchall()
    for first, other in ((table, folder), (folder, table)):
        with pytest.raises(DataError, match="Only folders of Parquet files are joined without Spark"):
            open_engine("auto", first, others=[other])
    with pytest.raises(DataError, match="There is no table 'other'"):
        open_duckdb_table(path, "other")
    with pytest.raises(DataError, match="There is no table 'outside'"):
        open_duckdb_table(path, "outside")
    with pytest.raises(DataError, match="is no DuckDB database"):
        open_duckdb_table(tmp_path / "rows.parquet", "x")
    (tmp_path / "sources.toml").write_text(
        f'[T]\ndatabase = "{path.name}"\ntable = "labels"\ntruth = "t"\npred = "p"\n'
    )
    monkeypatch.setenv("BLINDSPOT_SOURCES", str(tmp_path / "sources.toml"))
    evaluation = read_source_draft(find_source("T"), lambda share: None)[1]
    assert evaluation.n_rows == 400 and "400 rows of 1 file were counted by DuckDB" in evaluation.receipt.notes[0]
    engine.close()  # a program that writes the file needs it alone
    with duckdb.connect(str(path)) as written:
        written.execute('INSERT INTO "my; rows" FROM "my; rows"')
    engine = open_engine("auto", table)
    with pytest.raises(DataError, match="was changed since its source was opened"):
        engine.count(GROUPINGS[0])
    engine.close()
    assert open_duckdb_table(path, "my; rows").snapshot != table.snapshot
