"""A table of a DuckDB database or of Spark is counted like a folder of the same rows."""

import numpy as np
import pyarrow.parquet as pq
import pytest

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
