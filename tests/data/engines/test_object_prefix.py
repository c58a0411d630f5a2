"""A prefix of an object store is counted like a folder; a change, a lost store and missing rights are one sentence."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data.engines.engine import open_engine
from data.engines.parquet_folder import open_folder, open_prefix
from data.engines.query import Condition, Grouping
from data.engines.row_query import RowQuery
from data.errors import DataError
from data.runs.source_counts import read_source_draft
from data.runs.sources import find_source
from tests.data.engines.test_engines import TRUTH, lines, random_table
from tests.reliability.s3_server import s3_server


@pytest.fixture(scope="module")
def store():
    pytest.importorskip("duckdb")
    with s3_server() as server:
        yield server


def write(store, folder, n=400):
    """Write the same rows as a folder and as a prefix of the bucket."""
    files = pytest.importorskip("s3fs").S3FileSystem(skip_instance_cache=True)
    for i, day in enumerate(("2026-07-01", "it's")):
        path = folder / "pre fix" / f"day={day}" / "part 'one'.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(random_table(np.random.default_rng(i), n), path, row_group_size=150)
        files.put_file(str(path), f"bucket/pre fix/day={day}/part 'one'.parquet")
    files.pipe_file("bucket/pre fix/_SUCCESS", b"")
    files.pipe_file("bucket/pre fix/_temporary/0.parquet", b"no Parquet")
    return files, folder / "pre fix"


def test_prefix_is_counted_like_its_folder(store, tmp_path):
    files, local = write(store, tmp_path)
    address = "s3://bucket/pre fix"
    folder, prefix = open_folder(local), open_prefix(address)
    assert (prefix.schema, prefix.n_rows, len(prefix.files)) == (folder.schema, 800, 2)
    assert repr(prefix.sample(50).to_pylist()) == repr(folder.sample(50).to_pylist())
    for asked in (Grouping((TRUTH, "day"), score="score"), Grouping(("flag",), where=(Condition("day", ("it's",)),))):
        wanted = lines(open_engine("memory", folder).count(asked))
        for name in ("memory", "duckdb"):
            engine = open_engine(name, prefix)
            assert lines(engine.count(asked)) == wanted, name
            engine.close()
    engine = open_engine("duckdb", prefix)
    asked = RowQuery(by="score", n=30)
    assert repr(engine.rows(asked).to_pylist()) == repr(open_engine("memory", folder).rows(asked).to_pylist())
    for sql in ("SELECT * FROM read_parquet('s3://bucket/other.parquet')", "SELECT * FROM read_text('/etc/hostname')"):
        with pytest.raises(engine._duckdb.Error):
            engine._connection.execute(sql).fetchall()
    files.put_file(str(local / "day=it's/part 'one'.parquet"), "bucket/pre fix/day=2026-07-01/part 'one'.parquet")
    with pytest.raises(DataError, match="was changed since"):
        engine.count(Grouping((TRUTH,)))
    assert open_prefix(address).snapshot != prefix.snapshot
    files.pipe_file("bucket/pre fix/_delta_log/0.json", b"{}")
    for part in (address, f"{address}/day=it's"):
        with pytest.raises(DataError, match="belongs to a table of Delta Lake"):
            open_prefix(part)
    files.rm_file("bucket/pre fix/day=2026-07-01/part 'one'.parquet")
    with pytest.raises(DataError, match="was removed since"):
        engine.count(Grouping((TRUTH,)))
    engine.close()
    with store.away(), pytest.raises(DataError, match="does not answer"):
        open_prefix(address)
    with pytest.raises(DataError, match="holds no Parquet file"):
        open_prefix("s3://bucket/nothing")


def test_listed_prefix_opens_by_its_name(store, tmp_path, monkeypatch):
    files, _ = write(store, tmp_path)
    table = pa.table({"y": ["a", "b", "b", None], "y_pred": ["a", "b", "a", "a"]})
    pq.write_table(table, tmp_path / "a.parquet")
    files.put_file(str(tmp_path / "a.parquet"), "bucket/one.parquet")
    path = tmp_path / "sources.toml"
    path.write_text("[One]\nfolder = 's3://bucket/one.parquet'\n[Gone]\nfolder = 's3://secret-bucket/x'\n")
    monkeypatch.setenv("BLINDSPOT_SOURCES", str(path))
    evaluation = read_source_draft(find_source("One"), lambda share: None)[1]
    assert evaluation.n_rows == 4
    with pytest.raises(DataError, match="The source 'Gone' cannot be opened") as said:
        find_source("Gone").open_folder()
    assert "secret-bucket" not in str(said.value)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with pytest.raises(DataError, match="check the server's credentials"):
        find_source("One").open_folder()
