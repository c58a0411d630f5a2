"""Spark gives the answers of memory, in this process and through Spark Connect."""

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data.engines.engine import open_engine
from data.engines.join_query import JoinSide
from data.engines.parquet_folder import open_folder
from data.engines.query import Condition, Grouping
from data.engines.row_query import Among, RowQuery
from data.engines.spark.session import open_session
from data.engines.spark.table import open_spark_table
from data.errors import DataError
from tests.ceiling import CEILING_SECONDS
from tests.data.engines.test_engines import GROUPINGS, IDS, PRED, TRUTH, join_ids, lines, random_table
from tests.data.engines.test_tables import check_same
from tests.free_port import free_port

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("pyspark") is None, reason="PySpark is not installed"),
    pytest.mark.skipif(shutil.which("java") is None and "JAVA_HOME" not in os.environ, reason="Java is not installed"),
]


@pytest.fixture(scope="module")
def connect_server(tmp_path_factory):
    """A Spark Connect server of its own on this machine."""
    port, home = free_port(), Path(importlib.util.find_spec("pyspark").origin).parent
    command = [
        str(home / "bin/spark-submit"), "--master", "local[2]", "--driver-memory", "1g",
        "--conf", f"spark.connect.grpc.binding.port={port}", "--conf", "spark.connect.grpc.binding.address=127.0.0.1",
        "--conf", "spark.driver.bindAddress=127.0.0.1", "--conf", "spark.driver.host=127.0.0.1",
        "--conf", "spark.ui.enabled=false", "--class", "org.apache.spark.sql.connect.service.SparkConnectServer",
        "spark-internal",
    ]  # fmt: skip
    place = tmp_path_factory.mktemp("connect")
    env = os.environ | {"SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable}
    with (place / "log").open("wb") as log:
        server = subprocess.Popen(command, cwd=place, env=env, stdout=log, stderr=log)
        try:
            wait_for(port, server, place / "log")
            yield f"sc://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(30)


def wait_for(port, server, log):
    """Wait until somebody answers at a port."""
    until = time.monotonic() + CEILING_SECONDS
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            assert server.poll() is None and time.monotonic() < until, log.read_text()[-2000:]
            time.sleep(0.2)


@pytest.fixture(params=["local[2]", "sc"])
def address(request, monkeypatch):
    found = request.getfixturevalue("connect_server") if request.param == "sc" else request.param
    monkeypatch.setenv("BLINDSPOT_SPARK", found)
    return found


@pytest.fixture
def written(tmp_path):
    """A folder with hive parts, odd names and odd labels."""
    rng = np.random.default_rng(0)
    for day in ("2026-07-01", "it's"):
        folder = tmp_path / "source +%" / f"day={day}"
        folder.mkdir(parents=True)
        more = {
            "stamp": pa.array(rng.integers(0, 9, 400) * 10**6, pa.timestamp("us")),
            "nano": pa.array(rng.integers(0, 9, 400), pa.timestamp("ns")),
            "unsigned": pa.array(rng.integers(0, 200, 400), pa.uint8()),
            "large": pa.array([2**63 - 3 + i for i in rng.integers(0, 9, 400).tolist()], pa.uint64()),
            "date": pa.array(rng.integers(0, 9, 400).astype("int32"), pa.date32()),
        }
        table = random_table(rng)
        for name, column in more.items():
            table = table.append_column(name, column)
        pq.write_table(table, folder / "part 'one' +%41.parquet", row_group_size=150)
    return tmp_path / "source +%"


def test_spark_counts_as_memory_does(written, address):
    """Through Connect everything; in this process, where each question starts slowly, the ones that differ most."""
    everything = address.startswith("sc:")
    folder = open_folder(written)
    memory, spark = open_engine("memory", folder), open_engine("spark", folder)
    more = {
        "stamps": Grouping(("stamp", "date"), where=(Condition("flag", (True,)),)),
        "odd types": Grouping(("nano", "unsigned")),
        "float32 key": Grouping(("small",)),
        "bins": Grouping((TRUTH,), score="score", bits=14, cut=0.5),
    }
    groupings = {**GROUPINGS, **more}
    for name in groupings if everything else ("weights", "nothing", "stamps", "bins"):
        asked = groupings[name]
        assert lines(spark.count(asked)) == lines(memory.count(asked)), name
    names = [TRUTH, PRED, "score", "slice", "day"]
    exact, estimated = memory.facts(names), spark.facts(names)
    for name in names:
        assert exact[name][1:] == estimated[name][1:], name
        assert abs(exact[name].n_distinct - estimated[name].n_distinct) <= 0.15 * exact[name].n_distinct + 1
    where = (Condition(PRED, (1, None)),)
    questions = (
        RowQuery(where, offset=5, n=20),
        RowQuery(among=Among(("large", TRUTH), ((2**63 + 1, "a"), (2**63 - 1, None)))),
        RowQuery(where, by="score", n=50),
        RowQuery(by="score", order="closest", to=0.5, n=1000),
        RowQuery(where, Among((TRUTH, PRED), (("a", 1), (None, 1), ("b", None)))),
        RowQuery(among=Among((TRUTH,), (("a",), (None,)), "score", (0.2, 0.5), (0.6, float("nan"))), n=1000),
    )
    for asked in questions if everything else questions[:2]:
        assert repr(spark.rows(asked).to_pylist()) == repr(memory.rows(asked).to_pylist()), asked
    pq.write_table(pa.table({"n": [1.5]}), next(written.rglob("*.parquet")))
    with pytest.raises(DataError, match="was changed since"):
        spark.count(Grouping((TRUTH,)))
    spark.close()


def test_spark_refuses_weights_and_ends_when_cancelled(tmp_path, address):
    rng = np.random.default_rng(0)
    pq.write_table(pa.table({"y": ["a", "b"], "n": [2.0, 1.5]}), tmp_path / "weights.parquet")
    engine = open_engine("spark", open_folder(tmp_path / "weights.parquet"))
    with pytest.raises(DataError, match="'n' holds 1 value other than whole numbers"):
        engine.count(Grouping(("y",), weights="n"))
    engine.close()
    pq.write_table(pa.table({"y": rng.integers(0, 10**9, 500_000)}), tmp_path / "long.parquet")
    engine = open_engine("spark", open_folder(tmp_path / "long.parquet"))
    stop = threading.Event()

    def keep_cancelling():
        while not stop.wait(0.05):
            engine.cancel()

    helper = threading.Thread(target=keep_cancelling)
    helper.start()
    try:
        with pytest.raises(DataError, match="was cancelled"):
            for _ in range(20):
                engine.count(Grouping(("y",), most=10))
    finally:
        stop.set()
        helper.join()
    assert engine.facts(["y"])["y"].high < 10**9
    engine.close()


def test_spark_joins_equal_ids_of_other_types(tmp_path, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_SPARK", "local[2]")
    for name, columns in IDS.items():
        assert join_ids(tmp_path, columns, "spark") == (6, (0, 0), 0), name
    nanos, other = pa.array([10**18], pa.timestamp("ns")), pa.array([10**15], pa.timestamp("us"))
    assert join_ids(tmp_path, [nanos, nanos], "spark") == (1, (0, 0), 0)
    with pytest.raises(DataError, match="'id', whose times hold nanoseconds"):
        join_ids(tmp_path, [nanos, other], "spark")


def test_spark_that_does_not_answer_is_one_sentence(tmp_path, monkeypatch):
    pq.write_table(pa.table({"y": ["a"]}), tmp_path / "a.parquet")
    monkeypatch.setenv("BLINDSPOT_SPARK", f"sc://127.0.0.1:{free_port()}/;token=secret")
    with pytest.raises(DataError, match="does not answer: check BLINDSPOT_SPARK") as said:
        open_engine("spark", open_folder(tmp_path))
    assert "secret" not in str(said.value)


def test_table_of_spark_is_counted(tmp_path, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_SPARK", "local[2]")
    path = tmp_path / "rows.parquet"
    pq.write_table(random_table(np.random.default_rng(0)), path, row_group_size=150)
    session = open_session(1 << 30, "test")
    session.spark.sql(f"CREATE TABLE default.my_rows USING parquet LOCATION '{tmp_path / 'table'}' AS "
                      f"SELECT * FROM parquet.`{path}`")  # fmt: skip
    try:
        table = open_spark_table("default.my_rows")
        check_same(table, open_folder(path), "spark")
        session.spark.sql("INSERT INTO default.my_rows SELECT * FROM default.my_rows")
        assert open_spark_table("default.my_rows").snapshot != table.snapshot
        with pytest.raises(DataError, match="Spark has no table 'other'"):
            open_spark_table("other")
    finally:
        session.spark.sql("DROP TABLE default.my_rows")
        session.close()


def test_spark_joins_a_table_with_files(tmp_path, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_SPARK", "local[2]")
    for name, first in (("old", 0), ("new", 3)):
        pq.write_table(pa.table({"id": range(first, first + 6), "y": ["a"] * 6}), tmp_path / f"{name}.parquet")
    session = open_session(1 << 30, "test")
    session.spark.sql(f"CREATE TABLE default.my_ids USING parquet LOCATION '{tmp_path / 'table'}' AS "
                      f"SELECT * FROM parquet.`{tmp_path / 'old.parquet'}`")  # fmt: skip
    try:
        table, file = open_spark_table("default.my_ids"), open_folder(tmp_path / "new.parquet")
        for sources in ((table, file), (file, table)):
            engine = open_engine("spark", sources[0], others=sources[1:])
            found = engine.join([JoinSide(source, ("id",), ("y",), (("a",),), (0,)) for source in sources])
            engine.close()
            assert (int(found.rows.sum()), found.only_in, found.repeated) == (3, (3, 3), 0)
    finally:
        session.spark.sql("DROP TABLE default.my_ids")
        session.close()
